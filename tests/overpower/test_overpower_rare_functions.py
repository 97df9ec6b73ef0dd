"""Function codes that need a table of their own, continued: attacks nobody sees, attacks in parts, and the like."""

import random

import numpy as np
import pytest
from overpower_scenario import HEROES, VILLAINS, Table, check_cards, deck_file, heroes, villains
from test_overpower_functions import plays
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, icons, ops, phases
from overworlds.envs.overpower.state import NOBODY, STATE, character_hit, side_hit

# ---------------------------------------------------------------- cards of the hand


@plays("HM")
def test_a_card_is_drawn_for_each_one_discarded_in_this_battle():
    card = "Longshot: Purity Of Thought"
    hand = [card, "Energy 4", "Fighting 4", "Strength 4", "Fighting 5", "Energy 5", "Fighting 6", "Energy 6"]
    small = ["Fighting 1"] * 8
    team = ("Longshot (IQ)", "Superman (BS)", "Batman (BS)", "Robin (BS)")
    t = Table(more0=[*hand, *small], more1=small, team0=team)
    t.next_battle(hand, small)
    t.do("keep Fighting 4", "keep Fighting 5", "keep Fighting 6")  # two, one and one are discarded
    while t.decision != phases.TURN:
        t.may("done", "fight", "venture 1 from Reserve, 0 from Completed")
    t.stack(0, small[:5])
    t.do("play Fighting 4").may("by Superman").do("at Joker").may("take it", "pass")  # what is played does not count
    t.do(f"play {card}")
    assert t.hand(0) == ["Fighting 1"] * 4 + ["Fighting 5", "Fighting 6"]  # duplicates are kept


@plays("FB1")
def test_the_top_card_is_an_attack_or_it_is_discarded():
    def flipped(top, *hand):
        t = Table(["Two-Face: Flip Of The Coin", *hand], more0=[top], team1=HEROES,
                  team0=("Two-Face (BS)", "Joker (BS)", "Superman (BS)", "Catwoman (BS)"))  # fmt: skip
        t.stack(0, [top])
        return t.do("play Two-Face: Flip Of The Coin")

    specials = "Two-Face: .45 Automatic", "Superman: Heat Vision", "Any Character: Gamma Terror"
    for top in (
        "Fighting 6",
        "Strength 7",
        *specials,
    ):  # whoever could use it otherwise: Two-Face has no Strength 7, and is no hero
        t = flipped(top).may("as Energy").do("at Batman").may("take it")
        assert [name for name, _, _ in t.hits(1, "Batman")] == [top]
        assert t.hand(0) == []
    for top in ("Joker: Keys To The Kingdom", "Advance Warning", "Teamwork: 6F then EI +1 +2"):
        t = flipped(top)
        assert any(name.startswith(top) for name in t.dead(0))  # no attack, or nobody to follow it up
        assert t.hand(0) == []
    t = flipped("Teamwork: 6F then EI +1 +2", "Intellect 7")
    t.do("at Batman").may("take it")
    assert t.decision == phases.TARGET  # Joker's Intellect 7, which has to follow


@plays("FB2")
def test_a_card_drawn_blindly_from_the_hand_is_an_attack_or_it_is_discarded():
    card, team = "Trickster: The Shell Game", ("The Trickster (JL)", "Joker (BS)", "Superman (BS)", "Catwoman (BS)")
    for drawn in ("Energy 3", "Strength 7", "Superman: Heat Vision", "Joker: Keys To The Kingdom"):
        t = Table([card, drawn], team0=team, team1=HEROES, code_rule=False)
        t.do(f"play {card}", "at Batman").may("take it")
        if drawn != "Joker: Keys To The Kingdom":
            assert [name for name, _, _ in t.hits(1, "Batman")] == [drawn]
        else:
            assert drawn in t.dead(0)  # it is no attack
        assert t.hand(0) == []
    seen = set()
    for seed in range(12):
        hand = [card, "Advance Warning", "Training: EF +4", "Joker: Keys To The Kingdom"]
        t = Table(hand, team0=team, team1=HEROES, code_rule=False)
        t.k.resample(t.variant.rules, t.state, 0, seed)
        t.do(f"play {card}", "at Batman")
        assert len(t.hand(0)) == 2
        assert not t.s.players[0].known.any()  # the others have not been seen
        seen.update(set(t.dead(0)) - {card})
    assert len(seen) == 3


