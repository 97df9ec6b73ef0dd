"""A Homeworlds table for the eye: ``ansi`` writes it for a terminal, ``draw`` paints it as pyramids in space.

Both see a ``Table`` and nothing else. Only ``draw`` needs pygame, and it never needs a display; ``plan`` says where
everything lies in the picture.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from overworlds.envs.homeworlds.plan import (
    BODY_TEXT,
    FAR,
    GAP,
    HEADER_HEIGHT,
    MARGIN,
    NATURAL_HEIGHT,
    NATURAL_WIDTH,
    NEAR,
    NOTE_TEXT,
    ROW_GAP,
    ROW_LABEL_WIDTH,
    SEATING,
    STACKED,
    STASH_WIDTH,
    STATEMENT_HEIGHT,
    TITLE_HEIGHT,
    TITLE_TEXT,
    Block,
    Measure,
    Plan,
    roomiest_plan,
    seat_of,
    stacked,
    stacked_height,
)
from overworlds.envs.homeworlds.table import COLOURS, SIZES, System, Table

if TYPE_CHECKING:
    from overworlds.envs.homeworlds.pyramids import Canvas, Rgb

# --- in words, for both kinds of rendering ---


def _alignment(table: Table, seat: int) -> str:
    """What the viewer knows of a player's alignment; ``secret`` is what not everybody knows."""
    known = table.alignments[seat]
    if known is None:
        return "?"
    return known if table.revealed[seat] else f"{known} (secret)"


def _headline(table: Table) -> str:
    """Who decides what, or how the game ended."""
    if table.to_move is None:
        return f"Game over: {table.result or 'no result'}"
    return f"player_{table.to_move}: {table.decision}"


def _onlooker(table: Table) -> str:
    return "seen by an onlooker" if table.viewer is None else f"seen by player_{table.viewer}"


# --- for the terminal ---

TERMINAL_WIDTH = 100
CELL = 23  # systems stand in columns that are a multiple of this wide
LABEL = 8
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BOLD, DIM, REVERSE = "1", "2", "7"
PIECE_CODES = {"r": "91", "y": "93", "g": "92", "b": "94"}
ALIGNMENT_CODES = {"good": "95", "evil": "35"}


@dataclass(frozen=True)
class Pen:
    """Writes words with or without colour."""

    colour: bool

    def write(self, text: str, *codes: str) -> str:
        """The text, in these terminal codes."""
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.colour and codes else text

    def piece(self, piece: str) -> str:
        """A piece as colour and size, such as ``g3``, in its colour."""
        return self.write(piece, PIECE_CODES[piece[0]])


def ansi(table: Table, colour: bool = True) -> str:
    """The table as text for a terminal of 100 columns.

    Args:
        table: what the viewer sees.
        colour: whether to use terminal escape codes; without them nothing but the colour is lost.

    Returns:
        Lines joined by newlines, without one at the end.
    """
    pen = Pen(colour)
    title = f"{pen.write('Homeworlds', BOLD)}   turn {table.turn}   {_onlooker(table)}"
    beside = zip_longest(_stash_lines(table, pen), _player_lines(table, pen), fillvalue="")
    lines = [title, *_folded([pen.write(word, BOLD) for word in _headline(table).split()], "", " "), ""]
    lines += [_pad(stash, CELL) + player for stash, player in beside]
    lines += ["", *_home_lines(table, pen)]
    for size, name in SIZES.items():
        cells = [" ".join(_system_words(system, pen)) for system in table.singles(size)]
        lines += _in_columns(f"{name:<{LABEL}}", cells or [pen.write("-", DIM)])
    return "\n".join(line.rstrip() for line in lines)


def _visible(text: str) -> int:
    return len(ESCAPE.sub("", text))


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _visible(text))


def _folded(words: Iterable[str], label: str, gap: str, width: int = TERMINAL_WIDTH) -> list[str]:
    """Words behind a label, on as many lines as they need."""
    lines, line = [], label
    for word in words:
        joined = word if _visible(line) == _visible(label) else gap + word
        if _visible(line + joined) > width and line != label:
            lines.append(line)
            line, joined = " " * _visible(label), word
        line += joined
    return [*lines, line]


