"""The brush of the OverPower picture: plates, chips, cards and lettering on a dark table.

This module needs pygame and never a display. It knows how things look; where they go is said by ``render``.
All measures are pixels.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from overworlds.envs.core.lettering import font, written
from overworlds.envs.core.window import load_pygame
from overworlds.envs.overpower import icons
from overworlds.envs.overpower.table import Face

if TYPE_CHECKING:
    import pygame
else:
    pygame = load_pygame()

Rgb = tuple[int, int, int]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""

TYPE_COLOURS: tuple[Rgb, ...] = (
    (240, 196, 48),  # Energy: a yellow starburst
    (214, 62, 58),  # Fighting: a red fist
    (58, 164, 84),  # Strength: a green weight
    (66, 122, 230),  # Intellect: a blue head
    (150, 152, 168),  # Any-Power
)
CLASS_COLOURS: dict[int, Rgb] = {
    icons.POWER: (96, 98, 116),
    icons.BASIC: (156, 104, 52),
    icons.TRAINING: (140, 120, 60),
    icons.TEAMWORK: (44, 124, 132),
    icons.ALLY: (120, 80, 152),
    icons.SPECIAL: (54, 60, 92),
    icons.EVENT: (150, 64, 110),
}
CODE_COLOURS: dict[int, Rgb] = {0: (74, 78, 98), icons.HERO: (42, 84, 146), icons.VILLAIN: (110, 48, 96)}
FELT: Rgb = (20, 24, 34)
PANEL: Rgb = (32, 37, 52)
EDGE: Rgb = (66, 74, 100)
WHITE: Rgb = (248, 248, 252)
TEXT: Rgb = (222, 226, 238)
FAINT: Rgb = (140, 148, 172)
PAPER: Rgb = (238, 234, 222)
INK: Rgb = (24, 24, 34)
GOLD: Rgb = (255, 208, 84)
ALARM: Rgb = (255, 96, 76)
BACK: Rgb = (44, 58, 110)
BACK_LINE: Rgb = (86, 104, 170)
SMALLEST_FONT = 13
DULLNESS = 0.55
NARROW = 88
"""Cards narrower than this have their figure at the bottom, since the band has no room for it."""


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """The colour that is ``share`` of the way from one to the other."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def type_colours(bits: int) -> list[Rgb]:
    """The colours of these power types; grey for none."""
    return [colour for t, colour in enumerate(TYPE_COLOURS) if bits >> t & 1] or [TYPE_COLOURS[-1]]


