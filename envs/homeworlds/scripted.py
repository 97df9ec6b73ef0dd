"""A player of Homeworlds that looks one turn ahead.

It tries every action on a copy of the position, with all the ways to complete it and the catastrophes that may
follow, and takes the one whose outcome `judge` likes best. Sacrifices are tried where they promise something: their
actions are used to overpopulate a system or to capture a homeworld, or one after the other, each as well as possible. Later
decisions of the same turn are taken in the same way, so that a plan is carried out, or replaced by a better one.
"""

import numpy as np
from overworlds.envs.core.advance import copy_bytes
from overworlds.envs.core.kernel import POLICY, jit, kernel
from overworlds.envs.homeworlds import actions, phases
from overworlds.envs.homeworlds.actions import slot_of
from overworlds.envs.homeworlds.board import (
    OVERPOPULATION,
    all_ships,
    attack,
    catastrophe,
    construct,
    enemies,
    free_slot,
    is_at_home,
    move_ship,
    sacrifice,
    trade,
)
from overworlds.envs.homeworlds.judgement import LOSS, NEVER, SHIP, SMALL, catastrophe_loss, hostility, judge, know_chances
from overworlds.envs.homeworlds.legal import (
    TO_SYSTEM,
    catastrophes_to_trigger,
    colours_to_trade_for,
    destinations,
    list_actions,
    owners_to_attack,
)
from overworlds.envs.homeworlds.pieces import (
    ALL_SMALL,
    BLUE,
    GREEN,
    KINDS,
    RED,
    SIZES,
    YELLOW,
    count,
    count_colour,
    is_single,
    largest,
    of_colour,
    one,
    sizes,
)
from overworlds.envs.homeworlds.state import RULES, STATE
from overworlds.envs.homeworlds.threats import crowds, distance, is_deadly, number_of

MOODS = 16
"""Choices are made as if each were worth up to so many points more, at random, so that games differ."""
LONG_GAME = 25
IMPATIENCE = 2
"""After so many turns each, the moods vary by so much more every turn, so that games do not go in circles."""

# ---------------------------------------------------------------- copies of the position

BOARDS = 5
"""Positions worked on: now, after a trial action, later in a sacrifice, a probe of its next action, the aftermath."""
ROOM_FOR_IDS = 4096
NEW_SYSTEMS = 3
"""How many systems a turn can discover."""


@jit
def copy_board(source, target, slots):
    """Copy what a turn can change."""
    target.stash = source.stash
    target.colour, target.left = source.colour, source.left
    for slot in range(slots):
        target.markers[slot] = source.markers[slot]
        for player in range(int(source.head.players)):
            target.ships[slot, player] = source.ships[slot, player]


@jit
def slots_in_use(s, r):
    """How many slots to look at: those in use, and those that this turn may fill."""
    last = int(r.slots) - 1
    while s.markers[last] == 0:
        last -= 1
    return min(last + 1 + NEW_SYSTEMS, int(r.slots))


# ---------------------------------------------------------------- doing one thing


@jit
def ways(s, r, me, what, slot):
    """The ways to complete an action, as bits: colours to trade for, destinations, owners; or just one."""
    if what < actions.TRADE:
        return np.int64(1)
    if what < actions.MOVE:
        return np.int64(colours_to_trade_for(s, what - actions.TRADE))
    if what < actions.ATTACK:
        return destinations(s, r, me, slot, what - actions.MOVE)
    return np.int64(owners_to_attack(s, me, slot, what - actions.ATTACK))


@jit
def perform(s, r, me, what, slot, way):
    """Do an action in this way."""
    players = int(r.players)
    if what < actions.TRADE:
        construct(s, me, slot, what - actions.CONSTRUCT)
    elif what < actions.MOVE:
        trade(s, me, slot, what - actions.TRADE, way)
    elif what < actions.ATTACK:
        piece = what - actions.MOVE
        if way >= TO_SYSTEM:
            move_ship(s, r, me, slot, piece, slot_of(way - TO_SYSTEM, me, players), -1)
        else:
            move_ship(s, r, me, slot, piece, free_slot(s, r), way)
    else:
        attack(s, me, slot, what - actions.ATTACK, (me + way) % players)
    if s.colour >= 0:
        s.left -= 1


# ---------------------------------------------------------------- the end of a turn


