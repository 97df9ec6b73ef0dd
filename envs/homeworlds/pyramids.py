"""The brush of the Homeworlds picture: pyramids, plates, emblems and lettering on a dark, starry canvas.

This module needs pygame and never a display. It knows how things look; where they go is said by
``render``. All measures are pixels, all headings degrees clockwise from straight up.
"""

from collections.abc import Callable
from functools import lru_cache
from math import cos, hypot, pi, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from overworlds.envs.core.lettering import font, written
from overworlds.envs.core.window import load_pygame

if TYPE_CHECKING:
    import pygame
else:
    pygame = load_pygame()

Rgb = tuple[int, int, int]
Point = tuple[float, float]
Paint = Callable[["pygame.Surface", int], None]

OVERSAMPLING = 4  # shapes are painted this much larger and scaled down, which smooths their edges
PIECE_COLOURS: dict[str, Rgb] = {
    "r": (222, 50, 58),
    "y": (247, 205, 52),
    "g": (38, 172, 84),
    "b": (56, 116, 236),
}
SEAT_COLOURS: tuple[Rgb, ...] = (
    (244, 244, 250),  # white
    (186, 140, 255),  # violet
    (255, 158, 205),  # pink
    (128, 232, 236),  # ice
    (214, 172, 128),  # sand
    (150, 158, 176),  # steel
)
WHITE: Rgb = (255, 255, 255)
INK: Rgb = (14, 14, 26)
SPACE_TOP: Rgb = (9, 11, 26)
SPACE_BOTTOM: Rgb = (19, 16, 40)
GOOD: Rgb = (255, 122, 150)
EVIL: Rgb = (196, 150, 255)
UNKNOWN: Rgb = (150, 156, 184)
STARS_PER_PIXEL = 1 / 4500


class Canvas:
    """A picture in the making: things are put on it one after the other, ``frame`` hands it out."""

    def __init__(self, width: int, height: int):
        self.surface = _space(width, height).copy()

    def frame(self) -> np.ndarray:
        """The picture as an array, height × width × 3, uint8."""
        width, height = self.surface.get_size()
        pixels = np.frombuffer(pygame.image.tobytes(self.surface, "RGB"), np.uint8)
        return pixels.reshape(height, width, 3).copy()

    def marker(self, piece: str, x: float, base: float, width: float, height: float, lettered: bool = True) -> None:
        """An upright pyramid, the middle of its base at ``x``, the foot of it at ``base``."""
        self._stamp(_marker(piece, round(width), round(height), lettered), x, base - height / 2)

    def ghost(self, x: float, base: float, width: float, height: float, colour: str = "") -> None:
        """The place of a pyramid that is not there; of one of this colour, or of any."""
        self._stamp(_ghost(colour, round(width), round(height)), x, base - height / 2)

    def ship(
        self, piece: str, owner: int, heading: float, base: Point, width: float, length: float, tag: float
    ) -> None:
        """A lying pyramid, the middle of its base at ``base``, behind it its owner's tag of radius ``tag``."""
        sprite = _ship(piece, owner, round(heading), round(width), round(length), round(tag))
        self._stamp(sprite, *base)

    def tag(self, seat: int, x: float, y: float, radius: float) -> None:
        """The disc with a player's colour and number."""
        self._stamp(_tag(seat, round(radius)), x, y)

    def emblem(self, alignment: str | None, x: float, y: float, size: float) -> None:
        """A heart for good, a spade for evil, a question mark for what the viewer does not know."""
        if alignment is None:
            self.text("?", x, y, size * 1.3, UNKNOWN, align="centre")
        else:
            self._stamp(_suit(alignment, round(size)), x, y)

    def glow(self, colour: str, x: float, y: float, radius: float, strength: int) -> None:
        """Light around a point, in the colour of a piece."""
        self._stamp(_glow(PIECE_COLOURS[colour], round(radius), strength), x, y)

    def plate(
        self,
        box: tuple[float, float, float, float],
        fill: tuple[int, int, int, int],
        edge: tuple[int, int, int, int],
        radius: float,
        thickness: float = 1,
    ) -> None:
        """A rounded, see-through plate; ``box`` is left, top, width, height."""
        left, top, width, height = (round(number) for number in box)
        plate = _plate(width, height, fill, edge, round(radius), max(1, round(thickness)))
        self.surface.blit(plate, (left, top), special_flags=pygame.BLEND_PREMULTIPLIED)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: Rgb,
        align: str = "left",
        room: float | None = None,
    ) -> float:
        """One line of text, its middle at height ``y``; made smaller, then cut, to fit ``room``.

        Returns:
            The width that it took.
        """
        words = written(text, round(size), colour, None if room is None else int(room))
        width, height = words.get_size()
        left = {"left": x, "centre": x - width / 2, "right": x - width}[align]
        self.surface.blit(words, (round(left), round(y - height / 2)))
        return width

    def _stamp(self, sprite: "pygame.Surface", x: float, y: float) -> None:
        width, height = sprite.get_size()
        corner = round(x - width / 2), round(y - height / 2)
        self.surface.blit(sprite, corner, special_flags=pygame.BLEND_PREMULTIPLIED)


