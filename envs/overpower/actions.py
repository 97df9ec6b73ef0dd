"""The ids of all decisions, in groups. A card is named by its place in its deck's sorted list of kinds."""

from overworlds.envs.overpower.state import KINDS, MISSIONS, TEAM_SIZE

DONE = 0  # stop: nothing more of what is offered
PASS = 1
CONCEDE = 2
FIGHT = 3
TAKE = 4  # no defence: take the hit
ALONE = 5  # no second card
NUMBER = 6  # + 0 to 7: so many Missions, or the effect or the card with this number
TYPE = NUMBER + MISSIONS + 1  # + E F S I Any
OWN = TYPE + 5  # + own character
FOE = OWN + TEAM_SIZE  # + enemy character
VENTURE = FOE + TEAM_SIZE  # + 8 × from Reserve + from Completed
PLAY = VENTURE + (MISSIONS + 1) ** 2  # + kind in hand
PLAY_PLACED = PLAY + KINDS  # + KINDS × character + kind placed on it
KEEP = PLAY_PLACED + TEAM_SIZE * KINDS  # + kind in hand that stays; its duplicates go
DISCARD = KEEP + KINDS  # + kind in hand
FETCH = DISCARD + KINDS  # + kind in one of the own piles
PLACE = FETCH + KINDS  # + KINDS × character + kind in hand
TAKE_PLACED = PLACE + TEAM_SIZE * KINDS  # + KINDS × enemy character + kind placed on it
OWN_HIT = TAKE_PLACED + TEAM_SIZE * KINDS  # + KINDS × own character + enemy kind that lies there as a hit
FOE_HIT = OWN_HIT + TEAM_SIZE * KINDS  # + KINDS × enemy character + own kind that lies there as a hit
FOE_CARD = FOE_HIT + TEAM_SIZE * KINDS  # + enemy kind, in a pile or on the table
DISCARD_PLACED = FOE_CARD + KINDS  # + KINDS × own character + kind placed on it
COUNT = DISCARD_PLACED + TEAM_SIZE * KINDS
