"""An independent referee of Homeworlds: the rules once more, in plain Python and by brute force.

It exists to be compared with the fast kernels, so it shares nothing with them and prefers enumerating to
reasoning: whether a step is legal, for instance, is found by trying every continuation of the turn.

Words used here: a *piece* is a colour and a size (``"g2"``), a *ship* is a piece behind its owner's number
(``"0g2"``), a *system* has one or two marker pieces and ships. A position is written as one line of systems,
sorted by their text: ``H0:b3+r1|0g3 H1:b2+y1|1g3 S:g2|0g1,1y2``. ``H<p>:`` is the homeworld of the living
player p, ``S:`` is any other system, including what is left of a dead player's homeworld.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Literal, NamedTuple

COLOURS = "bgry"
SIZES = "123"
PIECES = tuple(colour + size for colour in COLOURS for size in SIZES)
NOBODY = -1  # the `home` of a system that is no living player's homeworld
OVERPOPULATION = 4

AbandonedHome = Literal["stays", "vanishes"]
Step = tuple[str | int, ...]


class System(NamedTuple):
    """One star system: whose homeworld it is (or NOBODY), its markers and its ships, both sorted."""

    home: int
    markers: tuple[str, ...]
    ships: tuple[str, ...]

    def text(self) -> str:
        """The system as it is written in the position text."""
        return _system_text(self)

    def fleet(self, player: int) -> tuple[str, ...]:
        """The pieces of the player's ships here (sorted, equal ones repeated)."""
        return _fleet(self, player)

    def replacing(self, old: str | None, new: str | None) -> System:
        """The same system with one ship taken away (unless None) and one ship added (unless None)."""
        ships = list(self.ships)
        if old is not None:
            ships.remove(old)
        if new is not None:
            ships.append(new)
        return System(self.home, self.markers, tuple(sorted(ships)))


class Board(NamedTuple):
    """A position without the player to move. Equal positions are equal values: the systems are sorted."""

    players: int
    per_kind: int
    systems: tuple[System, ...]

    def text(self) -> str:
        """The canonical position text."""
        return " ".join(sorted(system.text() for system in self.systems))

    @property
    def stash(self) -> Counter[str]:
        """How many pieces of each kind are not on the board. (Shared by equal boards: do not change it.)"""
        return _stash(self)

    @property
    def living(self) -> tuple[int, ...]:
        """The players who have a homeworld; the others are dead, or have not set up yet."""
        return tuple(sorted(system.home for system in self.systems if system.home != NOBODY))

    def home(self, player: int) -> System | None:
        """The player's homeworld, if there is one."""
        return next((system for system in self.systems if system.home == player), None)

    def occupied(self, player: int) -> tuple[System, ...]:
        """The distinct systems with a ship of the player."""
        return tuple(system for system in dict.fromkeys(self.systems) if system.fleet(player))

    def replacing(self, old: Iterable[System], new: Iterable[System], kept: int | None) -> Board:
        """The board with systems exchanged, where a new system without markers or ships is not set up.

        `kept` is the player whose homeworld stays although it has no ships (None: no such exception).
        """
        systems = list(self.systems)
        for system in old:
            systems.remove(system)
        systems += [system for system in new if system.markers and (system.ships or system.home == kept)]
        return Board(self.players, self.per_kind, tuple(sorted(systems)))


@lru_cache(maxsize=1 << 18)
def _system_text(system: System) -> str:
    name = "S" if system.home == NOBODY else f"H{system.home}"
    return f"{name}:{'+'.join(system.markers)}|{','.join(system.ships)}"


@lru_cache(maxsize=1 << 18)
def _fleet(system: System, player: int) -> tuple[str, ...]:
    return tuple(ship[1:] for ship in system.ships if int(ship[0]) == player)


@lru_cache(maxsize=1 << 10)
def _stash(board: Board) -> Counter[str]:
    stash = Counter(dict.fromkeys(PIECES, board.per_kind))
    for system in board.systems:
        stash.subtract(system.markers)
        stash.subtract(ship[1:] for ship in system.ships)
    return stash


@lru_cache(maxsize=1 << 18)
def _overpopulated(system: System) -> tuple[str, ...]:
    # Rule "Overpopulation and Catastrophes": markers and everybody's ships count together.
    colours = Counter(piece[0] for piece in system.markers)
    colours.update(ship[1] for ship in system.ships)
    return tuple(colour for colour in COLOURS if colours[colour] >= OVERPOPULATION)


