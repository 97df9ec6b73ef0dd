"""The operations that effect programs are compiled to. `words.py` says how each is written on a card."""

NONE = 0
# how a Special is declared: these open a reaction window
DECLARE = 1  # nobody is attacked; only a negation can answer
ATTACK = 2  # a numeric attack
AIM = 3  # an attack without a number on one enemy character
# what an attack carries
FOLLOW = 4  # further attacks, once this one is resolved
COMBINE = 5  # may be summed with a Power card
BARRED = 6  # not to be defended with cards of these icons
ONLY_DEFENCE = 7  # to be defended with these only
ON_HIT = 8  # the rest happens only if the attack landed
SCALE = 9  # the attack grows with something
DAMAGE = 13  # the hit counts for more towards a KO, not for the Venture Total
# reactions
AVOID = 10
SHIFT = 11
NEGATE = 12
# effects that last
MODIFY = 20  # attack or defence values
NO_ATTACK = 21  # the character may not attack
NO_ATTACK_ON = 22  # the character may not be attacked (with these)
ONLY_ATTACK_ON = 23  # the character may be attacked with these only
NO_USE = 24  # the character may not use these cards (to attack, to defend)
GRID = 25  # a rating is set
VENTURE = 26  # the Venture Total changes
KO_LIMIT = 27  # the cumulative limit is set
KO_LIMIT_PLUS = 28  # the cumulative limit changes
KO_IMMUNE = 29  # stat 1: from cumulative, 2: from spectrum KO
KO_EXCLUDE = 30  # hits of these do not count; stat as above
SPECTRUM_NEED = 31
VENTURE_EXCLUDE = 32  # hits of these do not count for the opponent's total
VENTURE_DOUBLE = 33
UNIVERSE_BONUS = 34
FROM_RESERVE = 35  # the Reserve may play these
KEEP_DUPLICATES = 36
NO_ATTACK_PAIR = 37  # the target may not attack the user until the user attacks it
REACH_RESERVE = 38  # attacks with these may go to the Reserve
UNBLOCKABLE = 39  # attacks with these cannot be defended
OPEN_HAND = 40
IGNORE_GRID = 41  # cards of these classes and types are usable whatever the ratings
ON_KO_VENTURE = 42  # the Venture Total changes when the character is knocked out
REFLECT = 43  # a Power attack blocked by an equal Power card is returned
RETYPE = 44  # Any-Power hits on the character are of this type
PLACE_MORE = 45  # more places for placed cards
CLEAR_HITS = 46  # this battle's hits are discarded at its end
# effects at once
DRAW = 60
DISCARD_PLACED = 61
DISCARD_HAND = 62
MILL = 63
HEAL = 64
REVEAL = 65
MISSION = 66
SHUFFLE_PACK = 67
CYCLE_HAND = 68
FETCH = 69
CHOOSE_TYPE = 70  # the rest of the program is about a type chosen now
GRID_COPY = 71  # the user takes the target's ratings
RESERVE_FIGHTS = 72  # the Reserve joins the Front Line for this battle
SHUFFLE_ALL = 73  # Power Pack and Dead Pile join the Draw Pile
FIND_FIRST = 74  # the first such card of the Draw Pile comes into the hand
# marks on a card
AS_POWER = 80  # counts as a Power card, in attack and defence
WITH_POWER = 81  # accompanies a Power card
RESERVE_PLAYS = 82  # may be played by the Reserve
AFTER_CONCESSION = 83  # may be played when the opponent has conceded

FIRST_LASTING, LAST_LASTING = MODIFY, CLEAR_HITS
