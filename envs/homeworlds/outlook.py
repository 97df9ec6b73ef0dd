"""What a player thinks of ending its turn on a board that differs little from the board NOW.

The judgement (see judgement.py) is put together from what was found out about NOW and from the systems that were
touched since. It is the same as if everything had been looked at again: what I do touches nobody's ships elsewhere, and
adds ships to nobody but me.
"""

import numpy as np

from overworlds.envs.core.advance import copy_bytes
from overworlds.envs.core.bits import lowest, only
from overworlds.envs.core.kernel import MAX_PLAYERS, inlined, jit, record
from overworlds.envs.homeworlds import phases
from overworlds.envs.homeworlds.actions import seat_to_the_left
from overworlds.envs.homeworlds.board import is_at_home
from overworlds.envs.homeworlds.boards import BOARD, is_overpopulated, slots_to_watch
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
    holdings_in,
    hostility,
    know_chances,
    pressure,
    pressure_in,
    prize,
    size_to_construct,
)
from overworlds.envs.homeworlds.pieces import ALL_KINDS, sizes
from overworlds.envs.homeworlds.state import MAX_SLOTS
from overworlds.envs.homeworlds.threats import can_eliminate

REPLIES = 512
"""Where the ids of an enemy's actions begin; before them there is room for mine, all of one colour."""

MIND = record(
    ("now", BOARD),  # the board as it is
    ("trial", BOARD),  # after a trial action
    ("later", BOARD),  # later in a sacrifice
    ("probe", BOARD),  # a probe of its use
    ("aftermath", BOARD),  # after a catastrophe
    ("threat", BOARD),  # when I threaten somebody, the board that threat is seen on
    ("reply", BOARD),  # and a reply to it
    ("worst_enemy", np.int64),  # whose threats were enough to reject what was tried last
    ("slots", np.int64),  # how many slots to look at
    ("ids", np.int32, (2 * REPLIES,)),
    # What is known about the board as it is.
    ("overpopulated", np.int64),  # slots, as bits
    ("where", np.int64, (MAX_PLAYERS,)),  # the slots where each player has ships, as bits
    ("others", np.int64),  # the slots where anybody but me has ships, as bits
    ("fleet", np.int64, (MAX_PLAYERS,)),  # all ships of each player, as one pile
    ("holdings", np.int64, (MAX_PLAYERS,)),
    ("assets", np.int64, (MAX_PLAYERS,)),
    ("prize", np.int64, (MAX_PLAYERS,)),
    ("hostility", np.int64, (MAX_PLAYERS,)),
    ("pressure", np.int64, (MAX_PLAYERS,)),  # mine on each
    ("pressure_in", np.int64, (MAX_PLAYERS, MAX_SLOTS)),  # from each slot
    # And what is found out only when it is asked for; UNKNOWN until then.
    ("capture", np.int64, (MAX_PLAYERS,)),  # the danger that each captures a ship of mine
    ("elimination", np.int64, (MAX_PLAYERS, MAX_PLAYERS)),  # could the first eliminate the second?
    ("catastrophe", np.int64, (MAX_PLAYERS, MAX_SLOTS)),  # the danger that each causes a catastrophe in a slot
)
"""All that a player has in mind while it decides."""
MIND_BYTES, BOARD_BYTES = MIND.itemsize, BOARD.itemsize
BOARDS = 7
UNKNOWN = -1

# ---------------------------------------------------------------- the board NOW


@jit
def open_mind(mind, room, r, state, me):
    """Lay out the boards, all like the state as I know it, and look around. The room is the mind as bytes."""
    now = mind.now
    copy_bytes(state, room[: len(state)])
    know_chances(now, me)
    now.touched = 0
    for board in range(1, BOARDS):
        copy_bytes(room[:BOARD_BYTES], room[board * BOARD_BYTES : (board + 1) * BOARD_BYTES])
    mind.later.phase = mind.threat.phase = phases.SACRIFICED
    mind.slots = slots_to_watch(now, r)
    look_around(mind, me)


