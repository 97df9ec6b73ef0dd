"""What a card does, in plain English made from its effect program.

    from overworlds.envs.overpower import wording
    from overworlds.envs.overpower.cards import find_card

    print(wording.card_words(find_card("Batman: Batarang", "here")))

`phrases.py` has a phrase for every word of the language of `words.py`; nothing here is the text of a card.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from overworlds.envs.overpower import icons, ops, phrases, words
from overworlds.envs.overpower.cards import ANY_CHARACTER, Card, Character
from overworlds.envs.overpower.compiling import program_of
from overworlds.envs.overpower.decks import Deck

Row = Mapping[str, Any]
VERB_OF = {verb.op: name for name, verb in words.VERBS.items()}
PICKED = "that character"
BOTH_MAY_NOT, NEITHER_MAY = "both players may not", "neither player may"
OLD_HITS = words.CURRENT | words.EVERYWHERE
ATTACKING = {"attack", "aim"}
OPENING = {"declare", "attack", "aim"}
SILENT = {"declare", "either", "reserve_plays", "placeable", "after_concession", "only_if"}
"""Verbs after which nothing has happened yet."""


def any_of(names: list[str]) -> str:
    """``A, B or C``."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def types_of(bits: int) -> str:
    """Power types in words."""
    return any_of([name for t, name in enumerate(icons.TYPE_NAMES) if bits >> t & 1]) or "no type"


def counted(number: int, one: str, many: str) -> str:
    """So many things: ``a card``, ``2 cards``, ``all cards``."""
    if number >= words.ALL:
        return f"all {many}"
    return f"{'an' if one[0] in 'AEIO' else 'a'} {one}" if number == 1 else f"{number} {many}"


