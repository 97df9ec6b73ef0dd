"""From a deck to its part of the rules record: numbers, compiled effects and the features of every card."""

import functools
import operator
import re
from typing import Any

import numpy as np

from overworlds.envs.core.bits import set_of
from overworlds.envs.overpower import icons, ops, words
from overworlds.envs.overpower.cards import ANY_CHARACTER, Card, cards
from overworlds.envs.overpower.decks import Deck, may_use, rated_types
from overworlds.envs.overpower.state import (
    AIM_ENEMY,
    AIM_ENEMY_OR_RESERVE,
    AIM_FALLEN,
    AIM_FRONT,
    AIM_FRONT_MATE,
    AIM_NOBODY,
    AS_REACTION,
    FEATURES,
    FROM_THE_RESERVE,
    GIFT,
    ON_TURN,
    OPS,
    TEAM_SIZE,
    WHEN_A_MATE_FALLS,
    WHEN_CONCEDED,
    WHEN_CONCEDING,
    WITH_A_POWER_CARD,
)

Row = dict[str, int]

REACTING = (ops.NO_ATTACK, ops.NO_ATTACK_ON, ops.ONLY_ATTACK_ON, ops.NO_USE, ops.GRID)
"""Effects that some cards also have as a reaction."""
OF_TEAMMATES = (ops.SHIFT, ops.REDIRECT, ops.SWAP_RECORD, ops.SUBSTITUTE)
TEAMMATE_MARKS = {
    ops.FOLLOW: words.BY_ANY | words.BY_MATES,
    ops.WHEN_HIT: words.OTHERS,
    ops.BORROW: words.FALLEN,
    ops.POWER_DEFENDS: words.AVOIDS,
}
"""Other operations that are about teammates when they are marked so."""
OF_HITS = (ops.HEAL, ops.RETYPE, ops.CLEAR_HITS, ops.GATHER, ops.SWAP_HITS, ops.MOVE_HIT, ops.SWAP_RECORD)
OF_PLACED_CARDS = (ops.DISCARD_PLACED, ops.DISCARD_MOST, ops.STEAL)
MOST_LENT = 7

