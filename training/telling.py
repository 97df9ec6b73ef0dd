"""Telling of a game as somebody sees it who plays in it."""

from typing import TYPE_CHECKING

import numpy as np

from overworlds.envs.core.game import Telling, Variant
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES

if TYPE_CHECKING:
    from overworlds.envs.core.aec import GameEnv

SECRET = "something that you do not see"


class Account:
    """What has been decided, in words, for one seat, or all of it for an onlooker."""

    def __init__(self, variant: Variant, viewer: int | None) -> None:
        self.variant = variant
        self.viewer = viewer
        self._waiting: list[str] = []

    def of(self, before: np.ndarray, action: int, after: np.ndarray) -> list[str]:
        """What can be told after the decision for this action, which led from one state to the other."""
        seat = int(before[:HEADER_BYTES].view(HEADER)[0].to_move)
        name = self.variant.action_names(seat)[action]
        ask = self.variant.game.telling
        if self.viewer is None or self.viewer == seat or ask is None:
            return [name]
        telling = ask(self.variant, before, after, self.viewer)
        if telling is Telling.NEVER:
            self._waiting.clear()
            return [SECRET]
        self._waiting.append(name)
        if telling is Telling.LATER:
            return []
        told, self._waiting = self._waiting, []
        return told


def state_of(env: "GameEnv") -> np.ndarray:
    """A copy of the state."""
    return np.frombuffer(env.state_bytes()[-env.variant.state_bytes :], np.uint8).copy()
