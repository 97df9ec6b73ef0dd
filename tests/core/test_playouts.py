"""Playouts inside numba are the same games that a Python loop plays."""

import numba
import numpy as np
import pytest

from overworlds.envs import Policy, Variant, find_game, playouts
from overworlds.envs.core.kernel import POLICY, RNG, kernel
from overworlds.envs.core.rng import draw_seed, mix, seed_rng

from .games import EVERY_GAME, EVERY_TABLE, make

FIELDS = ("returns", "decisions", "turns", "truncated")


def same(one, other, rows: int | None = None) -> bool:
    return all(np.array_equal(getattr(one, name)[:rows], getattr(other, name)) for name in FIELDS)


@kernel(POLICY)
def play_the_first(params, rules, state, legal, n, seed):
    """The first legal action."""
    return legal[0]


@kernel(POLICY)
def play_by_params(params, rules, state, legal, n, seed):
    """The first legal action as often as the parameters say, else any."""
    return legal[0] if seed % 100 < 100 * params[0] else legal[seed % n]


@kernel(POLICY)
def cheat(params, rules, state, legal, n, seed):
    """An action that may not be legal."""
    return -1


def by_hand(game: str, players: int, policies: list[str], number: int, seed: int, rotate: bool):
    """The game of this number, played by an environment in a Python loop."""
    env = make(game, players)
    game_seed = int(mix(seed, number))
    env.reset(seed=game_seed)
    rng = np.zeros(1, RNG)[0]
    seed_rng(rng, mix(game_seed, 1))
    shift = number % players if rotate else 0
    decisions = 0
    while env.returns() is None:
        seat = env.possible_agents.index(env.agent_selection)
        legal = env.legal_actions()
        policy = env.game.policy(policies[(seat - shift) % players])
        action = policy.kernel(policy.params, env.variant.rules, env._state, legal, len(legal), int(draw_seed(rng)))
        env.step(int(action))
        decisions += 1
        while env.returns() is None and env.terminations[env.agent_selection]:
            env.step(None)
    final = list(env.returns().values())
    truncated = any(env.truncations.values())
    return [final[(policy + shift) % players] for policy in range(players)], decisions, env.turn, truncated


@EVERY_TABLE
@pytest.mark.parametrize("rotate", [False, True])
def test_playouts_equal_a_python_loop(game, players, rotate):
    names = list(find_game(game).kernels.POLICIES)
    policies = [names[seat % len(names)] for seat in range(players)]
    results = playouts(game, policies, 3, seed=11, players=players, rotate=rotate, threads=1)
    for number in range(3):
        returns, decisions, turns, truncated = by_hand(game, players, policies, number, 11, rotate)
        assert results.returns[number].tolist() == pytest.approx(returns)
        assert (results.decisions[number], results.turns[number]) == (decisions, turns)
        assert results.truncated[number] == truncated


@EVERY_TABLE
def test_playouts_do_not_depend_on_threads_or_their_number(game, players):
    every = playouts(game, "random", 150, seed=3, players=players, threads=1)
    assert same(every, playouts(game, "random", 150, seed=3, players=players, threads=2))
    assert same(every, playouts(game, "random", 70, seed=3, players=players, threads=3), rows=70)
    assert not same(every, playouts(game, "random", 150, seed=4, players=players))


@EVERY_GAME
def test_rotation_moves_policies_to_other_seats(game):
    """The first policy does something else than the others, so it matters where it sits."""
    facts = find_game(game)
    players = facts.players[0]
    first = Policy(play_the_first, np.zeros(1, np.float32))
    policies = [first] + ["random"] * (players - 1)
    fixed = playouts(game, policies, 40, seed=1, players=players)
    rotated = playouts(game, policies, 40, seed=1, players=players, rotate=True)
    at_home = np.arange(40) % players == 0
    assert np.array_equal(fixed.decisions[at_home], rotated.decisions[at_home])
    assert not np.array_equal(fixed.decisions[~at_home], rotated.decisions[~at_home])


@EVERY_GAME
def test_policies_get_their_own_parameters(game):
    facts = find_game(game)
    players = facts.players[0]

    def first(share):
        return Policy(play_by_params, np.array([share], np.float32))

    always = playouts(game, first(1.0), 5, players=players)
    assert same(always, playouts(game, Policy(play_the_first, np.zeros(1, np.float32)), 5, players=players))
    assert same(playouts(game, first(0.0), 5, players=players), playouts(game, "random", 5, players=players))
    assert not same(always, playouts(game, [first(1.0)] + [first(0.0)] * (players - 1), 5, players=players))


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compiled kernels only")
@EVERY_GAME
def test_a_policy_that_cheats_is_caught(game):
    with pytest.raises(ValueError, match="a policy chose an illegal action"):
        playouts(game, Policy(cheat, np.zeros(1, np.float32)), 5)


@EVERY_GAME
def test_variants_and_progress(game):
    facts = find_game(game)
    variant = Variant(facts, facts.players[-1])
    done = []
    results = playouts(variant, "random", 130, progress=done.append, threads=2)
    assert sum(done) == 130
    assert results.returns.shape == (130, facts.players[-1])
    assert same(results, playouts(facts, "random", 130, players=facts.players[-1]))
    assert playouts(variant, "random", 0).returns.shape == (0, facts.players[-1])


def test_rules_are_chosen_as_for_an_environment():
    variant = Variant(find_game("homeworlds_v0"), 2, {"turn_limit": 3, "pieces_per_kind": 4})
    expected = playouts(variant, "random", 20)
    assert expected.truncated.any()
    for rules in ({"rules": dict(variant.values)}, {"rules": {"turn_limit": 3}, "pieces_per_kind": 4}, variant.values):
        assert same(expected, playouts("homeworlds_v0", "random", 20, players=2, **rules))
    with pytest.raises(ValueError, match="has no rule 'turn_limt'; did you mean 'turn_limit'"):
        playouts("homeworlds_v0", "random", 1, turn_limt=3)
    with pytest.raises(ValueError, match="rule 'turn_limit' is given twice"):
        playouts("homeworlds_v0", "random", 1, rules={"turn_limit": 3}, turn_limit=4)
    with pytest.raises(ValueError, match="a variant has its rules already: make it with turn_limit"):
        playouts(variant, "random", 1, turn_limit=4)


def test_the_seed_of_playouts_draws_random_decks():
    once, again = (playouts("overpower_v0", "random", 20, seed=3, deck0="random", deck1="random") for _ in range(2))
    assert same(once, again)


@EVERY_GAME
def test_wrong_arguments(game):
    players = find_game(game).players[-1]
    with pytest.raises(ValueError, match="has no player 'randon'; did you mean 'random'"):
        playouts(game, "randon", 1)
    with pytest.raises(ValueError, match=f"{players} players need {players} policies, not 1"):
        playouts(game, ["random"], 1, players=players)
    with pytest.raises(ValueError, match="games must be a number of games, 0 or more, not -1"):
        playouts(game, "random", -1)
    with pytest.raises(ValueError, match="games must be a number of games"):
        playouts(game, "random", 2.5)
    with pytest.raises(ValueError, match="a seed is a number"):
        playouts(game, "random", 1, seed=-1)
    with pytest.raises(ValueError, match="players, not 99"):
        playouts(game, "random", 1, players=99)
    for threads in (-1, 0, 1.5, "2"):
        with pytest.raises(ValueError, match="threads must be 1 or more"):
            playouts(game, "random", 1, threads=threads)
    with pytest.raises(TypeError, match="a policy is a name, such as 'random', or a Policy, not 7"):
        playouts(game, 7, 1)
