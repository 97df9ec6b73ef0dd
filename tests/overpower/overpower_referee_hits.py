"""What lasts on the referee's table, hits, knock-outs, and what they count for the Venture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product

from overpower_referee_cards import Attack, Card, Course, Effect, Hit, Lying
from overpower_referee_table import Asking, BattleOver, Table
from overpower_referee_words import HELPERS, Clause

FOR_KNOCK_OUTS = ("ko_limit", "ko_limit_plus", "retype", "spectrum_need")
"""What may knock somebody out when it comes into force."""


class Hits(Table):
    """Cards in front of characters, and on the table."""

    # ---------------------------------------------------------------- what lasts

    def last(self, course: Course, clauses: Iterable[Clause]) -> Asking:
        """What these clauses say begins to last; the card stays on the table unless it is a hit."""
        concerned = set()
        for clause in clauses:
            effect = self.effect_of(course, clause)
            front = self.players[1 - course.side].front_line()
            if clause.verb == "bench" and (len(front) < 2 or course.target not in front):
                continue
            if not (course.is_hit or course.lies or course.user is None):
                effect.card, course.lies = Lying(course.side, course.card), True  # with what the card says first
            self.happened[clause.verb] += 1
            self.effects.append(effect)
            self.begin(effect)
            if clause.verb in FOR_KNOCK_OUTS:
                concerned.add(effect.side)
        for about in concerned:
            yield from self.check_all(about)

    def effect_of(self, course: Course, clause: Clause) -> Effect:
        """What a clause says, about whom."""
        about: int | None = course.side
        who, scope = None, clause.scope()
        if scope in ("foe", "foe_team", "target"):
            about = 1 - course.side
        if scope == "both":
            about = None
        if not clause.verb.startswith(("venture", "clear")):
            who = {"self": course.user, "target": course.target, "mate": course.mate, "self_or_mate": course.mate}.get(
                scope
            )
        if "chosen" in clause.words:
            word = f"type:{course.type}" if clause.of("class") else f"icon:{course.type}"
            clause = Clause(clause.verb, (*(w for w in clause.words if w != "chosen"), word))
        target = course.mate if {"to_target", "fallen"} & set(clause.words) else course.target
        effect = Effect(clause, about, who, course.side, course.user, target, others="others" in clause.words)
        course.lot = course.lot or self.next_lot()
        effect.hit, effect.found, effect.lot = course.card if course.is_hit else None, course.found, course.lot
        if clause.verb == "grid_copy" and course.picked is not None:
            effect.grid = self.grid(*course.picked)
        return effect

    def next_lot(self) -> int:
        self.lots += 1
        return self.lots

    def end_effects(self, is_over: Callable[[Effect], bool]) -> None:
        """These effects end, and cards of which nothing lasts are put away."""
        over = [effect for effect in self.effects if is_over(effect)]
        self.effects = [effect for effect in self.effects if not is_over(effect)]
        for effect in over:
            if effect.clause.verb == "bench":
                self.players[effect.side].team[effect.who].front = True
            heir = next((other for other in self.effects if other.lot and other.lot == effect.lot), None)
            if effect.card and heir:
                heir.card = effect.card  # something else of it lasts
            elif effect.card:
                self.put_away(effect.card.side, effect.card.card)

    def reserves(self, side: int) -> list[int]:
        """Who is in Reserve, and not because an effect keeps him there (ruling 81)."""
        kept = [effect.who for effect in self.in_force("bench", side)]
        team = self.players[side].team
        return [i for i in self.players[side].survivors() if not team[i].front and i not in kept]

    def begin(self, effect: Effect) -> None:
        """What changes at once when something begins to last."""
        if effect.clause.verb == "bench":
            self.players[effect.side].team[effect.who].front = False

    # ---------------------------------------------------------------- hits

    def leave_hits(self, attack: Attack) -> Asking:
        """The cards of an attack stay as hits (55), and some effects begin with that."""
        side, who = 1 - attack.side, attack.target
        scores = sum(self.helper_bonus(attack.side, attack.user, c) for c in attack.cards if c.kind in HELPERS)
        damage = sum(clause.number() for clause in attack.special_clauses("damage"))
        for card in attack.cards if attack.value is not None else ():
            if card.kind in HELPERS or card.clause("with_power") or self.is_frame(card):
                self.put_away(attack.side, card)
                continue
            hit = self.hit_with(card, attack.user)
            combine = card.clause("combine")
            if combine and "scores" in combine.words:
                hit = replace(hit, value=hit.value + scores)
            self.players[side].team[who].hits.append(replace(hit, damage=hit.damage + damage, lot=attack.lot))
            damage = 0
        if attack.value is not None:
            self.provoke(side, who)
        yield from self.check_ko(side, who)

    def is_frame(self, card: Card) -> bool:
        """Is it a Special that only holds Power cards together (ruling 64)?"""
        combine = card.clause("combine")
        return combine is not None and "parts" in combine.words

    def hit_with(self, card: Card, by: int) -> Hit:
        """A card as a hit; some Specials hit as something else than they attack with."""
        other = card.opener.of("hit") if card.kind == "special" else ""
        digits = "".join(c for c in other if c.isdigit())
        value, types = (int(digits), other[len(digits) :]) if other else (card.value, card.types)
        return Hit(card, value, types, by)

    def provoke(self, side: int, who: int) -> None:
        """Some attack better when they have been hit, but not ever better (ruling 82)."""
        for effect in self.in_force("when_hit", side, who):
            words = tuple(word for word in effect.clause.words if word != "others")
            bonus = Effect(Clause("modify", words), side, who, effect.by_side, effect.by, lot=effect.lot)
            if not any((e.clause, e.who, e.lot) == (bonus.clause, who, bonus.lot) for e in self.effects):
                self.happened["provoked"] += 1
                self.effects.append(bonus)

    # ---------------------------------------------------------------- knock-outs

    def types_of(self, side: int, who: int, hit: Hit) -> str:
        """Types of a hit; some effects make MultiPower hits Any-Power hits, others give these a type (ruling 76)."""
        clauses = [effect.clause for effect in self.in_force("retype", side, who)]
        of_multipower = [clause for clause in clauses if "multi" in clause.words]
        of_any_power = [clause for clause in clauses if "multi" not in clause.words]
        types = hit.types
        if of_multipower and hit.card.is_multipower:
            types = of_multipower[0].of("type")
        if of_any_power and types == "A":
            types = of_any_power[0].of("type")
        return types

    def spectrum(self, side: int, who: int, hits: Sequence[Hit]) -> int:
        """How many power types the hits can be taken for, as their scorer likes best (57, 74, 76 to 78)."""
        types = [(hit.card.is_multipower, self.types_of(side, who, hit)) for hit in hits]
        fused = {t for is_multi, some in types if is_multi and len(some) > 1 for t in some}
        others = [some for is_multi, some in types if not is_multi or len(some) == 1]
        pure = {types for types in others if len(types) == 1 and types != "A"}
        several = [types for types in others if len(types) > 1]
        choices = [*pure, *several, *(["".join(fused)] if fused else [])]
        return max(len(set(types)) for types in product(*choices))

    def counted(self, side: int, who: int, stat: str) -> list[Hit]:
        """The hits that count for a knock-out of this sort: inherent abilities may leave some out."""
        bans = [e.clause for e in self.in_force("ko_exclude", side, who) if e.clause.of("stat") == stat]
        hits = self.players[side].team[who].hits
        return [hit for hit in hits if not any(c.fits([hit.as_card()], hit.types, hit.value) for c in bans)]

    def is_knocked_out(self, side: int, who: int) -> bool:
        """By points or by types (56, 57, 73), or by both whatever protects the character (ruling 31)."""

        def points(hits: Iterable[Hit]) -> int:
            return sum(hit.value + hit.damage for hit in hits)

        limit, need = self.rules["ko_limit"], self.rules["spectrum_types"]
        hits = self.players[side].team[who].hits
        if points(hits) >= limit and self.spectrum(side, who, hits) >= need:
            self.happened["KO by both"] += 1
            return True
        limit = max((e.clause.number() for e in self.in_force("ko_limit", side, who)), default=limit)
        limit += sum(e.clause.number() for e in self.in_force("ko_limit_plus", side, who))
        need = max((e.clause.number() for e in self.in_force("spectrum_need", side, who)), default=need)
        immune = [e.clause.of("stat") for e in self.in_force("ko_immune", side, who)]
        by_points = points(self.counted(side, who, "cumulative")) >= limit and "cumulative" not in immune
        by_types = self.spectrum(side, who, self.counted(side, who, "spectrum")) >= need and "spectrum" not in immune
        self.happened["cumulative KO"] += by_points
        self.happened["spectrum KO"] += by_types
        self.happened["spectrum KO with MultiPower"] += by_types and any(hit.card.is_multipower for hit in hits)
        return by_points or by_types

    def check_all(self, side: int | None) -> Asking:
        """Is anybody knocked out now?"""
        for about in (0, 1) if side is None else (side,):
            for i in self.players[about].survivors():
                yield from self.check_ko(about, i)

    def check_ko(self, side: int, who: int) -> Asking:
        """Is a character knocked out, and the battle over (58, 60)?"""
        player = self.players[side]
        if self.in_force("ko_delay", side):
            self.happened["a KO may be put off"] += 1
            return
        if player.team[who].alive and self.is_knocked_out(side, who):
            player.fallen = player.fallen or player.team[who].front
            self.knock_out(side, who)
            yield from self.substitute(side, who)
            if not player.front_line():
                raise BattleOver

    def dismiss(self, side: int, who: int) -> None:
        """Somebody who is here only by a card that has been negated falls (ruling 36)."""
        player = self.players[side]
        if player.team[who].is_guest and player.team[who].alive:
            self.happened["guest dismissed"] += 1
            player.fallen = True
            self.knock_out(side, who)
            if not player.front_line():
                raise BattleOver

    def knock_out(self, side: int, who: int) -> None:
        """A character leaves the game, with all that goes with it (58)."""
        player = self.players[side]
        character = player.team[who]
        self.happened["KO of a Reserve"] += not character.front
        for effect in self.in_force("on_ko_venture", side) + self.in_force("on_ko_venture", 1 - side):
            if (effect.by_side, effect.by) == (side, who):
                self.happened["on_ko_venture"] += 1
                words = Clause("venture", (str(effect.clause.number()), "battle"))
                self.effects.append(Effect(words, effect.side, None, side, who))
        self.leave(side, who)
        for hit in character.hits:
            if not hit.current:
                self.put_away(1 - side, hit.card)
        character.hits = [hit for hit in character.hits if hit.current]

    def leave(self, side: int, who: int) -> None:
        """Somebody is not there any more, nor are his placed cards, his ability, and what lasted on him."""
        character = self.players[side].team[who]
        character.alive = False
        self.end_effects(lambda effect: self.ends_with(effect, side, who))
        for card in character.placed:
            self.happened["placed card of the fallen"] += 1
            self.put_away(side, card)
        character.placed = []

    def ends_with(self, effect: Effect, side: int, who: int) -> bool:
        """Does an effect end when this character is knocked out?"""
        if effect.clause.verb == "redirect" and (effect.side, effect.target) == (side, who):
            return True
        if effect.clause.verb == "guest":
            return False  # he is to come back, and to leave
        about = (effect.side, effect.who) == (side, who) and not effect.others  # who is left goes on (M53)
        return about or effect.is_gift_of(side, who)

    def come_back(self, side: int, who: int) -> None:
        """A fallen character returns, with its inherent ability; to the Front Line if there is room (ruling 58)."""
        player = self.players[side]
        has_room = len(player.front_line()) < 3
        player.team[who].alive, player.team[who].front = True, has_room
        self.endow(side, who, player.team[who])

    def substitute(self, side: int, fallen: int) -> Asking:
        """Somebody may fall in place of a teammate who has just been knocked out (ruling 63)."""
        player = self.players[side]
        if not self.is_fighting:
            return
        found = [
            (i, card, place)
            for i in player.front_line()
            for card, place in self.own_cards(side, i)
            if card.kind == "special" and card.clause("substitute") and self.can_use(side, i, card)
            if not self.may_not_use(side, i, [(card, place)], "", "both")
        ]
        options = {self.named(side, card, place): (i, card, place) for i, card, place in found}
        chosen = yield from self.ask(side, options | {"done": None} if options else {})
        if chosen is None:
            return
        who, card, place = chosen
        self.happened["substitute"] += 1
        self.put_away(side, self.take(side, card, place))
        self.leave(side, who)
        one, two = player.team[who], player.team[fallen]
        two.alive = True
        one.hits, two.hits = two.hits, one.hits
        one.front, two.front = two.front, one.front
        self.endow(side, fallen, two)
        yield from self.check_ko(side, fallen)

    # ---------------------------------------------------------------- the Venture

    def venture_total(self, side: int) -> int:
        """Values of this battle's hits on the enemy (62), never below 0 (ruling 50)."""
        total = sum(effect.clause.number() for effect in self.in_force("venture", side))
        left_out = [effect.clause for effect in self.in_force("venture_exclude", side)]
        for character in self.players[1 - side].team:
            for hit in character.hits:
                if not hit.current or any(c.fits([hit.as_card()], hit.types, hit.value) for c in left_out):
                    continue
                doubled = [e.clause for e in self.in_force("venture_double", side) if e.by == hit.by]
                total += hit.value * (2 if any(c.fits([hit.as_card()], hit.types, hit.value) for c in doubled) else 1)
        return max(0, total)