# ---------------------------------------------------------------- knock-outs


@plays("HP")
def test_somebody_else_falls_in_place_of_a_teammate():
    card = "Morph: Substitute Death"
    team = ("Batman (BS)", "Morph (IQ)", "Robin (BS)", "Superman (BS)")

    def falling(hand=(card,), placed=(), morph_in_front=True):
        t = Table(hand, ["Intellect 7"], team0=team, turn=1, placed0={"Morph": ["Intellect 6", *placed], "Batman":
                  ["Fighting 6"]}, more1=["Intellect 7", "Intellect 6", "Intellect 5", "Intellect 3"])  # fmt: skip
        if not morph_in_front:
            t.s.players[0].front[:] = [1, 0, 1, 1]
        t.hit(0, "Batman", "Intellect 7")
        t.hit(0, "Batman", "Intellect 6", current=True)
        t.hit(0, "Morph", "Intellect 3")
        t.hit(0, "Morph", "Intellect 5", current=True)
        return t.do("play Intellect 7").may("by Joker").do("at Batman").may("take it")

    for t in (falling(), falling((), (card,))):
        assert t.to_move == 0
        assert t.alive(0) == ["Morph", "Robin", "Superman"]
        t.do(t.legal()[-1])
        assert t.alive(0) == ["Batman", "Robin", "Superman"]
        assert t.front(0) == ["Batman", "Robin"]
        assert t.hits(0, "Batman") == [("Intellect 3", 3, False), ("Intellect 5", 5, True)]  # what lay on Morph
        assert t.hits(0, "Morph") == [("Intellect 6", 6, True), ("Intellect 7", 7, True)]
        assert t.placed(0, "Batman") == t.placed(0, "Morph") == []
        assert t.dead(0) == [card]
        assert t.total(1) == 7 + 6 + 5  # as before
        assert (t.to_move, t.decision) == (0, phases.TURN)
    t = falling().do("done")
    assert t.alive(0) == ["Morph", "Robin", "Superman"]
    assert t.hand(0) == [card]
    assert f"play {card}" not in t.legal()  # it is too late
    t = falling((), (card,), morph_in_front=False)
    assert t.alive(0) == ["Morph", "Robin", "Superman"]
    assert t.decision == phases.TURN  # the Reserve is not asked


def test_who_falls_in_place_of_another_leaves_the_attack_as_it_was():
    card = "Morph: Substitute Death"
    t = Table([card], ["Bane: Feral Rage", "Strength 5"], team0=("Batman (BS)", "Morph (IQ)", *HEROES[2:]),
              more1=["Intellect 7", "Intellect 6", "Intellect 5"], turn=1)  # fmt: skip
    for name in ("Intellect 7", "Intellect 6", "Intellect 5"):
        t.hit(0, "Batman", name)
    t.do("play Bane: Feral Rage", "at Batman", f"play {card}")
    assert t.alive(0) == ["Batman", "Robin", "Azrael"]
    assert (t.to_move, t.decision) == (1, phases.FOLLOW)  # the attack that the Special allows
    t.do("play Strength 5", "at Batman")
    assert t.hits(0, "Batman") == [("Strength 5", 5, True)]


# ---------------------------------------------------------------- attacks in parts


def four_fingers(enemy_hand, *cards):
    """Longshot attacks Joker with several small Power cards."""
    hand = ["Longshot: Four-Fingered Fury", "Fighting 5", "Energy 3", "MultiPower 1", *cards]
    placed = {"Longshot": ["Fighting 4"], "Batman": ["Fighting 3"]}
    t = Table(hand, enemy_hand, team0=heroes("Longshot (IQ)"), placed0=placed)
    return t.do("play Longshot: Four-Fingered Fury")