# --- colours and smooth shapes ---


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """The colour that is ``share`` of the way from one to the other."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _smooth(width: int, height: int, paint: Paint) -> "pygame.Surface":
    """A see-through surface on which ``paint`` works in oversampled pixels."""
    width, height = max(1, width), max(1, height)
    large = pygame.Surface((width * OVERSAMPLING, height * OVERSAMPLING), pygame.SRCALPHA)
    paint(large, OVERSAMPLING)
    return pygame.transform.smoothscale(large.premul_alpha(), (width, height))


def _wash(surface: "pygame.Surface", colour: Rgb, alpha: int, points: list[Point]) -> None:
    """Lay a see-through polygon over what is already painted."""
    layer = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    pygame.draw.polygon(layer, (*colour, alpha), points)
    surface.blit(layer, (0, 0))


def _line(surface: "pygame.Surface", colour: Rgb, alpha: int, ends: tuple[Point, Point], width: float) -> None:
    """Lay a see-through stroke over what is already painted."""
    (x1, y1), (x2, y2) = ends
    length = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (y2 - y1) / length * width / 2, (x1 - x2) / length * width / 2
    _wash(
        surface,
        colour,
        alpha,
        [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)],
    )


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _ink_on(colour: str) -> Rgb:
    """What pips and letters are written with: dark on the light yellow, white on the others."""
    return INK if colour == "y" else WHITE


# --- pyramids ---

MARKER_FRONT = 0.42  # where across the width the nearest corner of an upright pyramid stands
MARKER_DEPTH = 0.13  # how far above its foot the side corners stand, as a share of the height
CLEAR = 246  # how little shines through a pyramid, of 255
PIP, LETTER = 0.055, 0.50  # radius of a pip and size of a letter as shares of the pyramid's width
LEGIBLE_PIP, LEGIBLE_LETTER = 1.7, 13  # they are at least so many pixels
LARGEST_PIP, LARGEST_LETTER = 0.08, 0.56  # but no larger share of the width than this


def _pip_radius(width: int) -> float:
    return max(width * PIP, min(LEGIBLE_PIP, width * LARGEST_PIP))


def _letter_size(width: int) -> float:
    return max(width * LETTER, min(LEGIBLE_LETTER, width * LARGEST_LETTER))


def _letter(surface: "pygame.Surface", letter: str, middle: Point, size: float, ink: Rgb) -> None:
    form = font(round(size)).render(letter, True, ink)
    surface.blit(form, form.get_rect(center=middle))


@lru_cache(maxsize=512)
def _marker(piece: str, width: int, height: int, lettered: bool) -> "pygame.Surface":
    """An upright pyramid, seen from a little above."""

    def paint(surface: "pygame.Surface", zoom: int) -> None:
        wide, high = width * zoom, height * zoom
        body, ink = PIECE_COLOURS[piece[0]], _ink_on(piece[0])
        apex = wide * 0.5, zoom * 0.5
        left, right = (0.0, high * (1 - MARKER_DEPTH)), (float(wide), high * (1 - MARKER_DEPTH))
        front = wide * MARKER_FRONT, high - 1.0
        back = wide * (1 - MARKER_FRONT), high * (1 - 2 * MARKER_DEPTH)
        pygame.draw.polygon(surface, (*mix(body, WHITE, 0.06), CLEAR), [apex, left, front])
        pygame.draw.polygon(surface, (*mix(body, INK, 0.34), CLEAR), [apex, front, right])
        _wash(surface, mix(body, WHITE, 0.7), 56, [apex, left, _between(left, front, 0.36)])
        _wash(surface, mix(body, WHITE, 0.5), 40, [apex, _between(front, right, 0.66), right])
        for corner in (left, right, apex):  # the far edges shine through
            _line(surface, mix(body, WHITE, 0.6), 40, (corner, back), zoom * 0.9)
        _line(surface, mix(body, WHITE, 0.8), 180, (apex, front), zoom * 0.9)
        _line(surface, mix(body, WHITE, 0.6), 120, (left, front), zoom * 0.8)
        _line(surface, mix(body, WHITE, 0.6), 70, (front, right), zoom * 0.8)
        size = int(piece[1])
        for pip in range(size):
            along = 0.48 + 0.23 * (pip - (size - 1) / 2)
            spot = _between(_between(front, right, along), apex, 0.13)
            pygame.draw.circle(surface, ink, spot, _pip_radius(width) * zoom)
        if lettered:
            spot = _between(_between(left, front, 0.62), apex, 0.25)
            _letter(surface, piece[0].upper(), spot, 0.9 * _letter_size(width) * zoom, ink)

    return _smooth(width, height, paint)


@lru_cache(maxsize=64)
def _ghost(colour: str, width: int, height: int) -> "pygame.Surface":
    shade, alpha = (PIECE_COLOURS[colour], 130) if colour else (WHITE, 46)

    def paint(surface: "pygame.Surface", zoom: int) -> None:
        wide, high = width * zoom, height * zoom
        side = high * (1 - MARKER_DEPTH)
        corners = [(wide * 0.5, 2.0), (2.0, side), (wide * MARKER_FRONT, high - 2.0), (wide - 2.0, side)]
        pygame.draw.polygon(surface, (*shade, 10), corners)
        for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
            _line(surface, shade, alpha, (one, other), zoom)
        if colour:
            spot = wide * 0.5, high * (1 - 2.2 * MARKER_DEPTH)
            _letter(surface, colour.upper(), spot, 0.8 * _letter_size(width) * zoom, mix(shade, INK, 0.3))

    return _smooth(width, height, paint)


@lru_cache(maxsize=2048)
def _ship(piece: str, owner: int, heading: int, width: int, length: int, tag: int) -> "pygame.Surface":
    """A lying pyramid on a square surface, the middle of its base at the surface's middle."""
    reach = length + 2 * tag

    def paint(surface: "pygame.Surface", zoom: int) -> None:
        body, ink = PIECE_COLOURS[piece[0]], _ink_on(piece[0])
        turn = radians(heading)

        def at(along: float, across: float) -> Point:
            right, down = along * sin(turn) + across * cos(turn), across * sin(turn) - along * cos(turn)
            return (reach + right) * zoom, (reach + down) * zoom

        base, tip = at(0, 0), at(length, 0)
        lit, shaded = sorted([at(0, -width / 2), at(0, width / 2)])
        pygame.draw.polygon(surface, (*mix(body, WHITE, 0.06), CLEAR), [tip, lit, base])
        pygame.draw.polygon(surface, (*mix(body, INK, 0.30), CLEAR), [tip, shaded, base])
        _wash(surface, mix(body, WHITE, 0.7), 60, [tip, lit, _between(lit, base, 0.42)])
        _wash(surface, mix(body, WHITE, 0.5), 40, [tip, shaded, _between(shaded, base, 0.35)])
        _line(surface, mix(body, WHITE, 0.8), 130, (tip, base), zoom * 0.9)
        _line(surface, SEAT_COLOURS[owner], 255, (lit, shaded), zoom * max(2.0, tag * 0.6))
        letter = _letter_size(width)
        low, high = letter * 0.42 + tag * 0.3, length * 0.80
        _letter(surface, piece[0].upper(), at(low, 0), letter * zoom, ink)
        spacing = 2.9 * _pip_radius(width)
        middle = (low + letter * 0.3 + high) / 2
        for pip in range(int(piece[1])):
            spot = at(middle + spacing * (pip - (int(piece[1]) - 1) / 2), 0)
            pygame.draw.circle(surface, ink, spot, _pip_radius(width) * zoom)
        _disc(surface, owner, at(-tag, 0), tag * zoom)

    return _smooth(2 * reach, 2 * reach, paint)


