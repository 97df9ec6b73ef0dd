"""Events: when they are played, and what only they do."""

from __future__ import annotations

from collections.abc import Sequence

from overpower_referee_cards import Card, Course
from overpower_referee_specials import Specials
from overpower_referee_table import Asking
from overpower_referee_words import Clause


class Events(Specials):
    """Before anything else of a battle."""

    def play_events(self, order: Sequence[int]) -> Asking:
        """One a player, replaced at once; then they are carried out, the same one only once (14, 23, ruling 16)."""
        played: list[tuple[int, Card]] = []
        for side in order:
            player = self.players[side]
            held = [card for card in player.hand if card.kind == "event"]
            event = yield from self.ask(side, {f"play {card.name}": card for card in held})
            if event is None:
                continue
            player.hand.remove(event)
            player.removed.append(event)
            played.append((side, event))
            self.draw(side, 1)
            self.drop_events(side)
        done: set[str] = set()
        for side, event in played:
            if event.name in done:
                self.happened["the same Event twice"] += 1
                continue
            done.add(event.name)
            self.events.add(event.name)
            self.happened["event"] += 1
            yield from self.resolve(side, event, order)

    def drop_events(self, side: int) -> None:
        """Events that are not played are out of the game."""
        for card in [card for card in self.players[side].hand if card.kind == "event"]:
            self.happened["Event not played"] += 1
            self.discard(side, card)

    def resolve(self, side: int, event: Card, order: Sequence[int]) -> Asking:
        """An Event is carried out: for both at once, or by each player in turn (ruling 58)."""
        first, *rest = event.program
        if first.verb != "each":
            yield from self.run(Course(side, event, None), list(event.program))
            return
        for each in order:
            course = Course(each, event, None)
            yield from self.run(course, rest)

    # ---------------------------------------------------------------- what only Events do

    def do_revive(self, course: Course, clause: Clause) -> Asking:
        """A fallen character returns."""
        if course.picked is not None:
            side, who = course.picked
            self.end_effects(lambda e: (e.clause.verb, e.side, e.who) == ("guest", side, who))  # he is here for good
            self.players[side].team[who].is_guest = False
            self.come_back(side, who)
        yield from ()

    def do_ko_own(self, course: Course, clause: Clause) -> Asking:
        """An own front-liner falls, and the Reserve takes its place; the last character does not (ruling 58)."""
        if course.picked is not None and len(self.players[course.side].survivors()) > 1:
            side, who = course.picked
            self.knock_out(side, who)
            for i in self.players[side].survivors():
                self.players[side].team[i].front = True
        yield from ()

    def do_reserve_fights(self, course: Course, clause: Clause) -> Asking:
        """The Reserve is on the Front Line, for this battle."""
        for player in self.players:
            for i in player.survivors():
                if not player.team[i].front:
                    player.team[i].front = player.team[i].visiting = True
        yield from ()
