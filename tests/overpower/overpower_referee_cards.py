"""What the referee of OverPower has on its table: cards, hits, characters, players, what lasts, what is played."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from overpower_referee_words import (
    ANYBODY,
    CLASSES,
    CONDITIONS,
    EVERY_TYPE,
    HELPERS,
    MISSIONS,
    OPENERS,
    UNIVERSE,
    Clause,
    clauses_of,
    understands,
)

# ---------------------------------------------------------------- cards

ABOUT_MATES = {
    "mate",
    "self_or_mate",
    "to_self",
    "to_mate",
    "by_mates",
    "by_any",
    "to_target",
    "swap_record",
    "substitute",
}
ABOUT_HITS = {"heal", "pick_hit", "gather", "swap_record", "clear_hits", "retype"}


@dataclass(frozen=True)
class Card:
    """What is printed on a card of the deck."""

    name: str
    kind: str
    """One of `CLASSES`."""
    types: str
    value: int
    requires: int = 0
    bonuses: tuple[int, int] = (0, 0)
    follow_types: str = ""
    owner: str = ""
    code: int = 0
    one_per_deck: bool = False
    program: tuple[Clause, ...] = ()

    @property
    def is_multipower(self) -> bool:
        return self.kind == "power" and len(self.types) > 1

    @property
    def icons(self) -> str:
        """All icons that are printed on it: a Teamwork card shows those of what follows, too."""
        return self.types + self.follow_types

    @property
    def has_several_icons(self) -> bool:
        """Is it a MultiPower card, or a Special of several types?"""
        return self.kind in ("power", "special") and len(self.types) > 1

    @property
    def duplicate_of(self) -> tuple:
        """Cards of which this is the same are duplicates (25 to 30)."""
        if self.kind == "power":
            return self.kind, self.value
        if self.kind in HELPERS:
            return self.kind, self.types, self.requires, self.bonuses[0]
        if self.kind in ("teamwork", "ally"):
            return self.kind, self.types, self.requires
        return self.kind, self.name

    @property
    def sort(self) -> str:
        """Power card, Universe card or Special: a character has room for one of each (35)."""
        return "universe" if self.kind in UNIVERSE else self.kind

    def has_trait(self, trait: str) -> bool:
        """Is it a card of the sort that some Events call by what is printed on it (ruling 57)?"""
        words = {word for clause in self.program for word in (clause.verb, *clause.words)}
        return {
            "one_per_deck": self.one_per_deck,
            "any_hero": self.owner == ANYBODY,
            "avoid": bool(words & {"avoid", "avoids"}) or any(map(self.stops_attacks, self.program)),
            "teammate": self.kind == "special" and self.is_about_mates(words),
            "hits": self.kind == "special" and bool(words & ABOUT_HITS),
        }[trait]

    def stops_attacks(self, clause: Clause) -> bool:
        """Does it avoid an attack in answer to it, and forbid others?"""
        return clause.verb in ("no_attack_on", "only_attack_on", "grid") and "react" in clause.words

    def is_about_mates(self, words: set[str]) -> bool:
        """Somebody else of the own team, fallen or not."""
        others = "when_hit" in words and "others" in words
        return others or bool(words & ABOUT_MATES) or ("borrow" in words and "fallen" in words) or "avoids" in words

    def clause(self, verb: str) -> Clause | None:
        return next((clause for clause in self.program if clause.verb == verb), None)

    @property
    def opener(self) -> Clause:
        """How a Special is played."""
        return next((clause for clause in self.program if clause.verb in OPENERS), Clause("declare", ()))

    @property
    def body(self) -> list[Clause]:
        """What a Special does beside attacking or avoiding."""
        return [clause for clause in self.program if clause.verb not in (*OPENERS, *CONDITIONS)]

    @property
    def is_attack(self) -> bool:
        """Is it declared on an enemy character (48)?"""
        return self.kind != "special" or self.opener.verb in ("attack", "as_power", "aim")

    @property
    def is_against_team(self) -> bool:
        """Is it about the enemy's characters without being declared on one (48, ruling 59)?"""
        if self.is_attack:
            return False
        if any(clause.verb in ("discard_placed", "discard_most", "steal") for clause in self.program):
            return self.kind == "special"
        return any("foe_team" in clause.words for clause in self.program)

    @property
    def is_numeric(self) -> bool:
        """Does it attack with a number?"""
        return self.kind != "special" or self.opener.verb in ("attack", "as_power")


def letters(bits: int) -> str:
    """Type letters of the bits in the data."""
    return "".join(letter for i, letter in enumerate(EVERY_TYPE) if bits >> i & 1)


