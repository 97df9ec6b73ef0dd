"""The action ids of Homeworlds.

Systems and players are counted from the one who acts: system 0 is my homeworld, system 1 that of the player to my
left, and so on; systems discovered later come after the homeworlds, each with the slot it was given.
"""

from overworlds.envs.core.kernel import MAX_PLAYERS, jit
from overworlds.envs.homeworlds.pieces import KINDS

PASS = 0
STOP = 1
END_TURN = 2
STAR = 3  # + piece
SHIP = STAR + KINDS  # + piece
DISCOVER = SHIP + KINDS  # + piece
FOR_COLOUR = DISCOVER + KINDS  # + colour
OWNED_BY = FOR_COLOUR + 4 - 1  # + 1 ... 5: seats to my left
SAY_NOTHING = OWNED_BY + MAX_PLAYERS
CLAIM_GOOD = SAY_NOTHING + 1
CLAIM_EVIL = CLAIM_GOOD + 1
ACCUSE = CLAIM_EVIL  # + 1 ... 5
VOUCH = ACCUSE + MAX_PLAYERS - 1  # + 1 ... 5
SYSTEM = VOUCH + MAX_PLAYERS  # + PER_SYSTEM * system + one of:

CONSTRUCT = 0  # + colour
TRADE = CONSTRUCT + 4  # + piece
MOVE = TRADE + KINDS  # + piece
ATTACK = MOVE + KINDS  # + piece
SACRIFICE = ATTACK + KINDS  # + piece
CATASTROPHE = SACRIFICE + KINDS  # + colour
GO = CATASTROPHE + 4
PER_SYSTEM = GO + 1


@jit
def seat_to_the_left(me, left, players):
    """The seat so many places to my left. (Without a division: those are slow, and this is done all the time.)"""
    seat = me + left
    return seat - players if seat >= players else seat


@jit
def system_of(slot, me, players):
    """The number of a slot as the player sees it: homeworlds counted from the own one."""
    return seat_to_the_left(slot, players - me, players) if slot < players else slot


@jit
def slot_of(system, me, players):
    """The slot of a system as the player numbers it."""
    return seat_to_the_left(me, system, players) if system < players else system
