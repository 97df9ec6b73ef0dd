"""An OverPower table as somebody sees it: all that is drawn or written comes from here."""

from dataclasses import dataclass

FRONT, RESERVE, KNOCKED_OUT = "front", "reserve", "KO"
UNDECIDED = "team"
"""The place of all four while it is not known who is the Reserve."""


@dataclass(frozen=True)
class Face:
    """A card that can be seen."""

    name: str
    card_class: int
    icons: int
    title: str
    detail: str
    """What stands beside the title: whose Special it is, what a Universe card needs and gives."""
    figure: str
    """The number on it: its value, or its bonus with a plus sign; empty if there is none."""


@dataclass(frozen=True)
class Hit:
    """A card that lies in front of a character."""

    face: Face
    value: int
    icons: int
    is_current: bool
    """Scored in this battle; else it is part of the Permanent Record."""


@dataclass(frozen=True)
class Character:
    """A character with all that lies around it."""

    name: str
    version: str
    """The set that the card is from."""
    inherent: str
    """The inherent ability in words, or nothing."""
    place: str
    code: int
    grid: tuple[int, ...]
    printed: tuple[int, ...]
    """The ratings on the card, where effects have changed those that count."""
    damage: int
    limit: int
    """So many points knock it out."""
    hits: tuple[Hit, ...]
    placed: tuple[Face, ...]


@dataclass(frozen=True)
class Player:
    """One side of the table."""

    seat: int
    deck: str
    mission: str
    team: tuple[Character, ...]
    missions: tuple[int, int, int]
    """How many lie in Completed, Reserve and Defeated, without those that are ventured."""
    ventured: tuple[int, int]
    """How many are ventured, from Completed and from Reserve."""
    piles: tuple[int, int, int, int]
    """The sizes of the Draw Pile, the Power Pack, the Dead Pile and the Defeated Characters pile."""
    discards: tuple[tuple[Face, ...], tuple[Face, ...], tuple[Face, ...]]
    """The cards of the Power Pack, the Dead Pile and the Defeated Characters pile, which everybody may look through."""
    hand: tuple[Face, ...]
    """The cards that the viewer knows."""
    hidden: int
    """How many others there are in the hand."""
    goes_first: bool
    has_passed: bool
    total: int
    """The Venture Total so far."""
    total_parts: tuple[str, ...]
    """What it consists of, if that is not just the values of hits."""
    event: Face | None
    event_words: str


@dataclass(frozen=True)
class Attack:
    """What is being attacked with what."""

    seat: int
    user: str
    cards: tuple[Face, ...]
    target: str | None
    value: int | None
    types: int


@dataclass(frozen=True)
class Effect:
    """A card that is in effect."""

    seat: int
    """Who played it."""
    name: str
    words: tuple[str, ...]
    """What it does, with whom it concerns by name."""


@dataclass(frozen=True)
class Table:
    """The whole table, seen by one player or by an onlooker who knows what is public."""

    players: tuple[Player, Player]
    battle: int
    viewer: int | None
    to_move: int | None
    decision: str
    attack: Attack | None
    play: Attack | None
    """The play that the viewer is putting together; nobody else sees it yet."""
    choices: tuple[str, ...]
    """What there is to choose from by number, in the order of the numbers."""
    effects: tuple[Effect, ...]
    result: str | None

    @property
    def near(self) -> int:
        """The seat that is drawn nearest."""
        return self.viewer or 0
