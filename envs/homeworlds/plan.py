"""Where everything lies in the picture of a Homeworlds table, and how large it is.

The players sit along the far (upper) and the near (lower) edge, clockwise from the near side, and every ship points
away from its owner. Between them lie the other systems in three rows by the size of their marker, since size decides
what is connected. The more lies on the table, the smaller it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians, sin

from overworlds.envs.homeworlds.table import SIZES, System, Table

# --- how large, and who sits where ---

SEATING: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    2: ((1,), (0,)),
    3: ((1, 2), (0,)),
    4: ((1, 2), (0, 3)),
    5: ((1, 2, 3), (0, 4)),
    6: ((2, 3, 4), (1, 0, 5)),
}
"""Who sits on the far and who on the near side, from left to right."""
FAR, NEAR = 0, 1

# Measures in pixels of a frame of natural size; other frames scale them by their unit.
NATURAL_WIDTH, NATURAL_HEIGHT = 1200, 800
MARGIN, GAP, ROW_GAP = 12, 8, 10
HEADER_HEIGHT, STASH_WIDTH, ROW_LABEL_WIDTH, PANEL_WIDTH = 44, 176, 66, 520
TITLE_HEIGHT, STATEMENT_HEIGHT = 32, 22
NO_HOME_HEIGHT, ROW_HEIGHT = 56, 68  # where nothing lies
TITLE_TEXT, BODY_TEXT, NOTE_TEXT = 30, 24, 20
SHIP_WIDTHS, SHIP_LENGTHS = (21, 29, 37), (36, 50, 64)
MARKER_WIDTHS, MARKER_HEIGHTS = (29, 38, 47), (37, 49, 61)
TAG_RADIUS, TAG_LEAST = 7, 3

STACKED = 0.42  # how far up the lower marker of a binary star the upper one sits
LEAN = 24  # degrees by which the ships of players at a corner lean inwards
ZOOMS = tuple(1.5 * 0.96**step for step in range(60))  # sizes of the pieces to try, largest first
FACING_ZOOM = 0.95  # pieces are at least this large, or the two sides need not face each other
ABREAST_ZOOM = 1.2  # and then they are at most this large


def stacked(markers: tuple[str, ...]) -> list[str]:
    """A star's markers from the lowest to the highest: the smaller one goes on top."""
    return sorted(markers, key=lambda marker: -int(marker[1]))


@dataclass(frozen=True)
class Seat:
    """Where a player sits, and so which way his ships point, in degrees clockwise from straight up."""

    side: int
    column: int
    heading: float


@lru_cache
def seat_of(players: int, player: int) -> Seat:
    """The seat of a player in a game of so many."""
    side = FAR if player in SEATING[players][FAR] else NEAR
    neighbours = SEATING[players][side]
    column = neighbours.index(player)
    inwards = LEAN * (1 - 2 * column / (len(neighbours) - 1)) if len(neighbours) > 1 else 0.0
    return Seat(side, column, 180 - inwards if side == FAR else inwards)


@dataclass(frozen=True)
class Measure:
    """How large things are: the frame gives the ``unit``, the crowd on the table the ``zoom`` of its pieces."""

    unit: float
    zoom: float

    def ship(self, piece: str) -> tuple[float, float]:
        """Width and length of a ship."""
        size, scale = int(piece[1]) - 1, self.unit * self.zoom
        return SHIP_WIDTHS[size] * scale, SHIP_LENGTHS[size] * scale

    def marker(self, piece: str) -> tuple[float, float]:
        """Width and height of a system marker."""
        size, scale = int(piece[1]) - 1, self.unit * self.zoom
        return MARKER_WIDTHS[size] * scale, MARKER_HEIGHTS[size] * scale

    def star(self, markers: tuple[str, ...]) -> tuple[float, float]:
        """Width and height of a star's markers, stacked."""
        sizes = [self.marker(marker) for marker in stacked(markers)] or [self.marker("r1")]
        lift = STACKED * sizes[0][1]
        return sizes[0][0], max(number * lift + height for number, (_, height) in enumerate(sizes))

    @property
    def tag(self) -> float:
        """Radius of an owner's tag, which shrinks less than the ships, to stay legible."""
        return self.unit * (TAG_LEAST + (TAG_RADIUS - TAG_LEAST) * min(1.0, self.zoom))

    @property
    def gap(self) -> float:
        """Space between neighbours in a system."""
        return self.unit * GAP * min(1.0, self.zoom)

    @property
    def label(self) -> float:
        """Size of a system's name, which shrinks less than the pieces too."""
        return self.unit * NOTE_TEXT * min(1.0, (1 + self.zoom) / 2)