def card_from(data: Any) -> Card:
    """The card with the figures of a row of the data."""
    if data.card_class in (32, 64) and not understands(data.effect):
        raise ValueError(f"the referee does not know what {data.name} does: {data.effect!r}")
    return Card(
        data.name,
        CLASSES[data.card_class],
        letters(data.icons),
        data.value,
        data.requires,
        (data.bonus, data.second_bonus),
        letters(data.follow_types),
        data.owner,
        data.code,
        data.one_per_deck,
        clauses_of(data.effect),
    )


# ---------------------------------------------------------------- players and their characters


@dataclass(frozen=True)
class Hit:
    """A card that lies in front of a character."""

    card: Card
    value: int
    types: str
    by: int
    damage: int = 0
    """Beyond its value, for knock-outs."""
    current: bool = True
    lot: int = 0
    """The same as for what the card does beside."""

    @property
    def mark(self) -> tuple[bool, int, int, int]:
        """What tells it from others with the same card; in the record it does not matter whose it is (ruling 95)."""
        return self.current, self.value, self.damage, self.by if self.current else 0

    def as_card(self) -> Card:
        """The card with what it counts for as a hit."""
        return replace(self.card, types=self.types, value=self.value, follow_types="")


@dataclass
class Character:
    """A Character card and what lies there."""

    name: str
    identity: str
    grid: dict[str, int]
    """Ratings by type; no entry where there is no such rank."""
    code: int
    gifts: tuple[Clause, ...] = ()
    alive: bool = True
    front: bool = True
    visiting: bool = False
    """The Reserve, but on the Front Line for this battle."""
    benched: bool = False
    """A front-liner who is in Reserve for this battle."""
    is_guest: bool = False
    """Knocked out, but back for this battle."""
    placed: list[Card] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)


@dataclass
class Player:
    """One side of the table."""

    team: list[Character]
    kinds: list[Card]
    """All different cards of the deck, in its order."""
    draw_pile: list[Card]
    """The top card last."""
    hand: list[Card] = field(default_factory=list)
    power_pack: list[Card] = field(default_factory=list)
    dead_pile: list[Card] = field(default_factory=list)
    removed: list[Card] = field(default_factory=list)
    """Out of the game."""
    reserve: int = MISSIONS
    completed: int = 0
    defeated: int = 0
    ventured_reserve: int = 0
    ventured_completed: int = 0
    passed: bool = False
    fallen: bool = False
    """A front-liner of his has been knocked out in this battle."""
    discarded: int = 0
    """Cards of the hand that were discarded since it was drawn (ruling 61)."""
    last_total: int = 0
    fresh: list[tuple[int, Card]] = field(default_factory=list)
    """Placed on the Reserve before this very battle."""

    def fresh_cards(self) -> list[Card]:
        """Those of them that still lie there."""
        return [card for i, card in self.fresh if card in self.team[i].placed]

    def survivors(self) -> list[int]:
        return [i for i, character in enumerate(self.team) if character.alive]

    def front_line(self) -> list[int]:
        return [i for i in self.survivors() if self.team[i].front]

    def pile(self, name: str) -> list[Card]:
        """One of the piles that cards are fetched from."""
        return {
            "": self.draw_pile,
            "draw": self.draw_pile,
            "pack": self.power_pack,
            "dead": self.dead_pile,
            "removed": self.removed,
            "hand": self.hand,
        }[name]


# ---------------------------------------------------------------- what lasts


@dataclass
class Lying:
    """A Special that lies on the table as long as something of it lasts."""

    side: int
    card: Card


@dataclass
class Effect:
    """Something that lasts."""

    clause: Clause
    side: int | None
    """Whom it is about: a player, or None for both."""
    who: int | None
    """Whom it is about: a character, or None for the whole side."""
    by_side: int
    by: int | None
    """Who has played the card; None for Events."""
    target: int | None = None
    """Another character of whom it speaks."""
    card: Lying | None = None
    """None for inherent abilities, and where the card has become a hit."""
    others: bool = False
    """It is about all but that character."""
    hit: Card | None = None
    """The card that has become a hit."""
    grid: dict[str, int] = field(default_factory=dict)
    """Ratings that were copied."""
    found: Card | None = None
    """The card that was found before."""
    focus: dict[int, int] = field(default_factory=dict)
    """Whom each player has to attack."""
    lot: int = 0
    """The same for all that a card does at once."""

    @property
    def mark(self) -> tuple[Any, ...]:
        """What it does, and to whom (ruling 95)."""
        aimed = self.target if {"to_target", "fallen"} & set(self.clause.words) else None
        noted = tuple(sorted(self.grid.items())), self.found and self.found.name, tuple(sorted(self.focus.items()))
        return self.clause, self.side, self.who, aimed, *noted

    def concerns(self, side: int, who: int | None) -> bool:
        if self.side not in (side, None) or "next" in self.clause.words:
            return False
        return who is None or self.who is None or (self.who == who) != self.others

    def is_gift_of(self, side: int, who: int) -> bool:
        """Is it the inherent ability of this character?"""
        return (self.by_side, self.by) == (side, who) and not {"battle", "game", "next"} & set(self.clause.words)


