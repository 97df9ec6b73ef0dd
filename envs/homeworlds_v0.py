"""Homeworlds for PettingZoo: ``homeworlds_v0.env(players=4)``."""

from collections.abc import Mapping
from typing import Any

from overworlds.envs.core.aec import GameEnv, Illegal
from overworlds.envs.core.game import Variant, given_rules
from overworlds.envs.homeworlds import GAME


def env(
    players: int = GAME.default_players,
    render_mode: str | None = None,
    rules: Mapping[str, Any] | None = None,
    illegal: Illegal = "terminate",
    viewer: str | int | None = None,
    **more_rules: Any,
) -> GameEnv:
    """Make a Homeworlds environment.

    Args:
        players: 2 to 6.
        render_mode: ``None``, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        rules: rules that differ from the defaults, by name; ``overworlds show homeworlds_v0`` lists them.
        illegal: what an illegal action does, ``"terminate"`` or ``"raise"``.
        viewer: whose eyes ``render`` looks through; by default those of an onlooker who knows what is public.
        **more_rules: rules by keyword, such as ``talk=True``.
    """
    return GameEnv(Variant(GAME, players, given_rules(rules, more_rules)), render_mode, illegal, viewer)


raw_env = env
"""The same: the guarantees of PettingZoo's wrappers are built in, so there is nothing to unwrap."""