# --- what lies where ---


@dataclass(frozen=True)
class Berth:
    """Where a ship lies: ``x``, ``y`` is the middle of its base, seen from the corner of its rank or block."""

    owner: int
    piece: str
    heading: float
    x: float
    y: float


@dataclass(frozen=True)
class Rank:
    """Ships side by side, their bases in line, all of players on one side of the table."""

    berths: tuple[Berth, ...]
    width: float
    height: float


@dataclass(frozen=True)
class Block:
    """One system laid out: its star to the left, its ships to the right of it."""

    system: System
    star: tuple[float, float]
    """The middle of the foot of its markers."""
    berths: tuple[Berth, ...]
    width: float
    height: float


@dataclass(frozen=True)
class Plan:
    """The whole table laid out for a frame; pairs are for the far and the near side."""

    measure: Measure
    homes: dict[int, Block]
    panel_widths: tuple[float, ...]
    strip_heights: tuple[float, ...]
    rows: dict[int, list[list[Block]]]
    row_heights: dict[int, float]
    height: float


def roomiest_plan(table: Table, unit: float, width: float, height: float) -> Plan:
    """The plan with the largest pieces that keeps within the frame."""
    for zoom, abreast in _manners():
        plan = _plan(table, Measure(unit, zoom), abreast, width)
        if plan.height <= height:
            break
    return plan


def _manners() -> Iterator[tuple[float, bool]]:
    """The ways to lay out a table from the finest on: how large, and whether foes may lie side by side."""
    yield from ((zoom, False) for zoom in ZOOMS if zoom >= FACING_ZOOM)
    for zoom in ZOOMS:
        if zoom < FACING_ZOOM:
            yield zoom, False
        if zoom <= ABREAST_ZOOM:
            yield zoom, True


def _plan(table: Table, measure: Measure, abreast: bool, width: float) -> Plan:
    unit, gap = measure.unit, measure.unit * GAP
    sides = SEATING[table.players]
    shares = [(width + gap) / len(side) - gap for side in sides]
    homes = {}
    for system in table.homeworlds():
        seat = int(system.name[1:])
        share = shares[seat_of(table.players, seat).side]
        homes[seat] = _block(system, table.players, measure, abreast, share)
    panel_widths, strip_heights = [], []
    title = (TITLE_HEIGHT + (STATEMENT_HEIGHT if any(table.statements) else 0)) * unit
    for side, share in zip(sides, shares, strict=True):
        blocks = [homes[seat] for seat in side if seat in homes]
        panel_widths.append(max([min(PANEL_WIDTH * unit, share), *(block.width for block in blocks)]))
        strip_heights.append(title + gap + max([NO_HOME_HEIGHT * unit, *(block.height for block in blocks)]))
    room = width - (ROW_LABEL_WIDTH + GAP) * unit
    rows = {}
    for size in SIZES:
        blocks = [_block(system, table.players, measure, abreast, room) for system in table.singles(size)]
        rows[size] = _flow(blocks, room, gap)
    row_heights = {s: max(ROW_HEIGHT * unit, stacked_height(lines, gap) + gap) for s, lines in rows.items()}
    height = sum(strip_heights) + sum(row_heights.values()) + (len(SIZES) + 1) * ROW_GAP * unit
    return Plan(measure, homes, tuple(panel_widths), tuple(strip_heights), rows, row_heights, height)


def stacked_height(lines: list[list[Block]], gap: float) -> float:
    """The height of lines of systems, one below the other."""
    return sum(max(block.height for block in line) for line in lines) + gap * max(0, len(lines) - 1)


