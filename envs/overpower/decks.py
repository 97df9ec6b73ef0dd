"""Decks: files, what makes them legal, and random ones."""

import functools
import json
import random
import re
import reprlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from overworlds.envs.core.game import did_you_mean
from overworlds.envs.overpower import icons, ops
from overworlds.envs.overpower.cards import (
    ANY_CHARACTER,
    ANY_MISSION,
    Card,
    Character,
    cards,
    characters,
    find_card,
    find_character,
    missions,
)
from overworlds.envs.overpower.state import CARDS, KINDS, TEAM_SIZE
from overworlds.envs.overpower.words import compile_program

SMALLEST_DECK = 51
SMALLEST_DECK_WITH_EVENTS = 56
MOST_POINTS = {12: 58, 13: 62, 14: 67, 15: 72, 16: 76}
"""The Sum Deck Rule: ranks of the team, and the points they may be worth."""
RANDOM = "random"
SEED = re.compile(rf"{RANDOM}:([0-9]{{1,19}})")
FILE = re.compile(r"(.+?\.toml) (\{.*\})")
"""A deck file as a variant keeps it: its name, and what it says as JSON. So a game needs the file no longer."""


@dataclass(frozen=True)
class Deck:
    """A team of four, a Mission, and the cards of the Draw Pile."""

    name: str
    team: tuple[Character, ...]
    mission: str
    counts: Mapping[Card, int]
    plan: str = ""
    unknown_characters: int = 0
    """How many of its file are missing or unknown: the rest is judged as if these were right."""
    unknown_cards: int = 0

    @functools.cached_property
    def kinds(self) -> tuple[Card, ...]:
        """The different cards in order: a card's number is its place here."""
        return tuple(sorted((card for card, n in self.counts.items() if n), key=lambda card: card.sort_key))

    @property
    def size(self) -> int:
        """How many cards the Draw Pile has."""
        return sum(self.counts.values())

    def without_events(self) -> "Deck":
        """The same deck for a game without Events."""
        kept = {card: n for card, n in self.counts.items() if card.card_class != icons.EVENT}
        return replace(self, counts=kept)


# ---------------------------------------------------------------- reading


def deck_names() -> tuple[str, ...]:
    """The decks that come with the game."""
    folder = resources.files(__package__).joinpath("data", "decks")
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def kept_deck(value: str, rng: np.random.Generator) -> str:
    """A deck as a variant keeps it, always the same one: ``random`` gets a seed, and a file's path becomes its content.

    What is wrong with it is not said here, but by `find_deck`, when the rules that a deck has to obey are known.
    """
    if value == RANDOM:
        return f"{RANDOM}:{rng.integers(2**63)}"
    if not value.endswith(".toml"):
        return value
    try:
        table = _table_of(value)
        if isinstance(table.get("plan"), str):  # no part of the game
            del table["plan"]
        return f"{Path(value).name} {json.dumps(table, ensure_ascii=False, sort_keys=True, separators=(',', ':'))}"
    except (ValueError, TypeError, RecursionError):
        return value


@functools.lru_cache(maxsize=256)
def find_deck(name: str, code_rule: bool = True, events: bool = True, sum_rule: bool = True) -> Deck:
    """The deck with this name (as `kept_deck` gives it); a ValueError has a line for everything that is wrong."""
    if name.startswith(f"{RANDOM}:"):
        seed = SEED.fullmatch(name)
        if seed is None or int(seed[1]) >= 2**63:
            raise ValueError("the seed of a random deck is a number from 0 to 2**63 - 1, as in 'random:7'")
        return random_deck(int(seed[1]), code_rule, events)
    file = FILE.fullmatch(name)
    if file is not None:
        where, table = file[1], _from_json(*file.groups())
    elif name in deck_names():
        where = f"{name}.toml"
        text = resources.files(__package__).joinpath("data", "decks", where).read_text("utf-8")
        table = tomllib.loads(text)
    elif name.endswith(".toml"):
        where, table = name, _table_of(name)
    else:
        raise ValueError(
            f"there is no deck {reprlib.repr(name)}: name one, or a .toml file, 'random' or 'random:<seed>'"
            + did_you_mean(name, deck_names())
        )
    deck, problems = read_deck(table, where)
    if not events:
        deck = deck.without_events()
    problems += [f"{where}: {problem}" for problem in violations(deck, code_rule, events, sum_rule)]
    if problems:
        raise ValueError("\n".join(problems))
    return deck


