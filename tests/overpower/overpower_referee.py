"""A second, slow reading of the rules of OverPower: plain Python that shares nothing with the compiled game.

Written from the rule text; numbers in brackets are those of the rules and rulings in the game's README. The referee
knows decks of Power, Universe and Special cards (those Specials whose programs use only `VERBS`), and inherent
abilities of `GIFTS`. Events, and anything else, it refuses.

A game is one generator, `Referee.game`, in which the players' decisions are `yield`ed as `Question`s and answered by
`send`. As at the table of the compiled game nobody is asked where there is only one answer. A play is found by brute
force: all complete plays are listed, and its details are then asked for one after the other until one is left.

Chance is not the referee's: `Chance` tells how a pile was shuffled and who cut the higher card.

Where neither text nor rulings say anything, the referee has learnt from the compiled game:

- in which order duplicates are asked for, and that hits are filed before the winner chooses how Missions climb;
- Power cards that only the Reserve could use go to the Power Pack when they are discarded (the text calls such cards
  unusable, but those that the team can still use belong there);
- hits are removed from a teammate in the Reserve, too;
- an attack without a number counts as 0 for Specials that avoid attacks up to a value;
- Specials that search a pile, move a Mission or allow an attack may be played even if that comes to nothing, and a
  choice between two effects is offered even if one of them does;
- a card of which several things last lies with the first of them, and is discarded when that is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple, Protocol

TYPE_NAMES = {"E": "Energy", "F": "Fighting", "S": "Strength", "I": "Intellect", "A": "Any-Power"}
EVERY_TYPE = "EFSIA"
CLASSES = {1: "power", 2: "basic", 4: "training", 8: "teamwork", 16: "ally", 32: "special"}
"""Classes of cards as the data number them; an Event is not among them."""
HELPERS = ("basic", "training")
UNIVERSE = (*HELPERS, "teamwork", "ally")
ANYBODY = "Any Character"
MISSIONS = 7
MANY = 99


# ---------------------------------------------------------------- programs


class Clause(NamedTuple):
    """A verb of a card's program, with the words that follow it."""

    verb: str
    words: tuple[str, ...]

    def number(self) -> int:
        """The amount: 0 if there is none."""
        return next((int(word) for word in self.words if word.lstrip("+-").isdigit()), 0)

    def types(self) -> str:
        """Power types that stand alone."""
        return next((word for word in self.words if word.isupper()), "")

    def times(self) -> int:
        """How often; ``all`` is as often as possible."""
        return MANY if "all" in self.words else next((int(w[1:]) for w in self.words if w[0] == "x"), 1)

    def of(self, key: str) -> str:
        """What follows ``key:``."""
        return next((word.partition(":")[2] for word in self.words if word.startswith(f"{key}:")), "")

    def scope(self) -> str:
        """Whom it is about."""
        return next((word for word in self.words if word in SCOPES), "self")

    def fits(self, cards: Sequence[Card], type: str, value: int | None) -> bool:
        """Is it about an action with these cards, declared as this type, of this value?"""
        classes, most = self.of("class"), self.of("value")
        kinds = {kind for card in cards for kind in (card.kind, card.sort)}
        icons = {icon for card in cards for icon in card.types}
        if classes and not kinds & set(classes.split(",")):
            return False
        if self.of("type") and type not in tuple(self.of("type")):
            return False
        if self.of("icon") and not icons & set(self.of("icon")):
            return False
        if "numeric" in self.words and value is None:
            return False
        if "multi" in self.words and not any(card.has_several_icons for card in cards):
            return False
        low, _, high = most.partition("-")
        return not most or int(low) <= (value or 0) <= int(high)


SCOPES = ("self", "mate", "self_or_mate", "team", "target", "foe", "foe_team")
FILTER = ("class", "type", "icon", "value")


def _knows(words: str = "", *keys: str, alone: str = EVERY_TYPE) -> Callable[[str], bool]:
    """A test: is this one of these words, a number, types, or one with such a key?"""

    def knows(word: str) -> bool:
        if word.lstrip("+-").isdigit() or (word[0] == "x" and word[1:].isdigit()):
            return True
        if word.isupper():
            return set(word) <= set(alone)
        return word in words.split() or (":" in word and word.partition(":")[0] in keys)

    return knows


VERBS: dict[str, Callable[[str], bool]] = {
    # how a card is played
    "reserve_plays": _knows(),
    "after_concession": _knows("only"),
    "only_if": _knows("foe_fell outnumbered"),
    "as_power": _knows(),
    "attack": _knows("reserve", "hit"),
    "aim": _knows(),
    "declare": _knows("foe"),
    "avoid": _knows("self mate self_or_mate numeric whole", *FILTER),
    "shift": _knows("to_self to_mate"),
    # what belongs to an attack
    "combine": _knows(),
    "follow": _knows("all other_target same_target by_any by_mates no_universe types_once", "type", "class"),
    "barred": _knows("", "icon"),
    "only_defence": _knows("specials with_universe icons", "icon"),
    "damage": _knows(),
    "on_hit": _knows(),
    "scale": _knows("per_record_hit"),
    # what happens once
    "either": _knows(),
    "draw": _knows("keep"),
    "heal": _knows("self mate self_or_mate all multi current", "icon", "class"),
    "mill": _knows("foe"),
    "discard_placed": _knows("target foe all", "class"),
    "discard_hand": _knows("foe all", "class", "icon"),
    "mission": _knows("self foe to_ventured defeated_to_reserve"),
    "reveal": _knows("foe all", "class"),
    "peek": _knows("foe"),
    "fetch": _knows("keep usable own", "class", "type", "from"),
    # what lasts
    "no_attack": _knows("target self battle"),
    "no_attack_on": _knows("self target battle game react not_on_turn", *FILTER),
    "only_attack_on": _knows("self battle react", *FILTER),
    "no_attack_pair": _knows("target battle"),
    "no_use": _knows("self target foe_team battle game from_hand versus_user", "stat", *FILTER),
    "grid": _knows("self battle game next helps"),
    "bodyguard": _knows("self game"),
    "reserve_waits": _knows("foe next"),
    "mission_cap": _knows("foe battle"),
    "no_ladder": _knows("foe battle"),
    "modify": _knows("self team target foe_team battle react versus_user versus_target numeric", "stat", *FILTER),
    "venture": _knows("self foe battle"),
    "venture_double": _knows("self battle", "class"),
    "venture_exclude": _knows("foe battle", "class", "type"),
    "ko_limit": _knows("self game"),
    "ko_limit_plus": _knows("self target foe_team game battle"),
    "ko_immune": _knows("self game", "stat"),
    "ko_exclude": _knows("self multi game", "stat", "class"),
    "ignore_grid": _knows("self game", "class", "type"),
    "open_hand": _knows("foe battle"),
    "place_more": _knows("self all game", "class"),
}
"""The verbs that the referee knows, each with a test of the words that may follow it."""

GIFTS: dict[str, Callable[[str], bool]] = {
    "modify": _knows("self foe versus_user multi", "stat", "class", "type", "code"),
    "ko_exclude": _knows("self multi", "stat", "class", "type"),
    "ko_limit": _knows("self"),
    "spectrum_need": _knows("self"),
    "venture": _knows("self foe"),
    "on_ko_venture": _knows("self foe"),
    "universe_bonus": _knows("self mate team", "class"),
    "keep_duplicates": _knows("self", "class", "named"),
    "from_reserve": _knows("self", "class", "icon", "named"),
    "reach_reserve": _knows("self", "class", "type"),
    "ignore_grid": _knows("self", "class", "icon", "code"),
}
"""The same for inherent abilities (73)."""

LASTING = ("no_attack", "no_attack_on", "only_attack_on", "no_attack_pair", "no_use", "modify", "venture", "open_hand")
LASTING += ("venture_double", "venture_exclude", "ko_limit", "ko_limit_plus", "ko_immune", "place_more", "grid")
LASTING += ("bodyguard", "reserve_waits", "mission_cap", "no_ladder", "ko_exclude", "ignore_grid")
OPENERS = ("attack", "as_power", "aim", "declare", "avoid", "shift")
CONDITIONS = ("reserve_plays", "after_concession", "only_if", "scale")
SHIELDS = ("no_attack_on", "only_attack_on")
"""Without an opener: to be played on the turn, or as an answer to an attack that they forbid."""


def clauses_of(effect: str) -> tuple[Clause, ...]:
    """A program, taken to pieces. A name of several words is one word."""
    program, _, name = effect.partition(" named:")
    parts = [part.split() for part in program.split(";")]
    if name:
        parts[-1].append("named:" + name)
    return tuple(Clause(part[0], tuple(part[1:])) for part in parts if part)


