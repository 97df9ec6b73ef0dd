"""What a game of OverPower is made of: the rules record with both decks, and the state record."""

from typing import Any

import numpy as np

from overworlds.envs.core.kernel import HEADER, record
from overworlds.envs.overpower.icons import SORTS
from overworlds.envs.overpower.words import FIELDS

PLAYERS = 2
TEAM_SIZE = 4
KINDS = 64
"""The most different cards a deck can have."""
PARTS = 4
"""The most Power cards of which one attack can consist."""
OTHERS = 5
"""The most cards that an attack can have beyond a first and a second one."""
CARDS = 90
"""The most cards a deck can have."""
MISSIONS = 7
PLACED = 11
"""The most cards that can be placed on a character: a Power card, a Universe card, and nine Specials on Hawkeye."""
KNOWN_TOP = 8
"""So many cards on top of a Draw Pile are observed by who knows them."""
SPIED = 31
"""So deep in a Draw Pile it is remembered which cards the opponent has seen."""
SEARCHES = 11
"""Of so many unseen cards of a hand it is remembered what they were searched for."""
SPARED = 64
"""`Player.since` is a number below this, and this times a number of cards."""
OPS = 256
"""Room for a deck's compiled effects."""
HITS = PLAYERS * CARDS
EFFECTS = 35
ROOM = 8
"""So many effects have to be free before a Special is offered: it adds six at most, and an answer to it two."""
DEPTH = 18
"""Room for pending frames."""
HAND = -1
"""Where a card is played from: the hand, or else the number of the character it is placed on."""
NOBODY = -1

WIDE = ("marks",)
"""Fields of a clause that need two bytes."""
OP = record(*((name, np.int16 if name in WIDE else np.int8) for name in FIELDS))
FEATURES = 96
"""How many numbers describe a kind of card in an observation."""
GIFT = 60
"""How many describe a character's inherent ability."""

DECK = record(
    ("kinds", np.int16),
    ("grid", np.int8, (TEAM_SIZE, 4)),  # ratings; 0: the character has no such rank
    ("code", np.int8, (TEAM_SIZE,)),
    ("gifted", np.int8, (TEAM_SIZE,)),  # 1: has an inherent ability
    ("inherent_at", np.int16, (TEAM_SIZE,)),  # first clause of the inherent ability
    ("inherent_n", np.int8, (TEAM_SIZE,)),
    # by kind of card
    ("copies", np.int8, (KINDS,)),
    ("card_class", np.int8, (KINDS,)),
    ("icons", np.int8, (KINDS,)),  # printed types; ANY for none
    ("printed", np.int8, (KINDS,)),  # all icons on the card: Teamwork cards show those of what follows, too
    ("value", np.int8, (KINDS,)),  # of the Power card, or the attack
    ("requires", np.int8, (KINDS,)),  # rating needed; negative: that or less
    ("bonus", np.int8, (KINDS,)),
    ("second_bonus", np.int8, (KINDS,)),
    ("follow_types", np.int8, (KINDS,)),
    ("owners", np.int8, (KINDS,)),  # Special: the characters it belongs to, as bits
    ("card_code", np.int8, (KINDS,)),
    ("any_hero", np.int8, (KINDS,)),
    ("traits", np.int8, (KINDS,)),  # see words.TRAITS
    ("lent", np.int8, (KINDS,)),  # Special: the clauses that let others play it, by number, as bits
    ("keep", np.int8, (KINDS,)),  # duplicates are kept, by an inherent ability of a character (bits)
    ("op_at", np.int16, (KINDS,)),
    ("op_n", np.int8, (KINDS,)),
    ("timing", np.int8, (KINDS,)),  # see ON_TURN …
    ("aims_at", np.int8, (KINDS,)),  # see AIM_*
    ("against_team", np.int8, (KINDS,)),  # 1: a Special without a target that is about the enemy's characters
    ("rated", np.int8, (KINDS, TEAM_SIZE)),  # as which types the printed ratings of a character let it use this
    ("usable", np.int8, (KINDS,)),  # the characters who can use it by printed ratings, name and code, as bits
    # sets of kinds, as bits
    ("twins", np.int64, (KINDS,)),  # duplicates of one another, by kind; itself included
    ("of_sort", np.int64, (SORTS,)),  # see icons.placing_sort
    ("uses", np.int64, (TEAM_SIZE,)),  # those that a character can use by printed ratings, name and code
    ("from_reserve", np.int64),  # those that the Reserve may play
    ("carries", np.int64, (TEAM_SIZE, SORTS)),  # those of a sort that may be placed on a character, as printed
    ("single", np.int64),  # of which no duplicates may be kept, whoever is on the team
    ("events", np.int64),
    # by kind of card
    ("event", np.int16, (KINDS,)),  # the same number is the same event in both decks; 0: none
    ("features", np.int8, (KINDS, FEATURES)),
    ("gifts", np.int8, (TEAM_SIZE, GIFT)),
    ("ops", OP, (OPS,)),
)

