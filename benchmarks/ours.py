"""The ways to play our games, to measure."""

import contextlib
import functools
import importlib
import os
from typing import TYPE_CHECKING

from overworlds.benchmarks.play import play_aec, play_gymnasium
from overworlds.benchmarks.stopwatch import Play, Trial, UnavailableError
from overworlds.envs.core.game import Variant

if TYPE_CHECKING:
    from overworlds.envs.core.batch import Batch

BATCHES = (1, 64, 1024, 4096)
BATCH_OF_ALL_THREADS = 1024
GAMES_A_THREAD = 256
"""So many games are played in one call, which takes some milliseconds."""
LANES_A_YIELD = 1024
"""Small batches are stepped several times before the clock is read."""
GAMES_TO_WARM_UP = 3
"""The lanes of a batch all begin with the first decision of a game. After so many games a lane they have drifted apart,
so that every part of a game is measured as often as it is played."""
MOST_STEPS_TO_WARM_UP = 1000
SCRIPTED = "scripted"
SEARCHES = {
    "search-random": "search:sims=400,rollout=random,value=none,cut=20",
    "search-scripted": "search:sims=400,rollout=scripted,cut=4",
}
"""Simulations from positions in the middle of scripted games; rollouts are broken off."""
POSITIONS = 32
MOVES_TO_THE_MIDDLE = 60
"""Decisions of scripted players, in both sides' opening and their first quarrels."""


def subject_of(variant: Variant) -> str:
    """How a game with so many players is called in the tables."""
    return f"{variant.game.id}[{variant.players}]"


def trials_of(variant: Variant) -> list[Trial]:
    """Everything to measure of a game with so many players."""
    trial = functools.partial(Trial, subject_of(variant))
    cores = os.cpu_count() or 1
    return [
        trial("numba-1", lambda: play_inside(variant, "random", 1)),
        trial("numba-all", lambda: play_inside(variant, "random", cores), threads=cores),
        trial("numba-1-scripted", lambda: play_inside(variant, SCRIPTED, 1)),
        *(trial(f"batch-{lanes}", functools.partial(play_batch, variant, lanes, 1)) for lanes in BATCHES),
        trial(
            f"batch-{BATCH_OF_ALL_THREADS}-all",
            lambda: play_batch(variant, BATCH_OF_ALL_THREADS, cores),
            threads=cores,
        ),
        trial("aec", lambda: play_own_aec(variant)),
        trial("gym", lambda: play_own_gym(variant)),
        *(
            trial(api, functools.partial(play_search, variant, spec), unit="simulations/s")
            for api, spec in SEARCHES.items()
        ),
    ]


def play_inside(variant: Variant, policy: str, threads: int) -> Play:
    """Whole games inside numba, the same policy in all seats."""
    from overworlds.envs.core.playouts import playouts

    if policy not in variant.game.kernels.POLICIES:
        raise UnavailableError(f"{variant.game.id} has no {policy} player")

    def play() -> Play:
        seed = 0
        while True:
            yield int(playouts(variant, policy, GAMES_A_THREAD * threads, seed, threads=threads).decisions.sum())
            seed += 1

    return play()


def play_batch(variant: Variant, lanes: int, threads: int) -> Play:
    """A batch with observations and masks, random legal actions from `Batch.random_actions`."""
    from overworlds.envs.core.batch import Batch

    batch = Batch(variant, lanes, threads=threads)
    try:
        seed = warm_up(batch)
        steps = max(1, LANES_A_YIELD // lanes)
        while True:
            for _ in range(steps):
                batch.step(batch.random_actions(seed))
                seed += 1
            yield steps * lanes
    finally:
        batch.close()


def warm_up(batch: "Batch") -> int:
    """Play until the lanes have drifted apart; the number of steps that took."""
    games = 0
    for step in range(MOST_STEPS_TO_WARM_UP):
        if games >= GAMES_TO_WARM_UP * batch.num_envs:
            return step
        result = batch.step(batch.random_actions(step))
        games += int(result.terminations.sum()) + int(result.truncations.sum())
    return MOST_STEPS_TO_WARM_UP


def play_search(variant: Variant, spec: str) -> Play:
    """Simulations of a tree search, from positions in the middle of scripted games."""
    from overworlds.agents import make_agent
    from overworlds.agents.player import SearchAgent
    from overworlds.envs.core.batch import Batch

    if SCRIPTED not in variant.game.kernels.POLICIES:
        raise UnavailableError(f"{variant.game.id} has no {SCRIPTED} player")
    scripted, searcher = make_agent(SCRIPTED, variant), make_agent(spec, variant)
    assert isinstance(searcher, SearchAgent)
    with contextlib.closing(Batch(variant, POSITIONS)) as batch:
        for _ in range(MOVES_TO_THE_MIDDLE):
            batch.step(scripted.act_batch(batch))
        states = batch.states.copy()
    seed = 0
    while True:
        yield searcher.search.think(states[seed % POSITIONS], seed).sims
        seed += 1


def play_own_aec(variant: Variant) -> Play:
    """The PettingZoo environment, in the same loop as PettingZoo's own."""
    module = importlib.import_module(f"overworlds.envs.{variant.game.id}")
    return play_aec(lambda: module.env(players=variant.players))


def play_own_gym(variant: Variant) -> Play:
    """The Gymnasium view, against random opponents."""
    from overworlds.envs.core.single import SingleAgentEnv

    return play_gymnasium(SingleAgentEnv(variant.game.id, players=variant.players))