@jit
def settle(s, aftermath, r, me, slots, floor):
    """How good it is to end the turn here, with the catastrophes that help."""
    best = judge(s, slots, me, floor)
    for slot in range(slots):
        if s.markers[slot] == 0 or not crowds(all_ships(s, slot) + s.markers[slot], OVERPOPULATION):
            continue
        triggers = catastrophes_to_trigger(s, me, slot)
        for colour in range(4):
            if triggers >> colour & 1:
                copy_board(s, aftermath, slots)
                catastrophe(aftermath, r, me, slot, colour)
                best = max(best, judge(aftermath, slots, me, max(best, floor)))
    return best


# ---------------------------------------------------------------- sacrifices


@jit
def overpopulate(s, r, me, slots, target, colour, need):
    """Use the sacrifice's actions to bring the pieces of this colour that are missing; whether that worked."""
    if s.colour == GREEN:
        while need > 0 and s.left > 0 and of_colour(s.ships[target, me], colour) and of_colour(s.stash, colour):
            construct(s, me, target, colour)
            s.left -= 1
            need -= 1
    elif s.colour == BLUE:
        for piece in range(KINDS):
            new = SIZES * colour + piece % SIZES
            while need > 0 and s.left > 0 and piece != new and count(s.ships[target, me], piece) and count(s.stash, new):
                trade(s, me, target, piece, colour)
                s.left -= 1
                need -= 1
    elif s.colour == YELLOW:
        need -= gather(s, r, me, slots, target, colour, need)
    return need <= 0


@jit
def gather(s, r, me, slots, target, colour, need):
    """Move ships of this colour here, the nearest first; how many came."""
    came = 0
    there = sizes(s.markers[target])
    for way in range(1, 4):
        for source in range(slots):
            if source == target or s.markers[source] == 0 or distance(sizes(s.markers[source]), there) != way:
                continue
            for piece in range(SIZES * colour, SIZES * (colour + 1)):
                while came < need and s.left >= way and count(s.ships[source, me], piece):
                    if source == me and is_single(s.ships[me, me]):
                        break
                    move_ship(s, r, me, source, piece, target, -1)
                    s.left -= way
                    came += 1
    return came


@jit
def invade(s, r, me, slots, target):
    """Move as many ships as possible here, large ones first; whether any came."""
    there = sizes(s.markers[target])
    before = s.ships[target, me]
    for size in range(SIZES - 1, -1, -1):
        for way in range(1, 4):
            for source in range(slots):
                if source == target or s.markers[source] == 0 or distance(sizes(s.markers[source]), there) != way:
                    continue
                for piece in range(size, KINDS, SIZES):
                    while s.left >= way and count(s.ships[source, me], piece):
                        if source == me and is_single(s.ships[me, me]):
                            break
                        move_ship(s, r, me, source, piece, target, -1)
                        s.left -= way
    return s.ships[target, me] != before


@jit
def capture_home(s, me, victim):
    """Use the sacrifice's attacks on all ships that somebody has at home; whether that worked."""
    home = s.ships[victim, victim]
    if number_of(home) > s.left or largest(home) > largest(s.ships[victim, me]):
        return False
    s.ships[victim, me] += home
    s.ships[victim, victim] = 0
    return True


@jit
def pays_to_wreck(s, me, target, colour, need):
    """Would a catastrophe here hurt enemies more than me, if I bring the pieces that are missing?"""
    if target < int(s.head.players) and s.alive[target] and is_deadly(s, target, colour):
        return True
    points = -catastrophe_loss(s, target, colour, me) - SMALL * need
    for enemy in range(int(s.head.players)):
        if enemy != me and s.alive[enemy]:
            points += catastrophe_loss(s, target, colour, enemy) * hostility(s, me, enemy) // 100
    return points > 0


@jit
def try_plans(s, probe, aftermath, r, me, slots, best):
    """The best outcome of using a sacrifice for one purpose."""
    for target in range(slots):
        if target == me or s.markers[target] == 0 or enemies(s, me, target) == 0:
            continue
        if s.colour == RED:
            if target < r.players and s.alive[target]:
                copy_board(s, probe, slots)
                if capture_home(probe, me, target):
                    best = max(best, settle(probe, aftermath, r, me, slots, best))
            continue
        if s.colour == YELLOW and target < r.players and s.alive[target] and hostility(s, me, target):
            copy_board(s, probe, slots)
            if invade(probe, r, me, slots, target):
                best = max(best, settle(probe, aftermath, r, me, slots, best))
        present = all_ships(s, target) + s.markers[target]
        crowd = crowds(present, OVERPOPULATION - int(s.left))
        for colour in range(4):
            if crowd >> (12 * colour) & 0x10:
                need = OVERPOPULATION - count_colour(present, colour)
                if need > 0 and pays_to_wreck(s, me, target, colour, need):
                    copy_board(s, probe, slots)
                    if overpopulate(probe, r, me, slots, target, colour, need):
                        best = max(best, settle(probe, aftermath, r, me, slots, best))
    return best


