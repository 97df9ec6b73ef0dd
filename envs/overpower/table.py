"""An OverPower table as somebody sees it: all that is drawn or written comes from here."""

from dataclasses import dataclass

FRONT, RESERVE, KNOCKED_OUT = "front", "reserve", "KO"


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
    hand: tuple[Face, ...]
    """The cards that the viewer knows."""
    hidden: int
    """How many others there are in the hand."""
    goes_first: bool
    has_passed: bool
    total: int
    """The Venture Total so far."""
    event: Face | None


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
    effects: tuple[tuple[int, str], ...]
    """The cards whose effects last, each with the seat that played it."""
    result: str | None

    @property
    def near(self) -> int:
        """The seat that is drawn nearest."""
        return self.viewer or 0
