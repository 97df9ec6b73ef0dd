"""How good a Homeworlds position is for a player, in points: a small ship is worth a hundred.

The judgement is worth minus danger. Worth adds up what one has (ships, powers, a strong homeworld, prey in reach),
less what the enemies have. Danger is the worst that somebody else could do in one turn, so it is never negative, and a
position whose worth is too low already need not be looked at further.

A judged position is a copy in which ``evil`` holds the *chance in percent*, as the judging player knows it, that
each player is Evil; see `know_chances`.
"""

import numpy as np

from overworlds.envs.core.kernel import inlined, jit
from overworlds.envs.homeworlds.board import OVERPOPULATION, all_ships
from overworlds.envs.homeworlds.pieces import (
    ALL_KINDS,
    ALL_SMALL,
    BLUE,
    GREEN,
    RED,
    SIZES,
    YELLOW,
    colours,
    count,
    count_colour,
    has_one_colour,
    is_single,
    largest,
    of_colour,
    sizes,
)
from overworlds.envs.homeworlds.threats import (
    can_bring,
    colour_counts,
    crowds,
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
    wanted = colours(ships)
    small, medium = colours(s.stash & ALL_SMALL), colours(s.stash & (ALL_SMALL << 4))
    if wanted & colours(s.stash) & ~(small | medium):
        return 3
    if wanted & medium & ~small:
        return 2
    return 1 if wanted & small else 0


@inlined
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
    if has_one_colour(home):
        points -= HOME_ONE_COLOUR
    return points


SYSTEMS_AT, POWERS_AT = 48, 55
"""Bits in the numbers of `holdings_in`, which can be added up. Below are, twelve bits apart like the colours of a pile,
the systems where each colour can be constructed."""


@jit
def holdings_in(ships, markers):
    """What a player with these ships has in a system: the system, its powers, and what can be constructed there."""
    if ships == 0:
        return np.int64(0)
    powers = colours(ships | markers)
    number = (powers + (powers >> 12) + (powers >> 24) + (powers >> 36)) & 7
    holdings = (np.int64(1) << SYSTEMS_AT) + (number << POWERS_AT)
    return holdings + colours(ships) if of_colour(powers, GREEN) else holdings


@inlined
def assets(s, player, fleet, holdings):
    """What a player has who owns these ships and holdings, except prospects of growth."""
    points = home_worth(s, player) + material(fleet)
    points += POWER_IN_SYSTEM * (holdings >> POWERS_AT)
    points += SYSTEM * min(holdings >> SYSTEMS_AT & 0x7F, MANY_SYSTEMS)
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
def worth(s, slots, player):
    """What a player has."""
    fleet = holdings = np.int64(0)
    for slot in range(slots):
        ships = s.ships[slot, player]
        fleet += ships
        holdings += holdings_in(ships, s.markers[slot])
    return assets(s, player, fleet, holdings) + GROWTH * size_to_construct(s, holdings & ALL_KINDS)


@inlined
def pressure_in(s, slot, me, enemy, home):
    """How my ships in a system harass an enemy whose homeworld has markers of these sizes."""
    ships = s.ships[slot, me]
    if ships == 0:
        return 0
    points = SIEGE * largest(ships) if slot == enemy else 0
    if s.ships[slot, enemy] and of_colour(ships | s.markers[slot], RED):
        points += SHIP[prey(s, me, enemy, slot)] * PREY // 100
    if sizes(s.markers[slot]) & home == 0:
        points += NEAR * largest(ships)
    return points


@jit
def pressure(s, slots, me, enemy):
    """Ships of mine that harass an enemy: near or in its homeworld, or about to capture."""
    home = sizes(s.markers[enemy])
    points = 0
    for slot in range(slots):
        points += pressure_in(s, slot, me, enemy, home)
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
def catastrophe_danger_in(s, slots, me, enemy, fleet, slot, worst):
    """The most that a catastrophe which the enemy could cause here would cost me more than it; at least ``worst``."""
    present = all_ships(s, slot) + s.markers[slot]
    crowd = crowds(present, OVERPOPULATION - 2)
    if crowd == 0:
        return worst
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
    return worst


@jit
def catastrophe_danger(s, slots, me, enemy, fleet):
    """The same anywhere, in points."""
    worst = 0
    for slot in range(slots):
        if s.ships[slot, me]:
            worst = catastrophe_danger_in(s, slots, me, enemy, fleet, slot, worst)
    return worst * WRECKED // 100