WORD_GROUPS: dict[str, tuple[int, ...]] = {
    "attacks with a number": (ops.ATTACK, ops.AS_POWER),
    "attacks without a number": (ops.AIM,),
    "allows further attacks": (ops.FOLLOW, ops.FORCE),
    "combines with a Power card": (ops.COMBINE, ops.WITH_POWER, ops.COMBINE_POWERS, ops.COMBINE_BONUSES, ops.STEAL),
    "restricts the defence": (ops.BARRED, ops.ONLY_DEFENCE, ops.TWICE, ops.NO_DEFENCE, ops.UNBLOCKABLE, ops.FACE_DOWN),
    "has an effect if it lands": (ops.ON_HIT,),
    "avoids": (ops.AVOID, ops.BODYGUARD, ops.POWER_DEFENDS, ops.REFLECT),
    "shifts": (ops.SHIFT, ops.REDIRECT, ops.RESERVE_SHIELDS),
    "negates": (ops.NEGATE,),
    "modifies values": (
        ops.MODIFY,
        ops.SCALE,
        ops.WHEN_HIT,
        ops.UNIVERSE_BONUS,
        ops.TEAMWORK_DOUBLE,
        ops.INHERENT_BONUS,
    ),
    "keeps from attacking": (ops.NO_ATTACK, ops.NO_ATTACK_PAIR, ops.BENCH),
    "protects from attacks": (ops.NO_ATTACK_ON, ops.ONLY_ATTACK_ON, ops.FOCUS),
    "forbids cards": (ops.NO_USE, ops.NO_CONCEDE),
    "changes ratings": (ops.GRID, ops.GRID_COPY, ops.IGNORE_GRID, ops.BORROW),
    "changes the Venture": (
        ops.VENTURE,
        ops.VENTURE_EXCLUDE,
        ops.VENTURE_DOUBLE,
        ops.CLEAR_HITS,
        ops.ON_KO_VENTURE,
    ),
    "changes KO limits": (
        ops.KO_LIMIT,
        ops.KO_LIMIT_PLUS,
        ops.KO_IMMUNE,
        ops.KO_EXCLUDE,
        ops.KO_DELAY,
        ops.SPECTRUM_NEED,
        ops.RETYPE,
        ops.DAMAGE,
    ),
    "draws or fetches": (
        ops.DRAW,
        ops.FETCH,
        ops.FIND_FIRST,
        ops.FLIP,
        ops.CYCLE_HAND,
        ops.SHUFFLE_PACK,
        ops.SHUFFLE_ALL,
        ops.KEEP_DUPLICATES,
        ops.COMES_BACK,
    ),
    "removes placed cards": (ops.DISCARD_PLACED, ops.DISCARD_ANY, ops.DISCARD_MOST),
    "removes cards of the hand": (ops.DISCARD_HAND, ops.DISCARD_ANY, ops.DISCARD_MOST, ops.DRAW_DOOMED),
    "removes cards of the pile": (ops.MILL,),
    "heals": (ops.HEAL, ops.SWAP_HITS, ops.MOVE_HIT, ops.GATHER, ops.SWAP_RECORD, ops.SUBSTITUTE),
    "reveals": (ops.REVEAL, ops.OPEN_HAND, ops.PEEK),
    "moves Missions": (ops.MISSION, ops.MISSION_CAP, ops.NO_LADDER, ops.NO_VENTURE),
    "moves characters": (ops.RESERVE_FIGHTS, ops.RESERVE_WAITS, ops.SWITCH, ops.KO_OWN, ops.REVIVE, ops.GUEST),
    "changes what the Reserve may do": (ops.FROM_RESERVE, ops.REACH_RESERVE),
    "changes placing": (ops.PLACE_MORE, ops.PLACE_ANY, ops.MUST_PLACE),
}
"""What the effect features of a card say, each 1 if one of these operations is in its program."""
DETAIL_NAMES = (
    *(f"about {name}" for name in words.SCOPES),
    *(f"about {name} cards or attacks" for name in icons.TYPE_NAMES),
    *(f"about {name} cards" for name in icons.CLASS_NAMES),
    *(f"lasts: {name}" for name in words.DURATIONS),
    "attack, or cumulative KO",
    "defence, or Spectrum KO",
    "only with a number",
    "only MultiPower",
    "only Heroes",
    "only Villains",
    "amount",
    "how many",
    "from this value",
    "up to this value",
    "hits for",
)
"""What the effects of a card are about: all its clauses together, but for the attack itself."""

FEATURE_NAMES = (
    *(f"is {name}" for name in icons.CLASS_NAMES),
    *(f"icon {name}" for name in icons.TYPE_NAMES),
    "value",
    "rating required",
    "rating required is a most",
    "bonus",
    "second bonus",
    *(f"follow-up {name}" for name in icons.TYPE_NAMES[:4]),
    *(f"usable by character {i}" for i in range(TEAM_SIZE)),
    "any character's",
    "One Per Deck",
    "Hero code",
    "Villain code",
    "on the turn",
    "as a reaction",
    "with a Power card",
    "after a concession",
    "from Reserve",
    "copies in the deck",
    *WORD_GROUPS,
    *DETAIL_NAMES,
)
assert len(FEATURE_NAMES) <= FEATURES
assert len(WORD_GROUPS) + len(DETAIL_NAMES) <= GIFT


def program_of(card: Card) -> list[Row]:
    """The compiled program, opened by a declaration if it is played on the turn and has no other opening."""
    rows = words.compile_program(card.effect, card.name)
    if card.card_class != icons.SPECIAL or not timing_of(rows) & ON_TURN:
        return rows
    found = {row["op"] for row in rows}
    if found & set(words.OPENERS) or ops.AS_POWER in found:
        return rows
    return [*words.compile_program("declare", ""), *rows]