# ---------------------------------------------------------------- plays and attacks

Source = tuple[Card, int | None]
"""A card, and where it is: None for the hand, or the character it is placed on."""


class Play(NamedTuple):
    """A card that is played, with all details."""

    card: Card
    place: int | None
    user: int
    seconds: tuple[Source, ...] = ()
    """The cards that come with it, in the order in which they were named."""
    type: str = ""
    target: int | None = None
    """The enemy who is attacked, or the own character to whom an attack is shifted."""
    mate: int | None = None
    """The own character whom a Special concerns."""

    def cards(self) -> list[Card]:
        return [card for card, _ in self.sources()]

    def sources(self) -> list[Source]:
        return [(self.card, self.place), *self.seconds]

    def second(self, *kinds: str) -> list[Card]:
        """The cards of these classes that come with it."""
        return [card for card, _ in self.seconds if card.kind in kinds]


@dataclass(frozen=True)
class Permit:
    """What may be played now: a turn, or what follows a card."""

    users: tuple[int, ...]
    classes: tuple[str, ...] = ("power", "teamwork", "ally", "special")
    types: str = EVERY_TYPE
    """As which type it must be declared, if it is an attack with a number."""
    targets: tuple[int, ...] | None = None
    bonus: int = 0
    universe: bool = True
    attacks_only: bool = False
    anybodys: bool = True
    """Specials of any character (32)."""
    conceded: str = ""
    """Only what may be played when the opponent, or the player himself, has conceded: ``foe`` or ``own``."""
    only: Card | None = None
    """Only this card."""
    anyhow: bool = False
    """Whoever's card it is, and whatever it needs (ruling 46)."""
    doubled: bool = False
    """Only together with a Universe card, whose bonus counts twice (ruling 41)."""
    stolen: Card | None = None
    """With the bonus of this Universe card (ruling 43)."""
    teamwork: Card | None = None
    """After this Teamwork card."""
    last: bool = False
    """Further attacks that its card allows are lost (rulings 70 and 76)."""


@dataclass
class Attack:
    """An attack that waits for an answer."""

    side: int
    user: int
    target: int
    cards: list[Card]
    type: str
    value: int | None
    shifted: bool = False
    helped: Clause | None = None
    """A Special was played to defend better: now a block has to follow that makes use of it."""
    whole: bool = False
    """What follows the attack was avoided, too."""
    defences: int = 0
    """How often it was defended against, if once is not enough."""
    parts: list[Card] = field(default_factory=list)
    """The Power cards that make it up, if each may be blocked alone (ruling 64)."""
    negated: bool = False
    is_stopped: bool = False
    announced: str = ""
    """The type that a Special is about, if it has to be said before the answer."""
    aided: bool = False
    """A Special has helped already: one is enough."""
    hidden: list[Source] = field(default_factory=list)
    """Its cards, and where they still are, as long as it lies face down (ruling 65)."""
    lot: int = 0
    """The same for all that its card does."""
    led_by: Card | None = None
    """The Teamwork card that it follows: it belongs to that attack (ruling 93)."""
    ends_battle: bool = False
    """Its hit has felled the last front-liner."""

    @property
    def all_cards(self) -> list[Card]:
        return self.cards if self.led_by is None else [*self.cards, self.led_by]

    @property
    def is_face_down(self) -> bool:
        """Does the enemy know no more than who attacks whom, and that it is with a number?"""
        return bool(self.hidden)

    def is_like(self, clause: Clause) -> bool:
        """Is a clause about it, or about a Power card that is summed with the first card?

        Face down it could be anything.
        """
        if self.is_face_down:
            return True
        types = [self.type, *(card.types for card in self.cards[1:] if card.kind == "power")]
        return any(clause.fits(self.all_cards, type, self.value) for type in types)

    def special_clauses(self, verb: str) -> list[Clause]:
        """What Specials of the attack say about its defence, as far as they can be seen."""
        seen = [] if self.is_face_down else self.cards
        return [clause for card in seen for clause in card.program if clause.verb == verb]


@dataclass
class Course:
    """A program that is being carried out, and what was chosen on the way."""

    side: int
    card: Card
    user: int | None
    """None for Events."""
    target: int | None = None
    """An enemy character."""
    mate: int | None = None
    """An own character."""
    picked: tuple[int, int] | None = None
    """Anybody, with his side."""
    type: str = ""
    hits: list[tuple[int, int, Hit]] = field(default_factory=list)
    """Hits that were chosen: whose, on whom, which."""
    paid: Card | None = None
    """What was discarded as the price."""
    found: Card | None = None
    """What was found in a pile, or stolen."""
    is_hit: bool = False
    """The card has become a hit."""
    lies: bool = False
    """The card lies on the table."""
    last: bool = False
    """As in the permit."""
    lot: int = 0
