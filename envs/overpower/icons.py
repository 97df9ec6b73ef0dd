"""Power types, card classes and scopes: the small numbers that cards and rules are written in."""

# Power types, as bits. An Any-Power card has none of the four; its attacks are of type ANY.
ENERGY = 1
FIGHTING = 2
STRENGTH = 4
INTELLECT = 8
ANY = 16
FOUR = ENERGY | FIGHTING | STRENGTH | INTELLECT
TYPES = 4
TYPE_LETTERS = "EFSIA"
TYPE_NAMES = ("Energy", "Fighting", "Strength", "Intellect", "Any-Power")

# Classes of cards, as bits.
POWER = 1
BASIC = 2
TRAINING = 4
TEAMWORK = 8
ALLY = 16
SPECIAL = 32
EVENT = 64
UNIVERSE = BASIC | TRAINING | TEAMWORK | ALLY
CLASSES = 7
CLASS_NAMES = ("power", "basic", "training", "teamwork", "ally", "special", "event")

# Codes of the DC OverPower Code Rule; 0: uncoded.
HERO = 1
VILLAIN = 2

# Whom an effect is about.
SELF = 0  # the character who plays the card
MATE = 1  # one teammate of that character
SELF_OR_MATE = 2
TEAM = 3  # all own characters
TARGET = 4  # one enemy character
FOE = 5  # the opponent himself
FOE_TEAM = 6  # all enemy characters
BOTH = 7  # both players (events)

# How long an effect lasts.
BATTLE = 1
GAME = 2
NEXT_BATTLE = 3

# What a modifier or a ban is about.
ATTACK = 1
DEFENCE = 2
ACTIONS = ATTACK | DEFENCE

SORTS = 3
"""Sorts of cards for placing: Power cards, Universe cards and Specials."""
UNIVERSE_SORT = 1


def placing_sort(card_class: int) -> int:
    """The number of the sort of a class of cards, for placing."""
    if card_class == POWER:
        return 0
    return 2 if card_class == SPECIAL else UNIVERSE_SORT


def mask(letters: str) -> int:
    """The bits of type letters such as ``"EF"``; ``M`` stands for all four."""
    bits = 0
    for letter in letters:
        bits |= FOUR if letter == "M" else 1 << TYPE_LETTERS.index(letter)
    return bits


def letters(bits: int) -> str:
    """The letters of type bits."""
    return "".join(letter for i, letter in enumerate(TYPE_LETTERS) if bits >> i & 1)
