"""Carrying out plays: attacks, Specials, and what follows them."""

from __future__ import annotations

from dataclasses import replace

from overpower_referee_cards import Attack, Card, Course, Permit, Play
from overpower_referee_defence import Defence
from overpower_referee_table import Asking, BattleOver
from overpower_referee_words import EVERY_TYPE, TYPE_NAMES, Clause


class Attacks(Defence):
    """Whole actions."""

    def carry_out(self, side: int, play: Play, permit: Permit) -> Asking:
        """A whole action with all that follows."""
        self.happened[play.card.kind] += 1
        lot = self.next_lot()
        course = Course(side, play.card, play.user, play.target, play.mate, last=permit.last, lot=lot)
        if not play.card.is_attack:
            yield from self.declare(play, course)
            return
        attack = yield from self.attack(side, play, permit, lot)
        course.type = attack.announced
        if attack.negated:
            return
        if play.card.kind == "teamwork" and not attack.whole:
            yield from self.teamwork(side, play)
        elif play.card.kind == "ally":
            follow_up = self.follow_up(side, play.card, play.user)
            plays = yield from self.ask(side, self.cards_of(side, self.plays(side, follow_up)))
            if plays:
                yield from self.carry_out(side, (yield from self.details(side, plays)), follow_up)
        elif play.card.kind == "special":
            yield from self.riders(course, attack)
            if attack.ends_battle:
                raise BattleOver

    def choose_type(self, side: int) -> Asking:
        return (yield from self.ask(side, {f"as {TYPE_NAMES[t]}": t for t in "EFSI"}))

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
            yield from self.attack(side, play, permit)
            permit = replace(
                permit,
                users=tuple(i for i in permit.users if i != play.user),
                types="".join(t for t in permit.types if t != play.type),
                bonus=start.card.bonuses[1],
            )

    def attack(self, side: int, play: Play, permit: Permit, lot: int = 0) -> Asking:
        """An attack, its defence, and the hit."""
        attack = self.attack_of(side, play, permit)
        attack.lot = lot
        if self.lies_face_down(side, play):
            self.happened["face down"] += 1
            attack.hidden, self.face_down = play.sources(), attack
        else:
            for card, place in play.sources():
                self.take(side, card, place)
        for card, _ in play.seconds:
            self.happened[f"{play.card.kind} with {card.kind}"] += 1
        if play.card.program and play.card.program[0].verb == "choose_type":
            attack.announced = yield from self.choose_type(side)
        foe, target = 1 - side, play.target
        for effect in self.in_force("focus", side):
            if effect.clause.fits(attack.all_cards, attack.type, attack.value):
                self.happened["focus"] += 1
                effect.focus[side] = target
        lifted = [effect for effect in self.in_force("no_attack_pair", foe, target) if effect.by == play.user]
        self.end_effects(lambda effect: effect in lifted)
        guards = self.in_force("bodyguard", foe, target)
        if guards:
            self.happened["bodyguard absorbs"] += 1
            self.turn_up(attack)
            self.end_effects(lambda effect: effect is guards[0])
            attack.is_stopped = True
        else:
            for effect in self.in_force("redirect", foe, target):
                if effect.target in self.players[foe].front_line():
                    self.happened["redirected"] += 1
                    attack.target, attack.shifted = effect.target, True
                    break
            try:
                yield from self.defended(attack)
            except BattleOver:  # the attacker, the last of his Front Line, has fallen by the block
                self.put_away_attack(attack)
                raise
        if attack.is_stopped:
            self.put_away_attack(attack)
        else:
            try:
                yield from self.leave_hits(attack)
            except BattleOver:
                if not play.card.clause("on_hit"):
                    raise
                attack.ends_battle = True
        return attack

    def lies_face_down(self, side: int, play: Play) -> bool:
        """Is it an attack that the enemy does not see: with a number, from the hand, and not of many cards?"""
        if not self.in_force("face_down", side, play.user) or not play.card.is_numeric or play.place is not None:
            return False
        return len(play.seconds) < 2 and not self.is_frame(play.card)

    def put_away_attack(self, attack: Attack) -> None:
        """The cards of an attack that was stopped; one Special brings its Power card back to the Draw Pile."""
        comes_back = bool(attack.special_clauses("comes_back")) and not attack.negated
        for card in attack.cards:
            if comes_back and card.kind == "power":
                self.happened["comes back"] += 1
                self.players[attack.side].draw_pile.append(card)
            elif attack.negated or not any("anyway" in clause.words for clause in card.body):
                self.put_away(attack.side, card)

    # ---------------------------------------------------------------- Specials

    def declare(self, play: Play, course: Course) -> Asking:
        """A Special that only a negation can answer (50, ruling 59)."""
        self.take(course.side, play.card, play.place)
        if (yield from self.is_negated(course.side, play)):
            self.put_away(course.side, play.card)
            return
        yield from self.run(course, play.card.body)

    def riders(self, course: Course, attack: Attack) -> Asking:
        """What an attack of a Special brings with it: some of it anyhow, the rest only if it has landed."""
        landed = not attack.is_stopped
        body = [clause for clause in course.card.body if clause.verb != "choose_type" or not course.type]
        verbs = [clause.verb for clause in body]
        course.target = attack.target
        if not course.card.is_numeric:
            body = body if landed else [clause for clause in body if "anyway" in clause.words]
            if body:
                yield from self.run(course, body)
            return
        if "on_hit" in verbs and not landed:
            body = body[: verbs.index("on_hit")]
        if attack.ends_battle:  # what it does with its hit is done all the same (ruling 97)
            body = [clause for clause in body[verbs.index("on_hit") :] if clause.verb != "follow"]
            self.happened["done after the end"] += 1
        course.is_hit = True
        yield from self.run(course, body)

    def further(self, course: Course, clause: Clause, types: str, users: tuple[int, ...]) -> Permit:
        """What may follow a Special: which attack, by whom (49, ruling 32)."""
        line = self.players[course.side].front_line()
        only = tuple(clause.of("class").split(",")) if clause.of("class") else ("power", "special")
        that_card = "that_card" in clause.words
        who = tuple(line) if "by_any" in clause.words else (course.user,)
        if "by_mates" in clause.words:
            who = tuple(i for i in line if i != course.user)
        targets: tuple[int, ...] | None = None
        if "other_target" in clause.words:
            targets = tuple(i for i in range(4) if i != course.target)
        elif "same_target" in clause.words:
            targets = (course.target,) if course.target is not None else ()
        once = "by_mates" in clause.words
        return Permit(
            tuple(i for i in who if not (once and i in users)),
            ("power", "teamwork", "ally", "special") if that_card else only,
            "".join(t for t in clause.of("type") or EVERY_TYPE if "types_once" not in clause.words or t not in types),
            targets,
            clause.number(),
            "no_universe" not in clause.words and (not clause.of("class") or "basic" in only),
            attacks_only="attacks" in clause.words if that_card else only != ("special",),
            anybodys=only == ("special",) or that_card,
            only=course.found if that_card else None,
            anyhow=that_card and "attacks" in clause.words,
            doubled="doubled" in clause.words,
            stolen=course.found if "stolen" in clause.words else None,
            last=course.last or "last" in clause.words,
        )

    def further_attacks(self, course: Course, clause: Clause) -> Asking:
        """Extra attacks, one after the other, if their player likes (49)."""
        side, types, users = course.side, "", ()
        if "that_card" in clause.words and course.found is None:
            return
        for _ in range(clause.times()):
            permit = self.further(course, clause, types, users)
            options = self.cards_of(side, self.plays(side, permit))
            stop = {} if not options or {"attacks", "must"} & set(clause.words) else {"done": None}
            chosen = yield from self.ask(side, options | stop)
            if chosen is None:
                return
            self.happened["further attack"] += 1
            play = yield from self.details(side, chosen)
            types, users = types + play.type, (*users, play.user)
            if "that_card" in clause.words:
                course.found = None  # it has been played
            yield from self.carry_out(side, play, permit)

    def could_play(self, course: Course, card: Card) -> bool:
        """Could the user play this card at once, if he had it?"""
        hand = self.players[course.side].hand
        hand.append(card)
        plays = self.plays(course.side, Permit((course.user,), anybodys=False, only=card))
        hand.remove(card)
        return bool(plays)

    def force(self, course: Course) -> Asking:
        """An enemy has to attack as often as possible (ruling 45)."""
        other = 1 - course.side
        permit = Permit((course.target,), ("power", "special"), attacks_only=True, anybodys=False)
        while plays := self.plays(other, permit):
            self.happened["forced attack"] += 1
            chosen = yield from self.ask(other, self.cards_of(other, plays))
            yield from self.carry_out(other, (yield from self.details(other, chosen)), permit)
