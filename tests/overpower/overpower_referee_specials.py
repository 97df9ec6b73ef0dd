"""What the programs of Specials do, and of Events: clause by clause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from overpower_referee_attacks import Attacks
from overpower_referee_cards import Course, Effect, Hit, Play
from overpower_referee_piles import Piles
from overpower_referee_table import Asking
from overpower_referee_words import LASTING, Clause


class Specials(Piles, Attacks):
    """Programs."""

    def run(self, course: Course, clauses: list[Clause]) -> Asking:
        """Carry out a program, clause by clause; the card goes where it belongs."""
        is_away = course.is_hit or course.user is None
        if clauses and "either" in [clause.verb for clause in clauses]:
            at = [clause.verb for clause in clauses].index("either")
            names = {f"choose {n}": clause for n, clause in enumerate(clauses[at + 1 :])}
            clauses = [*clauses[:at], (yield from self.ask(course.side, names))]
        try:
            for clause in clauses:
                if clause.verb in LASTING:
                    yield from self.last(course, [clause])
                elif clause.verb == "follow":
                    if clause is clauses[-1] and not is_away and not course.lies:
                        is_away = True
                        self.put_away(course.side, course.card)
                    if not (course.last and course.card.is_attack):
                        yield from self.further_attacks(course, clause)
                else:
                    yield from self.effect(course, clause)
                if clause.verb == "pick" and course.picked is None:
                    break  # there is nobody
        finally:
            if not is_away and not course.lies:
                self.put_away(course.side, course.card)

    def effect(self, course: Course, clause: Clause) -> Asking:
        """What happens once, or is asked for."""
        self.happened[clause.verb] += 1
        what = getattr(self, f"do_{clause.verb}", None)
        if what is not None:
            yield from what(course, clause)

    def has_object(self, side: int, play: Play, clause: Clause) -> bool:
        """Is there something that this clause can work on (ruling 75)?"""
        course = Course(side, play.card, play.user, play.target, play.mate)
        test = getattr(self, f"can_{clause.verb}", None)
        if test is not None:
            return test(course, clause)
        return clause.verb not in ("either", "avoid", "choose_type", "pick", "cost", "switch")

    # ---------------------------------------------------------------- what is asked for

    def do_choose_type(self, course: Course, clause: Clause) -> Asking:
        course.type = yield from self.choose_type(course.side)

    def choices(self, course: Course, clause: Clause) -> dict[str, tuple[int, int]]:
        """The characters that may be picked."""
        side, words = course.side, clause.words
        own, foes = self.players[side], self.players[1 - side]
        mine = {f"by {own.team[i].name}": (side, i) for i in own.front_line()}
        his = {f"at {foes.team[i].name}": (1 - side, i) for i in foes.front_line()}
        if "fallen" in words:
            return {f"by {c.name}": (side, i) for i, c in enumerate(own.team) if not c.alive}
        if "hitter" in words:
            return {f"at {foes.team[i].name}": (1 - side, i) for i in self.hitters(side, course.user)}
        if "spare" in words and len(mine) < 2:
            return {}
        return {"self": mine, "foe": his, "both": mine | his}[clause.scope()]

    def do_pick(self, course: Course, clause: Clause) -> Asking:
        course.picked = yield from self.ask(course.side, self.choices(course, clause))
        if course.picked is not None:
            side, who = course.picked
            if side == course.side:
                course.mate = who
            else:
                course.target = who

    def do_cost(self, course: Course, clause: Clause) -> Asking:
        """A card of the hand is the price."""
        cards = self.payable(course.side, course.user, clause)
        course.paid = yield from self.ask(course.side, {f"discard {card.name}": card for card in cards})
        if course.paid is not None:
            self.discard(course.side, course.paid)

    # ---------------------------------------------------------------- hits

    def hits_to_pick(self, course: Course, clause: Clause) -> list[tuple[int, int, Hit]]:
        """Hits that may be chosen, with whose they are and on whom."""
        side = 1 - course.side if clause.scope() == "foe_team" else course.side
        player = self.players[side]
        whom = [course.user] if clause.scope() == "self" else player.front_line()
        found = [
            (side, i, hit)
            for i in whom
            for hit in player.team[i].hits
            if hit.current == ("current" in clause.words) and clause.fits([hit.as_card()], hit.types, hit.value)
        ]
        if "elsewhere" in clause.words:
            found = [one for one in found if one[1] != course.hits[0][1]]
        if "equal" in clause.words:
            found = [one for one in found if one[2].value == course.hits[0][2].value]
        return found

    def do_pick_hit(self, course: Course, clause: Clause) -> Asking:
        found = self.hits_to_pick(course, clause)
        my = "my" if clause.scope() != "foe_team" else "his"
        options: dict[str, list[tuple[int, int, Hit]]] = {}
        for s, i, hit in found:
            options.setdefault(f"{hit.card.name}, a hit on {my} {self.players[s].team[i].name}", []).append((s, i, hit))
        chosen = yield from self.ask(course.side, options)
        if chosen is not None:
            course.hits.append((yield from self.ask_which(course.side, chosen, lambda one: one[2].mark)))

    def can_pick_hit(self, course: Course, clause: Clause) -> bool:
        """The first of two is enough; they may turn out not to have anything to change places with."""
        first = course.card.clause("pick_hit")
        return bool(self.hits_to_pick(course, first))

    def do_swap_hits(self, course: Course, clause: Clause) -> Asking:
        """Two hits change places; which of them are of this battle stays with the places."""
        if len(course.hits) < 2:
            return
        (side, one, a), (_, two, b) = course.hits
        team = self.players[side].team
        team[one].hits.remove(a)
        team[two].hits.remove(b)
        team[one].hits.append(replace(b, current=a.current))
        team[two].hits.append(replace(a, current=b.current))
        for who in sorted((one, two)):
            yield from self.check_ko(side, who)

    def can_swap_hits(self, course: Course, clause: Clause) -> bool:
        return False

    def do_move_hit(self, course: Course, clause: Clause) -> Asking:
        if not course.hits or course.picked is None:
            return
        (side, one, hit), (_, two) = course.hits[0], course.picked
        self.players[side].team[one].hits.remove(hit)
        self.players[side].team[two].hits.append(hit)
        yield from self.check_ko(side, two)

    def to_gather(self, course: Course, clause: Clause) -> list[tuple[int, Hit]]:
        """Hits of the record on the own Front Line, pure ones if a type is named (ruling 54)."""
        player, wanted = self.players[course.side], clause.of("type")
        found = [(i, hit) for i in player.front_line() for hit in player.team[i].hits if not hit.current]
        return [(i, hit) for i, hit in found if not wanted or hit.types == wanted]

    def can_gather(self, course: Course, clause: Clause) -> bool:
        return bool(self.to_gather(course, clause))

    def do_gather(self, course: Course, clause: Clause) -> Asking:
        if course.picked is None:
            return
        side, who = course.picked
        team = self.players[side].team
        for i, hit in self.to_gather(course, clause):
            team[i].hits.remove(hit)
            team[who].hits.append(hit)
        yield from self.check_ko(side, who)

    def do_swap_record(self, course: Course, clause: Clause) -> Asking:
        team = self.players[course.side].team
        one, two = team[course.user], team[course.mate]
        first, second = [h for h in one.hits if not h.current], [h for h in two.hits if not h.current]
        one.hits = [h for h in one.hits if h.current] + second
        two.hits = [h for h in two.hits if h.current] + first
        for who in sorted((course.user, course.mate)):
            yield from self.check_ko(course.side, who)

    def can_swap_record(self, course: Course, clause: Clause) -> bool:
        """There has to be a hit in a record of the Front Line."""
        player = self.players[course.side]
        return any(not hit.current for i in player.front_line() for hit in player.team[i].hits)

    # ---------------------------------------------------------------- healing

    def healable(self, course: Course, clause: Clause) -> list[tuple[int, Hit]]:
        """Hits that may be removed: of the record, or of this battle, or all."""
        player, words = self.players[course.side], clause.words
        who = course.user if course.mate is None else course.mate
        found = []
        for i in player.survivors() if clause.scope() in ("team", "both") else [who]:
            if "gifted" in words and not player.team[i].gifts:
                continue
            for hit in player.team[i].hits:
                if "everywhere" not in words and hit.current != ("current" in words):
                    continue
                if "chosen" in words and course.type and course.type not in hit.types:
                    continue
                if "up_to" in words and course.paid is not None and hit.value > course.paid.value:
                    continue
                if clause.fits([hit.as_card()], "", hit.value):
                    found.append((i, hit))
        return found

    def can_heal(self, course: Course, clause: Clause) -> bool:
        if "per_defeated" in clause.words and not self.players[course.side].defeated:
            return False
        return bool(self.healable(course, clause))

    def do_heal(self, course: Course, clause: Clause) -> Asking:
        """Hits go back to who played them."""
        left = clause.times()
        if "per_defeated" in clause.words:
            left = self.players[course.side].defeated
        if "each_of" in clause.words:
            for i in reversed(self.players[course.side].survivors()):
                hits = [one for one in self.healable(course, clause) if one[0] == i]
                yield from self.remove_hits(course, hits, left)
        elif clause.scope() == "both":
            for side in (0, 1):
                course.side = side
                yield from self.remove_hits(course, self.healable(course, clause), left)
        else:
            yield from self.remove_hits(course, self.healable(course, clause), left)

    def remove_hits(self, course: Course, hits: list[tuple[int, Hit]], left: int) -> Asking:
        """So many of these hits, by choice if there are more."""
        team = self.players[course.side].team
        while left and hits:
            options: dict[str, list[tuple[int, Hit]]] = {}
            for i, hit in hits:
                options.setdefault(f"{hit.card.name}, a hit on my {team[i].name}", []).append((i, hit))
            meant = hits[:1]
            if len(hits) > left:
                meant = yield from self.ask(course.side, options)
            i, hit = yield from self.ask_which(course.side, meant, lambda one: one[1].mark)
            team[i].hits.remove(hit)
            hits.remove((i, hit))
            self.put_away(1 - course.side, hit.card)
            left -= 1

    # ---------------------------------------------------------------- negation on the own turn

    def negatable(self, course: Course, clause: Clause) -> dict[str, list[Any]]:
        """Enemy Specials in effect, and hits with Specials (ruling 36)."""
        found: dict[str, list[Any]] = {}
        own, team = "own" in clause.words, self.players[course.side].team
        for i in range(len(team)) if "non_numeric" not in clause.words else ():  # those on the fallen, too
            for hit in team[i].hits:
                if hit.card.kind == "special" and not (own and i != course.user):
                    found.setdefault(f"{hit.card.name}, a hit on my {team[i].name}", []).append((i, hit))
        for effect in self.effects:
            card = effect.card.card if effect.card else effect.hit
            if card is None or effect.by_side == course.side:
                continue
            if effect.hit and "non_numeric" in clause.words:
                continue
            about_me = all(
                (other.side, other.who) == (course.side, course.user) and not other.others
                for other in self.effects
                if other.lot == effect.lot
            )
            if not own or about_me:
                found.setdefault(f"his {card.name}", []).append(effect)
        return found

    def can_negate(self, course: Course, clause: Clause) -> bool:
        negate = course.card.clause("negate")
        return bool(self.negatable(course, negate))

    def do_negate(self, course: Course, clause: Clause) -> Asking:
        meant = yield from self.ask(course.side, self.negatable(course, clause))
        if meant and isinstance(meant[0], Effect):
            self.happened["negated in effect"] += 1
            chosen = yield from self.ask_which(course.side, meant, self.mark_of_all, by_age=True)
            guests = [e for e in self.effects if (e.lot, e.clause.verb) == (chosen.lot, "guest")]
            self.end_effects(lambda effect: effect.lot == chosen.lot)
            for guest in guests:
                self.dismiss(guest.by_side, guest.who)
        elif meant:
            self.happened["negated hit"] += 1
            i, hit = yield from self.ask_which(course.side, meant, lambda one: one[1].mark)
            self.players[course.side].team[i].hits.remove(hit)
            self.end_effects(lambda effect: (effect.lot, effect.side) == (hit.lot, course.side))
            self.put_away(1 - course.side, hit.card)
        for side in (0, 1):
            yield from self.check_all(side)

    def mark_of_all(self, effect: Effect) -> tuple[Any, ...]:
        """What tells a Special in effect from others of its name: who played it, and all that it does."""
        return effect.by, tuple(other.mark for other in self.effects if other.lot == effect.lot)

    # ---------------------------------------------------------------- the rest

    def do_grid_copy(self, course: Course, clause: Clause) -> Asking:
        """The user has the ratings of somebody else, for the battle."""
        course.picked = course.picked or (1 - course.side, course.target)
        yield from self.last(course, [Clause("grid_copy", ("self", "battle"))])

    def do_force(self, course: Course, clause: Clause) -> Asking:
        yield from self.force(course)

    def can_switch(self, course: Course, clause: Clause) -> bool:
        if clause.scope() != "self" or course.user is None:
            return False
        return self.players[course.side].team[course.user].front and bool(self.reserves(course.side))

    def do_switch(self, course: Course, clause: Clause) -> Asking:
        """A front-liner and the Reserve change places."""
        player = self.players[course.side]
        who = course.user if course.picked is None else course.picked[1]
        reserves = self.reserves(course.side)
        if reserves and who is not None:
            player.team[reserves[0]].front, player.team[who].front = True, False
        yield from ()

    def do_mission(self, course: Course, clause: Clause) -> Asking:
        """Missions move."""
        words, both = clause.words, (0, 1)
        sides = both if "both" in words else (1 - course.side,) if "foe" in words else (course.side,)
        for player in (self.players[side] for side in sides):
            if "defeated_to_reserve" in words:
                moved = min(clause.times(), player.defeated)
                player.defeated -= moved
                player.reserve += moved
            elif "completed_to_reserve" in words:
                moved = min(clause.times(), player.completed)
                player.completed -= moved
                player.reserve += moved
            elif player.reserve:
                player.reserve -= 1
                player.ventured_reserve += 1
            elif player.completed:
                player.completed -= 1
                player.ventured_completed += 1
        yield from ()

    def can_mission(self, course: Course, clause: Clause) -> bool:
        player = self.players[course.side]
        return "defeated_to_reserve" not in clause.words or player.defeated > 0