class Canvas:
    """A picture in the making: things are put on it one after the other, ``frame`` hands it out."""

    def __init__(self, width: int, height: int):
        self.surface = pygame.Surface((width, height), depth=32)
        self.surface.fill(FELT)

    def frame(self) -> np.ndarray:
        """The picture as an array, height × width × 3, uint8."""
        width, height = self.surface.get_size()
        pixels = np.frombuffer(pygame.image.tobytes(self.surface, "RGB"), np.uint8)
        return pixels.reshape(height, width, 3).copy()

    def plate(self, box: Box, fill: Rgb, edge: Rgb | None = None, radius: int = 6, thickness: int = 1) -> None:
        """A rounded plate, with a rim if it has a colour."""
        rect = pygame.Rect(*(round(number) for number in box))
        pygame.draw.rect(self.surface, fill, rect, border_radius=radius)
        if edge is not None:
            pygame.draw.rect(self.surface, edge, rect, thickness, border_radius=radius)

    def stripes(self, box: Box, colours: list[Rgb], edge: Rgb | None = None, thickness: int = 1) -> None:
        """A box in several colours side by side: how a MultiPower card looks."""
        left, top, width, height = box
        share = width / len(colours)
        for number, colour in enumerate(colours):
            right = round(left + (number + 1) * share)
            at = round(left + number * share)
            pygame.draw.rect(self.surface, colour, (at, round(top), right - at, round(height)))
        if edge is not None:
            pygame.draw.rect(self.surface, edge, [round(number) for number in box], thickness)

    def text(
        self, text: str, x: float, y: float, size: int, colour: Rgb, align: str = "left", room: float | None = None
    ) -> float:
        """One line of text, its middle at height ``y``; made smaller, then cut, to fit ``room``. Returns its width."""
        words = written(text, size, colour, None if room is None else int(room), SMALLEST_FONT)
        allowed = room
        while room is not None and allowed is not None and words.get_width() > room:  # even spacing needs a little more
            allowed -= max(1, words.get_width() - room)
            words = written(text, size, colour, int(allowed), SMALLEST_FONT)
        width, height = words.get_size()
        left = {"left": x, "centre": x - width / 2, "right": x - width}[align]
        self.surface.blit(words, (round(left), round(y - height / 2)))
        return width

    def paragraph(self, text: str, box: Box, size: int, colour: Rgb, align: str = "centre") -> None:
        """Text in as many lines as the box has room for: in its middle, or from its upper left corner on."""
        left, top, width, height = box
        lines = wrapped(text, size, width, max(1, int(height // size)))
        is_middle = align == "centre"
        first = top + size / 2 + ((height - len(lines) * size) / 2 if is_middle else 0)
        for number, line in enumerate(lines):
            self.text(line, left + width / 2 if is_middle else left, first + number * size, size, colour, align, width)

    def number(
        self,
        text: str,
        bits: int,
        box: Box,
        size: int,
        edge: Rgb | None = None,
        thickness: int = 1,
        dull: bool = False,
    ) -> None:
        """A figure on the colours of power types, bright or dull; the figure itself is always bright."""
        left, top, width, height = box
        colours = type_colours(bits)
        self.stripes(box, [mix(colour, PANEL, DULLNESS) for colour in colours] if dull else colours, edge, thickness)
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            self.text(text, left + width / 2 + dx, top + height / 2 + 1 + dy, size, INK, "centre", width - 2)
        self.text(text, left + width / 2, top + height / 2 + 1, size, WHITE, "centre", width - 2)

    def card(self, face: Face, box: Box, edge: Rgb = INK, thickness: int = 1) -> None:
        """A card, face up."""
        left, top, width, height = box
        self.plate(box, PAPER, edge, 4, thickness)
        band = CLASS_COLOURS[face.card_class]
        if face.card_class == icons.POWER:
            inner = left + 4, top + 4, width - 8, height - 24
            self.number(face.figure, face.icons, inner, 34)
            self.text(face.title.rpartition(" ")[0], left + width / 2, top + height - 11, 16, INK, "centre", width - 6)
            return
        self.plate((left + 2, top + 2, width - 4, 20), band, None, 3)
        room, size, below = width - 10, 17, 28
        if face.figure and width < NARROW:
            self.number(face.figure, face.icons, (left + 3, top + height - 21, width - 6, 18), 20)
            size, below = 15, 46
        elif face.figure:
            self.number(face.figure, face.icons, (left + width - 30, top + 3, 27, 18), 20)
            room -= 28
        label = face.detail if face.card_class in (icons.SPECIAL, icons.ALLY, icons.EVENT) else face.title
        self.text(label, left + 6, top + 13, 16, WHITE, room=room)
        body = face.title if label == face.detail else face.detail
        self.paragraph(body, (left + 4, top + 24, width - 8, height - below), size, INK)

    def back(self, box: Box) -> None:
        """A card, face down."""
        left, top, width, height = box
        self.plate(box, BACK, INK, 4)
        self.plate((left + 5, top + 5, width - 10, height - 10), BACK, BACK_LINE, 3)
        self.text("?", left + width / 2, top + height / 2 + 1, 26, BACK_LINE, "centre")

    def arrow(self, x: float, y: float, length: float, colour: Rgb) -> None:
        """An arrow to the right, its tail at ``x``."""
        pygame.draw.rect(self.surface, colour, (round(x), round(y - 2), round(length - 8), 5))
        tip = round(x + length)
        pygame.draw.polygon(self.surface, colour, [(tip, round(y)), (tip - 12, round(y - 8)), (tip - 12, round(y + 8))])

    def veil(self, box: Box, colour: Rgb, alpha: int) -> None:
        """Cover a box with something see-through."""
        left, top, width, height = (round(number) for number in box)
        layer = pygame.Surface((width, height), pygame.SRCALPHA)
        pygame.draw.rect(layer, (*colour, alpha), layer.get_rect(), border_radius=6)
        self.surface.blit(layer, (left, top))


@lru_cache(maxsize=1024)
def wrapped(text: str, size: int, width: float, most: int) -> tuple[str, ...]:
    """Text in lines of at most this width; what is left over stays on the last one."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == most or font(2 * size).size(f"{lines[-1]} {word}")[0] <= 2 * width):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
