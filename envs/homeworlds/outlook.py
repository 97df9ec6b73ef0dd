"""What a player thinks of ending its turn on a board that differs little from the board NOW.

The judgement (see judgement.py) is put together from what was found out about NOW and from the systems that were
touched since. It is the same as if everything had been looked at again: what I do touches nobody's ships elsewhere, and
adds ships to nobody but me.
"""

import numpy as np

from overworlds.envs.core.kernel import MAX_PLAYERS, jit, record
from overworlds.envs.homeworlds.board import is_at_home
from overworlds.envs.homeworlds.boards import first_slot, is_overpopulated, only, without_first
from overworlds.envs.homeworlds.judgement import (
    BALANCE,
    CROWDED_HOME,
    GROWTH,
    LOSS,
    NEVER,
    OTHERS_LOSS,
    WIN,
    WRECKED,
    assets,
    capture_danger,
    catastrophe_danger_in,
    growth,
    holdings_in,
    hostility,
    pressure,
    pressure_in,
    prize,
)
from overworlds.envs.homeworlds.pieces import sizes
from overworlds.envs.homeworlds.state import MAX_SLOTS
from overworlds.envs.homeworlds.threats import can_eliminate

FACTS = record(
    ("overpopulated", np.int64),  # slots, as bits
    ("where", np.int64, (MAX_PLAYERS,)),  # the slots where each player has ships, as bits
    ("fleet", np.int64, (MAX_PLAYERS,)),  # all ships of each player, as one pile
    ("holdings", np.int64, (MAX_PLAYERS,)),
    ("assets", np.int64, (MAX_PLAYERS,)),
    ("pressure", np.int64, (MAX_PLAYERS,)),  # mine on each
    ("prize", np.int64, (MAX_PLAYERS,)),
    ("hostility", np.int64, (MAX_PLAYERS,)),
    # What is found out when it is asked for; UNKNOWN until then.
    ("capture", np.int64, (MAX_PLAYERS,)),  # the danger that each captures a ship of mine
    ("elimination", np.int64, (MAX_PLAYERS, MAX_PLAYERS)),  # could the first eliminate the second?
    ("catastrophe", np.int64, (MAX_PLAYERS, MAX_SLOTS)),  # the danger that each causes a catastrophe in a slot
)
"""What is known about the board NOW."""
UNKNOWN = -1

# ---------------------------------------------------------------- the board NOW


@jit
def look_around(now, facts, slots, me):
    """Find out what is needed all the time, and forget the rest."""
    facts.overpopulated = 0
    for slot in range(slots):
        if now.markers[slot] and is_overpopulated(now, slot):
            facts.overpopulated |= only(slot)
    for player in range(int(now.head.players)):
        where = fleet = holdings = np.int64(0)
        for slot in range(slots):
            ships = now.ships[slot, player]
            if ships:
                where |= only(slot)
                fleet += ships
                holdings += holdings_in(ships, now.markers[slot])
            facts.catastrophe[player, slot] = UNKNOWN
        facts.where[player], facts.fleet[player], facts.holdings[player] = where, fleet, holdings
        facts.assets[player] = assets(now, player, fleet, holdings)
        facts.capture[player] = UNKNOWN
        for other in range(int(now.head.players)):
            facts.elimination[player, other] = UNKNOWN
        if player != me:
            facts.prize[player], facts.hostility[player] = prize(now, me, player), hostility(now, me, player)
            facts.pressure[player] = pressure(now, slots, me, player)


@jit
def overpopulated(facts, s):
    """The slots on this board where there could be a catastrophe, as bits."""
    slots, touched = facts.overpopulated & ~s.touched, s.touched
    while touched:
        slot = first_slot(touched)
        if s.markers[slot] and is_overpopulated(s, slot):
            slots |= only(slot)
        touched = without_first(touched)
    return slots


# ---------------------------------------------------------------- worth


@jit
def fleet_on(now, facts, s, player):
    """All ships of a player on this board, as one pile."""
    fleet, touched = facts.fleet[player], s.touched
    while touched:
        slot = first_slot(touched)
        fleet += s.ships[slot, player] - now.ships[slot, player]
        touched = without_first(touched)
    return fleet


@jit
def worth_on(now, facts, s, player):
    """What a player has on this board."""
    holdings = facts.holdings[player]
    if s.touched & facts.where[player] == 0 and s.touched & only(player) == 0:
        return facts.assets[player] + GROWTH * growth(s, holdings)
    fleet, touched = facts.fleet[player], s.touched
    while touched:
        slot = first_slot(touched)
        before, after = now.ships[slot, player], s.ships[slot, player]
        fleet += after - before
        holdings += holdings_in(after, s.markers[slot]) - holdings_in(before, now.markers[slot])
        touched = without_first(touched)
    return assets(s, player, fleet, holdings) + GROWTH * growth(s, holdings)


