"""The judgement that search asks for: it likes what a player likes, and the two sides never both."""

import numpy as np
import pytest
from overpower_scenario import Table
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower.evaluation import LEAD, WEIGHTS, evaluate
from overworlds.envs.overpower.regression import agreement, fitted, positions_of
from overworlds.envs.overpower.state import STATE

PARAMS = np.zeros(1, np.float32)


def value(t, seat=0):
    return evaluate(PARAMS, t.variant.rules, t.state, seat)


def test_what_one_gains_the_other_loses():
    variant = variant_for(3)
    seen = []

    def look(state, legal, action):
        if state.view(STATE)[0].head.to_move != OVER:
            mine, his = (evaluate(PARAMS, variant.rules, state, seat) for seat in range(2))
            assert mine == pytest.approx(-his)
            seen.append(mine)

    random_game(variant, 3, look)
    assert -1 < min(seen) < max(seen) < 1


def test_hits_knock_outs_cards_and_a_lead_are_worth_something():
    plain = value(Table(more0=["Fighting 7"]))
    hit = Table(more0=["Fighting 7"])
    hit.hit(1, "Joker", "Fighting 7")
    fresh = Table(more0=["Fighting 7"])
    fresh.hit(1, "Joker", "Fighting 7", current=True)
    for p in (fresh.s.players[0], fresh.s.players[1]):
        p.risk_reserve = 2
    held = Table(["Fighting 7"])
    out = Table(more0=["Fighting 7"])
    out.s.players[1].alive[out.who(1, "Joker")] = 0
    assert plain < value(held) < value(hit) < value(fresh) < value(out)


@pytest.mark.skipif(not COMPILED, reason="search is for compiled games")
def test_search_knows_a_better_move_from_a_worse_one():
    """Without a judgement all simulations would end in nothing, long before the game does."""
    from overworlds.agents import make_agent

    t = Table(["Fighting 7"], ["Intellect 2"])
    searcher = make_agent("search:sims=400", t.variant)
    thought = searcher.search.think(t.state, 1)
    assert thought.values.max() - thought.values.min() > 0.02
    best, *others = (t.variant.action_names(0)[action] for action in thought.actions)
    assert best == "play Fighting 7"
    assert set(others) == {"pass", "concede"}


def test_the_regression_finds_weights_that_were_there():
    rng = np.random.default_rng(0)
    truth = np.array([1.5, -0.5, 0.0])
    x = rng.normal(size=(4000, 3))
    won = (rng.random(4000) < 1 / (1 + np.exp(-x @ truth))).astype(float)
    weights, errors = fitted(x, won)
    assert (abs(weights - truth) < 4 * errors).all()
    assert errors.max() < 0.1
    assert agreement(x, won, weights) > 0.7 > agreement(x, won, -weights)


@pytest.mark.skipif(not COMPILED, reason="the scripted player takes its time in plain Python")
def test_whoever_won_had_more_of_what_counts():
    found = [positions_of(variant_for(3), seed) for seed in range(40)]
    x = np.concatenate([x if won else -x for x, won in found])
    assert len(x) > 80
    assert agreement(x, np.ones(len(x)), np.array([*WEIGHTS, LEAD])) > 0.6
