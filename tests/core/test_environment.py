"""The environment of every game: what it offers beyond PettingZoo, and what wrong use gets."""

import contextlib
import importlib
import random
import warnings

import numpy as np
import pytest

from overworlds.envs.core.aec import IllegalActionError, OrderError
from overworlds.envs.core.registry import find_game

from .games import EVERY_GAME, EVERY_TABLE, bookkeeping, choose, dealt, illegal_action, make, moments, play_randomly

# ---------------------------------------------------------------- in good order


@EVERY_TABLE
def test_a_game_from_beginning_to_end(game, players):
    env = dealt(game, players, seed=4)
    received = dict.fromkeys(env.possible_agents, 0.0)
    turn = env.turn
    for step in moments(env, seed=4):
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        received[agent] += reward
        over = terminated or truncated
        legal = env.legal_actions()
        if env.returns() is None and not over:
            assert len(legal) > 0
            assert (np.diff(legal) > 0).all()
        assert env.turn >= turn
        turn = env.turn
        if over:
            assert not info["action_mask"].any()
        else:
            assert np.flatnonzero(info["action_mask"]).tolist() == legal.tolist()
            assert np.flatnonzero(observation["action_mask"]).tolist() == legal.tolist()
        if step % 10 == 0:
            for each in env.possible_agents:
                view = env.observe(each)
                assert env.observation_space(each).contains(view)
                if each != agent:
                    assert over or not view["action_mask"].any(), "only the agent to move has choices"
    assert env.returns() == received
    assert env.agents == []
    assert env.legal_actions().size == 0


@EVERY_GAME
def test_returns_are_none_before_the_end_and_stay_after_it(game):
    env = make(game)
    assert env.returns() is None
    env.reset(seed=1)
    assert env.returns() is None
    play_randomly(env, seed=1, steps=5)
    assert env.returns() is None
    play_randomly(env, seed=1)
    final = env.returns()
    assert set(final) == set(env.possible_agents)
    env.reset(seed=1)
    assert env.returns() is None


@EVERY_GAME
def test_names_of_actions_and_back(game):
    env = dealt(game)
    for _ in moments(env, seed=0):
        for action in env.legal_actions()[:5]:
            name = env.action_name(action)
            assert isinstance(name, str)
            assert name
            assert env.action_id(name) == action
    names = [env.action_name(action, "player_0") for action in range(env.action_space("player_0").n)]
    assert len(set(names)) == len(names)


@EVERY_GAME
def test_spaces_are_always_the_same_objects(game):
    env = make(game)
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    env.reset(seed=1)
    again = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    assert all(a is c and b is d for (a, b), (c, d) in zip(spaces, again, strict=True))
    assert len({str(pair) for pair in spaces}) == 1, "all seats have the same spaces, as some trainers want"


@EVERY_GAME
def test_arrays_given_out_are_the_users_own(game):
    """Whatever a user does with an observation or a mask, the game is not changed by it."""
    env, untouched = dealt(game, seed=6), dealt(game, seed=6)
    for _ in range(60):
        agent = env.agent_selection
        legal = untouched.legal_actions()
        for each in env.possible_agents:
            view = env.observe(each)
            view["observation"][:] = 7
            view["action_mask"][:] = 1
            mask = env.infos[each]["action_mask"] if each in env.infos else np.zeros(1)
            with contextlib.suppress(ValueError):  # one that must not be written on is fine, too
                mask[:] = 1
        env.legal_actions()[:] = 3
        assert env.legal_actions().tolist() == legal.tolist()
        waiting = next(other for other in env.possible_agents if other != agent)
        assert not env.observe(waiting)["action_mask"].any()
        env.step(int(legal[0]))
        untouched.step(int(legal[0]))
        while env.agents and env.terminations[env.agent_selection]:
            env.step(None)
            untouched.step(None)
        if not env.agents:
            break
        assert bookkeeping(env) == bookkeeping(untouched)


@EVERY_GAME
def test_actions_may_be_any_kind_of_whole_number(game):
    after = set()
    for kind in (int, np.int8, np.int32, np.int64, np.uint16, lambda n: np.array(n)):
        env = dealt(game)
        before = env.state_bytes()
        env.step(kind(int(env.legal_actions()[0])))
        after.add(env.state_bytes())
    assert len(after) == 1
    assert before not in after


# ---------------------------------------------------------------- illegal actions


