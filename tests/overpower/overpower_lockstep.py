"""A game of OverPower at two tables at once: that of the kernels, and that of the independent referee."""

import random
from collections import Counter

import numpy as np
import overpower_referee as referee
from overpower_referee_cards import Card, Player

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, decks_of
from overworlds.envs.overpower.hits import venture_total
from overworlds.envs.overpower.state import HIT_CURRENT, NOBODY, STATE, character_hit, hitter, side_hit

# ---------------------------------------------------------------- two tables


class Untraceable(Exception):
    """A pile was shuffled twice between two decisions, or more cards were discarded than were lost at random: nobody
    knows what was drawn, or lost, in between."""


class FromTheKernel:
    """The dice: orders of piles, the cut, and cards that nobody chose, as the compiled game has them."""

    def __init__(self, variant: Variant, state: np.ndarray):
        self.s = state.view(STATE)[0]
        self.decks = decks_of(variant.values)
        self.at_first: list[list[str] | None] = [self.pile(0), self.pile(1)]
        self.players: list[Player] = []
        self.table: referee.Referee | None = None
        self.shuffles = Counter[int]()
        """How often the pile of each player was shuffled since the last decision."""
        self.is_guess = False
        """Since then, cards were lost at random, or drawn in an unknown order and lost, and it is not sure which."""

    def pile(self, side: int) -> list[str]:
        p = self.s.players[side]
        return [self.decks[side].kinds[kind].name for kind in p.draw[: p.draw_n]]

    def first_player(self) -> int:
        return int(self.s.first)

    def shuffled(self, side: int, cards: list[Card]) -> list[Card]:
        """The order that is known; what has been put on top since is not, and what has been drawn is, in any order."""
        order, self.at_first[side] = self.at_first[side] or self.pile(side), None
        self.shuffles[side] += 1
        if self.shuffles[side] > 1:
            raise Untraceable
        by_name = {card.name: card for card in cards}
        drawn = Counter(card.name for card in cards)
        drawn.subtract(order)
        while min(drawn.values(), default=0) < 0:
            drawn[order.pop()] += 1
        gone = self.counts(side, "dead") - Counter(card.name for card in self.players[side].dead_pile)
        self.is_guess |= bool(gone & drawn)
        return [by_name[name] for name in [*order, *sorted(drawn.elements())]]

    def cut_to(self, side: int) -> Card:
        """The card that is missing."""
        cards = self.players[side].draw_pile
        gone = Counter(card.name for card in cards) - Counter(self.pile(side))
        return next(card for card in cards if gone[card.name])

    def counts(self, side: int, pile: str) -> Counter[str]:
        kinds = self.decks[side].kinds
        return Counter({card.name: int(n) for card, n in zip(kinds, self.s.players[side][pile], strict=False) if n})

    def lost(self, side: int, number: int) -> list[Card]:
        """Cards that are not in the hand any more, but in the Dead Pile: first those that would not go there anyway."""
        player, table = self.players[side], self.table
        assert table is not None
        gone = self.counts(side, "dead") - Counter(card.name for card in player.dead_pile)
        placed = [card for i in player.front_line() for card in player.team[i].placed]
        alike = Counter(card.duplicate_of for card in player.hand + placed)
        same = Counter(card.name for card in player.hand + placed)

        def would_go(card: Card) -> tuple[bool, bool, bool]:
            is_duplicate = card.kind != "power" and alike[card.duplicate_of] > 1
            return not table.some_can_use(side, card, player.survivors()), is_duplicate, same[card.name] > 1

        candidates = []
        for card in sorted(player.hand, key=would_go):
            if gone[card.name] > 0:
                gone[card.name] -= 1
                candidates.append(card)
        if len(candidates) < number:  # they have gone on to somewhere else
            raise Untraceable
        self.is_guess |= len(candidates) > number
        return candidates[:number]

    def drawn_blindly(self, side: int) -> Card:
        """The card that is being played, or has gone."""
        hand = self.players[side].hand
        gone = Counter(card.name for card in hand) - self.counts(side, "hand")
        kind = int(self.s.play.kind)
        name = next(iter(gone)) if gone else self.decks[side].kinds[kind].name
        return next(card for card in hand if card.name == name)