@plays("BU")
def test_several_small_power_cards_are_one_attack():
    t = four_fingers([], "Fighting 1", "Fighting 2")
    assert t.legal() == ["play Fighting 1", "play Fighting 2", "play Fighting 4, placed on Longshot"]
    t.do("play Fighting 4, placed on Longshot", "play Fighting 1")
    assert t.legal() == ["alone", "play Fighting 2"]
    t.do("play Fighting 2", "at Joker")
    assert t.s.attack.value == 7
    assert t.hits(1, "Joker") == [("Fighting 1", 1, True), ("Fighting 2", 2, True), ("Fighting 4", 4, True)]
    assert t.dead(0) == ["Longshot: Four-Fingered Fury"]
    assert t.total(0) == 7
    t = Table(["Longshot: Four-Fingered Fury", "Fighting 5"], team0=heroes("Longshot (IQ)"))
    assert "play Longshot: Four-Fingered Fury" not in t.legal()  # no Power card from 1 to 4
    t = Table(["Catwoman: Whip Strike", "Strength 2", "Strength 3"], team0=VILLAINS[::-1], team1=HEROES)
    t.do("play Catwoman: Whip Strike", "at Batman")  # her Strength is 2
    assert t.hits(1, "Batman") == [("Strength 2", 2, True)]


def test_an_attack_of_several_power_cards_is_blocked_as_a_whole_or_card_by_card():
    parts = ["play Fighting 4, placed on Longshot", "play Fighting 1", "play Fighting 2", "at Joker"]
    t = four_fingers(["Intellect 7", "Intellect 3", "Energy 1"], "Fighting 1", "Fighting 2").do(*parts)
    assert t.legal() == ["take it", "play Energy 1", "play Intellect 3", "play Intellect 7"]
    t.do("play Intellect 7")  # the whole
    assert t.hits(1, "Joker") == []
    assert t.pack(0) == ["Fighting 1", "Fighting 2", "Fighting 4"]
    t = four_fingers(["Intellect 3", "Energy 1"], "Fighting 1", "Fighting 2").do(*parts)
    t.do("play Intellect 3")  # the 2: the greatest that it reaches
    assert t.s.attack.value == 5
    assert t.pack(0) == ["Fighting 2"]
    assert t.legal() == ["take it", "play Energy 1"]
    t.do("play Energy 1")
    assert t.hits(1, "Joker") == [("Fighting 4", 4, True)]
    assert t.pack(1) == ["Energy 1", "Intellect 3"]
    t = four_fingers(["Intellect 2", "Energy 1"], "Fighting 1", "Fighting 2")
    t.do("play Fighting 1", "play Fighting 2", "alone", "at Joker", "play Intellect 2", "play Energy 1")
    assert t.hits(1, "Joker") == []  # all of it, one after the other
    assert t.decision == phases.TURN


# ---------------------------------------------------------------- attacks that lie face down


def in_the_dark(hand, enemy_hand, *choices, **more):
    """Riddler attacks face down, in this battle, from this turn on."""
    card = "Riddler: Master Of Misdirection"
    t = Table([card, *hand], enemy_hand, team0=villains("Riddler (BS)"), team1=HEROES, **more)
    return t.do(f"play {card}", *choices)


@plays("BK1")
def test_an_attack_face_down_is_answered_in_the_dark():
    enemy = ["Fighting 5", "Fighting 7", "Flying Kick"]
    attack = ("play Intellect 6", "at Batman")
    t = in_the_dark(["Intellect 6", "Fighting 2"], enemy, *attack)
    assert (t.to_move, t.decision) == (1, phases.DEFEND)
    assert "play Fighting 5" in t.legal()  # it would not be offered against a 6
    assert "Riddler plays cards face down on Batman" in GAME.ansi(t.variant, t.state, 1)
    t.do("play Fighting 5", "alone")
    assert t.hits(1, "Batman") == [("Intellect 6", 6, True)]  # too little: it is lost, and the attack hits
    assert t.pack(1) == ["Fighting 5"]
    t = in_the_dark(["Intellect 6", "Fighting 2"], enemy, *attack)
    t.do("play Fighting 7", "alone")
    assert t.hits(1, "Batman") == []
    assert (t.pack(0), t.pack(1)) == (["Intellect 6"], ["Fighting 7"])
    t = in_the_dark(["Intellect 6", "Fighting 2"], enemy, *attack)
    t.do("play Fighting 5", "play Flying Kick: 7 Fighting +2")  # 7
    assert t.hits(1, "Batman") == []
    t = in_the_dark(["Intellect 6", "Fighting 2"], enemy, *attack)
    t.do("take it")
    assert t.hits(1, "Batman") == [("Intellect 6", 6, True)]
    t.do("pass", "play Fighting 2").may("by Riddler").do("at Robin")  # for the rest of the battle
    assert t.s.attack.kind == NOBODY
    assert t.decision == phases.DEFEND