@jit
def look_around(mind, me):
    """Find out what is needed all the time, and forget the rest."""
    now, slots = mind.now, int(mind.slots)
    mind.overpopulated = mind.others = mind.worst_enemy = 0
    for slot in range(slots):
        if now.markers[slot] and is_overpopulated(now, slot):
            mind.overpopulated |= only(slot)
    for player in range(int(now.head.players)):
        where = fleet = holdings = np.int64(0)
        for slot in range(slots):
            ships = now.ships[slot, player]
            if ships:
                where |= only(slot)
                fleet += ships
                holdings += holdings_in(ships, now.markers[slot])
            mind.catastrophe[player, slot] = UNKNOWN
        mind.where[player], mind.fleet[player], mind.holdings[player] = where, fleet, holdings
        mind.assets[player] = assets(now, player, fleet, holdings)
        mind.capture[player] = UNKNOWN
        for other in range(int(now.head.players)):
            mind.elimination[player, other] = UNKNOWN
        if player != me:
            mind.others |= where
            mind.prize[player], mind.hostility[player] = prize(now, me, player), hostility(now, me, player)
            mind.pressure[player] = 0
            home = sizes(now.markers[player])
            for slot in range(slots):
                mind.pressure_in[player, slot] = pressure_in(now, slot, me, player, home)
                mind.pressure[player] += mind.pressure_in[player, slot]


@jit
def overpopulated(mind, s):
    """The slots on this board where there could be a catastrophe, as bits."""
    slots, touched = mind.overpopulated & ~s.touched, s.touched
    while touched:
        slot = lowest(touched)
        if s.markers[slot] and is_overpopulated(s, slot):
            slots |= only(slot)
        touched &= touched - 1
    return slots


@jit
def slots_of(mind, s, me):
    """The slots on this board where I may have ships, as bits."""
    return mind.where[me] | s.touched


# ---------------------------------------------------------------- worth


@inlined
def fleet_on(mind, s, player):
    """All ships of a player on this board, as one pile."""
    now, fleet, touched = mind.now, mind.fleet[player], s.touched
    while touched:
        slot = lowest(touched)
        fleet += s.ships[slot, player] - now.ships[slot, player]
        touched &= touched - 1
    return fleet


@jit
def worth_on(mind, s, player):
    """What a player has on this board."""
    holdings = mind.holdings[player]
    if s.touched & mind.where[player] == 0 and s.touched & only(player) == 0:
        return mind.assets[player] + GROWTH * size_to_construct(s, holdings & ALL_KINDS)
    now, fleet, touched = mind.now, mind.fleet[player], s.touched
    while touched:
        slot = lowest(touched)
        before, after = now.ships[slot, player], s.ships[slot, player]
        fleet += after - before
        holdings += holdings_in(after, s.markers[slot]) - holdings_in(before, now.markers[slot])
        touched &= touched - 1
    return assets(s, player, fleet, holdings) + GROWTH * size_to_construct(s, holdings & ALL_KINDS)


@inlined
def pressure_on(mind, s, me, enemy):
    """How my ships on this board harass an enemy."""
    home = sizes(s.markers[enemy])
    if s.touched & only(enemy) and home != sizes(mind.now.markers[enemy]):
        return pressure(s, mind.slots, me, enemy)
    points, touched = mind.pressure[enemy], s.touched
    while touched:
        slot = lowest(touched)
        points += pressure_in(s, slot, me, enemy, home) - mind.pressure_in[enemy, slot]
        touched &= touched - 1
    return points


@jit
def standing(mind, s, me):
    """How good it is for me to end my turn so, but for threats, mine and those of others."""
    if not is_at_home(s, me):
        return NEVER
    points = 0
    mine = worth_on(mind, s, me)
    for enemy in range(int(s.head.players)):
        if enemy == me or not s.alive[enemy]:
            continue
        if not is_at_home(s, enemy):
            if mind.prize[enemy] == WIN:
                return WIN
            points += mind.prize[enemy]
        elif mind.hostility[enemy]:
            theirs = worth_on(mind, s, enemy)
            lead = BALANCE * (mine - theirs) // max(mine + theirs, 1)
            points += (lead + pressure_on(mind, s, me, enemy)) * mind.hostility[enemy] // 100
    return points


