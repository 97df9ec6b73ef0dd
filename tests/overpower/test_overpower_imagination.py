"""Every hand that is imagined could have been dealt: the battle is played again with it, and looks the same."""

import heapq
import random

import numpy as np
import pytest
from overpower_scenario import HEROES, VILLAINS, Table
from test_overpower_hidden import imagined
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, actions, phases
from overworlds.envs.overpower.cards import cards
from overworlds.envs.overpower.sight import how_many, is_imaginable, is_spied, take_back
from overworlds.envs.overpower.state import KINDS, RULES, STATE

HARMLESS = (actions.DONE, actions.TAKE, actions.ALONE)
"""What somebody answers of whom nobody notices that he was asked."""


def unseen(p):
    """The cards of a hand that the opponent has not seen."""
    return [kind for kind in range(KINDS) for _ in range(int(p.hand[kind]) - int(p.known[kind]))]


class Battle:
    """One battle as one player saw it, from its first decision on."""

    def __init__(self, variant, viewer):
        self.variant, self.viewer, self.foe = variant, viewer, 1 - viewer
        self.out = np.zeros(variant.observation_size, np.int8)
        self.ids = np.zeros(variant.num_actions, np.int32)
        self.number, self.start, self.decisions = 0, None, []

    def seen(self, state):
        """All that the viewer sees."""
        GAME.kernels.observe(self.variant.rules, state, self.viewer, self.out)
        return self.out.tobytes()

    def legal(self, state):
        return self.ids[: GAME.kernels.legal(self.variant.rules, state, self.ids)].tolist()

    def after(self, state, action):
        """The state after this action."""
        other = state.copy()
        GAME.kernels.step(self.variant.rules, other, action)
        return other

    def note(self, state, legal, action):
        """A decision of either player, before it is carried out."""
        s = state.view(STATE)[0]
        if s.battle != self.number:
            self.number, self.start, self.decisions = int(s.battle), state.copy(), []
        mine = s.head.to_move == self.viewer
        self.decisions.append((int(s.head.to_move), action, (legal, self.seen(state)) if mine else None))

    def could_have_been(self, state, other, rng, tries=60):
        """Can the viewer have come from the battle's first decision to this state, if it is really this other one?"""
        p, q = state.view(STATE)[0].players[self.foe], other.view(STATE)[0].players[self.foe]
        if p.hand.tolist() == q.hand.tolist():
            return True
        for _ in range(tries):
            start = self.dealt_otherwise(p, q, rng)
            if start is not None and self.leads_to(start, state, q.hand.tolist()):
                return True
        return False

    def dealt_otherwise(self, p, q, rng):
        """The battle's beginning, where the unseen cards of the foe's hand are others, wherever they came from."""
        state = self.start.copy()
        start = state.view(STATE)[0].players[self.foe]
        hidden = [("hand", i) for i in range(len(unseen(start)))]
        hidden += [("pile", i) for i in range(int(start.draw_n)) if not is_spied(start, i)]
        card = {place: unseen(start)[place[1]] if place[0] == "hand" else int(start.draw[place[1]]) for place in hidden}
        drawn = [place for place in hidden if place[0] == "hand" or place[1] >= p.draw_n]
        free = set(hidden)

        def take(kind, likely):
            places = [place for place in hidden if place in free and card[place] == kind]
            places = [place for place in places if (place in drawn) == likely and rng.random() < 0.9] or places
            if not places:
                return None
            free.discard(place := rng.choice(places))
            return place

        was, now = unseen(p), unseen(q)
        come = [kind for kind in set(now) for _ in range(now.count(kind) - was.count(kind))]
        gone = [kind for kind in set(was) for _ in range(was.count(kind) - now.count(kind))]
        origins, piled = [take(kind, True) for kind in was], [take(kind, False) for kind in come]
        if None in origins or None in piled:
            return None
        rng.shuffle(now)
        rng.shuffle(gone)
        card |= dict(zip(origins + piled, now + gone, strict=True))
        for _ in range(rng.choice((0, 0, 1, 3))):  # what was shown since then came otherwise, too
            one, two = rng.choice(drawn), rng.choice(drawn)
            card[one], card[two] = card[two], card[one]
        for kind in unseen(start):
            start.hand[kind] -= 1
        for (where, i), kind in card.items():
            if where == "hand":
                start.hand[kind] += 1
            else:
                start.draw[i] = kind
        return state

    def leads_to(self, start, end, hand, budget=400):
        """Can the battle go on from here to this end in the viewer's eyes, with this hand?

        The foe may decide otherwise, or be asked more or less often; likely ways are tried first.
        """
        tried, todo = 0, [(0, 0, 0, start)]
        while todo and budget:
            cost, at, _, state = heapq.heappop(todo)
            budget -= 1
            at = -at
            s = state.view(STATE)[0]
            ways = []
            if s.head.to_move == OVER or s.battle != self.number:
                continue
            if at == len(self.decisions):
                same = s.head.to_move == end.view(STATE)[0].head.to_move and self.seen(state) == self.seen(end)
                if same and s.players[self.foe].hand.tolist() == hand:
                    return True
            who, action, seen = self.decisions[at] if at < len(self.decisions) else (self.viewer, None, None)
            if s.head.to_move == self.viewer:
                if who == self.foe:
                    ways = [(0, at + 1, state)]
                elif seen == (self.legal(state), self.seen(state)):
                    ways = [(0, at + 1, self.after(state, action))]
            else:
                for choice in self.legal(state):
                    then = self.after(state, choice)
                    more = 0 if (choice == action and who == self.foe) else int(choice not in HARMLESS)
                    ways.append((more, at if who == self.viewer else at + 1, then))
                    if who == self.foe and choice != action:
                        ways.append((1 - (choice in HARMLESS), at, then))
                if who == self.foe:
                    ways.append((1, at + 1, state))
            for more, then, other in ways:
                tried += 1
                heapq.heappush(todo, (cost + more, -then, tried, other))
        return False


