"""What ``overworlds demo`` shows: a game between compiled players, and how many such games fit into a second."""

import io
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
from overworlds.envs.core.playouts import GAMES_AT_A_TIME, playouts
from overworlds.envs.core.replay import write_atomically
from overworlds.envs.core.rng import mix
from overworlds.envs.core.window import load_pygame
from overworlds.training.options import checked_target
from overworlds.training.telling import Account

PICTURES = (".png", ".jpg", ".bmp")
FIRST_TRY = 8
"""Games played to find out how many fill the time of a measurement; with threads, enough to keep them all busy."""


@dataclass(frozen=True)
class Turn:
    """The table after a turn, and how it came to it."""

    player: int
    actions: tuple[str, ...]
    state: np.ndarray


def play(variant: Variant, policy: Policy, seed: int, viewer: int | None = None) -> Iterator[Turn]:
    """A game in which this policy plays all seats, in stretches: one player's decisions in one turn, as the viewer sees
    them, or an onlooker who hears all."""
    account = Account(variant, viewer)
    kernels = variant.game.kernels
    state = np.zeros(variant.state_bytes, np.uint8)
    ids = np.zeros(variant.num_actions, np.int32)
    kernels.reset(variant.rules, state, seed)
    head = state[:HEADER_BYTES].view(HEADER)[0]
    while head.to_move != OVER:
        player, turn = int(head.to_move), int(head.turn)
        actions: list[str] = []
        while head.turn == turn and head.to_move == player:
            n = kernels.legal(variant.rules, state, ids)
            draw = int(mix(seed, int(head.ply)))
            action = int(policy.kernel(policy.params, variant.rules, state, ids, n, draw))
            before = state.copy()
            kernels.step(variant.rules, state, action)
            actions += account.of(before, action, state)
        yield Turn(player, tuple(actions), state.copy())


@dataclass(frozen=True)
class Speed:
    """How fast whole games were played inside numba."""

    games: float
    """Per second."""
    steps: float
    """Decisions per second."""


def rollouts_per_second(variant: Variant, policy: str, seconds: float, threads: int) -> Speed:
    """Play whole games, this policy in all seats, for about so many seconds."""
    games = FIRST_TRY if threads == 1 else GAMES_AT_A_TIME * threads
    while True:
        began = time.perf_counter()
        result = playouts(variant, policy, games, threads=threads)
        spent = time.perf_counter() - began
        if spent >= seconds / 2:
            return Speed(games / spent, int(result.decisions.sum()) / spent)
        games = max(2 * games, int(games * seconds / spent))


def check_picture(path: Path) -> None:
    """Complain before the game, not after it, of a picture that could not be saved."""
    load_pygame()
    checked_target(path, PICTURES)


def save_picture(frame: np.ndarray, path: Path) -> None:
    """Write a frame (height × width × 3) as a picture file; the ending says in which format."""
    check_picture(path)
    pygame = load_pygame()
    height, width, _ = frame.shape
    file = io.BytesIO()
    pygame.image.save(pygame.image.frombuffer(frame.tobytes(), (width, height), "RGB"), file, path.suffix)
    write_atomically(path, file.getvalue())
