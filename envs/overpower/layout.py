"""The layout of an OverPower observation, part by part, in the order in which `observe` writes it."""

from overworlds.envs.core.game import Part
from overworlds.envs.overpower import phases
from overworlds.envs.overpower.state import FEATURES, KINDS, KNOWN_TOP, MISSIONS, TEAM_SIZE

PLAYER = 14
CHARACTER = 24
COUNTS = 6
ATTACK = 34
PLAY = 17


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
            "printed, Hero, Villain, points of hits, of which in this battle, types of hits as bits, KO limit left, "
            "may not attack, cards placed, attack and defence modifiers, protected, user, target, attacker, defender",
        ),
        Part(
            "attack",
            ATTACK,
            -128,
            127,
            "the attack waiting for an answer: value, number or not, declared types, printed icons, classes, "
            "shifted, barred icons, only specials, only with universe, mine",
        ),
        Part("play", PLAY, -128, 127, "the play being put together: type, kind, second kind, and its classes"),
        Part(
            "tops",
            2 * KNOWN_TOP,
            0,
            KINDS,
            "the cards that I know on top of my Draw Pile, then of the opponent's: kind + 1, the top first, or 0",
        ),
        Part(
            "my_cards",
            KINDS * COUNTS,
            0,
            127,
            "for each kind of my deck: in hand, seen by the opponent, in the Power Pack, the Dead Pile, the Defeated "
            "pile, in the Draw Pile",
        ),
        Part(
            "my_features",
            KINDS * FEATURES,
            -128,
            127,
            "for each kind of my deck: what it is (compiling.FEATURE_NAMES); the same throughout a game",
        ),
        Part("my_places", TEAM_SIZE * KINDS, 0, MISSIONS, "for each of my characters: which kinds are placed on it"),
        Part("my_hits", TEAM_SIZE * KINDS, 0, 127, "for each of my characters: hits by the opponent's kind of card"),
        Part(
            "foe_cards",
            KINDS * COUNTS,
            0,
            127,
            "for each kind of the opponent's deck: in hand as far as I know, in hand or Draw Pile, in the Power Pack, "
            "the Dead Pile, the Defeated pile, 0",
        ),
        Part("foe_features", KINDS * FEATURES, -128, 127, "for each kind of the opponent's deck: what it is"),
        Part("foe_places", TEAM_SIZE * KINDS, 0, MISSIONS, "for each enemy character: which kinds are placed on it"),
        Part("foe_hits", TEAM_SIZE * KINDS, 0, 127, "for each enemy character: hits by my kind of card"),
    )


SIZE = sum(part.size for part in observation_parts())
