"""The board of Homeworlds: what can be seen on it, and what each action does to it.

``s`` is the state record, ``r`` the rules record, ``me`` the player whose turn it is. Slots are places for systems;
slot ``p`` is where player ``p`` set up home.
"""

import numpy as np

from overworlds.envs.core.kernel import jit
from overworlds.envs.homeworlds.pieces import SIZES, count, of_colour, one
from overworlds.envs.homeworlds.state import MANY_CAPTURES

OVERPOPULATION = 4
"""So many pieces of one colour in one system, markers included, can become a catastrophe."""

# ---------------------------------------------------------------- looking


@jit
def all_ships(s, slot):
    """The ships of all players in a system, as one pile."""
    ships = np.int64(0)
    for player in range(int(s.head.players)):
        ships += s.ships[slot, player]
    return ships


@jit
def enemies(s, me, slot):
    """The ships of all others in a system, dead players' too, as one pile."""
    return all_ships(s, slot) - s.ships[slot, me]


@jit
def is_at_home(s, me):
    """Does the player own a ship in its homeworld?"""
    return s.ships[me, me] != 0


@jit
def free_slot(s, r):
    """The first slot after the homeworlds' where no system is."""
    for slot in range(int(r.players), int(r.slots)):
        if s.markers[slot] == 0:
            return slot
    return -1


# ---------------------------------------------------------------- acting


@jit
def return_markers_if_empty(s, r, me, slot):
    """A system without ships leaves known space; the mover's home does so only under that reading."""
    if all_ships(s, slot) == 0 and (slot != me or r.home_vanishes):
        s.stash += s.markers[slot]
        s.markers[slot] = 0


@jit
def construct(s, me, slot, colour):
    """Take the smallest piece of this colour from the stash."""
    piece = SIZES * colour
    while count(s.stash, piece) == 0:
        piece += 1
    s.stash -= one(piece)
    s.ships[slot, me] += one(piece)


@jit
def trade(s, me, slot, piece, colour):
    """Swap a ship with a piece of the same size and another colour."""
    new = SIZES * colour + piece % SIZES
    s.stash += one(piece) - one(new)
    s.ships[slot, me] += one(new) - one(piece)


@jit
def move_ship(s, r, me, slot, piece, destination, star):
    """Move a ship; if ``star`` is a piece, discover the destination with it as marker."""
    if star >= 0:
        s.stash -= one(star)
        s.markers[destination] = one(star)
    s.ships[slot, me] -= one(piece)
    s.ships[destination, me] += one(piece)
    return_markers_if_empty(s, r, me, slot)


@jit
def attack(s, me, slot, piece, owner):
    """Take over a ship."""
    s.ships[slot, owner] -= one(piece)
    s.ships[slot, me] += one(piece)
    s.captures[me, owner] = min(s.captures[me, owner] + 1, MANY_CAPTURES)


@jit
def sacrifice(s, r, me, slot, piece):
    """Give a ship back for as many actions of its colour as its size."""
    s.ships[slot, me] -= one(piece)
    s.stash += one(piece)
    return_markers_if_empty(s, r, me, slot)
    s.colour = piece // SIZES
    s.left = piece % SIZES + 1


@jit
def catastrophe(s, r, me, slot, colour):
    """Return all pieces of a colour; a system that loses its last marker or last ship is gone."""
    for player in range(int(r.players)):
        lost = of_colour(s.ships[slot, player], colour)
        s.ships[slot, player] -= lost
        s.stash += lost
    lost = of_colour(s.markers[slot], colour)
    s.markers[slot] -= lost
    s.stash += lost
    if s.markers[slot] == 0:
        for player in range(int(r.players)):
            s.stash += s.ships[slot, player]
            s.ships[slot, player] = 0
    return_markers_if_empty(s, r, me, slot)