def _table_of(path: str) -> dict[str, Any]:
    """What a deck file says."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8-sig"))
    except FileNotFoundError:
        raise ValueError(f"there is no deck file {path!r}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: the deck file cannot be read: {error}") from error
    except ValueError as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from error
    except RecursionError:
        raise ValueError(f"{path}: not a deck: its lists are nested too deep to be read") from None


def _from_json(where: str, text: str) -> dict[str, Any]:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: the deck is damaged: {error}") from None


ENTRIES: dict[str, tuple[type, str]] = {
    "name": (str, "a text in one line"),
    "plan": (str, "a text"),
    "characters": (list, "a list of names"),
    "mission": (str, "a text"),
    "cards": (dict, "a table of names and numbers"),
}
"""What a deck file holds."""


def read_deck(table: Mapping[str, Any], where: str) -> tuple[Deck, list[str]]:
    """The deck that a file describes, and everything in it that cannot be understood, in words."""
    known: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in table.items():
        if key not in ENTRIES:
            problems.append(f"{where}: unknown {key!r}{did_you_mean(key, ENTRIES)}")
            continue
        kind, word = ENTRIES[key]
        names_only = not isinstance(value, list) or all(isinstance(each, str) for each in value)
        shown = key != "name" or str(value).isprintable()  # it is part of every table
        if isinstance(value, kind) and names_only and shown:
            known[key] = value
        else:
            problems.append(f"{where}: {key!r} must be {word}, not {reprlib.repr(value)}")
    needed = ("characters", "mission", "cards")
    problems += [f"{where}: {key!r} is missing" for key in needed if table.get(key, "") == ""]
    team, unknown_characters = _read_team(known.get("characters"), where, problems)
    counts, unknown_cards = _read_cards(known.get("cards"), where, problems)
    name, mission, plan = known.get("name", Path(where).stem), known.get("mission", ""), known.get("plan", "")
    return Deck(name, team, mission, counts, plan, unknown_characters, unknown_cards), problems


def _read_team(names: list[str] | None, where: str, problems: list[str]) -> tuple[tuple[Character, ...], int]:
    """The characters, and how many are unknown."""
    if names is None:
        return (), TEAM_SIZE
    team = []
    for name in names:
        try:
            team.append(find_character(name, where))
        except ValueError as error:
            problems.append(str(error))
    return tuple(team), len(names) - len(team)


def _read_cards(numbers: Mapping[str, Any] | None, where: str, problems: list[str]) -> tuple[dict[Card, int], int]:
    """The cards with their numbers, and how many are unknown."""
    if numbers is None:
        return {}, SMALLEST_DECK_WITH_EVENTS
    counts: dict[Card, int] = {}
    unknown = 0
    for name, number in numbers.items():
        if isinstance(number, dict):
            problems.append(f"{where}: {name!r} is a table: cards stand in [cards] itself, each with its number")
            unknown += SMALLEST_DECK_WITH_EVENTS
            continue
        if type(number) is not int or number < 1:
            problems.append(
                f"{where}: the number of {name!r} must be a whole number, 1 or more, not {reprlib.repr(number)}"
            )
        meant = _whole(number)
        try:
            card = find_card(name, where)
        except ValueError as error:
            problems.append(str(error))
            unknown += meant
        else:
            counts[card] = counts.get(card, 0) + meant
    return counts, unknown


def _whole(number: Any) -> int:
    """The number of cards that is meant, be it written wrongly."""
    try:
        return max(0, int(number))
    except (TypeError, ValueError, OverflowError):
        return 0


# ---------------------------------------------------------------- what is legal


def may_use(character: Character, card: Card, code_rule: bool) -> bool:
    """Could this character ever use this card, by grid, name, code and inherent ability?"""
    if code_rule and character.code and card.code and character.code != card.code:
        return False
    if card.card_class == icons.SPECIAL:
        return card.owner in (ANY_CHARACTER, character.character)
    if card.card_class == icons.EVENT:
        return True
    return rated_types(character, card) != 0 or ignores_grid(character, card)


@functools.cache
def ignores_grid(character: Character, card: Card) -> bool:
    """Does an inherent ability let this character use this card whatever the ratings?"""
    for row in compile_program(character.inherent.partition(" named:")[0], character.name):
        if row["op"] == ops.IGNORE_GRID and row["classes"] & card.card_class and row["icons"] & card.icons:
            return row["code"] in (0, card.code)
    return False


def rated_types(character: Character, card: Card) -> int:
    """The types in which this character's printed ratings let it use this card, as bits; ANY for an Any-Power card."""
    needed = card.value if card.card_class == icons.POWER else card.requires
    found = 0
    for t, rating in enumerate(character.grid):
        if not rating or not card.icons & (1 << t | icons.ANY):
            continue
        if rating >= needed if needed >= 0 else rating <= -needed:
            found |= icons.ANY if card.icons == icons.ANY else 1 << t
    return found


def violations(deck: Deck, code_rule: bool = True, events: bool = True, sum_rule: bool = True) -> list[str]:
    """Everything that is wrong with a deck, in words; empty if it is legal."""
    return _team_violations(deck, sum_rule) + _card_violations(deck, code_rule) + _size_violations(deck, events)