def understands(effect: str) -> bool:
    """Does the referee know all words of this program of a Special?"""
    clauses = [clause for clause in clauses_of(effect) if clause.verb not in CONDITIONS]
    if not clauses or clauses[0].verb not in (*OPENERS, *SHIELDS):
        return False
    if clauses[0].verb in ("avoid", "shift") and len(clauses) > 1:
        return False
    if any(clause.verb in OPENERS and clause.verb != "avoid" for clause in clauses[1:]):
        return False
    if any(clause.verb == "modify" and "react" in clause.words and clause.scope() != "self" for clause in clauses):
        return False
    return all(c.verb in VERBS and all(map(VERBS[c.verb], c.words)) for c in clauses_of(effect))


def understands_gift(effect: str) -> bool:
    """Does the referee know all words of this inherent ability?"""
    return all(c.verb in GIFTS and all(map(GIFTS[c.verb], c.words)) for c in clauses_of(effect))


# ---------------------------------------------------------------- cards


@dataclass(frozen=True)
class Card:
    """What is printed on a card of the deck."""

    name: str
    kind: str
    """One of `CLASSES`."""
    types: str
    value: int
    requires: int = 0
    bonuses: tuple[int, int] = (0, 0)
    follow_types: str = ""
    owner: str = ""
    code: int = 0
    program: tuple[Clause, ...] = ()

    @property
    def is_multipower(self) -> bool:
        return self.kind == "power" and len(self.types) > 1

    @property
    def has_several_icons(self) -> bool:
        """Is it a MultiPower card, or a Special of several types?"""
        return self.kind in ("power", "special") and len(self.types) > 1

    @property
    def duplicate_of(self) -> tuple:
        """Cards of which this is the same are duplicates (25 to 30)."""
        if self.kind == "power":
            return self.kind, self.value
        if self.kind in HELPERS:
            return self.kind, self.types, self.requires, self.bonuses[0]
        if self.kind in ("teamwork", "ally"):
            return self.kind, self.types, self.requires
        return self.kind, self.name

    @property
    def sort(self) -> str:
        """Power card, Universe card or Special: a character has room for one of each (35)."""
        return "universe" if self.kind in UNIVERSE else self.kind

    def clause(self, verb: str) -> Clause | None:
        return next((clause for clause in self.program if clause.verb == verb), None)

    @property
    def opener(self) -> Clause:
        """How a Special is played."""
        return next((clause for clause in self.program if clause.verb in OPENERS), Clause("declare", ()))

    @property
    def body(self) -> list[Clause]:
        """What a Special does beside attacking or avoiding."""
        return [clause for clause in self.program if clause.verb not in (*OPENERS, *CONDITIONS)]

    @property
    def is_attack(self) -> bool:
        """Is it declared on an enemy character (48)?"""
        return self.kind != "special" or self.opener.verb in ("attack", "as_power", "aim")

    @property
    def is_against_team(self) -> bool:
        """Is it about the enemy's characters without being declared on one (48, ruling 59)?"""
        return not self.is_attack and any("foe_team" in clause.words for clause in self.program)

    @property
    def is_numeric(self) -> bool:
        """Does it attack with a number?"""
        return self.kind != "special" or self.opener.verb in ("attack", "as_power")


def letters(bits: int) -> str:
    """Type letters of the bits in the data."""
    return "".join(letter for i, letter in enumerate(EVERY_TYPE) if bits >> i & 1)


def card_from(data: Any) -> Card:
    """The card with the figures of a row of the data."""
    if data.card_class not in CLASSES:
        raise ValueError(f"the referee does not know Events: {data.name}")
    if data.card_class == 32 and not understands(data.effect):
        raise ValueError(f"the referee does not know what {data.name} does: {data.effect!r}")
    return Card(
        data.name,
        CLASSES[data.card_class],
        letters(data.icons),
        data.value,
        data.requires,
        (data.bonus, data.second_bonus),
        letters(data.follow_types),
        data.owner,
        data.code,
        clauses_of(data.effect),
    )


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Hit:
    """A card that lies in front of a character."""

    card: Card
    value: int
    types: str
    by: int
    damage: int = 0
    """Beyond its value, for knock-outs."""
    current: bool = True


@dataclass
class Character:
    """A Character card and what lies there."""

    name: str
    identity: str
    grid: dict[str, int]
    """Ratings by type; no entry where there is no such rank."""
    code: int
    alive: bool = True
    front: bool = True
    placed: list[Card] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)


@dataclass
class Player:
    """One side of the table."""

    team: list[Character]
    kinds: list[Card]
    """All different cards of the deck, in its order."""
    draw_pile: list[Card]
    """The top card last."""
    hand: list[Card] = field(default_factory=list)
    power_pack: list[Card] = field(default_factory=list)
    dead_pile: list[Card] = field(default_factory=list)
    reserve: int = MISSIONS
    completed: int = 0
    defeated: int = 0
    ventured_reserve: int = 0
    ventured_completed: int = 0
    passed: bool = False
    fallen: bool = False
    """A character of his has been knocked out in this battle."""
    last_total: int = 0
    fresh: list[Card] = field(default_factory=list)
    """Placed on the Reserve before this very battle."""

    def survivors(self) -> list[int]:
        return [i for i, character in enumerate(self.team) if character.alive]

    def front_line(self) -> list[int]:
        return [i for i in self.survivors() if self.team[i].front]


@dataclass
class Lying:
    """A Special that lies on the table as long as something of it lasts."""

    side: int
    card: Card


@dataclass
class Effect:
    """Something that lasts."""

    clause: Clause
    side: int
    who: int | None
    """Whom it is about: a character, or None for the whole side."""
    by_side: int
    by: int
    target: int | None = None
    card: Lying | None = None
    """None for inherent abilities, and where the card has become a hit."""
    others: bool = False
    """It is about all but that character."""

    def concerns(self, side: int, who: int | None) -> bool:
        if self.side != side or "next" in self.clause.words:
            return False
        return who is None or self.who is None or (self.who == who) != self.others

    def is_gift_of(self, side: int, who: int) -> bool:
        """Is it the inherent ability of this character?"""
        return (self.by_side, self.by) == (side, who) and not {"battle", "game"} & set(self.clause.words)


class Chance(Protocol):
    """What the dice of the compiled game have said."""

    def first_player(self) -> int:
        """Who cut the higher card."""

    def shuffled(self, side: int, cards: list[Card]) -> list[Card]:
        """These cards in their new order, the top one last."""


class Question(NamedTuple):
    """Who is asked, and what can be answered."""

    side: int
    options: frozenset[str]


class Play(NamedTuple):
    """A card that is played, with all details. Places: None for the hand, or the character it is placed on."""

    card: Card
    place: int | None
    user: int
    second: Card | None = None
    second_place: int | None = None
    type: str = ""
    target: int | None = None
    """The enemy who is attacked, or the own character to whom an attack is shifted."""
    mate: int | None = None
    """The own character whom a Special concerns."""

    def cards(self) -> list[Card]:
        return [self.card] if self.second is None else [self.card, self.second]


@dataclass(frozen=True)
class Permit:
    """What may be played now: a turn, or what follows a card."""

    users: tuple[int, ...]
    classes: tuple[str, ...] = ("power", "teamwork", "ally", "special")
    types: str = EVERY_TYPE
    """As which type it must be declared, if it is an attack with a number."""
    targets: tuple[int, ...] | None = None
    bonus: int = 0
    universe: bool = True
    attacks_only: bool = False
    anybodys: bool = True
    """Specials of any character (32)."""
    conceded: bool = False
    """Only what may be played when the opponent has conceded."""


@dataclass
class Attack:
    """An attack that waits for an answer."""

    side: int
    user: int
    target: int
    cards: list[Card]
    type: str
    value: int | None
    shifted: bool = False
    helped: Clause | None = None
    """A Special was played to defend better: now a block has to follow that makes use of it."""
    whole: bool = False
    """What follows the attack was avoided, too."""

    def is_like(self, clause: Clause) -> bool:
        return clause.fits(self.cards, self.type, self.value)

    def special_clauses(self, verb: str) -> list[Clause]:
        """What Specials of the attack say about its defence."""
        return [clause for card in self.cards for clause in card.program if clause.verb == verb]


class BattleOver(Exception):
    """Somebody has conceded, or has no Front Line any more."""


Asking = Generator[Question, str, Any]


