"""What a game is to the rest of the collection: facts, rules to choose, layouts, and where its kernels are."""

import difflib
import enum
import functools
import hashlib
import importlib
import operator
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Value = int | bool | str
"""What a rule can be set to."""

USUAL_INTEGERS = frozenset({int, np.int64, np.int32})
"""The usual types of actions, which need no closer look."""


@dataclass(frozen=True)
class Rule:
    """A rule that can be chosen when a game is made."""

    name: str
    allowed: range | tuple[Value, ...]
    default: Value | Callable[[int], Value]
    """A value, or a function of the number of players."""
    meaning: str
    varied: Callable[[np.random.Generator], Value] | None = None
    """Draws a value for one of several tables, where somebody wants variety; None: it is the same at all of them."""

    def default_for(self, players: int) -> Value:
        """The default with so many players."""
        return self.default(players) if callable(self.default) else self.default

    def check(self, value: Any, rng: np.random.Generator | None = None) -> Value:
        """The value, if it is allowed; a ValueError that says what is, if not.

        What a value leaves to chance is drawn with ``rng``.
        """
        if isinstance(self.allowed, range):
            number = value.item() if isinstance(value, np.integer) else value
            if isinstance(number, int) and not isinstance(number, bool) and number in self.allowed:
                return number
        elif any(value == choice and type(value) is type(choice) for choice in self.allowed):
            return value
        raise ValueError(f"rule {self.name!r} must be {self.describe_allowed()}, not {value!r}")

    def describe_allowed(self) -> str:
        """The allowed values in words."""
        if isinstance(self.allowed, range):
            return f"a whole number from {self.allowed.start} to {self.allowed.stop - 1}"
        return " or ".join(repr(choice) for choice in self.allowed)


@dataclass(frozen=True)
class Part:
    """A stretch of an observation."""

    name: str
    size: int
    low: int
    high: int
    meaning: str
    blocks: int = 1
    """How many stretches of the same layout it consists of: one for each system, card …"""
    landmarks: int = 0
    """How many of the first blocks matter for whatever happens in the others, as homeworlds do."""


@dataclass(frozen=True)
class ActionGroup:
    """A stretch of action ids."""

    name: str
    size: int
    meaning: str
    of: str = ""
    """The part of the observation that these actions are about: each of its blocks has the same number of them."""
    across: bool = False
    """Their order: all of the first block, then all of the next; or across, the first of every block, then the next."""


@dataclass(frozen=True)
class Policy:
    """A compiled player that needs no search, and its numbers."""

    kernel: Any
    params: np.ndarray
    meaning: str = ""


class Telling(enum.Enum):
    """Whether somebody is told of another player's decision."""

    NOW = enum.auto()
    LATER = enum.auto()
    """Together with the next one that is told, unless that is never told."""
    NEVER = enum.auto()


@dataclass(frozen=True)
class Game:
    """A game: tables, documentation and every generic tool are made from this.

    The kernels are imported, and on first use compiled, only when they are needed.
    """

    id: str
    """Name and version, as in ``homeworlds_v0``."""
    title: str
    summary: str
    """One line on what it is as a problem."""
    players: range
    default_players: int
    information: str
    chance: str
    utility: str
    rewards: str
    rules: tuple[Rule, ...]
    kernels_module: str
    """Exports the kernels of the contract, ``STATE``, and ``POLICIES``: names with kernel and meaning, where the kernel
    may be given as ``"module:function"`` to be imported when it is first used."""
    pack: Callable[[int, Mapping[str, Any]], np.ndarray]
    """``pack(players, values)`` writes the rules record."""
    parts: Callable[[int, Mapping[str, Any]], tuple[Part, ...]]
    action_groups: Callable[[int, Mapping[str, Any]], tuple[ActionGroup, ...]]
    action_names: Callable[["Variant", int], tuple[str, ...]]
    """``action_names(variant, seat)``: what each id means when that seat chooses it."""
    ansi: Callable[["Variant", np.ndarray, int | None], str]
    """``ansi(variant, state, viewer)``; the viewer None is an onlooker who knows what is public."""
    draw: Callable[["Variant", np.ndarray, int | None], np.ndarray]
    """The same as a picture."""
    reset_options: Mapping[str, str] = field(default_factory=dict)
    """What ``reset(options=…)`` takes, with meanings."""
    arrange: Callable[["Variant", np.ndarray, Mapping[str, Any]], None] | None = None
    """``arrange(variant, state, options)`` changes a freshly dealt state accordingly, or raises a ValueError."""
    position: Callable[["Variant", np.ndarray], str] | None = None
    """The canonical text of a position, if the game has one."""
    glossary: Callable[["Variant"], Mapping[str, str]] | None = None
    """For a game with cards, what those of this variant do, in words and by name."""
    telling: Callable[["Variant", np.ndarray, np.ndarray, int], Telling] | None = None
    """``telling(variant, before, after, viewer)``: whether this seat sees what another has decided, if some decisions
    are secret; given the states before and after it."""
    coverage: Callable[[], Mapping[str, Any]] | None = None
    """For a game with cards, which of them the rules know: ``{"specials": {"implemented", "total", "missing"}, …}``."""

    @property
    def name(self) -> str:
        """The id without its version."""
        return self.id.rpartition("_v")[0]

    @property
    def version(self) -> int:
        """Raised whenever behaviour changes."""
        return int(self.id.rpartition("_v")[2])

    @functools.cached_property
    def kernels(self) -> Any:
        """The module with the compiled functions."""
        return importlib.import_module(self.kernels_module)

    @functools.cached_property
    def code(self) -> Any:
        """Where the compiled functions lie, in the order of the ``CODE_`` constants of the kernel contract."""
        from overworlds.envs.core.kernel import addresses

        k = self.kernels
        return addresses(k.reset, k.legal, k.step, k.observe, k.resample)

    def policy(self, name: str) -> Policy:
        """One of the game's own compiled players, such as ``random`` or ``scripted``."""
        policies = self.kernels.POLICIES
        if name not in policies:
            raise ValueError(f"{self.id} has no player {name!r}{did_you_mean(name, policies)}")
        kernel, meaning = policies[name]
        if isinstance(kernel, str):  # compiled only where somebody wants to play against it
            module, _, function = kernel.partition(":")
            kernel = getattr(importlib.import_module(module), function)
        return Policy(kernel, np.zeros(1, np.float32), meaning)

    def __reduce__(self) -> tuple:
        from overworlds.envs.core.registry import find_game

        return find_game, (self.id,)