def parse(text: str, players: int, per_kind: int | None = None) -> Board:
    """Read a position text; `per_kind` pieces of each kind are in play (3 for two players, else 5)."""
    systems = []
    for word in text.split():
        name, _, content = word.partition(":")
        markers, _, ships = content.partition("|")
        home = NOBODY if name == "S" else int(name.removeprefix("H"))
        fleet = ships.split(",") if ships else []
        systems.append(System(home, tuple(sorted(markers.split("+"))), tuple(sorted(fleet))))
    # Rule "What You Need": two players use three pieces of each kind, more players the full set of five.
    per_kind = per_kind if per_kind is not None else (3 if players == 2 else 5)
    board = Board(players, per_kind, tuple(sorted(systems)))
    owners = {int(ship[0]) for system in systems for ship in system.ships} | set(board.living)
    if set(board.stash) != set(PIECES) or min(board.stash.values()) < 0 or not owners <= set(range(players)):
        raise ValueError(f"not a position of {players} players with {per_kind} pieces per kind: {text!r}")
    return board


# ---------------------------------------------------------------- actions: (step, board after it)


def _construct(board: Board, mover: int, here: System, kept: int | None) -> Iterator[tuple[Step, Board]]:
    # Rule "Free Actions", green: the smallest piece left of the colour of one of the mover's ships here.
    for colour in sorted({piece[0] for piece in here.fleet(mover)}):
        piece = next((colour + size for size in SIZES if board.stash[colour + size]), None)
        if piece is not None:
            grown = here.replacing(None, f"{mover}{piece}")
            yield ("construct", here.text(), colour), board.replacing([here], [grown], kept)


def _trade(board: Board, mover: int, here: System, kept: int | None) -> Iterator[tuple[Step, Board]]:
    # Rule "Free Actions", blue: same size, other colour, from the stash.
    for piece in sorted(set(here.fleet(mover))):
        for colour in COLOURS:
            if colour != piece[0] and board.stash[colour + piece[1]]:
                traded = here.replacing(f"{mover}{piece}", f"{mover}{colour}{piece[1]}")
                yield ("trade", here.text(), piece, colour), board.replacing([here], [traded], kept)


def _connected(markers: Iterable[str], others: Iterable[str]) -> bool:
    # Rule "Star-Systems and Starships": no marker size in common. (So nothing is connected to itself.)
    return not {marker[1] for marker in markers} & {marker[1] for marker in others}


def _move(board: Board, mover: int, here: System, kept: int | None) -> Iterator[tuple[Step, Board]]:
    # Rule "Free Actions", yellow: to a connected system, or to a new one whose marker comes from the stash.
    # A system left without any ship is taken off the board by `replacing`.
    targets = [there for there in dict.fromkeys(board.systems) if _connected(here.markers, there.markers)]
    finds = [marker for marker in PIECES if board.stash[marker] and _connected(here.markers, [marker])]
    for piece in sorted(set(here.fleet(mover))):
        ship = f"{mover}{piece}"
        left = here.replacing(ship, None)
        for there in targets:
            joined = there.replacing(None, ship)
            moved = board.replacing([here, there], [left, joined], kept)
            yield ("move", here.text(), piece, there.text()), moved
        for marker in finds:
            found = System(NOBODY, (marker,), (ship,))
            yield ("discover", here.text(), piece, marker), board.replacing([here], [left, found], kept)


def _attack(board: Board, mover: int, here: System, kept: int | None) -> Iterator[tuple[Step, Board]]:
    # Rule "Free Actions", red: anybody else's ship that is not larger than the mover's largest one here.
    largest = max(piece[1] for piece in here.fleet(mover))
    for ship in dict.fromkeys(here.ships):
        owner, piece = int(ship[0]), ship[1:]
        if owner != mover and piece[1] <= largest:
            taken = here.replacing(ship, f"{mover}{piece}")
            yield ("attack", here.text(), owner, piece), board.replacing([here], [taken], kept)


POWERS = {"g": _construct, "b": _trade, "y": _move, "r": _attack}


