"""The operations that effect programs are compiled to. `words.py` says how each is written on a card."""

# how a Special is declared: these open a reaction window
DECLARE = 1  # nobody is attacked; only a negation can answer
ATTACK = 2  # a numeric attack
AIM = 3  # an attack without a number on one enemy character
# what an attack carries
FOLLOW = 4  # further attacks, once this one is resolved
COMBINE = 5  # may be summed with a Power card, or carry a Universe card
BARRED = 6  # not to be defended with cards of these icons
ONLY_DEFENCE = 7  # to be defended with these only
ON_HIT = 8  # the rest happens only if the attack landed
SCALE = 9  # the attack grows with something
DAMAGE = 13  # the hit counts for more towards a KO, not for the Venture Total
TWICE = 14  # has to be defended twice
# reactions
AVOID = 10
SHIFT = 11
NEGATE = 12
# the course of a program
EACH = 15  # an Event that each player carries out for himself
EITHER = 16  # one of the next clauses, by choice
ONLY_IF = 17  # playable only under a condition
PICK = 18  # the rest of the program is about a character chosen now
CHOOSE_TYPE = 19  # the rest of the program is about a type chosen now
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
RETYPE = 44  # Any-Power hits on the character, or MultiPower ones, are of this type
PLACE_MORE = 45  # more places for placed cards
CLEAR_HITS = 46  # this battle's hits are discarded at its end
BODYGUARD = 47  # the next attack on the character is absorbed
REDIRECT = 48  # attacks on the character go to a teammate
POWER_DEFENDS = 49  # Power cards stop attacks in an unusual way
RESERVE_SHIELDS = 50  # attacks on the Front Line may be moved to the own Reserve
BORROW = 51  # the character may play Specials of others
WHEN_HIT = 52  # makes a modifier when the character is hit
COMBINE_POWERS = 53  # the character may sum two Power cards
NO_CONCEDE = 54
NO_VENTURE = 55  # no Missions are ventured
MISSION_CAP = 56  # at most so many ventured Missions move
NO_LADDER = 57  # no Missions leave the Defeated pile
RESERVE_WAITS = 58  # the Reserve does not move up yet
KO_DELAY = 59  # nobody is knocked out before the end of the battle
MUST_PLACE = 60  # whatever can be placed on the Front Line has to be
PLACE_ANY = 61  # any-character Specials may be placed
FOCUS = 62  # attacks with these go to one target until it is knocked out
INHERENT_BONUS = 63  # modifiers of inherent abilities change
NO_DEFENCE = 64  # the character may not defend against these
BENCH = 65  # the character is in Reserve
TEAMWORK_DOUBLE = 66  # bonuses of Teamwork cards count twice
GUEST = 67  # a knocked-out character fights in this battle
COMBINE_BONUSES = 68  # the character may add several Universe cards to a Power card
FACE_DOWN = 69  # attacks of the character with a number lie face down until they have been answered
# effects at once
DRAW = 70
DISCARD_PLACED = 71
DISCARD_HAND = 72
MILL = 73
HEAL = 74
REVEAL = 75
MISSION = 76
SHUFFLE_PACK = 77
CYCLE_HAND = 78
FETCH = 79  # cards of a pile are chosen and moved
GRID_COPY = 80  # the user takes the target's ratings
RESERVE_FIGHTS = 81  # the Reserve joins the Front Line for this battle
SHUFFLE_ALL = 82  # Power Pack and Dead Pile join the Draw Pile
FIND_FIRST = 83  # the first such card of the Draw Pile comes into the hand
SWITCH = 84  # a Front Line character changes places with the Reserve
KO_OWN = 85  # a character is knocked out, and the Reserve takes its place
REVIVE = 86  # a knocked-out character returns
GATHER = 87  # record hits of the Front Line move to one character
PICK_HIT = 88  # a hit is chosen
SWAP_HITS = 89  # the two chosen hits change places
MOVE_HIT = 90  # the chosen hit moves to the chosen character
SWAP_RECORD = 91  # the user and the target exchange their records
COST = 92  # a card of the hand has to be discarded
DISCARD_ANY = 93  # cards of the hand or placed ones are lost, by the loser's choice
DRAW_DOOMED = 94  # a card is drawn, and it and all its duplicates are discarded
STEAL = 95  # a Universe card placed on an enemy is used up by the next attack
DISCARD_MOST = 96  # such cards of the hand, or placed ones, whichever are more
PEEK = 97  # the top cards of the Draw Pile are looked at
FLIP = 98  # the top card of the Draw Pile, or one of the hand, is turned over: the next clause is about it
DROP = 99  # that card is discarded if it was not played
FORCE = 101  # the target has to attack as often as it can
SUBSTITUTE = 102  # the user falls in place of the teammate who has just been knocked out
COMES_BACK = 100  # a Power card that is blocked returns to the top of its Draw Pile
# marks on a card
AS_POWER = 110  # counts as a Power card, in attack and defence
WITH_POWER = 111  # accompanies a Power card
RESERVE_PLAYS = 112  # may be played by the Reserve
AFTER_CONCESSION = 113  # may be played when somebody has conceded
PLACEABLE = 119  # may be placed, though any character can play it

FIRST_LASTING, LAST_LASTING = MODIFY, FACE_DOWN


def set_of_lasting(*operations: int) -> int:
    """A set of operations of effects that last, as bits, to compare with those in play."""
    return sum(1 << (op - FIRST_LASTING) for op in operations)
