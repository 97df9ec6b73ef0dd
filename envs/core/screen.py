"""Rendering, the same for every kind of environment."""

from typing import Any

import gymnasium
import numpy as np

from overworlds.envs.core.game import Variant, did_you_mean

RENDER_MODES = ["human", "rgb_array", "ansi"]
RENDER_FPS = 4


class Screen:
    """Shows a game in a render mode: text for ``ansi``, a picture for ``rgb_array``, a window for ``human``.

    A copy has no window until it shows something.
    """

    def __init__(self, variant: Variant, mode: str | None) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise ValueError(f"there is no render mode {mode!r}{did_you_mean(mode, RENDER_MODES)}")
        self.variant = variant
        self.mode = mode
        self._window: Any = None

    def show(self, state: np.ndarray, viewer: int | None) -> np.ndarray | str | None:
        """Show a state as this seat sees it, or an onlooker if it is None."""
        if self.mode is None:
            gymnasium.logger.warn(f"render() does nothing: make the environment with a render_mode of {RENDER_MODES}")
            return None
        game = self.variant.game
        if self.mode == "ansi":
            return game.ansi(self.variant, state, viewer)
        frame = game.draw(self.variant, state, viewer)
        if self.mode == "rgb_array":
            return frame
        if self._window is None:
            from overworlds.envs.core.window import Window

            self._window = Window(game.title)
        self._window.show(frame, RENDER_FPS)
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}