@dataclass(frozen=True)
class _Clause:
    """A compiled clause, and the phrases that `phrases.SAID` asks for."""

    row: Row
    named: str = ""
    """The cards that it names, in words."""
    before: frozenset[str] = frozenset()
    """The verbs of its program before it."""
    somebody: str = ""
    """Whom it is about, if that is known by name."""
    whose_name: str = ""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    @property
    def verb(self) -> str:
        return VERB_OF[int(self.row["op"])]

    def phrase(self, with_time: bool = True) -> str:
        """The clause in words."""
        marks = int(self.row["marks"])
        flags = words.VERBS[self.verb].flags
        said = phrases.SAID[self.verb]
        if not marks:
            said += phrases.UNFLAGGED.get(self.verb, "")
        late = ""
        for flag, words_of_flag in phrases.FLAGS.get(self.verb, {}).items():
            more = words_of_flag if marks & flags[flag] else ""
            said, late = (said, late + more) if more.startswith(";") else (said + more, late)
        return said.format_map(self) + (self.time if with_time else "") + late

    # ------------------------------------------------------------ whom

    @property
    def picked(self) -> bool:
        """Has a character been chosen before?"""
        return "pick" in self.before

    @property
    def who(self) -> str:
        scope = int(self.row["scope"])
        who = phrases.WHO[scope]
        if self.picked and scope in (icons.MATE, icons.SELF_OR_MATE, icons.TARGET):
            who = PICKED
        if self.somebody:
            who = self.somebody
        return f"all teammates of {who}" if self.is_about_others else who

    @property
    def is_about_others(self) -> bool:
        lasts = ops.FIRST_LASTING <= int(self.row["op"]) <= ops.LAST_LASTING
        return lasts and bool(int(self.row["marks"]) & words.OTHERS)

    @property
    def team(self) -> str:
        return self.somebody or phrases.TEAMS.get(int(self.row["scope"]), self.who)

    @property
    def player(self) -> str:
        return phrases.PLAYERS.get(int(self.row["scope"]), "yours")

    @property
    def victim(self) -> str:
        return self.who.replace("all teammates", "a teammate")

    @property
    def whose(self) -> str:
        return self.whose_name or phrases.WHOSE.get(int(self.row["scope"]), "your")

    @property
    def must(self) -> str:
        return phrases.MUST.get(int(self.row["scope"]), "")

    @property
    def whom(self) -> str:
        return phrases.CHOSEN_FROM.get(int(self.row["scope"]), "a character")

    @property
    def aim(self) -> str:
        return PICKED if self.picked else "the target"

    @property
    def model(self) -> str:
        return self.aim

    @property
    def mover(self) -> str:
        return PICKED if self.picked else "this character"

    # ------------------------------------------------------------ how much, how long

    @property
    def amount(self) -> int:
        return int(self.row["amount"])

    @property
    def signed(self) -> str:
        return f"{self.amount:+d}"

    @property
    def number(self) -> int:
        return int(self.row["number"])

    @property
    def bonus(self) -> str:
        return f", at {self.signed}" if self.amount else ""

    @property
    def time(self) -> str:
        return "" if self.verb in phrases.TIMELESS else phrases.FOR_HOW_LONG[int(self.row["until"])]

    # ------------------------------------------------------------ which cards, attacks and hits

    @property
    def types(self) -> str:
        return types_of(int(self.row["types"]))

    @property
    def an_icon(self) -> str:
        names = types_of(int(self.row["icons"]))
        return f"{'a' if names[0] in 'FS' else 'an'} {names} icon"

    @property
    def of_what(self) -> str:
        """Types, icons and value of the cards it is about."""
        row, said = self.row, ""
        said += f" of {self.types}" if row["types"] else ""
        said += f" with {self.an_icon}" if row["icons"] else ""
        if row["hi"]:
            lo, hi = int(row["lo"]), int(row["hi"])
            said += f" of value {hi}" if lo == hi else f" of value {lo} to {hi}" if lo else f" of value {hi} or less"
        if row["numeric"] and self.verb != "power_defends":
            said += " with a number"
        return said

    @property
    def kind(self) -> str:
        """The class of its cards."""
        classes = int(self.row["classes"])
        names = [name for i, name in enumerate(phrases.CLASSES) if classes >> i & 1]
        if classes & icons.UNIVERSE == icons.UNIVERSE:
            names = [name for name in names if name in ("Power", "Special", "Event")] + ["Universe"]
        if self.row["multi"]:
            names = ["MultiPower"]
        traits = int(self.row["traits"])
        if traits:
            names = ["One Per Deck" if traits & words.TRAITS["one_per_deck"] else "Special"]
        return f"{any_of(names)} " if names else ""

    @property
    def nouns(self) -> tuple[str, str]:
        """Its cards, one and many."""
        after = self.of_what + phrases.TRAITS.get(int(self.row["traits"]), "")
        if self.row["code"] and self.verb != "modify":
            after += f" of {phrases.CODES[int(self.row['code'])]}"
        return f"{self.kind}card{after}", f"{self.kind}cards{after}"

    @property
    def is_filtered(self) -> bool:
        return self.nouns[1] != "cards" or bool(self.named)

    @property
    def cards(self) -> str:
        return f"the Special {self.named}" if self.named else self.nouns[1]

    @property
    def with_cards(self) -> str:
        return f" with {self.cards}" if self.is_filtered and not self.is_one_special else ""

    @property
    def of_cards(self) -> str:
        return f" of {self.cards}" if self.is_filtered else ""

    @property
    def by(self) -> str:
        return f", by {phrases.CODES[int(self.row['code'])]}" if self.row["code"] else ""

    @property
    def count(self) -> str:
        if self.verb == "fetch" and int(self.row["marks"]) & words.FETCH_ANY:
            return f"any {self.cards}" if self.number >= words.ALL else f"up to {self.number} {self.cards}"
        return counted(self.number, *self.nouns)

    @property
    def count_more(self) -> str:
        if self.number >= words.ALL:
            return f"any number of {self.cards}"
        return f"{self.number} more {self.nouns[self.number > 1]}"

    @property
    def drawn(self) -> str:
        return counted(self.number, "card", "cards")

    @property
    def hits(self) -> str:
        by = f" by {self.nouns[1]}" if self.is_filtered else ""
        return counted(self.number, "hit" + by, "hits" + by)

    @property
    def hits_by(self) -> str:
        return f"hits by {self.cards}" if self.is_filtered else "hits"

    @property
    def untyped_hits(self) -> str:
        return "MultiPower hits" if self.row.get("multi") else "Any-Power hits"

    @property
    def attack(self) -> str:
        kind = f" with a {self.kind}card" if self.kind else ""
        return f"an attack{kind}{self.of_what}"

    # ------------------------------------------------------------ the peculiar ones

    @property
    def hit(self) -> str:
        value = int(self.row.get("hit_value", -1))
        return f", which hits for {value} {types_of(int(self.row['hit_types']))}" if value >= 0 else ""

    @property
    def defending(self) -> str:
        types = int(self.row["hit_types"])
        return f", in defence of {types_of(types)}" if types else ""

    @property
    def is_one_special(self) -> bool:
        return self.verb == "follow" and int(self.row["classes"]) == icons.SPECIAL

    @property
    def further(self) -> str:
        what = "Special" if self.is_one_special else "attack"
        more = " more" if self.before & ATTACKING else ""
        if self.number >= words.ALL:
            return f"any number of{' further' if more else ''} {what}s"
        return f"one{more} {what}" if self.number == 1 else f"up to {self.number}{more} {what}s"

    @property
    def then(self) -> str:
        return "" if self.before <= SILENT else "then "

    @property
    def instead(self) -> str:
        return "" if self.before <= SILENT - OPENING else "or "

    @property
    def record(self) -> str:
        return "" if int(self.row["marks"]) & OLD_HITS else "the Permanent Record of "

    @property
    def joined(self) -> str:
        if int(self.row["marks"]) & words.PARTS:
            return f"it is made of up to four different Power cards{self.of_what}"
        if self.row["classes"]:
            return f"it may be played with {counted(1, *self.nouns)}"
        return f"it may be added to a Power card of {self.types}"

    @property
    def ratings(self) -> str:
        types = [name for t, name in enumerate(icons.TYPE_NAMES) if int(self.row["types"]) >> t & 1]
        return f"{' and '.join(types)} rating"

    @property
    def at_random(self) -> str:
        return "" if self.number >= words.ALL else ", at random"

    @property
    def of_chosen(self) -> str:
        return " of that type" if int(self.row["marks"]) & words.CHOSEN else ""

    @property
    def to_do(self) -> str:
        return {icons.ATTACK: " to attack", icons.DEFENCE: " to defend"}.get(int(self.row["stat"]), "")

    @property
    def stat(self) -> str:
        return phrases.STATS[int(self.row["stat"]) & icons.ACTIONS]

    @property
    def ko(self) -> str:
        return phrases.KO_BY[int(self.row["stat"]) & 3]

    @property
    def if_numeric(self) -> str:
        return " against an attack with a number" if self.row["numeric"] else ""

    @property
    def lent(self) -> str:
        of_anybody = ", as Specials of any character" if int(self.row["scope"]) == icons.TEAM else ""
        return (self.named or "Specials") + of_anybody

    @property
    def missions(self) -> str:
        return counted(self.amount, "Mission", "Missions").replace("a ", "one ", 1)

    @property
    def moving(self) -> str:
        return counted(self.number, "Mission", "Missions")

    @property
    def source(self) -> str:
        return phrases.SOURCES[int(self.row["stat"]) >> 3]

    @property
    def destination(self) -> str:
        return phrases.DESTINATIONS[int(self.row["stat"]) & 7]

    @property
    def concession(self) -> str:
        return "when you concede" if int(self.row["marks"]) & words.OWN else "when the enemy has conceded"


