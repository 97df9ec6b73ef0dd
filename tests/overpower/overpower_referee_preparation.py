"""Before a battle: duplicates and unusable cards, placing, the Venture, conceding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from overpower_referee_cards import Card
from overpower_referee_events import Events
from overpower_referee_table import Asking, BattleOver


class Preparation(Events):
    """What both players do before the first turn."""

    def discard_unusable(self, side: int, among: Iterable[int]) -> None:
        """What nobody of these could ever use goes (31, 33, 34, 37)."""
        player = self.players[side]
        reserves = [i for i in player.survivors() if not player.team[i].front]
        for card in list(player.hand):
            kept = any(self.can_use(side, i, card) and self.may_be_of_use_there(side, i, card) for i in reserves)
            if not kept and not self.some_can_use(side, card, among):
                self.happened["unusable"] += 1
                player.hand.remove(card)
                player.discarded += 1
                (player.removed if card.kind == "event" else player.dead_pile).append(card)

    def may_be_of_use_there(self, side: int, who: int, card: Card) -> bool:
        """May the Reserve play the card, or defend with it (ruling 8)?"""
        defends = [effect.clause for effect in self.in_force("power_defends", side)]
        may_defend = card.kind == "power" and any("by_reserve" in clause.words for clause in defends)
        return may_defend or self.may_play_from_reserve(side, who, card)

    def discard_duplicates(self, side: int) -> Asking:
        """Of cards that are duplicates one stays, none if it is placed already (24 to 30, 32, 34, ruling 17)."""
        player = self.players[side]
        counted = [card for i in player.front_line() for card in player.team[i].placed]
        counted += player.fresh_cards()
        placed = {card.duplicate_of for card in counted}
        for kind in player.kinds:
            same = [card for card in player.hand if card.duplicate_of == kind.duplicate_of]
            for effect in self.in_force("keep_duplicates", side):
                if "found" in effect.clause.words and effect.found in same:
                    self.happened["found and kept"] += 1
                    same.remove(effect.found)
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
                self.discard(side, card)

    def keeps_duplicates(self, side: int, card: Card) -> bool:
        keeping = [e.clause for e in self.in_force("keep_duplicates", side) if "found" not in e.clause.words]
        names = [clause.of("named") for clause in keeping]
        return any(not name or (card.kind == "special" and card.name.endswith(f": {name}")) for name in names)

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
            must = self.in_force("must_place", side) and any(player.team[i].front for i, _ in options.values())
            stop = {} if must else {"done": None}
            choice = (yield from self.ask(side, options | stop)) if options else None
            if choice is None:
                continue
            i, card = choice
            player.hand.remove(card)
            player.team[i].placed.append(card)
            if not player.team[i].front:
                player.fresh.append((i, card))
            placing.append(side)
        for side in order:
            self.discard_unusable(side, self.players[side].front_line())

    def may_place(self, side: int, who: int, card: Card) -> bool:
        """Room for it, and it can be used there; Specials of any character are not placed (35, ruling 32)."""
        if self.is_anybodys(side, card) and not self.anybodys_may_be_placed(side, card):
            return False
        if not self.can_use(side, who, card):
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

    def anybodys_may_be_placed(self, side: int, card: Card) -> bool:
        """Only if the card says so, or an Event, which excepts those that search the Dead Pile (ruling 32)."""
        fetch = card.clause("fetch")
        searches = fetch is not None and fetch.of("from") == "dead"
        return bool(card.clause("placeable") or (self.in_force("place_any", side) and not searches))

    def venture(self, side: int) -> Asking:
        """Missions, and cards for the opponent (38, 39, ruling 2)."""
        if self.in_force("no_venture", side):
            return
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
            if self.in_force("no_concede", side):
                continue
            if (yield from self.ask(side, {"fight": False, "concede": True})):
                self.happened["concession before a battle"] += 1
                self.concede(side)

    def concede(self, side: int) -> None:
        self.conceded = side
        raise BattleOver
