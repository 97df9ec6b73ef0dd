"""Players by name: ``random``, ``scripted``, ``search:sims=400``, ``trained``, ``trained:path/to/file``."""

import importlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from overworlds.envs.core.game import Policy, Variant, did_you_mean

if TYPE_CHECKING:
    from overworlds.agents.player import Agent
    from overworlds.agents.search import SearchSettings

SEARCH, TRAINED = "search", "trained"
NONE, GAME = "none", "game"
SCRIPTED, RANDOM = "scripted", "random"


@dataclass(frozen=True)
class Spec:
    """A player's name, and what stands after the colon."""

    name: str
    argument: str = ""

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """Take ``name`` or ``name:argument`` apart."""
        if not isinstance(text, str):
            raise TypeError(f"a player is named by text such as 'search:sims=400', not {text!r}")
        name, colon, argument = text.strip().partition(":")
        if not name or (colon and not argument):
            raise ValueError(f"{text!r} names no player; write it like 'scripted', 'search:sims=400' or 'trained:FILE'")
        return cls(name, argument)

    def __str__(self) -> str:
        return f"{self.name}:{self.argument}" if self.argument else self.name


def known_names(variant: Variant) -> list[str]:
    """Every name that a spec for this game can begin with."""
    return [*variant.game.kernels.POLICIES, SEARCH, TRAINED]


def make_policy(spec: str | Spec, variant: Variant) -> Policy:
    """The compiled player with this spec: one of the game's own, or a trained network."""
    spec = Spec.parse(spec) if isinstance(spec, str) else spec
    if spec.name == TRAINED:
        from overworlds.agents.network import load_policy

        return load_policy(spec.argument or None, variant)
    if spec.name == SEARCH:
        raise ValueError(f"{str(spec)!r} is not a compiled player, and one is needed here")
    policies = variant.game.kernels.POLICIES
    if spec.name not in policies:
        raise ValueError(
            f"{variant.game.id} has no player {spec.name!r}{did_you_mean(spec.name, known_names(variant))}"
        )
    if spec.argument:
        raise ValueError(f"the player {spec.name!r} has no options, so {spec.argument!r} means nothing to it")
    return variant.game.policy(spec.name)


def make_agent(spec: str | Spec, variant: Variant, seed: int = 0) -> "Agent":
    """The player with this spec.

    Args:
        spec: such as ``"scripted"``, ``"search:sims=400,rollout=random"`` or ``"trained:path/to/file"``.
        variant: the game with its players and rules.
        seed: its choices are the same for the same seed and the same calls.
    """
    from overworlds.agents.player import PolicyAgent, SearchAgent

    spec = Spec.parse(spec) if isinstance(spec, str) else spec
    if spec.name != SEARCH:
        return PolicyAgent(variant, make_policy(spec, variant), str(spec), seed)
    settings = search_settings(spec.argument)
    rollout = make_policy(settings.rollout or default_rollout(variant), variant)
    return SearchAgent(variant, rollout, settings, make_value(settings.value, variant), str(spec), seed)


def default_rollout(variant: Variant) -> str:
    """Who plays simulated games where nobody says: the scripted player, if the game has one."""
    return SCRIPTED if SCRIPTED in variant.game.kernels.POLICIES else RANDOM


def make_value(value: str, variant: Variant) -> Policy | None:
    """The function that values games broken off by a search, with its numbers; None: there is none."""
    own = getattr(variant.game.kernels, "VALUE", None)
    if value == NONE or (not value and own is None):
        return None
    if value in ("", GAME):
        if own is None:
            raise ValueError(f"{variant.game.id} has no judgement of its own: search it with value=none or trained")
        module, _, function = own.partition(":")
        return Policy(getattr(importlib.import_module(module), function), np.zeros(1, np.float32))
    spec = Spec.parse(value)
    if spec.name != TRAINED:
        raise ValueError(f"the option 'value' of search must be none, game, trained or trained:FILE, not {value!r}")
    from overworlds.agents.network import value_for

    return Policy(value_for, make_policy(spec, variant).params)


def search_settings(argument: str) -> "SearchSettings":
    """Settings from ``sims=400,rollout=random``. Where only a time is given, it alone is the budget."""
    from overworlds.agents.search import SearchSettings

    kinds = {each.name: each.type for each in fields(SearchSettings)}
    values: dict[str, Any] = {}
    for option in argument.split(",") if argument else ():
        name, equals, value = option.partition("=")
        if name not in kinds:
            raise ValueError(f"search has no option {name!r}{did_you_mean(name, kinds)}")
        if not equals or not value:
            raise ValueError(f"write the option {name!r} of search as {name}=VALUE")
        if name in values:
            raise ValueError(f"the option {name!r} of search is given twice")
        values[name] = _converted(name, value, kinds[name])
    if "ms" in values:
        values.setdefault("sims", 0)
    return SearchSettings(**values)


def _converted(name: str, value: str, kind: Any) -> Any:
    if kind is str:
        return value
    try:
        return float(value) if kind is float else int(value)
    except ValueError:
        wanted = "a number" if kind is float else "a whole number"
        raise ValueError(f"the option {name!r} of search must be {wanted}, not {value!r}") from None