def timing_of(rows: list[Row]) -> int:
    """When a Special with this program may be played."""
    timing = 0
    found = {row["op"] for row in rows}
    if found & set(words.REACTIONS):
        timing |= AS_REACTION | (ON_TURN if found & set(words.OPENERS) else 0)
    elif ops.WITH_POWER in found:
        timing |= WITH_A_POWER_CARD
    elif ops.SUBSTITUTE in found:
        timing |= WHEN_A_MATE_FALLS
    else:
        timing |= ON_TURN
        if ops.AS_POWER in found or any(_answers(row) for row in rows):
            timing |= AS_REACTION
    for row in rows:
        if row["op"] == ops.NO_ATTACK_ON and row["marks"] & words.NOT_ON_TURN:
            timing &= ~ON_TURN
        if row["op"] == ops.AFTER_CONCESSION:
            timing |= WHEN_CONCEDING if row["marks"] & words.OWN else WHEN_CONCEDED
            timing &= ~ON_TURN if row["marks"] & words.ONLY else timing
    if ops.RESERVE_PLAYS in found:
        timing |= FROM_THE_RESERVE
    return timing


def _answers(row: Row) -> bool:
    """Is this a clause with which a card answers an attack: by stopping or turning it, or as part of a defence?"""
    if row["op"] in (ops.GRID, ops.POWER_DEFENDS) and row["marks"] & words.HELPS:
        return True
    return row["op"] in (*REACTING, ops.MODIFY, ops.REDIRECT) and bool(row["marks"] & words.REACT)


def aim_of(rows: list[Row]) -> int:
    """Whom the player of a Special with this program has to choose."""
    for row in rows:
        if row["op"] in (ops.ATTACK, ops.AIM):
            return AIM_ENEMY_OR_RESERVE if row["marks"] & words.AT_RESERVE else AIM_ENEMY
        if row["op"] == ops.AS_POWER:
            return AIM_ENEMY
        if row["op"] == ops.SUBSTITUTE:
            return AIM_FALLEN
    for row in rows:
        if row["op"] == ops.HEAL:
            return {icons.MATE: AIM_FRONT_MATE, icons.SELF_OR_MATE: AIM_FRONT}.get(row["scope"], AIM_NOBODY)
        if row["op"] == ops.MODIFY and row["scope"] in (icons.MATE, icons.SELF_OR_MATE):
            return AIM_FRONT_MATE if row["scope"] == icons.MATE else AIM_FRONT
        if row["op"] in (ops.REDIRECT, ops.SWAP_RECORD):
            return AIM_FRONT_MATE
    return AIM_NOBODY


def is_against_team(card: Card, rows: list[Row]) -> bool:
    """Is this a Special that is declared on nobody, but about the enemy's characters, or cards placed on them?"""
    if card.card_class != icons.SPECIAL or aim_of(rows) in (AIM_ENEMY, AIM_ENEMY_OR_RESERVE):
        return False
    return any(
        row["scope"] == icons.FOE_TEAM or (row["scope"] == icons.FOE and row["op"] in OF_PLACED_CARDS) for row in rows
    )


def traits_of(card: Card, rows: list[Row]) -> int:
    """What Events may call this card by, as bits of `words.TRAITS`."""
    traits = words.TRAITS["one_per_deck"] * card.one_per_deck
    traits |= words.TRAITS["any_hero"] * (card.owner == ANY_CHARACTER)
    for row in rows if card.card_class == icons.SPECIAL else []:
        reacts = row["op"] in REACTING and row["op"] != ops.NO_USE and row["marks"] & words.REACT
        lets_power_avoid = row["op"] == ops.POWER_DEFENDS and row["marks"] & words.AVOIDS
        if row["op"] == ops.AVOID or reacts or lets_power_avoid:
            traits |= words.TRAITS["avoid"]
        by_mates = row["marks"] & TEAMMATE_MARKS.get(row["op"], 0)
        if row["scope"] in (icons.MATE, icons.SELF_OR_MATE) or row["op"] in OF_TEAMMATES or by_mates:
            traits |= words.TRAITS["teammate"]
        if row["op"] in OF_HITS:
            traits |= words.TRAITS["hits"]
    return traits


