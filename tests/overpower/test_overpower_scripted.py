"""The habits of the scripted player: whom it attacks, how it defends, what it ventures, when it concedes."""

import numpy as np
from overpower_scenario import Table

from overworlds.envs.overpower import GAME, phases

SEEDS = range(8)
"""It breaks ties at random, so a habit must show with every seed."""


def wish(t, seed=0, freedom=0.0):
    """What it would do now."""
    ids = np.zeros(t.variant.num_actions, np.int32)
    n = t.k.legal(t.variant.rules, t.state, ids)
    scripted = GAME.policy("scripted")
    params = np.full(1, freedom, np.float32)
    action = scripted.kernel(params, t.variant.rules, t.state, ids, n, seed)
    return t.variant.action_names(t.to_move)[action]


def go_on(t, seed, until):
    """Let it play until this is asked."""
    for _ in range(20):
        if t.decision == until:
            return t
        t.do(wish(t, seed))
    raise AssertionError(f"nobody was asked for {phases.NAMES[until]}")


def test_it_attacks_whom_it_can_knock_out_by_points():
    for seed in SEEDS:
        t = Table(["Fighting 6"], more0=["Fighting 8", "Fighting 7", "Fighting 5"])
        t.hit(1, "Bane", "Fighting 8")
        t.hit(1, "Bane", "Fighting 7")
        t.hit(1, "Joker", "Fighting 5")
        assert wish(go_on(t, seed, phases.TARGET), seed) == "at Bane"


def test_it_attacks_whom_it_can_knock_out_by_a_spectrum():
    for seed in SEEDS:
        t = Table(["Fighting 4"], more0=["Energy 1", "Strength 1", "Fighting 8", "Fighting 7"])
        t.hit(1, "Joker", "Energy 1")
        t.hit(1, "Joker", "Strength 1")
        t.hit(1, "Bane", "Fighting 8")
        t.hit(1, "Bane", "Fighting 7")
        assert wish(go_on(t, seed, phases.TARGET), seed) == "at Joker"


def test_otherwise_it_attacks_who_is_nearest_to_a_knock_out():
    for seed in SEEDS:
        t = Table(["Fighting 4"], more0=["Fighting 8"])
        t.hit(1, "Two-Face", "Fighting 8")
        assert wish(go_on(t, seed, phases.TARGET), seed) == "at Two-Face"


def test_it_blocks_with_the_smallest_card_that_does():
    for seed in SEEDS:
        t = Table(["Fighting 6"], ["Intellect 7", "Intellect 6", "Intellect 5"])
        t.do("play Fighting 6").may("by Batman").do("at Joker")
        assert t.legal() == ["take it", "play Intellect 6", "play Intellect 7"]
        assert wish(t, seed) == "play Intellect 6"


def test_it_lets_a_small_attack_hit():
    for seed in SEEDS:
        t = Table(["Fighting 2"], ["Fighting 5"])
        t.do("play Fighting 2").may("by Batman").do("at Bane")
        assert wish(t, seed) == "take it"


def test_it_blocks_a_small_attack_that_would_complete_a_spectrum():
    for seed in SEEDS:
        t = Table(["Fighting 2"], ["Fighting 5"], more0=["Energy 1", "Strength 1"])
        t.hit(1, "Bane", "Energy 1")
        t.hit(1, "Bane", "Strength 1")
        t.do("play Fighting 2").may("by Batman").do("at Bane")
        assert wish(t, seed) == "play Fighting 5"


STRONG = ["Fighting 8", "Fighting 7", "Fighting 6", "Fighting 5", "Energy 4", "Superman: Heat Vision",
          "Batman: Batarang", "Flying Kick"]  # fmt: skip
WEAK = ["Fighting 1", "Fighting 2", "MultiPower 1", "Energy 1", "Strength 1", "Intellect 1", "Energy 2", "Strength 2"]


def asked(hand, what, seed=0):
    """A battle with this hand, when its player, the first, is asked this."""
    t = Table(more0=hand, more1=WEAK).next_battle(hand, WEAK)
    for _ in range(30):
        if t.to_move == 0 and t.decision == what:
            return t
        t.do(wish(t, seed))
    raise AssertionError(f"nobody was asked for {phases.NAMES[what]}")


def test_it_ventures_by_the_strength_of_its_hand():
    for seed in SEEDS:
        assert wish(asked(STRONG, phases.VENTURE, seed), seed) == "venture 2 from Reserve, 0 from Completed"
        assert wish(asked(WEAK, phases.VENTURE, seed), seed) == "venture 1 from Reserve, 0 from Completed"


def test_it_concedes_a_bad_hand_before_the_battle():
    for seed in SEEDS:
        assert wish(asked(STRONG, phases.CONCEDE, seed), seed) == "fight"
        assert wish(asked(WEAK, phases.CONCEDE, seed), seed) == "concede"


def test_with_a_freedom_it_also_names_what_is_hardly_worse():
    t = Table(["Fighting 6"], ["Intellect 7", "Intellect 6", "Intellect 5"])
    t.do("play Fighting 6").may("by Batman").do("at Joker")
    assert {wish(t, seed, freedom=0.5) for seed in SEEDS} == {"play Intellect 6"}
    assert {wish(t, seed, freedom=1.0) for seed in SEEDS} == {"take it", "play Intellect 6", "play Intellect 7"}


def test_no_freedom_makes_it_do_what_it_never_does():
    t = go_on(Table(["Fighting 6", "Fighting 8", "Fighting 7"]), 0, phases.TURN)
    assert "concede" in t.legal()
    assert "concede" not in {wish(t, seed, freedom=5000.0) for seed in range(40)}


def test_it_does_not_let_its_last_character_be_hit():
    """A small attack is taken by one of many, and blocked for the last one."""
    for seed in SEEDS:
        for alone in (False, True):
            t = Table(["Fighting 2"], ["Intellect 7"])
            t.s.players[1].alive[1:] = not alone
            t.do("play Fighting 2").may("by Batman").may("at Joker")
            assert wish(t, seed) == ("play Intellect 7" if alone else "take it")


def test_it_places_on_the_reserve_what_nobody_else_can_use():
    """A Special of the Reserve would be discarded."""
    for seed in SEEDS:
        t = Table(["Azrael: Flaming Sword", "Fighting 2"])
        t.ask(0, phases.PLACE, phases.PLACING)
        assert wish(t, seed) == "place Azrael: Flaming Sword on Azrael"
