"""A second, slow reading of the rules of OverPower: plain Python that shares nothing with the compiled game.

Written from the rule text; numbers in brackets are those of the rules and rulings in the game's README. The referee
knows decks of Power, Universe and Special cards (those Specials whose programs use only `VERBS`), and characters
without inherent abilities. Events, and anything else, it refuses.

A game is one generator, `Referee.game`, in which the players' decisions are `yield`ed as `Question`s and answered by
`send`. As at the table of the compiled game nobody is asked where there is only one answer. A play is found by brute
force: all complete plays are listed, and its details are then asked for one after the other until one is left.

Chance is not the referee's: `Chance` tells how a pile was shuffled and who cut the higher card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple, Protocol

TYPE_NAMES = {"E": "Energy", "F": "Fighting", "S": "Strength", "I": "Intellect", "A": "Any-Power"}
CLASSES = {1: "power", 2: "basic", 4: "training", 8: "teamwork", 16: "ally", 32: "special"}
"""Classes of cards as the data number them; an Event is not among them."""
HELPERS = ("basic", "training")
UNIVERSE = (*HELPERS, "teamwork", "ally")
ANYBODY = "Any Character"
MISSIONS = 7
TRAINABLE = 5
"""A rating of so much or less can be trained (9)."""


# ---------------------------------------------------------------- cards


class Clause(NamedTuple):
    """A verb of a Special's program, with the words that follow it."""

    verb: str
    words: tuple[str, ...]

    def number(self) -> int:
        """The amount: 0 if there is none."""
        return next((int(word) for word in self.words if word.lstrip("+-").isdigit()), 0)

    def types(self) -> str:
        """Power types that stand alone."""
        return next((word for word in self.words if word.isupper() and set(word) <= set("EFSIAM")), "")

    def times(self) -> int:
        """How often; ``all`` is as often as possible."""
        return 99 if "all" in self.words else next((int(w[1:]) for w in self.words if w[0] == "x"), 1)

    def of(self, key: str) -> str:
        """What follows ``key:``."""
        return next((word.partition(":")[2] for word in self.words if word.startswith(f"{key}:")), "")


VERBS: dict[str, Callable[[str], bool]] = {}
"""The verbs that the referee knows, each with a test of the words that may follow it."""


def _words(*known: str, keys: Sequence[str] = ()) -> Callable[[str], bool]:
    def knows(word: str) -> bool:
        plain = word.lstrip("+-").isdigit() or (word[0] == "x" and word[1:].isdigit())
        types = word.isupper() and set(word) <= set("EFSIA")
        return plain or types or word in known or (":" in word and word.partition(":")[0] in keys)

    return knows


VERBS |= {
    "attack": _words("reserve", keys=["hit"]),
    "aim": _words(),
    "declare": _words("foe"),
    "combine": lambda word: word in tuple("EFSI"),
    "follow": _words("other_target", "same_target", "by_any", "no_universe", keys=["type", "class"]),
    "barred": _words(keys=["icon"]),
    "only_defence": _words("specials"),
    "on_hit": _words(),
    "no_attack": _words("target", "self", "battle"),
    "avoid": _words("self", "mate", "self_or_mate", "numeric", keys=["class", "type", "icon", "value"]),
    "shift": _words("to_self", "to_mate"),
    "venture": _words("self", "foe", "battle"),
    "draw": _words("keep"),
    "heal": _words("self"),
    "mill": _words("foe"),
    "discard_placed": _words("target", "foe", "all", keys=["class"]),
}
REACTIONS = ("avoid", "shift")
OPENERS = ("attack", "aim", "declare", *REACTIONS)


def clauses_of(effect: str) -> tuple[Clause, ...]:
    """A program, taken to pieces."""
    parts = [part.split() for part in effect.split(";")]
    return tuple(Clause(part[0], tuple(part[1:])) for part in parts if part)


def understands(effect: str) -> bool:
    """Does the referee know all words of this program?"""
    clauses = clauses_of(effect)
    if not clauses or clauses[0].verb not in OPENERS:
        return False
    if clauses[0].verb in REACTIONS and len(clauses) > 1:
        return False
    if any(clause.verb in OPENERS for clause in clauses[1:]):
        return False
    if any(c.verb == "follow" for c in clauses) and clauses[0].verb != "attack":
        return False
    return all(clause.verb in VERBS and all(map(VERBS[clause.verb], clause.words)) for clause in clauses)


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

    def opener(self) -> Clause:
        return self.program[0]

    @property
    def is_attack(self) -> bool:
        """Is it declared on an enemy character (48)?"""
        return self.kind != "special" or self.opener().verb in ("attack", "aim")

    def clause(self, verb: str) -> Clause | None:
        return next((clause for clause in self.program if clause.verb == verb), None)