RULES = record(
    ("hand_size", np.int8),
    ("ko_limit", np.int8),
    ("spectrum", np.int8),
    ("pair_instead", np.int8),  # the ladder: a pair from Completed moves one Mission up twice, instead of also
    ("code_rule", np.int8),
    ("sum_rule", np.int8),  # decks were checked by it
    ("battle_limit", np.int32),  # 0: none
    ("decks", DECK, (PLAYERS,)),
)

# When a Special may be played.
ON_TURN = 1
AS_REACTION = 2
WITH_A_POWER_CARD = 4
WHEN_CONCEDED = 8
FROM_THE_RESERVE = 16
WHEN_CONCEDING = 32
WHEN_A_MATE_FALLS = 64

# Whom the player of a Special has to choose.
AIM_NOBODY = 0
AIM_ENEMY = 1
AIM_ENEMY_OR_RESERVE = 2
AIM_FRONT_MATE = 3
AIM_FRONT = 4  # the user, too, wherever he stands
AIM_FALLEN = 5

HIT = record(
    ("who", np.int8),  # which character was hit by whom, see below
    ("kind", np.int8),
    ("value", np.int8),
    ("icons", np.int8),
    ("marks", np.int8),
    ("damage", np.int8),  # beyond its value: counts for KO, not for the Venture Total
    ("serial", np.uint8),  # of the play, if it was a Special: its effects have the same; else 0
)
HIT_CURRENT = 1  # scored in the current battle; else part of the Permanent Record
HIT_MULTI = 2  # a MultiPower card: all those on one character are of one type
HIT_SPECIAL = 4
HIT_POWER = 8
HIT_CHOSEN = 16  # by a card that is being carried out


def note_hit(hit: Any, side: int, on: int, by: int) -> None:
    """This enemy has hit that character of this side."""
    hit.who = (side * TEAM_SIZE + on) * TEAM_SIZE + by


def side_hit(hit: Any) -> int:
    """The side that was hit; the card belongs to the other one."""
    return int(hit.who) // (TEAM_SIZE * TEAM_SIZE)


def character_hit(hit: Any) -> int:
    """The character in front of which the hit lies."""
    return int(hit.who) // TEAM_SIZE % TEAM_SIZE


def hitter(hit: Any) -> int:
    """The enemy who scored it."""
    return int(hit.who) % TEAM_SIZE


HIT_FIELDS = ("hit_value", "hit_types")
"""Fields of a clause that only an attack has."""
EFFECT = record(
    *((name, np.int16 if name in WIDE else np.int8) for name in FIELDS if name not in HIT_FIELDS),
    ("side", np.int8),  # whom it concerns
    ("who", np.int8),  # the character, or NOBODY: all of that side
    ("by_side", np.int8),
    ("by", np.int8),  # who played it
    ("kind", np.int8),  # the card it comes from, NOBODY for inherent abilities
    ("holds", np.int8),  # 1: that card lies here
    ("serial", np.uint8),  # clauses of one play have the same number, and a hit that it left
    ("asleep", np.int8),  # 1: begins with the next battle
)

PLAYER = record(
    ("draw", np.int8, (CARDS,)),  # the Draw Pile, top card last
    ("draw_n", np.int16),
    ("hand", np.int8, (KINDS,)),
    ("known", np.int8, (KINDS,)),  # how many of those in hand the opponent has seen
    ("came", np.int8),  # how many have come into it unseen; for this and what follows see sight.py
    ("backs", np.int64),  # which of these are still there, and unseen
    ("since", np.uint8, (KINDS,)),  # after how many cards those of this kind have come
    ("searches", np.int8),  # how many of the places for cards that were searched for have been used
    ("sought", np.int64, (SEARCHES,)),  # what a card was searched for: a set of kinds, or 0
    ("sought_at", np.int8, (SEARCHES,)),  # when it came
    ("kept", np.int64),  # sets of duplicates, of each of which one of the unseen cards is at least
    ("cleared", np.int8),  # `came` when the hand was last cleared of duplicates and unusable cards; 0: not yet
    ("unique", np.int64),  # kinds of which it then had no duplicates
    ("useful", np.int64),  # kinds that somebody could use then
    ("dead", np.int8, (KINDS,)),
    ("pack", np.int8, (KINDS,)),
    ("removed", np.int8, (KINDS,)),  # in the Defeated Characters pile
    ("placed", np.int8, (TEAM_SIZE, PLACED)),  # kinds, NOBODY: free
    ("fresh", np.int64),  # kinds placed on the Reserve before this very battle, as bits
    ("alive", np.int8, (TEAM_SIZE,)),
    ("front", np.int8, (TEAM_SIZE,)),
    ("grid", np.int8, (TEAM_SIZE, 4)),  # as effects have changed it
    ("reserve", np.int8),  # Missions, by pile
    ("completed", np.int8),
    ("defeated", np.int8),
    ("risk_reserve", np.int8),  # Missions ventured, by the pile they come from
    ("risk_completed", np.int8),
    ("passed", np.int8),
    ("visitor", np.int8),  # the Reserve who fights in this battle only, or NOBODY
    ("placing", np.int8),  # 1: has not finished placing
    ("stacked", np.int8),  # how many cards on top of the Draw Pile their owner knows
    ("aside", np.int8),  # how many of these come from the hand, face down: `known` and `backs` still count them
    ("spied", np.int32),  # which cards of it the opponent knows, as bits, the top one first
    ("event", np.int8),  # the Event played in this battle, or NOBODY
    ("discarded", np.int8),  # cards of the hand discarded in this battle, not counting those that were played
    ("total", np.int16),  # the Venture Total of the last battle
)

