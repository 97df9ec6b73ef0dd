"""The language of card effects, and its compiler to rows of numbers.

A program is a list of clauses, ``attack 4 E; follow 1 type:F``. A clause is a verb and words in any order:

- a whole number is the amount, ``x2`` how many, ``all`` means as many as there are;
- ``self mate self_or_mate team target foe foe_team both`` say whom it is about;
- ``type:EF`` the declared type, ``icon:E`` any printed icon, ``class:power,universe`` the class of card,
  ``value:1-4`` the value, ``numeric`` an attack with a number, ``multi`` a MultiPower card,
  ``code:H`` the code of the card or of the acting character: together they are a filter;
- ``stat:attack``, ``stat:defence``, ``stat:both`` what a modifier changes;
- ``battle``, ``game``, ``next`` how long it lasts;
- other words are flags of their verb, listed in `VERBS`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from overworlds.envs.overpower import icons, ops

FIELDS = (
    "op", "scope", "classes", "types", "icons", "lo", "hi", "amount",
    "number", "until", "stat", "marks", "numeric", "hit_value", "hit_types", "multi", "code",
)  # fmt: skip
"""The fields of a compiled clause, a small number each."""

ALL = 100
"""``all``: more than there can be."""

SCOPES = {
    "self": icons.SELF,
    "mate": icons.MATE,
    "self_or_mate": icons.SELF_OR_MATE,
    "team": icons.TEAM,
    "target": icons.TARGET,
    "foe": icons.FOE,
    "foe_team": icons.FOE_TEAM,
    "both": icons.BOTH,
}
DURATIONS = {"battle": icons.BATTLE, "game": icons.GAME, "next": icons.NEXT_BATTLE}
STATS = {"attack": icons.ATTACK, "defence": icons.DEFENCE, "both": icons.ACTIONS, "cumulative": 1, "spectrum": 2}
CLASS_BITS = {name: 1 << i for i, name in enumerate(icons.CLASS_NAMES)} | {"universe": icons.UNIVERSE}

# Flags, by verb.
AT_RESERVE = 1  # attack, aim: the enemy Reserve may be the target
OTHER_TARGET = 1  # follow: not the target of the first attack
SAME_TARGET = 2
BY_ANY = 4  # follow: any front-liner
BY_MATES = 8  # follow: each front-line teammate
NO_UNIVERSE = 16
TYPES_ONCE = 32  # follow: every type only once
PER_RECORD_HIT = 1  # scale
PER_HAND_CARD = 2
ONLY_SPECIALS = 1  # only_defence
ONLY_WITH_UNIVERSE = 2
ONLY_ICONS = 4
TO_SELF = 1  # shift: from a mate to the player of the card
TO_MATE = 2
OWN_ONLY = 1  # negate: what affects the player of the card only
NON_NUMERIC = 2
REACT = 1  # no_attack_on, only_attack_on, grid, no_attack: also playable as a reaction that stops the attack
VERSUS_USER = 2  # modify: only between that character and the player of the card
SUMMED = 4  # modify: only where Power cards are played
KEEP = 1  # draw: duplicates are kept
OWN_CHOICE = 1  # discard_*: the loser chooses
AT_RANDOM = 2
FROM_PACK = 1  # mill, fetch: the Power Pack instead of the Draw Pile
CURRENT = 1  # heal: hits of this battle, instead of the record
EVERYWHERE = 2  # heal: record and current battle
PER_DEFEATED = 32  # draw, heal: as many as own Defeated Missions
DEFEATED_TO_RESERVE = 1  # mission
COMPLETED_TO_RESERVE = 2
RATED = 32  # no_use: only characters rated 7 or 8 in that type
WHOLE = 1  # avoid: with a Teamwork card, all that follows
ONLY = 1  # after_concession: and at no other time
CHOSEN = 64  # the type chosen earlier in this program


@dataclass(frozen=True)
class Verb:
    """What a verb compiles to, and which flags it knows."""

    op: int
    flags: dict[str, int] = field(default_factory=dict)


VERBS = {
    "declare": Verb(ops.DECLARE),
    "attack": Verb(ops.ATTACK, {"reserve": AT_RESERVE}),
    "aim": Verb(ops.AIM, {"reserve": AT_RESERVE}),
    "follow": Verb(
        ops.FOLLOW,
        {
            "other_target": OTHER_TARGET,
            "same_target": SAME_TARGET,
            "by_any": BY_ANY,
            "by_mates": BY_MATES,
            "no_universe": NO_UNIVERSE,
            "types_once": TYPES_ONCE,
        },
    ),
    "combine": Verb(ops.COMBINE),
    "barred": Verb(ops.BARRED),
    "only_defence": Verb(
        ops.ONLY_DEFENCE,
        {"specials": ONLY_SPECIALS, "with_universe": ONLY_WITH_UNIVERSE, "icons": ONLY_ICONS},
    ),
    "on_hit": Verb(ops.ON_HIT),
    "scale": Verb(ops.SCALE, {"per_record_hit": PER_RECORD_HIT, "per_hand_card": PER_HAND_CARD}),
    "damage": Verb(ops.DAMAGE),
    "avoid": Verb(ops.AVOID, {"whole": WHOLE}),
    "shift": Verb(ops.SHIFT, {"to_self": TO_SELF, "to_mate": TO_MATE}),
    "negate": Verb(ops.NEGATE, {"own": OWN_ONLY, "non_numeric": NON_NUMERIC}),
    "modify": Verb(ops.MODIFY, {"versus_user": VERSUS_USER, "powers": SUMMED}),
    "no_attack": Verb(ops.NO_ATTACK, {"react": REACT}),
    "no_attack_on": Verb(ops.NO_ATTACK_ON, {"react": REACT}),
    "only_attack_on": Verb(ops.ONLY_ATTACK_ON, {"react": REACT}),
    "no_use": Verb(ops.NO_USE, {"chosen": CHOSEN, "rated": RATED}),
    "grid": Verb(ops.GRID, {"react": REACT}),
    "venture": Verb(ops.VENTURE),
    "ko_limit": Verb(ops.KO_LIMIT),
    "ko_limit_plus": Verb(ops.KO_LIMIT_PLUS),
    "ko_immune": Verb(ops.KO_IMMUNE),
    "ko_exclude": Verb(ops.KO_EXCLUDE),
    "spectrum_need": Verb(ops.SPECTRUM_NEED),
    "venture_exclude": Verb(ops.VENTURE_EXCLUDE),
    "venture_double": Verb(ops.VENTURE_DOUBLE),
    "universe_bonus": Verb(ops.UNIVERSE_BONUS),
    "from_reserve": Verb(ops.FROM_RESERVE),
    "keep_duplicates": Verb(ops.KEEP_DUPLICATES),
    "no_attack_pair": Verb(ops.NO_ATTACK_PAIR),
    "reach_reserve": Verb(ops.REACH_RESERVE),
    "unblockable": Verb(ops.UNBLOCKABLE),
    "open_hand": Verb(ops.OPEN_HAND),
    "ignore_grid": Verb(ops.IGNORE_GRID),
    "on_ko_venture": Verb(ops.ON_KO_VENTURE),
    "reflect": Verb(ops.REFLECT),
    "retype": Verb(ops.RETYPE),
    "place_more": Verb(ops.PLACE_MORE),
    "clear_hits": Verb(ops.CLEAR_HITS),
    "draw": Verb(ops.DRAW, {"keep": KEEP, "per_defeated": PER_DEFEATED}),
    "discard_placed": Verb(ops.DISCARD_PLACED, {"own_choice": OWN_CHOICE}),
    "discard_hand": Verb(ops.DISCARD_HAND, {"own_choice": OWN_CHOICE, "random": AT_RANDOM}),
    "mill": Verb(ops.MILL, {"pack": FROM_PACK}),
    "heal": Verb(
        ops.HEAL,
        {"current": CURRENT, "everywhere": EVERYWHERE, "per_defeated": PER_DEFEATED, "chosen": CHOSEN},
    ),
    "reveal": Verb(ops.REVEAL),
    "mission": Verb(
        ops.MISSION, {"defeated_to_reserve": DEFEATED_TO_RESERVE, "completed_to_reserve": COMPLETED_TO_RESERVE}
    ),
    "shuffle_pack": Verb(ops.SHUFFLE_PACK),
    "cycle_hand": Verb(ops.CYCLE_HAND),
    "fetch": Verb(ops.FETCH, {"pack": FROM_PACK, "keep": 2, "usable": 4, "own": 8}),
    "choose_type": Verb(ops.CHOOSE_TYPE),
    "grid_copy": Verb(ops.GRID_COPY),
    "reserve_fights": Verb(ops.RESERVE_FIGHTS),
    "shuffle_all": Verb(ops.SHUFFLE_ALL),
    "find_first": Verb(ops.FIND_FIRST),
    "as_power": Verb(ops.AS_POWER),
    "with_power": Verb(ops.WITH_POWER),
    "reserve_plays": Verb(ops.RESERVE_PLAYS),
    "after_concession": Verb(ops.AFTER_CONCESSION, {"only": ONLY}),
}

OPENERS = (ops.DECLARE, ops.ATTACK, ops.AIM)
REACTIONS = (ops.AVOID, ops.SHIFT, ops.NEGATE)
MARKS = (ops.AS_POWER, ops.WITH_POWER, ops.RESERVE_PLAYS, ops.AFTER_CONCESSION)


def compile_program(text: str, where: str) -> list[dict[str, int]]:
    """The clauses of a program as rows; ``where`` names file and card in errors."""
    return [_clause(part.strip(), where) for part in text.split(";") if part.strip()]


def _clause(text: str, where: str) -> dict[str, int]:
    verb_name, *words = text.split()
    if verb_name not in VERBS:
        raise ValueError(f"{where}: unknown word {verb_name!r} in {text!r}; known are {', '.join(sorted(VERBS))}")
    verb = VERBS[verb_name]
    row = dict.fromkeys(FIELDS, 0) | {"op": verb.op, "hit_value": -1, "number": 1}
    for word in words:
        if not _read(word, row, verb):
            raise ValueError(f"{where}: {verb_name!r} does not know the word {word!r} (in {text!r})")
    return row


def _read(word: str, row: dict[str, int], verb: Verb) -> bool:
    """Put one word into the row; False if it means nothing here."""
    key, _, value = word.partition(":")
    if word in verb.flags:
        row["marks"] |= verb.flags[word]
    elif re.fullmatch(r"[+-]?\d+", word):
        row["amount"] = int(word)
    elif re.fullmatch(r"x\d+", word):
        row["number"] = int(word[1:])
    elif word == "all":
        row["number"] = ALL
    elif word in SCOPES:
        row["scope"] = SCOPES[word]
    elif word in DURATIONS:
        row["until"] = DURATIONS[word]
    elif word == "multi":
        row["multi"] = 1
    elif word == "numeric":
        row["numeric"] = 1
    elif key == "code" and value in ("H", "V"):
        row["code"] = icons.HERO if value == "H" else icons.VILLAIN
    elif key == "stat" and value in STATS:
        row["stat"] = STATS[value]
    elif key in ("type", "icon") and re.fullmatch(r"[EFSIAM]+", value):
        row["types" if key == "type" else "icons"] = icons.mask(value)
    elif key == "class" and all(name in CLASS_BITS for name in value.split(",")):
        row["classes"] = _any_bits(CLASS_BITS[name] for name in value.split(","))
    elif key == "value" and re.fullmatch(r"\d+-\d+", value):
        row["lo"], row["hi"] = (int(end) for end in value.split("-"))
    elif key == "hit" and re.fullmatch(r"\d+[EFSIAM]+", value):
        row["hit_value"] = int(re.sub(r"\D", "", value))
        row["hit_types"] = icons.mask(re.sub(r"\d", "", value))
    elif re.fullmatch(r"[EFSIAM]+", word):
        row["types"] = icons.mask(word)
    else:
        return False
    return True


def _any_bits(bits: Iterable[int]) -> int:
    together = 0
    for each in bits:
        together |= each
    return together