def names(cards) -> list[str]:
    return sorted(card.name for card in cards)


def difference(ours, theirs) -> str:
    """What only one of the tables has."""
    if not isinstance(ours, list) or sorted(ours) == sorted(theirs):
        return f"kernel {ours}, referee {theirs}"
    one, two = Counter(ours), Counter(theirs)
    return f"only the kernel has {list((one - two).elements())}, only the referee {list((two - one).elements())}"


def table_of_referee(game: referee.Referee) -> dict:
    """All that lies on the referee's table."""
    table: dict = {"first": game.first, "battle": game.battle_number, "face down": None}
    if game.face_down is not None:
        attack = game.face_down
        table["face down"] = (attack.side, attack.user, attack.target, [card.name for card in attack.cards])
    for side, player in enumerate(game.players):
        table[side, "hand"] = names(player.hand)
        table[side, "draw pile"] = [card.name for card in player.draw_pile]
        table[side, "power pack"] = names(player.power_pack)
        table[side, "dead pile"] = names(player.dead_pile)
        table[side, "removed"] = names(player.removed)
        table[side, "missions"] = (player.reserve, player.completed, player.defeated)
        table[side, "ventured"] = (player.ventured_reserve, player.ventured_completed)
        table[side, "passed"] = player.passed
        table[side, "total"] = game.venture_total(side)
        table[side, "last total"] = player.last_total
        for i, character in enumerate(player.team):
            where = (side, character.name)
            table[(*where, "stands")] = (character.alive, i in player.front_line())
            table[(*where, "placed")] = names(character.placed)
            table[(*where, "hits")] = sorted((h.card.name, *h.mark) for h in character.hits)
    return table


def table_of_kernel(variant: Variant, state: np.ndarray) -> dict:
    """The same as the kernels have it."""
    s, decks = state.view(STATE)[0], decks_of(variant.values)
    table: dict = {"first": int(s.first), "battle": int(s.battle), "face down": None}
    if s.concealed.kind != NOBODY:
        side = int(s.attack.side)
        cards = [decks[side].kinds[kind].name for kind in (s.concealed.kind, s.concealed.partner) if kind != NOBODY]
        table["face down"] = (side, int(s.attack.user), int(s.attack.target), cards)
    for side in range(2):
        p, kinds = s.players[side], [card.name for card in decks[side].kinds]

        def pile(counts, kinds=kinds) -> list[str]:
            return sorted(name for name, count in zip(kinds, counts[: len(kinds)], strict=True) for _ in range(count))

        table[side, "hand"] = pile(p.hand)
        table[side, "draw pile"] = [kinds[kind] for kind in p.draw[: p.draw_n]]
        table[side, "power pack"] = pile(p.pack)
        table[side, "dead pile"] = pile(p.dead)
        table[side, "removed"] = pile(p.removed)
        table[side, "missions"] = (int(p.reserve), int(p.completed), int(p.defeated))
        table[side, "ventured"] = (int(p.risk_reserve), int(p.risk_completed))
        table[side, "passed"] = bool(p.passed)
        table[side, "total"] = int(venture_total(s, side))
        table[side, "last total"] = int(p.total)
        foes = decks[1 - side].kinds
        for i, character in enumerate(decks[side].team):
            where = (side, character.name.rpartition(" (")[0])
            table[(*where, "stands")] = (bool(p.alive[i]), bool(p.alive[i] and p.front[i]))
            table[(*where, "placed")] = sorted(kinds[kind] for kind in p.placed[i] if kind != NOBODY)
            hits = [h for h in s.hits[: s.hits_n] if (side_hit(h), character_hit(h)) == (side, i)]
            table[(*where, "hits")] = sorted(
                (
                    foes[h.kind].name,
                    bool(h.marks & HIT_CURRENT),
                    int(h.value),
                    int(h.damage),
                    hitter(h) if h.marks & HIT_CURRENT else 0,
                )
                for h in hits
            )
    return table


# ---------------------------------------------------------------- games