def test_specials_and_second_cards_face_down():
    card = "Riddler: Colt Revolver"
    t = in_the_dark([card, "Intellect 5"], ["Fighting 1"], f"play {card}", "at Superman")
    t.do("play Fighting 1")  # against a 2
    assert t.hits(1, "Superman") == [(card, 2, True)]
    assert (t.to_move, t.decision) == (0, phases.FOLLOW)  # what the Special allows
    t.do("play Intellect 5", "at Superman").may("take it")
    assert t.hits(1, "Superman") == [("Intellect 5", 5, True), (card, 2, True)]
    t = in_the_dark(["Intellect 5", "Advance Warning"], ["Fighting 6"])
    t.do(
        "done",
        "pass",
        "play Intellect 5",
        "by Riddler",
        "play Advance Warning: 7 Intellect +1",
        "at Batman",
        "play Fighting 6",
    )
    assert t.hits(1, "Batman") == []
    assert t.dead(0) == ["Advance Warning: 7 Intellect +1"]


def test_avoiding_shifting_and_negating_in_the_dark():
    avoid = "Superman: Defying Earth's Gravity"  # attacks of Energy or Fighting
    for attack, hits in (("Fighting 5", False), ("Intellect 5", True), ("MultiPower 3", False)):
        t = in_the_dark([attack], [avoid], f"play {attack}").may("as Intellect").do("at Superman")
        t.do(f"play {avoid}")
        assert t.dead(1) == [avoid]  # also in vain
        assert (t.hits(1, "Superman") != []) == hits  # a MultiPower card is of the type that the defender likes
    card, negate, shift = "Riddler: Master Of Misdirection", "Scarlet Witch: Change Outcome", "Steel: Human Shield"
    team = ("Scarlet Witch (IQ)", "Steel (BS)", *HEROES[:2])
    for attack in ("Intellect 6", "Riddler: Death Trap", "Riddler: Colt Revolver"):
        t = Table([card, attack], [negate], team0=villains("Riddler (BS)"), team1=team)
        t.do(f"play {card}", "take it", f"play {attack}", "at Batman", f"play {negate}")
        assert t.dead(1) == [negate]
        negated = attack == "Riddler: Colt Revolver"  # only a Special is, and not one that no Special defends against
        assert (t.hits(1, "Batman") == []) == negated
    t = Table([card, "Intellect 6"], [shift, "Strength 6"], team0=villains("Riddler (BS)"), team1=team)
    t.do(f"play {card}", "play Intellect 6", "at Batman", f"play {shift}")
    assert t.s.attack.target == t.who(1, "Steel")
    assert t.s.attack.kind == NOBODY  # it still lies face down
    t.do("take it")
    assert t.hits(1, "Steel") == [("Intellect 6", 6, True)]
    assert t.hits(1, "Batman") == []


def test_placed_cards_and_attacks_without_a_number_do_not_lie_face_down():
    t = in_the_dark([], ["Fighting 5"], "play Intellect 6, placed on Riddler", "at Batman",
                    placed0={"Riddler": ["Intellect 6"]})  # fmt: skip
    assert t.hits(1, "Batman") == [("Intellect 6", 6, True)]  # everybody has seen it: a 5 is not offered
    t = in_the_dark(["Fighting 2"], ["Fighting 5"])
    t.do("done", "pass", "play Fighting 2")
    assert t.legal() == ["by Riddler", "by Joker", "by Bane"]
    t.do("by Joker", "at Batman")
    assert t.s.attack.value == 2  # the others attack openly