@EVERY_GAME
def test_an_illegal_action_ends_the_game_with_a_loss_for_the_offender(game):
    env = dealt(game)
    play_randomly(env, seed=1, steps=7)
    offender, wrong = env.agent_selection, illegal_action(env)
    name = env.action_name(wrong)
    with pytest.warns(UserWarning, match="illegal action") as caught:
        env.step(wrong)
    assert name in str(caught[0].message), "the warning names the action"
    assert caught[0].filename == __file__, "and points to the line that chose it"
    assert env.returns() == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert env.legal_actions().size == 0
    received = {}
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        assert terminated
        assert not info["action_mask"].any()
        received[agent] = reward
        env.step(None)
    assert received == env.returns()
    env.reset(seed=0)
    assert env.returns() is None


@EVERY_GAME
def test_an_illegal_action_can_raise_and_then_nothing_is_changed(game):
    env = dealt(game, illegal="raise")
    play_randomly(env, seed=1, steps=7)
    before = bookkeeping(env)
    wrong = illegal_action(env)
    for _ in range(2):
        with pytest.raises(IllegalActionError, match="illegal action") as error:
            env.step(wrong)
        assert env.action_name(wrong) in str(error.value)
        assert env.agent_selection in str(error.value)
        assert bookkeeping(env) == before
    env.step(int(env.legal_actions()[0]))


@EVERY_GAME
@pytest.mark.parametrize("action", [1.0, "1", None, True, np.True_, [1], np.array([1, 2]), np.float32(1)])
def test_an_action_of_the_wrong_type_raises_at_once(game, action):
    env = dealt(game)
    before = bookkeeping(env)
    with pytest.raises(TypeError, match="an action is a whole number"):
        env.step(action)
    assert bookkeeping(env) == before


@EVERY_GAME
@pytest.mark.parametrize("action", [-1, 10**6, 2**31, 2**32, 2**64, -(2**63), np.int64(2**40)])
def test_an_action_out_of_range_raises_at_once(game, action):
    env = dealt(game)
    before = bookkeeping(env)
    with pytest.raises(ValueError, match="an action is a number from 0 to"):
        env.step(action)
    assert bookkeeping(env) == before


# ---------------------------------------------------------------- out of order

BEFORE_RESET = ["last", "render", "state", "legal_actions", "position", "state_bytes", "replay", "agent_iter"]


@EVERY_GAME
@pytest.mark.parametrize("name", BEFORE_RESET)
def test_calls_before_reset_say_so(game, name):
    with pytest.raises(OrderError, match=r"call reset\(\) before"):
        getattr(make(game), name)()


@EVERY_GAME
def test_calls_with_arguments_before_reset_say_so(game):
    env = make(game)
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), lambda: env.resample(0, 0)):
        with pytest.raises(OrderError, match=r"call reset\(\) before"):
            call()


@EVERY_GAME
@pytest.mark.parametrize("name", ["agents", "agent_selection", "rewards", "terminations", "infos", "num_agents"])
def test_attributes_before_reset_say_so(game, name):
    with pytest.raises(AttributeError, match=r"before reset\(\)"):
        getattr(make(game), name)
    with pytest.raises(AttributeError, match="no attribute 'rewardz'"):
        _ = make(game).rewardz


@EVERY_GAME
def test_a_loop_without_step_is_an_error(game):
    env = dealt(game)
    loop = iter(env.agent_iter())
    next(loop)
    env.last()
    with pytest.raises(OrderError, match=r"call step\(\) once in every round"):
        next(loop)
    env.step(int(env.legal_actions()[0]))
    next(loop)


@EVERY_GAME
def test_a_loop_can_be_limited_and_a_reset_inside_it_is_allowed(game):
    env = dealt(game)
    rounds = 0
    for _ in env.agent_iter(max_iter=10):
        rounds += 1
        if rounds == 5:
            env.reset(seed=1)
        else:
            env.step(int(env.legal_actions()[0]))
    assert rounds == 10


@EVERY_GAME
def test_steps_after_the_end_say_so(game):
    env = dealt(game)
    rng = random.Random(1)
    while env.returns() is None:
        env.step(choose(env, rng))
    with pytest.raises(ValueError, match="its only action now is None"):
        env.step(0)
    play_randomly(env, seed=1)
    with pytest.raises(OrderError, match=r"call reset\(\) to deal the next one"):
        env.step(None)