class Referee:
    """A game between two decks."""

    def __init__(self, decks: Sequence[Any], chance: Chance, rules: dict[str, Any]):
        self.chance = chance
        self.rules = rules
        self.effects: list[Effect] = []
        self.players = [self.seat(side, deck) for side, deck in enumerate(decks)]
        self.first = 0
        self.battle_number = 0
        self.returns: tuple[int, int] | None = None
        self.truncated = False
        self.conceded: int | None = None
        self.avoided_whole = False
        """All that would have followed the last attack was avoided as well."""
        self.happened: Counter[str] = Counter()
        """What has come to pass, for those who want to know whether it ever does."""
        self.specials: set[str] = set()
        """The Specials that have been played."""

    def seat(self, side: int, deck: Any) -> Player:
        """A player with a deck, and the inherent abilities of his team (73)."""
        team = []
        for i, data in enumerate(deck.team):
            if not understands_gift(data.inherent):
                raise ValueError(f"the referee does not know what {data.name} can do: {data.inherent}")
            grid = {t: rating for t, rating in zip("EFSI", data.grid, strict=True) if rating}
            team.append(Character(data.name.rpartition(" (")[0], data.character, grid, data.code))
            for clause in clauses_of(data.inherent):
                about = 1 - side if clause.scope() == "foe" else side
                who = {"foe": None, "team": None}.get(clause.scope(), i)
                self.effects.append(Effect(clause, about, who, side, i, others=clause.scope() == "mate"))
        kinds, counts = [card_from(data) for data in deck.kinds], [deck.counts[data] for data in deck.kinds]
        return Player(team, kinds, [card for card, n in zip(kinds, counts, strict=True) for _ in range(n)])

    def ask(self, side: int, options: dict[str, Any]) -> Asking:
        """What a player chooses; nobody is asked where there is no choice."""
        if len(options) <= 1:
            return next(iter(options.values()), None)
        answer = yield Question(side, frozenset(options))
        return options[answer]

    def in_force(self, verb: str, side: int, who: int | None = None) -> list[Effect]:
        """All effects of this sort on a character, or on anybody of a side."""
        return [effect for effect in self.effects if effect.clause.verb == verb and effect.concerns(side, who)]

    # ---------------------------------------------------------------- who may use what

    def code_allows(self, character: Character, card: Card) -> bool:
        """Heroes play no Villains' cards, nor the other way round (72)."""
        return not self.rules["code_rule"] or not character.code or not card.code or character.code == card.code

    def grid(self, side: int, who: int) -> dict[str, int]:
        """The ratings of a character, as printed or as Specials have changed them."""
        grid = dict(self.players[side].team[who].grid)
        for effect in self.in_force("grid", side, who):
            grid |= dict.fromkeys(effect.clause.types(), effect.clause.number())
        return grid

    def power_types(self, side: int, who: int, card: Card) -> str:
        """As which types a character may use a Power card (3 to 6, 75)."""
        grid = self.grid(side, who)
        if card.types == "A":
            return "A" if max(grid.values()) >= card.value else ""
        return "".join(t for t in card.types if grid.get(t, 0) >= card.value)

    def required_types(self, side: int, who: int, card: Card) -> str:
        """In which types a character meets what a Universe card asks for (8 to 11)."""
        grid = self.grid(side, who)
        if card.requires > 0:
            return "".join(t for t in card.types if grid.get(t, 0) >= card.requires)
        return "".join(t for t in card.types if 0 < grid.get(t, 0) <= -card.requires)

    def can_use(self, side: int, who: int, card: Card) -> bool:
        """By ratings, name and code (6 to 12, 31)."""
        character = self.players[side].team[who]
        if not self.code_allows(character, card):
            return False
        if card.kind == "power":
            return bool(self.power_types(side, who, card))
        if card.kind == "special":
            return card.owner in (ANYBODY, character.identity)
        return bool(self.required_types(side, who, card)) or self.ignores_grid(side, who, card)

    def ignores_grid(self, side: int, who: int, card: Card) -> bool:
        codes = {"H": 1, "V": 2}
        gifts = [effect.clause for effect in self.in_force("ignore_grid", side, who)]
        return any(c.fits([card], card.types, None) and codes.get(c.of("code"), card.code) == card.code for c in gifts)

    def some_can_use(self, side: int, card: Card, among: Iterable[int]) -> bool:
        return any(self.can_use(side, i, card) for i in among)

    def may_play_from_reserve(self, side: int, who: int, card: Card) -> bool:
        """Does the card, or an inherent ability, let somebody play it from the Reserve (42, 68)?"""
        if card.kind == "special" and card.clause("reserve_plays"):
            return True
        gifts = [effect.clause for effect in self.in_force("from_reserve", side, who)]
        named = [clause for clause in gifts if clause.fits([card], card.types, None)]
        return any(card.name.lower().endswith(": " + c.of("named").lower()) or not c.of("named") for c in named)

    # ---------------------------------------------------------------- piles

    def put_away(self, side: int, card: Card) -> None:
        """To the discard pile where it belongs (20)."""
        player = self.players[side]
        usable = self.some_can_use(side, card, player.survivors())
        (player.power_pack if card.kind == "power" and usable else player.dead_pile).append(card)

    def draw(self, side: int, number: int) -> None:
        """Cards come into the hand, as far as there are any (22, 71, ruling 23)."""
        player = self.players[side]
        for _ in range(number):
            if not player.draw_pile and player.power_pack:
                self.happened["reshuffle"] += 1
                player.draw_pile = self.chance.shuffled(side, player.power_pack)
                player.power_pack = []
            if player.draw_pile:
                player.hand.append(player.draw_pile.pop())

    def take(self, side: int, card: Card, place: int | None) -> Card:
        """A card leaves the hand, or the character it is placed on."""
        player = self.players[side]
        pile = player.hand if place is None else player.team[place].placed
        pile.remove(card)
        if card.kind == "special":
            self.specials.add(card.name)
        if place is not None and card in player.fresh and not player.team[place].front:
            player.fresh.remove(card)
        return card

    # ---------------------------------------------------------------- the game

    def game(self) -> Asking:
        """From the choice of a Reserve to the end."""
        for side in (0, 1):
            self.players[side].draw_pile = self.chance.shuffled(side, self.players[side].draw_pile)
        self.first = self.chance.first_player()
        for side in (0, 1):
            team = self.players[side].team
            reserve = yield from self.ask(side, {f"by {c.name}": i for i, c in enumerate(team)})
            team[reserve].front = False
        while self.returns is None:
            yield from self.battle()

    def battle(self) -> Asking:
        """One battle with its preparations and what comes after."""
        self.battle_number += 1
        self.happened["battle"] += 1
        order = (self.first, 1 - self.first)
        self.conceded = None
        self.fill_front_line()
        for effect in self.effects:
            words = tuple("battle" if word == "next" else word for word in effect.clause.words)
            effect.clause = Clause(effect.clause.verb, words)
        for player in self.players:
            player.fresh, player.passed, player.fallen = [], False, False
        for side in order:
            self.draw(side, self.rules["hand_size"])
        for side in order:
            self.discard_unusable(side, self.players[side].survivors())
            yield from self.discard_duplicates(side)
        yield from self.place_cards(order)
        for side in order:
            yield from self.venture(side)
        try:
            yield from self.before_the_battle(order)
            yield from self.turns(self.first)
        except BattleOver:
            pass
        yield from self.end_of_battle()

    # ---------------------------------------------------------------- before a battle

    def discard_unusable(self, side: int, among: Iterable[int]) -> None:
        """What nobody of these could ever use goes (31, 33, 34, 37)."""
        player = self.players[side]
        reserves = [i for i in player.survivors() if not player.team[i].front]
        for card in list(player.hand):
            kept = any(self.can_use(side, i, card) and self.may_play_from_reserve(side, i, card) for i in reserves)
            if not kept and not self.some_can_use(side, card, among):
                self.happened["unusable"] += 1
                player.hand.remove(card)
                player.dead_pile.append(card)

    def discard_duplicates(self, side: int) -> Asking:
        """Of cards that are duplicates one stays, none if it is placed already (24 to 30, 32, 34, ruling 17)."""
        player = self.players[side]
        counted = [card for i in player.front_line() for card in player.team[i].placed] + player.fresh
        placed = {card.duplicate_of for card in counted}
        for kind in player.kinds:
            same = [card for card in player.hand if card.duplicate_of == kind.duplicate_of]
            if kind not in same or (len(same) == 1 and kind.duplicate_of not in placed):
                continue
            if self.keeps_duplicates(side, kind):
                continue
            if kind.duplicate_of in placed:
                self.happened["duplicate of a placed card"] += 1
            else:
                self.happened["duplicate"] += 1
                same.remove((yield from self.ask(side, {f"keep {card.name}": card for card in same})))
            for card in same:
                player.hand.remove(card)
                self.put_away(side, card)

    def keeps_duplicates(self, side: int, card: Card) -> bool:
        gifts = [effect.clause.of("named") for effect in self.in_force("keep_duplicates", side)]
        return any(card.kind == "special" and card.name.endswith(f": {name}") for name in gifts)

    def place_cards(self, order: Sequence[int]) -> Asking:
        """In turn, one card at a time, until both have stopped (35 to 37)."""
        placing = list(order)
        while placing:
            side = placing.pop(0)
            player = self.players[side]
            options: dict[str, Any] = {}
            for i, card in product(player.survivors(), player.hand):
                if self.may_place(side, i, card):
                    options[f"place {card.name} on {player.team[i].name}"] = (i, card)
            choice = (yield from self.ask(side, options | {"done": None})) if options else None
            if choice is None:
                continue
            i, card = choice
            player.hand.remove(card)
            player.team[i].placed.append(card)
            if not player.team[i].front:
                player.fresh.append(card)
            placing.append(side)
        for side in order:
            self.discard_unusable(side, self.players[side].front_line())

    def may_place(self, side: int, who: int, card: Card) -> bool:
        """Room for it, and it can be used there; Specials of any character are not placed (35, ruling 32)."""
        if card.owner == ANYBODY or not self.can_use(side, who, card):
            return False
        placed = [*self.players[side].team[who].placed, card]
        beyond = []
        for sort in ("power", "universe", "special"):
            beyond += [other for other in placed if other.sort == sort][1:]
        more = [effect.clause for effect in self.in_force("place_more", side, who)]
        room = [clause for clause in more for _ in range(min(clause.times(), len(beyond)))]
        return len(beyond) <= len(room) and all(
            any(clause.fits([other], "", None) for clause in room) for other in beyond
        )

    def venture(self, side: int) -> Asking:
        """Missions, and cards for the opponent (38, 39, ruling 2)."""
        player, other = self.players[side], self.players[1 - side]
        options = {
            f"venture {r} from Reserve, {c} from Completed": (r, c)
            for r in range(player.reserve + 1)
            for c in range(player.completed + 1)
            if r + c
        }
        reserve, completed = (yield from self.ask(side, options)) or (0, 0)
        player.reserve -= reserve
        player.ventured_reserve += reserve
        player.completed -= completed
        player.ventured_completed += completed
        if reserve + completed > 2:
            self.happened["penalty draw"] += 1
            self.draw(1 - side, reserve + completed - 2)
            self.discard_unusable(1 - side, other.front_line())
            yield from self.discard_duplicates(1 - side)

    def before_the_battle(self, order: Sequence[int]) -> Asking:
        """Both may concede (40)."""
        for side in order:
            if (yield from self.ask(side, {"fight": False, "concede": True})):
                self.happened["concession before a battle"] += 1
                self.concede(side)

    def concede(self, side: int) -> None:
        self.conceded = side
        raise BattleOver

    # ---------------------------------------------------------------- turns

    def turns(self, side: int) -> Asking:
        """One action each in turn, until two pass in a row (41, 51, 52)."""
        passes = 0
        while passes < 2:
            player = self.players[side]
            plays = [] if player.passed else self.plays(side, Permit(tuple(player.survivors())))
            choice = yield from self.ask(side, self.cards_of(side, plays) | {"pass": "pass", "concede": "concede"})
            passes = passes + 1 if choice == "pass" else 0
            if choice == "pass":
                player.passed = True
            elif choice == "concede":
                self.happened["concession"] += 1
                self.conceded = side
                yield from self.at_concession(1 - side)
                self.concede(side)
            else:
                yield from self.carry_out(side, (yield from self.details(side, choice)), Permit(()))
            side = 1 - side

    def at_concession(self, side: int) -> Asking:
        """Some Specials may be played when the opponent has conceded on his turn (ruling 70)."""
        plays = self.plays(side, Permit(tuple(self.players[side].survivors()), ("special",), conceded=True))
        options = self.cards_of(side, plays)
        chosen = yield from self.ask(side, options | {"done": None} if options else {})
        if chosen is not None:
            self.happened["special at a concession"] += 1
            yield from self.carry_out(side, (yield from self.details(side, chosen)), Permit(()))

    def named(self, side: int, card: Card, place: int | None) -> str:
        return f"play {card.name}" + ("" if place is None else f", placed on {self.players[side].team[place].name}")

    def cards_of(self, side: int, plays: Iterable[Play]) -> dict[str, Any]:
        """The first question about a play: which card? Each with the plays that it leaves."""
        found: dict[str, Any] = {}
        for play in plays:
            found.setdefault(self.named(side, play.card, play.place), []).append(play)
        return found

    def narrowed(self, side: int, plays: list[Play], detail: Callable[[Any], str]) -> Asking:
        """The plays that are left when a detail has been chosen."""
        left: dict[str, list[Play]] = {}
        for play in plays:
            left.setdefault(detail(play), []).append(play)
        return (yield from self.ask(side, left))

    def second_of(self, side: int, play: Play) -> str:
        return "alone" if play.second is None else self.named(side, play.second, play.second_place)

    def details(self, side: int, plays: list[Play]) -> Asking:
        """By whom, with which second card, as which type, at whom: until one play is left."""
        own, foes = self.players[side].team, self.players[1 - side].team
        plays = yield from self.narrowed(side, plays, lambda play: f"by {own[play.user].name}")
        plays = yield from self.narrowed(side, plays, lambda play: self.second_of(side, play))
        plays = yield from self.narrowed(side, plays, lambda play: f"as {TYPE_NAMES.get(play.type)}")
        if plays[0].target is not None:
            plays = yield from self.narrowed(side, plays, lambda play: f"at {foes[play.target].name}")
        if plays[0].mate is not None:
            plays = yield from self.narrowed(side, plays, lambda play: f"by {own[play.mate].name}")
        return plays[0]

    def own_cards(self, side: int, user: int) -> list[tuple[Card, int | None]]:
        """What a character could play: the hand, and what is placed on it (36, 42)."""
        player = self.players[side]
        sources = [(card, None) for card in player.hand] + [(card, user) for card in player.team[user].placed]
        return list(dict.fromkeys(sources))

    def plays(self, side: int, permit: Permit) -> list[Play]:
        """All that can be played now, with all details (41, 42)."""
        found: list[Play] = []
        for user in permit.users:
            for card, place in self.own_cards(side, user):
                if card.kind not in permit.classes or not self.can_use(side, user, card):
                    continue
                if not self.players[side].team[user].front and not self.may_play_from_reserve(side, user, card):
                    continue
                start = Play(card, place, user)
                if card.kind == "power":
                    found += self.power_plays(side, start, permit)
                elif card.kind == "special":
                    found += self.special_plays(side, start, permit)
                elif self.plays(side, self.follow_up(side, card, user)):
                    found += self.aimed(side, [start._replace(type=card.types)], permit)
        return found

    def aimed(self, side: int, plays: Iterable[Play], permit: Permit) -> list[Play]:
        """These plays at everybody who may be attacked with them (43, 68, ruling 25)."""
        found = []
        for play in plays:
            for target in self.players[1 - side].survivors() if permit.targets is None else permit.targets:
                aimed = play._replace(target=target)
                if self.is_allowed(self.attack_of(side, aimed, permit.bonus)) and self.has_objects(side, aimed):
                    found.append(aimed)
        return found

    def is_allowed(self, attack: Attack) -> bool:
        """Is the target there, and does nothing forbid the attack?"""
        user, foe = (attack.side, attack.user), (1 - attack.side, attack.target)
        target = self.players[1 - attack.side].team[attack.target]
        if not target.alive or not (target.front or self.reaches_reserve(attack)):
            return False
        if self.in_force("no_attack", *user) or self.may_not_use(*user, attack.cards, attack.type, "attack"):
            return False
        if any(effect.by == attack.target for effect in self.in_force("no_attack_pair", *user)):
            return False
        if any(attack.is_like(effect.clause) for effect in self.in_force("no_attack_on", *foe)):
            return False
        return all(attack.is_like(effect.clause) for effect in self.in_force("only_attack_on", *foe))

    def reaches_reserve(self, attack: Attack) -> bool:
        if any("reserve" in clause.words for clause in attack.special_clauses("attack")):
            return True
        return any(attack.is_like(e.clause) for e in self.in_force("reach_reserve", attack.side, attack.user))

    def may_not_use(
        self, side: int, who: int, cards: Sequence[Card], type: str, stat: str, foe: int | None = None
    ) -> bool:
        """Does something keep a character from using one of these cards, against this enemy?"""
        bans = [
            effect.clause
            for effect in self.in_force("no_use", side, who)
            if effect.clause.of("stat") in (stat, "both")
            and ("versus_user" not in effect.clause.words or effect.by == foe)
        ]
        held = self.players[side].hand
        for clause in bans:
            for card in cards:
                if "from_hand" in clause.words and card not in held:
                    continue
                if clause.fits([card], type, card.value if card.is_numeric else None):
                    return True
        return False

    def power_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Power card, alone or with a Universe card (43 to 45)."""
        types = self.power_types(side, start.user, start.card)
        plays = [start._replace(type=t) for t in types]
        for helper, place in self.helpers(side, start.user) if permit.universe else ():
            fitting = self.helped_types(side, start.user, helper, types)
            plays += [start._replace(second=helper, second_place=place, type=t) for t in fitting]
        return self.aimed(side, [play for play in plays if play.type in permit.types], permit)

    def helpers(self, side: int, user: int) -> list[tuple[Card, int | None]]:
        """Basic Universe and Training cards that this character may use."""
        return [s for s in self.own_cards(side, user) if s[0].kind in HELPERS and self.can_use(side, user, s[0])]

    def helped_types(self, side: int, user: int, helper: Card, types: str) -> str:
        """As which of these types a Power card takes the bonus (8, 9, rulings 13 and 14)."""
        fitting = self.required_types(side, user, helper)
        return "".join(t for t in types if t in fitting or (t == "A" and fitting))

    def helper_bonus(self, side: int, user: int, helper: Card) -> int:
        more = [effect.clause for effect in self.in_force("universe_bonus", side, user)]
        return helper.bonuses[0] + sum(c.number() for c in more if c.fits([helper], "", None))

    def follow_up(self, side: int, card: Card, user: int) -> Permit:
        """What must follow a Teamwork card or an Ally (10, 11)."""
        mates = tuple(i for i in self.players[side].front_line() if i != user)
        if card.kind == "ally":
            return Permit(mates, ("special",))
        return Permit(mates, ("power",), card.follow_types + "A", bonus=card.bonuses[0], universe=False)

    def special_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Special on the turn (12, 48 to 50)."""
        card = start.card
        is_attack = card.is_attack or card.is_against_team
        if card.opener.verb in ("avoid", "shift") or (permit.attacks_only and not is_attack):
            return []
        if card.is_against_team and self.in_force("no_attack", side, start.user):
            return []
        if card.owner == ANYBODY and not permit.anybodys:
            return []
        late = card.clause("after_concession")
        if (permit.conceded and not late) or (late and "only" in late.words and not permit.conceded):
            return []
        if not self.is_given(side, card.clause("only_if")) or any(
            "not_on_turn" in clause.words for clause in card.body
        ):
            return []
        if not card.is_attack:
            barred = self.may_not_use(side, start.user, [card], "", "both")
            plays = [start._replace(mate=mate) for mate in self.mates(side, start)]
            return [play for play in plays if self.has_objects(side, play) and not barred]
        if not card.is_numeric:
            return self.aimed(side, [start], permit) if permit.types == EVERY_TYPE else []
        plays = [start._replace(type=t) for t in card.types if t in permit.types]
        combine = card.clause("combine")
        if combine:
            powers = [s for s in self.own_cards(side, start.user) if s[0].kind == "power" and len(s[0].types) == 1]
            fitting = [s for s in powers if s[0].types in combine.types() and self.can_use(side, start.user, s[0])]
            plays += [play._replace(second=s[0], second_place=s[1]) for play in plays for s in fitting]
        return self.aimed(side, plays, permit)

    def is_given(self, side: int, condition: Clause | None) -> bool:
        """Is the condition of a Special met?"""
        player, foe = self.players[side], self.players[1 - side]
        if condition is None:
            return True
        return foe.fallen if "foe_fell" in condition.words else len(player.front_line()) < len(foe.front_line())

    def has_objects(self, side: int, play: Play) -> bool:
        """A Special that only heals, or only takes away, needs something to work on."""
        if play.card.kind != "special" or play.card.is_numeric:
            return True
        return any(self.has_object(side, play, clause) for clause in play.card.body)

    def has_object(self, side: int, play: Play, clause: Clause) -> bool:
        if clause.verb == "heal":
            return bool(self.healable(side, play, clause))
        if clause.verb == "discard_placed":
            return bool(self.removable(side, play.target, clause))
        if clause.verb == "fetch" and clause.of("from") in ("pack", "dead"):
            owner = self.players[1 - side if clause.scope() == "foe" else side]
            pile = owner.power_pack if clause.of("from") == "pack" else owner.dead_pile
            return any(clause.fits([card], card.types, card.value) for card in pile)
        if clause.verb == "mission" and "defeated_to_reserve" in clause.words:
            return self.players[side].defeated > 0
        return clause.verb not in ("either", "avoid")

    # ---------------------------------------------------------------- carrying out a play

    def carry_out(self, side: int, play: Play, permit: Permit) -> Asking:
        """A whole action with all that follows."""
        self.happened[play.card.kind] += 1
        if not play.card.is_attack:
            yield from self.declare(side, play)
            return
        landed = yield from self.attack(side, play, permit.bonus)
        if play.card.kind == "teamwork" and not self.avoided_whole:
            yield from self.teamwork(side, play)
        elif play.card.kind == "ally":
            follow_up = self.follow_up(side, play.card, play.user)
            plays = yield from self.ask(side, self.cards_of(side, self.plays(side, follow_up)))
            if plays:
                yield from self.carry_out(side, (yield from self.details(side, plays)), follow_up)
        elif play.card.kind == "special":
            yield from self.riders(side, play, landed)

    def teamwork(self, side: int, start: Play) -> Asking:
        """One or two attacks of teammates with Power cards (46, rulings 10 to 12)."""
        permit = self.follow_up(side, start.card, start.user)
        for number in (0, 1):
            options = self.cards_of(side, self.plays(side, permit))
            if number and options:
                options |= {"done": None}
            chosen = yield from self.ask(side, options)
            if chosen is None:
                return
            play = yield from self.details(side, chosen)
            self.happened["second follow-up" if number else "follow-up"] += 1
            yield from self.attack(side, play, permit.bonus)
            permit = replace(
                permit,
                users=tuple(i for i in permit.users if i != play.user),
                types="".join(t for t in permit.types if t != play.type),
                bonus=start.card.bonuses[1],
            )

    def attack_of(self, side: int, play: Play, bonus: int) -> Attack:
        """The attack that a play makes, with its value (43 to 48, ruling 33)."""
        assert play.target is not None
        attack = Attack(side, play.user, play.target, play.cards(), play.type, None)
        if not play.card.is_numeric:
            return attack
        attack.value = play.card.value + bonus
        if play.card.clause("scale"):
            attack.value += sum(not hit.current for hit in self.players[side].team[play.user].hits)
        if play.second is not None:
            helps = play.second.kind in HELPERS
            attack.value += self.helper_bonus(side, play.user, play.second) if helps else play.second.value
        attack.value += self.modifiers(side, play.user, "attack", 1 - side, play.target, attack.cards, attack.type)
        attack.value = max(0, attack.value)
        return attack

    def modifiers(
        self, side: int, who: int, stat: str, foe_side: int, foe: int, cards: Sequence[Card], type: str
    ) -> int:
        """What is added to an attack, or to a defence, of one character against another."""
        total, codes = 0, {"H": 1, "V": 2}
        for effect in self.in_force("modify", side, who):
            clause = effect.clause
            if clause.of("stat") not in (stat, "both") or not clause.fits(cards, type, cards[0].value):
                continue
            if "versus_user" in clause.words and (effect.by_side, effect.by) != (foe_side, foe):
                continue
            if "versus_target" in clause.words and effect.target != foe:
                continue
            if clause.of("code") and self.players[side].team[who].code != codes[clause.of("code")]:
                continue
            total += clause.number()
        return total

    def attack(self, side: int, play: Play, bonus: int) -> Asking:
        """An attack, its defence, and the hit. Whom it has hit, or None."""
        attack = self.attack_of(side, play, bonus)
        self.avoided_whole = False
        self.take(side, play.card, play.place)
        if play.second is not None:
            self.take(side, play.second, play.second_place)
            self.happened[f"{play.card.kind} with {play.second.kind}"] += 1
        for effect in self.in_force("no_attack_pair", 1 - side, play.target):
            if effect.by == play.user:
                effect.clause = Clause("lifted", ("battle",))
        guards = self.in_force("bodyguard", 1 - side, play.target)
        if guards:
            self.happened["bodyguard absorbs"] += 1
            self.end_effects(lambda effect: effect is guards[0])
        if guards or (yield from self.defended(attack)):
            for card in attack.cards:
                self.put_away(side, card)
            self.avoided_whole = attack.whole
            return None
        for card in attack.cards:
            if card.kind in HELPERS:
                self.put_away(side, card)
            elif attack.value is not None:
                self.players[1 - side].team[attack.target].hits.append(self.hit_with(card, play.user))
        self.check_ko(1 - side, attack.target)
        return attack.target

    def hit_with(self, card: Card, by: int) -> Hit:
        """A card as a hit; some Specials hit as something else than they attack with."""
        other = card.opener.of("hit") if card.kind == "special" else ""
        digits = "".join(c for c in other if c.isdigit())
        damage = card.clause("damage")
        value, types = (int(digits), other[len(digits) :]) if other else (card.value, card.types)
        return Hit(card, value, types, by, damage.number() if damage else 0)

    # ---------------------------------------------------------------- defence

    def defended(self, attack: Attack) -> Asking:
        """The answer to an attack: True if it was stopped (53, 54)."""
        side = 1 - attack.side
        team = self.players[side].team
        while True:
            options = self.cards_of(side, self.defences(attack))
            if not attack.helped:
                options |= {"take it": None}
            chosen = yield from self.ask(side, options)
            if chosen is None:
                return False
            chosen = yield from self.narrowed(side, chosen, lambda play: f"by {team[play.user].name}")
            chosen = yield from self.narrowed(side, chosen, lambda play: self.second_of(side, play))
            play = chosen[0]
            self.take(side, play.card, play.place)
            avoid = play.card.clause("avoid")
            attack.whole = avoid is not None and "whole" in avoid.words
            if play.card.clause("modify") or play.card.clause("grid"):
                self.happened["special that helps in defence"] += 1
                self.last(side, play, [c for c in play.card.body if c.verb in ("modify", "grid")], None)
                attack.helped = play.card.body[0]
                continue
            if play.card.body and not avoid:
                self.happened["shield in answer"] += 1
                self.last(side, play, play.card.body, None)
                return True
            self.put_away(side, play.card)
            if play.second is not None:
                self.happened["defence with Universe"] += 1
                self.put_away(side, self.take(side, play.second, play.second_place))
            if play.target is None:
                self.happened["defence" if play.card.kind == "power" else "avoid"] += 1
                return True
            self.happened["shift"] += 1
            chosen = yield from self.narrowed(side, chosen, lambda play: f"by {team[play.target].name}")
            attack.target, attack.shifted = chosen[0].target, True

    def defences(self, attack: Attack) -> list[Play]:
        """All defensive actions (53, 54)."""
        side = 1 - attack.side
        found = self.blocks(attack)
        if attack.helped or any(c.words[0] != "specials" for c in attack.special_clauses("only_defence")):
            return found
        for user in self.players[side].survivors():
            at_hand = self.players[side].team[user].front or user == attack.target
            for card, place in self.own_cards(side, user):
                if card.kind != "special" or not self.can_use(side, user, card):
                    continue
                if self.may_not_use(side, user, [card], "", "defence"):
                    continue
                if at_hand or self.may_play_from_reserve(side, user, card):
                    found += self.answers(attack, Play(card, place, user))
        return found

    def blocks(self, attack: Attack) -> list[Play]:
        """Power cards, alone or with a Universe card, that reach the value of the attack (54)."""
        side, target = 1 - attack.side, attack.target
        if attack.value is None:
            return []
        found = []
        for card, place in self.own_cards(side, target):
            types = self.power_types(side, target, card) if card.kind == "power" else ""
            if card.clause("as_power") and self.can_use(side, target, card):
                found += [Play(card, place, target, type=t) for t in card.types]
            found += [Play(card, place, target, type=t) for t in types]
            for helper, helper_place in self.helpers(side, target) if types else ():
                fitting = self.helped_types(side, target, helper, types)
                found += [Play(card, place, target, helper, helper_place, t) for t in fitting]
        if attack.helped:
            found = [play for play in found if self.makes_use(attack.helped, play)]
        return [play for play in found if self.is_enough(attack, play)]

    def makes_use(self, clause: Clause, play: Play) -> bool:
        """Does a Special that helps add to this block, or raise the rating for its card (ruling 34)?"""
        if clause.verb == "grid":
            return any(set(card.types) & set(clause.types() + "A") for card in play.cards())
        return clause.fits(play.cards(), play.type, play.card.value)

    def is_enough(self, attack: Attack, play: Play) -> bool:
        """Does a block reach the value, with cards that may defend against this attack?"""
        side, cards = 1 - attack.side, play.cards()
        for clause in attack.special_clauses("barred"):
            if any(set(clause.of("icon")) & set(card.types) for card in cards):
                return False
        for clause in attack.special_clauses("only_defence"):
            if "specials" in clause.words or ("with_universe" in clause.words and play.second is None):
                return False
            if "icons" in clause.words and not all(set(clause.of("icon")) & set(card.types) for card in cards):
                return False
        if self.may_not_use(side, play.user, cards, play.type, "defence", attack.user):
            return False
        value = play.card.value + self.modifiers(side, play.user, "defence", attack.side, attack.user, cards, play.type)
        if play.second is not None:
            value += self.helper_bonus(side, play.user, play.second)
        return value >= attack.value

    def answers(self, attack: Attack, start: Play) -> list[Play]:
        """Specials that avoid an attack or shift it, forbid it, or help to block it."""
        opener, mine = start.card.opener, start.user == attack.target
        first = start.card.body[0] if start.card.body else opener
        avoid = start.card.clause("avoid")
        if avoid:
            concerned = {"self": mine, "mate": not mine, "self_or_mate": True}[avoid.scope()]
            return [start] if concerned and attack.is_like(avoid) else []
        if opener.verb == "shift" and not attack.shifted:
            if "to_self" in opener.words:
                return [] if mine else [start._replace(target=start.user)]
            mates = [i for i in self.players[1 - attack.side].front_line() if i != start.user]
            return [start._replace(target=i) for i in mates] if mine else []
        if first.verb in SHIELDS and "react" in first.words and opener.verb == "declare" and mine:
            return [start] if attack.is_like(first) == (first.verb == "no_attack_on") else []
        if {"react", "helps"} & set(first.words) and mine and attack.value is not None:
            return [start] if self.would_help(attack, start) else []
        return []

    def would_help(self, attack: Attack, play: Play) -> bool:
        """Could a block follow to whose value the Special adds (ruling 34)?"""
        side = 1 - attack.side
        clauses = [clause for clause in play.card.body if clause.verb in ("modify", "grid")]
        before = list(self.effects)
        self.effects += [Effect(clause, side, play.user, side, play.user) for clause in clauses]
        attack.helped = clauses[0]
        blocks = self.blocks(attack)
        self.effects, attack.helped = before, None
        return bool(blocks)

    # ---------------------------------------------------------------- hits and knock-outs

    def spectrum(self, hits: Sequence[Hit]) -> int:
        """How many power types the hits can be taken for, as their scorer likes best (57, 74, 76 to 78)."""
        fused = {t for hit in hits if hit.card.is_multipower for t in hit.types}
        others = [hit.types for hit in hits if not hit.card.is_multipower and hit.types != "A"]
        pure = {types for types in others if len(types) == 1}
        several = [types for types in others if len(types) > 1]
        choices = [*pure, *several, *(["".join(fused)] if fused else [])]
        return max(len(set(types)) for types in product(*choices))

    def counted(self, side: int, who: int, stat: str) -> list[Hit]:
        """The hits that count for a knock-out of this sort: inherent abilities may leave some out."""
        bans = [e.clause for e in self.in_force("ko_exclude", side, who) if e.clause.of("stat") == stat]
        hits = self.players[side].team[who].hits
        return [hit for hit in hits if not any(c.fits([hit.card], hit.types, hit.value) for c in bans)]

    def is_knocked_out(self, side: int, who: int) -> bool:
        """By points or by types (56, 57, 73), or by both whatever protects the character (ruling 31)."""

        def points(hits: Iterable[Hit]) -> int:
            return sum(hit.value + hit.damage for hit in hits)

        limit, need = self.rules["ko_limit"], self.rules["spectrum_types"]
        hits = self.players[side].team[who].hits
        if points(hits) >= limit and self.spectrum(hits) >= need:
            self.happened["KO by both"] += 1
            return True
        limit = max((e.clause.number() for e in self.in_force("ko_limit", side, who)), default=limit)
        limit += sum(e.clause.number() for e in self.in_force("ko_limit_plus", side, who))
        need = max((e.clause.number() for e in self.in_force("spectrum_need", side, who)), default=need)
        immune = [e.clause.of("stat") for e in self.in_force("ko_immune", side, who)]
        by_points = points(self.counted(side, who, "cumulative")) >= limit and "cumulative" not in immune
        by_types = self.spectrum(self.counted(side, who, "spectrum")) >= need and "spectrum" not in immune
        self.happened["cumulative KO"] += by_points
        self.happened["spectrum KO"] += by_types
        self.happened["spectrum KO with MultiPower"] += by_types and any(hit.card.is_multipower for hit in hits)
        return by_points or by_types

    def check_ko(self, side: int, who: int) -> None:
        """Is a character knocked out, and the battle over (58, 60)?"""
        player = self.players[side]
        character = player.team[who]
        if not character.alive or not self.is_knocked_out(side, who):
            return
        self.happened["KO of a Reserve"] += not character.front
        for effect in self.in_force("on_ko_venture", side) + self.in_force("on_ko_venture", 1 - side):
            if (effect.by_side, effect.by) == (side, who):
                self.happened["on_ko_venture"] += 1
                words = Clause("venture", (str(effect.clause.number()), "battle"))
                self.effects.append(Effect(words, effect.side, None, side, who))
        character.alive, player.fallen = False, True
        self.end_effects(lambda effect: (effect.side, effect.who) == (side, who) or effect.is_gift_of(side, who))
        for card in character.placed:
            self.happened["placed card of the fallen"] += 1
            self.put_away(side, card)
        character.placed = []
        for hit in character.hits:
            if not hit.current:
                self.put_away(1 - side, hit.card)
        character.hits = [hit for hit in character.hits if hit.current]
        if not player.front_line():
            raise BattleOver

    # ---------------------------------------------------------------- what Specials do

    def last(self, side: int, play: Play, clauses: Iterable[Clause], target: int | None, hit: bool = False) -> None:
        """What these clauses say begins to last; the card stays on the table unless it is a hit."""
        lying = None if hit else Lying(side, play.card)
        for clause in clauses:
            self.happened[clause.verb] += 1
            about, who = side, None
            if clause.scope() in ("foe", "foe_team", "target"):
                about = 1 - side
            if clause.scope() in ("self", "target") and not clause.verb.startswith("venture"):
                who = play.user if clause.scope() == "self" else target
            self.effects.append(Effect(clause, about, who, side, play.user, target, lying))
            lying = None  # the card lies with what it says first, and goes when that is over
            for i in self.players[about].survivors():
                if clause.verb.startswith("ko_limit"):
                    self.check_ko(about, i)

    def end_effects(self, is_over: Callable[[Effect], bool]) -> None:
        """These effects end, and cards of which nothing lasts are put away."""
        over = [effect for effect in self.effects if is_over(effect)]
        self.effects = [effect for effect in self.effects if not is_over(effect)]
        for effect in over:
            if effect.card:
                self.put_away(effect.card.side, effect.card.card)

    def declare(self, side: int, play: Play) -> Asking:
        """A Special that nobody can answer (50)."""
        self.take(side, play.card, play.place)
        yield from self.run(side, play, play.card.body, None, hit=False)

    def riders(self, side: int, play: Play, landed: int | None) -> Asking:
        """What an attack of a Special brings with it: some of it anyhow, the rest only if it has landed."""
        body, verbs = play.card.body, [clause.verb for clause in play.card.body]
        if not play.card.is_numeric:
            if landed is not None:
                yield from self.run(side, play, body, landed, hit=False)
            return
        if "on_hit" in verbs and landed is None:
            body = body[: verbs.index("on_hit")]
        yield from self.run(side, play, body, landed, hit=True)

    def run(self, side: int, play: Play, clauses: list[Clause], target: int | None, hit: bool) -> Asking:
        """Carry out a program, clause by clause; the card goes where it belongs."""
        lasting = [clause for clause in clauses if clause.verb in LASTING]
        chosen: list[Clause] = []
        for i, clause in enumerate(clauses):
            if clause.verb == "either":
                chosen = [(yield from self.ask(side, {f"choose {n}": c for n, c in enumerate(clauses[i + 1 :])}))]
                lasting = [c for c in chosen if c.verb in LASTING]
        if lasting:
            self.last(side, play, lasting, target, hit)
        happening = [clause for clause in chosen or clauses if clause.verb not in (*LASTING, "follow")]
        for clause in happening:
            yield from self.effect(side, play, clause, target)
        if not hit and not lasting:
            self.put_away(side, play.card)
        for clause in chosen or clauses:
            if clause.verb == "follow" and (self.conceded is None or not play.card.is_attack):
                yield from self.further_attacks(side, play, clause)

    def effect(self, side: int, play: Play, clause: Clause, target: int | None) -> Asking:
        """What happens once."""
        player, foe = self.players[side], self.players[1 - side]
        self.happened[clause.verb] += 1
        if clause.verb == "draw":
            self.draw(side, clause.times())
            if "keep" not in clause.words:  # but what is unusable stays once the battle runs (33)
                yield from self.discard_duplicates(side)
        elif clause.verb == "heal":
            yield from self.heal(side, play, clause)
        elif clause.verb == "mill":
            for _ in range(min(clause.times(), len(foe.draw_pile))):
                foe.dead_pile.append(foe.draw_pile.pop())
        elif clause.verb == "discard_placed":
            yield from self.take_placed(side, target, clause)
        elif clause.verb == "discard_hand":
            yield from self.discard_hand(1 - side, clause)
        elif clause.verb == "fetch":
            yield from self.fetch(side, play, clause)
        elif clause.verb == "mission" and "defeated_to_reserve" in clause.words:
            moved = min(clause.times(), player.defeated)
            player.defeated -= moved
            player.reserve += moved
        elif clause.verb == "mission":
            owner = foe if "foe" in clause.words else player
            if owner.reserve:
                owner.reserve -= 1
                owner.ventured_reserve += 1
            elif owner.completed:
                owner.completed -= 1
                owner.ventured_completed += 1

    def mates(self, side: int, play: Play) -> list[int | None]:
        """The own characters that a Special can be about, if it is not about its user."""
        team = self.players[side].survivors()
        scope = {clause.scope() for clause in play.card.body}
        if "self_or_mate" in scope:
            return [*team]
        return [i for i in team if i != play.user] if "mate" in scope else [None]

    def healable(self, side: int, play: Play, clause: Clause) -> list[Hit]:
        """Hits that may be removed: of the record, or of this battle."""
        hits = self.players[side].team[play.user if play.mate is None else play.mate].hits
        return [h for h in hits if h.current == ("current" in clause.words) and clause.fits([h.card], "", h.value)]

    def heal(self, side: int, play: Play, clause: Clause) -> Asking:
        """Hits go back to who played them."""
        character, left = self.players[side].team[play.user if play.mate is None else play.mate], clause.times()
        while left and (hits := self.healable(side, play, clause)):
            options = {f"{h.card.name}, a hit on my {character.name}": h for h in hits}
            hit = hits[0] if len(hits) <= left else (yield from self.ask(side, options))
            character.hits.remove(hit)
            self.put_away(1 - side, hit.card)
            left -= 1

    def removable(self, side: int, target: int | None, clause: Clause) -> list[tuple[int, Card]]:
        """Placed cards of the enemy that may be taken away."""
        foe = self.players[1 - side]
        whom = foe.survivors() if target is None else [target]
        return [(i, card) for i in whom for card in foe.team[i].placed if clause.fits([card], "", None)]

    def take_placed(self, side: int, target: int | None, clause: Clause) -> Asking:
        """The enemy loses placed cards, as the user of the card chooses."""
        foe, left = self.players[1 - side], clause.times()
        while left and (found := self.removable(side, target, clause)):
            options = {f"remove {card.name}, placed on {foe.team[i].name}": (i, card) for i, card in found}
            i, card = found[0] if len(found) <= left else (yield from self.ask(side, options))
            self.put_away(1 - side, self.take(1 - side, card, i))
            left -= 1

    def discard_hand(self, side: int, clause: Clause) -> Asking:
        """A player loses cards of the hand, of his own choice if he has more of them."""
        player, left = self.players[side], clause.times()
        while left and (found := [card for card in player.hand if clause.fits([card], "", None)]):
            few = len(found) <= left
            card = found[0] if few else (yield from self.ask(side, {f"discard {card.name}": card for card in found}))
            player.hand.remove(card)
            self.put_away(side, card)
            left -= 1

    def findable(self, side: int, play: Play, clause: Clause) -> list[Card]:
        """What a search could bring: no duplicates, unless the card says so (ruling 48)."""
        player = self.players[side]
        pile = {"": player.draw_pile, "pack": player.power_pack, "dead": player.dead_pile}[clause.of("from")]
        placed = [card for i in player.front_line() for card in player.team[i].placed]
        held = {card.duplicate_of for card in [*player.hand, *placed, *player.fresh]}
        types = set(clause.of("type") or EVERY_TYPE)
        found = [c for c in pile if any(clause.fits([c], t, c.value) for t in types & set(c.types or EVERY_TYPE))]
        if "keep" not in clause.words:
            found = [card for card in found if card.duplicate_of not in held]
        if "usable" in clause.words:
            found = [card for card in found if self.some_can_use(side, card, player.survivors())]
            found = [card for card in found if card.owner != ANYBODY]
        if "own" in clause.words:
            found = [card for card in found if card.owner == player.team[play.user].identity]
        return found

    def fetch(self, side: int, play: Play, clause: Clause) -> Asking:
        """A pile is searched for a card; a Draw Pile is shuffled then."""
        player = self.players[side]
        found = self.findable(side, play, clause)
        card = yield from self.ask(side, {f"fetch {card.name}": card for card in found})
        pile = {"": player.draw_pile, "pack": player.power_pack, "dead": player.dead_pile}[clause.of("from")]
        if card is not None:
            pile.remove(card)
            player.hand.append(card)
        if pile is player.draw_pile:
            player.draw_pile = self.chance.shuffled(side, pile)

    def further(self, side: int, first: Play, clause: Clause, types: str, users: tuple[int, ...]) -> Permit:
        """What may follow a Special: which attack, by whom (49, ruling 32)."""
        line = self.players[side].front_line()
        only = tuple(clause.of("class").split(",")) if clause.of("class") else ("power", "special")
        who = tuple(line) if "by_any" in clause.words else (first.user,)
        if "by_mates" in clause.words:
            who = tuple(i for i in line if i != first.user)
        targets: tuple[int, ...] | None = None
        if "other_target" in clause.words:
            targets = tuple(i for i in range(4) if i != first.target)
        elif "same_target" in clause.words:
            targets = (first.target,) if first.target is not None else ()
        once = "by_mates" in clause.words
        return Permit(
            tuple(i for i in who if not (once and i in users)),
            only,
            "".join(t for t in clause.of("type") or EVERY_TYPE if "types_once" not in clause.words or t not in types),
            targets,
            clause.number(),
            "no_universe" not in clause.words and not clause.of("class"),
            attacks_only=only != ("special",),
            anybodys=only == ("special",),
        )

    def further_attacks(self, side: int, first: Play, clause: Clause) -> Asking:
        """Extra attacks, one after the other, if their player likes (49)."""
        types, users = "", ()
        for _ in range(clause.times()):
            permit = self.further(side, first, clause, types, users)
            options = self.cards_of(side, self.plays(side, permit))
            chosen = yield from self.ask(side, options | {"done": None} if options else {})
            if chosen is None:
                return
            self.happened["further attack"] += 1
            play = yield from self.details(side, chosen)
            types, users = types + play.type, (*users, play.user)
            yield from self.carry_out(side, play, permit)

    # ---------------------------------------------------------------- after a battle

    def venture_total(self, side: int) -> int:
        """Values of this battle's hits on the enemy (62), never below 0 (ruling 50)."""
        total = sum(effect.clause.number() for effect in self.in_force("venture", side))
        left_out = [effect.clause for effect in self.in_force("venture_exclude", side)]
        for character in self.players[1 - side].team:
            for hit in character.hits:
                if not hit.current or any(c.fits([hit.card], hit.types, hit.value) for c in left_out):
                    continue
                doubled = [e.clause for e in self.in_force("venture_double", side) if e.by == hit.by]
                total += hit.value * (2 if any(c.fits([hit.card], hit.types, hit.value) for c in doubled) else 1)
        return max(0, total)

    def end_of_battle(self) -> Asking:
        """Hands, totals, hits, Missions (60 to 67)."""
        for side, player in enumerate(self.players):
            if not player.survivors():
                self.returns = (-1, 1) if side == 0 else (1, -1)
                self.happened["victory by KO"] += 1
                return
        for side, player in enumerate(self.players):
            for card in player.hand:
                self.put_away(side, card)
            player.hand = []
            player.last_total = self.venture_total(side)
        self.caps = [next((e.clause.number() for e in self.in_force("mission_cap", i)), None) for i in (0, 1)]
        self.stuck = [bool(self.in_force("no_ladder", i)) for i in (0, 1)]
        self.file_hits()
        winner = self.battle_winner()
        if winner is not None:
            self.first = winner
            yield from self.move_missions(winner)
            self.check_missions(winner)
        else:
            self.happened["drawn battle"] += 1
        if self.returns is None and self.battle_number == self.rules["battle_limit"]:
            self.happened["truncated"] += 1
            self.fill_front_line()
            self.truncated, self.returns = True, (0, 0)

    def battle_winner(self) -> int | None:
        """The higher total, or who did not concede (63, rulings 3, 4 and 28)."""
        if self.conceded is not None:
            return 1 - self.conceded
        one, two = (player.last_total for player in self.players)
        return None if one == two else int(two > one)

    def move_missions(self, winner: int) -> Asking:
        """The ladder (64, ruling 1)."""
        loser, player = self.players[1 - winner], self.players[winner]
        for side in (0, 1):
            self.hold_missions_back(side)
        loser.defeated += loser.ventured_reserve
        loser.reserve += loser.ventured_completed
        loser.ventured_reserve = loser.ventured_completed = 0
        number = player.ventured_completed
        player.completed += player.ventured_reserve + number
        player.ventured_reserve = player.ventured_completed = 0
        if self.stuck[winner]:
            return
        pairs = yield from self.ask(winner, {f"choose {n}": n for n in range(min(number // 2, player.defeated) + 1)})
        self.happened["ladder by pairs"] += pairs > 0
        player.defeated -= pairs
        player.completed += pairs
        singles = min(number - (2 * pairs if self.rules["ladder"] == "instead" else 0), player.defeated)
        self.happened["ladder"] += singles > 0
        player.defeated -= singles
        player.reserve += singles

    def hold_missions_back(self, side: int) -> None:
        """Only so many ventured Missions may move; those of Completed go back first (ruling 49)."""
        player, cap = self.players[side], self.caps[side]
        while cap is not None and player.ventured_completed + player.ventured_reserve > cap:
            if player.ventured_completed:
                player.ventured_completed -= 1
                player.completed += 1
            else:
                player.ventured_reserve -= 1
                player.reserve += 1

    def check_missions(self, winner: int) -> None:
        """Is a Mission completed, or abandoned (1, 2, 65)?"""
        won = self.players[winner].completed == MISSIONS
        lost = self.players[1 - winner].defeated == MISSIONS
        self.happened["victory by Mission"] += won
        self.happened["forfeit"] += lost
        if won or lost:
            self.returns = (1, -1) if winner == 0 else (-1, 1)

    def file_hits(self) -> None:
        """Hits join the record, or return from the fallen; what lasts for the battle ends (58, 67)."""
        self.end_effects(lambda effect: "battle" in effect.clause.words)
        for side, player in enumerate(self.players):
            for character in player.team:
                if not character.alive:
                    for hit in character.hits:
                        self.put_away(1 - side, hit.card)
                    character.hits = []
                character.hits = [replace(hit, current=False) for hit in character.hits]

    def fill_front_line(self) -> None:
        """Where a front-liner has fallen, the Reserve moves up (69)."""
        for side, player in enumerate(self.players):
            waiting = any(e.clause.verb == "reserve_waits" and e.side == side for e in self.effects)
            if len(player.front_line()) < (1 if waiting else 3):
                for i in player.survivors():
                    self.happened["Reserve moves up"] += not player.team[i].front
                    player.team[i].front = True