# ---------------------------------------------------------------- whole programs


def _clauses_of(program: str, where: str = "program") -> list[_Clause]:
    """The clauses of a program, with the cards that they name."""
    found: list[_Clause] = []
    before: list[str] = []
    for text in (part.strip() for part in program.split(";")):
        if not text:
            continue
        plain, _, title = (text, "", "") if text.startswith("borrow") else text.partition(" named:")
        (row,) = words.compile_program(plain, where)
        named = title
        if row["op"] == ops.BORROW and row["amount"]:
            key, _, names = words.NAMED[row["amount"] - 1].partition(":")
            titles = any_of(names.replace("_", " ").split("|"))
            named = f"Specials of {titles}" if key == "owned" else f"the Specials {titles}"
        found.append(_Clause(row, named, frozenset(before)))
        before.append(VERB_OF[row["op"]])
    return found


def program_words(program: str) -> str:
    """A program as a _sentence."""
    return _sentence(_clauses_of(program))


def _sentence(clauses: list[_Clause]) -> str:
    """Clauses as a _sentence."""
    said = ""
    for phrase in _joined_choices(clauses):
        said += phrase if not said else f" {phrase}" if said[-1] in ":;," else f"; {phrase}"
    said = said.replace(BOTH_MAY_NOT, NEITHER_MAY)
    if clauses and clauses[0].verb == "each":
        said = said.replace("your", "the own")
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _joined_choices(clauses: list[_Clause]) -> Iterator[str]:
    """The phrases of clauses, where those among which one chooses are one phrase."""
    rest = iter(clauses)
    for clause in rest:
        if clause.verb == "either":
            some = [each.phrase().removeprefix("then ") for each in itertools.islice(rest, clause.number)]
            yield f"{clause.phrase()} {', or '.join(some)}"
        elif clause.verb == "after_concession":
            is_only = int(clause.row["marks"]) & words.ONLY
            yield f"{clause.phrase()}:" if is_only else f"on your turn, or {clause.phrase()}:"
        elif clause.verb != "declare" or "after_concession" not in clause.before:
            yield clause.phrase()