def letters(bits: int) -> str:
    """Type letters of the bits in the data."""
    return "".join(letter for i, letter in enumerate("EFSIA") if bits >> i & 1)


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
    last_total: int = 0
    fresh: list[Card] = field(default_factory=list)
    """Placed on the Reserve before this very battle."""
    in_effect: list[Card] = field(default_factory=list)
    """Specials that last until the end of the battle."""
    venture_change: int = 0
    may_not_attack: set[int] = field(default_factory=set)

    def survivors(self) -> list[int]:
        return [i for i, character in enumerate(self.team) if character.alive]

    def front_line(self) -> list[int]:
        return [i for i in self.survivors() if self.team[i].front]


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


@dataclass(frozen=True)
class Permit:
    """What may be played now: a turn, or what follows a card."""

    users: tuple[int, ...]
    classes: tuple[str, ...] = ("power", "teamwork", "ally", "special")
    types: str = "EFSIA"
    """As which type it must be declared, if it is an attack with a number."""
    targets: tuple[int, ...] | None = None
    bonus: int = 0
    universe: bool = True
    attacks_only: bool = False
    anybodys: bool = True
    """Specials of any character (32)."""


@dataclass
class Attack:
    """An attack that waits for an answer."""

    side: int
    target: int
    cards: list[Card]
    type: str
    value: int | None
    shifted: bool = False

    def is_like(self, words: Clause) -> bool:
        """Does a filter fit this attack?"""
        classes, value = words.of("class"), words.of("value")
        kinds = {kind for card in self.cards for kind in (card.kind, card.sort)}
        icons = {icon for card in self.cards for icon in card.types}
        if classes and not kinds & set(classes.split(",")):
            return False
        if words.of("type") and self.type not in words.of("type"):
            return False
        if words.of("icon") and not icons & set(words.of("icon")):
            return False
        if "numeric" in words.words and self.value is None:
            return False
        return not value or (self.value is not None and self.value <= int(value.partition("-")[2]))


class BattleOver(Exception):
    """Somebody has conceded, or has no Front Line any more."""


Asking = Generator[Question, str, Any]


