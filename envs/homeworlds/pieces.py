"""Pyramids and piles of them.

A *piece* is a kind of pyramid, ``3 * colour + size - 1``. A *pile* is a heap of pieces in one integer: four bits
count each of the twelve kinds. The stash is a pile, the markers of a system are a pile, and the ships that a player
has in a system are a pile.
"""

import numpy as np

from overworlds.envs.core.kernel import jit

COLOURS = "bgry"
BLUE, GREEN, RED, YELLOW = range(4)
SIZES = 3
KINDS = 12
PIECE_NAMES = tuple(colour + str(size) for colour in COLOURS for size in (1, 2, 3))
COLOUR_NAMES = ("blue", "green", "red", "yellow")

ALL_OF_A_COLOUR = 0xFFF
ALL_SMALL = 0x00F00F00F00F
ONE_OF_EACH = 0x111111111111
ALL_KINDS = 0xFFFFFFFFFFFF
EACH_COLOUR = 0x001001001001


@jit
def one(piece):
    """A pile of one piece."""
    return np.int64(1) << (4 * piece)


@jit
def count(pile, piece):
    """How many of this kind are in the pile."""
    return (pile >> (4 * piece)) & 15


@jit
def of_colour(pile, colour):
    """The part of the pile that has this colour; zero if none."""
    return pile & (np.int64(ALL_OF_A_COLOUR) << (12 * colour))


@jit
def count_colour(pile, colour):
    """How many pieces of this colour, of any size."""
    part = pile >> (12 * colour)
    return (part & 15) + ((part >> 4) & 15) + ((part >> 8) & 15)


@jit
def colours(pile):
    """The colours in the pile, as bits of ``EACH_COLOUR``."""
    kinds = pile | pile >> 2
    kinds |= kinds >> 1
    return (kinds | kinds >> 4 | kinds >> 8) & EACH_COLOUR


@jit
def has_one_colour(pile):
    """Are all pieces of this pile, which is not empty, of the same colour?"""
    found = colours(pile)
    return found & (found - 1) == 0


@jit
def sizes(pile):
    """The sizes in the pile, as bits: 1 small, 2 medium, 4 large."""
    small = 1 if pile & ALL_SMALL else 0
    medium = 2 if pile & (ALL_SMALL << 4) else 0
    large = 4 if pile & (ALL_SMALL << 8) else 0
    return small | medium | large


@jit
def largest(pile):
    """The size of its largest piece; 0 for an empty pile."""
    if pile & (ALL_SMALL << 8):
        return 3
    if pile & (ALL_SMALL << 4):
        return 2
    return 1 if pile else 0


@jit
def is_single(pile):
    """Is it exactly one piece? (One four-bit count is 1 and all others are 0.)"""
    return pile & (pile - 1) == 0 and pile & ONE_OF_EACH != 0
