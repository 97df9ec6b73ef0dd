"""The language of card effects, and its compiler to rows of numbers.

A program is a list of clauses, ``attack 4 E; follow 1 type:F``. A clause is a verb and words in any order:

- a whole number is the amount, ``x2`` how many, ``all`` means as many as there are;
- ``self mate self_or_mate team target foe foe_team both`` say whom it is about;
- ``type:EF`` the declared type, ``icon:E`` any printed icon, ``class:power,universe`` the class of card,
  ``value:1-4`` the value, ``numeric`` an attack with a number, ``multi`` a MultiPower card,
  ``code:H`` the code of the card or of the acting character: together they are a filter;
- ``stat:attack``, ``stat:defence``, ``stat:both`` what a modifier changes;
- ``battle``, ``game``, ``next`` how long it lasts;
- ``from:pack`` and ``to:dead`` the piles between which `fetch` moves cards, ``trait:avoid`` what a card's text
  speaks of, ``named:Wall_Crawl`` and ``owned:Green_Goblin`` the Specials that `borrow` is about;
- other words are flags of their verb, listed in `VERBS`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from overworlds.envs.overpower import icons, ops

FIELDS = (
    "op", "scope", "classes", "types", "icons", "lo", "hi", "amount",
    "number", "until", "stat", "marks", "numeric", "hit_value", "hit_types", "multi", "code", "traits",
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

TRAITS = {"one_per_deck": 1, "any_hero": 2, "avoid": 4, "teammate": 8, "hits": 16}
"""What Events call cards by: how many a deck may hold, whose they are, what their text speaks of."""
OF_ANY_CHARACTER = TRAITS["any_hero"]
SOURCES = {"draw": 0, "pack": 1, "dead": 2, "removed": 3, "hand": 4}
DESTINATIONS = {"hand": 0, "dead": 1, "removed": 2, "draw": 3, "top": 4}
NAMED: list[str] = []
"""What ``named:`` and ``owned:`` clauses name; a clause's amount is its place here, from 1."""