def lend(rows: list[Row], deck: Deck, d: Any, used: int) -> int:
    """Number the clauses that let others play named Specials, and mark these; how many there are by now."""
    for row in rows:
        if row["op"] != ops.BORROW or not row["amount"]:
            continue
        key, _, value = words.NAMED[row["amount"] - 1].partition(":")
        names = {_plain(name) for name in value.split("|")}
        for kind, card in enumerate(deck.kinds):
            if _plain(card.owner if key == "owned" else card.name.partition(": ")[2]) in names:
                d.lent[kind] |= 1 << used
        used += 1
        row["amount"] = used
    if used > MOST_LENT:
        raise ValueError(f"deck {deck.name!r}: more than {MOST_LENT} Specials let characters play those of others")
    return used


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def features_of(card: Card, deck: Deck, rows: list[Row], timing: int, code_rule: bool) -> list[int]:
    """The numbers that describe a card to a player, in the order of `FEATURE_NAMES`."""
    return [
        *(int(card.card_class == 1 << i) for i in range(icons.CLASSES)),
        *(card.icons >> t & 1 for t in range(icons.TYPES + 1)),
        card.value,
        abs(card.requires),
        int(card.requires < 0),
        card.bonus,
        card.second_bonus,
        *(card.follow_types >> t & 1 for t in range(icons.TYPES)),
        *(int(may_use(character, card, code_rule)) for character in deck.team),
        int(card.owner == ANY_CHARACTER),
        int(card.one_per_deck),
        int(card.code == icons.HERO),
        int(card.code == icons.VILLAIN),
        *(int(timing & flag != 0) for flag in (ON_TURN, AS_REACTION, WITH_A_POWER_CARD)),
        int(timing & (WHEN_CONCEDED | WHEN_CONCEDING) != 0),
        int(timing & FROM_THE_RESERVE != 0),
        deck.counts[card],
        *effect_features(rows),
    ]


def effect_features(rows: list[Row]) -> list[int]:
    """What a program does and what it is about, in the order of `WORD_GROUPS` and `DETAIL_NAMES`."""
    found = {row["op"] for row in rows}
    effects = [row for row in rows if row["op"] not in (ops.DECLARE, ops.ATTACK, ops.AS_POWER)]

    def together(name: str) -> int:
        return functools.reduce(operator.or_, (row[name] for row in effects), 0)

    stats = functools.reduce(operator.or_, (row["stat"] for row in effects if row["op"] != ops.FETCH), 0)
    return [
        *(int(bool(found & set(group))) for group in WORD_GROUPS.values()),
        *(int(any(row["scope"] == scope for row in effects)) for scope in words.SCOPES.values()),
        *((together("types") | together("icons")) >> t & 1 for t in range(icons.TYPES + 1)),
        *(together("classes") >> c & 1 for c in range(icons.CLASSES)),
        *(int(any(row["until"] == until for row in effects)) for until in words.DURATIONS.values()),
        *(stats >> i & 1 for i in range(2)),
        int(together("numeric") != 0),
        int(together("multi") != 0),
        int(together("code") & icons.HERO != 0),
        int(together("code") & icons.VILLAIN != 0),
        sum(row["amount"] for row in effects),
        max((row["number"] for row in effects), default=0),
        max((row["lo"] for row in effects), default=0),
        max((row["hi"] for row in effects), default=0),
        max((row["hit_value"] for row in rows), default=0),
    ]


class _Program:
    """Fills the table of clauses."""

    def __init__(self, table: Any, where: str) -> None:
        self.table, self.used, self.where = table, 0, where

    def add(self, rows: list[Row]) -> int:
        """Where the rows are now."""
        start = self.used
        if start + len(rows) > OPS:
            raise ValueError(f"deck {self.where!r}: its effects have more than {OPS} clauses")
        for row in rows:
            for name, value in row.items():
                self.table[self.used][name] = value
            self.used += 1
        return start