class Referee:
    """A game between two decks."""

    def __init__(self, decks: Sequence[Any], chance: Chance, rules: dict[str, Any]):
        self.chance = chance
        self.rules = rules
        self.players = [self.seat(deck) for deck in decks]
        self.first = 0
        self.battle_number = 0
        self.returns: tuple[int, int] | None = None
        self.truncated = False
        self.conceded: int | None = None
        self.happened: Counter[str] = Counter()
        """What has come to pass, for those who want to know whether it ever does."""

    def seat(self, deck: Any) -> Player:
        """A player with a deck."""
        team = []
        for data in deck.team:
            if data.has_inherent:
                raise ValueError(f"the referee does not know inherent abilities: {data.name}")
            grid = {t: rating for t, rating in zip("EFSI", data.grid, strict=True) if rating}
            team.append(Character(data.name.rpartition(" (")[0], data.character, grid, data.code))
        kinds = [card_from(data) for data in deck.kinds]
        return Player(team, kinds, [card for card, data in zip(kinds, deck.kinds) for _ in range(deck.counts[data])])

    def ask(self, side: int, options: dict[str, Any]) -> Asking:
        """What a player chooses; nobody is asked where there is no choice."""
        if len(options) <= 1:
            return next(iter(options.values()), None)
        answer = yield Question(side, frozenset(options))
        return options[answer]

    # ---------------------------------------------------------------- who may use what

    def code_allows(self, character: Character, card: Card) -> bool:
        """Heroes play no Villains' cards, nor the other way round (72)."""
        return not self.rules["code_rule"] or not character.code or not card.code or character.code == card.code

    def power_types(self, character: Character, card: Card) -> str:
        """As which types a character may use a Power card (3 to 6, 75)."""
        if card.types == "A":
            return "A" if max(character.grid.values()) >= card.value else ""
        return "".join(t for t in card.types if character.grid.get(t, 0) >= card.value)

    def required_types(self, character: Character, card: Card) -> str:
        """In which types a character meets what a Universe card asks for (8 to 11)."""
        if card.requires > 0:
            return "".join(t for t in card.types if character.grid.get(t, 0) >= card.requires)
        return "".join(t for t in card.types if 0 < character.grid.get(t, 0) <= -card.requires)

    def can_use(self, character: Character, card: Card) -> bool:
        """By ratings, name and code (6 to 12, 31)."""
        if not self.code_allows(character, card):
            return False
        if card.kind == "power":
            return bool(self.power_types(character, card))
        if card.kind == "special":
            return card.owner in (ANYBODY, character.identity)
        return bool(self.required_types(character, card))

    def team_can_use(self, player: Player, card: Card, among: Iterable[int]) -> bool:
        return any(self.can_use(player.team[i], card) for i in among)

    # ---------------------------------------------------------------- piles

    def put_away(self, side: int, card: Card) -> None:
        """To the discard pile where it belongs (20)."""
        player = self.players[side]
        usable = self.team_can_use(player, card, player.survivors())
        (player.power_pack if card.kind == "power" and usable else player.dead_pile).append(card)

    def draw(self, side: int, number: int) -> int:
        """Cards come into the hand, as far as there are any (22, 71, ruling 23); how many."""
        player = self.players[side]
        for drawn in range(number):
            if not player.draw_pile:
                if not player.power_pack:
                    return drawn
                self.happened["reshuffle"] += 1
                player.draw_pile = self.chance.shuffled(side, player.power_pack)
                player.power_pack = []
            player.hand.append(player.draw_pile.pop())
        return number

    def take(self, side: int, card: Card, place: int | None) -> Card:
        """A card leaves the hand, or the character it is placed on."""
        player = self.players[side]
        pile = player.hand if place is None else player.team[place].placed
        pile.remove(card)
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
        for player in self.players:
            player.fresh, player.passed = [], False
        for side in order:
            self.draw(side, self.rules["hand_size"])
        for side in order:
            yield from self.clear_hand(side)
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

    def clear_hand(self, side: int, among: Iterable[int] | None = None) -> Asking:
        """Unusable cards and duplicates go (24 to 34); who of the team could still use a card: ``among``."""
        self.discard_unusable(side, self.players[side].survivors() if among is None else among)
        yield from self.discard_duplicates(side)

    def discard_duplicates(self, side: int) -> Asking:
        """Of cards that are duplicates one stays, none if it is placed already (25 to 30, 32, ruling 17)."""
        player = self.players[side]
        counted = [card for i in player.front_line() for card in player.team[i].placed] + player.fresh
        placed = {card.duplicate_of for card in counted}
        for kind in player.kinds:
            same = [card for card in player.hand if card.duplicate_of == kind.duplicate_of]
            if kind not in same or (len(same) == 1 and kind.duplicate_of not in placed):
                continue
            if kind.duplicate_of in placed:
                self.happened["duplicate of a placed card"] += 1
            else:
                self.happened["duplicate"] += 1
                same.remove((yield from self.ask(side, {f"keep {card.name}": card for card in same})))
            for card in same:
                player.hand.remove(card)
                self.put_away(side, card)

    def discard_unusable(self, side: int, among: Iterable[int]) -> None:
        """What nobody of these could ever use goes: to the Dead Pile, unless the Reserve could (31, 33, 34, 37)."""
        player = self.players[side]
        for card in [card for card in player.hand if not self.team_can_use(player, card, among)]:
            self.happened["unusable"] += 1
            player.hand.remove(card)
            self.put_away(side, card)

    def place_cards(self, order: Sequence[int]) -> Asking:
        """In turn, one card at a time, until both have stopped (35 to 37)."""
        placing = list(order)
        while placing:
            side = placing.pop(0)
            player = self.players[side]
            options: dict[str, Any] = {}
            for i, card in product(player.survivors(), player.hand):
                if self.may_place(player.team[i], card):
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

    def may_place(self, character: Character, card: Card) -> bool:
        """Room for it, and it can be used there; Specials of any character are not placed (35, ruling 32)."""
        if card.owner == ANYBODY or not self.can_use(character, card):
            return False
        return all(card.sort != other.sort for other in character.placed)

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
            yield from self.clear_hand(1 - side, other.front_line())

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
            plays = [] if player.passed else self.plays(side, Permit(tuple(player.front_line())))
            choice = yield from self.ask(side, self.cards_of(side, plays) | {"pass": "pass", "concede": "concede"})
            passes = passes + 1 if choice == "pass" else 0
            if choice == "pass":
                player.passed = True
            elif choice == "concede":
                self.happened["concession"] += 1
                self.concede(side)
            else:
                yield from self.carry_out(side, (yield from self.details(side, choice)), 0)
            side = 1 - side

    def named(self, side: int, card: Card, place: int | None) -> str:
        return f"play {card.name}" + ("" if place is None else f", placed on {self.players[side].team[place].name}")

    def cards_of(self, side: int, plays: Iterable[Any]) -> dict[str, Any]:
        """The first question about a play: which card? Each with the plays that it leaves."""
        found: dict[str, Any] = {}
        for play in plays:
            found.setdefault(self.named(side, play.card, play.place), []).append(play)
        return found

    def details(self, side: int, plays: list[Play]) -> Asking:
        """By whom, with which second card, as which type, at whom: until one play is left."""
        own, foes = self.players[side].team, self.players[1 - side].team
        plays = yield from self.narrowed(side, plays, lambda play: f"by {own[play.user].name}")
        plays = yield from self.narrowed(side, plays, lambda play: self.second_of(side, play))
        plays = yield from self.narrowed(side, plays, lambda play: f"as {TYPE_NAMES.get(play.type)}")
        if plays[0].target is not None:
            plays = yield from self.narrowed(side, plays, lambda play: f"at {foes[play.target].name}")
        return plays[0]

    def second_of(self, side: int, play: Play) -> str:
        return "alone" if play.second is None else self.named(side, play.second, play.second_place)

    def narrowed(self, side: int, plays: list[Play], detail: Callable[[Any], str]) -> Asking:
        """The plays that are left when a detail has been chosen."""
        left: dict[str, list[Play]] = {}
        for play in plays:
            left.setdefault(detail(play), []).append(play)
        return (yield from self.ask(side, left))

    def plays(self, side: int, permit: Permit) -> list[Play]:
        """All that can be played now, with all details (42)."""
        player, found = self.players[side], []
        for user in permit.users:
            character = player.team[user]
            sources = [(card, None) for card in player.hand] + [(card, user) for card in character.placed]
            for card, place in dict.fromkeys(sources):
                if card.kind not in permit.classes or not self.can_use(character, card):
                    continue
                if card.is_attack and user in player.may_not_attack:
                    continue
                if card.kind == "power":
                    found += self.power_plays(side, Play(card, place, user), permit)
                elif card.kind == "special":
                    found += self.special_plays(side, Play(card, place, user), permit)
                elif self.plays(side, self.follow_up(side, card, user)):
                    found += self.aimed(side, [Play(card, place, user, type=card.types)], permit)
        return found

    def aimed(self, side: int, plays: Iterable[Play], permit: Permit, at_reserve: bool = False) -> list[Play]:
        """These plays at everybody who may be attacked (43, 68)."""
        foe = self.players[1 - side]
        anybody = foe.survivors() if at_reserve else foe.front_line()
        targets = [i for i in anybody if permit.targets is None or i in permit.targets]
        return [play._replace(target=target) for play in plays for target in targets]

    def power_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Power card, alone or with a Universe card (43 to 45)."""
        user = self.players[side].team[start.user]
        types = self.power_types(user, start.card)
        plays = [start._replace(type=t) for t in types]
        for helper, place in self.helpers(side, start.user) if permit.universe else ():
            fitting = self.helped_types(user, helper, types)
            plays += [start._replace(second=helper, second_place=place, type=t) for t in fitting]
        return self.aimed(side, [play for play in plays if play.type in permit.types], permit)

    def helpers(self, side: int, user: int) -> list[tuple[Card, int | None]]:
        """Basic Universe and Training cards that this character may use."""
        player = self.players[side]
        sources = [(card, None) for card in player.hand] + [(card, user) for card in player.team[user].placed]
        return [s for s in dict.fromkeys(sources) if s[0].kind in HELPERS and self.can_use(player.team[user], s[0])]

    def helped_types(self, user: Character, helper: Card, types: str) -> str:
        """As which of these types a Power card takes the bonus (8, 9, rulings 13 and 14)."""
        fitting = self.required_types(user, helper)
        return "".join(t for t in types if t in fitting or (t == "A" and fitting))

    def follow_up(self, side: int, card: Card, user: int) -> Permit:
        """What must follow a Teamwork card or an Ally (10, 11)."""
        mates = tuple(i for i in self.players[side].front_line() if i != user)
        if card.kind == "ally":
            return Permit(mates, ("special",))
        return Permit(mates, ("power",), card.follow_types + "A", bonus=card.bonuses[0], universe=False)

    def special_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Special on the turn (12, 48 to 50)."""
        card, opener = start.card, start.card.opener()
        if opener.verb in REACTIONS or (permit.attacks_only and not card.is_attack):
            return []
        if card.owner == ANYBODY and not permit.anybodys:
            return []
        if not self.has_objects(side, start):
            return []
        if opener.verb == "declare":
            return [start] if permit.types == "EFSIA" else []
        if opener.verb == "aim":
            plays = self.aimed(side, [start], permit) if permit.types == "EFSIA" else []
            return [play for play in plays if self.has_objects(side, play)]
        plays = [start._replace(type=t) for t in card.types if t in permit.types]
        combine = card.clause("combine")
        if combine:
            powers = [s for s in self.own_cards(side, start.user) if s[0].kind == "power" and s[0].types == combine.types()]
            usable = [s for s in powers if self.can_use(self.players[side].team[start.user], s[0])]
            plays += [play._replace(second=s[0], second_place=s[1]) for play in plays for s in usable]
        return self.aimed(side, plays, permit, "reserve" in opener.words)

    def own_cards(self, side: int, user: int) -> list[tuple[Card, int | None]]:
        """What a character could play: the hand, and what is placed on it."""
        player = self.players[side]
        sources = [(card, None) for card in player.hand] + [(card, user) for card in player.team[user].placed]
        return list(dict.fromkeys(sources))

    def has_objects(self, side: int, play: Play) -> bool:
        """A card that heals or takes away needs something to work on."""
        riders = [clause.verb for clause in play.card.program[1:]]
        if "on_hit" in riders or play.card.opener().verb == "attack":
            return True
        for clause in play.card.program[1:]:
            if clause.verb == "heal" and not self.healable(side, play.user, clause):
                return False
            if clause.verb == "discard_placed" and (play.target is not None or "foe" in clause.words):
                if not self.removable(side, play.target, clause):
                    return False
        return True

    # ---------------------------------------------------------------- carrying out a play

    def carry_out(self, side: int, play: Play, bonus: int) -> Asking:
        """A whole action with all that follows."""
        self.happened[play.card.kind] += 1
        if play.card.kind == "special" and not play.card.is_attack:
            yield from self.declare(side, play)
            return
        landed = yield from self.attack(side, play, bonus)
        if play.card.kind == "teamwork":
            yield from self.teamwork(side, play)
        elif play.card.kind == "ally":
            permit = self.follow_up(side, play.card, play.user)
            plays = yield from self.ask(side, self.cards_of(side, self.plays(side, permit)))
            yield from self.carry_out(side, (yield from self.details(side, plays)), 0)
        elif play.card.kind == "special":
            yield from self.riders(side, play, landed)

    def teamwork(self, side: int, start: Play) -> Asking:
        """One or two attacks of teammates with Power cards (46, rulings 10 to 12)."""
        permit = self.follow_up(side, start.card, start.user)
        for number in (0, 1):
            plays = self.plays(side, permit)
            options = self.cards_of(side, plays)
            if number:
                options |= {"done": None} if options else {}
            chosen = yield from self.ask(side, options)
            if chosen is None:
                return
            play = yield from self.details(side, chosen)
            self.happened["follow-up"] += 1
            if number:
                self.happened["second follow-up"] += 1
            yield from self.attack(side, play, permit.bonus)
            permit = replace(
                permit,
                users=tuple(i for i in permit.users if i != play.user),
                types="".join(t for t in permit.types if t != play.type),
                bonus=start.card.bonuses[1],
            )

    def attack(self, side: int, play: Play, bonus: int) -> Asking:
        """An attack, its defence, and the hit (43 to 48). Whether it landed."""
        assert play.target is not None
        cards = [self.take(side, play.card, play.place)]
        value = None if play.card.kind == "special" and play.card.opener().verb == "aim" else play.card.value + bonus
        if play.second is not None:
            cards.append(self.take(side, play.second, play.second_place))
            assert value is not None
            value += play.second.value if play.second.kind == "power" else play.second.bonuses[0]
            self.happened[f"{play.card.kind} with {play.second.kind}"] += 1
        attack = Attack(side, play.target, cards, play.type, value)
        if (yield from self.defended(attack)):
            for card in cards:
                self.put_away(side, card)
            return None
        target = self.players[1 - side].team[attack.target]
        for card in cards:
            if card.kind in HELPERS or value is None:
                continue
            target.hits.append(self.hit_with(card))
        for card in cards:
            if card.kind in HELPERS:
                self.put_away(side, card)
        if value is None:
            self.players[side].in_effect.append(play.card)
        self.check_ko(1 - side, attack.target)
        return attack.target

    def hit_with(self, card: Card) -> Hit:
        """A card as a hit; some Specials hit as something else than they attack with."""
        other = card.opener().of("hit") if card.kind == "special" else ""
        if not other:
            return Hit(card, card.value, card.types)
        digits = "".join(c for c in other if c.isdigit())
        return Hit(card, int(digits), other[len(digits) :])

    # ---------------------------------------------------------------- defence

    def defended(self, attack: Attack) -> Asking:
        """The answer to an attack: True if it was stopped (53, 54)."""
        side = 1 - attack.side
        player = self.players[side]
        while True:
            options = self.cards_of(side, self.defences(attack))
            chosen = yield from self.ask(side, options | {"take it": None})
            if chosen is None:
                return False
            chosen = yield from self.narrowed(side, chosen, lambda play: f"by {player.team[play.user].name}")
            chosen = yield from self.narrowed(side, chosen, lambda play: self.second_of(side, play))
            play = chosen[0]
            self.put_away(side, self.take(side, play.card, play.place))
            if play.second is not None:
                self.happened["defence with Universe"] += 1
                self.put_away(side, self.take(side, play.second, play.second_place))
            if play.target is None:
                self.happened["defence" if play.card.kind == "power" else "avoid"] += 1
                return True
            self.happened["shift"] += 1
            chosen = yield from self.narrowed(side, chosen, lambda play: f"by {player.team[play.target].name}")
            attack.target, attack.shifted = chosen[0].target, True

    def defences(self, attack: Attack) -> list[Play]:
        """All defensive actions (53, 54)."""
        side = 1 - attack.side
        player = self.players[side]
        found = []
        if attack.value is not None and not self.only_specials(attack):
            for card, place in self.own_cards(side, attack.target):
                if card.kind == "power" and self.can_use(player.team[attack.target], card):
                    found += self.blocks(attack, Play(card, place, attack.target))
        for user in sorted({*player.front_line(), attack.target}):
            for card, place in self.own_cards(side, user):
                if card.kind == "special" and self.can_use(player.team[user], card):
                    found += self.answers(attack, Play(card, place, user))
        return found

    def only_specials(self, attack: Attack) -> bool:
        return any(card.kind == "special" and card.clause("only_defence") for card in attack.cards)

    def barred_icons(self, attack: Attack) -> str:
        """Icons that may not defend."""
        barred = [card.clause("barred") for card in attack.cards if card.kind == "special"]
        return "".join(clause.of("icon") for clause in barred if clause)

    def blocks(self, attack: Attack, start: Play) -> list[Play]:
        """A Power card, alone or with a Universe card, that reaches the value of the attack (54)."""
        side, barred = 1 - attack.side, set(self.barred_icons(attack))
        user = self.players[side].team[start.user]
        if barred & set(start.card.types):
            return []
        assert attack.value is not None
        found = [start] if start.card.value >= attack.value else []
        types = self.power_types(user, start.card)
        for helper, place in self.helpers(side, start.user):
            enough = start.card.value + helper.bonuses[0] >= attack.value
            if enough and self.helped_types(user, helper, types) and not barred & set(helper.types):
                found.append(start._replace(second=helper, second_place=place))
        return found

    def answers(self, attack: Attack, start: Play) -> list[Play]:
        """Specials that avoid an attack, or shift it."""
        opener, mine = start.card.opener(), start.user == attack.target
        line = self.players[1 - attack.side].front_line()
        if opener.verb == "avoid":
            scope = next(word for word in opener.words if word in ("self", "mate", "self_or_mate"))
            concerned = {"self": mine, "mate": not mine, "self_or_mate": True}[scope]
            return [start] if concerned and attack.is_like(opener) else []
        if opener.verb != "shift" or attack.shifted:
            return []
        if "to_self" in opener.words:
            return [] if mine else [start._replace(target=start.user)]
        return [start._replace(target=i) for i in line if i != start.user] if mine else []

    # ---------------------------------------------------------------- hits and knock-outs

    def spectrum(self, hits: Sequence[Hit]) -> int:
        """How many power types the hits can be taken for, as their scorer likes best (57, 74, 76 to 78)."""
        fused = sorted({t for hit in hits if hit.card.is_multipower for t in hit.types})
        choices = [fused] if fused else []
        choices += [list(hit.types) for hit in hits if not hit.card.is_multipower and hit.types != "A"]
        choices = [list(c) for c in dict.fromkeys(tuple(c) for c in choices if len(c) == 1)] + [
            c for c in choices if len(c) > 1
        ]
        return max(len(set(types)) for types in product(*choices))

    def check_ko(self, side: int, who: int) -> None:
        """Is a character knocked out, and the battle over (56 to 58, 60)?"""
        player = self.players[side]
        character = player.team[who]
        cumulative = sum(hit.value for hit in character.hits) >= self.rules["ko_limit"]
        spectrum = self.spectrum(character.hits) >= self.rules["spectrum_types"]
        if not character.alive or not (cumulative or spectrum):
            return
        self.happened["cumulative KO"] += cumulative
        self.happened["spectrum KO"] += spectrum
        multi = any(hit.card.is_multipower for hit in character.hits)
        self.happened["spectrum KO with MultiPower"] += spectrum and multi
        self.happened["KO of a Reserve"] += not character.front
        character.alive = False
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

    def declare(self, side: int, play: Play) -> Asking:
        """A Special that nobody can answer (50)."""
        self.take(side, play.card, play.place)
        lasts = False
        for clause in play.card.program[1:]:
            lasts |= clause.verb in ("venture", "no_attack")
            yield from self.effect(side, play, clause, None)
        player = self.players[side]
        (player.in_effect if lasts else player.dead_pile).append(play.card)

    def riders(self, side: int, play: Play, landed: int | None) -> Asking:
        """What an attack of a Special brings with it: effects if it landed, or anyhow, and further attacks."""
        if_hit = play.card.opener().verb == "aim"
        for clause in play.card.program[1:]:
            if_hit |= clause.verb == "on_hit"
            if clause.verb == "follow":
                yield from self.further_attacks(side, play, clause)
            elif landed is not None or not if_hit:
                yield from self.effect(side, play, clause, landed)
        lasting = any(clause.verb == "no_attack" for clause in play.card.program)
        in_effect = self.players[side].in_effect
        if if_hit and not lasting and play.card in in_effect:
            in_effect.remove(play.card)
            self.players[side].dead_pile.append(play.card)

    def effect(self, side: int, play: Play, clause: Clause, target: int | None) -> Asking:
        """One clause of a program."""
        player, foe = self.players[side], self.players[1 - side]
        self.happened[clause.verb] += 1
        if clause.verb == "no_attack":
            if "self" in clause.words:
                player.may_not_attack.add(play.user)
            else:
                assert target is not None
                foe.may_not_attack.add(target)
        elif clause.verb == "venture":
            (player if "self" in clause.words else foe).venture_change += clause.number()
        elif clause.verb == "draw":
            self.draw(side, clause.times())
            if "keep" not in clause.words:  # but what is unusable stays once the battle runs (33)
                yield from self.discard_duplicates(side)
        elif clause.verb == "heal":
            for _ in range(clause.times()):
                yield from self.heal(side, play.user, clause)
        elif clause.verb == "mill":
            for _ in range(clause.times()):
                if foe.draw_pile:
                    foe.dead_pile.append(foe.draw_pile.pop())
        elif clause.verb == "discard_placed" and "all" in clause.words:
            for i, card in self.removable(side, target, clause):
                self.put_away(1 - side, self.take(1 - side, card, i))
        elif clause.verb == "discard_placed":
            for _ in range(clause.times()):
                yield from self.take_placed(side, target, clause)

    def healable(self, side: int, user: int, clause: Clause) -> list[Hit]:
        return [hit for hit in self.players[side].team[user].hits if not hit.current]

    def heal(self, side: int, user: int, clause: Clause) -> Asking:
        """A hit of the Permanent Record goes back to who played it."""
        character = self.players[side].team[user]
        options = {f"{h.card.name}, a hit on my {character.name}": h for h in self.healable(side, user, clause)}
        hit = yield from self.ask(side, options)
        if hit is not None:
            character.hits.remove(hit)
            self.put_away(1 - side, hit.card)

    def removable(self, side: int, target: int | None, clause: Clause) -> list[tuple[int, Card]]:
        """Placed cards of the enemy that may be taken away."""
        foe, classes = self.players[1 - side], clause.of("class").split(",")
        whom = foe.survivors() if target is None else [target]
        cards = [(i, card) for i in whom for card in foe.team[i].placed]
        return [(i, card) for i, card in cards if classes == [""] or {card.kind, card.sort} & set(classes)]

    def take_placed(self, side: int, target: int | None, clause: Clause) -> Asking:
        """The enemy loses a placed card."""
        foe = self.players[1 - side]
        found = self.removable(side, target, clause)
        options = {f"remove {card.name}, placed on {foe.team[i].name}": (i, card) for i, card in found}
        chosen = yield from self.ask(side, options)
        if chosen is not None:
            i, card = chosen
            self.put_away(1 - side, self.take(1 - side, card, i))

    def further_attacks(self, side: int, first: Play, clause: Clause) -> Asking:
        """Extra attacks of the same character, one after the other, if its player likes (49)."""
        player, foe = self.players[side], self.players[1 - side]
        only = tuple(clause.of("class").split(",")) if clause.of("class") else ("power", "special")
        extra_special = only == ("special",)
        for _ in range(clause.times()):
            targets: tuple[int, ...] | None = None
            if "other_target" in clause.words:
                targets = tuple(i for i in range(4) if i != first.target)
            elif "same_target" in clause.words:
                targets = (first.target,) if first.target is not None else ()
            permit = Permit(
                tuple(player.front_line()) if "by_any" in clause.words else (first.user,),
                only,
                clause.of("type") or "EFSIA",
                targets,
                clause.number(),
                "no_universe" not in clause.words,
                attacks_only=not extra_special,
                anybodys=extra_special,
            )
            options = self.cards_of(side, self.plays(side, permit))
            chosen = yield from self.ask(side, options | {"done": None} if options else {})
            if chosen is None:
                return
            self.happened["further attack"] += 1
            yield from self.carry_out(side, (yield from self.details(side, chosen)), permit.bonus)
            if not foe.front_line():
                return

    # ---------------------------------------------------------------- after a battle

    def venture_total(self, side: int) -> int:
        """Values of this battle's hits on the enemy (62), never below 0 (ruling 50)."""
        foe, player = self.players[1 - side], self.players[side]
        hits = sum(hit.value for character in foe.team for hit in character.hits if hit.current)
        return max(0, hits + player.venture_change)

    def end_of_battle(self) -> Asking:
        """Hands, totals, Missions, hits (60 to 70)."""
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
        loser.defeated += loser.ventured_reserve
        loser.reserve += loser.ventured_completed
        loser.ventured_reserve = loser.ventured_completed = 0
        number = player.ventured_completed
        player.completed += player.ventured_reserve + number
        player.ventured_reserve = player.ventured_completed = 0
        pairs = yield from self.ask(winner, {f"choose {n}": n for n in range(min(number // 2, player.defeated) + 1)})
        self.happened["ladder by pairs"] += pairs > 0
        player.defeated -= pairs
        player.completed += pairs
        singles = min(number - (2 * pairs if self.rules["ladder"] == "instead" else 0), player.defeated)
        self.happened["ladder"] += singles > 0
        player.defeated -= singles
        player.reserve += singles

    def check_missions(self, winner: int) -> None:
        """Is a Mission completed, or abandoned (1, 2, 65)?"""
        won = self.players[winner].completed == MISSIONS
        lost = self.players[1 - winner].defeated == MISSIONS
        self.happened["victory by Mission"] += won
        self.happened["forfeit"] += lost
        if won or lost:
            self.returns = (1, -1) if winner == 0 else (-1, 1)

    def file_hits(self) -> None:
        """Hits join the record, or return from the fallen; Specials that last for the battle go (58, 67)."""
        for side, player in enumerate(self.players):
            for card in player.in_effect:
                self.put_away(side, card)
            player.in_effect, player.venture_change, player.may_not_attack = [], 0, set()
            for character in player.team:
                if not character.alive:
                    for hit in character.hits:
                        self.put_away(1 - side, hit.card)
                    character.hits = []
                character.hits = [replace(hit, current=False) for hit in character.hits]

    def fill_front_line(self) -> None:
        """Where a front-liner has fallen, the Reserve moves up (69)."""
        for player in self.players:
            if len(player.front_line()) < 3:
                for i in player.survivors():
                    self.happened["Reserve moves up"] += not player.team[i].front
                    player.team[i].front = True