def _actions(board: Board, mover: int, kept: int | None, granted: str = "") -> Iterator[tuple[Step, Board]]:
    """Every single action: of the granted colour anywhere, or else of the colours at hand in each system."""
    # Rule "Free Actions": the colours of the mover's ships and of the markers, where the mover has a ship.
    # Rule "Sacrifice Actions": the sacrificed colour works wherever the mover has a ship.
    for here in board.occupied(mover):
        for colour in granted or sorted({piece[0] for piece in here.fleet(mover) + here.markers}):
            yield from POWERS[colour](board, mover, here, kept)


def _first_steps(board: Board, mover: int, kept: int | None) -> Iterator[tuple[Step, Board, str, int]]:
    """Every first step, legal in the end or not: step, board, colour and number of the actions it grants."""
    # Rule "Play": nothing, or one free action, or a sacrifice.
    yield ("pass",), board, "", 0
    for step, after in _actions(board, mover, kept):
        yield step, after, "", 0
    # Rule "Sacrifice Actions": the ship goes to the stash and grants as many actions as its size.
    for here in board.occupied(mover):
        for piece in sorted(set(here.fleet(mover))):
            after = board.replacing([here], [here.replacing(f"{mover}{piece}", None)], kept)
            yield ("sacrifice", here.text(), piece), after, piece[0], int(piece[1])


def _stopping_boards(board: Board, mover: int, colour: str, left: int, kept: int | None) -> Iterator[Board]:
    """The boards after 0 to `left` further actions of the colour, each once, fewest actions first."""
    yield board
    seen, frontier = {board}, [board]
    for _ in range(left):
        found: list[Board] = []
        for here in frontier:
            for _step, after in _actions(here, mover, kept, colour):
                if after not in seen:
                    seen.add(after)
                    found.append(after)
                    yield after
        frontier = found


# ---------------------------------------------------------------- the end of a turn


def _catastrophe(board: Board, system: System, colour: str) -> Board:
    # Rule "Overpopulation and Catastrophes": all pieces of the colour go, and everything else with the last
    # marker. Markers without a ship go too (rule "Star-Systems and Starships").
    markers = tuple(marker for marker in system.markers if marker[0] != colour)
    ships = tuple(ship for ship in system.ships if ship[1] != colour)
    return board.replacing([system], [System(system.home, markers, ships)], None)


def _after_catastrophes(board: Board) -> Iterator[Board]:
    """The boards after any number of catastrophes, none included, in any order; each once."""
    seen, waiting = {board}, [board]
    while waiting:
        here = waiting.pop()
        yield here
        for system in dict.fromkeys(here.systems):
            for colour in _overpopulated(system):
                after = _catastrophe(here, system, colour)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)


def _holds_home(board: Board, player: int) -> bool:
    # Rule "Elimination and Winning": at the end of one's own turn a ship of one's own is at home.
    home = board.home(player)
    return home is not None and bool(home.fleet(player))


def _settled(board: Board) -> Board:
    """The board once the turn is over: a homeworld without its owner's ships is an ordinary system."""
    # Rule "Elimination and Winning": its owner is out of the game, his other ships stay.
    lost = [s for s in board.systems if s.home != NOBODY and not s.fleet(s.home)]
    return board.replacing(lost, [s._replace(home=NOBODY) for s in lost], None) if lost else board


def _legal_ends(board: Board, mover: int) -> Iterator[Board]:
    """The boards with which the turn may end once the last action is done."""
    return (after for after in _after_catastrophes(board) if _holds_home(after, mover))


def _can_end(board: Board, mover: int, colour: str, left: int, kept: int | None) -> bool:
    """Whether 0 to `left` further actions of the colour and some catastrophes can make a legal end."""
    stops = _stopping_boards(board, mover, colour, left, kept)
    return any(True for stop in stops for _end in _legal_ends(stop, mover))


def _kept(mover: int, abandoned_home: AbandonedHome) -> int | None:
    """The player whose homeworld may be without any ship during the turn: the mover or, literally, no one."""
    return {"stays": mover, "vanishes": None}[abandoned_home]


def _ends(board: Board, mover: int, abandoned_home: AbandonedHome) -> set[Board]:
    if not _holds_home(board, mover):
        raise ValueError(f"player {mover} has no ship at home: {board.text()!r}")
    kept = _kept(mover, abandoned_home)
    stops: set[Board] = set()
    for _step, after, colour, left in _first_steps(board, mover, kept):
        stops.update(_stopping_boards(after, mover, colour, left, kept))
    return {_settled(end) for stop in stops for end in _legal_ends(stop, mover)}


