"""Perft: how many distinct boards there are after so many turns, a check of rules and speed at once.

A board is the canonical text of the position and the player to move. Equal boards reached in different ways count
once. Alignments do not matter: nobody wins by them, dead players are skipped, and play goes on until one player is
left; such a board counts at the depth where it comes up and has no turns after it.
"""

from collections.abc import Callable, Iterator

import numpy as np

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
from overworlds.envs.homeworlds.state import STATE

Board = tuple[str, int]
"""A position's text, and who is to move (OVER if one player is left)."""


def starting_state(variant: Variant, position: str | None, to_move: int = 0) -> np.ndarray:
    """The state that counting starts from: a position, or the empty table before anybody has set up."""
    game = variant.game
    if game.position is None or game.arrange is None:
        raise ValueError(f"{game.id} has no text for positions, so its boards cannot be told apart")
    state = np.zeros(variant.state_bytes, np.uint8)
    game.kernels.reset(variant.rules, state, 0)
    if position is not None:
        game.arrange(variant, state, {"position": position, "to_move": to_move})
    elif to_move != 0:
        raise ValueError("without a position, seat 0 sets up first")
    return state


def perft(
    variant: Variant,
    start: np.ndarray,
    depth: int,
    progress: Callable[[int, int, int], None] | None = None,
) -> Iterator[int]:
    """The number of distinct boards after 1, 2, … ``depth`` turns.

    Args:
        variant: the game; its turn limit must be off.
        start: the state to start from, between two turns.
        depth: how many turns to look ahead.
        progress: called after every board with the depth, how many boards of it are done, and how many there are.
    """
    level = [start]
    for turns in range(1, depth + 1):
        following: dict[Board, np.ndarray] = {}
        for done, state in enumerate(level, start=1):
            following |= boards_after_turn(variant, state)
            if progress is not None:
                progress(turns, done, len(level))
        level = list(following.values())
        yield len(level)


def boards_after_turn(variant: Variant, state: np.ndarray) -> dict[Board, np.ndarray]:
    """All boards that one whole turn can lead to, each with a state."""
    position = variant.game.position
    assert position is not None
    legal, step = variant.game.kernels.legal, variant.game.kernels.step
    ids = np.zeros(variant.num_actions, np.int32)
    start = without_alliances(state)
    turn = start.view(STATE)[0].head.turn
    ends: dict[Board, np.ndarray] = {}
    seen: set[bytes] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for action in ids[: legal(variant.rules, here, ids)].tolist():
            after = here.copy()
            step(variant.rules, after, action)
            forget_the_way(after)
            if (key := after.tobytes()) in seen:
                continue
            seen.add(key)
            head = after[:HEADER_BYTES].view(HEADER)[0]
            if head.turn == turn:
                waiting.append(after)
            else:
                ends.setdefault((position(variant, after), int(head.to_move)), after)
    return ends


def without_alliances(state: np.ndarray) -> np.ndarray:
    """A copy in which the mover is Good and everybody else Evil: it wins only as the last one left."""
    copy = state.copy()
    s = copy.view(STATE)[0]
    if s.head.to_move != OVER:
        s.evil[:] = 1
        s.evil[int(s.head.to_move)] = 0
    return copy


def forget_the_way(state: np.ndarray) -> None:
    """Drop what a state remembers of how it came about, so that equal tables are equal bytes."""
    s = state.view(STATE)[0]
    s.head.ply = 0
    s.captures[:] = 0
