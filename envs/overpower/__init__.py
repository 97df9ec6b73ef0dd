"""OverPower, the collectible card game of 1995 to 1997, for two players with constructed decks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overworlds.envs.core.game import ActionGroup, Game, Part, Rule, Telling, Value, Variant
from overworlds.envs.overpower.decks import Deck, deck_names, find_deck, kept_deck
from overworlds.envs.overpower.state import RULES


@dataclass(frozen=True)
class DeckRule(Rule):
    """A rule whose value is a deck."""

    def check(self, value: Any, rng: np.random.Generator | None = None) -> Value:
        """The deck as a variant keeps it. What is wrong with it, `decks_of` says, of both decks at once."""
        if not isinstance(value, str | Path):
            raise ValueError(f"rule {self.name!r} must be {self.describe_allowed()}, not {value!r}")
        return kept_deck(str(value), rng or np.random.default_rng())

    def describe_allowed(self) -> str:
        """The allowed values in words."""
        return f"{', '.join(deck_names())}, a path to a .toml file, 'random' or 'random:<seed>'"


def some_deck(rng: np.random.Generator) -> str:
    """One of the decks that come with the game, or just as often a random one."""
    names = deck_names()
    return str(rng.choice(names)) if rng.random() < 0.5 else f"random:{rng.integers(2**31)}"


def decks_of(values: Mapping[str, Any]) -> tuple[Deck, Deck]:
    """The two decks of a variant, checked against its rules."""
    found, problems = [], []
    for name in ("deck0", "deck1"):
        try:
            found.append(find_deck(values[name], values["code_rule"], values["events"], values["sum_rule"]))
        except ValueError as error:
            problems += [f"rule {name!r}: {line}" for line in str(error).split("\n")]
    if problems:
        raise ValueError("\n".join(problems))
    return found[0], found[1]


def pack(players: int, values: Mapping[str, Any]) -> np.ndarray:
    """Write the rules record, both decks included."""
    from overworlds.envs.overpower.compiling import compile_rules

    rules = np.zeros(RULES.itemsize, np.uint8)
    numbers = {
        "hand_size": values["hand_size"],
        "ko_limit": values["ko_limit"],
        "spectrum": values["spectrum_types"],
        "pair_instead": int(values["ladder"] == "instead"),
        "code_rule": int(values["code_rule"]),
        "sum_rule": int(values["sum_rule"]),
        "battle_limit": values["battle_limit"],
    }
    compile_rules(decks_of(values), numbers, rules.view(RULES))
    return rules


def parts(players: int, values: Mapping[str, Any]) -> tuple[Part, ...]:
    """The layout of observations."""
    from overworlds.envs.overpower.layout import observation_parts

    return observation_parts()


def groups(players: int, values: Mapping[str, Any]) -> tuple[ActionGroup, ...]:
    """The layout of action ids."""
    from overworlds.envs.overpower.names import action_groups

    return action_groups()


def action_names(variant: Variant, seat: int) -> tuple[str, ...]:
    """What each id means when that seat chooses it."""
    from overworlds.envs.overpower import names

    return names.action_names(decks_of(variant.values), seat)


def ansi(variant: Variant, state: np.ndarray, viewer: int | None) -> str:
    """The table as text."""
    from overworlds.envs.overpower import render, view

    return render.ansi(view.table(variant, decks_of(variant.values), state, viewer))


def draw(variant: Variant, state: np.ndarray, viewer: int | None) -> np.ndarray:
    """The table as a picture."""
    from overworlds.envs.overpower import render, view

    return render.draw(view.table(variant, decks_of(variant.values), state, viewer))


def glossary(variant: Variant) -> Mapping[str, str]:
    """What the cards and characters of both decks do, in words."""
    from overworlds.envs.overpower import wording

    return wording.glossary(decks_of(variant.values))


def telling(variant: Variant, before: np.ndarray, after: np.ndarray, viewer: int) -> Telling:
    """Whether this seat sees what the other has decided."""
    from overworlds.envs.overpower import witness

    return witness.telling(variant.rules, before, after, viewer)


def known_cards() -> Mapping[str, Any]:
    """How many Specials, inherent abilities and Events the rules know, and which they do not."""
    from overworlds.envs.overpower.coverage import coverage

    return coverage()


GAME = Game(
    id="overpower_v0",
    title="OverPower",
    summary="constructed decks, hidden hands, attack and defence, wagers on every battle",
    players=range(2, 3),
    default_players=2,
    information="imperfect: hands and the order of the draw piles are hidden, deck lists are open",
    chance="shuffled draw piles, who goes first",
    utility="zero-sum",
    rewards="terminal: +1 for the winner, -1 for the loser; 0 for both at the battle limit",
    rules=(
        DeckRule("deck0", (), "gotham_justice", "the deck of player_0", some_deck),
        DeckRule("deck1", (), "metropolis_might", "the deck of player_1", some_deck),
        Rule("code_rule", (True, False), True, "heroes may not play villains' cards, nor the other way round"),
        Rule(
            "events",
            (True, False),
            True,
            "Events are played, and decks need 56 cards; without, their Events are left out, and 51 suffice",
        ),
        Rule("sum_rule", (True, False), True, "the Sum Deck Rule limits the points of a team"),
        Rule(
            "ladder",
            ("also", "instead"),
            "also",
            "two Missions won from Completed move one up twice, beside or instead of the single moves",
        ),
        Rule("hand_size", range(4, 13), 8, "cards drawn for each battle"),
        Rule("ko_limit", range(5, 61), 20, "points of hits that knock a character out"),
        Rule("spectrum_types", range(2, 5), 3, "power types of hits that knock a character out"),
        Rule("battle_limit", range(0, 1001), 40, "battles after which the game is truncated; 0: no limit"),
    ),
    kernels_module="overworlds.envs.overpower.kernels",
    pack=pack,
    parts=parts,
    action_groups=groups,
    action_names=action_names,
    ansi=ansi,
    draw=draw,
    glossary=glossary,
    telling=telling,
    coverage=known_cards,
)
