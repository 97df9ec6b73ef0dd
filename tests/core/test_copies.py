"""Copies of a game in progress are the game: cloned, pickled or as bytes, here or in another process."""

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

from overworlds.envs.core.game import Variant
from overworlds.envs.core.registry import find_game

from .games import EVERY_GAME, EVERY_TABLE, bookkeeping, choose, dealt, illegal_action, make, play_randomly

COPIES = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
EVERY_WAY = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def play_together(one, other, seed: int) -> int:
    """Play both to the end with the same choices; everything must be equal at every step. How many steps."""
    rng = random.Random(seed)
    steps = 0
    assert bookkeeping(one) == bookkeeping(other)
    while one.agents:
        action = choose(one, rng)
        one.step(action)
        other.step(action)
        steps += 1
        if steps % 5 == 0 or not one.agents or one.returns() is not None:
            assert bookkeeping(one) == bookkeeping(other)
        else:
            assert one.state_bytes() == other.state_bytes()
    return steps


@EVERY_WAY
@EVERY_TABLE
def test_a_copy_goes_on_like_the_original(game, players, copied):
    for start in (0, 1, 10, 60):
        env = dealt(game, players, seed=start)
        play_randomly(env, seed=start, steps=start)
        if env.agents:
            assert play_together(env, copied(env), seed=start) > 0


@EVERY_WAY
@EVERY_GAME
def test_copies_are_independent(game, copied):
    env = dealt(game, seed=5)
    play_randomly(env, seed=5, steps=20)
    before = bookkeeping(env)
    other = copied(env)
    play_randomly(other, seed=6)
    assert bookkeeping(env) == before
    again = copied(env)
    play_randomly(env, seed=7)
    assert bookkeeping(again) == before


@EVERY_WAY
@EVERY_GAME
def test_copies_of_copies_and_new_games_in_copies(game, copied):
    env = dealt(game, seed=5)
    play_randomly(env, seed=5, steps=9)
    other = copied(copied(env))
    env.reset()
    other.reset()
    assert play_together(env, other, seed=3) > 0


@EVERY_WAY
@EVERY_TABLE
def test_copies_while_agents_step_out(game, players, copied):
    """At the end, and wherever somebody was eliminated, the empty steps are still to come."""
    env = dealt(game, players, seed=2)
    rng = random.Random(2)
    copies = 0
    while env.agents:
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            play_together(copied(env), copied(env), seed=0)
            assert bookkeeping(copied(env)) == bookkeeping(env)
            copies += 1
        env.step(choose(env, rng))
    assert copies >= players
    assert bookkeeping(copied(env)) == bookkeeping(env)


@EVERY_WAY
@EVERY_GAME
def test_copies_after_an_illegal_action(game, copied):
    env = dealt(game)
    with pytest.warns(UserWarning, match="illegal action"):
        env.step(illegal_action(env))
    other = copied(env)
    assert bookkeeping(other) == bookkeeping(env)
    play_together(env, other, seed=0)


@EVERY_WAY
@EVERY_GAME
def test_copies_before_the_first_game_and_with_options(game, copied):
    env = copied(make(game, illegal="raise", render_mode="ansi", viewer=1))
    env.reset(seed=3)
    other = copied(env)
    assert (other.illegal, other.render_mode, other.viewer) == ("raise", "ansi", 1)
    assert other.render() == env.render()
    assert other.replay() == env.replay()


# ---------------------------------------------------------------- bytes


@EVERY_TABLE
def test_bytes_go_on_like_the_original(game, players):
    for start in (0, 1, 10, 60):
        env = dealt(game, players, seed=start)
        play_randomly(env, seed=start, steps=start)
        while env.agents and env.terminations[env.agent_selection]:
            env.step(None)
        if not env.agents:
            continue
        other = make(game, players)
        other.load_state_bytes(env.state_bytes())
        assert play_together(env, other, seed=start) > 0


@EVERY_TABLE
def test_bytes_of_a_finished_game(game, players):
    env = dealt(game, players, seed=1)
    play_randomly(env, seed=1)
    other = make(game, players)
    other.load_state_bytes(env.state_bytes())
    assert other.returns() == env.returns()
    received = {}
    for agent in other.agent_iter():
        _, reward, terminated, truncated, _ = other.last()
        assert terminated or truncated
        received[agent] = reward
        other.step(None)
    assert received == env.returns()


@EVERY_GAME
def test_bytes_can_be_any_buffer(game):
    env = dealt(game, seed=1)
    snapshot = env.state_bytes()
    assert isinstance(snapshot, bytes)
    for kind in (bytes, bytearray, memoryview):
        other = make(game)
        other.load_state_bytes(kind(snapshot))
        assert other.state_bytes() == snapshot


@EVERY_GAME
def test_foreign_and_damaged_bytes_are_refused_and_nothing_is_lost(game):
    env = dealt(game, seed=1)
    play_randomly(env, seed=1, steps=5)
    before = bookkeeping(env)
    snapshot = dealt(game, seed=2).state_bytes()
    facts = find_game(game)
    others = [players for players in facts.players if players != facts.default_players]
    bad = {
        "empty": b"",
        "text": b"hello",
        "cut short": snapshot[:-1],
        "cut shorter": snapshot[:10],
        "too long": snapshot + b"\0",
        "another format": b"OWS0" + snapshot[4:],
        "other rules": snapshot[:4] + bytes(8) + snapshot[12:],
    }
    if others:
        bad["other players"] = dealt(game, others[0]).state_bytes()
    for what, data in bad.items():
        with pytest.raises(ValueError, match="snapshot"):
            env.load_state_bytes(data)
        assert bookkeeping(env) == before, what
    for data in (None, "text", 7, [1, 2]):
        with pytest.raises(TypeError, match="a snapshot is bytes"):
            env.load_state_bytes(data)
    assert bookkeeping(env) == before


@EVERY_GAME
def test_bytes_with_a_wrong_bit_are_refused(game):
    """A kernel that is given an impossible state writes where it must not, so damage must be noticed before."""
    env = dealt(game, seed=1)
    snapshot = env.state_bytes()
    before = bookkeeping(env)
    rng = np.random.default_rng(0)
    for place in rng.choice(len(snapshot), 50, replace=False):
        damaged = bytearray(snapshot)
        damaged[place] ^= 1 << int(rng.integers(8))
        with pytest.raises(ValueError, match="snapshot"):
            env.load_state_bytes(bytes(damaged))
        assert bookkeeping(env) == before


# ---------------------------------------------------------------- in another process

CONTINUE = """
import pickle, random, sys
env = pickle.load(sys.stdin.buffer)
rng = random.Random(9)
while env.agents:
    over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
    env.step(None if over else int(rng.choice(env.legal_actions().tolist())))
sys.stdout.buffer.write(env.state_bytes())
"""


@EVERY_GAME
def test_a_pickle_goes_on_in_another_process(game):
    env = dealt(game, seed=8)
    play_randomly(env, seed=8, steps=30)
    done = subprocess.run([sys.executable, "-c", CONTINUE], input=pickle.dumps(env), capture_output=True, check=True)
    play_randomly(env, seed=9)
    assert done.stdout == env.state_bytes()


@EVERY_GAME
def test_games_and_variants_are_pickled_by_name(game):
    facts = find_game(game)
    assert pickle.loads(pickle.dumps(facts)) is facts
    variant = Variant(facts, facts.players[-1])
    again = pickle.loads(pickle.dumps(variant))
    assert again.digest == variant.digest
    assert again.values == variant.values
