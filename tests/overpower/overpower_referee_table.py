"""The referee's table: who may use which card, and where cards go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from overpower_referee_cards import Attack, Card, Character, Effect, Play, Player, Source, card_from
from overpower_referee_words import ANYBODY, HELPERS, clauses_of, understands_gift


class Chance(Protocol):
    """What the dice of the compiled game have said."""

    def first_player(self) -> int:
        """Who cut the higher card."""

    def shuffled(self, side: int, cards: list[Card]) -> list[Card]:
        """These cards in their new order, the top one last."""

    def cut_to(self, side: int) -> Card:
        """To which card a Draw Pile was cut."""

    def lost(self, side: int, number: int) -> list[Card]:
        """Which cards of a hand were taken at random, and discarded."""

    def drawn_blindly(self, side: int) -> Card:
        """Which card the opponent has drawn from a hand."""


class Question(NamedTuple):
    """Who is asked, and what can be answered."""

    side: int
    options: frozenset[str]


class BattleOver(Exception):
    """Somebody has conceded, or has no Front Line any more."""


Asking = Generator[Question, str, Any]


class Table:
    """Two decks on a table."""

    def __init__(self, decks: Sequence[Any], chance: Chance, rules: dict[str, Any]):
        self.chance = chance
        self.rules = rules
        self.effects: list[Effect] = []
        self.players = [self.seat(side, deck) for side, deck in enumerate(decks)]
        self.first = 0
        self.battle_number = 0
        self.returns: tuple[int, int] | None = None
        self.truncated = False
        self.is_fighting = False
        """Has the first turn of a battle begun, and the last one not ended?"""
        self.conceded: int | None = None
        self.avoided_whole = False
        """All that would have followed the last attack was avoided as well."""
        self.negated = False
        """The last Special was negated."""
        self.face_down: Attack | None = None
        """The attack that lies face down."""
        self.lots = 0
        """How many cards have been given a number for all that they do."""
        self.happened: Counter[str] = Counter()
        """What has come to pass, for those who want to know whether it ever does."""
        self.specials: set[str] = set()
        """The Specials that have been played."""
        self.events: set[str] = set()
        """The Events that have been carried out."""

    def seat(self, side: int, deck: Any) -> Player:
        """A player with a deck, and the inherent abilities of his team (73)."""
        team = []
        for i, data in enumerate(deck.team):
            if not understands_gift(data.inherent):
                raise ValueError(f"the referee does not know what {data.name} can do: {data.inherent}")
            grid = {t: rating for t, rating in zip("EFSI", data.grid, strict=True) if rating}
            gifts = clauses_of(data.inherent)
            team.append(Character(data.name.rpartition(" (")[0], data.character, grid, data.code, gifts))
            self.endow(side, i, team[i])
        kinds, counts = [card_from(data) for data in deck.kinds], [deck.counts[data] for data in deck.kinds]
        return Player(team, kinds, [card for card, n in zip(kinds, counts, strict=True) for _ in range(n)])

    def endow(self, side: int, who: int, character: Character) -> None:
        """A character's inherent ability is in force."""
        for clause in character.gifts:
            about = 1 - side if clause.scope() == "foe" else side
            whom = {"foe": None, "team": None}.get(clause.scope(), who)
            self.effects.append(Effect(clause, about, whom, side, who, others=clause.scope() == "mate"))

    def ask(self, side: int, options: dict[str, Any]) -> Asking:
        """What a player chooses; nobody is asked where there is no choice."""
        if len(options) <= 1:
            return next(iter(options.values()), None)
        answer = yield Question(side, frozenset(options))
        return options[answer]

    def ask_which(self, side: int, found: Sequence[Any], mark: Callable[[Any], Any], by_age: bool = False) -> Asking:
        """Which of several cards of one name; those between which there is no difference count as one (ruling 95)."""
        marks = list(dict.fromkeys(map(mark, found))) if by_age else sorted({mark(one) for one in found})
        self.happened["which of several hits" if isinstance(found[0], tuple) else "which Special"] += len(marks) > 1
        chosen = yield from self.ask(side, {f"choose {number}": each for number, each in enumerate(marks)})
        return next(one for one in found if mark(one) == chosen)

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
        for effect in self.effects:
            if effect.clause.verb in ("grid", "grid_copy") and effect.concerns(side, who):
                copied = effect.clause.verb == "grid_copy"
                grid = (
                    dict(effect.grid) if copied else grid | dict.fromkeys(effect.clause.types(), effect.clause.number())
                )
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
        if card.kind == "event" or not self.code_allows(character, card):
            return False
        if card.kind == "power":
            return bool(self.power_types(side, who, card))
        if card.kind == "special":
            return card.owner in (ANYBODY, character.identity) or self.borrows(side, who, card)
        return bool(self.required_types(side, who, card)) or self.ignores_grid(side, who, card)

    def is_anybodys(self, side: int, card: Card) -> bool:
        """Is it a Special of any character, or one that a card has made such (IC)?"""
        names = [e.clause.named()[1] for e in self.in_force("borrow", side) if e.clause.scope() == "team"]
        return card.owner == ANYBODY or any(card.name.partition(": ")[2] in some.split("|") for some in names)

    def borrows(self, side: int, who: int, card: Card) -> bool:
        """Does a card let this character play a Special of somebody else (ruling 69)?"""
        team = self.players[side].team
        for effect in self.in_force("borrow", side, who):
            key, names = effect.clause.named()
            if key == "owned" and card.owner == names:
                return True
            if key == "named" and card.name.partition(": ")[2] in names.split("|"):
                return True
            if "fallen" in effect.clause.words and card.owner == team[effect.target].identity:
                return not team[effect.target].alive
        return False

    def ignores_grid(self, side: int, who: int, card: Card) -> bool:
        codes = {"H": 1, "V": 2}
        gifts = [effect.clause for effect in self.in_force("ignore_grid", side, who)]
        return any(c.fits([card], card.types, None) and codes.get(c.of("code"), card.code) == card.code for c in gifts)

    def some_can_use(self, side: int, card: Card, among: Iterable[int]) -> bool:
        return any(self.can_use(side, i, card) for i in among)

    def may_not_use(
        self, side: int, who: int, sources: Sequence[Source], type: str, stat: str, foe: int | None = None
    ) -> bool:
        """Does something keep a character from using one of these cards, against this enemy?"""
        for effect in self.in_force("no_use", side, who):
            clause = effect.clause
            if clause.of("stat") not in (stat, "both") or ("versus_user" in clause.words and effect.by != foe):
                continue
            if "rated" in clause.words and self.grid(side, who).get(clause.of("icon"), 0) < 7:
                continue
            for card, place in sources:
                if ("from_hand" in clause.words and place is not None) or (
                    "from_place" in clause.words and place is None
                ):
                    continue
                if clause.of("trait") == "any_hero" and self.is_anybodys(side, card):
                    return True
                if card.kind == "training" and type == "A":  # then it helps by one of its own types
                    if all(
                        self.may_not_use(side, who, [(card, place)], t, stat, foe)
                        for t in self.required_types(side, who, card)
                    ):
                        return True
                    continue
                own_type = card.types if card.kind in ("power", "basic") and len(card.types) == 1 else type
                if clause.fits([card], own_type, card.value if card.is_numeric else None):
                    return True
        return False

    def may_play_from_reserve(self, side: int, who: int, card: Card) -> bool:
        """Does the card, an ability or an Event let somebody play it from the Reserve (42, 68)?"""
        if card.kind == "special" and card.clause("reserve_plays"):
            return True
        gifts = [effect.clause for effect in self.in_force("from_reserve", side, who)]
        named = [clause for clause in gifts if clause.fits([card], card.types, None)]
        return any(card.name.lower().endswith(": " + c.of("named").lower()) or not c.of("named") for c in named)

    def helpers(self, side: int, user: int) -> list[Source]:
        """Basic Universe and Training cards that this character may use."""
        return [s for s in self.own_cards(side, user) if s[0].kind in HELPERS and self.can_use(side, user, s[0])]

    def helped_types(self, side: int, user: int, helper: Card, types: str) -> str:
        """As which of these types a Power card takes the bonus (8, 9, rulings 13 and 14)."""
        fitting = self.required_types(side, user, helper)
        return "".join(t for t in types if t in fitting or (t == "A" and fitting))

    def helper_bonus(self, side: int, user: int, helper: Card) -> int:
        return helper.bonuses[0] + self.more_bonus(side, user, helper)

    def more_bonus(self, side: int, user: int, helper: Card) -> int:
        """What abilities and Events add to the bonus of a Universe card."""
        more = [effect.clause for effect in self.in_force("universe_bonus", side, user)]
        return sum(c.number() for c in more if c.fits([helper], "", None))

    # ---------------------------------------------------------------- piles

    def put_away(self, side: int, card: Card) -> None:
        """To the discard pile where it belongs (20)."""
        player = self.players[side]
        usable = self.some_can_use(side, card, player.survivors())
        pile = player.removed if card.kind == "event" else player.dead_pile
        (player.power_pack if card.kind == "power" and usable else pile).append(card)

    def discard(self, side: int, card: Card) -> None:
        """A card of the hand is discarded."""
        self.players[side].hand.remove(card)
        self.players[side].discarded += 1
        self.put_away(side, card)

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

    def shuffle(self, side: int) -> None:
        player = self.players[side]
        player.draw_pile = self.chance.shuffled(side, player.draw_pile)

    def take(self, side: int, card: Card, place: int | None) -> Card:
        """A card leaves the hand, or the character it is placed on."""
        player = self.players[side]
        pile = player.hand if place is None else player.team[place].placed
        pile.remove(card)
        if card.kind == "special":
            self.specials.add(card.name)
        if place is not None and (place, card) in player.fresh:
            player.fresh.remove((place, card))
        return card

    def own_cards(self, side: int, user: int) -> list[Source]:
        """What a character could play: the hand, and what is placed on it (36, 42)."""
        player = self.players[side]
        sources: list[Source] = [(card, None) for card in player.hand]
        sources += [(card, user) for card in player.team[user].placed]
        return list(dict.fromkeys(sources))

    # ---------------------------------------------------------------- how things are called

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

    def second_of(self, side: int, play: Play, number: int = 0) -> str:
        return self.named(side, *play.seconds[number]) if number < len(play.seconds) else "alone"
