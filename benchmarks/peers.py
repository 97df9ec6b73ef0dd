"""The games of other libraries, to measure beside ours. To add one, add a line to `PEERS`."""

import functools
import importlib
import os
import warnings
from typing import Any

from overworlds.benchmarks.play import play_aec, play_openspiel, play_rlcard
from overworlds.benchmarks.stopwatch import Play, Trial, UnavailableError

BENCH_EXTRA = 'pip install "overworlds[bench]" (in a clone: pip install -e ".[bench]")'


def bring(module: str) -> Any:
    """Import a module of the ``bench`` extra."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PettingZoo would rather have its games made by name
            return importlib.import_module(module)
    except ImportError as error:
        raise UnavailableError(f"{error}; install the bench extra: {BENCH_EXTRA}") from error


def pettingzoo_game(name: str) -> Play:
    """A classic game of PettingZoo, wrapped as its ``env()`` wraps it."""
    return play_aec(bring(f"pettingzoo.classic.{name}").env)


def openspiel_game(name: str) -> Play:
    """A game of OpenSpiel."""
    return play_openspiel(bring("pyspiel").load_game(name))


def rlcard_game(name: str) -> Play:
    """A game of RLCard."""
    return play_rlcard(bring("rlcard").make(name, config={"seed": 0}))


def peer(library: str, api: str, play: Any, folder: str, name: str) -> Trial:
    """A line of the table."""
    return Trial(f"{folder}/{name}", api, functools.partial(play, name), library)


PEERS = (
    peer("pettingzoo", "aec", pettingzoo_game, "pettingzoo", "connect_four_v3"),
    peer("pettingzoo", "aec", pettingzoo_game, "pettingzoo", "chess_v6"),
    peer("pettingzoo", "aec", pettingzoo_game, "pettingzoo", "texas_holdem_v4"),
    peer("open_spiel", "python", openspiel_game, "openspiel", "connect_four"),
    peer("open_spiel", "python", openspiel_game, "openspiel", "chess"),
    peer("open_spiel", "python", openspiel_game, "openspiel", "backgammon"),
    peer("open_spiel", "python", openspiel_game, "openspiel", "gin_rummy"),
    peer("rlcard", "python", rlcard_game, "rlcard", "uno"),
)