def _team_violations(deck: Deck, sum_rule: bool) -> list[str]:
    found = []
    team = deck.team
    size = len(team) + deck.unknown_characters
    if size != TEAM_SIZE:
        found.append(f"a team has {TEAM_SIZE} characters, not {size} (Building Your Deck)")
    for i, character in enumerate(team):
        if not character.is_implemented:
            found.append(f"{character.name}: the inherent ability is not implemented yet")
        if character.character in [other.character for other in team[:i]]:
            found.append(f"{character.name}: {character.character} is on the team already (The Clone Rule)")
    ranks, points = sum(c.ranks for c in team), sum(c.points for c in team)
    if sum_rule and len(team) == TEAM_SIZE and points > MOST_POINTS[ranks]:
        found.append(
            f"a team of {ranks} ranks may have {MOST_POINTS[ranks]} points, not {points} (The Sum Deck Rule): "
            + ", ".join(f"{c.name} {c.points}" for c in team)
        )
    if deck.mission and deck.mission not in missions():
        found.append(f"there is no Mission {deck.mission!r}{did_you_mean(deck.mission, missions())}")
    return found


def _card_violations(deck: Deck, code_rule: bool) -> list[str]:
    found = []
    for card, count in deck.counts.items():
        if not card.is_implemented:
            function = f" (function {card.function})" if card.function else ""
            found.append(f"{card.name}: this card{function} is not implemented yet")
        if card.one_per_deck and count > 1:
            found.append(f"{card.name}: One Per Deck, but there are {count} (Building Your Deck)")
        if deck.mission in missions() and card.mission not in ("", deck.mission, ANY_MISSION):
            found.append(f"{card.name}: belongs to the Mission {card.mission!r}, not {deck.mission!r} (Event Cards)")
        if deck.unknown_characters or any(may_use(character, card, code_rule) for character in deck.team):
            continue
        if any(may_use(character, card, code_rule=False) for character in deck.team):
            code = "Hero" if card.code == icons.HERO else "Villain"
            found.append(f"{card.name}: a {code}'s card, which nobody on the team may use (The DC OverPower Code Rule)")
        else:
            found.append(f"{card.name}: nobody on the team could ever use it (Building Your Deck)")
    return found


def _size_violations(deck: Deck, events: bool) -> list[str]:
    found = []
    least = SMALLEST_DECK_WITH_EVENTS if events else SMALLEST_DECK
    if deck.size + deck.unknown_cards < least:
        found.append(f"a deck has at least {least} cards, not {deck.size + deck.unknown_cards} (Building Your Deck)")
    if deck.size > CARDS:
        found.append(f"this implementation holds at most {CARDS} cards a deck, not {deck.size}")
    if len(deck.kinds) > KINDS:
        found.append(f"this implementation holds at most {KINDS} different cards a deck, not {len(deck.kinds)}")
    return found


# ---------------------------------------------------------------- random decks


def random_deck(seed: int, code_rule: bool = True, events: bool = True) -> Deck:
    """A legal deck drawn at random: any team, cards it can use, an ordinary mix."""
    rng = random.Random(seed)
    team = _random_team(rng)
    mission = rng.choice(sorted(missions()))
    usable = [
        card
        for card in cards().values()
        if card.is_implemented and any(may_use(character, card, code_rule) for character in team)
    ]
    counts: dict[Card, int] = {}

    def add(choices: list[Card], number: int) -> None:
        for _ in range(number):
            free = [c for c in choices if (not c.one_per_deck or c not in counts) and counts.get(c, 0) < 4]
            if free:
                card = rng.choice(free)
                counts[card] = counts.get(card, 0) + 1

    def of(classes: int) -> list[Card]:
        return [card for card in usable if card.card_class & classes]

    if events:
        own = [card for card in of(icons.EVENT) if card.mission in (mission, ANY_MISSION)]
        add(own, rng.randint(0, min(5, len(own))))
    size = SMALLEST_DECK_WITH_EVENTS if events else SMALLEST_DECK
    specials = [card for card in of(icons.SPECIAL) if card.owner != ANY_CHARACTER]
    add(specials, rng.randint(12, 18))
    add([card for card in of(icons.SPECIAL) if card.owner == ANY_CHARACTER], rng.randint(0, 2))
    add(of(icons.UNIVERSE), rng.randint(6, 10))
    powers = of(icons.POWER)
    while sum(counts.values()) < size or (rng.random() < 0.5 and sum(counts.values()) < size + 4):
        value = rng.choice((1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8))
        choices = [card for card in powers if card.value == value and (not card.one_per_deck or card not in counts)]
        if choices:
            card = rng.choice(choices)
            counts[card] = counts.get(card, 0) + 1
    deck = Deck(f"{RANDOM}:{seed}", team, mission, counts)
    problems = violations(deck, code_rule, events)
    return deck if not problems else random_deck(rng.getrandbits(60), code_rule, events)


def _random_team(rng: random.Random) -> tuple[Character, ...]:
    """Four characters that the Clone and the Sum Deck rule allow."""
    everybody = sorted((c for c in characters().values() if c.is_implemented), key=lambda c: c.name)
    while True:
        team = tuple(rng.sample(everybody, TEAM_SIZE))
        ranks, points = sum(c.ranks for c in team), sum(c.points for c in team)
        if len({c.character for c in team}) == TEAM_SIZE and points <= MOST_POINTS[ranks]:
            return team