# Flags, by verb.
AT_RESERVE = 1  # attack, aim: the enemy Reserve may be the target
OTHER_TARGET = 1  # follow: not the target of the first attack
SAME_TARGET = 2
BY_ANY = 4  # follow: any front-liner
BY_MATES = 8  # follow: each front-line teammate
NO_UNIVERSE = 16
TYPES_ONCE = 32  # follow: every type only once
DOUBLED = 64  # follow: with a Universe card, whose bonus counts twice
THAT_CARD = 128  # follow: with the card fetched before
STOLEN = 256  # follow: with the bonus of the card stolen before
ATTACKS = 512  # follow: only if that card is an attack, but then it has to be made
LAST = 1024  # follow: further attacks that their cards allow are lost
COMPULSORY = 2048  # follow: if it is possible
SCORES = 1  # combine: the bonus is part of the hit
PARTS = 2  # combine: with several Power cards, which alone hit, and may be blocked one by one
PER_RECORD_HIT = 1  # scale
PER_HAND_CARD = 2
ONLY_SPECIALS = 1  # only_defence
ONLY_WITH_UNIVERSE = 2
ONLY_ICONS = 4
ONLY_EQUAL = 8  # only_defence: a Power card of the attack's own value, which hits the attacker
TO_SELF = 1  # shift: from a mate to the player of the card
TO_MATE = 2
OWN_ONLY = 1  # negate: what affects the player of the card only
NON_NUMERIC = 2
OUTNUMBERED = 1  # only_if: the enemy has more characters on the Front Line
FOE_FELL = 2  # only_if: an enemy was knocked out in this battle
WAS_HIT = 4  # only_if: the player of the card was hit in this battle
SPARE = 1  # pick: only where there are others
FALLEN = 2  # pick: a knocked-out character; borrow: from them
HITTER = 4  # pick: an enemy who has hit the player of the card in this battle
REACT = 1  # also playable as a reaction, which stops or turns the attack; with modify, part of the defence
HELPS = 4  # grid, power_defends: also playable as part of a defence
VERSUS_USER = 2  # modify, no_use: only between that character and the player of the card
NOT_ON_TURN = 512  # no_attack_on: only as a reaction
RECORDED = 4  # no_attack_on: Power cards of the value of one in the record
TO_TARGET = 8  # modify: only between the character and the target; redirect: to the target
OTHERS = 16  # any lasting effect: all but that character
ANYWAY = 1024  # no_attack: also if the attack was avoided
RATED = 32  # no_use: only characters rated 7 or 8 in that type
CHOSEN = 64  # the type chosen earlier in this program
FROM_HAND = 128  # no_use: only cards of the hand; flip: a card of the hand, drawn blindly
FROM_PLACE = 256  # no_use: only placed cards
AVOIDS = 1  # power_defends: whatever its value
BY_RESERVE = 2  # power_defends: played by the Reserve
KEEP = 1  # draw: duplicates are kept
FOUND = 1  # keep_duplicates: only the card found before
AT_RANDOM = 2  # discard_hand
TO_DEAD = 4  # discard_hand: to the Dead Pile, whatever the card
FETCH_KEEP = 2  # fetch: even if there is such a card in hand
FETCH_USABLE = 4
FETCH_OWN = 8
FETCH_ANY = 16  # fetch: as many as the player likes
FETCH_PLAYABLE = 128  # fetch: what the player of the card could play now
CURRENT = 1  # heal, pick_hit: hits of this battle, instead of the record
EVERYWHERE = 2  # heal: record and current battle
UP_TO = 4  # heal: of at most the value of the card discarded before
EACH_OF = 8  # heal: so many of each character
GIFTED = 16  # heal: of those with an inherent ability
PER_DEFEATED = 32  # draw, heal: as many as own Defeated Missions
PER_DISCARD = 64  # draw: as many as cards of the own hand were discarded in this battle
EQUAL = 4  # pick_hit: of the value of the hit chosen before
ELSEWHERE = 8  # pick_hit: on another character than that
DEFEATED_TO_RESERVE = 1  # mission
COMPLETED_TO_RESERVE = 2
TO_VENTURED = 4
UNUSABLE = 1  # cycle_hand: only what the user cannot use
WHOLE = 1  # avoid: with a Teamwork card, all that follows
ONLY = 1  # after_concession: and at no other time
OWN = 2  # after_concession: when conceding oneself


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
            "doubled": DOUBLED,
            "that_card": THAT_CARD,
            "stolen": STOLEN,
            "attacks": ATTACKS,
            "last": LAST,
            "must": COMPULSORY,
        },
    ),
    "combine": Verb(ops.COMBINE, {"scores": SCORES, "parts": PARTS}),
    "barred": Verb(ops.BARRED),
    "only_defence": Verb(
        ops.ONLY_DEFENCE,
        {
            "specials": ONLY_SPECIALS,
            "with_universe": ONLY_WITH_UNIVERSE,
            "icons": ONLY_ICONS,
            "equal": ONLY_EQUAL,
        },
    ),
    "twice": Verb(ops.TWICE),
    "comes_back": Verb(ops.COMES_BACK),
    "on_hit": Verb(ops.ON_HIT),
    "scale": Verb(ops.SCALE, {"per_record_hit": PER_RECORD_HIT, "per_hand_card": PER_HAND_CARD}),
    "damage": Verb(ops.DAMAGE),
    "avoid": Verb(ops.AVOID, {"whole": WHOLE}),
    "shift": Verb(ops.SHIFT, {"to_self": TO_SELF, "to_mate": TO_MATE}),
    "negate": Verb(ops.NEGATE, {"own": OWN_ONLY, "non_numeric": NON_NUMERIC}),
    "each": Verb(ops.EACH),
    "either": Verb(ops.EITHER),
    "only_if": Verb(ops.ONLY_IF, {"outnumbered": OUTNUMBERED, "foe_fell": FOE_FELL, "was_hit": WAS_HIT}),
    "pick": Verb(ops.PICK, {"spare": SPARE, "fallen": FALLEN, "hitter": HITTER}),
    "choose_type": Verb(ops.CHOOSE_TYPE),
    "modify": Verb(ops.MODIFY, {"react": REACT, "versus_user": VERSUS_USER, "versus_target": TO_TARGET}),
    "no_attack": Verb(ops.NO_ATTACK, {"react": REACT, "anyway": ANYWAY}),
    "no_attack_on": Verb(ops.NO_ATTACK_ON, {"react": REACT, "not_on_turn": NOT_ON_TURN, "recorded": RECORDED}),
    "only_attack_on": Verb(ops.ONLY_ATTACK_ON, {"react": REACT}),
    "no_use": Verb(
        ops.NO_USE,
        {
            "react": REACT,
            "chosen": CHOSEN,
            "rated": RATED,
            "versus_user": VERSUS_USER,
            "from_hand": FROM_HAND,
            "from_place": FROM_PLACE,
        },
    ),
    "grid": Verb(ops.GRID, {"react": REACT, "helps": HELPS}),
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
    "keep_duplicates": Verb(ops.KEEP_DUPLICATES, {"found": FOUND}),
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
    "bodyguard": Verb(ops.BODYGUARD),
    "redirect": Verb(ops.REDIRECT, {"react": REACT, "to_target": TO_TARGET}),
    "power_defends": Verb(ops.POWER_DEFENDS, {"avoids": AVOIDS, "by_reserve": BY_RESERVE, "helps": HELPS}),
    "reserve_shields": Verb(ops.RESERVE_SHIELDS),
    "borrow": Verb(ops.BORROW, {"fallen": FALLEN}),
    "when_hit": Verb(ops.WHEN_HIT),
    "combine_powers": Verb(ops.COMBINE_POWERS),
    "no_concede": Verb(ops.NO_CONCEDE),
    "no_venture": Verb(ops.NO_VENTURE),
    "mission_cap": Verb(ops.MISSION_CAP),
    "no_ladder": Verb(ops.NO_LADDER),
    "reserve_waits": Verb(ops.RESERVE_WAITS),
    "ko_delay": Verb(ops.KO_DELAY),
    "must_place": Verb(ops.MUST_PLACE),
    "place_any": Verb(ops.PLACE_ANY),
    "focus": Verb(ops.FOCUS),
    "inherent_bonus": Verb(ops.INHERENT_BONUS),
    "no_defence": Verb(ops.NO_DEFENCE),
    "bench": Verb(ops.BENCH),
    "teamwork_double": Verb(ops.TEAMWORK_DOUBLE),
    "guest": Verb(ops.GUEST),
    "combine_bonuses": Verb(ops.COMBINE_BONUSES),
    "face_down": Verb(ops.FACE_DOWN),
    "draw": Verb(ops.DRAW, {"keep": KEEP, "per_defeated": PER_DEFEATED, "per_discard": PER_DISCARD}),
    "discard_placed": Verb(ops.DISCARD_PLACED),
    "discard_hand": Verb(ops.DISCARD_HAND, {"random": AT_RANDOM, "dead": TO_DEAD}),
    "discard_any": Verb(ops.DISCARD_ANY, {"chosen": CHOSEN}),
    "discard_most": Verb(ops.DISCARD_MOST),
    "mill": Verb(ops.MILL, {"random": AT_RANDOM}),
    "heal": Verb(
        ops.HEAL,
        {
            "current": CURRENT,
            "everywhere": EVERYWHERE,
            "up_to": UP_TO,
            "each_of": EACH_OF,
            "gifted": GIFTED,
            "per_defeated": PER_DEFEATED,
            "chosen": CHOSEN,
        },
    ),
    "reveal": Verb(ops.REVEAL),
    "peek": Verb(ops.PEEK),
    "flip": Verb(ops.FLIP, {"from_hand": FROM_HAND}),
    "drop": Verb(ops.DROP),
    "mission": Verb(
        ops.MISSION,
        {
            "defeated_to_reserve": DEFEATED_TO_RESERVE,
            "completed_to_reserve": COMPLETED_TO_RESERVE,
            "to_ventured": TO_VENTURED,
        },
    ),
    "shuffle_pack": Verb(ops.SHUFFLE_PACK),
    "cycle_hand": Verb(ops.CYCLE_HAND, {"unusable": UNUSABLE}),
    "fetch": Verb(
        ops.FETCH,
        {"keep": FETCH_KEEP, "usable": FETCH_USABLE, "own": FETCH_OWN, "any": FETCH_ANY, "playable": FETCH_PLAYABLE},
    ),
    "grid_copy": Verb(ops.GRID_COPY),
    "reserve_fights": Verb(ops.RESERVE_FIGHTS),
    "shuffle_all": Verb(ops.SHUFFLE_ALL),
    "find_first": Verb(ops.FIND_FIRST),
    "switch": Verb(ops.SWITCH),
    "ko_own": Verb(ops.KO_OWN),
    "revive": Verb(ops.REVIVE),
    "substitute": Verb(ops.SUBSTITUTE),
    "gather": Verb(ops.GATHER),
    "pick_hit": Verb(ops.PICK_HIT, {"current": CURRENT, "equal": EQUAL, "elsewhere": ELSEWHERE}),
    "swap_hits": Verb(ops.SWAP_HITS),
    "move_hit": Verb(ops.MOVE_HIT),
    "swap_record": Verb(ops.SWAP_RECORD),
    "cost": Verb(ops.COST),
    "draw_doomed": Verb(ops.DRAW_DOOMED),
    "steal": Verb(ops.STEAL),
    "force": Verb(ops.FORCE),
    "as_power": Verb(ops.AS_POWER),
    "with_power": Verb(ops.WITH_POWER),
    "reserve_plays": Verb(ops.RESERVE_PLAYS),
    "placeable": Verb(ops.PLACEABLE),
    "after_concession": Verb(ops.AFTER_CONCESSION, {"only": ONLY, "own": OWN}),
}

OPENERS = (ops.DECLARE, ops.ATTACK, ops.AIM)
REACTIONS = (ops.AVOID, ops.SHIFT, ops.NEGATE)


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
    elif word == "others" and ops.FIRST_LASTING <= verb.op <= ops.LAST_LASTING:
        row["marks"] |= OTHERS
    elif key in ("named", "owned") and verb.op == ops.BORROW:
        if word not in NAMED:
            NAMED.append(word)
        row["amount"] = NAMED.index(word) + 1
    elif key == "trait" and value in TRAITS:
        row["traits"] |= TRAITS[value]
    elif key == "from" and verb.op == ops.FETCH and value in SOURCES:
        row["stat"] |= SOURCES[value] << 3
    elif key == "to" and verb.op == ops.FETCH and value in DESTINATIONS:
        row["stat"] |= DESTINATIONS[value]
    elif key == "defends" and verb.op == ops.AS_POWER and re.fullmatch(r"[EFSI]+", value):
        row["hit_types"] = icons.mask(value)
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