def imagine(seed, share):
    """Play a game at random; of the hands imagined on the way, how many were there, and which could not have been?"""
    variant, rng = variant_for(seed), random.Random(seed)
    battles, count, impossible = [Battle(variant, seat) for seat in range(2)], 0, []

    def look(state, legal, action):
        nonlocal count
        for battle in battles:
            if battle.number == state.view(STATE)[0].battle and rng.random() < share:
                other = state.copy()
                GAME.kernels.resample(variant.rules, other, battle.viewer, rng.randrange(10**6))
                count += 1
                if not battle.could_have_been(state, other, random.Random(count)):
                    impossible.append((seed, battle.viewer, battle.number, len(battle.decisions)))
            battle.note(state, legal, action)

    random_game(variant, seed, look)
    return count, impossible


def check_imagination(seeds, share):
    """Nearly all can be shown to be possible: the search for a proof does not look into shuffles."""
    found = [imagine(seed, share) for seed in seeds]
    count, impossible = sum(n for n, _ in found), [which for _, some in found for which in some]
    assert count > 100
    assert len(impossible) <= 0.015 * count, impossible


@pytest.mark.skipif(not COMPILED, reason="some ten thousand battles")
def test_imagined_hands_could_have_been_dealt():
    check_imagination(range(40), 0.05)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="some million battles")
def test_many_imagined_hands_could_have_been_dealt():
    check_imagination(range(1000, 1600), 0.05)


@pytest.mark.parametrize("seed", range(60 if COMPILED else 2))
def test_the_true_hand_is_among_those_that_may_be_imagined(seed):
    variant = variant_for(seed)
    decks = variant.rules.view(RULES)[0].decks

    def look(state, legal, action):
        for side, p in enumerate(state.copy().view(STATE)[0].players):
            take_back(p)
            assert is_imaginable(decks[side], p)
            assert how_many(int(p.backs)) == len(unseen(p))

    random_game(variant, seed, look)


# ---------------------------------------------------------------- what follows from cards that were shown


def powers(hands, value):
    """The Power cards of this value in these hands."""
    return {name for names in hands for name in names if name.endswith(f" {value}")}


SEVENS = ["Strength 7", "Intellect 7", "MultiPower 4", "Strength 6"]


def test_who_has_shown_a_power_card_has_no_other_of_its_value():
    """Hands were cleared of duplicates before: a 7 that is played was the only one."""
    t = Table([], ["Fighting 7", "Energy 5", "Strength 6"], team0=VILLAINS, team1=HEROES, more1=SEVENS * 4, turn=1)
    t.s.players[1].unique = -1
    assert len(powers(imagined(t, 1), 7)) > 1
    t.do("play Fighting 7").may("by Superman", "by Batman", "at Joker", "alone", "take it")
    assert not powers(imagined(t, 1), 7)


