"""What somebody sees of a Homeworlds table: plain data between the rules and whoever draws or prints it."""

from dataclasses import dataclass

SIZES = {1: "small", 2: "medium", 3: "large"}
COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


@dataclass(frozen=True)
class System:
    """One star system. Pieces are written as colour and size: ``"g3"`` is the large green one."""

    slot: int
    """Where the state keeps it; action ids speak of slots."""
    name: str
    """``H<seat>`` where a homeworld was set up (also after its owner's end), ``S<slot>`` elsewhere."""
    home_of: int | None
    """The living player whose homeworld this is."""
    markers: tuple[str, ...]
    """One or two upright pieces."""
    ships: tuple[tuple[int, str], ...]
    """``(owner, piece)``, by owner, then by piece."""

    @property
    def was_set_up(self) -> bool:
        """Whether it was set up as a homeworld, be its owner alive or not."""
        return self.name.startswith("H")


@dataclass(frozen=True)
class Table:
    """Everything on and around the table, as far as ``viewer`` may know it."""

    players: int
    pieces_per_kind: int
    systems: tuple[System, ...]
    stash: dict[str, int]
    """How many of each of the twelve kinds are left, ``{"b1": 3, ...}``, in that order."""
    turn: int
    """Turns ended so far, set-ups included."""
    to_move: int | None
    """Whose decision it is; None when the game is over."""
    alive: tuple[bool, ...]
    alignments: tuple[str | None, ...]
    """``"good"`` or ``"evil"`` where the viewer knows it, else None."""
    revealed: tuple[bool, ...]
    """Whose alignment is public."""
    viewer: int | None
    """The seat that looks; None is an onlooker who knows only what is public."""
    decision: str
    """What is being decided, in words: ``"free action, sacrifice or pass"``, ``"where does y1 from H0 go?"``."""
    statements: tuple[str | None, ...]
    """What each player last said, where table talk is played: ``"I am good"``, ``"player_2 is evil"``."""
    result: str | None
    """How the game ended, in words; None while it goes on."""

    def homeworlds(self) -> list[System]:
        """The systems that were set up as homeworlds."""
        return [system for system in self.systems if system.was_set_up]

    def singles(self, size: int) -> list[System]:
        """The systems besides homeworlds whose marker has this size."""
        return [s for s in self.systems if not s.was_set_up and max(int(m[1]) for m in s.markers) == size]
