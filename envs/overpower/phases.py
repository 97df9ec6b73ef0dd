"""What is pending: the frames that ask for a decision, and the stages of a battle."""

# Frames. All but the last two ask the frame's side to choose.
RESERVE = 0  # which character is the Reserve?
EVENT = 1  # which Event is played?
KEEP = 2  # which of these duplicates stays?
PLACE = 3  # place a card, or stop placing
VENTURE = 4  # how many Missions, from which piles?
CONCEDE = 5  # fight or concede?
TURN = 6  # an offensive action, pass or concede
FOLLOW = 7  # a further attack, or stop
USER = 8  # who plays the card?
PARTNER = 9  # with which second card?
TYPE = 10  # as which type?
TARGET = 11  # at whom?
DEFEND = 12  # a defensive action, or take it
DEFENDER = 13  # who plays the defensive Special?
DEFEND_PARTNER = 14  # with which Universe card?
SHIFT = 15  # to whom?
PICK_PLACED = 16  # which placed card of the enemy?
PICK_DISCARD = 17  # which card of the own hand?
HEAL = 18  # which hit is removed?
FETCH = 19  # which card of the own pile?
CHOOSE_TYPE = 20
LADDER = 21  # how many Missions from Defeated to Completed?
PICK = 22  # which character?
PICK_HIT = 23  # which hit?
EITHER = 24  # which of a card's effects?
UNDO = 25  # which Special of the enemy is negated?
WHICH = 26  # which of several such hits, or of several such Specials?
COUNT = 27  # so many kinds of decisions
RUN = 27  # a card's program is being carried out
FALLING = 28  # is anybody else knocked out?

NAMES = (
    "which character is the Reserve",
    "which Event to play",
    "which duplicate to keep",
    "place a card or stop",
    "how many Missions to venture",
    "fight or concede",
    "an offensive action, pass or concede",
    "a further attack or stop",
    "who plays the card",
    "which second card, or none",
    "as which type",
    "at whom",
    "a defensive action, or take it",
    "who plays the defence",
    "which Universe card to defend with, or none",
    "to whom the attack is shifted",
    "which placed card the enemy loses",
    "which card to discard",
    "which hit to remove",
    "which card of a pile",
    "which power type",
    "how many Missions go from Defeated to Completed",
    "which character",
    "which hit",
    "which of the card's effects",
    "which Special of the enemy to negate",
    "which of several cards of one name",
)

# Flags of FOLLOW frames.
MUST = 1  # stopping is not allowed
ATTACKS_ONLY = 2
EACH_ONCE = 4  # every user and every type only once (Teamwork), or every user only once
NO_UNIVERSE = 8
NO_ANY_HERO = 16
CONCESSION = 32  # after the opponent conceded
TYPES_ONCE = 64
DOUBLED = 128  # with a Universe card, whose bonus counts twice
OWN_CONCESSION = 256  # after the own concession
TEAMWORK = 512  # follows the Teamwork card that is noted as chosen
FORCED = 1024  # every one of the attacks has to be made
MATE_FELL = 2048  # after a knock-out of the frame's target
ANYHOW = 4096  # whoever's card it is, and whatever ratings it needs
LAST = 8192  # further attacks that the cards of these allow are lost; also a flag of the RUN frames of such cards

# Flag of a RUN frame.
SHOWN = 1  # played as a reaction: nobody can react to it

# Stages of a battle, each for the player who goes first, then for the other, where order matters.
SET_UP = 0
DRAW = 1
EVENT_FIRST = 2
EVENT_SECOND = 3
RESOLVE_FIRST = 4
RESOLVE_SECOND = 5
DISCARD_FIRST = 6
DISCARD_SECOND = 7
PLACING = 8
VENTURE_FIRST = 9
VENTURE_SECOND = 10
CONCEDE_FIRST = 11
CONCEDE_SECOND = 12
BATTLE = 13
BATTLE_OVER = 14
MISSIONS_MOVE = 15
AFTERMATH = 16