@EVERY_GAME
def test_unknown_agents_are_named(game):
    env = dealt(game)
    for call in (env.observe, lambda agent: env.action_name(0, agent), lambda agent: env.resample(agent, 0)):
        with pytest.raises(ValueError, match="player_99"):
            call("player_99")
    with pytest.raises(ValueError, match="no action is called 'resign'"):
        env.action_id("resign")


# ---------------------------------------------------------------- making and resetting


@EVERY_GAME
def test_the_viewer_may_change(game):
    env = make(game, render_mode="ansi")
    env.reset(seed=1)
    env.viewer = "player_1"
    assert env.viewer == 1
    assert "seen by player_1" in env.render()
    for wrong in ("player_77", 77, True, 1.0):
        with pytest.raises(ValueError, match="there is no player"):
            env.viewer = wrong
    assert env.viewer == 1
    env.viewer = None
    assert "seen by an onlooker" in env.render()


@EVERY_GAME
def test_wrong_arguments_of_env_say_what_is_allowed(game):
    with pytest.raises(ValueError, match="there is no render mode 'ascii'; did you mean 'ansi'"):
        make(game, render_mode="ascii")
    with pytest.raises(ValueError, match="illegal must be 'terminate' or 'raise'"):
        make(game, illegal="ignore")
    with pytest.raises(ValueError, match="player_77"):
        make(game, viewer="player_77")
    with pytest.raises(ValueError, match="has no rule 'no_such_rule'"):
        make(game, no_such_rule=1)
    with pytest.raises(ValueError, match="players, not 99"):
        make(game, 99)
    for rules in ("talk", 5, [("talk", True)]):
        with pytest.raises(TypeError, match="rules are a dict"):
            make(game, rules=rules)


def test_a_rule_is_not_given_in_two_ways():
    with pytest.raises(ValueError, match="rule 'talk' is given twice: True in rules, and False by keyword"):
        make("homeworlds_v0", rules={"talk": True}, talk=False)
    assert make("homeworlds_v0", rules={"talk": True}, talk=True).variant.values["talk"] is True


@EVERY_GAME
@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True, np.float64(1)])
def test_wrong_seeds_are_refused_and_nothing_is_lost(game, seed):
    env = dealt(game, seed=1)
    play_randomly(env, seed=1, steps=3)
    before = bookkeeping(env)
    with pytest.raises((TypeError, ValueError), match="a seed is a"):
        env.reset(seed=seed)
    assert bookkeeping(env) == before


@EVERY_GAME
@pytest.mark.parametrize("seed", [0, 2**31, 2**32, 2**62, 2**63 - 1, np.int64(5), np.uint64(2**63 - 1)])
def test_all_other_seeds_are_fine(game, seed):
    env = dealt(game, seed=seed)
    play_randomly(env, seed=0, steps=20)
    other = dealt(game, seed=int(seed))
    play_randomly(other, seed=0, steps=20)
    assert env.state_bytes() == other.state_bytes()


@EVERY_GAME
def test_an_unknown_reset_option_is_warned_of(game):
    env = make(game)
    with pytest.warns(UserWarning, match="ignores the reset option 'posision'") as caught:
        env.reset(seed=0, options={"posision": "x"})
    assert caught[0].filename == __file__, "the warning points to the line that gave it"
    before = bookkeeping(env)
    for options in (5, "position", [1]):
        with pytest.raises(TypeError, match="reset options are a dict"):
            env.reset(seed=1, options=options)
    assert bookkeeping(env) == before
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=0, options={})
        env.reset(seed=0, options=None)


@EVERY_GAME
def test_rendering_without_a_mode_warns_and_does_nothing(game):
    env = dealt(game)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


@EVERY_GAME
def test_env_and_raw_env_are_the_same_thing(game):
    module = importlib.import_module(f"overworlds.envs.{game}")
    env, raw = module.env(), module.raw_env()
    assert type(env) is type(raw)
    assert env.unwrapped is env
    assert str(env) == game == env.metadata["name"]
    assert env.metadata["is_parallelizable"] is False
    assert {"human", "rgb_array", "ansi"} <= set(env.metadata["render_modes"])


@EVERY_GAME
def test_facts_are_complete(game):
    facts = find_game(game)
    for name in ("title", "summary", "information", "chance", "utility", "rewards"):
        assert getattr(facts, name)
    assert facts.default_players in facts.players
    for rule in facts.rules:
        assert rule.meaning
        for players in facts.players:
            assert rule.check(rule.default_for(players)) == rule.default_for(players)
