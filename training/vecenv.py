"""Many games as one Stable-Baselines3 environment: a learner in each, everybody else played inside numba.

There is no Python object per game: one call applies the learners' actions, lets the others play until it is the
learner's turn again or its game is over, and deals the next game where one has ended.
"""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from overworlds.agents.network import UNADVISED, Advice
from overworlds.envs.core.game import Policy, Variant, checked_seed
from overworlds.envs.core.kernel import addresses
from overworlds.training.endings import IN_A_THOUSAND, Endings
from overworlds.training.lanes import ANY_SEAT, LANE, Setting, deal_lanes, first_illegal, step_lanes
from overworlds.training.opponents import OpponentPool


class SelfPlayVecEnv(VecEnv):
    """N games with a learner in each, for Stable-Baselines3 and sb3-contrib.

    Observations are int8 (SB3 makes floats of them when it needs them); `action_masks` gives the masks of all games
    as one array. The arrays that `step` and `reset` return are copies.
    """

    def __init__(
        self,
        variant: Variant,
        num_envs: int,
        pool: OpponentPool,
        seat: int | None = None,
        seed: int = 0,
        threads: int | None = 1,
        limit_penalty: float = 0.0,
        loss_weight: float = 1.0,
        mixed: float = 1.0,
        varieties: Sequence[Variant] = (),
        judgement: Policy | None = None,
        discount: float = 1.0,
        advice: Advice = UNADVISED,
    ) -> None:
        """Make the environment; nothing is dealt before `reset`.

        Args:
            variant: what is played.
            num_envs: how many games at once.
            pool: who plays the other seats; each is drawn anew for every game.
            seat: the learner's seat; None draws one for every game.
            seed: lane i is dealt from ``seed + i``, and each game's seed makes the next one's.
            threads: how many threads play; None takes as many as the machine has cores.
            limit_penalty: what the learner loses when a limit ends its game. If it is not 0, such an end counts as
                one by the rules, and `TimeLimit.truncated` is never set.
            loss_weight: what everything that the learner loses is multiplied by.
            mixed: with more than two players, the share of games in which the pool is asked for every seat; in the
                rest the same opponent has all of them.
            varieties: the same game with several rules; half of the games are played by the first of them, the
                others by any. None: by the variant's.
            judgement: what `shaping` is measured by, as `make_value` makes it.
            discount: the learner's, for `shaping`.
            advice: the masks tell how often an advisor has named an action, if there is one.
        """
        low, high = variant.observation_bounds
        self.variant = variant
        self.tables = np.stack([each.rules for each in varieties or (variant,)])
        """The rules of all varieties."""
        self.pool = pool
        self.limit_penalty = limit_penalty
        self.loss_weight = loss_weight
        self.mixed = mixed
        self.discount = float(discount)
        self.shaping = 0.0
        """How much of what the judgement expects is given to the learner in advance, and taken back when that changes.

        As a difference of potentials it changes no optimal play (Ng, Harada and Russell, 1999), but tells the learner
        at once what else it would hear at the end of the game. May be changed at any time.
        """
        self._late = 0, 0
        self._positions = np.zeros((0, variant.state_bytes + 1), np.uint8)
        self._judges = addresses(*([] if judgement is None else [judgement.kernel]))
        self._judge_params = np.zeros(1, np.float32) if judgement is None else judgement.params
        self.advice = advice
        self._advisors = addresses(*([variant.game.policy(advice.of).kernel] if advice.of else []))
        self._freedom = np.array([advice.freedom], np.float32)
        self.render_mode: str | None = None
        super().__init__(num_envs, spaces.Box(low, high, dtype=np.int8), spaces.Discrete(variant.num_actions))
        self.fixed_seat = ANY_SEAT if seat is None else variant.seat(seat)
        self.states = np.zeros((num_envs, variant.state_bytes), np.uint8)
        self._lane_bytes = np.zeros((num_envs, LANE.itemsize), np.uint8)
        self.lanes = self._lane_bytes.view(LANE)[:, 0]
        """The `LANE` record of every game."""
        self.observations = np.zeros((num_envs, variant.observation_size), np.int8)
        self.last_observations = np.zeros_like(self.observations)
        """What the learner saw at the end of the game that ended last in a lane."""
        self.masks = np.zeros((num_envs, variant.num_actions), np.int8)
        self.seconds = 0.0
        """How long stepping has taken so far."""
        self.seconds_of_others = 0.0
        """How much of that the other players, and the advisor, have taken to choose."""
        self._actions = np.zeros(num_envs, np.int64)
        parts = min((os.cpu_count() or 1) if threads is None else threads, num_envs)
        self._parts = [slice(num_envs * i // parts, num_envs * (i + 1) // parts) for i in range(parts)]
        self._ids = [np.zeros(variant.num_actions, np.int32) for _ in self._parts]
        self._threads = ThreadPoolExecutor(parts) if parts > 1 else None
        self._next_seed = checked_seed(seed)

    def begin_late(self, endings: Endings, share: float, turns: int) -> None:
        """From now on, let a share of the games begin with positions that have at most so many turns left.

        They are positions of this variant; where there are several varieties, those that begin so are played by its
        rules.
        """
        if len(self._positions) != len(endings.states):
            self._positions = np.column_stack([endings.states, endings.winners.astype(np.uint8)])
        self._late = endings.within(turns), round(share * IN_A_THOUSAND)

    # ------------------------------------------------------------ playing

    def reset(self) -> np.ndarray:
        """Deal all games anew, from the seeds of `seed` or those that follow."""
        if not self.pool.ready:
            raise ValueError("the pool of opponents is empty: give it the learner first, with pool.set_self(…)")
        wanted = [self._next_seed + i if seed is None else checked_seed(seed) for i, seed in enumerate(self._seeds)]
        self._next_seed += self.num_envs
        seeds = np.array(wanted, np.int64)
        self._reset_seeds()
        self._reset_options()

        def work(part: int) -> None:
            at = self._parts[part]
            deal_lanes(self._setting(), seeds[at], *self._lanes_of(part))

        self._in_threads(work)
        return self.observations.copy()

    def _setting(self) -> Setting:
        """What all lanes share, as it is now."""
        pool = self.pool
        return Setting(
            code=self.variant.game.code,
            tables=self.tables,
            players=pool.code,
            params=pool.rows,
            odds=pool.odds,
            mixed=round(self.mixed * IN_A_THOUSAND),
            seat=self.fixed_seat,
            judges=self._judges,
            judge_params=self._judge_params,
            discount=self.discount,
            advisors=self._advisors,
            freedom=self._freedom,
            asks=self.advice.asks,
            positions=self._positions,
            late=self._late,
        )

    def _lanes_of(self, part: int) -> tuple:
        """The arguments of the kernels that belong to the lanes of one thread."""
        at = self._parts[part]
        return self.states[at], self._lane_bytes[at], self._ids[part], self.observations[at], self.masks[at]

    def _in_threads(self, work: Any) -> None:
        if self._threads is None:
            work(0)
        else:
            for done in [self._threads.submit(work, part) for part in range(len(self._parts))]:
                done.result()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learners' actions."""
        self._actions[:] = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play up to the learners' next turns."""
        began = time.perf_counter()
        wrong = first_illegal(self._actions, self.masks)
        if wrong >= 0:
            raise ValueError(
                f"game {wrong}: action {self._actions[wrong]} is illegal; choose by env_method('action_masks')"
            )

        def work(part: int) -> None:
            at = self._parts[part]
            step_lanes(self._setting(), self._actions[at], *self._lanes_of(part), self.last_observations[at])

        self._in_threads(work)
        dones = self.lanes["done"] != 0
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            infos[i] = self._last_game(int(i))
        rewards = self.lanes["reward"] - np.float32(self.limit_penalty) * self.lanes["truncated"]
        rewards[rewards < 0] *= np.float32(self.loss_weight)
        rewards += np.float32(self.shaping) * self.lanes["progress"]
        result = self.observations.copy(), rewards, dones, infos
        seconds = time.perf_counter() - began
        self.seconds += seconds
        self.seconds_of_others += seconds * self.lanes["thinking"].sum() / max(1, self.lanes["time"].sum())
        return result

    def _last_game(self, i: int) -> dict[str, Any]:
        """The info of a lane whose game has just ended."""
        lane = self.lanes[i]
        seat = int(lane["last_learner"])
        others = [int(lane["last_opponents"][other]) for other in range(self.variant.players) if other != seat]
        return {
            "terminal_observation": self.last_observations[i].copy(),
            "TimeLimit.truncated": bool(lane["truncated"]) and self.limit_penalty == 0,
            "episode": {"r": float(lane["last_return"]), "l": int(lane["last_decisions"]), "t": 0.0},
            "seat": seat,
            "opponents": [self.pool.kinds[row] for row in others],
        }

    def action_masks(self) -> np.ndarray:
        """Which actions are legal: int8 ``[games, actions]``, 1 and one more for each time an advisor has named it."""
        masks = self.masks.view()
        masks.flags.writeable = False
        return masks

    # ------------------------------------------------------------ what SB3 asks of an environment

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """``env_method("action_masks")`` gives the masks of the games asked for, as one array."""
        if method_name != "action_masks":
            raise AttributeError(f"these games have no method {method_name!r} of their own, only 'action_masks'")
        return self.action_masks()[self._lane_numbers(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this environment, once for every game asked for."""
        return [getattr(self, attr_name) for _ in self._lane_numbers(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Games have no attributes of their own."""
        raise AttributeError(f"{attr_name!r} cannot be set for single games: they are rows of arrays")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._lane_numbers(indices)]

    def _lane_numbers(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None