def compile_deck(deck: Deck, d: Any, code_rule: bool) -> None:
    """Write a deck into its record."""
    program = _Program(d.ops, deck.name)
    d.kinds = len(deck.kinds)
    event_numbers = {card.name: i + 1 for i, card in enumerate(c for c in cards().values() if c.mission)}
    lent = 0
    for kind, card in enumerate(deck.kinds):
        rows = program_of(card)
        lent = lend(rows, deck, d, lent)
        timing = timing_of(rows) if card.card_class == icons.SPECIAL else 0
        d.copies[kind] = deck.counts[card]
        d.card_class[kind] = card.card_class
        d.icons[kind], d.value[kind], d.requires[kind] = card.icons, card.value, card.requires
        d.printed[kind] = card.icons | card.follow_types
        d.bonus[kind], d.second_bonus[kind] = card.bonus, card.second_bonus
        d.follow_types[kind] = card.follow_types
        d.card_code[kind] = card.code
        d.any_hero[kind] = card.owner == ANY_CHARACTER
        d.traits[kind] = traits_of(card, rows)
        d.owners[kind] = sum(1 << i for i, c in enumerate(deck.team) if may_use(c, card, False))
        d.rated[kind] = [rated_types(character, card) for character in deck.team]
        if card.card_class != icons.EVENT:
            d.usable[kind] = sum(1 << i for i, c in enumerate(deck.team) if may_use(c, card, code_rule))
        d.timing[kind], d.aims_at[kind] = timing, aim_of(rows)
        d.against_team[kind] = is_against_team(card, rows)
        d.event[kind] = event_numbers.get(card.name, 0)
        d.op_at[kind], d.op_n[kind] = program.add(rows), len(rows)
        features = features_of(card, deck, rows, timing, code_rule)
        d.features[kind, : len(features)] = features
    compile_sets(deck, d)
    for i, character in enumerate(deck.team):
        d.grid[i] = character.grid
        d.code[i] = character.code
        d.gifted[i] = character.has_inherent
        gift = effect_features(words.compile_program(character.inherent.partition(" named:")[0], character.name))
        d.gifts[i, : len(gift)] = gift if character.has_inherent else 0
        compile_inherent(character.inherent, character.name, deck, d, i, program)
    d.single = set_of(kind for kind in range(len(deck.kinds)) if not d.keep[kind])
    d.from_reserve = set_of(kind for kind in range(len(deck.kinds)) if d.timing[kind] & FROM_THE_RESERVE)


def is_placeable(card: Card) -> bool:
    """May this card be placed on those who can use it? Any-character Specials only if they say so."""
    return card.owner != ANY_CHARACTER or any(row["op"] == ops.PLACEABLE for row in program_of(card))


def compile_sets(deck: Deck, d: Any) -> None:
    """Write the sets of kinds that are looked up as a whole."""
    kinds = list(enumerate(deck.kinds))
    d.events = set_of(kind for kind, card in kinds if card.card_class == icons.EVENT)
    for kind, card in kinds:
        d.twins[kind] = set_of(other for other, each in kinds if each.duplicate_key == card.duplicate_key)
    for i in range(TEAM_SIZE):
        d.uses[i] = set_of(kind for kind, _ in kinds if d.usable[kind] >> i & 1)
    for sort in range(icons.SORTS):
        of_sort = [(kind, card) for kind, card in kinds if icons.placing_sort(card.card_class) == sort]
        d.of_sort[sort] = set_of(kind for kind, _ in of_sort)
        for i in range(TEAM_SIZE):
            d.carries[i, sort] = set_of(
                kind for kind, card in of_sort if d.usable[kind] >> i & 1 and is_placeable(card)
            )


def compile_inherent(text: str, name: str, deck: Deck, d: Any, i: int, program: _Program) -> None:
    """An inherent ability: a mark on the card it names, or clauses."""
    clause, named, title = text.partition(" named:")
    rows = words.compile_program(clause, name)
    if not named:
        d.inherent_at[i], d.inherent_n[i] = program.add(rows), len(rows)
        return
    for kind, card in enumerate(deck.kinds):
        if card.name.partition(": ")[2].lower() == title.lower():
            if rows[0]["op"] == ops.KEEP_DUPLICATES:
                d.keep[kind] |= 1 << i
            else:
                d.timing[kind] |= FROM_THE_RESERVE


def compile_rules(decks: tuple[Deck, Deck], numbers: dict[str, int], record: np.ndarray) -> None:
    """Write the whole rules record."""
    r = record[0]
    for name, value in numbers.items():
        r[name] = value
    for side, deck in enumerate(decks):
        compile_deck(deck, r.decks[side], bool(numbers["code_rule"]))
