"""One interface for all players."""

import numba
import numpy as np
import pytest

from overworlds.agents import PolicyAgent, make_agent
from overworlds.envs import Policy, Variant, batch, find_game, homeworlds_v0
from overworlds.envs.core.kernel import POLICY
from overworlds.envs.homeworlds.state import STATE

GAME = find_game("homeworlds_v0")
SPECS = ["random", "search:sims=5,rollout=random,cut=3"]


def play_a_game(env, specs, seed):
    """The usual loop; all actions, and the result."""
    agents = {
        agent: make_agent(spec, env.variant, seed + number)
        for number, (agent, spec) in enumerate(zip(env.possible_agents, specs, strict=True))
    }
    env.reset(seed)
    actions = []
    for agent in env.agent_iter():
        actions.append(agents[agent].act(env))
        env.step(actions[-1])
    return actions, env.returns()


@pytest.mark.parametrize("players", [2, 4])
def test_the_usual_loop_needs_nothing_else(players):
    env = homeworlds_v0.env(players=players, illegal="raise", turn_limit=15)
    specs = (SPECS * players)[:players]
    actions, returns = play_a_game(env, specs, 3)
    assert actions.count(None) == players
    assert returns is not None
    assert (actions, returns) == play_a_game(env, specs, 3)
    assert actions != play_a_game(env, specs, 4)[0]


@pytest.mark.parametrize("spec", SPECS)
def test_batches_get_a_legal_action_for_every_lane(spec):
    games = batch(GAME, 16, players=3, seed=5)
    agent, twin = make_agent(spec, games.variant, 1), make_agent(spec, games.variant, 1)
    for _ in range(60):
        actions = agent.act_batch(games)
        assert actions.dtype == np.int32
        assert actions.tolist() == twin.act_batch(games).tolist()
        games.step(actions)  # refuses what is illegal


@pytest.mark.parametrize("spec", SPECS)
def test_a_player_for_other_rules_is_refused(spec):
    agent = make_agent(spec, Variant(GAME, 2))
    env = homeworlds_v0.env(players=3)
    env.reset(0)
    with pytest.raises(ValueError, match="made for homeworlds_v0 with 2 players"):
        agent.act(env)
    with pytest.raises(ValueError, match="made for homeworlds_v0 with 2 players"):
        agent.act_batch(batch(GAME, 2, players=2, talk=True))


@numba.njit(POLICY)
def peek(params, rules, state, legal, n, seed):
    """A player that looks at everybody's secret alignment."""
    s = state.view(STATE)[0]
    secret = 0
    for player in range(6):
        secret = 2 * secret + s.evil[player]
    return legal[secret % n]


def test_a_policy_that_peeks_sees_nothing():
    variant = Variant(GAME, 4)
    agent = PolicyAgent(variant, Policy(peek, np.zeros(1, np.float32)), "peeker")
    chosen, seen = set(), set()
    for redrawn in range(10):
        state = variant.deal(1)
        variant.game.kernels.resample(variant.rules, state, 0, redrawn)
        ids = np.zeros(variant.num_actions, np.int32)
        n = variant.game.kernels.legal(variant.rules, state, ids)
        seen.add(peek(np.zeros(1, np.float32), variant.rules, state, ids, n, 0))
        chosen.add(agent.choose(state, 9))
    assert len(seen) > 1
    assert len(chosen) == 1
    assert len({agent.choose(state, seed) for seed in range(10)}) > 1


@numba.njit(POLICY)
def cheat(params, rules, state, legal, n, seed):
    """A player that chooses what is not allowed."""
    return 100_000


def test_an_illegal_choice_of_a_policy_reaches_no_kernel():
    variant = Variant(GAME, 2)
    agent = PolicyAgent(variant, Policy(cheat, np.zeros(1, np.float32)), "cheater")
    with pytest.raises(ValueError, match="illegal"):
        agent.choose(variant.deal(1), 1)
