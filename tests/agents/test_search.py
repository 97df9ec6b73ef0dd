"""Tree search: it finds what is there, uses nothing it cannot know, and stays within its means."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from overworlds.agents import Search, SearchSettings, make_agent, make_policy
from overworlds.envs import Policy, Variant, find_game
from overworlds.envs.core.aec import GameEnv
from overworlds.envs.core.kernel import VALUE

from ..homeworlds.tabletop import play, table

GAME = find_game("homeworlds_v0")


def state_of(env):
    return np.frombuffer(env.state_bytes()[-env.variant.state_bytes :], np.uint8).copy()


def middle_of_a_game(players, seed, decisions=40):
    """A position that random players came to."""
    env = GameEnv(Variant(GAME, players), illegal="raise")
    agent = make_agent("random", env.variant, seed)
    while True:
        env.reset(seed)
        for _ in range(decisions):
            if env.returns() is None:
                env.step(agent.act(env))
        if env.returns() is None and not env.terminations[env.agent_selection]:
            return env
        seed += 1000


def searcher(variant, rollout="random", value=None, **settings):
    return Search(variant, make_policy(rollout, variant), SearchSettings(rollout=rollout, **settings), value)


def chosen(env, **settings):
    thought = searcher(env.variant, **{"sims": 400, "cut": 20} | settings).think(state_of(env), 1)
    return env.action_name(thought.choice)


def same(one, other):
    return (
        one.actions.tolist() == other.actions.tolist()
        and one.visits.tolist() == other.visits.tolist()
        and one.values.tolist() == other.values.tolist()
    )


# ---------------------------------------------------------------- what it finds


def test_it_takes_a_homeworld_that_it_can_take():
    env = table("H0:b3+r1|0g3 H1:b2+y1|0r3,1g1 S:g3|0y1,1b2")
    assert chosen(env) == "attack g1 at H1"
    assert play(env, "attack g1 at H1").returns() == {"player_0": 1.0, "player_1": -1.0}


def test_it_parries_when_its_homeworld_would_be_taken():
    # The only ship at home and the intruder are equally large, and both have red: whoever attacks first lives.
    env = table("H0:b3+y1|0r2,1r2 H1:b2+y3|1g3 S:g1|1y1")
    assert chosen(env) == "attack r2 at H0"


@pytest.mark.parametrize("rollout", GAME.kernels.POLICIES)
def test_it_finds_a_win_in_three_decisions_of_one_turn(rollout):
    # A fourth blue piece at H1 lets a catastrophe destroy both stars.
    env = table("H0:r3+y1|0g3 H1:b2+b3|1b1 S:g1|0b3,0y1 S:g2|1g1")
    while env.returns() is None and env.agent_selection == "player_0":
        play(env, chosen(env, rollout=rollout, sims=4000))
    assert env.returns() == {"player_0": 1.0, "player_1": -1.0}


def test_values_are_what_the_searching_seat_gets():
    env = table("H0:b3+r1|0g3 H1:b2+y1|0r3,1g1 S:g3|0y1,1b2")
    thought = searcher(env.variant, sims=500, cut=20).think(state_of(env), 1)
    assert 0.98 < thought.values[0] < 1.0
    assert thought.visits.sum() == thought.sims == 500
    assert -1 <= thought.values.min() <= thought.value <= 1
    assert list(thought.visits) == sorted(thought.visits, reverse=True)
    assert set(thought.actions) <= set(env.legal_actions())


# ---------------------------------------------------------------- what it must not know


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("rollout", GAME.kernels.POLICIES)
def test_hidden_facts_do_not_matter(players, rollout):
    changed = 0
    for seed in range(4):
        env = middle_of_a_game(players, seed, decisions=30)
        seat, state = env.variant.seat(env.agent_selection), state_of(env)
        search = searcher(env.variant, rollout, sims=60, cut=10)
        thought = search.think(state, 7)
        for redrawn in range(6):
            other = state.copy()
            GAME.kernels.resample(env.variant.rules, other, seat, redrawn)
            changed += bool((other.view(GAME.kernels.STATE)[0].evil != state.view(GAME.kernels.STATE)[0].evil).any())
            assert same(thought, search.think(other, 7))
    assert changed >= 4, "alignments were not redrawn, so this shows nothing"


def test_what_it_does_know_matters():
    """Good alone loses by eliminating Good; Evil wins by it."""
    position = "H0:b3+r1|0g3 H1:b2+y1|0r3,1g1 H2:y3+g2|2r3 H3:g3+b1|3y3 S:g3|0y1,1b2"
    evil = table(position, alignments="EGGE", players=4)
    assert chosen(evil, sims=800) == "attack g1 at H1"
    good = table(position, alignments="GGEE", players=4)
    thoughts = [searcher(env.variant, sims=800, cut=20).think(state_of(env), 1) for env in (evil, good)]
    attack = evil.action_id("attack g1 at H1")
    worth = [thought.values[thought.actions == attack] for thought in thoughts]
    assert worth[0] > 0.98 > 0.8 > worth[1]


def test_the_state_is_left_as_it_is():
    env = middle_of_a_game(4, 1)
    state = state_of(env)
    before = state.copy()
    searcher(env.variant, sims=50).think(state, 1)
    assert (state == before).all()


# ---------------------------------------------------------------- its means


def test_the_same_seed_gives_the_same_thought():
    env = middle_of_a_game(3, 2)
    state = state_of(env)
    search = searcher(env.variant, sims=200)
    first = search.think(state, 5)
    assert not same(first, search.think(state, 6))
    assert same(first, search.think(state, 5))
    assert same(first, searcher(env.variant, sims=200).think(state, 5))


@pytest.mark.parametrize("nodes", [1, 2, 7, 50])
def test_a_full_tree_grows_no_more(nodes):
    env = middle_of_a_game(2, 3)
    thought = searcher(env.variant, sims=300, nodes=nodes).think(state_of(env), 1)
    assert thought.nodes == nodes
    assert thought.visits.sum() == thought.sims == 300
    assert set(thought.actions) <= set(env.legal_actions())


def test_a_time_is_kept():
    env = middle_of_a_game(2, 3)
    thought = searcher(env.variant, sims=0, ms=30).think(state_of(env), 1)
    assert 0.03 <= thought.seconds < 3
    assert thought.sims >= 32
    assert thought.sims == thought.visits.sum()
    assert searcher(env.variant, sims=40, ms=60_000).think(state_of(env), 1).sims == 40


def test_a_finished_game_cannot_be_searched():
    env = table("H0:b3+r1|0g3 H1:b2+y1|0r3,1g1")
    play(env, "attack g1 at H1")
    with pytest.raises(ValueError, match="over"):
        searcher(env.variant).think(state_of(env), 0)


def test_a_value_counts_where_games_are_broken_off():
    @numba.njit(VALUE)
    def first_seat_wins(params, rules, state, seat):
        return params[0] if seat == 0 else -params[0]

    env = middle_of_a_game(2, 3, decisions=12)
    sign = 1 if env.agent_selection == "player_0" else -1
    for gain in (0.5, -0.5):
        value = Policy(first_seat_wins, np.full(1, gain, np.float32))
        thought = searcher(env.variant, sims=20, cut=0, value=value).think(state_of(env), 1)
        assert thought.values == pytest.approx(sign * gain, rel=1e-6)
    assert set(searcher(env.variant, sims=20, cut=0).think(state_of(env), 1).values) == {0.0}


CHECKED_RUN = """
from overworlds.agents import make_agent
from overworlds.envs import Variant, find_game
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
for players in (2, 5):
    variant = Variant(find_game("homeworlds_v0"), players)
    for nodes in (3, 1000):
        agent = make_agent(f"search:sims=SIMS,rollout=random,cut=5,nodes={nodes}", variant)
        state = variant.deal(3)
        head = state[:HEADER_BYTES].view(HEADER)[0]
        while head.to_move != OVER and head.ply < PLIES:
            action = agent.choose(state, int(head.ply))
            thought = agent.thought
            print(action, thought.actions.tolist(), thought.visits.tolist(), thought.nodes)
            variant.game.kernels.step(variant.rules, state, action)
print("done")
"""


def run_checked(sims, plies, **environment):
    code = CHECKED_RUN.replace("SIMS", str(sims)).replace("PLIES", str(plies))
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("done\n")
    return done.stdout


def test_nothing_is_read_or_written_out_of_bounds():
    assert run_checked(100, 30, NUMBA_BOUNDSCHECK="1") == run_checked(100, 30)


def test_plain_python_thinks_the_same():
    assert run_checked(12, 5, NUMBA_DISABLE_JIT="1") == run_checked(12, 5)


# ---------------------------------------------------------------- how well it plays


def test_a_little_search_beats_random_play():
    from overworlds.training.evaluate import evaluate_players

    result = evaluate_players(Variant(GAME, 2), "search:sims=20,cut=4", "random", games=20, seed=1)
    assert result.score >= 0.9, result
