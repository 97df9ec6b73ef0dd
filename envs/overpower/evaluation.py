"""What a seat may expect of an OverPower game that is broken off: for search.

The weights are those of a logistic regression on positions of scripted games with many decks, which of two players
won; it tells the winner in about three of four positions.
"""

import math

from overworlds.envs.core.kernel import VALUE, jit, kernel
from overworlds.envs.overpower.hits import damage_on, points_to_ko, venture_total
from overworlds.envs.overpower.piles import cards_on, hand_size
from overworlds.envs.overpower.state import RULES, STATE, TEAM_SIZE

SURVIVOR = 1.9
DAMAGE = -2.2  # a survivor who is all but knocked out
DAMAGE_SQUARED = 0.6  # the first points hurt most: they may complete a Spectrum
COMPLETED = 0.08  # a Mission
PLACED = 0.39  # a card
HELD = 0.24  # a card in hand
PASSED = -0.37
LEAD = 0.05  # in this battle, for each Mission at stake
CLEAR_LEAD = 10.0
"""Points of the Venture Total that are hard to catch up with."""


@jit
def worth(r, s, side):
    """What a side has."""
    p = s.players[side]
    points = COMPLETED * int(p.completed) + HELD * hand_size(r.decks[side], p) + PASSED * int(p.passed)
    for on in range(TEAM_SIZE):
        if p.alive[on]:
            hurt = min(1.0, damage_on(s, side, on) / max(1, points_to_ko(r, s, side, on)))
            points += SURVIVOR + DAMAGE * hurt + DAMAGE_SQUARED * hurt * hurt + PLACED * cards_on(p, on)
    return points


@jit
def at_stake(p):
    """How many Missions a player has ventured."""
    return int(p.risk_reserve) + int(p.risk_completed)


@kernel(VALUE)
def evaluate(params, rules, state, seat):
    """What this seat may expect, between -1 and 1."""
    r = rules.view(RULES)[0]
    s = state.view(STATE)[0]
    foe = 1 - seat
    stake = at_stake(s.players[seat]) + at_stake(s.players[foe])
    ahead = math.tanh((venture_total(s, seat) - venture_total(s, foe)) / CLEAR_LEAD)
    return math.tanh((worth(r, s, seat) - worth(r, s, foe) + LEAD * stake * ahead) / 2)