# ---------------------------------------------------------------- what is compared


def turns(board: Board, mover: int, abandoned_home: AbandonedHome = "stays") -> set[str]:
    """The texts of all boards with which one whole legal turn of the mover can end.

    With ``abandoned_home="stays"`` the mover's homeworld keeps its place while it has no ship during the
    turn; with ``"vanishes"`` it is lost as soon as nobody has a ship there, as any other system is.
    """
    return {end.text() for end in _ends(board, mover, abandoned_home)}


def set_ups(board: Board, mover: int) -> set[str]:
    """The texts of all boards with which the mover's first turn can end."""
    # Rule "Setting Up Your Homeworld": any two markers and any ship the stash can provide.
    if board.home(mover) is not None:
        raise ValueError(f"player {mover} has set up already: {board.text()!r}")
    found = set()
    for markers in combinations_with_replacement(PIECES, 2):
        for piece in PIECES:
            needed = Counter((*markers, piece))
            if all(board.stash[kind] >= number for kind, number in needed.items()):
                home = System(mover, tuple(sorted(markers)), (f"{mover}{piece}",))
                found.add(board.replacing([], [home], None).text())
    return found


def legal_first_steps(board: Board, mover: int, abandoned_home: AbandonedHome = "stays") -> set[Step]:
    """The first steps after which the turn can still end legally; systems are named by their text before.

    ("pass",), ("construct", system, colour), ("trade", system, piece, new colour),
    ("move", system, piece, destination), ("discover", system, piece, marker),
    ("attack", system, owner, piece), ("sacrifice", system, piece).
    """
    kept = _kept(mover, abandoned_home)
    first = _first_steps(board, mover, kept)
    return {step for step, after, colour, left in first if _can_end(after, mover, colour, left, kept)}


def legal_sacrifice_steps(
    board: Board, mover: int, colour: str, left: int, abandoned_home: AbandonedHome = "stays"
) -> set[Step]:
    """The same in the middle of a sacrifice with `left` actions of the colour to go; ("stop",) ends them."""
    kept = _kept(mover, abandoned_home)
    steps: set[Step] = {("stop",)} if _can_end(board, mover, colour, 0, kept) else set()
    if left > 0:
        further = _actions(board, mover, kept, colour)
        steps |= {step for step, after in further if _can_end(after, mover, colour, left - 1, kept)}
    return steps


def legal_catastrophes(board: Board, mover: int) -> set[Step]:
    """After the actions: ("catastrophe", system, colour) for each one the mover may trigger now."""
    return {
        ("catastrophe", system.text(), colour)
        for system in board.systems
        for colour in _overpopulated(system)
        if any(True for _ in _legal_ends(_catastrophe(board, system, colour), mover))
    }


def outcome(before: Board, after: Board, mover: int, alignments: str) -> tuple[str, ...] | None:
    """The players' results ("win" or "lose") if the mover's turn ended the game, otherwise None."""
    # Rule "Elimination and Winning": only a turn that eliminated somebody can end the game.
    if set(before.living) <= set(after.living):
        return None
    if alignments[mover] == "E":
        winners = {mover}
    elif all(alignments[player] == "G" for player in after.living):
        winners = set(after.living)
    else:
        return None
    return tuple("win" if player in winners else "lose" for player in range(after.players))


def next_player(board: Board, mover: int) -> int:
    """The next living player in turn order (the mover again if nobody else lives)."""
    order: list[int] = [*range(mover + 1, board.players), *range(mover + 1)]
    return next(player for player in order if player in board.living)


def perft(board: Board, mover: int, depth: int, abandoned_home: AbandonedHome = "stays") -> int:
    """Count the distinct pairs of board and player to move after exactly `depth` turns.

    Alignments are ignored: dead players are skipped, and play goes on until one player is left. Such a
    board is counted at the depth where it arises and has no turns after it. Equal pairs reached in
    different ways count once.
    """
    level = {(board, mover)}
    for _ in range(depth):
        level = {
            (after, next_player(after, player))
            for here, player in level
            if len(here.living) > 1
            for after in _ends(here, player, abandoned_home)
        }
    return len(level)
