"""How good a Homeworlds position is for a player, in points: a small ship is worth a hundred.

The judgement is worth minus danger. Worth adds up what one has (ships, powers, a strong homeworld, prey in reach),
less what the enemies have. Danger is the worst that somebody else could do in one turn, so it is never negative, and a
position whose worth is too low already need not be looked at further.

A judged position is a copy in which ``evil`` holds the *chance in percent*, as the judging player knows it, that
each player is Evil; see `know_chances`.
"""

import numpy as np

from overworlds.envs.core.kernel import jit
from overworlds.envs.homeworlds.board import OVERPOPULATION, all_ships, is_at_home
from overworlds.envs.homeworlds.pieces import (
    ALL_SMALL,
    BLUE,
    GREEN,
    RED,
    SIZES,
    YELLOW,
    count,
    count_colour,
    is_single,
    largest,
    of_colour,
    sizes,
)
from overworlds.envs.homeworlds.threats import (
    can_bring,
    can_eliminate,
    colour_counts,
    crowds,
    fleet_of,
    is_crowded,
    prey,
)

# ---------------------------------------------------------------- weights

WIN = 1_000_000
NEVER = -100 * WIN  # a turn that may not end so

EVIL_DOWN = 200_000  # to Good, eliminating one Evil of several
GOOD_DOWN = 150_000  # to Good, eliminating another Good

BALANCE = 4458  # having something while the enemy has nothing

SMALL, MEDIUM, LARGE = 100, 155, 392
SHIP = (0, SMALL, MEDIUM, LARGE)  # by size

BLUE_SHIP, GREEN_SHIP, RED_SHIP, YELLOW_SHIP = 33, 91, 53, 63  # owning a ship of the colour at all
POWER_IN_SYSTEM = 13  # each colour one can use in each system
SYSTEM = 30  # each system one is in, up to
MANY_SYSTEMS = 4
GROWTH = 13  # the size of the ship one could construct

SECOND_STAR = 148  # of the homeworld
HOME_GUARD = (0, 0, 54, 184)  # by the size of the largest ship at home
HOME_SECOND_SHIP = 89
HOME_THIRD_SHIP = 26
HOME_GREEN, HOME_RED = 27, 29  # powers at home
HOME_ONE_COLOUR = 66  # all ships at home have the same colour

PREY = 21  # percent of the value of ships that could be captured next turn
SIEGE = 39  # by the size of my largest ship in an enemy's homeworld
NEAR = 6  # by the size of my largest ship in a system next to an enemy's homeworld
FORCED = 20_000  # if the enemy can do nothing about it
CAN_ELIMINATE = 198  # if the enemy does nothing about it

LOSS = 200_000  # somebody could eliminate me next turn
OTHERS_LOSS = 20_000  # an Evil player could eliminate another one next turn and win
CROWDED_HOME = 50_000  # an overpopulation in my own home
CAPTURED = 183  # percent of the value of a ship that somebody could capture next turn
WRECKED = 68  # percent of the value of ships that a catastrophe could cost next turn

# ---------------------------------------------------------------- who is who


@jit
def know_chances(s, me):
    """Replace the alignments by what I know of them: the chance in percent that each player is Evil.

    I know mine, those revealed, and how many Evil players there are in all.
    """
    players = np.int64(s.head.players)
    evils, unknown = players // 2, 0
    for player in range(players):
        if player == me or s.revealed[player]:
            evils -= int(s.evil[player])
            s.evil[player] = 100 * int(s.evil[player])
        else:
            unknown += 1
    for player in range(players):
        if player != me and not s.revealed[player]:
            s.evil[player] = 100 * evils // unknown


@jit
def living_evils(s):
    """How many of the living are Evil; the dead are revealed."""
    players = np.int64(s.head.players)
    evils = players // 2
    for player in range(players):
        if not s.alive[player] and s.evil[player]:
            evils -= 1
    return evils


@jit
def prize(s, me, victim):
    """What it is worth to me to eliminate this player."""
    if s.evil[me]:
        return WIN
    chance = int(s.evil[victim])
    gain = WIN if living_evils(s) == 1 else EVIL_DOWN
    return (chance * gain - (100 - chance) * GOOD_DOWN) // 100