# --- tags, emblems, light ---


def _disc(surface: "pygame.Surface", seat: int, middle: Point, radius: float) -> None:
    pygame.draw.circle(surface, INK, middle, radius)
    pygame.draw.circle(surface, SEAT_COLOURS[seat], middle, radius * 0.92)
    _letter(surface, str(seat), (middle[0], middle[1] + radius * 0.06), radius * 2.0, INK)


@lru_cache(maxsize=64)
def _tag(seat: int, radius: int) -> "pygame.Surface":
    return _smooth(
        2 * radius,
        2 * radius,
        lambda large, zoom: _disc(large, seat, (radius * zoom, radius * zoom), radius * zoom),
    )


@lru_cache(maxsize=16)
def _suit(alignment: str, size: int) -> "pygame.Surface":
    """A heart, or a spade, which is a heart upside down on a foot."""

    def paint(surface: "pygame.Surface", zoom: int) -> None:
        side = size * zoom
        good = alignment == "good"
        points = []
        for step in range(64):
            t = 2 * pi * step / 64
            x = 16 * sin(t) ** 3
            y = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
            points.append((side / 2 + x * side / 34, side * 0.47 - (y if good else -y * 0.86) * side / 34))
        colour = GOOD if good else EVIL
        pygame.draw.polygon(surface, colour, points)
        if not good:
            foot = [(0.5, 0.45), (0.72, 0.98), (0.28, 0.98)]
            pygame.draw.polygon(surface, colour, [(x * side, y * side) for x, y in foot])

    return _smooth(size, size, paint)


