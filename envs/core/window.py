"""A window on the screen for ``render_mode="human"``; every game shows its frames through it."""

import os
import time
from types import ModuleType
from typing import Any

import numpy as np

PYGAME_MISSING = 'drawing needs pygame: pip install "overworlds[render]"'
LONGEST_NAP = 0.03  # seconds between two looks at the window's events
LETTERBOX = (0, 0, 0)


class WindowClosed(Exception):
    """The person at the screen has closed the window."""


def load_pygame() -> ModuleType:
    """Import pygame without its greeting, or say how to install it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as missing:
        raise ImportError(PYGAME_MISSING) from missing
    return pygame


class Window:
    """One resizable window that shows frame after frame.

    When its close button is pressed, the ``show`` that notices and every later one raise
    ``WindowClosed``: whoever closes the window of a running game wants the game to stop, and a loop that
    would rather go on unseen can catch it. After the program's own ``close`` the next ``show`` simply
    opens the window again. Pygame has one window per process, so there is one ``Window`` at a time.
    """

    def __init__(self, title: str):
        self.title = title
        self.is_open = False
        self._closed_by_hand = False
        self._picture: Any = None
        self._due = 0.0

    def show(self, frame: np.ndarray, fps: int) -> None:
        """Show a frame (height × width × 3, uint8) as soon as the one before has had its time.

        Args:
            frame: the picture; it is scaled to the window with its proportions kept.
            fps: how many frames a second to show at most; 0 or less never waits.
        """
        if self._closed_by_hand:
            raise WindowClosed(f"the window {self.title!r} has been closed")
        pygame = load_pygame()
        height, width, _ = frame.shape
        if not self.is_open:
            pygame.display.init()
            pygame.display.set_caption(self.title)
            pygame.display.set_mode((width, height), pygame.RESIZABLE)
            self.is_open = True
        self._listen(pygame)
        while fps > 0 and (left := self._due - time.monotonic()) > 0:
            time.sleep(min(left, LONGEST_NAP))
            self._listen(pygame)
        self._picture = pygame.image.frombuffer(frame.tobytes(), (width, height), "RGB")
        self._paint(pygame)
        self._due = time.monotonic() + (1 / fps if fps > 0 else 0.0)

    def close(self) -> None:
        """Close the window; closing a closed one does nothing."""
        if self.is_open:
            load_pygame().display.quit()
            self.is_open = False
            self._picture = None

    def _listen(self, pygame: ModuleType) -> None:
        """Take the window's events, so that it stays alive, and repaint it where it was resized."""
        events = pygame.event.get()
        if any(event.type == pygame.QUIT for event in events):
            self.close()
            self._closed_by_hand = True
            raise WindowClosed(f"the window {self.title!r} has been closed")
        if any(event.type in (pygame.VIDEORESIZE, pygame.VIDEOEXPOSE) for event in events):
            self._paint(pygame)

    def _paint(self, pygame: ModuleType) -> None:
        """Put the picture in the middle of the window, as large as fits."""
        if self._picture is None:
            return
        screen = pygame.display.get_surface()
        wide, high = screen.get_size()
        width, height = self._picture.get_size()
        scale = min(wide / width, high / height)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        screen.fill(LETTERBOX)
        corner = (wide - size[0]) // 2, (high - size[1]) // 2
        if size == (width, height):
            screen.blit(self._picture, corner)
        else:
            screen.blit(pygame.transform.smoothscale(self._picture, size), corner)
        pygame.display.flip()