@jit
def hostility(s, me, other):
    """How much another's loss is my gain, in percent."""
    players = np.int64(s.head.players)
    if players == 2:
        return 100
    if s.evil[me]:
        return 150 // (players - 1)
    return int(s.evil[other]) * 2 // (players - 1)


# ---------------------------------------------------------------- worth


@jit
def material(pile):
    """What these ships are worth together."""
    small, medium, large = pile & ALL_SMALL, pile >> 4 & ALL_SMALL, pile >> 8 & ALL_SMALL
    small += small >> 24
    medium += medium >> 24
    large += large >> 24
    small = (small + (small >> 12)) & 0xFFF
    medium = (medium + (medium >> 12)) & 0xFFF
    large = (large + (large >> 12)) & 0xFFF
    return SMALL * small + MEDIUM * medium + LARGE * large


@jit
def size_to_construct(s, ships):
    """The size of the largest ship that could be constructed next to these."""
    best = 0
    for colour in range(4):
        if of_colour(ships, colour):
            for size in range(1, SIZES + 1):
                if count(s.stash, SIZES * colour + size - 1):
                    best = max(best, size)
                    break
    return best


@jit
def home_worth(s, player):
    """A homeworld wants two stars, a large ship, company for it, and powers."""
    home, markers = s.ships[player, player], s.markers[player]
    points = HOME_GUARD[largest(home)]
    if not is_single(markers):
        points += SECOND_STAR
    if not is_single(home):
        points += HOME_SECOND_SHIP
        counts = colour_counts(home)
        if (counts + (counts >> 12) + (counts >> 24) + (counts >> 36)) & 0xFFF > 2:
            points += HOME_THIRD_SHIP
    powers = home | markers
    if of_colour(powers, GREEN):
        points += HOME_GREEN
    if of_colour(powers, RED):
        points += HOME_RED
    for colour in range(4):
        if home == of_colour(home, colour):
            points -= HOME_ONE_COLOUR
    return points


@jit
def worth(s, slots, player):
    """What a player has."""
    points = home_worth(s, player)
    fleet = np.int64(0)
    systems = growth = 0
    for slot in range(slots):
        ships = s.ships[slot, player]
        if ships == 0:
            continue
        fleet += ships
        systems += 1
        powers = ships | s.markers[slot]
        for colour in range(4):
            if of_colour(powers, colour):
                points += POWER_IN_SYSTEM
        if of_colour(powers, GREEN) and growth < SIZES:
            growth = max(growth, size_to_construct(s, ships))
    points += material(fleet) + SYSTEM * min(systems, MANY_SYSTEMS) + GROWTH * growth
    if of_colour(fleet, BLUE):
        points += BLUE_SHIP
    if of_colour(fleet, GREEN):
        points += GREEN_SHIP
    if of_colour(fleet, RED):
        points += RED_SHIP
    if of_colour(fleet, YELLOW):
        points += YELLOW_SHIP
    return points


@jit
def pressure(s, slots, me, enemy):
    """Ships of mine that harass an enemy: near or in its homeworld, or about to capture."""
    points = SIEGE * largest(s.ships[enemy, me])
    home = sizes(s.markers[enemy])
    for slot in range(slots):
        ships = s.ships[slot, me]
        if ships == 0:
            continue
        if s.ships[slot, enemy] and of_colour(ships | s.markers[slot], RED):
            points += SHIP[prey(s, me, enemy, slot)] * PREY // 100
        if sizes(s.markers[slot]) & home == 0:
            points += NEAR * largest(ships)
    return points


# ---------------------------------------------------------------- danger