@jit
def use_one_by_one(s, probe, aftermath, ids, r, me, slots, best):
    """The outcome of using the sacrifice's actions one by one, each as well as possible."""
    while s.left > 0:
        found = -1
        found_slot = found_way = 0
        n = list_actions(s, r, me, ids, 0)
        for i in range(n):
            system, what = divmod(int(ids[i]) - actions.SYSTEM, actions.PER_SYSTEM)
            slot = slot_of(system, me, int(r.players))
            choices = ways(s, r, me, what, slot)
            way = 0
            while choices:
                if choices & 1:
                    copy_board(s, probe, slots)
                    perform(probe, r, me, what, slot, way)
                    value = settle(probe, aftermath, r, me, slots, best)
                    if value > best:
                        best = value
                        found, found_slot, found_way = what, slot, way
                choices >>= 1
                way += 1
        if found < 0:
            break
        perform(s, r, me, found, found_slot, found_way)
    return best


@jit
def go_on(s, probe, aftermath, r, me, slots, floor):
    """The best outcome found from here: end the turn, or use what is left of a sacrifice for one purpose."""
    best = max(floor, settle(s, aftermath, r, me, slots, floor))
    if s.colour >= 0 and s.left > 0:
        best = try_plans(s, probe, aftermath, r, me, slots, best)
    return best


@jit
def promises(s, me, slots):
    """Is it worth trying how the actions of this sacrifice can be used one by one?"""
    if s.colour == RED:
        return True
    if s.colour == GREEN:
        cost = SHIP[int(s.left)]
        gain = 0
        for slot in range(slots):
            ships = s.ships[slot, me]
            for colour in range(4):
                if of_colour(ships, colour):
                    for size in range(1, 4):
                        if count(s.stash, SIZES * colour + size - 1):
                            gain = max(gain, SHIP[size])
                            break
        return gain * int(s.left) > cost
    return False


@jit
def value_of_sacrifice(now, trial, later, probe, aftermath, ids, r, me, slots, slot, piece, floor, desperate):
    """The best outcome found of sacrificing a ship."""
    copy_board(now, trial, slots)
    sacrifice(trial, r, me, slot, piece)
    best = try_plans(trial, probe, aftermath, r, me, slots, floor)
    if desperate or promises(trial, me, slots):
        copy_board(trial, later, slots)
        best = use_one_by_one(later, probe, aftermath, ids, r, me, slots, best)
    return best


# ---------------------------------------------------------------- setting up

# Points for the pieces of a homeworld.
STAR_OF_COLOUR = (60, 0, 30, 30)
SHIP_OF_COLOUR = (10, 60, 0, 20)
NEW_SIZE, NEW_COLOUR, UNLIKE_NEIGHBOUR = 100, 100, 25
LARGER = 100
SET_UP_MOODS = 50


@jit
def value_of_set_up(s, me, action):
    """Two stars of different sizes and colours, blue if possible, and a large ship, green if possible."""
    markers = s.markers[me]
    if s.phase == phases.SET_UP_SHIP:
        piece = action - actions.SHIP
        colour = piece // SIZES
        value = LARGER * (piece % SIZES) + SHIP_OF_COLOUR[colour]
        return value if of_colour(markers, colour) else value + NEW_COLOUR
    piece = action - actions.STAR
    colour = piece // SIZES
    value = STAR_OF_COLOUR[colour]
    if markers:
        players = int(s.head.players)
        if not of_colour(markers, colour):
            value += NEW_COLOUR
        if not markers & (ALL_SMALL << 4 * (piece % SIZES)):
            value += NEW_SIZE
        for neighbour in ((me + 1) % players, (me - 1) % players):
            if sizes(markers + one(piece)) != sizes(s.markers[neighbour]):
                value += UNLIKE_NEIGHBOUR
    return value


# ---------------------------------------------------------------- deciding