def test_a_card_that_came_after_the_clearing_may_be_a_duplicate():
    t = Table([], ["Fighting 7", "Energy 5"], team0=VILLAINS, team1=HEROES, more1=SEVENS * 4, turn=1)
    t.s.players[1].unique = -1
    t.deal(1, "Strength 6")  # nobody has looked for duplicates since
    t.do("play Fighting 7").may("by Superman", "by Batman", "at Joker", "alone", "take it")
    assert powers(imagined(t, 1), 7)


def test_who_had_a_placed_card_when_hands_were_cleared_had_no_other():
    """A 6 on the Front Line counts as part of the hand, also when it has been played."""
    hand = ["Fighting 5", "Energy 4", "Energy 3", "Energy 2", "Fighting 1", "Fighting 1", "Fighting 1", "Fighting 1"]
    t = Table(team0=VILLAINS, team1=HEROES, placed1={"Superman": ["Strength 6"]}, turn=1,
              more0=["Fighting 1"] * 8, more1=[*hand, *["Energy 6", "Fighting 6"] * 6])  # fmt: skip
    t.next_battle(["Fighting 1"] * 8, hand)
    while t.decision != phases.TURN:
        t.may("done", "venture 1 from Reserve, 0 from Completed", "fight")
    t.do("play Strength 6, placed on Superman").may("at Joker", "alone", "take it")
    assert len({tuple(names) for names in imagined(t, 1)}) > 1
    assert not powers(imagined(t, 1), 6)


def test_who_has_to_place_all_he_can_holds_nothing_that_could_be_placed():
    """An Event: what stays in hand finds no place on the Front Line."""
    event = next(card for card in cards().values() if "must_place" in card.effect)
    hand = ["Fighting 5", "Fighting 4", "Fighting 3", "Fighting 2", "Energy 1", "Energy 2", "Energy 3"]
    t = Table(more0=["Fighting 1"] * 9, more1=[event.name, *hand, *["Flying Kick", "Batman: Batarang"] * 4],
              team0=VILLAINS, team1=HEROES, mission=event.mission, events=True)  # fmt: skip
    t.next_battle(["Fighting 1"] * 8, [event.name, *hand])
    while t.decision != phases.VENTURE:
        t.do(t.legal()[-1])
    assert imagined(t, 1) != []
    assert not any(name in ("Flying Kick: 7 Fighting +2", "Batman: Batarang") for h in imagined(t, 1) for name in h)


def test_of_two_duplicates_one_came_after_the_clearing():
    """A 7 came later, nobody knows which: once both have been shown, nothing else can have come then."""
    t = Table([], ["Fighting 7", "Energy 5"], team0=VILLAINS, team1=HEROES, more1=SEVENS * 4, turn=1)
    p = t.s.players[1]
    p.unique = -1
    p.since[t.kind(1, "Strength 6")] = p.came  # no 6 was there then
    t.deal(1, "Strength 7")
    assert powers(imagined(t, 1), 6)
    t.do("play Fighting 7").may("by Superman", "by Batman", "at Joker", "alone", "take it").do("pass")
    t.do("play Strength 7").may("by Superman", "at Joker", "alone", "take it")
    assert t.hand(1) == ["Energy 5"]
    assert not powers(imagined(t, 1), 6)


def test_a_card_like_one_that_was_searched_for_does_not_make_the_search_forgotten():
    """Avenging Angel finds a Basic Universe card. If Flying Kick was not the one, another one still is."""
    t = Table([], ["Azrael: Avenging Angel", "Flying Kick", "Fighting 5"], team0=VILLAINS, turn=1,
              team1=("Azrael (BS)", *HEROES[:3]), more1=["Advance Warning", *["Strength 6"] * 12])  # fmt: skip
    p = t.s.players[1]
    p.since[t.kind(1, "Strength 6")] = p.came
    t.do("play Azrael: Avenging Angel").may("fetch Advance Warning: 7 Intellect +1").do("pass")
    t.do("play Fighting 5").may("by Azrael", "play Flying Kick: 7 Fighting +2", "at Joker", "take it")
    assert t.hand(1) == ["Advance Warning: 7 Intellect +1"]
    assert not powers(imagined(t, 1), 6)