def test_nobody_learns_what_lies_face_down():
    """Whatever the attack is, its target sees the same; and redrawing finds all that it could be."""
    hands = (["Intellect 6", "Fighting 2"], ["Fighting 2", "Intellect 6"])
    views, states = [], []
    for hand in hands:
        t = in_the_dark(["Intellect 6", "Fighting 2"], ["Fighting 5"], f"play {hand[0]}", "at Batman")
        out = np.zeros(t.variant.observation_size, np.int8)
        t.k.observe(t.variant.rules, t.state, 1, out)
        views.append([*out.tolist(), GAME.ansi(t.variant, t.state, 1), t.legal()])
        states.append(t)
    assert views[0] == views[1]
    t = states[0]
    found = set()
    for seed in range(60):
        other = t.state.copy()
        t.k.resample(t.variant.rules, other, 1, seed)
        check_cards(t.variant, other)
        s = other.view(STATE)[0]
        assert s.players[0].hand[s.concealed.kind] > 0
        assert s.players[0].hand.sum() == 2
        found.add(t.decks[0].kinds[s.concealed.kind].name)
        out = np.zeros(t.variant.observation_size, np.int8)
        t.k.observe(t.variant.rules, other, 1, out)
        assert out.tolist() == views[0][:-2]
        t.k.step(t.variant.rules, other, t.variant.action_id("take it", 1))
        check_cards(t.variant, other)
        (hit,) = s.hits[: s.hits_n]
        assert (side_hit(hit), character_hit(hit)) == (1, 0)
    assert found == {"Intellect 6", "Fighting 2", "Fighting 1", "MultiPower 1"}
    t.k.resample(t.variant.rules, t.state, 0, 5)  # its player knows it
    assert t.decks[0].kinds[t.s.concealed.kind].name == "Intellect 6"


def test_answers_in_the_dark_know_who_attacks_and_whom_but_not_with_what():
    """DT needs some Power card in the record, and HE an attacker with that rating, before anything is turned over."""
    card, attack = "Riddler: Master Of Misdirection", ("play Fighting 2", "by Riddler")
    circuits, fighter = "Sentinels: Learning Circuits", "Blob: Flabby Fighter"
    for recorded, hit in ((None, True), ("Energy 2", False), ("Energy 3", True)):
        t = Table([card, "Fighting 2"], [circuits], team0=villains("Riddler (BS)"), more0=["Energy 2", "Energy 3"],
                  team1=("Sentinels (IQ)", *HEROES[:3]), code_rule=False)  # fmt: skip
        if recorded:
            t.hit(1, "Sentinels", recorded)
        t.do(f"play {card}", attack[0]).may(attack[1]).do("at Sentinels")
        if recorded:
            t.do(f"play {circuits}")
        assert (("Fighting 2", 2, True) in t.hits(1, "Sentinels")) == hit
        assert (circuits in t.dead(1)) == (recorded == "Energy 3")  # played in vain, for another value
    for rating, asked in ((6, False), (7, True)):
        t = Table([card, "Fighting 2"], [fighter], team0=villains("Riddler (BS)"), team1=("Blob (IQ)", *HEROES[:3]),
                  code_rule=False)  # fmt: skip
        t.s.players[0].grid[0, 1] = rating
        t.do(f"play {card}", attack[0]).may(attack[1]).do("at Batman")
        assert (t.decision == phases.DEFEND) == asked


def test_a_multipower_card_face_down_is_of_a_type_that_may_not_attack():
    """CD2 lets attacks of one type through, and stops one that could be of another as the defender likes it best."""
    card, fury = "Riddler: Master Of Misdirection", "Black Cat: Feline Fury"
    for attack, stopped in (("MultiPower 3", True), ("Energy 3", True), ("Fighting 2", False)):
        t = Table([card, attack], [fury], team0=villains("Riddler (BS)"), team1=("Black Cat (IQ)", *HEROES[:3]),
                  code_rule=False)  # fmt: skip
        t.do(f"play {card}", f"play {attack}").may("by Riddler", "as Fighting").do("at Black Cat", f"play {fury}")
        assert (t.hits(1, "Black Cat") == []) == stopped
        assert (t.dead(1) == []) == stopped  # else it was played in vain


def test_a_power_card_that_avoids_is_enough_in_the_dark():
    """HG: by somebody who could block with it as well, against more than its value."""
    t = Table(["Wolverine: Canucklehead", "Fighting 6"], ["Riddler: Master Of Misdirection", "Intellect 7"], turn=1,
              team0=("Wolverine (IQ)", *HEROES[:3]), team1=villains("Riddler (BS)"))  # fmt: skip
    t.do("play Riddler: Master Of Misdirection", "done", "play Wolverine: Canucklehead")
    t.do("play Intellect 7").may("by Riddler").do("at Wolverine", "play Fighting 6").may("by Wolverine", "alone")
    assert t.hits(0, "Wolverine") == []
    assert (t.pack(0), t.pack(1)) == (["Fighting 6"], ["Intellect 7"])