STYLES = {
    "any": {"concede": 0.3},
    "fighter": {"concede": 0.02, "pass": 0.1, "take it": 0.5, "done": 0.3},
    "reckless": {"concede": 0.01, "pass": 0.05, "take it": 5.0, "done": 0.2, "fight": 5.0},
    "gambler": {"concede": 0.5, "pass": 2.0, "venture": 1.0},
    "careful": {"concede": 0.1, "pass": 0.3, "take it": 0.05, "place": 3.0, "venture 0": 4.0},
}
"""How gladly a player makes a choice, by the beginning of its name; 1 for all others."""


def choose(rng: random.Random, style: dict[str, float], options: list[str]) -> str:
    weights = [next((w for start, w in style.items() if name.startswith(start)), 1.0) for name in options]
    return rng.choices(options, weights)[0]


class Lockstep:
    """The same game at two tables."""

    def __init__(self, variant: Variant, seed: int):
        self.variant, self.k = variant, GAME.kernels
        self.state = np.zeros(variant.state_bytes, np.uint8)
        self.ids = np.zeros(variant.num_actions, np.int32)
        self.k.reset(variant.rules, self.state, seed)
        self.head = self.state.view(STATE)[0].head
        self.chance = FromTheKernel(variant, self.state)
        self.referee = referee.Referee(decks_of(variant.values), self.chance, dict(variant.values))
        self.chance.players, self.chance.table = self.referee.players, self.referee
        self.game = self.referee.game()
        self.question: referee.Question | None = next(self.game)
        self.decisions = 0
        self.log: list[str] = []

    def where(self) -> str:
        return "\n".join(self.log[-25:])

    def legal(self) -> list[str]:
        """What may be chosen now, at both tables."""
        n = self.k.legal(self.variant.rules, self.state, self.ids)
        ours = self.variant.action_names(int(self.head.to_move))
        found = [ours[i] for i in self.ids[:n]]
        assert self.question is not None, f"the game is over, but the kernel asks for {found}\n{self.where()}"
        assert int(self.head.to_move) == self.question.side, f"{found} or {self.question}\n{self.where()}"
        kernel_only = sorted(set(found) - self.question.options)
        referee_only = sorted(self.question.options - set(found))
        assert set(found) == self.question.options, (
            f"player_{self.question.side}: only the kernel allows {kernel_only}, only the referee {referee_only}; "
            f"both {sorted(set(found) & self.question.options)}\n{self.where()}"
        )
        return found

    def step(self, name: str) -> None:
        side = int(self.head.to_move)
        self.log.append(f"{self.decisions}: player_{side} {name}")
        self.decisions += 1
        self.k.step(self.variant.rules, self.state, self.variant.action_id(name, side))
        self.chance.shuffles.clear()
        self.chance.is_guess = False
        try:
            self.question = self.game.send(name)
        except StopIteration:
            self.question = None
        if self.question is None:
            self.compare_ends()
        else:
            assert self.head.to_move != OVER, f"only the kernel says that the game is over\n{self.where()}"
            self.compare()

    def compare(self) -> None:
        ours, theirs = table_of_kernel(self.variant, self.state), table_of_referee(self.referee)
        wrong = [f"{key}: {difference(ours[key], theirs[key])}" for key in ours if ours[key] != theirs[key]]
        if wrong and self.chance.is_guess:
            raise Untraceable
        assert not wrong, "\n".join([*wrong, self.where()])

    def compare_ends(self) -> None:
        assert self.head.to_move == OVER, f"only the referee says that the game is over\n{self.where()}"
        assert self.head.returns[:2].tolist() == list(self.referee.returns or ()), self.where()
        assert bool(self.head.truncated) == self.referee.truncated, self.where()
        if all(player.survivors() for player in self.referee.players):
            self.compare()

    def play(self, rng: random.Random, likes: dict[str, float] | None = None) -> None:
        """To the end, each player in a style of his own, or as far as can be seen what is drawn.

        What both like or dislike more than their style says is given by the beginnings of names.
        """
        styles = [(likes or {}) | rng.choice(list(STYLES.values())) for _ in range(2)]
        try:
            while self.question is not None:
                options = self.legal()
                self.step(choose(rng, styles[self.question.side], options))
        except Untraceable:
            self.referee.happened["untraceable"] += 1
