"""A player that thinks ahead: information-set Monte Carlo tree search for any game."""

import math
import time
from dataclasses import dataclass, fields

import numpy as np

from overworlds.agents.tree import LONGEST_PATH, NODE, NONE, ROOT, SETTINGS, grow, plant
from overworlds.envs.core.game import Policy, Variant, checked_seed
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER, RNG, addresses

SIMS_BETWEEN_LOOKS = 32
"""Simulations between two looks at the clock, where the budget is a time."""


@dataclass(frozen=True)
class SearchSettings:
    """How to search."""

    sims: int = 400
    """Simulations for a decision; 0: as many as fit into ``ms``."""
    ms: int = 0
    """Milliseconds for a decision; 0: no matter how long ``sims`` take."""
    rollout: str = ""
    """Who plays the simulated games on from the end of the tree: a compiled player's spec; by default the game's
    scripted player, or else the random one."""
    value: str = ""
    """What a game that was broken off is worth: ``none`` counts only what everybody has got, ``game`` asks the game's
    own judgement, ``trained`` or ``trained:FILE`` a network; by default the game's, if it has one."""
    cut: int | None = None
    """Decisions after which a simulated game is broken off at the end of the turn; by default 4 where a value can be
    asked for, else 60."""
    explore: float = 0.35
    """The weight of the bonus for choices seldom tried (UCB1's constant; results lie between -1 and 1)."""
    first: float = 0.2
    """The bonus of a choice never tried, over the mean of those that were."""
    nodes: int = 100_000
    """The most nodes a tree can have; once it is full, simulations go on in it as it is."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value, least = getattr(self, each.name), LEAST.get(each.name, 0)
            if isinstance(value, int | float) and not least <= value < math.inf:
                raise ValueError(f"search: {each.name} must be {least} or more, not {value}")
        if not self.sims and not self.ms:
            raise ValueError("search needs a budget: sims=400, or ms=200 for a time")


CUT_WITH_VALUE, CUT_WITHOUT = 4, 60
LEAST = {"nodes": 1}
"""The least values of settings that cannot be 0."""


@dataclass(frozen=True)
class Thought:
    """What came of a search: a row for each choice at the root that was tried."""

    seat: int
    actions: np.ndarray
    """The ids, the most visited first."""
    visits: np.ndarray
    values: np.ndarray
    """The mean result of the searching seat, between -1 and 1."""
    sims: int
    nodes: int
    seconds: float

    @property
    def choice(self) -> int:
        """The most visited choice; of equals the one with the better mean, then the smaller id."""
        return int(self.actions[0])

    @property
    def value(self) -> float:
        """What the searching seat expects, between -1 and 1."""
        return float(self.values @ self.visits / self.visits.sum())


class Search:
    """The memory of a search, made once and used for every decision. Not to be shared by threads."""

    def __init__(
        self, variant: Variant, rollout: Policy, settings: SearchSettings, value: Policy | None = None
    ) -> None:
        self.variant = variant
        self.settings = settings
        self._policy = addresses(rollout.kernel)
        self._params = rollout.params
        self._values = addresses(*([] if value is None else [value.kernel]))
        self._value_params = np.zeros(1, np.float32) if value is None else value.params
        self._settings = np.zeros(SETTINGS.itemsize, np.uint8)
        how = self._settings.view(SETTINGS)[0]
        how.exploration, how.first_play = settings.explore, settings.first
        how.cut = (CUT_WITHOUT if value is None else CUT_WITH_VALUE) if settings.cut is None else settings.cut
        self._state = np.zeros(variant.state_bytes, np.uint8)
        self._ids = np.zeros(variant.num_actions, np.int32)
        self._nodes = np.zeros(settings.nodes + 1, NODE)
        self._path = np.zeros(LONGEST_PATH, np.int32)
        self._child_of = np.zeros(variant.num_actions, np.int32)
        self._rng = np.zeros(RNG.itemsize, np.uint8)

    def think(self, state: np.ndarray, seed: int) -> Thought:
        """Search for the seat to move in this state, of which only what that seat knows is used.

        With a budget in simulations, the same state and seed give the same thought.
        """
        seat = int(state[:HEADER_BYTES].view(HEADER)[0].to_move)
        if seat == OVER:
            raise ValueError("this game is over: there is nothing to search for")
        began = time.perf_counter()
        plant(self._nodes, self._child_of, self._rng, checked_seed(seed))
        used, sims = 1, 0
        most = self.settings.sims or np.iinfo(np.int32).max
        while sims < most:
            more = min(SIMS_BETWEEN_LOOKS, most - sims) if self.settings.ms else most
            used = self._grow(state, used, more)
            sims += more
            if self.settings.ms and time.perf_counter() - began >= self.settings.ms / 1000:
                break
        return self._thought(seat, sims, used, time.perf_counter() - began)

    def _grow(self, state: np.ndarray, used: int, sims: int) -> int:
        return grow(
            self.variant.game.code,
            self._policy,
            self._params,
            self._values,
            self._value_params,
            self._settings,
            self.variant.rules,
            state,
            self._state,
            self._ids,
            self._nodes,
            used,
            self._path,
            self._child_of,
            self._rng,
            sims,
        )

    def _thought(self, seat: int, sims: int, used: int, seconds: float) -> Thought:
        children = []
        child = int(self._nodes[ROOT]["first_child"])
        while child != NONE:
            children.append(child)
            child = int(self._nodes[child]["next_sibling"])
        tried = self._nodes[children]
        means = tried["value"] / tried["visits"]
        order = np.lexsort((tried["action"], -means, -tried["visits"]))
        return Thought(seat, tried["action"][order], tried["visits"][order], means[order], sims, used - 1, seconds)