@jit
def value_of(now, trial, later, probe, aftermath, ids, r, me, slots, action, floor, desperate):
    """The best outcome found of a legal action."""
    phase = now.phase
    slot, what, way = int(now.slot), 0, -1
    if action < actions.SYSTEM:
        if phase == phases.MOVE_TO:
            what, way = actions.MOVE + int(now.piece), action - actions.DISCOVER
        elif phase == phases.TRADE_FOR:
            what, way = actions.TRADE + int(now.piece), action - actions.FOR_COLOUR
        elif phase == phases.ATTACK_WHOSE:
            what, way = actions.ATTACK + int(now.piece), action - actions.OWNED_BY
        elif phase == phases.CATASTROPHES:
            return judge(now, slots, me, floor)
        else:  # pass or stop
            return settle(now, aftermath, r, me, slots, floor)
    else:
        system, what = divmod(action - actions.SYSTEM, actions.PER_SYSTEM)
        if phase == phases.MOVE_TO:
            what, way = actions.MOVE + int(now.piece), TO_SYSTEM + system
        else:
            slot = slot_of(system, me, int(r.players))
    if phase == phases.CATASTROPHES:
        copy_board(now, trial, slots)
        catastrophe(trial, r, me, slot, what - actions.CATASTROPHE)
        return settle(trial, aftermath, r, me, slots, floor)
    if way < 0 and what >= actions.SACRIFICE:
        piece = what - actions.SACRIFICE
        return value_of_sacrifice(now, trial, later, probe, aftermath, ids, r, me, slots, slot, piece, floor, desperate)
    choices = np.int64(1) << way if way >= 0 else ways(now, r, me, what, slot)
    way = 0
    best = floor
    while choices:
        if choices & 1:
            copy_board(now, trial, slots)
            perform(trial, r, me, what, slot, way)
            best = max(best, go_on(trial, probe, aftermath, r, me, slots, best))
        choices >>= 1
        way += 1
    return best


@jit
def statement(s, legal, n):
    """Everybody is Good, to hear them talk."""
    for i in range(n):
        if legal[i] == actions.CLAIM_GOOD:
            return legal[i]
    return legal[0]


@jit
def next_mood(mood):
    """A cheap random sequence: the moods in which choices are looked at."""
    return (mood * 1103515245 + 12345) & 0x7FFFFFFF


@jit
def set_up(s, me, legal, n, mood):
    """The piece that fits best."""
    best, chosen = NEVER, legal[0]
    for i in range(n):
        mood = next_mood(mood)
        value = value_of_set_up(s, me, int(legal[i])) + (mood >> 8) % SET_UP_MOODS
        if value > best:
            best, chosen = value, legal[i]
    return chosen


@kernel(POLICY)
def play_sensibly(params, rules, state, legal, n, seed):
    """The legal action with the best outcome found."""
    if n == 1:
        return legal[0]
    r = rules.view(RULES)[0]
    room = np.empty(BOARDS * len(state) + ROOM_FOR_IDS, np.uint8)
    size = len(state)
    copy_bytes(state, room[:size])
    now = room[:size].view(STATE)[0]
    me = int(now.head.to_move)
    mood = seed & 0x7FFFFFFF
    if now.phase <= phases.SET_UP_SHIP:
        return set_up(now, me, legal, n, mood)
    if now.phase == phases.TALK:
        return statement(now, legal, n)
    know_chances(now, me)
    for board in range(1, BOARDS):
        copy_bytes(room[:size], room[board * size : (board + 1) * size])
    trial = room[size : 2 * size].view(STATE)[0]
    later = room[2 * size : 3 * size].view(STATE)[0]
    probe = room[3 * size : 4 * size].view(STATE)[0]
    aftermath = room[4 * size : 5 * size].view(STATE)[0]
    later.phase = probe.phase = phases.SACRIFICED
    ids = room[5 * size :].view(np.int32)
    slots = slots_in_use(now, r)
    moods = MOODS + max(0, now.head.turn // int(r.players) - LONG_GAME) * IMPATIENCE
    best, chosen = NEVER, legal[0]
    for desperate in (False, True):
        for i in range(n):
            is_sacrifice = now.phase == phases.FREE and legal[i] >= actions.SYSTEM and (legal[i] - actions.SYSTEM) % actions.PER_SYSTEM >= actions.SACRIFICE
            if desperate and not is_sacrifice:
                continue
            mood = next_mood(mood)
            bonus = (mood >> 8) % moods
            value = bonus + value_of(now, trial, later, probe, aftermath, ids, r, me, slots, int(legal[i]), best - bonus, desperate)
            if value > best:
                best, chosen = value, legal[i]
        if best > -LOSS // 2:
            break
    return chosen
