"""What programs do to hands, piles and placed cards."""

from __future__ import annotations

from overpower_referee_cards import Card, Course
from overpower_referee_table import Asking, Table
from overpower_referee_words import EVERY_TYPE, MANY, Clause


class Piles(Table):
    """Drawing, discarding, searching."""

    def sides_of(self, course: Course, clause: Clause) -> tuple[int, ...]:
        """Whose cards a clause is about."""
        scope = clause.scope()
        if scope == "both":
            return self.first, 1 - self.first
        return (1 - course.side,) if scope in ("foe", "target") else (course.side,)

    # ---------------------------------------------------------------- drawing

    def do_draw(self, course: Course, clause: Clause) -> Asking:
        for side in self.sides_of(course, clause):
            number = clause.times()
            if "per_defeated" in clause.words:
                number = self.players[side].defeated
            if "per_discard" in clause.words:
                number = self.players[side].discarded
            self.draw(side, number)
            if "keep" not in clause.words and course.user is not None:
                yield from self.discard_duplicates(side)  # but what is unusable stays once the battle runs (33)

    def can_draw(self, course: Course, clause: Clause) -> bool:
        return True

    def do_draw_doomed(self, course: Course, clause: Clause) -> Asking:
        """The enemy draws a card, which goes with all its duplicates."""
        side = 1 - course.side
        player = self.players[side]
        before = len(player.hand)
        self.draw(side, 1)
        if len(player.hand) > before:
            doomed = player.hand[-1].duplicate_of
            for card in [card for card in player.hand if card.duplicate_of == doomed]:
                self.discard(side, card)
            for i, character in enumerate(player.team):
                for card in [card for card in character.placed if card.duplicate_of == doomed]:
                    self.put_away(side, self.take(side, card, i))
        yield from ()

    def do_cycle_hand(self, course: Course, clause: Clause) -> Asking:
        """Cards of the hand are replaced: all, or those that the user cannot use."""
        player = self.players[course.side]
        gone = list(player.hand)
        if "unusable" in clause.words:
            gone = [card for card in gone if not self.can_use(course.side, course.user, card)]
        for card in gone:
            self.discard(course.side, card)
        self.draw(course.side, len(gone))
        yield from ()

    def do_mill(self, course: Course, clause: Clause) -> Asking:
        for side in self.sides_of(course, clause):
            player = self.players[side]
            for _ in range(clause.times()):
                if not player.draw_pile:
                    self.shuffle_in(side, "pack")
                if not player.draw_pile:
                    break
                if "random" in clause.words:
                    card = self.chance.cut_to(side)
                    player.draw_pile.remove(card)
                    self.lose(side, card)
                    self.shuffle(side)  # nobody knows the order of a pile that was cut
                else:
                    self.lose(side, player.draw_pile.pop())
        yield from ()

    def lose(self, side: int, card: Card) -> None:
        """A card goes to the Dead Pile, whoever could use it, an Event out of the game (34)."""
        (self.players[side].removed if card.kind == "event" else self.players[side].dead_pile).append(card)

    def can_mill(self, course: Course, clause: Clause) -> bool:
        foe = self.players[1 - course.side]
        return bool(foe.draw_pile or (foe.power_pack and "random" not in clause.words))

    def do_shuffle_pack(self, course: Course, clause: Clause) -> Asking:
        self.shuffle_in(course.side, "pack")
        yield from ()

    def do_shuffle_all(self, course: Course, clause: Clause) -> Asking:
        for side in self.sides_of(course, clause):
            self.shuffle_in(side, "pack", "dead")
        yield from ()

    def shuffle_in(self, side: int, *piles: str) -> None:
        """These piles are shuffled into the Draw Pile."""
        player = self.players[side]
        for name in piles:
            player.draw_pile += player.pile(name)
            player.pile(name).clear()
        self.shuffle(side)

    # ---------------------------------------------------------------- discarding

    def removable(self, course: Course, clause: Clause, side: int) -> list[tuple[int, Card]]:
        """Placed cards that may be taken away."""
        player = self.players[side]
        whom = [course.target] if clause.scope() == "target" else player.survivors()
        multi = "multi" in clause.words
        return [
            (i, card)
            for i in whom
            for card in player.team[i].placed
            if clause.fits([card], "", None) and not (multi and not card.is_multipower)
        ]

    def can_discard_placed(self, course: Course, clause: Clause) -> bool:
        return bool(self.removable(course, clause, 1 - course.side))

    def do_discard_placed(self, course: Course, clause: Clause) -> Asking:
        """A player loses placed cards, as the user of the card chooses."""
        for side in self.sides_of(course, clause):
            left, team = clause.times(), self.players[side].team
            while left and (found := self.removable(course, clause, side)):
                options = {f"remove {card.name}, placed on {team[i].name}": (i, card) for i, card in found}
                i, card = found[0] if len(found) <= left else (yield from self.ask(course.side, options))
                self.put_away(side, self.take(side, card, i))
                left -= 1

    def do_steal(self, course: Course, clause: Clause) -> Asking:
        """A Universe card placed on an enemy is used up."""
        side = 1 - course.side
        team, found = self.players[side].team, self.stealable(course, clause)
        options = {f"remove {card.name}, placed on {team[i].name}": (i, card) for i, card in found}
        chosen = yield from self.ask(course.side, options)
        if chosen is not None:
            i, course.found = chosen
            self.put_away(side, self.take(side, course.found, i))

    def stealable(self, course: Course, clause: Clause) -> list[tuple[int, Card]]:
        """Of the enemy's placed cards those for which the thief has the ratings (ruling 43)."""
        found = self.removable(course, clause, 1 - course.side)
        return [(i, card) for i, card in found if self.required_types(course.side, course.user, card)]

    def can_steal(self, course: Course, clause: Clause) -> bool:
        return bool(self.stealable(course, clause))

    def do_discard_hand(self, course: Course, clause: Clause) -> Asking:
        """A player loses cards of the hand: at random, or of his own choice if he has more of them."""
        for side in self.sides_of(course, clause):
            player, left = self.players[side], clause.times()
            if "random" in clause.words:
                for card in self.chance.lost(side, min(left, len(player.hand))):
                    player.hand.remove(card)
                    player.discarded += 1
                    self.lose(side, card)
                continue
            while left and (found := [card for card in player.hand if clause.fits([card], "", None)]):
                few = len(found) <= left
                options = {f"discard {card.name}": card for card in found}
                self.discard(side, found[0] if few else (yield from self.ask(side, options)))
                left -= 1

    def do_discard_any(self, course: Course, clause: Clause) -> Asking:
        """The enemy loses cards of the hand or placed ones, of his own choice."""
        side, left = 1 - course.side, clause.times()
        player = self.players[side]

        def fits(card: Card) -> bool:
            return "chosen" not in clause.words or course.type in card.icons

        while left:
            found = [(card, None) for card in player.hand if fits(card)]
            found += [(card, i) for i in player.survivors() for card in player.team[i].placed if fits(card)]
            if not found:
                return
            options = {
                f"discard {card.name}" + ("" if i is None else f", placed on {player.team[i].name}"): (card, i)
                for card, i in found
            }
            card, i = yield from self.ask(side, options)
            if i is None:
                self.discard(side, card)
            else:
                self.put_away(side, self.take(side, card, i))
            left -= 1

    def do_discard_most(self, course: Course, clause: Clause) -> Asking:
        """The enemy loses such cards of the hand, or placed ones, where there are more."""
        side = 1 - course.side
        player = self.players[side]
        held = [card for card in player.hand if clause.fits([card], "", None)]
        placed = self.removable(course, clause, side)
        if len(held) > len(placed):
            for card in held:
                self.discard(side, card)
        else:
            for i, card in placed:
                self.put_away(side, self.take(side, card, i))
        yield from ()

    # ---------------------------------------------------------------- searching

    def findable(self, course: Course, clause: Clause) -> list[Card]:
        """What a search could bring: no duplicates, unless the card says so (ruling 48)."""
        side = 1 - course.side if clause.scope() == "foe" else course.side
        player = self.players[side]
        placed = [card for i in player.front_line() for card in player.team[i].placed]
        held = {card.duplicate_of for card in [*player.hand, *placed, *player.fresh_cards()]}
        types = set(clause.of("type") or EVERY_TYPE)
        found = [
            card
            for card in player.pile(clause.of("from"))
            if any(clause.fits([card], t, card.value) for t in types & set(card.types or EVERY_TYPE))
        ]
        if "keep" not in clause.words and not clause.of("to") and side == course.side:
            found = [c for c in found if c.duplicate_of not in held or self.keeps_duplicates(side, c)]
        if "usable" in clause.words:
            found = [card for card in found if self.some_can_use(course.side, card, player.survivors())]
            found = [card for card in found if not self.is_anybodys(course.side, card)]
        if "playable" in clause.words:
            found = [card for card in found if self.could_play(course, card)]
        if "own" in clause.words:
            found = [card for card in found if card.owner == player.team[course.user].identity]
        return found

    def can_fetch(self, course: Course, clause: Clause) -> bool:
        """Searching an open pile needs something there."""
        if clause.of("from") in ("", "draw", "hand"):
            return True
        owner = self.players[1 - course.side if clause.scope() == "foe" else course.side]
        found = [card for card in owner.pile(clause.of("from")) if clause.fits([card], card.types, card.value)]
        if "playable" in clause.words:
            return any(self.can_use(course.side, course.user, card) for card in found)
        return bool(found)

    def do_fetch(self, course: Course, clause: Clause) -> Asking:
        """A pile is searched for cards, which go somewhere else; a Draw Pile is shuffled then."""
        side = 1 - course.side if clause.scope() == "foe" else course.side
        player, chosen, left = self.players[side], [], clause.times()
        to, from_draw_pile = clause.of("to") or "hand", clause.of("from") in ("", "draw")
        wish, everything = "any" in clause.words, left == MANY and "any" not in clause.words
        while left and (found := self.findable(course, clause)):
            if to == "top" and from_draw_pile:
                found = found[: len(found) - len(chosen)]  # not those that have been put on top already
            options = {("fetch " if side == course.side else "his ") + card.name: card for card in found}
            stop = {"done": None} if wish else {}
            card = found[0] if everything else (yield from self.ask(course.side, options | stop))
            if card is None:
                break
            player.pile(clause.of("from")).remove(card)
            chosen.append(card)
            left -= 1
            if to == "top" and from_draw_pile:
                rest = player.draw_pile[: len(player.draw_pile) + 1 - len(chosen)]
                player.draw_pile = [*self.chance.shuffled(side, rest), *chosen]
                continue
            player.pile("draw" if to == "top" else to).append(card)
            if from_draw_pile or to == "draw":
                self.shuffle(side)
        course.found = chosen[0] if chosen else None

    def do_find_first(self, course: Course, clause: Clause) -> Asking:
        """The first card of an icon comes into the hand."""
        player = self.players[course.side]
        for card in reversed(player.draw_pile):
            if clause.fits([card], "", None):
                at = len(player.draw_pile) - 1 - player.draw_pile[::-1].index(card)
                player.hand.append(player.draw_pile.pop(at))
                course.found = card
                break
        self.shuffle(course.side)
        yield from ()

    def do_flip(self, course: Course, clause: Clause) -> Asking:
        """The top card of the Draw Pile, or one that the enemy draws from the hand (rulings 46 and 62)."""
        player = self.players[course.side]
        if "from_hand" in clause.words:
            course.found = self.chance.drawn_blindly(course.side) if player.hand else None
        else:
            before = len(player.hand)
            self.draw(course.side, 1)
            course.found = player.hand[-1] if len(player.hand) > before else None
        yield from ()

    def do_drop(self, course: Course, clause: Clause) -> Asking:
        """What was not played is discarded."""
        if course.found is not None and course.found in self.players[course.side].hand:
            self.discard(course.side, course.found)
        yield from ()
