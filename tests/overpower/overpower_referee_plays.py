"""What may be played now, as complete plays: the card, by whom, with which others, as which type, at whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from overpower_referee_cards import Attack, Card, Permit, Play, Source
from overpower_referee_hits import Hits
from overpower_referee_table import Asking
from overpower_referee_words import EVERY_TYPE, HELPERS, TYPE_NAMES, Clause

NEEDS_NOTHING = ("either", "avoid")
"""What alone makes no Special playable."""


class Plays(Hits):
    """All complete plays, and the questions that tell them apart."""

    # ---------------------------------------------------------------- the questions

    def details(self, side: int, plays: list[Play]) -> Asking:
        """By whom, with which other cards, as which type, at whom: until one play is left."""
        own, foes = self.players[side].team, self.players[1 - side].team
        plays = yield from self.narrowed(side, plays, lambda play: f"by {own[play.user].name}")
        plays = yield from self.choose_seconds(side, plays)
        plays = yield from self.narrowed(side, plays, lambda play: f"as {TYPE_NAMES.get(play.type)}")
        if plays[0].target is not None:
            plays = yield from self.narrowed(side, plays, lambda play: f"at {foes[play.target].name}")
        if plays[0].mate is not None:
            plays = yield from self.narrowed(side, plays, lambda play: f"by {own[play.mate].name}")
        return plays[0]

    def choose_seconds(self, side: int, plays: list[Play]) -> Asking:
        """With which other cards, one after the other, or alone."""
        chosen: list[Source] = []
        while True:
            options: dict[str, tuple[Source | None, list[Play]]] = {}
            for play in plays:
                left = [source for source in play.seconds if source not in chosen]
                for source in left or [None]:
                    name = "alone" if source is None else self.named(side, *source)
                    options.setdefault(name, (source, []))[1].append(play)
            source, plays = yield from self.ask(side, options)
            if source is None:
                return plays
            chosen.append(source)

    # ---------------------------------------------------------------- the plays

    def plays(self, side: int, permit: Permit) -> list[Play]:
        """All that can be played now, with all details (41, 42)."""
        found: list[Play] = []
        for user in permit.users:
            for card, place in self.own_cards(side, user):
                if permit.only is not None and (card != permit.only or place is not None):
                    continue
                if card.kind not in permit.classes or not (permit.anyhow or self.can_use(side, user, card)):
                    continue
                if not self.players[side].team[user].front and not self.may_play_from_reserve(side, user, card):
                    continue
                start = Play(card, place, user)
                if card.kind == "power":
                    found += self.power_plays(side, start, permit)
                elif card.kind == "special":
                    found += self.special_plays(side, start, permit)
                elif card.kind in ("teamwork", "ally") and self.plays(side, self.follow_up(side, card, user)):
                    found += self.aimed(side, [start._replace(type=card.types)], permit)
        return found

    def aimed(self, side: int, plays: Iterable[Play], permit: Permit) -> list[Play]:
        """These plays at everybody who may be attacked with them (43, 68, ruling 25)."""
        found = []
        for play in plays:
            for target in self.players[1 - side].survivors() if permit.targets is None else permit.targets:
                aimed = play._replace(target=target)
                if self.is_allowed(side, aimed, permit) and self.has_objects(side, aimed):
                    found.append(aimed)
        return found

    def is_allowed(self, side: int, play: Play, permit: Permit) -> bool:
        """Is the target there, and does nothing forbid the attack, or the cards that come with the first?"""
        if not self.players[side].team[play.user].front:
            if not all(self.may_play_from_reserve(side, play.user, card) for card, _ in play.seconds):
                return False
        attack = self.attack_of(side, play, permit)
        user, foe = (side, play.user), (1 - side, attack.target)
        target = self.players[1 - side].team[attack.target]
        if not target.alive or not (target.front or self.reaches_reserve(attack)):
            return False
        if self.in_force("no_attack", *user) or self.may_not_use(*user, play.sources(), attack.type, "attack", foe[1]):
            return False
        if any(effect.by == attack.target for effect in self.in_force("no_attack_pair", *user)):
            return False
        if permit.teamwork and self.may_not_follow(*user, permit.teamwork):
            return False
        if any(self.forbids(effect.clause, attack) for effect in self.in_force("no_attack_on", *foe)):
            return False
        if any(focus not in (None, attack.target) for focus in self.focuses(attack)):
            return False
        return all(attack.is_like(effect.clause) for effect in self.in_force("only_attack_on", *foe))

    def may_not_follow(self, side: int, who: int, card: Card) -> bool:
        """Who may not use cards with an icon does not follow a Teamwork card that has it (ruling 93)."""
        bans = [effect.clause for effect in self.in_force("no_use", side, who)]
        bans = [clause for clause in bans if not {"from_hand", "from_place"} & set(clause.words)]
        grid = self.grid(side, who)
        bans = [clause for clause in bans if "rated" not in clause.words or grid.get(clause.of("icon"), 0) >= 7]
        return any(clause.of("stat") in ("attack", "both") and clause.fits([card], "", card.value) for clause in bans)

    def forbids(self, clause: Clause, attack: Attack) -> bool:
        """Does a shield keep this attack off?"""
        if "recorded" in clause.words:  # Power cards of a value in the record (ruling 71)
            hits = self.players[1 - attack.side].team[attack.target].hits
            values = {hit.card.value for hit in hits if not hit.current and hit.card.kind == "power"}
            cards = [card for card in attack.cards if card.kind == "power"]
            return bool(values) if attack.is_face_down else any(card.value in values for card in cards)
        return attack.is_like(clause)

    def focuses(self, attack: Attack) -> list[int | None]:
        """At whom attacks of this icon have to go, where an Event says so."""
        found: list[int | None] = []
        for effect in self.in_force("focus", attack.side):
            if effect.clause.fits(attack.all_cards, attack.type, attack.value):
                who = effect.focus.get(attack.side)
                found.append(who if who is not None and self.players[1 - attack.side].team[who].alive else None)
        return found

    def reaches_reserve(self, attack: Attack) -> bool:
        openers = attack.special_clauses("attack") + attack.special_clauses("aim")
        if any("reserve" in clause.words for clause in openers):
            return True
        return any(attack.is_like(e.clause) for e in self.in_force("reach_reserve", attack.side, attack.user))

    def power_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Power card, alone or with a Universe card (43 to 45), or with what effects allow."""
        types = start.card.types if permit.anyhow else self.power_types(side, start.user, start.card)
        if permit.stolen is not None:
            met = self.required_types(side, start.user, permit.stolen)
            types = "".join(t for t in types if t in (*met, "A"))
        plays = [] if permit.doubled else [start._replace(type=t) for t in types]
        if permit.universe:
            plays += self.helped_plays(side, start, types)
        if permit.teamwork is None and permit.stolen is None and not permit.doubled:
            plays += self.accompanied_plays(side, start, types)
        return self.aimed(side, [play for play in plays if self.is_of_type(play, permit)], permit)

    def is_of_type(self, play: Play, permit: Permit) -> bool:
        """Is it declared as a type that it has to be of, or summed with a Power card of one?"""
        return any(type in permit.types for type in (play.type, *(card.types for card in play.second("power"))))

    def helped_plays(self, side: int, start: Play, types: str) -> list[Play]:
        """With a Universe card, or with several Basic Universe cards (ruling 42)."""
        helpers = self.helpers(side, start.user)
        groups: list[tuple[Source, ...]] = [(source,) for source in helpers]
        if self.in_force("combine_bonuses", side, start.user):
            basic = [source for source in helpers if source[0].kind == "basic"]
            groups += [group for n in range(2, 7) for group in combinations(basic, n)]
        plays = []
        for group in groups:
            fitting = set(types)
            for helper, _ in group:
                fitting &= set(self.helped_types(side, start.user, helper, types))
            plays += [start._replace(seconds=group, type=t) for t in types if t in fitting]
        return plays

    def accompanied_plays(self, side: int, start: Play, types: str) -> list[Play]:
        """With a Special that goes with Power cards, or with another Power card (79)."""
        plays: list[Play] = []
        if start.card.is_multipower:
            return plays
        sums = [effect.clause for effect in self.in_force("combine_powers", side, start.user)]
        for other in self.own_cards(side, start.user):
            card = other[0]
            if other == (start.card, start.place) or not self.can_use(side, start.user, card):
                continue
            companion = card.clause("with_power")
            if companion and start.card.types in companion.types():
                plays += [start._replace(seconds=(other,), type=t) for t in types]
            if card.kind == "power" and len(card.types) == 1:
                if any(start.card.types in c.of("type") and card.types in c.of("icon") for c in sums):
                    plays += [start._replace(seconds=(other,), type=t) for t in types]
        return plays

    def follow_up(self, side: int, card: Card, user: int) -> Permit:
        """What must follow a Teamwork card or an Ally (10, 11)."""
        mates = tuple(i for i in self.players[side].front_line() if i != user)
        if card.kind == "ally":
            return Permit(mates, ("special",), anybodys=False)
        return Permit(mates, ("power",), card.follow_types + "A", bonus=card.bonuses[0], universe=False, teamwork=card)

    # ---------------------------------------------------------------- Specials

    def special_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Special on the turn (12, 48 to 50)."""
        card = start.card
        is_attack = card.is_attack or card.is_against_team
        if card.opener.verb in ("avoid", "shift", "with_power", "substitute"):
            return []
        if permit.attacks_only and not is_attack:
            return []
        if card.is_against_team and (permit.types != EVERY_TYPE or self.in_force("no_attack", side, start.user)):
            return []
        if not card.is_attack and (permit.stolen is not None or permit.doubled):
            return []
        if self.is_anybodys(side, card) and not permit.anybodys:
            return []
        if not self.is_time_for(side, start, permit):
            return []
        if not card.is_attack:
            barred = self.may_not_use(side, start.user, start.sources(), "", "both")
            plays = [start._replace(mate=mate) for mate in self.mates(side, start)]
            return [play for play in plays if self.has_objects(side, play) and not barred]
        if not card.is_numeric:
            return self.aimed(side, [start], permit) if permit.types == EVERY_TYPE else []
        plays = self.combined_plays(side, start, permit)
        return self.aimed(side, [play for play in plays if self.is_of_type(play, permit)], permit)

    def combined_plays(self, side: int, start: Play, permit: Permit) -> list[Play]:
        """A Special with a number, alone or with the cards that it may be combined with (79, rulings 44 and 64)."""
        card = start.card
        plays = [start._replace(type=t) for t in card.types]
        combine = card.clause("combine")
        if combine is None:
            return plays
        if combine.of("class"):
            for source in self.helpers(side, start.user) if permit.universe else ():
                types = self.required_types(side, start.user, source[0])
                fitting = [play for play in plays if not play.seconds and play.type in types]
                plays = plays + [play._replace(seconds=(source,)) for play in fitting]
            return plays
        powers = [s for s in self.own_cards(side, start.user) if s[0].kind == "power" and len(s[0].types) == 1]
        wanted = combine.types() + combine.of("type")
        fitting = [s for s in powers if s[0].types in wanted and self.can_use(side, start.user, s[0])]
        if "parts" not in combine.words:
            return plays + [play._replace(seconds=(s,)) for play in plays for s in fitting]
        small = [s for s in fitting if combine.fits([s[0]], s[0].types, s[0].value)]
        groups = [group for n in range(1, 5) for group in combinations(small, n)]
        different = [group for group in groups if len({card.name for card, _ in group}) == len(group)]
        return [play._replace(seconds=group) for play in plays for group in different]

    def is_time_for(self, side: int, play: Play, permit: Permit) -> bool:
        """Is the condition of a Special met, and is it its moment?"""
        late, card = play.card.clause("after_concession"), play.card
        if late is None and permit.conceded:
            return False
        if late is not None:
            whose = "own" if "own" in late.words else "foe"
            if permit.conceded != whose and (permit.conceded or "only" in late.words):
                return False
        if any("not_on_turn" in clause.words for clause in card.body):
            return False
        condition, player, foe = card.clause("only_if"), self.players[side], self.players[1 - side]
        if condition is None:
            return True
        if "was_hit" in condition.words:
            return bool(self.hitters(side, play.user))
        return foe.fallen if "foe_fell" in condition.words else len(player.front_line()) < len(foe.front_line())

    def hitters(self, side: int, who: int) -> list[int]:
        """The enemies who have hit a character in this battle, and are still there (ruling 34)."""
        by = {hit.by for hit in self.players[side].team[who].hits if hit.current}
        return [i for i in self.players[1 - side].survivors() if i in by]

    def mates(self, side: int, play: Play) -> list[int | None]:
        """The own characters that a Special can be about, if it is not about its user."""
        player, body = self.players[side], play.card.body
        scope = {clause.scope() for clause in body if clause.verb != "guest"}
        team = player.front_line()
        if "self_or_mate" in scope:
            return [i for i in player.survivors() if i in team or i == play.user]
        wanted = "mate" in scope or {"redirect", "swap_record"} & {clause.verb for clause in body}
        return [i for i in team if i != play.user] if wanted else [None]

    def has_objects(self, side: int, play: Play) -> bool:
        """A Special that only heals, or only takes away, needs something to work on (ruling 75)."""
        if play.card.kind != "special" or play.card.is_numeric:
            return True
        body = play.card.body
        if not all(self.has_object(side, play, clause) for clause in body if clause.verb in ("steal", "fetch")):
            return False
        if any("fallen" in clause.words for clause in body if clause.verb == "pick"):
            return len(self.players[side].survivors()) < 4
        return any(self.has_object(side, play, clause) for clause in body) and self.can_pay(side, play)

    def can_pay(self, side: int, play: Play) -> bool:
        cost = play.card.clause("cost")
        return cost is None or bool(self.payable(side, play.user, cost))

    def payable(self, side: int, user: int | None, cost: Clause) -> list[Card]:
        """Power cards of the hand that may be the price: usable ones of the type."""
        hand = [card for card in self.players[side].hand if card.kind == "power"]
        wanted = cost.of("type")
        return [c for c in hand if any(t in (wanted or EVERY_TYPE) for t in self.power_types(side, user, c))]

    # ---------------------------------------------------------------- values

    def attack_of(self, side: int, play: Play, permit: Permit) -> Attack:
        """The attack that a play makes, with its value (43 to 48, ruling 33)."""
        assert play.target is not None
        attack = Attack(side, play.user, play.target, play.cards(), play.type, None, led_by=permit.teamwork)
        if not play.card.is_numeric:
            return attack
        attack.value = play.card.value + self.permitted_bonus(side, play, permit)
        scale = play.card.clause("scale")
        if scale and "per_hand_card" in scale.words:
            attack.value += len(self.players[side].hand) - sum(place is None for _, place in play.sources())
        elif scale:
            attack.value += sum(not hit.current for hit in self.players[side].team[play.user].hits)
        for card, _ in play.seconds:
            if card.kind in HELPERS:
                attack.value += self.helper_bonus(side, play.user, card) * (2 if permit.doubled else 1)
            elif card.kind == "power":
                attack.value += card.value
        attack.value += self.modifiers(side, play.user, "attack", 1 - side, play.target, attack.all_cards, attack.type)
        attack.value = max(0, attack.value)
        combine = play.card.clause("combine")
        if combine and "parts" in combine.words:
            attack.parts = play.second("power")
        return attack

    def permitted_bonus(self, side: int, play: Play, permit: Permit) -> int:
        """What the card that allows an attack adds to it."""
        bonus = permit.bonus
        if permit.teamwork is not None:
            bonus += self.more_bonus(side, play.user, permit.teamwork)
            doubled = [effect.clause.of("type") for effect in self.in_force("teamwork_double", side)]
            bonus *= 2 if play.type in doubled else 1
        if permit.stolen is not None:
            bonus += self.helper_bonus(side, play.user, permit.stolen)
        return bonus

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
            if effect.by is not None and effect.is_gift_of(effect.by_side, effect.by) and clause.number() > 0:
                more = [e.clause for e in self.in_force("inherent_bonus", side) if e.clause.of("stat") == stat]
                total += sum(c.number() for c in more)
        return total
