"""A player of Homeworlds that looks one turn ahead.

It tries every action on a copy of the position, with all the ways to complete it and the catastrophes that may
follow, and takes the one whose outcome `foresee` likes best. Sacrifices are tried where they promise something: their
actions serve one plan (overpopulate a system, invade or capture a homeworld), or are used one by one, each as well as
possible. Later decisions of the same turn are taken in the same way, so that a plan is carried out or bettered.

It knows of the alignments only what its seat knows; see `know_chances`.
"""

import numpy as np

from overworlds.envs.core.bits import lowest
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
    move_ship,
    sacrifice,
    trade,
)
from overworlds.envs.homeworlds.boards import copy_board, touch
from overworlds.envs.homeworlds.judgement import (
    CAN_ELIMINATE,
    FORCED,
    LOSS,
    NEVER,
    SHIP,
    SMALL,
    WIN,
    catastrophe_loss,
    size_to_construct,
)
from overworlds.envs.homeworlds.legal import (
    TO_SYSTEM,
    catastrophes_to_trigger,
    colours_to_trade_for,
    destinations,
    list_actions,
    owners_to_attack,
)
from overworlds.envs.homeworlds.outlook import (
    MIND,
    MIND_BYTES,
    REPLIES,
    danger,
    fleet_on,
    open_mind,
    overpopulated,
    slots_of,
    standing,
    threatened,
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
from overworlds.envs.homeworlds.threats import (
    can_eliminate,
    crowds,
    distance,
    is_crowded,
    is_deadly,
    number_of,
)

MOODS = 16
"""Choices are made as if each were worth up to so many points more, at random, so that games differ."""
LONG_GAME = 25
IMPATIENCE = 2
"""After so many turns each, moods vary by so much more every turn, so that games do not go in circles."""

# ---------------------------------------------------------------- doing one thing

NO_STAR = np.int64(-1)
"""A move to a system that exists."""
GREEN_STARS = 0b111 << SIZES * GREEN
OTHER_STARS = ((1 << KINDS) - 1) & ~GREEN_STARS
"""Among the ways to move: stars to discover."""


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
def main_ways(choices, what):
    """The ways that suffice to judge an action before it is chosen: a star to discover may as well be green."""
    if actions.MOVE <= what < actions.ATTACK and choices & GREEN_STARS:
        return choices & ~OTHER_STARS
    return choices


@jit
def perform(s, r, me, what, slot, way):
    """Do an action in this way."""
    players = int(r.players)
    touch(s, slot)
    if what < actions.TRADE:
        construct(s, me, slot, what - actions.CONSTRUCT)
    elif what < actions.MOVE:
        trade(s, me, slot, what - actions.TRADE, way)
    elif what < actions.ATTACK:
        piece = what - actions.MOVE
        discovers = way < TO_SYSTEM
        destination = free_slot(s, r) if discovers else slot_of(way - TO_SYSTEM, me, players)
        touch(s, destination)
        move_ship(s, r, me, slot, piece, destination, way if discovers else NO_STAR)
    else:
        attack(s, me, slot, what - actions.ATTACK, (me + way) % players)
    if s.colour >= 0:
        s.left -= 1


@jit
def ends_threat(mind, r, me, enemy, colour):
    """Has the enemy an action that ends my threat to eliminate it? Of this colour, by a sacrifice; or free: -1."""
    s, reply, ids = mind.threat, mind.reply, mind.ids
    s.colour, s.left = colour, 1
    for i in range(REPLIES, list_actions(s, r, enemy, ids, REPLIES)):
        system, what = divmod(int(ids[i]) - actions.SYSTEM, actions.PER_SYSTEM)
        slot = slot_of(system, enemy, int(r.players))
        choices = ways(s, r, enemy, what, slot)
        way = np.int64(0)
        while choices:
            if choices & 1:
                copy_board(s, reply)
                perform(reply, r, enemy, what, slot, way)
                if not can_eliminate(reply, mind.slots, me, fleet_on(mind, reply, me), enemy):
                    return True
            choices >>= 1
            way += 1
    return False


@jit
def is_forced(mind, s, r, me, enemy):
    """Is there nothing that this enemy can do about my threat to eliminate it?

    It is taken for granted that the enemy has a ship to sacrifice besides the one that acts, and that a catastrophe
    saves it; but parries that take several actions are not seen.
    """
    if overpopulated(mind, s):
        return False
    copy_board(s, mind.threat)
    fleet = fleet_on(mind, s, enemy)
    for colour in range(-1, 4):
        if colour < 0 or of_colour(fleet, colour):
            if ends_threat(mind, r, me, enemy, colour):
                return False
    return True


@jit
def foresee(mind, s, r, me, floor):
    """The judgement of ending the turn so, with a look at whether a threat of mine can be parried.

    If it is not above the floor, the answer only says so.
    """
    points = standing(mind, s, me)
    if points == NEVER or points == WIN or points + CAN_ELIMINATE + FORCED <= floor:
        return points
    enemy = threatened(mind, s, me)
    if enemy >= 0:
        points += CAN_ELIMINATE
        floor -= FORCED
    if points <= floor:
        return points
    points -= danger(mind, s, me, points - floor)
    if enemy >= 0 and max(floor, -LOSS // 2) < points < WIN:
        if is_forced(mind, s, r, me, enemy):
            points += FORCED
    return points


@jit
def settle(mind, s, r, me, floor):
    """How good it is to end the turn here, with a catastrophe if one helps."""
    best = foresee(mind, s, r, me, floor)
    crowded = overpopulated(mind, s)
    while crowded:
        slot = lowest(crowded)
        crowded &= crowded - 1
        triggers = catastrophes_to_trigger(s, me, slot)
        for colour in range(4):
            if triggers >> colour & 1:
                aftermath = mind.aftermath
                copy_board(s, aftermath)
                touch(aftermath, slot)
                catastrophe(aftermath, r, me, slot, colour)
                best = max(best, foresee(mind, aftermath, r, me, max(best, floor)))
    return best


# ---------------------------------------------------------------- plans for a sacrifice


@jit
def may_leave(s, me, slot):
    """Can a ship of mine leave here without abandoning my homeworld?"""
    return slot != me or not is_single(s.ships[me, me])


@jit
def gather(s, r, me, sources, target, colour, need):
    """Move ships of this colour from these slots here, the nearest first, then the smallest; how many came."""
    came = 0
    there = sizes(s.markers[target])
    for way in range(1, 4):
        rest = sources
        while rest:
            source, rest = lowest(rest), rest & (rest - 1)
            if s.ships[source, me] == 0 or source == target or distance(sizes(s.markers[source]), there) != way:
                continue
            for piece in range(SIZES * colour, SIZES * (colour + 1)):
                while came < need and s.left >= way and count(s.ships[source, me], piece) and may_leave(s, me, source):
                    touch(s, source)
                    move_ship(s, r, me, source, piece, target, NO_STAR)
                    s.left -= way
                    came += 1
    return came


@jit
def overpopulate(s, r, me, sources, target, colour, need):
    """Bring the pieces of this colour that are missing for a catastrophe here; whether that worked."""
    mine = s.ships[target, me]
    touch(s, target)
    if s.colour == GREEN:
        if of_colour(mine, colour) == 0 or count_colour(s.stash, colour) < need:
            return False
        for _ in range(need):
            construct(s, me, target, colour)
        return True
    if s.colour == BLUE:
        for piece in range(KINDS):
            new = SIZES * colour + piece % SIZES
            while need > 0 and piece != new and count(s.ships[target, me], piece) and count(s.stash, new):
                trade(s, me, target, piece, colour)
                need -= 1
        return need == 0
    return gather(s, r, me, sources, target, colour, need) == need


@jit
def invade(s, r, me, sources, target):
    """Move as many ships as possible from these slots here, the largest first; whether any came."""
    there = sizes(s.markers[target])
    before = s.ships[target, me]
    touch(s, target)
    for size in range(SIZES - 1, -1, -1):
        rest = sources
        while rest:
            source, rest = lowest(rest), rest & (rest - 1)
            if s.ships[source, me] == 0 or source == target:
                continue
            way = distance(sizes(s.markers[source]), there)
            for piece in range(size, KINDS, SIZES):
                while s.left >= way and count(s.ships[source, me], piece) and may_leave(s, me, source):
                    touch(s, source)
                    move_ship(s, r, me, source, piece, target, NO_STAR)
                    s.left -= way
    return s.ships[target, me] != before


@jit
def capture_home(s, me, victim):
    """Take all ships that somebody has at home; whether that worked."""
    home = s.ships[victim, victim]
    if number_of(home) > s.left or largest(home) > largest(s.ships[victim, me]):
        return False
    touch(s, victim)
    s.ships[victim, me] += home
    s.ships[victim, victim] = 0
    return True


@jit
def pays_to_wreck(mind, s, me, target, colour, need):
    """Would a catastrophe here hurt enemies more than me, if I bring the pieces that are missing?"""
    players = np.int64(s.head.players)
    if target < players and s.alive[target] and is_deadly(s, target, colour):
        return True
    points = -catastrophe_loss(s, target, colour, me) - SMALL * need
    for enemy in range(players):
        if enemy != me and s.alive[enemy] and (s.ships[target, enemy] or enemy == target):
            points += catastrophe_loss(s, target, colour, enemy) * mind.hostility[enemy] // 100
    return points > 0


@jit
def try_catastrophes(mind, r, me, target, best):
    """The best outcome of using a sacrifice to overpopulate this system."""
    s, probe = mind.trial, mind.probe
    present, fleet = all_ships(s, target) + s.markers[target], fleet_on(mind, s, me)
    crowd = crowds(present, OVERPOPULATION - int(s.left))
    for colour in range(4):
        if is_crowded(crowd, colour):
            need = OVERPOPULATION - count_colour(present, colour)
            elsewhere = count_colour(fleet - s.ships[target, me], colour)
            if s.colour == YELLOW and elsewhere < need:
                continue
            if need > 0 and pays_to_wreck(mind, s, me, target, colour, need):
                copy_board(s, probe)
                if overpopulate(probe, r, me, slots_of(mind, s, me), target, colour, need):
                    best = max(best, settle(mind, probe, r, me, best))
    return best


@jit
def try_plans(mind, r, me, best):
    """The best outcome of using what is left of a sacrifice for one purpose, if it beats the best so far."""
    s, probe = mind.trial, mind.probe
    targets = mind.others
    while targets:
        target, targets = lowest(targets), targets & (targets - 1)
        if target == me or enemies(s, me, target) == 0:
            continue
        if s.colour == YELLOW or (s.colour != RED and s.ships[target, me]):
            best = try_catastrophes(mind, r, me, target, best)
        if target < int(r.players) and s.alive[target] and (s.colour == RED or (s.colour == YELLOW and s.left > 1)):
            copy_board(s, probe)
            if s.colour == RED:
                done = capture_home(probe, me, target)
            else:
                done = mind.hostility[target] > 0 and invade(probe, r, me, slots_of(mind, s, me), target)
            if done:
                best = max(best, settle(mind, probe, r, me, best))
    return best


# ---------------------------------------------------------------- a sacrifice used one by one


@jit
def use_one_by_one(mind, r, me, best):
    """The outcome of using the sacrifice on the board LATER one by one, each time as well as possible."""
    s, probe = mind.later, mind.probe
    while s.left > 0:
        found = found_slot = found_way = np.int64(-1)
        for i in range(list_actions(s, r, me, mind.ids, 0)):
            system, what = divmod(int(mind.ids[i]) - actions.SYSTEM, actions.PER_SYSTEM)
            slot = slot_of(system, me, int(r.players))
            choices = ways(s, r, me, what, slot)
            way = np.int64(0)
            while choices:
                if choices & 1:
                    copy_board(s, probe)
                    perform(probe, r, me, what, slot, way)
                    value = settle(mind, probe, r, me, best)
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
def promises(s, me, slots):
    """May this sacrifice be worth more when used one by one than a free action and its ship?"""
    if s.colour != GREEN:
        return s.colour == RED
    free = size = 0
    for slot in range(slots):
        ships = s.ships[slot, me]
        size = max(size, size_to_construct(s, ships))
        if of_colour(ships | s.markers[slot], GREEN):
            free = max(free, size_to_construct(s, ships))
    return SHIP[size] * int(s.left) > SHIP[int(s.left)] + SHIP[free]


@jit
def value_of_sacrifice(mind, r, me, slot, piece, floor, desperate):
    """The best outcome found of sacrificing a ship."""
    s = mind.trial
    copy_board(mind.now, s)
    touch(s, slot)
    sacrifice(s, r, me, slot, piece)
    best = try_plans(mind, r, me, floor)
    if desperate or promises(s, me, mind.slots):
        copy_board(s, mind.later)
        best = use_one_by_one(mind, r, me, best)
    return best


# ---------------------------------------------------------------- setting up

STAR_OF_COLOUR = (60, 0, 30, 30)
SHIP_OF_COLOUR = (10, 60, 0, 20)
ANOTHER_SIZE, ANOTHER_COLOUR, UNLIKE_NEIGHBOUR = 100, 100, 25
LARGER = 100
SET_UP_MOODS = 50


@jit
def value_of_set_up(s, me, action):
    """Two stars of different sizes and colours, blue if possible, and a large ship, green if possible."""
    markers = s.markers[me]
    if s.phase == phases.SET_UP_SHIP:
        piece = action - actions.SHIP
        value = LARGER * (piece % SIZES) + SHIP_OF_COLOUR[piece // SIZES]
        return value if of_colour(markers, piece // SIZES) else value + ANOTHER_COLOUR
    piece = action - actions.STAR
    value = STAR_OF_COLOUR[piece // SIZES]
    if markers:
        players = np.int64(s.head.players)
        if not of_colour(markers, piece // SIZES):
            value += ANOTHER_COLOUR
        if not markers & (ALL_SMALL << 4 * (piece % SIZES)):
            value += ANOTHER_SIZE
        for neighbour in ((me + 1) % players, (me - 1) % players):
            if sizes(markers + one(piece)) != sizes(s.markers[neighbour]):
                value += UNLIKE_NEIGHBOUR
    return value


@jit
def set_up(s, me, legal, n, mood):
    """The piece that fits best."""
    best, chosen = NEVER, legal[0]
    for i in range(n):
        mood = next_mood(mood)
        value = value_of_set_up(s, me, int(legal[i])) + mood_bonus(mood, SET_UP_MOODS)
        if value > best:
            best, chosen = value, legal[i]
    return chosen


# ---------------------------------------------------------------- deciding


@jit
def next_mood(mood):
    """A cheap random sequence of 31-bit numbers."""
    return (mood * 1103515245 + 12345) & 0x7FFFFFFF


@jit
def mood_bonus(mood, moods):
    """A random number below ``moods``."""
    return (mood >> 8) % moods


@jit
def is_sacrifice(action):
    """Is this, as a first decision of a turn, a sacrifice?"""
    return action >= actions.SYSTEM and (action - actions.SYSTEM) % actions.PER_SYSTEM >= actions.SACRIFICE


@jit
def meaning(s, r, me, action):
    """What an action does, in which slot, and in which way: -1 if that is to be chosen later."""
    system, what = divmod(action - actions.SYSTEM, actions.PER_SYSTEM)
    if s.phase == phases.MOVE_TO:
        way = action - actions.DISCOVER if action < actions.SYSTEM else TO_SYSTEM + system
        return actions.MOVE + int(s.piece), int(s.slot), way
    if s.phase == phases.TRADE_FOR:
        return actions.TRADE + int(s.piece), int(s.slot), action - actions.FOR_COLOUR
    if s.phase == phases.ATTACK_WHOSE:
        return actions.ATTACK + int(s.piece), int(s.slot), action - actions.OWNED_BY
    return what, slot_of(system, me, int(r.players)), -1


@jit
def value_of_action(mind, r, me, what, slot, choices, floor):
    """The best outcome found of an action, completed in one of these ways."""
    now, trial = mind.now, mind.trial
    best = floor
    way = np.int64(0)
    while choices:
        if choices & 1:
            copy_board(now, trial)
            perform(trial, r, me, what, slot, way)
            best = max(best, settle(mind, trial, r, me, best))
            if trial.colour >= 0 and trial.left > 0:
                best = try_plans(mind, r, me, best)
        choices >>= 1
        way += 1
    return best


@jit
def value_of(mind, r, me, action, floor, desperate):
    """The best outcome found of a legal action, or the floor."""
    now, trial = mind.now, mind.trial
    if action == actions.END_TURN:
        return foresee(mind, now, r, me, floor)
    if action == actions.PASS or action == actions.STOP:
        return settle(mind, now, r, me, floor)
    what, slot, way = meaning(now, r, me, action)
    if now.phase == phases.CATASTROPHES:
        copy_board(now, trial)
        touch(trial, slot)
        catastrophe(trial, r, me, slot, what - actions.CATASTROPHE)
        return settle(mind, trial, r, me, floor)
    if now.phase == phases.FREE and what >= actions.SACRIFICE:
        return value_of_sacrifice(mind, r, me, slot, what - actions.SACRIFICE, floor, desperate)
    choices = np.int64(1) << way if way >= 0 else main_ways(ways(now, r, me, what, slot), what)
    return value_of_action(mind, r, me, what, slot, choices, floor)


@jit
def decide(mind, r, me, legal, n, mood, freedom):
    """The legal action with the best outcome found. When in mortal danger, try sacrifices harder."""
    now = mind.now
    moods = MOODS + freedom + IMPATIENCE * max(0, now.head.turn // int(r.players) - LONG_GAME)
    best, chosen = NEVER, legal[0]
    for desperate in (False, True):
        for i in range(n):
            if desperate and not (now.phase == phases.FREE and is_sacrifice(legal[i])):
                continue
            mood = next_mood(mood)
            bonus = mood_bonus(mood, moods)
            value = bonus + value_of(mind, r, me, int(legal[i]), best - bonus, desperate)
            if value > best:
                best, chosen = value, legal[i]
        if best > -LOSS // 2:
            break
    return chosen


@kernel(POLICY)
def play_sensibly(params, rules, state, legal, n, seed):
    """The legal action that looks best, one turn ahead; with a freedom, one that looks at most so much worse."""
    if n == 1:
        return legal[0]
    s = state.view(STATE)[0]
    me, mood = np.int64(s.head.to_move), next_mood(seed & 0x7FFFFFFF)
    if s.phase <= phases.SET_UP_SHIP:
        return set_up(s, me, legal, n, mood)
    if s.phase == phases.TALK:
        return actions.CLAIM_GOOD
    room = np.empty(MIND_BYTES, np.uint8)
    mind = room.view(MIND)[0]
    open_mind(mind, room, rules.view(RULES)[0], state, me)
    return decide(mind, rules.view(RULES)[0], me, legal, n, mood, int(params[0]))
