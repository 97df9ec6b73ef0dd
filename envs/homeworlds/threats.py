"""What somebody could do on a Homeworlds board in one turn: bring pieces, overpopulate, capture, eliminate.

These are quick answers for players that judge positions, not rules: they know single actions and sacrifices used for
one purpose, and where a case is intricate they rather see a threat too many. ``slots`` is how many slots to look at,
``fleet`` all ships of the player in question as one pile.
"""

import numpy as np

from overworlds.envs.core.kernel import jit
from overworlds.envs.homeworlds.board import OVERPOPULATION, all_ships
from overworlds.envs.homeworlds.pieces import (
    ALL_SMALL,
    BLUE,
    EACH_COLOUR,
    GREEN,
    RED,
    SIZES,
    YELLOW,
    count,
    count_colour,
    largest,
    of_colour,
    one,
    sizes,
)

ALL_SIZES = 7
CROWDED = 0x010010010010
"""Set bits of `crowds` mean overpopulation: one bit for each colour, twelve apart."""


@jit
def colour_counts(pile):
    """The numbers of pieces of the four colours in one integer, twelve bits apart."""
    return (pile & ALL_SMALL) + (pile >> 4 & ALL_SMALL) + (pile >> 8 & ALL_SMALL)


@jit
def number_of(pile):
    """How many pieces."""
    counts = colour_counts(pile)
    counts += counts >> 24
    return (counts + (counts >> 12)) & 0xFFF


@jit
def crowds(pile, enough):
    """Which colours have so many pieces or more, as bits of ``CROWDED``."""
    return (colour_counts(pile) + (16 - enough) * EACH_COLOUR) & CROWDED


@jit
def is_crowded(crowd, colour):
    """Is this colour among the bits of `crowds`?"""
    return crowd >> 12 * colour & 0x10 != 0


@jit
def fleet_of(s, slots, player):
    """All ships of a player as one pile."""
    fleet = np.int64(0)
    for slot in range(slots):
        fleet += s.ships[slot, player]
    return fleet


@jit
def distance(here, there):
    """How many moves from a system with these marker sizes to one with those, stars to pass through provided."""
    if here & there == 0:
        return 1
    return 2 if here | there != ALL_SIZES else 3


# ---------------------------------------------------------------- bringing pieces


@jit
def can_construct(s, player, fleet, slot, colour, need):
    """Could so many ships of this colour be constructed here?"""
    here = s.ships[slot, player]
    if not of_colour(here, colour) or count_colour(s.stash, colour) < need:
        return False
    if need == 1 and of_colour(here | s.markers[slot], GREEN):
        return True
    return largest(of_colour(fleet, GREEN)) >= need


@jit
def can_trade(s, player, fleet, slot, colour, need):
    """Could so many of the player's ships here be traded for this colour?"""
    here = s.ships[slot, player]
    others = here - of_colour(here, colour)
    if others == 0:
        return False
    if largest(of_colour(fleet, BLUE)) < need and not (need == 1 and of_colour(here | s.markers[slot], BLUE)):
        return False
    possible = 0
    for size in range(SIZES):
        ships = number_of(others & (ALL_SMALL << 4 * size))
        possible += min(ships, count(s.stash, SIZES * colour + size))
    return possible >= need


@jit
def can_move_in(s, slots, player, fleet, slot, colour, need):
    """Could so many of the player's ships of this colour come here?"""
    elsewhere = of_colour(fleet, colour) - of_colour(s.ships[slot, player], colour)
    yellow = of_colour(fleet, YELLOW)
    moves = largest(yellow)
    if number_of(elsewhere) < need or (need > 1 and moves < need):
        return False
    home = s.ships[player, player]
    guards = 2 if yellow == of_colour(home, YELLOW) else 1  # one of them to be sacrificed
    there = sizes(s.markers[slot])
    near = far = farthest = 0
    for source in range(slots):
        ships = of_colour(s.ships[source, player], colour)
        if ships == 0 or source == slot:
            continue
        way = distance(sizes(s.markers[source]), there)
        ready = number_of(ships)
        if source == player:  # somebody must stay at home
            free = number_of(home) > 1
            ready = max(0, min(ready, number_of(home) - guards))
        else:
            free = True
        if way == 1:
            if free and need == 1 and of_colour(s.ships[source, player] | s.markers[source], YELLOW):
                return True
            near += ready
        elif way == 2:
            far += ready
        else:
            farthest += ready
    if colour == YELLOW and guards == 1:  # the one sacrificed cannot come
        if farthest:
            farthest -= 1
        elif far:
            far -= 1
        else:
            near -= 1
    for way, ships in ((1, near), (2, far), (3, farthest)):
        while need > 0 and ships > 0 and moves >= way:
            moves -= way
            ships -= 1
            need -= 1
    return need == 0


@jit
def can_bring(s, slots, player, fleet, slot, colour, need):
    """Could the player add so many pieces (1 to 3) of this colour to a system in one turn?"""
    if s.ships[slot, player]:
        if can_construct(s, player, fleet, slot, colour, need) or can_trade(s, player, fleet, slot, colour, need):
            return True
    return can_move_in(s, slots, player, fleet, slot, colour, need)


# ---------------------------------------------------------------- eliminating


@jit
def can_capture_home(s, attacker, fleet, victim):
    """Could the attacker take every ship the victim has at home?"""
    there, home = s.ships[victim, attacker], s.ships[victim, victim]
    defender = largest(home)
    if there == 0 or largest(there) < defender:
        return False
    ships = number_of(home)
    if ships == 1 and of_colour(there | s.markers[victim], RED):
        return True
    for size in range(ships, SIZES + 1):
        red = SIZES * RED + size - 1
        if count(fleet, red) > count(there, red):
            return True
        if count(there, red) and largest(there - one(red)) >= defender:
            return True
    return False


@jit
def is_deadly(s, player, colour):
    """Would a catastrophe of this colour in the player's home eliminate it?"""
    home, markers = s.ships[player, player], s.markers[player]
    return home == of_colour(home, colour) or markers == of_colour(markers, colour)


@jit
def can_wreck_home(s, slots, attacker, fleet, victim):
    """Could the attacker cause a catastrophe that leaves the victim without ships at home?"""
    present = all_ships(s, victim) + s.markers[victim]
    for colour in range(4):
        if is_deadly(s, victim, colour):
            need = OVERPOPULATION - count_colour(present, colour)
            if need <= 0 or (need < 4 and can_bring(s, slots, attacker, fleet, victim, colour, need)):
                return True
    return False


@jit
def can_eliminate(s, slots, attacker, fleet, victim):
    """Could the attacker eliminate the victim, if it were the attacker's turn?"""
    return can_capture_home(s, attacker, fleet, victim) or can_wreck_home(s, slots, attacker, fleet, victim)


# ---------------------------------------------------------------- capturing


@jit
def prey(s, hunter, owner, slot):
    """The size of the largest ship of the owner here that the hunter is large enough to take; 0: none."""
    ships = s.ships[slot, owner]
    reach = largest(s.ships[slot, hunter])
    while reach and not ships & (ALL_SMALL << 4 * (reach - 1)):
        reach -= 1
    return reach
