"""Whole games without Python: for benchmarks, search and balance studies."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types

from overworlds.envs.core.advance import header, legal_choice
from overworlds.envs.core.game import Game, Policy, Variant, checked_seed, checked_threads, given_rules
from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_LEGAL,
    CODE_RESET,
    CODE_STEP,
    IDS,
    MAX_PLAYERS,
    OVER,
    PARAMS,
    RNG,
    addresses,
    borrowed,
    jit,
    kernel,
    legal_at,
    policy_at,
    reset_at,
    step_at,
)
from overworlds.envs.core.registry import find_game
from overworlds.envs.core.rng import draw_seed, mix, seed_rng

GAMES_AT_A_TIME = 64
"""How many games a thread plays before it reports."""
LONGEST_GAME = 1_000_000
"""Decisions after which a game is given up as truncated, where its own rules have no limit."""

RESULTS = types.float32[:, ::1]
COUNTS = types.int64[:, ::1]
ALL_PARAMS = types.UniTuple(PARAMS, MAX_PLAYERS)


@jit
def play_on(code, policies, params, shift, rules, state, ids, rng, decisions):
    """Play the game in ``state`` on, at most so many decisions; how many were made.

    Policy p sits at seat ``(p + shift) % players``.
    """
    legal, step = legal_at(code[CODE_LEGAL]), step_at(code[CODE_STEP])
    head = header(state)
    made = 0
    while head.to_move != OVER and made < decisions:
        policy = (head.to_move - shift) % head.players
        n = legal(rules, state, ids)
        action = policy_at(policies[policy])(params[policy], rules, state, ids, n, draw_seed(rng))
        step(rules, state, legal_choice(action, ids, n))
        made += 1
    return made


@kernel(
    types.void(
        ADDRESSES,
        ADDRESSES,
        ALL_PARAMS,
        BYTES,
        BYTES,
        IDS,
        BYTES,
        types.int64,
        types.int64,
        types.int64,
        RESULTS,
        COUNTS,
    )
)
def play_games(code, policies, params, rules, state, ids, scratch, first, seed, rotate, returns, counts):
    """Play ``len(returns)`` games, numbered from ``first``; game g is dealt from ``mix(seed, g)``.

    In game g, policy p sits at seat ``(p + rotate * g) % players``.
    """
    code, policies, rules = borrowed(code), borrowed(policies), borrowed(rules)
    state, ids = borrowed(state), borrowed(ids)
    rng = scratch.view(RNG)[0]
    head = header(state)
    players = returns.shape[1]
    for i in range(len(returns)):
        game_seed = mix(seed, first + i)
        shift = rotate * (first + i) % players
        reset_at(code[CODE_RESET])(rules, state, game_seed)
        seed_rng(rng, mix(game_seed, 1))
        counts[i, 0] = play_on(code, policies, params, shift, rules, state, ids, rng, LONGEST_GAME)
        counts[i, 1] = head.turn
        counts[i, 2] = 1 if head.truncated or head.to_move != OVER else 0
        for policy in range(players):
            returns[i, policy] = head.returns[(policy + shift) % players]


@dataclass(frozen=True)
class Playouts:
    """The results of many games, one row a game."""

    returns: np.ndarray
    """``[games, players]``: what each of the given policies got."""
    decisions: np.ndarray
    turns: np.ndarray
    truncated: np.ndarray


def playouts(
    game: str | Game | Variant,
    policies: Sequence[str | Policy] | str | Policy,
    games: int,
    seed: int = 0,
    players: int | None = None,
    rotate: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    rules: dict[str, Any] | None = None,
    **more_rules: Any,
) -> Playouts:
    """Play many games wholly inside numba.

    Args:
        game: a game's id or description, or a variant of it, which has its players and rules already.
        policies: one for each player (names such as ``"random"``, or `Policy` objects), or one for all.
        games: how many games.
        seed: game number g is the same whatever ``games`` and ``threads`` are.
        players: how many players, where ``game`` is not a variant.
        rotate: in game g, policy p sits at seat ``(p + g) % players`` instead of seat p.
        threads: by default as many as the machine has cores.
        progress: called with the number of games done, whenever some more are.
        rules: rules that differ from the defaults, by name; ``seed`` draws what they leave to chance.
        **more_rules: rules by keyword, such as ``deck1="avengers"``.
    """
    seed = checked_seed(seed)
    given = given_rules(rules, more_rules)
    if not isinstance(game, Variant):
        variant = Variant(find_game(game), players, given, seed)
    elif given:
        raise ValueError(f"a variant has its rules already: make it with {', '.join(given)}, or name the game instead")
    else:
        variant = game
    seated = seat_policies(variant, policies)
    threads = checked_threads(threads)
    if isinstance(games, bool) or not isinstance(games, int | np.integer) or games < 0:
        raise ValueError(f"games must be a number of games, 0 or more, not {games!r}")
    returns = np.zeros((games, variant.players), np.float32)
    counts = np.zeros((games, 3), np.int64)

    code = variant.game.code
    policy_code = addresses(*(policy.kernel for policy in seated))
    params = tuple(policy.params for policy in seated)

    def play(first: int) -> int:
        rows = slice(first, min(first + GAMES_AT_A_TIME, games))
        play_games(
            code,
            policy_code,
            params,
            variant.rules,
            np.zeros(variant.state_bytes, np.uint8),
            np.zeros(variant.num_actions, np.int32),
            np.zeros(RNG.itemsize, np.uint8),
            first,
            seed,
            int(rotate),
            returns[rows],
            counts[rows],
        )
        return rows.stop - rows.start

    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(play, first) for first in range(0, games, GAMES_AT_A_TIME)]
        try:
            for job in as_completed(jobs):
                done = job.result()
                if progress is not None:
                    progress(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Playouts(returns, counts[:, 0], counts[:, 1], counts[:, 2] != 0)


def seat_policies(variant: Variant, policies: Sequence[str | Policy] | str | Policy) -> list[Policy]:
    """One policy for each of the longest row of seats there can be; those beyond the players never move."""
    if isinstance(policies, str) or not isinstance(policies, Sequence):
        policies = [policies] * variant.players
    for each in policies:
        if not isinstance(each, str | Policy):
            raise TypeError(f"a policy is a name, such as 'random', or a Policy, not {each!r}")
    if len(policies) != variant.players:
        raise ValueError(f"{variant.players} players need {variant.players} policies, not {len(policies)}")
    chosen = [variant.game.policy(each) if isinstance(each, str) else each for each in policies]
    return chosen + chosen[:1] * (MAX_PLAYERS - len(chosen))
