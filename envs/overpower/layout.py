"""The layout of an OverPower observation, part by part, in the order in which `observe` writes it."""

from overworlds.envs.core.game import Part
from overworlds.envs.overpower import phases
from overworlds.envs.overpower.state import FEATURES, GIFT, KINDS, KNOWN_TOP, TEAM_SIZE

PLAYER = 14
CHARACTER = 27
DAMAGE, LIMIT_LEFT = 12, 19
"""Where a character's points of hits are, and what is left of its KO limit."""
ATTACK = 37
PLAY = 11
COUNTS = 6
PLACED_ON = COUNTS
HITS_ON = PLACED_ON + TEAM_SIZE
NEW_HITS_ON = HITS_ON + TEAM_SIZE
IN_ATTACK = NEW_HITS_ON + TEAM_SIZE
IN_PLAY = IN_ATTACK + 2
NEXT = IN_PLAY + 2
ABOUT = NEXT + 1
CARD = ABOUT + FEATURES
"""Of each kind of card; the constants above say where things are in it."""
ON_THE_TABLE = (
    "how many are placed on each of its characters, how many hits it has made on each enemy, how many of these in this "
    "battle, is it the attack's card, its second one, the card of the play being put together or carried out, its "
    "second one or that of which several could be meant, is it known to be drawn next"
)


def observation_parts() -> tuple[Part, ...]:
    """The parts of an observation."""
    return (
        Part("decision", phases.COUNT, 0, 1, "what is to be decided, one-hot, in the order of phases.py"),
        Part("time", 3, 0, 127, "battles begun, percent of the battle limit, attacks left in this frame"),
        Part(
            "players",
            2 * PLAYER,
            -128,
            127,
            "for me and the opponent: to move, goes first, passed, hand size, cards to draw, Missions in Reserve, "
            "Completed, Defeated, ventured from Reserve, from Completed, Venture Total so far, of the last battle, "
            "characters left, Event played",
        ),
        Part(
            "characters",
            2 * TEAM_SIZE * CHARACTER,
            -128,
            127,
            "for each of my characters, then the opponent's: alive, on the Front Line, ratings E F S I, ratings as "
            "printed, Hero, Villain, points of hits, of which in this battle, has hits of E F S I and without type, "
            "KO limit left, may not attack, cards placed, attack and defence modifiers, protected, attacking, attacked "
            "or the one whose hits are asked about",
        ),
        Part(
            "attack",
            ATTACK,
            -128,
            127,
            "the attack waiting for an answer: value, number or not, declared types (five), printed icons, icons that "
            "may not defend, classes (seven), shifted, must be answered with Specials, with a Universe card, with "
            "certain icons, with an equal value, those icons (five), mine, points if it hits, to be defended twice",
        ),
        Part(
            "play",
            PLAY,
            0,
            1,
            "the play being put together: there is one, with a placed card, by which character (four), as which "
            "type (five)",
        ),
        Part(
            "tops",
            2 * KNOWN_TOP,
            0,
            KINDS,
            "the cards that I know on top of my Draw Pile, then of the opponent's: kind + 1, the top first, or 0",
        ),
        Part(
            "inherents",
            2 * TEAM_SIZE * GIFT,
            -128,
            127,
            "what the inherent abilities of my characters, then of the opponent's, do (compiling.WORD_GROUPS, then "
            "DETAIL_NAMES), the same throughout a game",
        ),
        Part(
            "my_cards",
            KINDS * CARD,
            -128,
            127,
            "for each kind of my deck: in hand, seen by the opponent, in the Power Pack, the Dead Pile, the Defeated "
            f"pile, in the Draw Pile; {ON_THE_TABLE}; what it is (compiling.FEATURE_NAMES), the same throughout a game",
            blocks=KINDS,
        ),
        Part(
            "foe_cards",
            KINDS * CARD,
            -128,
            127,
            "for each kind of the opponent's deck: in hand as far as I know, in hand or Draw Pile, in the Power Pack, "
            f"the Dead Pile, the Defeated pile, 0; {ON_THE_TABLE}; what it is",
            blocks=KINDS,
        ),
    )
