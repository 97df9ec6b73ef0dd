"""The games of the collection, found by name and imported when asked for."""

import importlib

from overworlds.envs.core.game import Game, did_you_mean

GAMES = {
    "homeworlds_v0": "overworlds.envs.homeworlds",
    "overpower_v0": "overworlds.envs.overpower",
}
"""Where each game's description, ``GAME``, is."""


def find_game(id: str | Game) -> Game:
    """The description of a game; compiles nothing."""
    if isinstance(id, Game):
        return id
    if id not in GAMES:
        raise ValueError(f"there is no game {id!r}{did_you_mean(id, GAMES)}")
    return importlib.import_module(GAMES[id]).GAME