def choices(program: str) -> list[str]:
    """The effects of a card among which its player chooses."""
    clauses = _clauses_of(program)
    for at, clause in enumerate(clauses):
        if clause.verb == "either":
            return [each.phrase().removeprefix("then ") for each in clauses[at + 1 : at + 1 + clause.number]]
    return []


# ---------------------------------------------------------------- cards and characters


def card_words(card: Card) -> str:
    """What a card of the draw deck does."""
    if card.card_class in (icons.SPECIAL, icons.EVENT):
        whose = "Special of any character. " if card.owner == ANY_CHARACTER else ""
        limit = "One Per Deck. " if card.one_per_deck and card.card_class == icons.SPECIAL else ""
        opening = "declare; " if len(program_of(card)) > len(_clauses_of(card.effect)) else ""
        return f"{whose}{limit}{program_words(opening + card.effect) or 'The rules do not know it yet.'}"
    types = types_of(card.icons)
    if card.card_class == icons.POWER:
        needs = "any type" if card.icons & icons.ANY else types
        return f"A Power card of {card.value} {types}, for characters rated {card.value} or more in {needs}."
    if card.card_class == icons.BASIC:
        return f"Adds {card.bonus} to a Power card of {types}, for characters rated {card.requires} or more in {types}."
    if card.card_class == icons.TRAINING:
        return f"Adds {card.bonus} to a Power card of {types}, for characters rated 5 or less in that type."
    rated = f"rated {abs(card.requires)} or {'less' if card.requires < 0 else 'more'} in {types}"
    start = f"Attacks for {card.value} {types}, for characters {rated};"
    if card.card_class == icons.ALLY:
        return f"{start} then a teammate plays a Special."
    return (
        f"{start} then one or two teammates attack with Power cards of {types_of(card.follow_types)}, "
        f"each type once, the first at +{card.bonus}, the second at +{card.second_bonus}."
    )


def inherent_words(character: Character) -> str:
    """A character's inherent ability, or nothing."""
    return program_words(character.inherent).replace("a teammate", "teammates")


def shortened(ability: str) -> str:
    """An inherent ability where it is clear whose it is."""
    for whose in (" of this character", " on this character", "This character "):
        ability = ability.replace(whose, "")
    return ability[:1].upper() + ability[1:]


def character_words(character: Character) -> str:
    """A Character card: ratings, points and inherent ability."""
    ratings = ", ".join(
        f"{name} {rating or '-'}" for name, rating in zip(icons.TYPE_NAMES, character.grid, strict=False)
    )
    code = {icons.HERO: "a Hero, ", icons.VILLAIN: "a Villain, "}.get(character.code, "")
    inherent = inherent_words(character)
    ability = f"Inherent ability: {inherent}" if inherent else "No inherent ability."
    return f"{ratings}; {code}{character.points} points. {ability}"


def glossary(decks: Iterable[Deck]) -> dict[str, str]:
    """What every card and every character of these decks does, by name."""
    found: dict[str, str] = {}
    for deck in decks:
        found |= {character.name: character_words(character) for character in deck.team}
        found |= {card.name: card_words(card) for card in deck.kinds}
    return found


# ---------------------------------------------------------------- effects that last


def effect_words(row: Row, program: str, who: str, whose: str, user: str, target: str) -> str:
    """A lasting effect as it stands on the table.

    Args:
        row: the clause that it comes from, as the effect has kept it.
        program: of its card.
        who: the name of whom it concerns; nothing for both players.
        whose: the same in the possessive form.
        user: the name of who played the card.
        target: the name of whom it is aimed at, if it is.
    """
    marks = int(row["marks"])
    if int(row["op"]) == ops.NO_USE:
        marks &= ~words.CHOSEN  # by now it says which type
    named = "".join(clause.named for clause in _clauses_of(program) if clause.row["op"] == row["op"])
    clause = _Clause(dict(row) | {"marks": marks}, named, somebody=who, whose_name=whose)
    said = clause.phrase(with_time=False).partition("; also ")[0].replace(BOTH_MAY_NOT, NEITHER_MAY)
    said = said.replace("this character", user or "this character").replace("the target", target or "the target")
    return said + (clause.time if int(row["until"]) != icons.BATTLE else "")
