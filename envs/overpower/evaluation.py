"""What a seat may expect of an OverPower game that is broken off: for search.

The weights are about those of a logistic regression on positions of scripted games with many decks, which of two
players won: ``python -m overworlds.envs.overpower.regression`` does it again.
"""

import math

from overworlds.envs.core.kernel import VALUE, jit, kernel
from overworlds.envs.overpower.hits import damage_on, points_to_ko, venture_total
from overworlds.envs.overpower.piles import cards_on, hand_size
from overworlds.envs.overpower.state import RULES, STATE, TEAM_SIZE

WEIGHTS = (
    1.9,  # a survivor
    -2.2,  # one who is all but knocked out
    0.6,  # the same, squared: the first points hurt most, since they may complete a Spectrum
    0.08,  # a Mission completed
    0.39,  # a card placed
    0.24,  # a card in hand
    -0.37,  # having passed
)
"""What the holdings of a side are worth."""
LEAD = 0.05
"""The same for the lead in this battle, for each Mission at stake."""
CLEAR_LEAD = 10.0
"""Points of the Venture Total that are hard to catch up with."""


@jit
def holdings(r, s, side):
    """What a side has, in the order of the weights."""
    p = s.players[side]
    survivors = hurt = squared = placed = 0.0
    for on in range(TEAM_SIZE):
        if p.alive[on]:
            share = min(1.0, damage_on(s, side, on) / max(1, points_to_ko(r, s, side, on)))
            survivors += 1
            hurt += share
            squared += share * share
            placed += cards_on(p, on)
    hand = float(hand_size(r.decks[side], p))
    return survivors, hurt, squared, float(p.completed), placed, hand, float(p.passed)


@jit
def worth(r, s, side):
    """What all that is worth."""
    have = holdings(r, s, side)
    points = 0.0
    for i in range(len(WEIGHTS)):
        points += WEIGHTS[i] * have[i]
    return points


@jit
def at_stake(p):
    """How many Missions a player has ventured."""
    return int(p.risk_reserve) + int(p.risk_completed)


@jit
def lead(s, side):
    """How clearly a side leads in this battle, times the Missions at stake."""
    stake = at_stake(s.players[side]) + at_stake(s.players[1 - side])
    return stake * math.tanh((venture_total(s, side) - venture_total(s, 1 - side)) / CLEAR_LEAD)


@kernel(VALUE)
def evaluate(params, rules, state, seat):
    """What this seat may expect, between -1 and 1."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    return math.tanh((worth(r, s, seat) - worth(r, s, 1 - seat) + LEAD * lead(s, seat)) / 2)
