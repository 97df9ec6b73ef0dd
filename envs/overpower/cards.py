"""The cards of the six sets up to Justice League, read from the data files beside this module."""

import csv
import functools
import re
from dataclasses import dataclass
from importlib import resources
from typing import Any

from overworlds.envs.core.game import did_you_mean
from overworlds.envs.overpower import icons, ops
from overworlds.envs.overpower.words import compile_program

ANY_CHARACTER = "Any Character"
ANY_MISSION = "Any Mission"
TYPES = re.compile(rf"\b[{icons.TYPE_LETTERS}]{{2,4}}\b")
CODES = {"": 0, "H": icons.HERO, "V": icons.VILLAIN}


@dataclass(frozen=True)
class Character:
    """A Character card."""

    name: str
    """As deck files write it: with the set in brackets."""
    character: str
    """Who it is, in whatever version."""
    grid: tuple[int, int, int, int]
    """Energy, Fighting, Strength, Intellect; 0 where the card has no such rank."""
    points: int
    code: int
    has_inherent: bool
    inherent: str
    """The program of the inherent ability; empty if there is none, or none yet."""
    provenance: str

    @property
    def ranks(self) -> int:
        """How many power types the grid has."""
        return sum(rating > 0 for rating in self.grid)

    @property
    def is_implemented(self) -> bool:
        """Is what the card says known to the rules?"""
        return bool(self.inherent) or not self.has_inherent


@dataclass(frozen=True)
class Card:
    """A card of the draw deck."""

    name: str
    card_class: int
    icons: int = 0
    value: int = 0
    requires: int = 0
    bonus: int = 0
    second_bonus: int = 0
    follow_types: int = 0
    owner: str = ""
    code: int = 0
    one_per_deck: bool = False
    mission: str = ""
    function: str = ""
    effect: str = ""
    provenance: str = ""

    @property
    def is_implemented(self) -> bool:
        """Is what the card says known to the rules?"""
        if self.card_class == icons.SPECIAL and self.owner not in owners():
            return False
        return bool(self.effect) or self.card_class not in (icons.SPECIAL, icons.EVENT)

    @property
    def sort_key(self) -> tuple:
        """The order of kinds in a deck."""
        return self.card_class, self.owner, self.icons, self.value, self.requires, self.bonus, self.name

    @property
    def duplicate_key(self) -> tuple:
        """Cards with the same key are duplicates of one another (rules 25 to 30)."""
        if self.card_class == icons.POWER:
            return ("power", self.value)
        if self.card_class in (icons.BASIC, icons.TRAINING):
            return (self.card_class, self.icons, self.requires, self.bonus)
        if self.card_class in (icons.TEAMWORK, icons.ALLY):
            return (self.card_class, self.icons, self.requires)
        return (self.card_class, self.name)