def _in_columns(label: str, cells: list[str]) -> list[str]:
    """Cells behind a label, in columns; a cell too long for a line is folded over several."""
    room = TERMINAL_WIDTH - len(label)
    lines = []
    for is_long, run in groupby(cells, key=lambda cell: _visible(cell) > room):
        if is_long:
            lines += [line for cell in run for line in _folded(cell.split(" "), "", " ", room)]
        else:
            lines += _folded([_pad(cell, -(-(_visible(cell) + 1) // CELL) * CELL - 1) for cell in run], "", " ", room)
    return [(" " * len(label) if number else label) + line for number, line in enumerate(lines)]


def _stash_lines(table: Table, pen: Pen) -> list[str]:
    """The stash as a grid of colours and sizes."""
    lines = [f"{'stash':<{LABEL}}" + "".join(f"{size:>4}" for size in SIZES)]
    for letter, name in COLOURS.items():
        counts = (table.stash[f"{letter}{size}"] for size in SIZES)
        numbers = (pen.write(f"{count:>4}", PIECE_CODES[letter] if count else DIM) for count in counts)
        lines.append(pen.write(f"{name:<{LABEL}}", PIECE_CODES[letter]) + "".join(numbers))
    return lines


def _player_lines(table: Table, pen: Pen) -> list[str]:
    lines = []
    for seat in range(table.players):
        to_move, alive = seat == table.to_move, table.alive[seat]
        name = pen.write(f"player_{seat}", *([REVERSE] if to_move else [BOLD] if alive else [DIM]))
        known = table.alignments[seat]
        words = [
            f"{'>' if to_move else ' '} {name}",
            "alive" if alive else pen.write("out  ", DIM),
            pen.write(f"{_alignment(table, seat):<13}", *([ALIGNMENT_CODES[known]] if known else [])),
            "you" if seat == table.viewer else "   ",
        ]
        said = table.statements[seat]
        quote = f'says "{said}"'.split(" ") if said else []
        lines += _folded(quote, "  ".join(words) + "  ", " ", TERMINAL_WIDTH - CELL)
    return lines


def _system_words(system: System, pen: Pen) -> list[str]:
    """A system's name, markers and ships by owner: ``S4 g1  0:g1 g2  1:y3``."""
    words = [system.name, "+".join(pen.piece(marker) for marker in system.markers) or "-"]
    for owner, fleet in groupby(system.ships, key=lambda ship: ship[0]):
        ships = [pen.piece(piece) for _, piece in fleet]
        words += [" " + pen.write(f"{owner}:", BOLD) + ships[0], *ships[1:]]
    return words


def _home_lines(table: Table, pen: Pen) -> list[str]:
    lines: list[str] = []
    for system in sorted(table.homeworlds(), key=lambda system: system.name):
        former = [] if system.home_of is not None else [pen.write("(former)", DIM)]
        label = f"{'' if lines else 'home':<{LABEL}}"
        lines += _folded([*_system_words(system, pen), *former], label, " ")
    return lines or [f"{'home':<{LABEL}}" + pen.write("-", DIM)]


# --- as a picture ---

SOFT: "Rgb" = (206, 210, 230)
FAINT: "Rgb" = (134, 140, 168)
GOLD: "Rgb" = (255, 212, 112)
OUT: "Rgb" = (240, 110, 110)
NO_EDGE = (255, 255, 255, 0)
PLATE_FILL, PLATE_EDGE = (120, 130, 190, 20), (150, 160, 215, 52)
PANEL_FILL, PANEL_EDGE = (96, 104, 170, 34), (150, 160, 215, 80)
OUT_FILL, OUT_EDGE = (90, 90, 100, 20), (120, 120, 130, 50)
MOVER_EDGE = (*GOLD, 255)
BANNER_FILL = (110, 84, 20, 200)
LANE_FILL = (120, 130, 190, 10)
STARLIGHT = 90  # how bright, of 255
LABEL_ZOOM = 0.65  # size of the pyramids that label the rows


Box = tuple[float, float, float, float]  # left, top, width, height


def draw(table: Table, width: int = NATURAL_WIDTH, height: int = NATURAL_HEIGHT) -> np.ndarray:
    """The table as a picture.

    Args:
        table: what the viewer sees.
        width: width of the frame in pixels.
        height: height of the frame in pixels.

    Returns:
        The frame, height × width × 3, uint8; equal tables give equal frames.
    """
    from overworlds.envs.homeworlds.pyramids import Canvas

    canvas = Canvas(width, height)
    unit = min(width / NATURAL_WIDTH, height / NATURAL_HEIGHT)
    margin, header, stash = MARGIN * unit, HEADER_HEIGHT * unit, STASH_WIDTH * unit
    board_width = width - stash - 3 * margin
    board_height = height - header - 2 * margin
    plan = roomiest_plan(table, unit, board_width, board_height)
    top = header + margin
    far, near = plan.strip_heights
    _paint_header(canvas, table, unit, width)
    _paint_stash(canvas, table, unit, (width - stash - margin, top, stash, board_height))
    _paint_strip(canvas, table, plan, FAR, (margin, top, board_width, far))
    _paint_rows(canvas, plan, (margin, top + far, board_width, board_height - far - near))
    _paint_strip(canvas, table, plan, NEAR, (margin, top + board_height - near, board_width, near))
    return canvas.frame()


def _paint_header(canvas: "Canvas", table: Table, unit: float, width: float) -> None:
    over = table.to_move is None
    box = (0, 0, width, HEADER_HEIGHT * unit)
    canvas.plate(box, BANNER_FILL if over else PANEL_FILL, NO_EDGE, 0)
    middle, margin = HEADER_HEIGHT * unit / 2, MARGIN * unit
    title, body, note = (size * unit for size in (TITLE_TEXT, BODY_TEXT, NOTE_TEXT))
    quiet = SOFT if over else FAINT
    left = 3 * margin + canvas.text("Homeworlds", margin, middle, title, SOFT)
    left += canvas.text(f"turn {table.turn}", left, middle, body, quiet) + 3 * margin
    right = width - margin
    right -= canvas.text(_onlooker(table), right, middle, note, quiet, align="right") + 2 * margin
    if table.to_move is not None:
        canvas.tag(table.to_move, left + body / 2, middle, body / 2)
        left += 1.5 * body
    canvas.text(_headline(table), left, middle, title if over else body, GOLD, room=right - left)


def _paint_stash(canvas: "Canvas", table: Table, unit: float, box: Box) -> None:
    """Every kind as a stack of the pieces that are left, their number below."""
    left, top, width, height = box
    canvas.plate(box, PLATE_FILL, PLATE_EDGE, MARGIN * unit)
    title, note = TITLE_HEIGHT * unit, NOTE_TEXT * unit
    heading = f"Stash  {sum(table.stash.values())}"
    canvas.text(heading, left + width / 2, top + title / 2, BODY_TEXT * unit, SOFT, align="centre")
    column, row = width / len(SIZES), (height - title) / len(COLOURS)
    for number, letter in enumerate(COLOURS):
        base = top + title + (number + 1) * row - 1.4 * note
        for size in SIZES:
            kind, x = f"{letter}{size}", left + (size - 0.5) * column
            count = table.stash[kind]
            _paint_pile(canvas, kind, count, (x, base), Measure(unit, 1.0), row - 1.8 * note)
            canvas.text(f"{count}", x, base + 0.7 * note, note, SOFT if count else FAINT, align="centre")


def _paint_pile(
    canvas: "Canvas", kind: str, count: int, foot: tuple[float, float], measure: Measure, room: float
) -> None:
    """So many equal pyramids on top of each other; only the topmost has a free face to write on."""
    wide, high = measure.marker(kind)
    x, base = foot
    if not count:
        canvas.ghost(x, base, wide, high, kind[0])
    lift = min(STACKED * high, (room - high) / max(1, count - 1))
    for step in range(count):
        canvas.marker(kind, x, base - step * lift, wide, high, lettered=step == count - 1)


def _paint_strip(canvas: "Canvas", table: Table, plan: Plan, side: int, box: Box) -> None:
    """The panels of the players on one side of the table."""
    left, top, width, height = box
    seats, panel = SEATING[table.players][side], plan.panel_widths[side]
    gap = GAP * plan.measure.unit
    left += (width - len(seats) * (panel + gap) + gap) / 2
    for number, seat in enumerate(seats):
        _paint_panel(canvas, table, plan, seat, (left + number * (panel + gap), top, panel, height))


def _paint_panel(canvas: "Canvas", table: Table, plan: Plan, seat: int, box: Box) -> None:
    """A player and his homeworld; the name is on the player's side of it."""
    left, top, width, height = box
    unit, far = plan.measure.unit, seat_of(table.players, seat).side == FAR
    alive, to_move = table.alive[seat], table.to_move == seat
    fill, edge = (PANEL_FILL, PANEL_EDGE) if alive else (OUT_FILL, OUT_EDGE)
    canvas.plate(box, fill, MOVER_EDGE if to_move else edge, MARGIN * unit, 2 * unit if to_move else 1)
    middle, note = left + width / 2, NOTE_TEXT * unit
    title = TITLE_HEIGHT * unit
    talk = STATEMENT_HEIGHT * unit if any(table.statements) else 0.0
    _paint_title(canvas, table, seat, unit, (left, top if far else top + height - title, width, title))
    if said := table.statements[seat]:
        y = top + title + talk / 2 if far else top + height - title - talk / 2
        room = width - 2 * MARGIN * unit
        canvas.text(f"“{said}”", middle, y, note, SOFT, align="centre", room=room)
    if far:
        top += title + talk
    height -= title + talk
    if seat in plan.homes:
        block = plan.homes[seat]
        _paint_block(canvas, block, middle - block.width / 2, top + (height - block.height) / 2, plan.measure)
    else:
        words = "no homeworld yet" if alive else "homeworld lost"
        canvas.text(words, middle, top + height / 2, note, FAINT, align="centre")


def _paint_title(canvas: "Canvas", table: Table, seat: int, unit: float, box: Box) -> None:
    """Number, name and state to the left, alignment to the right."""
    left, top, width, height = box
    middle, pad, note = top + height / 2, MARGIN * unit, NOTE_TEXT * unit
    radius, alive = note / 2, table.alive[seat]
    canvas.tag(seat, left + pad + radius, middle, radius)
    x = left + 1.5 * pad + 2 * radius
    x += canvas.text(f"player_{seat}", x, middle, BODY_TEXT * unit, SOFT if alive else FAINT) + pad
    if seat == table.viewer:
        x += canvas.text("you", x, middle, note, FAINT) + pad
    if not alive:
        x += canvas.text("out", x, middle, note, OUT) + pad
    elif seat == table.to_move:
        x += canvas.text("to move", x, middle, note, GOLD) + pad
    right, known = left + width - pad, table.alignments[seat]
    if known is not None:
        words, room = _alignment(table, seat), right - x - 3 * radius
        right -= canvas.text(words, right, middle, note, SOFT, align="right", room=room) + pad / 2
    canvas.emblem(known, right - radius, middle, 2 * radius)


def _paint_rows(canvas: "Canvas", plan: Plan, box: Box) -> None:
    """The systems that are nobody's homeworld, in rows by the size of their marker."""
    left, top, width, height = box
    unit = plan.measure.unit
    label, gap, note = (n * unit for n in (ROW_LABEL_WIDTH, ROW_GAP, NOTE_TEXT))
    spare = (height - sum(plan.row_heights.values()) - (len(SIZES) + 1) * gap) / len(SIZES)
    for size, name in SIZES.items():
        top += gap
        row = plan.row_heights[size] + spare
        canvas.plate((left, top, width, row), LANE_FILL, NO_EDGE, MARGIN * unit)
        wide, high = Measure(unit, LABEL_ZOOM).marker(f"r{size}")
        middle = top + row / 2
        canvas.ghost(left + label / 2, middle + (high - note) / 2, wide, high)
        canvas.text(name, left + label / 2, middle + high / 2 + 0.2 * note, note, FAINT, align="centre")
        _paint_lines(canvas, plan, plan.rows[size], (left + label, top, width - label, row))
        top += row


def _paint_lines(canvas: "Canvas", plan: Plan, lines: list[list[Block]], box: Box) -> None:
    left, top, width, height = box
    unit, gap = plan.measure.unit, GAP * plan.measure.unit
    y = top + (height - stacked_height(lines, gap)) / 2
    for line in lines:
        tallest = max(block.height for block in line)
        filled = sum(block.width for block in line)
        spread = min(2 * MARGIN * unit, (width - filled) / len(line))
        x = left + (width - filled - spread * len(line) + spread - gap) / 2
        for block in line:
            canvas.plate((x, y, block.width, tallest), PLATE_FILL, PLATE_EDGE, MARGIN * unit)
            _paint_block(canvas, block, x, y + (tallest - block.height) / 2, plan.measure)
            x += block.width + spread
        y += tallest + gap


def _paint_block(canvas: "Canvas", block: Block, left: float, top: float, measure: Measure) -> None:
    """A system's star, the smaller marker on top, and its ships."""
    x, base = left + block.star[0], top + block.star[1]
    markers = stacked(block.system.markers)
    for marker in markers:
        _, height = measure.marker(marker)
        canvas.glow(marker[0], x, base - height / 2, height, STARLIGHT)
    for number, marker in enumerate(markers):
        lift = number * STACKED * measure.marker(markers[0])[1]
        canvas.marker(marker, x, base - lift, *measure.marker(marker))
    canvas.text(block.system.name, x, base + measure.label * 0.6, measure.label, FAINT, align="centre")
    for berth in block.berths:
        middle = left + berth.x, top + berth.y
        canvas.ship(berth.piece, berth.owner, berth.heading, middle, *measure.ship(berth.piece), measure.tag)
