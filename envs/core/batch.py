"""Many games at once: one call steps them all, into arrays that are made once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from numba import types

from overworlds.envs.core.advance import RETURNS, act, header, look
from overworlds.envs.core.game import Game, Variant, checked_seed, checked_threads, given_rules
from overworlds.envs.core.kernel import (
    ADDRESSES,
    BYTES,
    CODE_OBSERVE,
    CODE_RESET,
    HEADER,
    HEADER_BYTES,
    IDS,
    MAX_PLAYERS,
    OBSERVATION,
    OVER,
    borrowed,
    borrowed_row,
    inlined,
    kernel,
    observe_at,
    reset_at,
)
from overworlds.envs.core.registry import find_game
from overworlds.envs.core.rng import mix, next_seed

BYTE_ROWS = types.uint8[:, ::1]
INT8_ROWS = types.int8[:, ::1]
INT8_BLOCKS = types.int8[:, :, ::1]
INT32_ROWS = types.int32[:, ::1]
FLOAT_ROWS = types.float32[:, ::1]
FLAGS = types.boolean[::1]
SEEDS = types.int64[::1]
ACTIONS = types.int64[::1]


class BatchStep(NamedTuple):
    """What a step of a batch gives: the batch's own arrays, overwritten by the next step.

    With N games for P players, A action ids and observations of length O:
    """

    observations: np.ndarray
    """int8 ``[N, O]``: what the seat to move sees, in the new game where one has just begun."""
    masks: np.ndarray
    """int8 ``[N, A]``: which ids it may choose."""
    rewards: np.ndarray
    """float32 ``[N, P]``: what every seat gained by this step."""
    terminations: np.ndarray
    """bool ``[N]``: the game ended by its rules in this step, and the next one has been dealt."""
    truncations: np.ndarray
    """bool ``[N]``: the same, by a limit."""
    seats: np.ndarray
    """int8 ``[N]``: the seat to move."""


@inlined
def look_at(code, rules, states, legal, observations, masks, lane):
    """Look at the table of one lane."""
    return look(
        code,
        rules,
        borrowed_row(states, lane),
        borrowed_row(legal, lane),
        borrowed_row(observations, lane),
        borrowed_row(masks, lane),
    )


@kernel(types.void(ADDRESSES, BYTES, BYTE_ROWS, SEEDS, INT32_ROWS, IDS, INT8_ROWS, INT8_ROWS, OBSERVATION))
def reset_lanes(code, rules, states, seeds, legal, counts, observations, masks, seats):
    """Deal lane i from ``seeds[i]``."""
    code, rules = borrowed(code), borrowed(rules)
    for lane in range(len(states)):
        state = borrowed_row(states, lane)
        reset_at(code[CODE_RESET])(rules, state, seeds[lane])
        counts[lane] = look_at(code, rules, states, legal, observations, masks, lane)
        seats[lane] = header(state).to_move


@kernel(types.void(ADDRESSES, BYTES, BYTE_ROWS, SEEDS, INT32_ROWS, IDS, INT8_ROWS, INT8_ROWS, OBSERVATION))
def look_at_lanes(code, rules, states, lanes, legal, counts, observations, masks, seats):
    """Look anew at the tables of these lanes."""
    code, rules = borrowed(code), borrowed(rules)
    for lane in lanes:
        counts[lane] = look_at(code, rules, states, legal, observations, masks, lane)
        seats[lane] = header(borrowed_row(states, lane)).to_move


@kernel(
    types.void(
        ADDRESSES,
        BYTES,
        BYTE_ROWS,
        IDS,
        INT32_ROWS,
        IDS,
        INT8_ROWS,
        INT8_ROWS,
        OBSERVATION,
        FLOAT_ROWS,
        FLAGS,
        FLAGS,
        FLOAT_ROWS,
        INT8_BLOCKS,
        RETURNS,
    )
)
def step_lanes(
    code,
    rules,
    states,
    actions,
    legal,
    counts,
    observations,
    masks,
    seats,
    rewards,
    terminations,
    truncations,
    final_returns,
    final_observations,
    gains,
):
    """Step every lane; where a game ends, note its end and deal the next one."""
    code, rules, gains = borrowed(code), borrowed(rules), borrowed(gains)
    players = rewards.shape[1]
    for lane in range(len(states)):
        state = borrowed_row(states, lane)
        head = header(state)
        act(code, rules, state, actions[lane], gains)
        for seat in range(players):
            rewards[lane, seat] = gains[seat]
        terminations[lane] = truncations[lane] = False
        if head.to_move == OVER:
            terminations[lane] = head.truncated == 0
            truncations[lane] = head.truncated != 0
            for seat in range(players):
                final_returns[lane, seat] = head.returns[seat]
                observe_at(code[CODE_OBSERVE])(rules, state, seat, final_observations[lane, seat])
            reset_at(code[CODE_RESET])(rules, state, next_seed(head.seed))
        counts[lane] = look_at(code, rules, states, legal, observations, masks, lane)
        seats[lane] = head.to_move


@kernel(types.int64(ACTIONS, INT32_ROWS, IDS))
def first_illegal(actions, legal, counts):
    """The first lane whose action is not legal, or -1. Masks are for the user, who may have written into them."""
    for lane in range(len(actions)):
        found = False
        for i in range(int(counts[lane])):
            found |= legal[lane, i] == actions[lane]
        if not found:
            return lane
    return -1


@kernel(types.void(INT32_ROWS, IDS, types.int64, IDS))
def choose_at_random(legal, counts, seed, actions):
    """A random legal action for every lane."""
    for lane in range(len(actions)):
        actions[lane] = legal[lane, mix(seed, lane) % int(counts[lane])]


class Batch:
    """N games of one kind. Lane i plays the same games as a single environment with lane i's seed and actions.

    When a game ends, the same step deals the next one of its lane (`metadata` says so); ``final_returns`` and
    ``final_observations`` then hold the end of the old one. All arrays are made once and overwritten by every step.
    Copies (``copy.deepcopy``, ``pickle``) go on where the original is.
    """

    def __init__(
        self,
        variant: Variant,
        num_envs: int,
        seed: int | Sequence[int] = 0,
        threads: int | None = 1,
    ) -> None:
        """Make a batch and deal all games; see `batch` for the arguments."""
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise ValueError(f"num_envs must be a number of games, 1 or more, not {num_envs!r}")
        threads = checked_threads(threads)
        self.variant = variant
        self.game = variant.game
        self.num_envs = n = int(num_envs)
        self.players = variant.players
        self.num_actions = variant.num_actions
        self.metadata = {"name": self.game.id, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.states = np.zeros((n, variant.state_bytes), np.uint8)
        self.observations = np.zeros((n, variant.observation_size), np.int8)
        self.masks = np.zeros((n, variant.num_actions), np.int8)
        self.legal = np.zeros((n, variant.num_actions), np.int32)
        """The legal ids of lane i are ``legal[i, :legal_counts[i]]``."""
        self.legal_counts = np.zeros(n, np.int32)
        self.rewards = np.zeros((n, variant.players), np.float32)
        self.terminations = np.zeros(n, np.bool_)
        self.truncations = np.zeros(n, np.bool_)
        self.seats = np.zeros(n, np.int8)
        self.final_returns = np.zeros((n, variant.players), np.float32)
        """The result of the game that lane i ended last."""
        self.final_observations = np.zeros((n, variant.players, variant.observation_size), np.int8)
        """What every seat saw at the end of that game."""
        self._actions = np.zeros(n, np.int32)
        parts = min(threads, n)
        self._lanes = [slice(n * i // parts, n * (i + 1) // parts) for i in range(parts)]
        self._gains = [np.zeros(MAX_PLAYERS, np.float32) for _ in self._lanes]
        self._bind()
        self.seeds = self._lane_seeds(seed)
        self.reset()

    def _bind(self) -> None:
        """Make what a copy cannot take along: threads, and where the code lies, which every process has elsewhere."""
        self._pool = ThreadPoolExecutor(len(self._lanes)) if len(self._lanes) > 1 else None
        self._code = self.game.code
        self._result = BatchStep(
            self.observations, self.masks, self.rewards, self.terminations, self.truncations, self.seats
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_code", "_result")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def reset(self, seed: int | Sequence[int] | None = None) -> BatchStep:
        """Deal all lanes anew: from one seed each, or from ``seed + i`` for lane i; None repeats the last seeds."""
        if seed is not None:
            self.seeds = self._lane_seeds(seed)
        self.rewards[:] = 0
        self.terminations[:] = False
        self.truncations[:] = False
        self.final_returns[:] = 0
        self.final_observations[:] = 0
        self._in_threads(self._reset_lanes)
        return self._result

    def _lane_seeds(self, seed: int | Sequence[int]) -> np.ndarray:
        if isinstance(seed, str) or not isinstance(seed, Sequence | np.ndarray):
            first = checked_seed(seed)
            checked_seed(first + self.num_envs - 1)
            return np.arange(first, first + self.num_envs, dtype=np.int64)
        seeds = [checked_seed(each) for each in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need {self.num_envs} seeds, not {len(seeds)}")
        return np.array(seeds, np.int64)

    def step(self, actions: Any) -> BatchStep:
        """Apply one action a lane. If any is illegal, an error names the lane and nothing is changed."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.num_envs} whole numbers, one a lane, "
                f"not an array of {actions.dtype} with shape {actions.shape}"
            )
        wrong = first_illegal(np.ascontiguousarray(actions, np.int64), self.legal, self.legal_counts)
        if wrong >= 0:
            self._complain(wrong, int(actions[wrong]))
        self._actions[:] = actions
        self._in_threads(self._step_lanes)
        return self._result

    def _complain(self, lane: int, action: int) -> None:
        seat = int(self.seats[lane])
        known = 0 <= action < self.num_actions
        name = f" ({self.variant.action_names(seat)[action]!r})" if known else f", not 0 to {self.num_actions - 1},"
        raise ValueError(
            f"lane {lane}: illegal action {action}{name} by player_{seat}; "
            f"{self.legal_counts[lane]} actions are legal there, see masks[{lane}]. No lane was stepped."
        )

    def _in_threads(self, work: Any) -> None:
        """Do the work on all lanes, a part in each thread."""
        if self._pool is None:
            for part in range(len(self._lanes)):
                work(part)
        else:
            for done in [self._pool.submit(work, part) for part in range(len(self._lanes))]:
                done.result()

    def _reset_lanes(self, part: int) -> None:
        at = self._lanes[part]
        reset_lanes(
            self._code,
            self.variant.rules,
            self.states[at],
            self.seeds[at],
            self.legal[at],
            self.legal_counts[at],
            self.observations[at],
            self.masks[at],
            self.seats[at],
        )

    def _step_lanes(self, part: int) -> None:
        at = self._lanes[part]
        step_lanes(
            self._code,
            self.variant.rules,
            self.states[at],
            self._actions[at],
            self.legal[at],
            self.legal_counts[at],
            self.observations[at],
            self.masks[at],
            self.seats[at],
            self.rewards[at],
            self.terminations[at],
            self.truncations[at],
            self.final_returns[at],
            self.final_observations[at],
            self._gains[part],
        )

    def put(self, lanes: Sequence[int] | np.ndarray, states: np.ndarray) -> None:
        """Go on in these lanes from other states of this variant, a row each, as in `states`, in which somebody moves.

        The games that follow in a lane are those that follow the state's own seed.
        """
        lanes, states = np.asarray(lanes, np.int64).reshape(-1), np.asarray(states, np.uint8)
        if states.shape != (len(lanes), self.variant.state_bytes):
            raise ValueError(f"{len(lanes)} states of {self.variant.state_bytes} bytes are needed, not {states.shape}")
        if len(lanes) and (lanes.min() < 0 or lanes.max() >= self.num_envs):
            raise ValueError(f"lanes are numbered 0 to {self.num_envs - 1}, not {lanes.min()} to {lanes.max()}")
        if len(lanes) and (states[:, :HEADER_BYTES].view(HEADER)["to_move"] == OVER).any():
            raise ValueError("a game that is over cannot go on: somebody must be to move in every state")
        self.states[lanes] = states
        look_at_lanes(
            self._code,
            self.variant.rules,
            self.states,
            lanes,
            self.legal,
            self.legal_counts,
            self.observations,
            self.masks,
            self.seats,
        )

    def random_actions(self, seed: int) -> np.ndarray:
        """A random legal action for every lane; the same for the same seed."""
        actions = np.zeros(self.num_envs, np.int32)
        choose_at_random(self.legal, self.legal_counts, checked_seed(seed), actions)
        return actions

    def close(self) -> None:
        """End the threads; a batch that is used again does without."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def batch(
    game: str | Game,
    num_envs: int,
    players: int | None = None,
    seed: int | Sequence[int] = 0,
    rules: dict[str, Any] | None = None,
    threads: int | None = 1,
    **more_rules: Any,
) -> Batch:
    """Make a batch of games, all dealt.

    Args:
        game: the id, such as ``"homeworlds_v0"``.
        num_envs: how many games.
        players: how many players each has; by default the game's own number.
        seed: lane i is dealt from ``seed + i``, or from ``seed[i]`` where it is a list.
        rules: rules that differ from the defaults, by name.
        threads: how many threads step the lanes; None takes as many as the machine has cores.
        **more_rules: rules by keyword.
    """
    variant = Variant(find_game(game), players, given_rules(rules, more_rules))
    return Batch(variant, num_envs, seed, threads)
