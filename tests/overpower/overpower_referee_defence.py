"""Answers to attacks, and to Specials that are declared on nobody."""

from __future__ import annotations

from dataclasses import replace

from overpower_referee_cards import Attack, Card, Course, Effect, Play
from overpower_referee_plays import Plays
from overpower_referee_table import Asking
from overpower_referee_words import LASTING, Clause

HELP = ("modify", "grid", "power_defends")


class Defence(Plays):
    """Defensive actions."""

    def defended(self, attack: Attack) -> Asking:
        """The answers to an attack, until it is stopped or lands (53, 54)."""
        side = 1 - attack.side
        while not attack.is_stopped:
            options = self.cards_of(side, self.defences(attack))
            options |= {} if attack.helped else self.ways_to_the_reserve(attack) | {"take it": None}
            chosen = yield from self.ask(side, options)
            if chosen is None:
                break
            if isinstance(chosen, int):
                self.happened["reserve_shields"] += 1
                self.happened["turned in the dark"] += attack.is_face_down
                attack.target, attack.shifted = chosen, True
                continue
            chosen = yield from self.narrowed(side, chosen, lambda p: f"by {self.players[side].team[p.user].name}")
            chosen = yield from self.choose_seconds(side, chosen)
            answer = chosen[0]
            if attack.is_face_down and not self.leaves_face_down(answer.card):
                self.turn_up(attack)
                chosen = self.fitting(attack, chosen)
                if not chosen:
                    self.answer_in_vain(side, answer)
                    break
            yield from self.play_defence(attack, chosen)
        self.turn_up(attack)

    # ---------------------------------------------------------------- attacks that lie face down

    def turn_up(self, attack: Attack) -> None:
        """An attack that lies face down is turned over: only now its cards leave the hand (ruling 65)."""
        for card, place in attack.hidden:
            self.take(attack.side, card, place)
        attack.hidden, self.face_down = [], None

    def leaves_face_down(self, card: Card) -> bool:
        """Does an answer only turn the attack to somebody else, or help the defence that has to follow?"""
        turns = card.opener.verb == "shift" or bool(card.clause("redirect"))
        return turns or (card.kind == "special" and self.helps(card))

    def fitting(self, attack: Attack, plays: list[Play]) -> list[Play]:
        """Those of these answers, given in the dark, that do defend; a MultiPower card is of any type for that."""
        first = attack.cards[0]
        types = first.types if first.is_multipower else (attack.type,)
        attacks = [replace(attack, type=type) for type in types]
        return [play for play in plays if any(self.is_a_defence(shown, play) for shown in attacks)]

    def is_a_defence(self, attack: Attack, play: Play) -> bool:
        """Is this an answer to an attack that everybody sees?"""
        if self.cannot_be_defended(attack):
            return False
        if play.card.kind == "power" or play.card.opener.verb == "as_power":
            return play in self.blocks(attack) + self.power_avoids(attack)
        return self.specials_defend(attack) and play in self.answers(attack, Play(play.card, play.place, play.user))

    def answer_in_vain(self, side: int, play: Play) -> None:
        """An answer given in the dark that is not enough, or does not fit (ruling 65)."""
        self.happened["answer in vain"] += 1
        for card, place in play.sources():
            self.put_away(side, self.take(side, card, place))

    # ---------------------------------------------------------------- what an answer does

    def ways_to_the_reserve(self, attack: Attack) -> dict[str, int]:
        """The Reserve may take an attack on the Front Line upon himself, while an Event says so."""
        side = 1 - attack.side
        team = self.players[side].team
        if attack.shifted or not self.in_force("reserve_shields", side) or not team[attack.target].front:
            return {}
        if self.cannot_be_defended(attack):
            return {}
        reserves = [i for i in self.players[side].survivors() if not team[i].front]
        return {f"by {team[i].name}": i for i in reserves if attack.is_face_down or self.would_matter(attack, i)}

    def play_defence(self, attack: Attack, plays: list[Play]) -> Asking:
        """A defensive action is carried out; the plays differ only in where an attack is turned to."""
        side, play = 1 - attack.side, plays[0]
        self.take(side, play.card, play.place)
        for card, place in play.seconds:
            self.happened["defence with Universe"] += 1
            self.put_away(side, self.take(side, card, place))
        if play.card.clause("negate"):
            self.happened["negated attack"] += 1
            self.put_away(side, play.card)
            attack.negated = attack.is_stopped = True
        elif play.card.kind == "power" or play.card.opener.verb == "as_power":
            yield from self.block(attack, play)
        elif play.card.clause("avoid"):
            self.happened["avoid"] += 1
            self.put_away(side, play.card)
            attack.whole = "whole" in play.card.clause("avoid").words
            self.count_defence(attack)
        elif play.card.opener.verb == "shift":
            self.happened["shift"] += 1
            self.happened["turned in the dark"] += attack.is_face_down
            self.put_away(side, play.card)
            attack.target, attack.shifted = (yield from self.turned_to(side, plays)), True
        elif play.card.body[0].verb == "redirect":
            self.happened["redirected in answer"] += 1
            self.happened["turned in the dark"] += attack.is_face_down
            attack.target, attack.shifted = (yield from self.turned_to(side, plays)), True
            course = Course(side, play.card, play.user, target=attack.user, mate=attack.target)
            yield from self.last(course, play.card.body)
        else:
            yield from self.answer_that_lasts(attack, play)

    def turned_to(self, side: int, plays: list[Play]) -> Asking:
        """To whom an attack is turned."""
        team = self.players[side].team
        chosen = yield from self.narrowed(side, plays, lambda play: f"by {team[play.target].name}")
        return chosen[0].target

    def answer_that_lasts(self, attack: Attack, play: Play) -> Asking:
        """A Special that stops, turns or helps to block an attack, and stays on the table."""
        side = 1 - attack.side
        course = Course(side, play.card, play.user, target=attack.user, mate=attack.target)
        lasting = [clause for clause in play.card.body if clause.verb not in ("pick", "follow")]
        if self.helps(play.card):
            self.happened["special that helps in defence"] += 1
            attack.helped, attack.aided = next(clause for clause in lasting if clause.verb in HELP), True
        else:
            self.happened["shield in answer"] += 1
            self.count_defence(attack)
        yield from self.last(course, lasting)

    def helps(self, card: Card) -> bool:
        """Is it a Special that is played together with a defence (rulings 34 and 39)?"""
        first = next((clause for clause in card.body if clause.verb != "pick"), card.opener)
        if first.verb == "grid":
            return "helps" in first.words
        return first.verb == "modify" or (first.verb == "power_defends" and "helps" in first.words)

    def count_defence(self, attack: Attack) -> None:
        """One defence is enough, unless a Special asks for two (ruling 40)."""
        attack.defences += 1
        attack.helped = None
        attack.is_stopped = attack.defences >= (2 if attack.special_clauses("twice") else 1)
        self.happened["defended twice"] += attack.defences == 2

    def block(self, attack: Attack, play: Play) -> Asking:
        """A Power card, or what counts as one, is put against an attack, or avoids it."""
        side = 1 - attack.side
        self.happened["defence"] += 1
        enough = attack.value is not None and self.block_value(attack, play) >= attack.value
        if not self.avoids(attack, play) and not enough and attack.parts:
            self.happened["part of an attack blocked"] += 1
            reached = [card for card in attack.parts if card.value <= self.block_value(attack, play)]
            part = max(reached, key=lambda card: card.value)
            attack.parts.remove(part)
            attack.cards.remove(part)
            attack.value -= part.value
            attack.helped = None
            self.put_away(attack.side, part)
            self.put_away(side, play.card)
            attack.is_stopped = not attack.parts
        else:
            self.count_defence(attack)
            if self.strikes_back(attack, play):
                self.happened["strikes back"] += 1
                self.put_away_attack(attack)
                attack.cards = []
                hit = self.hit_with(play.card, play.user)
                self.players[attack.side].team[attack.user].hits.append(hit)
                self.provoke(attack.side, attack.user)
                yield from self.check_ko(attack.side, attack.user)
            else:
                self.put_away(side, play.card)

    def strikes_back(self, attack: Attack, play: Play) -> bool:
        """Does the block hit the attacker: an equal Power card, where a Special says so, both without other cards?"""
        if not attack.is_stopped or play.seconds:
            return False
        if any("equal" in clause.words for clause in attack.special_clauses("only_defence")):
            return True
        if not self.in_force("reflect", 1 - attack.side, play.user) or [c.kind for c in attack.cards] != ["power"]:
            return False
        return play.card.kind == "power" and play.card.value == attack.cards[0].value

    # ---------------------------------------------------------------- what defends

    def cannot_be_defended(self, attack: Attack) -> bool:
        """Is it an attack with a small Power card that nothing defends against?"""
        return self.is_small(attack, self.in_force("no_defence", 1 - attack.side, attack.target))

    def is_small(self, attack: Attack, bans: list[Effect]) -> bool:
        """Is its Power card one of those values, whatever is added to it?"""
        cards = [card for card in attack.cards if card.kind == "power"]
        if attack.is_face_down or any(map(self.is_frame, attack.cards)):
            return False
        return any(effect.clause.fits([card], attack.type, card.value) for effect in bans for card in cards)

    def defences(self, attack: Attack) -> list[Play]:
        """All defensive actions (53, 54)."""
        side = 1 - attack.side
        if self.cannot_be_defended(attack):
            return []
        blocks, avoids = self.blocks(attack), self.power_avoids(attack)
        found = blocks + avoids
        enough = {(play.card, play.place) for play in blocks if play.user == attack.target and not play.seconds}
        by_effect = {(play.card, play.place) for play in avoids}
        by_effect |= {(play.card, play.place) for play in blocks if play.user != attack.target}
        found = [p for p in found if not p.seconds or (p.card, p.place) not in by_effect - enough]
        own = {(play.card, play.place) for play in found if play.user == attack.target}
        found = [p for p in found if p.user == attack.target or (p.card, p.place) not in own]
        if attack.helped or not self.specials_defend(attack):
            return found
        for user in self.players[side].survivors():
            at_hand = self.players[side].team[user].front or user == attack.target
            for card, place in self.own_cards(side, user):
                if card.kind != "special" or not self.can_use(side, user, card):
                    continue
                if self.may_not_use(side, user, [(card, place)], "", "defence", attack.user):
                    continue
                if at_hand or self.may_play_from_reserve(side, user, card):
                    found += self.answers(attack, Play(card, place, user))
        return found

    def specials_defend(self, attack: Attack) -> bool:
        """Or only Power cards (ruling 67)?"""
        return all(clause.words[0] == "specials" for clause in attack.special_clauses("only_defence"))

    def blockers(self, attack: Attack) -> list[tuple[int, bool]]:
        """Who may block, and whether with Universe cards: the target, and the Reserve if an Event says so.

        The Reserve does so with Power cards only: Specials that count as such are none for the Event.
        """
        side = 1 - attack.side
        found = [(attack.target, True)]
        if self.in_force("power_defends", side) and self.players[side].team[attack.target].front:
            events = [e.clause for e in self.in_force("power_defends", side) if "by_reserve" in e.clause.words]
            players = self.players[side]
            found += [(i, False) for i in players.survivors() if events and not players.team[i].front]
        return found

    def blocks(self, attack: Attack) -> list[Play]:
        """Power cards, alone or with a Universe card, that reach the value of the attack (54)."""
        side, found = 1 - attack.side, []
        if attack.value is None or self.is_small(attack, self.in_force("unblockable", attack.side)):
            return []
        for who, universe in self.blockers(attack):
            for card, place in self.own_cards(side, who):
                start = Play(card, place, who)
                types = self.power_types(side, who, card) if card.kind == "power" else ""
                if who == attack.target and card.clause("as_power") and self.can_use(side, who, card):
                    found += [start._replace(type=t) for t in self.defence_types(card)]
                found += [start._replace(type=t) for t in types]
                for helper in self.helpers(side, who) if types and universe else ():
                    fitting = self.helped_types(side, who, helper[0], types)
                    found += [start._replace(seconds=(helper,), type=t) for t in fitting]
        if attack.helped:
            found = [p for p in found if p.user == attack.target and self.makes_use(attack.helped, p)]
        return [play for play in found if self.may_defend(attack, play) and self.is_enough(attack, play)]

    def defence_types(self, card: Card) -> str:
        """Its icons in a defence: a Special may have others than in an attack."""
        return card.opener.of("defends") or card.types

    def makes_use(self, clause: Clause, play: Play) -> bool:
        """Does a Special that helps add to this block, or raise the rating for its card (ruling 34)?"""
        if clause.verb == "grid":
            return any(set(card.types) & set(clause.types() + "A") for card in play.cards())
        return clause.verb == "modify" and clause.fits(play.cards(), play.type, play.card.value)

    def may_defend(self, attack: Attack, play: Play) -> bool:
        """May these cards defend against this attack?"""
        side, cards = 1 - attack.side, play.cards()
        for clause in attack.special_clauses("barred"):
            if any(set(clause.of("icon")) & set(self.defence_types(card)) for card in cards):
                return False
        for clause in attack.special_clauses("only_defence"):
            if "specials" in clause.words or ("with_universe" in clause.words and not play.seconds):
                return False
            if "equal" in clause.words and (play.seconds or play.card.kind != "power"):
                return False
            if "equal" in clause.words and play.card.value != attack.cards[0].value:
                return False
            if "icons" in clause.words and not all(
                set(clause.of("icon")) & set(self.defence_types(card)) for card in cards
            ):
                return False
        return not self.may_not_use(side, play.user, play.sources(), play.type, "defence", attack.user)

    def block_value(self, attack: Attack, play: Play) -> int:
        side = 1 - attack.side
        value = play.card.value
        value += self.modifiers(side, play.user, "defence", attack.side, attack.user, play.cards(), play.type)
        return max(0, value + sum(self.helper_bonus(side, play.user, card) for card, _ in play.seconds))

    def is_enough(self, attack: Attack, play: Play) -> bool:
        """Does a block reach the value, or that of a part, as far as that can be seen?"""
        if attack.is_face_down:
            return True
        least = min([attack.value, *(card.value for card in attack.parts)])
        return self.block_value(attack, play) >= least

    def avoiders(self, attack: Attack) -> list[tuple[Effect, int]]:
        """Effects that let Power cards avoid this attack, and whose cards these are (ruling 39)."""
        side, found = 1 - attack.side, []
        for effect in self.in_force("power_defends", side):
            who = attack.target if effect.who is None else effect.who
            is_there = who == attack.target or self.players[side].team[who].front
            if "avoids" in effect.clause.words and is_there:
                if attack.value is not None or "numeric" not in effect.clause.words:
                    found.append((effect, who))
        return found

    def is_of_use(self, effect: Effect, play: Play) -> bool:
        words = tuple(word for word in effect.clause.words if word != "numeric")
        return Clause(effect.clause.verb, words).fits([play.card], play.type, play.card.value)

    def power_avoids(self, attack: Attack) -> list[Play]:
        """Power cards that avoid an attack, whatever its value."""
        side, found = 1 - attack.side, []
        for effect, who in self.avoiders(attack):
            if attack.helped and effect.clause != attack.helped:
                continue
            for source in self.own_cards(side, who):
                types = self.power_types(side, who, source[0]) if source[0].kind == "power" else ""
                plays = [Play(*source, who, type=t) for t in types]
                found += [play for play in plays if self.is_of_use(effect, play)]
        return [play for play in found if self.may_defend(attack, play)]

    def avoids(self, attack: Attack, play: Play) -> bool:
        """Is it a Power card that avoids the attack?"""
        found = [effect for effect, who in self.avoiders(attack) if who == play.user and not play.seconds]
        return any(self.is_of_use(effect, play) for effect in found)

    # ---------------------------------------------------------------- Specials in answer

    def answers(self, attack: Attack, start: Play) -> list[Play]:
        """Specials that avoid an attack, negate it, shift it, forbid it, or help to block it."""
        opener, mine = start.card.opener, start.user == attack.target
        avoid = start.card.clause("avoid")
        if avoid:
            concerned = {"self": mine, "mate": not mine, "self_or_mate": True}[avoid.scope()]
            itself = "whole" not in avoid.words or attack.is_face_down or attack.cards[0].kind == "teamwork"
            return [start] if concerned and itself and attack.is_like(avoid) else []
        negate = start.card.clause("negate")
        if negate:
            return [start] if self.can_be_negated(attack, start.user, negate) else []
        if opener.verb == "shift" and not attack.shifted:
            if "to_self" in opener.words:
                front = self.players[1 - attack.side].team[start.user].front
                concerned = front and not mine and self.would_matter(attack, start.user)
                return [start._replace(target=start.user)] if concerned else []
            mates = [i for i in self.front_mates(attack, start) if self.would_matter(attack, i)]
            return [start._replace(target=i) for i in mates] if mine else []
        if opener.verb != "declare" or not start.card.body:
            return []
        first = next((clause for clause in start.card.body if clause.verb != "pick"), opener)
        if not {"react", "helps"} & set(first.words):
            return []
        if first.verb == "redirect":
            shifted = attack.shifted or not mine
            return [] if shifted else [start._replace(target=i) for i in self.front_mates(attack, start)]
        if self.helps(start.card):
            return [start] if self.would_help(attack, start, first) else []
        return [start] if self.would_forbid(attack, start, first) else []

    def would_matter(self, attack: Attack, who: int) -> bool:
        """Would the attack do anything to this character (ruling 35)?"""
        card = attack.cards[0]
        body = [clause for clause in card.body if clause.verb != "avoid"]
        if attack.value is not None or [clause.verb for clause in body] != ["discard_placed"]:
            return True
        return bool(self.removable(Course(attack.side, card, attack.user, who), body[0], 1 - attack.side))

    def front_mates(self, attack: Attack, play: Play) -> list[int]:
        return [i for i in self.players[1 - attack.side].front_line() if i != play.user]

    def can_be_negated(self, attack: Attack, user: int, negate: Clause) -> bool:
        """Is it an attack with a Special of the sort that this card cancels (ruling 36)?"""
        may_be_special = attack.is_face_down or any(card.kind == "special" for card in attack.cards)
        if "own" in negate.words and user != attack.target:
            return False
        if "own" in negate.words and attack.value is None and not attack.is_face_down:
            lasting = [clause for clause in attack.cards[0].body if clause.verb in LASTING]
            if any(clause.scope() != "target" or "others" in clause.words for clause in lasting):
                return False
        return may_be_special and ("non_numeric" not in negate.words or attack.value is None)

    def would_forbid(self, attack: Attack, play: Play, first: Clause) -> bool:
        """Would the Special have forbidden this attack (rulings 34, 71)?"""
        mine, dark = play.user == attack.target, attack.is_face_down
        if first.verb == "no_attack_on":
            return (mine or first.scope() == "team") and self.forbids(first, attack)
        if first.verb == "only_attack_on":
            return mine and (dark or not attack.is_like(first))
        if first.verb == "grid":
            return mine and (dark or attack.type in tuple(first.types()))
        if first.verb == "no_use":
            rated = self.grid(attack.side, attack.user).get(first.of("icon"), 0) >= 7
            return rated and (dark or first.fits(attack.all_cards, attack.type, attack.value))
        return False

    def would_help(self, attack: Attack, play: Play, first: Clause) -> bool:
        """Could a defence follow that makes use of the Special (rulings 34, 39)?"""
        side, mine = 1 - attack.side, play.user == attack.target
        concerned = {"self": mine, "mate": not mine, "self_or_mate": True, "team": True}[first.scope()]
        concerned = concerned and (mine or self.players[side].team[attack.target].front)
        if first.verb == "power_defends":
            concerned = True
        elif attack.value is None:
            return False
        if play.card.clause("only_if") and attack.user not in self.hitters(side, play.user):
            return False
        if not concerned or attack.aided:
            return False
        course = Course(side, play.card, play.user, target=attack.user, mate=attack.target)
        before = list(self.effects)
        self.effects += [self.effect_of(course, c) for c in play.card.body if c.verb in HELP]
        attack.helped = next(c for c in play.card.body if c.verb in HELP)
        found = self.blocks(attack) + self.power_avoids(attack)
        self.effects, attack.helped = before, None
        return bool([p for p in found if (play.card, play.place) not in p.sources()])

    # ---------------------------------------------------------------- answers to what is declared on nobody

    def is_negated(self, side: int, play: Play) -> Asking:
        """May the opponent cancel a Special that is declared on nobody, and does he (rulings 36, 59)?"""
        other = 1 - side
        found: list[Play] = []
        for user in self.players[other].survivors():
            for card, place in self.own_cards(other, user):
                negate = card.clause("negate")
                if negate is None or not self.can_use(other, user, card) or "own" in negate.words:
                    continue
                if not self.players[other].team[user].front and not self.may_play_from_reserve(other, user, card):
                    continue
                if not self.may_not_use(other, user, [(card, place)], "", "defence", play.user):
                    found.append(Play(card, place, user))
        options = self.cards_of(other, found)
        chosen = yield from self.ask(other, options | {"take it": None})
        if chosen is None:
            return False
        chosen = yield from self.narrowed(other, chosen, lambda p: f"by {self.players[other].team[p.user].name}")
        self.happened["negated declaration"] += 1
        self.put_away(other, self.take(other, chosen[0].card, chosen[0].place))
        return True
