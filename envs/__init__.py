"""The environments of Overworlds.

``from overworlds.envs import homeworlds_v0`` gives a game for PettingZoo, ``batch`` steps many games at once,
``playouts`` plays whole games without Python, and ``Replay`` reads recorded ones. Importing this also makes the games
known to ``pettingzoo.make`` (from PettingZoo 1.27) and ``gymnasium.make``; a game is compiled when it is first made.
"""

import importlib
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from overworlds.envs.core.registry import GAMES

if TYPE_CHECKING:
    from overworlds.envs.core.batch import Batch, BatchStep, batch
    from overworlds.envs.core.game import Game, Policy, Variant
    from overworlds.envs.core.playouts import Playouts, playouts
    from overworlds.envs.core.registry import find_game
    from overworlds.envs.core.replay import Replay

_HOMES = {
    "Batch": "batch",
    "BatchStep": "batch",
    "batch": "batch",
    "Game": "game",
    "Policy": "game",
    "Variant": "game",
    "Playouts": "playouts",
    "playouts": "playouts",
    "find_game": "registry",
    "Replay": "replay",
}
"""Where the public names live; they are imported when first used, because batch and playouts compile."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"overworlds.envs.core.{_HOMES[name]}"), name)
    if name in GAMES:
        return importlib.import_module(f"overworlds.envs.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _register() -> None:
    """Make every game known to PettingZoo and Gymnasium, by name only."""
    for game in GAMES:
        name, _, version = game.rpartition("_v")
        if hasattr(pettingzoo, "register"):
            pettingzoo.register("aec", f"overworlds/{name}-v{version}", f"overworlds.envs.{game}:env")
        gymnasium.register(
            f"overworlds/{name.title().replace('_', '')}-v{version}",
            entry_point="overworlds.envs.core.single:SingleAgentEnv",
            kwargs={"game": game},
            order_enforce=False,  # built in
            disable_env_checker=True,  # a test runs it
        )


_register()

__all__ = [
    "Batch",
    "BatchStep",
    "Game",
    "Playouts",
    "Policy",
    "Replay",
    "Variant",
    "batch",
    "find_game",
    "playouts",
]