def test_a_hand_that_lies_open_is_not_redrawn():
    card = "Wonder Woman: Lasso Of Truth"
    t = Table([card], ["Intellect 7", "Fighting 5"], team0=heroes("Wonder Woman (JL)"), more1=["Intellect 6"] * 9)
    t.do(f"play {card}")
    for seed in range(5):
        t.k.resample(t.variant.rules, t.state, 0, seed)
        assert t.hand(1) == ["Fighting 5", "Intellect 7"]


# ---------------------------------------------------------------- all of them in whole games

TEAMS = (
    ("Riddler (BS)", "Longshot (IQ)", "Morph (IQ)", "Super Skrull (IQ)"),
    ("The Trickster (JL)", "Daredevil (IQ)", "Mysterio (IQ)", "Catwoman (BS)"),
)
SPECIALS = (
    ["Riddler: Master Of Misdirection", "Longshot: Purity Of Thought", "Morph: Substitute Death"]
    + ["Longshot: Four-Fingered Fury", "Super Skrull: Fists Of Stone", "Riddler: Colt Revolver"] * 3,
    ["Trickster: The Shell Game", "Daredevil: Blind Man's Bluff", "Mysterio: Alter Perception"]
    + ["Catwoman: Whip Strike", "Daredevil: Alertness", "Daredevil: Hypersenses"] * 3,
)
POWER = [f"{power} {value}" for power in ("Energy", "Fighting", "Strength", "Intellect") for value in (1, 2, 3, 4)]


def watch(variant, seed):
    """What to look at before every move of a random game: no card is lost, and what a seat sees does not depend on
    what it cannot know, even some moves later."""
    one, two = (np.zeros(variant.observation_size, np.int8) for _ in range(2))
    ids = np.zeros(variant.num_actions, np.int32)
    rng = random.Random(seed)

    def look(state, legal, action):
        check_cards(variant, state)
        s = state.view(STATE)[0]
        if rng.random() < (0.5 if s.concealed.kind != NOBODY else 0.9):
            return
        for seat in range(2):
            other = state.copy()
            GAME.kernels.resample(variant.rules, other, seat, len(legal))
            check_cards(variant, other)
            GAME.kernels.observe(variant.rules, state, seat, one)
            GAME.kernels.observe(variant.rules, other, seat, two)
            assert (one == two).all(), np.flatnonzero(one != two)
            if seat == s.head.to_move:
                assert ids[: GAME.kernels.legal(variant.rules, other, ids)].tolist() == legal
                go_on(other)

    def go_on(state):
        for _ in range(6):
            if state.view(STATE)[0].head.to_move == OVER:
                return
            GAME.kernels.step(variant.rules, state, rng.choice(ids[: GAME.kernels.legal(variant.rules, state, ids)]))
            check_cards(variant, state)

    return look


@pytest.mark.parametrize("seed", range(100 if COMPILED else 2))
def test_random_games_with_rare_functions(seed):
    decks = [
        deck_file(team, [*cards, *POWER, *POWER, "Energy 6", "Fighting 5", "Intellect 6"], "Race Against Crime")
        for team, cards in zip(TEAMS, SPECIALS, strict=True)
    ]
    variant = Variant(GAME, 2, {"deck0": decks[0], "deck1": decks[1], "events": False, "sum_rule": False})
    check_cards(variant, random_game(variant, seed, watch(variant, seed)))


def let_everybody_attack_face_down(s):
    """As if all characters had played such a Special, for the whole game."""
    for side in range(2):
        e = s.effects[s.effects_n]
        s.effects_n += 1
        e.op, e.side, e.who, e.until, e.kind = ops.FACE_DOWN, side, NOBODY, icons.GAME, NOBODY
        e.by_side, e.by = side, NOBODY
    s.in_play |= ops.set_of_lasting(ops.FACE_DOWN)


def test_random_games_in_which_everybody_attacks_face_down():
    hidden = 0
    for seed in range(100 if COMPILED else 6):
        variant = variant_for(seed)
        watched = watch(variant, seed)

        def look(state, legal, action, watched=watched):
            nonlocal hidden
            s = state.view(STATE)[0]
            if s.head.ply == 0:
                let_everybody_attack_face_down(s)
            hidden += s.concealed.kind != NOBODY
            watched(state, legal, action)

        check_cards(variant, random_game(variant, seed, look, patience=1))
    assert hidden > 10