class Variant:
    """A game with its number of players and its rules chosen: what an environment plays.

    ``seed`` draws what the rules leave to chance, such as a random deck; without one, that is another each time.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        players = game.default_players if players is None else players
        if isinstance(players, bool) or not isinstance(players, int | np.integer) or players not in game.players:
            fewest, most = game.players.start, game.players.stop - 1
            numbers = f"{fewest} to {most}" if fewest < most else str(fewest)
            raise ValueError(f"{game.id} is for {numbers} players, not {players!r}")
        self.game = game
        self.players = int(players)
        self.chosen = frozenset(rules or ())
        """The names of the rules that were given; all others have their defaults."""
        rng = np.random.default_rng(None if seed is None else checked_seed(seed))
        self.values = self._checked(rules or {}, rng)
        self.rules = game.pack(self.players, self.values)
        self.parts = game.parts(self.players, self.values)
        self.action_groups = game.action_groups(self.players, self.values)
        self.observation_size = sum(part.size for part in self.parts)
        self.num_actions = sum(group.size for group in self.action_groups)
        self.agents = tuple(f"player_{seat}" for seat in range(self.players))

    def _checked(self, rules: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Value]:
        values = {rule.name: rule.default_for(self.players) for rule in self.game.rules}
        unknown = [name for name in rules if name not in values]
        wrong = [f"{self.game.id} has no rule {name!r}{did_you_mean(name, values)}" for name in unknown]
        for rule in self.game.rules:
            try:
                if rule.name in rules:
                    values[rule.name] = rule.check(rules[rule.name], rng)
            except ValueError as error:
                wrong.append(str(error))
        if wrong:
            raise ValueError("\n".join(wrong))
        return values

    def varying(self) -> dict[str, Callable[[np.random.Generator], Value]]:
        """What draws the rules that `varieties` differ in, by name: the game's decks, say, but for those chosen."""
        able = {rule.name: rule.varied for rule in self.game.rules if rule.varied is not None}
        if not able:
            raise ValueError(f"{self.game.id} has no varieties: no decks or the like to draw; do without varieties")
        if self.chosen.issuperset(able):
            given = f"{' and '.join(able)} {'are' if len(able) > 1 else 'is'} given"
            raise ValueError(f"nothing is left to vary: {given}; leave out a rule, or the varieties")
        return {name: varied for name, varied in able.items() if name not in self.chosen}

    def varieties(self, count: int, seed: int) -> "list[Variant]":
        """This variant and others, so many in all, that differ in their decks or whatever else is `varying`."""
        if count < 2:
            return [self]
        rng = np.random.default_rng(seed)
        varying, given = self.varying(), self._given()
        drawn = ({name: varied(rng) for name, varied in varying.items()} for _ in range(count - 1))
        return [self, *(Variant(self.game, self.players, given | values) for values in drawn)]

    def _given(self) -> dict[str, Value]:
        return {name: value for name, value in self.values.items() if name in self.chosen}

    @functools.cached_property
    def digest(self) -> str:
        """A short fingerprint of the game, its version and all rules: replays and snapshots must agree in it."""
        text = f"{self.game.id} {self.players} ".encode() + self.rules.tobytes()
        return hashlib.sha256(text).hexdigest()[:16]

    @functools.cached_property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self.game.kernels.STATE.itemsize

    def deal(self, seed: int, options: Mapping[str, Any] | None = None) -> np.ndarray:
        """The state of a new game, with the reset options the game knows; it warns of others."""
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"reset options are a dict, such as {{'name': value}}, not {options!r}")
        known = {}
        for name, value in (options or {}).items():
            if name in self.game.reset_options:
                known[name] = value
            else:  # PettingZoo's own api_test passes an option that means nothing, so this cannot be an error
                hint = did_you_mean(name, self.game.reset_options)
                warnings.warn(f"{self.game.id} ignores the reset option {name!r}{hint}", stacklevel=3)
        state = np.zeros(self.state_bytes, np.uint8)
        self.game.kernels.reset(self.rules, state, seed)
        if known and self.game.arrange is not None:
            self.game.arrange(self, state, known)
        return state

    @functools.cached_property
    def observation_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the greatest value of every number of an observation."""
        sizes = [part.size for part in self.parts]
        low = np.repeat(np.array([part.low for part in self.parts], np.int8), sizes)
        high = np.repeat(np.array([part.high for part in self.parts], np.int8), sizes)
        return low, high

    def seat(self, agent: str | int) -> int:
        """The seat of ``"player_1"`` or 1."""
        if isinstance(agent, str) and agent in self.agents:
            return self.agents.index(agent)
        if isinstance(agent, int | np.integer) and not isinstance(agent, bool) and 0 <= agent < self.players:
            return int(agent)
        raise ValueError(f"there is no player {agent!r} here; there are {', '.join(self.agents)}")

    def action_names(self, seat: int) -> tuple[str, ...]:
        """What each id means when that seat chooses it."""
        if seat not in self._names:
            self._names[seat] = self.game.action_names(self, seat)
        return self._names[seat]

    def action_id(self, name: str, seat: int) -> int:
        """The id with this meaning."""
        if seat not in self._ids:
            self._ids[seat] = {text: action for action, text in enumerate(self.action_names(seat))}
        if name not in self._ids[seat]:
            raise ValueError(f"no action is called {name!r}{did_you_mean(name, self._ids[seat])}")
        return self._ids[seat][name]

    @functools.cached_property
    def _names(self) -> dict[int, tuple[str, ...]]:
        return {}

    @functools.cached_property
    def _ids(self) -> dict[int, dict[str, int]]:
        return {}

    def __reduce__(self) -> tuple:
        return Variant, (self.game, self.players, self._given())


def did_you_mean(word: Any, known: Any) -> str:
    """The end of an error message: the closest known words, or all of them if they are few."""
    names = [str(name) for name in known]
    close = difflib.get_close_matches(str(word), names, n=3)
    if close:
        return f"; did you mean {' or '.join(repr(name) for name in close)}?"
    if len(names) <= 20:
        return f"; there are {', '.join(repr(name) for name in names)}" if names else "; it has none"
    return ""


def given_rules(rules: Any, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The rules a user chose, in a dict and by keyword."""
    if rules is not None and not isinstance(rules, Mapping):
        raise TypeError(f"rules are a dict, such as {{'name': value}}, not {rules!r}")
    given = dict(rules or {})
    for name, value in keywords.items():
        if name in given and given[name] != value:
            raise ValueError(f"rule {name!r} is given twice: {given[name]!r} in rules, and {value!r} by keyword")
    return given | dict(keywords)


def checked_action(action: Any, num_actions: int) -> int:
    """An action, as an int from 0 to ``num_actions`` - 1."""
    if type(action) in USUAL_INTEGERS:
        number = int(action)
    else:
        try:
            if isinstance(action, bool | np.bool_):
                raise TypeError
            number = operator.index(action)
        except TypeError:
            raise TypeError(f"an action is a whole number from 0 to {num_actions - 1}, not {action!r}") from None
    if not 0 <= number < num_actions:
        raise ValueError(f"an action is a number from 0 to {num_actions - 1}, not {number}")
    return number


def checked_threads(threads: Any) -> int:
    """A number of threads; None is as many as the machine has cores."""
    if threads is None:
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise ValueError(f"threads must be 1 or more, or None for all cores, not {threads!r}")
    return int(threads)


def checked_seed(seed: Any) -> int:
    """A seed, as an int from 0 to 2⁶³ - 1."""
    if isinstance(seed, np.integer):
        seed = int(seed)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"a seed is a whole number, not {seed!r}")
    if not 0 <= seed < 2**63:
        raise ValueError(f"a seed is a number from 0 to 2**63 - 1, not {seed}")
    return seed


def fresh_seed() -> int:
    """A seed nobody chose."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1)