FRAME = record(
    ("what", np.int8),
    ("side", np.int8),  # who decides
    ("deck", np.int8),  # whose card this is about
    ("user", np.int8),
    ("users", np.int8),  # bits
    ("classes", np.int8),
    ("types", np.int8),
    ("targets", np.int8),
    ("bonus", np.int8),
    ("next_bonus", np.int8),
    ("left", np.int8),
    ("marks", np.int16),
    ("kind", np.int8),
    ("target", np.int8),
    ("holds", np.int8),
    ("chosen", np.int8),
    ("serial", np.uint8),
    ("at", np.int16),
    ("end", np.int16),
)

PLAY = record(
    ("kind", np.int8),
    ("place", np.int8),
    ("user", np.int8),
    ("partner", np.int8),
    ("partner_place", np.int8),
    ("type", np.int8),
    ("target", np.int8),
    ("doubled", np.int8),  # 1: Universe cards count twice
)

ATTACK = record(
    ("side", np.int8),
    ("user", np.int8),
    ("target", np.int8),  # NOBODY: no character is attacked
    ("kind", np.int8),
    ("partner", np.int8),
    ("value", np.int8),
    ("types", np.int8),  # as declared
    ("icons", np.int8),  # all printed ones
    ("classes", np.int8),
    ("numeric", np.int8),
    ("shifted", np.int8),
    ("barred", np.int8),  # icons that may not defend
    ("need", np.int8),  # ONLY_* flags
    ("need_icons", np.int8),
    ("hit_value", np.int8),
    ("hit_icons", np.int8),
    ("damage", np.int8),  # added to the hit
    ("holds", np.int8),  # 1: the card `kind` lies here
    ("twice", np.int8),  # 1: to be defended once more
    ("helped", np.int8),  # a Special was played with the defence: its kind + 1 until the defence follows, see blocks.py
    ("back", np.int8),  # 1: the Power card returns to its Draw Pile if it is blocked
    ("serial", np.uint8),  # of the play, if it is a Special
    ("parts", np.int8),  # 1: an attack of several Power cards, `partner` and `others`, to be blocked one by one
    ("others", np.int8, (OTHERS,)),  # those Power cards, or further Universe cards; before, see attacks.add_other
)

STATE = record(
    ("head", HEADER),
    ("players", PLAYER, (PLAYERS,)),
    ("hits", HIT, (HITS,)),
    ("hits_n", np.int16),
    ("effects", EFFECT, (EFFECTS,)),
    ("effects_n", np.int16),
    ("in_play", np.int64),  # operations that effects may have, as bits from FIRST_LASTING: the others have none
    ("frames", FRAME, (DEPTH,)),
    ("depth", np.int16),
    ("play", PLAY),
    ("concealed", PLAY),  # the attack that lies face down; no kind: there is none
    ("attack", ATTACK),
    ("battle", np.int16),  # battles begun
    ("first", np.int8),  # who goes first in this battle
    ("active", np.int8),  # whose turn it is, or who placed last
    ("stage", np.int8),
    ("passes", np.int8),  # in a row
    ("conceded", np.int8),  # seat, or NOBODY
    ("result", np.int8),  # of the last attack
    ("serial", np.uint8),  # the last one given
    ("found", np.int32, (2,)),  # the first options of the pending decision
)

UNTYPED = 32
"""Stands for the type of what has none, among the types that can be declared."""

# How an attack ended.
DEFENDED = 0
LANDED = 1
NEGATED = 2
