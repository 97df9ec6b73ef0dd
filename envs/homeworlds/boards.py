"""Copies of a position for a player that tries things out on them.

Most of what is tried touches one or two systems. A copy knows which, so that it is made, and made anew, by copying
those systems alone, and so that what was found out about the rest need not be found out again.
"""

import numpy as np

from overworlds.envs.core.bits import lowest, only
from overworlds.envs.core.kernel import jit, record
from overworlds.envs.homeworlds.board import OVERPOPULATION, all_ships
from overworlds.envs.homeworlds.state import STATE
from overworlds.envs.homeworlds.threats import crowds

BOARD = record(*((name, STATE[name]) for name in STATE.names or ()), ("touched", np.int64))
"""A state, and the slots in which it may differ from the board NOW, as bits."""

NEW_SYSTEMS = 4
"""How many systems can be discovered in what is looked at: three by a sacrifice, one by a reply."""

# ---------------------------------------------------------------- copying


@jit
def slots_to_watch(s, r):
    """How many slots to look at: those in use, and those that new systems may fill."""
    last = int(r.slots) - 1
    while s.markers[last] == 0:
        last -= 1
    return min(last + 1 + NEW_SYSTEMS, int(r.slots))


@jit
def copy_board(source, target):
    """Copy what a turn can change; elsewhere both are like NOW already."""
    target.stash = source.stash
    target.colour, target.left = source.colour, source.left
    slots = source.touched | target.touched
    while slots:
        slot = lowest(slots)
        target.markers[slot] = source.markers[slot]
        for player in range(int(source.head.players)):
            target.ships[slot, player] = source.ships[slot, player]
        slots &= slots - 1
    target.touched = source.touched


@jit
def touch(s, slot):
    """Say that something happens in a slot; to be said before anybody looks at the board again."""
    s.touched |= only(slot)


@jit
def is_overpopulated(s, slot):
    """Could there be a catastrophe here?"""
    return crowds(all_ships(s, slot) + s.markers[slot], OVERPOPULATION) != 0
