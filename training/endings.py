"""Positions from the last turns of games, for a learner to begin with.

Whoever begins near the end meets, in a few decisions, what wins and loses a game, and learns the rest backwards from
there (Resnick et al., "Backplay", 2018). A state is a row of bytes, so a game can begin anywhere.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numba import types

from overworlds.envs.core.advance import copy_bytes, header, legal_choice
from overworlds.envs.core.batch import BYTE_ROWS, SEEDS
from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_RESET,
    CODE_STEP,
    HEADER,
    HEADER_BYTES,
    IDS,
    OVER,
    PARAMS,
    RNG,
    addresses,
    borrowed,
    borrowed_row,
    jit,
    kernel,
    legal_at,
    policy_at,
    reset_at,
    step_at,
)
from overworlds.envs.core.playouts import LONGEST_GAME
from overworlds.envs.core.rng import below, draw_seed, mix, seed_rng

IN_A_THOUSAND = 1000


@kernel(types.void(ADDRESSES, ADDRESSES, PARAMS, BYTES, types.int64, types.int64, BYTES, BYTES, IDS, BYTE_ROWS))
def play_remembering(code, policy, params, rules, seed, noise, rng_bytes, state, ids, lately):
    """Play a game, the same player in all seats, ``noise`` of a thousand moves at random.

    The state in which turn t began is left in ``lately[t % len(lately)]``, for the last turns of the game.
    """
    code, policy, params, rules = borrowed(code), borrowed(policy), borrowed(params), borrowed(rules)
    state, ids = borrowed(state), borrowed(ids)
    rng = rng_bytes.view(RNG)[0]
    reset_at(code[CODE_RESET])(rules, state, seed)
    seed_rng(rng, mix(seed, 3))
    head = header(state)
    turn = -1
    for _ in range(LONGEST_GAME):
        if head.to_move == OVER:
            break
        if head.turn != turn:
            turn = int(head.turn)
            copy_bytes(state, borrowed_row(lately, turn % len(lately)))
        n = legal_at(code[CODE_LEGAL])(rules, state, ids)
        wish = policy_at(policy[0])(params, rules, state, ids, n, draw_seed(rng))
        action = ids[below(rng, n)] if below(rng, IN_A_THOUSAND) < noise else legal_choice(wish, ids, n)
        step_at(code[CODE_STEP])(rules, state, action)


@jit
def go_on_by(state, seed):
    """Let a game go on as if it had been dealt from this seed: by other chances."""
    head = header(state)
    head.seed = seed
    seed_rng(head.rng, mix(seed, 3))


@kernel(types.void(BYTE_ROWS, SEEDS))
def go_on_by_seeds(states, seeds):
    """The same for every row."""
    for i in range(len(states)):
        go_on_by(borrowed_row(states, i), seeds[i])


class Endings(NamedTuple):
    """Positions from games that somebody won, those nearest to the end first."""

    states: np.ndarray
    """A row each."""
    winners: np.ndarray
    """The seat that won; of several, the one that moved last, if it did."""
    turns_left: np.ndarray
    """How many turns ended before the one in which the game was won: 0 for a position of that turn."""

    def within(self, turns: int) -> int:
        """How many of the first positions have at most so many turns left."""
        return int(np.searchsorted(self.turns_left, turns, side="right"))

    def drawn(self, number: int, rng: np.random.Generator) -> np.ndarray:
        """Copies of so many positions, drawn at random, which go on by chances of their own."""
        states = self.states[rng.integers(len(self.states), size=number)]
        go_on_by_seeds(states, rng.integers(2**62, size=number))
        return states


def endings(
    variant: Variant,
    player: Policy,
    games: int,
    furthest: int,
    each: int = 8,
    seed: int = 0,
    noise: float = 0.05,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Endings:
    """Play games and keep positions of those that were won.

    Args:
        variant: the game.
        player: who plays all seats.
        games: how many games.
        furthest: no position has more turns left than this.
        each: how many positions of a game are kept at most; more of them near its end.
        seed: names the games.
        noise: the share of random moves, which bring variety.
        threads: how many threads play.
        progress: called with the number of games done, whenever one is.
    """
    code, policy = variant.game.code, addresses(player.kernel)

    def play(game: int) -> list[tuple[np.ndarray, int, int]]:
        own = int(mix(seed, game))
        state, ids = np.zeros(variant.state_bytes, np.uint8), np.zeros(variant.num_actions, np.int32)
        lately = np.zeros((furthest + 1, variant.state_bytes), np.uint8)
        random = round(noise * IN_A_THOUSAND)
        scratch = np.zeros(RNG.itemsize, np.uint8)
        play_remembering(code, policy, player.params, variant.rules, own, random, scratch, state, ids, lately)
        if progress is not None:
            progress(1)
        return _chosen(state, lately, each, np.random.default_rng(own))

    with ThreadPoolExecutor(threads) as pool:
        found = [position for positions in pool.map(play, range(games)) for position in positions]
    found.sort(key=lambda position: position[2])
    states = np.array([state for state, _, _ in found], np.uint8).reshape(-1, variant.state_bytes)
    return Endings(states, *(np.array([position[i] for position in found], np.int32) for i in (1, 2)))


def _chosen(
    end: np.ndarray, lately: np.ndarray, each: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, int, int]]:
    """Some positions of a game, if somebody won it: state, winner and turns left."""
    heads = lately[:, :HEADER_BYTES].view(HEADER)[:, 0]
    over = end[:HEADER_BYTES].view(HEADER)[0]
    won = np.flatnonzero(over["returns"] > 0)
    if over["truncated"] or over["to_move"] != OVER or not len(won):
        return []
    last = int(heads["turn"].max())
    mover = int(heads["to_move"][last % len(lately)])
    winner = mover if mover in won else int(rng.choice(won))
    wanted = np.unique((len(lately) * rng.random(each) ** 2).astype(int))
    rows = [(left, (last - left) % len(lately)) for left in wanted if left <= last]
    return [(lately[row].copy(), winner, int(left)) for left, row in rows if heads["turn"][row] == last - left]
