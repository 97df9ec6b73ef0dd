"""Positions near the ends of games: they are what they say they are, and learners begin there."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from overworlds.envs import Variant, find_game
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
from overworlds.training.endings import endings
from overworlds.training.opponents import OpponentPool
from overworlds.training.vecenv import SelfPlayVecEnv

THREE = Variant(find_game("homeworlds_v0"), 3)
FURTHEST = 9


@pytest.fixture(scope="module")
def late():
    return endings(THREE, THREE.game.policy("scripted"), games=20, furthest=FURTHEST, seed=3, noise=0.1)


def heads(states):
    return states[:, :HEADER_BYTES].view(HEADER)[:, 0]


def test_positions_come_from_turns_before_somebody_won(late):
    assert len(late.states) > 60
    assert (np.diff(late.turns_left) >= 0).all()
    assert set(late.turns_left) == set(range(FURTHEST + 1))
    assert (heads(late.states)["to_move"] != OVER).all()
    assert (heads(late.states)["returns"][np.arange(len(late.winners)), late.winners] == 0).all()
    assert late.within(0) == (late.turns_left == 0).sum() > 0
    assert late.within(FURTHEST) == len(late.states)


def test_a_position_of_the_last_turn_can_be_won_in_that_turn(late):
    kernels, scripted, ids = THREE.game.kernels, THREE.game.policy("scripted"), np.zeros(THREE.num_actions, np.int32)
    won = []
    for row in range(late.within(0)):
        state, winner = late.states[row].copy(), int(late.winners[row])
        head = state[:HEADER_BYTES].view(HEADER)[0]
        mover, turn = int(head.to_move), int(head.turn)
        while head.to_move == mover and head.turn == turn:
            n = kernels.legal(THREE.rules, state, ids)
            action = scripted.kernel(scripted.params, THREE.rules, state, ids, n, 7)
            kernels.step(THREE.rules, state, action)
        won.append(head.returns[winner] > 0)
    assert np.mean(won) > 0.8, "the scripted player takes wins; a few were made by a random move"


def test_the_same_seed_gives_the_same_positions_whatever_the_threads(late):
    again = endings(THREE, THREE.game.policy("scripted"), games=20, furthest=FURTHEST, seed=3, noise=0.1, threads=2)
    assert all((one == two).all() for one, two in zip(late, again, strict=True))


def test_games_begin_there_and_the_learner_is_often_the_winner(late):
    env = SelfPlayVecEnv(THREE, 400, OpponentPool(THREE, {"random": 1.0}), seed=1)
    env.reset()
    assert heads(env.states)["turn"].max() <= 3, "from the beginning, as long as nobody says otherwise"
    env.begin_late(late, share=0.5, turns=4)
    env.reset()
    began = heads(env.states)["turn"] > 6
    assert 140 < began.sum() < 260
    assert (heads(env.states)["seed"][began] == np.arange(401, 801)[began]).sum() > began.sum() * 0.9, "their own seeds"
    assert (heads(env.states)["to_move"] == env.lanes["learner"]).all()
    env.begin_late(late, share=1.0, turns=0)
    env.reset()
    movers = {state.tobytes()[HEADER_BYTES:]: winner for state, winner in zip(late.states, late.winners, strict=True)}
    known = [movers.get(state.tobytes()[HEADER_BYTES:]) for state in env.states]
    same = [
        winner == learner for winner, learner in zip(known, env.lanes["learner"], strict=True) if winner is not None
    ]
    assert len(same) > 200, "the learner moves first in these"
    assert np.mean(same) > 0.5
