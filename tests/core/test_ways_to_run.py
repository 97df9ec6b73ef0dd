"""The same source as machine code, as machine code with bounds checks, and as plain Python: the same games."""

import pytest

from overworlds.envs.core.registry import GAMES, find_game

from .fresh import run, traces
from .games import EVERY_GAME
from .trace import trace

COMPILED = {"NUMBA_DISABLE_JIT": None, "NUMBA_BOUNDSCHECK": None}
PLAIN = {"NUMBA_DISABLE_JIT": "1", "NUMBA_BOUNDSCHECK": None}
CHECKED = {"NUMBA_DISABLE_JIT": None, "NUMBA_BOUNDSCHECK": "1"}

OTHER_RULES = {
    "homeworlds_v0": [{"talk": True, "pieces_per_kind": 2}, {"abandoned_home": "vanishes", "shared_win": "divided"}],
    "overpower_v0": [{"deck0": "random:1", "deck1": "weapon_x", "hand_size": 12}, {"events": False, "ko_limit": 40}],
}


def jobs(game: str, seeds: range, decisions: int) -> list[dict]:
    """Games by every policy with all numbers of players, and some under other rules."""
    facts = find_game(game)
    made = [
        {"game": game, "players": players, "seed": seed, "policy": policy, "decisions": decisions}
        for players in facts.players
        for policy in facts.kernels.POLICIES
        for seed in seeds
    ]
    firsts = [job for job in made if job["seed"] == seeds[0]]
    return made + [job | {"rules": rules} for rules in OTHER_RULES.get(game, []) for job in firsts]


@EVERY_GAME
def test_plain_python_plays_the_same_games_without_a_warning(game):
    some = jobs(game, range(1), decisions=70)
    assert traces(some, "-W", "error", **PLAIN) == [trace(**job) for job in some]


@EVERY_GAME
def test_bounds_checks_find_nothing_and_change_nothing(game):
    some = jobs(game, range(2), decisions=300)
    assert traces(some, **CHECKED) == traces(some, **COMPILED)


@pytest.mark.slow
@EVERY_GAME
def test_plain_python_plays_the_same_games_for_long(game):
    some = [job for job in jobs(game, range(10, 16), decisions=1_500) if job["policy"] == "random"]
    some += jobs(game, range(10, 11), decisions=120)  # who thinks takes up to a second for it in plain Python
    assert traces(some, "-W", "error", **PLAIN) == [trace(**job) for job in some]


@pytest.mark.slow
@EVERY_GAME
def test_bounds_checks_find_nothing_for_long(game):
    some = jobs(game, range(100, 200), decisions=5_000)
    assert traces(some, **CHECKED) == traces(some, **COMPILED)


GENERIC = """
import json, sys
import numpy as np
from overworlds.envs import batch, playouts, homeworlds_v0
import gymnasium

game = sys.argv[1]
many = batch(game, 5, seed=3)
for step in range(40):
    many.step(many.random_actions(step))
alone = gymnasium.make("overworlds/" + sys.argv[2], seat=1)
_, info = alone.reset(seed=4)
total = 0
for _ in range(25):
    observation, reward, terminated, truncated, info = alone.step(int(np.flatnonzero(info["action_mask"])[-1]))
    total += int(observation.astype(int).sum())
    if terminated or truncated:
        break
results = playouts(game, "random", 2, seed=5, rotate=True, threads=2)
print(json.dumps([many.states.astype(int).sum(axis=1).tolist(), total, results.decisions.tolist()]))
"""


@EVERY_GAME
def test_batch_playouts_and_gymnasium_view_run_as_plain_python(game):
    name, _, version = game.rpartition("_v")
    arguments = ("-c", GENERIC, game, f"{name.title().replace('_', '')}-v{version}")
    plain = run("-W", "error", *arguments, **PLAIN).stdout
    assert plain == run(*arguments, **COMPILED).stdout


def test_there_are_other_rules_to_try():
    assert set(OTHER_RULES) >= set(GAMES), "add some of the new game's rules"
