"""What a game costs besides time a step: sizes, compiling, importing, memory. Measured in fresh processes."""

import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from overworlds.benchmarks.ours import play_batch, play_own_aec
from overworlds.benchmarks.stopwatch import Play
from overworlds.envs.core.game import Variant
from overworlds.envs.core.registry import find_game

MIB = 2**20
MEMORY_STEPS = 1_000_000
MEMORY_LANES = 1024
IMPORTS = 3
"""Importing is quick and noisy: the best of so many."""

MEMORY_PLAYS: dict[str, Callable[[Variant], Play]] = {
    "batch": lambda variant: play_batch(variant, MEMORY_LANES, 1),
    "aec": play_own_aec,
}

FIRST_GAME = """
import importlib, json, sys, time
begin = time.perf_counter()
import numba
numba_there = time.perf_counter()
env = importlib.import_module("overworlds.envs." + sys.argv[1]).env(players=int(sys.argv[2]))
env.reset(seed=0)
seconds = {"numba": numba_there - begin, "game": time.perf_counter() - numba_there, "cpu": time.process_time()}
print(json.dumps(seconds))
"""

GROWTH = """
import json, sys
from overworlds.benchmarks.footprint import grown_mib
print(json.dumps(grown_mib(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))))
"""


def sizes(variant: Variant) -> dict[str, Any]:
    """What a game with so many players is made of."""
    return {
        "state_bytes": variant.state_bytes,
        "observation_size": variant.observation_size,
        "num_actions": variant.num_actions,
    }


def compile_and_import(variant: Variant) -> dict[str, Any]:
    """Seconds from an imported numba to the first dealt game, with an empty cache and with a full one.

    Compiling takes long, and is measured once: on a busy machine the seconds of the processor tell more.
    """
    with tempfile.TemporaryDirectory(prefix="overworlds-bench-") as cache:
        arguments = FIRST_GAME, variant.game.id, variant.players
        cold = in_fresh_process(*arguments, NUMBA_CACHE_DIR=cache)
        warm = [in_fresh_process(*arguments, NUMBA_CACHE_DIR=cache) for _ in range(IMPORTS)]
    return {
        "cold_compile_seconds": cold["game"],
        "cold_compile_cpu_seconds": cold["cpu"],
        "warm_import_seconds": min(each["game"] for each in warm),
        "numba_import_seconds": min(each["numba"] for each in warm),
    }


def memory_growth(variant: Variant, steps: int = MEMORY_STEPS) -> dict[str, Any]:
    """By how many MiB a process grows over so many steps; None where the machine does not tell."""
    growth = {
        f"memory_growth_{api}_mib": in_fresh_process(GROWTH, variant.game.id, variant.players, api, steps)
        for api in MEMORY_PLAYS
    }
    return {"memory_steps": steps} | growth


def in_fresh_process(code: str, *arguments: Any, **environment: str) -> Any:
    """What this code prints in a new Python."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"a measurement of {arguments[0]} in a new process failed:\n{done.stderr}")
    return json.loads(done.stdout)


def grown_mib(game: str, players: int, api: str, steps: int) -> float | None:
    """By how many MiB this process grows over so many steps, after a tenth of them to make all that is made once."""
    play = MEMORY_PLAYS[api](Variant(find_game(game), players))
    play_on(play, steps // 10)
    before = resident_mib()
    play_on(play, steps)
    after = resident_mib()
    return None if before is None or after is None else after - before


def play_on(play: Play, steps: int) -> None:
    """Play at least so many steps."""
    while steps > 0:
        steps -= next(play)


def resident_mib() -> float | None:
    """The memory this process holds now. (The peak would not do: a process inherits that of its parent.)"""
    gc.collect()
    try:
        import psutil
    except ImportError:
        linux = Path("/proc/self/statm")
        if not linux.exists():
            return None
        return int(linux.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB
    return float(psutil.Process().memory_info().rss / MIB)
