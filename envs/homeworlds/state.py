"""What a game of Homeworlds is made of: the rules record and the state record."""

import numpy as np

from overworlds.envs.core.kernel import HEADER, MAX_PLAYERS, record
from overworlds.envs.homeworlds.pieces import KINDS

MAX_PIECES_PER_KIND = 5
MANY_CAPTURES = 100
"""Where the record of captures stops counting."""
LATELY = 2
"""How many of its last statements a player is remembered by."""


def slots_needed(players: int, pieces_per_kind: int) -> int:
    """How many systems there can be: homeworlds keep their places, any other system holds two pieces or more.

    While anybody can discover a system, two players live, whose homeworlds hold two pieces each (or one, while the
    mover's is abandoned for the moment). One place more is for a new system while the ship is leaving its old one.
    """
    return players + KINDS * pieces_per_kind // 2 - 2 + 1


MAX_SLOTS = slots_needed(MAX_PLAYERS, MAX_PIECES_PER_KIND)

RULES = record(
    ("players", np.int8),
    ("pieces_per_kind", np.int8),
    ("slots", np.int8),
    ("home_vanishes", np.int8),
    ("talk", np.int8),
    ("divide_win", np.int8),
    ("unused", np.int8, (2,)),
    ("turn_limit", np.int64),  # turns of all players together; 0: none
)

STATE = record(
    ("head", HEADER),
    ("stash", np.int64),  # a pile
    ("markers", np.int64, (MAX_SLOTS,)),  # by slot, piles; 0: no system here. Slot p: where p set up home
    ("ships", np.int64, (MAX_SLOTS, MAX_PLAYERS)),  # by slot and owner, piles
    ("alive", np.int8, (MAX_PLAYERS,)),
    ("evil", np.int8, (MAX_PLAYERS,)),  # secret unless revealed
    ("revealed", np.int8, (MAX_PLAYERS,)),
    ("captures", np.int8, (MAX_PLAYERS, MAX_PLAYERS)),  # ships the first has taken from the second so far
    ("said", np.int8, (MAX_PLAYERS, LATELY)),  # statements, the newest first; see SAID_*
    ("phase", np.int8),
    ("colour", np.int8),  # of the sacrificed ship, whose actions are being used; -1: a free action
    ("left", np.int8),  # sacrifice actions left
    ("slot", np.int8),  # where the action being completed happens; -1: none
    ("piece", np.int8),  # the ship it happens to
    ("unused", np.int8, (1,)),
)

# What was said: nothing, a claim, or a word on somebody.
SAID_NOTHING = 0
SAID_GOOD = 1
SAID_EVIL = 2
SAID_ACCUSE = 3  # + seat
SAID_VOUCH = SAID_ACCUSE + MAX_PLAYERS  # + seat