# ---------------------------------------------------------------- threats


@inlined
def threatened(mind, s, me):
    """An enemy whom I could eliminate next turn and would like to; -1: none."""
    fleet = fleet_on(mind, s, me)
    for enemy in range(int(s.head.players)):
        if enemy != me and mind.prize[enemy] > 0 and s.alive[enemy] and is_at_home(s, enemy):
            if can_eliminate(s, mind.slots, me, fleet, enemy):
                return np.int64(enemy)
    return np.int64(-1)


@jit
def could_eliminate(mind, s, attacker, fleet, victim):
    """Could this enemy eliminate somebody next turn?

    What the stash has matters only to one who is in the victim's homeworld already.
    """
    if s.touched & (mind.where[attacker] | only(victim)) or mind.now.ships[victim, attacker]:
        return can_eliminate(s, mind.slots, attacker, fleet, victim)
    if mind.elimination[attacker, victim] == UNKNOWN:
        mind.elimination[attacker, victim] = can_eliminate(mind.now, mind.slots, attacker, fleet, victim)
    return mind.elimination[attacker, victim] != 0


@inlined
def danger_of_capture(mind, s, me, enemy, fleet):
    """What this enemy could capture."""
    if s.touched & mind.where[enemy]:
        return capture_danger(s, mind.slots, me, enemy, fleet)
    if mind.capture[enemy] == UNKNOWN:
        mind.capture[enemy] = capture_danger(mind.now, mind.slots, me, enemy, fleet)
    return mind.capture[enemy]


@inlined
def danger_of_catastrophe(mind, s, me, enemy, fleet):
    """The worst catastrophe that this enemy could cause me; the stash matters to it only where it is."""
    worst = 0
    untouched = s.touched & mind.where[enemy] == 0
    mine = slots_of(mind, s, me)
    while mine:
        slot = lowest(mine)
        mine &= mine - 1
        if s.ships[slot, me] == 0:
            continue
        if s.touched & only(slot) or s.ships[slot, enemy] or not untouched:
            worst = catastrophe_danger_in(s, mind.slots, me, enemy, fleet, slot, worst)
        else:
            if mind.catastrophe[enemy, slot] == UNKNOWN:
                mind.catastrophe[enemy, slot] = catastrophe_danger_in(mind.now, mind.slots, me, enemy, fleet, slot, 0)
            worst = max(worst, mind.catastrophe[enemy, slot])
    return worst * WRECKED // 100


@inlined
def endangers_others(mind, s, me, enemy, fleet):
    """Could this enemy eliminate anybody but me?"""
    for victim in range(int(s.head.players)):
        if victim != me and victim != enemy and s.alive[victim] and is_at_home(s, victim):
            if could_eliminate(mind, s, enemy, fleet, victim):
                return True
    return False


@jit
def danger(mind, s, me, enough):
    """The worst that the others could do to me in one turn. If that is enough, the answer only says so."""
    crowded = CROWDED_HOME if is_overpopulated(s, me) else 0
    worst, players = 0, int(s.head.players)
    for left in range(players):  # the one who was enough last time is likely to be so again
        if worst + crowded >= enough:
            break
        enemy = seat_to_the_left(int(mind.worst_enemy), left, players)
        if enemy == me or not s.alive[enemy] or not is_at_home(s, enemy):
            continue
        fleet = fleet_on(mind, s, enemy)
        worst = max(worst, danger_of_capture(mind, s, me, enemy, fleet))
        if worst < LOSS and could_eliminate(mind, s, enemy, fleet, me):
            worst = LOSS
        others_loss = OTHERS_LOSS * int(s.evil[enemy]) // 100 if s.head.players > 2 else 0
        if worst < others_loss and endangers_others(mind, s, me, enemy, fleet):
            worst = others_loss
        if worst + crowded < enough:
            worst = max(worst, danger_of_catastrophe(mind, s, me, enemy, fleet))
        if worst + crowded >= enough:
            mind.worst_enemy = enemy
    return worst + crowded