@jit
def capture_danger(s, slots, me, enemy, fleet):
    """The value of the best ship of mine that the enemy could capture, by a free attack or a sacrifice."""
    free = costly = 0
    for slot in range(slots):
        if s.ships[slot, me] and s.ships[slot, enemy]:
            size = prey(s, enemy, me, slot)
            if of_colour(s.ships[slot, enemy] | s.markers[slot], RED):
                free = max(free, size)
            else:
                costly = max(costly, size)
    points = SHIP[free] * CAPTURED // 100
    if costly > free:
        for size in range(1, SIZES + 1):
            if count(fleet, SIZES * RED + size - 1):
                return max(points, SHIP[costly] * CAPTURED // 100 - SHIP[size])
    return points


@jit
def catastrophe_loss(s, slot, colour, player):
    """What a catastrophe of this colour would cost a player here."""
    ships = s.ships[slot, player]
    markers = s.markers[slot]
    if markers != of_colour(markers, colour):
        ships = of_colour(ships, colour)
    points = material(ships)
    if slot == player and of_colour(markers, colour):
        points += SECOND_STAR
    return points


@jit
def catastrophe_danger(s, slots, me, enemy, fleet):
    """The most that a catastrophe which the enemy could cause would cost me more than it."""
    worst = 0
    for slot in range(slots):
        if s.ships[slot, me] == 0:
            continue
        present = all_ships(s, slot) + s.markers[slot]
        crowd = crowds(present, OVERPOPULATION - 2)
        if crowd == 0:
            continue
        for colour in range(4):
            if not is_crowded(crowd, colour):
                continue
            points = catastrophe_loss(s, slot, colour, me)
            if points <= worst:
                continue
            need = OVERPOPULATION - count_colour(present, colour)
            points -= catastrophe_loss(s, slot, colour, enemy) + SMALL * max(0, need)
            if need == 2:
                points -= MEDIUM  # a sacrifice
            if points > worst and (need <= 0 or can_bring(s, slots, enemy, fleet, slot, colour, need)):
                worst = points
    return worst * WRECKED // 100


@jit
def danger(s, slots, me):
    """The worst that the others could do to me in one turn."""
    players = np.int64(s.head.players)
    worst = 0
    for enemy in range(players):
        if enemy == me or not s.alive[enemy] or not is_at_home(s, enemy):
            continue
        fleet = fleet_of(s, slots, enemy)
        if can_eliminate(s, slots, enemy, fleet, me):
            worst = max(worst, LOSS)
        worst = max(worst, capture_danger(s, slots, me, enemy, fleet))
        worst = max(worst, catastrophe_danger(s, slots, me, enemy, fleet))
        if players > 2 and s.evil[enemy]:
            for victim in range(players):
                if victim != me and victim != enemy and s.alive[victim] and is_at_home(s, victim):
                    if can_eliminate(s, slots, enemy, fleet, victim):
                        worst = max(worst, OTHERS_LOSS * int(s.evil[enemy]) // 100)
    if crowds(all_ships(s, me) + s.markers[me], OVERPOPULATION):
        worst += CROWDED_HOME
    return worst


# ---------------------------------------------------------------- the judgement


@jit
def threatened(s, slots, me):
    """An enemy whom I could eliminate next turn and would like to; -1: none."""
    fleet = fleet_of(s, slots, me)
    for enemy in range(np.int64(s.head.players)):
        if enemy != me and s.alive[enemy] and is_at_home(s, enemy):
            if prize(s, me, enemy) > 0 and can_eliminate(s, slots, me, fleet, enemy):
                return enemy
    return np.int64(-1)


@jit
def judge(s, slots, me, threat, floor):
    """How good it is for me to end my turn so, threatening to eliminate somebody or not.

    If it is not above the floor, the answer only says so.
    """
    if not is_at_home(s, me):
        return NEVER
    points = CAN_ELIMINATE if threat else 0
    mine = worth(s, slots, me)
    for enemy in range(np.int64(s.head.players)):
        if enemy == me or not s.alive[enemy]:
            continue
        if not is_at_home(s, enemy):
            gain = prize(s, me, enemy)
            if gain == WIN:
                return WIN
            points += gain
            continue
        share = hostility(s, me, enemy)
        if share:
            theirs = worth(s, slots, enemy)
            lead = BALANCE * (mine - theirs) // max(mine + theirs, 1)
            points += (lead + pressure(s, slots, me, enemy)) * share // 100
    if points <= floor:
        return points
    return points - danger(s, slots, me)
