"""Every game is a PettingZoo environment as PettingZoo's own tests want it, and is found in its registry."""

import random
import warnings

import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.test import test_save_obs as save_obs
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from overworlds.envs.core.registry import GAMES

from .games import EVERY_GAME, EVERY_TABLE, bookkeeping, choose, dealt, make, moments, play_randomly


@EVERY_TABLE
def test_api(game, players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*ignores the reset option 'options'")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")  # it is a dict, with the mask
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        api_test(make(game, players), num_cycles=300)


@EVERY_TABLE
def test_seeds(game, players):
    seed_test(lambda: make(game, players), num_cycles=50)


@EVERY_TABLE
def test_rendering(game, players, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("overworlds.envs.core.screen.RENDER_FPS", 0)  # do not wait between the frames
    render_test(lambda render_mode: make(game, players, render_mode=render_mode))


@EVERY_TABLE
def test_state_is_what_all_see_together(game, players):
    env = dealt(game, players)
    for step in moments(env, seed=2):
        if step % 20 == 0:
            assert env.state_space.contains(env.state())
            for row, agent in zip(env.state(), env.possible_agents, strict=True):
                assert (row == env.observe(agent)["observation"]).all()


@EVERY_GAME
def test_saving_observations_as_pictures_is_declined(game, capsys, tmp_path, monkeypatch):
    """They are no pictures: PettingZoo's test must say so, not fail."""
    monkeypatch.chdir(tmp_path)
    save_obs(make(game))
    assert "did not save the observations" in capsys.readouterr().out


@EVERY_GAME
@pytest.mark.slow
def test_performance_benchmark_runs(game, capsys):
    performance_benchmark(make(game))
    assert "turns per second" in capsys.readouterr().out


@EVERY_GAME
def test_the_stock_wrappers_still_fit(game):
    """Nobody needs them here, but whoever stacks them anyway gets the same game."""
    env = make(game)
    wrapped = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(make(game), illegal_reward=-1)))
    env.reset(seed=3)
    wrapped.reset(seed=3)
    rng = random.Random(3)
    for _ in range(200):
        if not env.agents:
            break
        action = choose(env, rng)
        assert wrapped.agent_selection == env.agent_selection
        assert wrapped.last()[1:4] == env.last()[1:4]
        env.step(action)
        wrapped.step(action)
    assert bookkeeping(wrapped.unwrapped) == bookkeeping(env)


@EVERY_GAME
def test_a_loop_as_in_pettingzoos_documentation(game):
    env = make(game)
    env.reset(seed=42)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        rewards[agent] += reward
        if termination or truncation:
            action = None
        else:
            assert (observation["action_mask"] == info["action_mask"]).all(), "the mask is in both places"
            action = env.action_space(agent).sample(info["action_mask"])
        env.step(action)
    assert rewards == env.returns(), "what last() handed out is what returns() says"
    env.close()


@EVERY_TABLE
def test_the_same_seed_gives_the_same_game_whatever_was_played_before(game, players):
    one, other = dealt(game, players, seed=1), dealt(game, players, seed=99)
    play_randomly(other, seed=5, steps=37)
    other.reset(seed=1)
    assert play_randomly(one, seed=2) == play_randomly(other, seed=2)
    assert one.state_bytes() == other.state_bytes()


@EVERY_TABLE
def test_games_without_a_seed_follow_from_the_last_one(game, players):
    one, other = dealt(game, players, seed=1), dealt(game, players, seed=1)
    play_randomly(one, seed=5, steps=11)
    first = one.state_bytes()
    for _ in range(3):
        one.reset()
        other.reset()
        assert one.state_bytes() == other.state_bytes() != first
    assert make(game).reset() is None


@EVERY_GAME
def test_unseeded_games_differ(game):
    deals = set()
    for _ in range(8):
        env = make(game)
        env.reset()
        deals.add(env.state_bytes())
    assert len(deals) == 8


@EVERY_GAME
def test_pettingzoos_registry_has_the_game(game):
    name, _, version = game.rpartition("_v")
    env = pettingzoo.make("aec", f"overworlds/{name}-v{version}", render_mode="ansi")
    env.reset(seed=0)
    assert env.unwrapped.game.id == game
    assert isinstance(env.render(), str)


def test_every_game_is_registered_once():
    assert len({game.rpartition("_v")[0] for game in GAMES}) == len(GAMES)
