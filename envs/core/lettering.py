"""Text in the pictures of all games: pygame's own font, made smaller and cut to fit."""

from functools import lru_cache
from typing import TYPE_CHECKING

from overworlds.envs.core.window import load_pygame

if TYPE_CHECKING:
    import pygame
else:
    pygame = load_pygame()

SMALLEST_FONT = 9
ELLIPSIS = "…"


@lru_cache(maxsize=64)
def font(size: int) -> "pygame.font.Font":
    """The font in this size, or in the smallest that can be read."""
    pygame.font.init()
    return pygame.font.Font(None, max(SMALLEST_FONT, size))


@lru_cache(maxsize=2048)
def written(
    text: str, size: int, colour: tuple[int, int, int], room: int | None, smallest: int = SMALLEST_FONT
) -> "pygame.Surface":
    """Text in the largest size that fits, and cut where even the smallest does not."""
    while room is not None and size > smallest and font(size).size(text)[0] > room:
        size -= 1
    chosen = font(size)
    if room is not None and chosen.size(text)[0] > room:
        kept = text
        while kept and chosen.size(kept + ELLIPSIS)[0] > room:
            kept = kept[:-1]
        text = kept + ELLIPSIS if kept else ""
    fine = font(2 * size).render(text, True, colour)  # twice as large, for even spacing
    return pygame.transform.smoothscale_by(fine, 0.5)