def _flow(blocks: list[Block], room: float, gap: float) -> list[list[Block]]:
    """Blocks in lines that keep within the room."""
    lines: list[list[Block]] = []
    for block in blocks:
        if lines and sum(other.width + gap for other in lines[-1]) + block.width <= room:
            lines[-1].append(block)
        else:
            lines.append([block])
    return lines


@lru_cache(maxsize=8192)
def _block(system: System, players: int, measure: Measure, abreast: bool, room: float) -> Block:
    star_width, star_height = measure.star(system.markers)
    pad = measure.gap
    left = pad + star_width + 2 * pad
    ranks: list[Rank] = []
    for side in (FAR, NEAR):
        ships = [ship for ship in system.ships if seat_of(players, ship[0]).side == side]
        ships.sort(key=lambda ship: (seat_of(players, ship[0]).column, -int(ship[1][1]), ship[1]))
        ranks += _ranks(ships, players, measure, room - left - pad)
    fleet = _side_by_side(ranks, 2 * pad) if abreast else _one_below_the_other(ranks, pad)
    if abreast and fleet.width > room - left - pad:
        fleet = _one_below_the_other(ranks, pad)
    width = left + fleet.width + pad if ranks else star_width + 2 * pad
    column = star_height + measure.label
    height = max(column, fleet.height) + 2 * pad
    down = (height - fleet.height) / 2
    berths = tuple(replace(berth, x=left + berth.x, y=down + berth.y) for berth in fleet.berths)
    star = pad + star_width / 2, (height - column) / 2 + star_height
    return Block(system, star, berths, width, height)


def _one_below_the_other(ranks: list[Rank], gap: float) -> Rank:
    berths: list[Berth] = []
    top = 0.0
    for rank in ranks:
        berths += (replace(berth, y=top + berth.y) for berth in rank.berths)
        top += rank.height + gap
    return Rank(tuple(berths), max((rank.width for rank in ranks), default=0.0), max(0.0, top - gap))


def _side_by_side(ranks: list[Rank], gap: float) -> Rank:
    berths: list[Berth] = []
    left, height = 0.0, max((rank.height for rank in ranks), default=0.0)
    for rank in ranks:
        down = (height - rank.height) / 2
        berths += (replace(berth, x=left + berth.x, y=down + berth.y) for berth in rank.berths)
        left += rank.width + gap
    return Rank(tuple(berths), max(0.0, left - gap), height)


def _ranks(ships: list[tuple[int, str]], players: int, measure: Measure, room: float) -> list[Rank]:
    """As many ranks as it takes to keep within the room."""
    ranks: list[Rank] = []
    waiting: list[tuple[int, str]] = []
    for ship in ships:
        if waiting and _rank([*waiting, ship], players, measure).width > room:
            ranks.append(_rank(waiting, players, measure))
            waiting = []
        waiting.append(ship)
    return [*ranks, _rank(waiting, players, measure)] if waiting else ranks


def _rank(ships: list[tuple[int, str]], players: int, measure: Measure) -> Rank:
    spots: list[tuple[int, str, float]] = []
    edge = tips = tails = 0.0
    for owner, piece in ships:
        width, length = measure.ship(piece)
        heading = radians(seat_of(players, owner).heading)
        across, ahead = abs(cos(heading)), sin(heading)
        left = max(width / 2 * across, -length * ahead, measure.tag * (1 + ahead))
        right = max(width / 2 * across, length * ahead, measure.tag * (1 - ahead))
        if spots and spots[-1][0] == owner:  # parallel ships may lie close
            beside = measure.ship(spots[-1][1])[0]
            x = spots[-1][2] + max((beside + width) / 2 / across + measure.gap / 2, 2 * measure.tag)
        else:
            x = edge + left + (measure.gap if spots else 0.0)
        spots.append((owner, piece, x))
        edge = max(edge, x + right)
        tips = max(tips, length * across)
        tails = max(tails, width / 2 * abs(ahead), measure.tag * (1 + across))
    y = tails if seat_of(players, ships[0][0]).side == FAR else tips
    berths = tuple(Berth(who, piece, seat_of(players, who).heading, x, y) for who, piece, x in spots)
    return Rank(berths, edge, tips + tails)