def rows(file: str) -> list[dict[str, str]]:
    """The rows of a data file."""
    text = resources.files(__package__).joinpath("data", f"{file}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@functools.cache
def characters() -> dict[str, Character]:
    """All Character cards by the name deck files use."""
    found = {}
    for row in rows("characters"):
        name = f"{row['name']} ({row['set']})"
        found[name] = Character(
            name,
            row["character"],
            tuple(int(row[t] or 0) for t in ("energy", "fighting", "strength", "intellect")),  # type: ignore[arg-type]
            int(row["points"]),
            CODES[row["hv"]],
            row["has_inherent"] == "1",
            row["inherent"],
            row["provenance"],
        )
        if row["inherent"]:
            compile_program(row["inherent"].partition(" named:")[0], f"characters.csv: {name}")
    return found


@functools.cache
def owners() -> frozenset[str]:
    """Whose Specials can be in a deck: the characters of the six sets."""
    return frozenset({ANY_CHARACTER, *(card.character for card in characters().values())})


@functools.cache
def cards() -> dict[str, Card]:
    """All cards of draw decks by the name deck files use."""
    found: dict[str, Card] = {}
    for card in [*_power(), *_universe(), *_specials(), *_events()]:
        found.setdefault(card.name, card)  # a reprint is the same card
    return found


def _power() -> list[Card]:
    return [
        Card(
            f"{row['kind']} {row['value']}",
            icons.POWER,
            icons.mask(row["icons"]),
            int(row["value"]),
            one_per_deck=row["one_per_deck"] == "1",
            provenance=row["provenance"],
        )
        for row in rows("power")
    ]


def _universe() -> list[Card]:
    found = []
    for row in rows("basic_universe"):
        type_name = icons.TYPE_NAMES[icons.TYPE_LETTERS.index(row["type"])]
        name = f"{row['name']}: {row['requires']} {type_name} +{row['bonus']}"
        found.append(
            Card(
                name,
                icons.BASIC,
                icons.mask(row["type"]),
                requires=int(row["requires"]),
                bonus=int(row["bonus"]),
                provenance=row["provenance"],
            )
        )
    for row in rows("training"):
        found.append(
            Card(
                f"Training: {row['types']} +{row['bonus']}",
                icons.TRAINING,
                icons.mask(row["types"]),
                requires=-5,
                bonus=int(row["bonus"]),
                provenance=row["provenance"],
            )
        )
    for row in rows("teamwork"):
        found.append(
            Card(
                f"Teamwork: {row['requires']}{row['type']} then {row['follow_types']} "
                f"+{row['first_bonus']} +{row['second_bonus']}",
                icons.TEAMWORK,
                icons.mask(row["type"]),
                int(row["attack"]),
                int(row["requires"]),
                int(row["first_bonus"]),
                int(row["second_bonus"]),
                icons.mask(row["follow_types"]),
                provenance=row["provenance"],
            )
        )
    for row in rows("ally"):
        found.append(
            Card(
                f"Ally: {row['name']}",
                icons.ALLY,
                icons.mask(row["type"]),
                int(row["attack"]),
                int(row["requires"]) * (-1 if row["or_less"] == "1" else 1),
                code=CODES[row["hv"]],
                provenance=row["provenance"],
            )
        )
    return found


def _specials() -> list[Card]:
    found = []
    for row in rows("specials"):
        name = f"{row['character']}: {row['name']}"
        numbers: dict[str, Any] = {"icons": 0, "value": 0}
        for clause in compile_program(row["effect"], f"specials.csv: {name}"):
            if clause["op"] in (ops.ATTACK, ops.AS_POWER):
                numbers = {"icons": clause["types"], "value": clause["amount"]}
        found.append(
            Card(
                name,
                icons.SPECIAL,
                owner=row["character"],
                code=CODES[row["hv"]],
                one_per_deck=row["one_per_deck"] == "1",
                function=row["code"] + row["variant"],
                effect=row["effect"],
                provenance=row["provenance"],
                **numbers,
            )
        )
    return found


def _events() -> list[Card]:
    found = []
    for row in rows("events"):
        compile_program(row["effect"], f"events.csv: {row['name']}")
        found.append(
            Card(
                f"Event: {row['name']}",
                icons.EVENT,
                one_per_deck=True,
                mission=row["mission"],
                effect=row["effect"],
                provenance=row["provenance"],
            )
        )
    return found


@functools.cache
def missions() -> dict[str, tuple[str, ...]]:
    """The titles of the seven pieces of every Mission."""
    found: dict[str, list[str]] = {}
    for row in rows("missions"):
        found.setdefault(row["mission"], []).append(row["title"])
    return {name: tuple(titles) for name, titles in found.items()}


def find_character(name: str, where: str) -> Character:
    """The Character card with this name or that of its Specials, with or without its set where there is only one."""
    if name in characters():
        return characters()[name]
    versions = []
    for card in characters().values():
        bare, _, edition = card.name.rpartition(" (")
        if name in (bare, card.character, f"{card.character} ({edition}"):
            versions.append(card)
    if len(versions) == 1:
        return versions[0]
    if versions:
        raise ValueError(f"{where}: there is more than one {name!r}: {', '.join(repr(v.name) for v in versions)}")
    raise ValueError(f"{where}: there is no character {name!r}{did_you_mean(name, characters())}")


def find_card(name: str, where: str) -> Card:
    """The card of the draw deck with this name, its types in any order; a Basic Universe card also by its bare name."""
    ordered = TYPES.sub(lambda types: "".join(sorted(types[0], key=icons.TYPE_LETTERS.index)), name)
    for each in (name, ordered):
        if each in cards():
            return cards()[each]
    bare = [card for card in cards().values() if card.name.partition(":")[0] == name and card.card_class == icons.BASIC]
    if len(bare) == 1:
        return bare[0]
    raise ValueError(f"{where}: there is no card {name!r}{did_you_mean(name, cards())}")