@jit
def pressure_on(now, facts, s, slots, me, enemy):
    """How my ships on this board harass an enemy."""
    home = sizes(s.markers[enemy])
    if home != sizes(now.markers[enemy]):
        return pressure(s, slots, me, enemy)
    points, touched = facts.pressure[enemy], s.touched
    while touched:
        slot = first_slot(touched)
        points += pressure_in(s, slot, me, enemy, home) - pressure_in(now, slot, me, enemy, home)
        touched = without_first(touched)
    return points


@jit
def standing(now, facts, s, slots, me):
    """How good it is for me to end my turn so, but for threats, mine and those of others."""
    if not is_at_home(s, me):
        return NEVER
    points = 0
    mine = worth_on(now, facts, s, me)
    for enemy in range(int(s.head.players)):
        if enemy == me or not s.alive[enemy]:
            continue
        if not is_at_home(s, enemy):
            if facts.prize[enemy] == WIN:
                return WIN
            points += facts.prize[enemy]
        elif facts.hostility[enemy]:
            theirs = worth_on(now, facts, s, enemy)
            lead = BALANCE * (mine - theirs) // max(mine + theirs, 1)
            points += (lead + pressure_on(now, facts, s, slots, me, enemy)) * facts.hostility[enemy] // 100
    return points


# ---------------------------------------------------------------- threats


@jit
def threatened(now, facts, s, slots, me):
    """An enemy whom I could eliminate next turn and would like to; -1: none."""
    fleet = fleet_on(now, facts, s, me)
    for enemy in range(int(s.head.players)):
        if enemy != me and facts.prize[enemy] > 0 and s.alive[enemy] and is_at_home(s, enemy):
            if can_eliminate(s, slots, me, fleet, enemy):
                return np.int64(enemy)
    return np.int64(-1)


@jit
def could_eliminate(now, facts, s, slots, attacker, fleet, victim):
    """Could this enemy eliminate somebody next turn?

    What the stash has matters only to one who is in the victim's homeworld already.
    """
    if s.touched & (facts.where[attacker] | only(victim)) or now.ships[victim, attacker]:
        return can_eliminate(s, slots, attacker, fleet, victim)
    if facts.elimination[attacker, victim] == UNKNOWN:
        facts.elimination[attacker, victim] = can_eliminate(now, slots, attacker, fleet, victim)
    return facts.elimination[attacker, victim] != 0


@jit
def danger_of_capture(now, facts, s, slots, me, enemy, fleet):
    """What this enemy could capture."""
    if s.touched & facts.where[enemy]:
        return capture_danger(s, slots, me, enemy, fleet)
    if facts.capture[enemy] == UNKNOWN:
        facts.capture[enemy] = capture_danger(now, slots, me, enemy, fleet)
    return facts.capture[enemy]


@jit
def danger_of_catastrophe(now, facts, s, slots, me, enemy, fleet):
    """The worst catastrophe that this enemy could cause me; the stash matters to it only where it is."""
    worst = 0
    untouched = s.touched & facts.where[enemy] == 0
    mine = facts.where[me] | s.touched
    while mine:
        slot = first_slot(mine)
        mine = without_first(mine)
        if s.ships[slot, me] == 0:
            continue
        if s.touched & only(slot) or s.ships[slot, enemy] or not untouched:
            worst = catastrophe_danger_in(s, slots, me, enemy, fleet, slot, worst)
        else:
            if facts.catastrophe[enemy, slot] == UNKNOWN:
                facts.catastrophe[enemy, slot] = catastrophe_danger_in(now, slots, me, enemy, fleet, slot, 0)
            worst = max(worst, facts.catastrophe[enemy, slot])
    return worst * WRECKED // 100


@jit
def endangers_others(now, facts, s, slots, me, enemy, fleet):
    """Could this enemy eliminate anybody but me?"""
    for victim in range(int(s.head.players)):
        if victim != me and victim != enemy and s.alive[victim] and is_at_home(s, victim):
            if could_eliminate(now, facts, s, slots, enemy, fleet, victim):
                return True
    return False


@jit
def danger(now, facts, s, slots, me, enough):
    """The worst that the others could do to me in one turn. If that is enough, the answer only says so."""
    crowded = CROWDED_HOME if is_overpopulated(s, me) else 0
    worst = 0
    for enemy in range(int(s.head.players)):
        if worst + crowded >= enough:
            break
        if enemy == me or not s.alive[enemy] or not is_at_home(s, enemy):
            continue
        fleet = fleet_on(now, facts, s, enemy)
        worst = max(worst, danger_of_capture(now, facts, s, slots, me, enemy, fleet))
        if worst < LOSS and could_eliminate(now, facts, s, slots, enemy, fleet, me):
            worst = LOSS
        others_loss = OTHERS_LOSS * int(s.evil[enemy]) // 100 if s.head.players > 2 else 0
        if worst < others_loss and endangers_others(now, facts, s, slots, me, enemy, fleet):
            worst = others_loss
        if worst + crowded < enough:
            worst = max(worst, danger_of_catastrophe(now, facts, s, slots, me, enemy, fleet))
    return worst + crowded