@lru_cache(maxsize=128)
def _glow(colour: Rgb, radius: int, strength: int) -> "pygame.Surface":
    side = 2 * max(1, radius)
    rows, columns = np.indices((side, side)) - (side - 1) / 2
    fall = np.clip(1 - np.hypot(rows, columns) / max(1, radius), 0, 1) ** 2 * strength / 255
    light = np.empty((side, side, 4), np.uint8)
    light[..., :3] = fall[..., None] * np.array(colour)
    light[..., 3] = fall * 255
    return pygame.image.frombuffer(light.tobytes(), (side, side), "RGBA")


@lru_cache(maxsize=512)
def _plate(
    width: int,
    height: int,
    fill: tuple[int, int, int, int],
    edge: tuple[int, int, int, int],
    radius: int,
    thickness: int,
) -> "pygame.Surface":
    plate = pygame.Surface((max(1, width), max(1, height)), pygame.SRCALPHA)
    pygame.draw.rect(plate, edge, plate.get_rect(), border_radius=radius)
    inner = plate.get_rect().inflate(-2 * thickness, -2 * thickness)
    pygame.draw.rect(plate, fill, inner, border_radius=max(0, radius - thickness))
    return plate.premul_alpha()


@lru_cache(maxsize=4)
def _space(width: int, height: int) -> "pygame.Surface":
    """Night, a little lighter below, with stars that are always the same ones."""
    rows = np.linspace(0, 1, height)[:, None, None]
    sky = np.array(SPACE_TOP) * (1 - rows) + np.array(SPACE_BOTTOM) * rows
    sky = np.broadcast_to(sky, (height, width, 3)).copy()
    stars = np.random.default_rng(7)
    for _ in range(round(width * height * STARS_PER_PIXEL)):
        x, y = stars.integers(width), stars.integers(height)
        sky[y, x] += stars.uniform(25, 130) * np.array([0.92, 0.95, 1.0])
    pixels = np.clip(sky, 0, 255).astype(np.uint8)
    space = pygame.Surface((width, height), depth=32)
    space.blit(pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGB"), (0, 0))
    return space
