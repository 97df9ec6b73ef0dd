"""What a player knows of the other's hand and Draw Pile, and redrawing the rest."""

import random

import numpy as np
from overpower_scenario import HEROES, Table, check_cards
from test_overpower_kernels import COMPILED, random_game, variant_for

from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, phases
from overworlds.envs.overpower.state import STATE


def resampled(t, seat, seed):
    """The state as this seat may imagine it."""
    other = t.state.copy()
    t.k.resample(t.variant.rules, other, seat, seed)
    check_cards(t.variant, other)
    return other.view(STATE)[0]


def hand(t, s, side):
    """The names of the cards in a hand."""
    return sorted(c.name for k, c in enumerate(t.decks[side].kinds) for _ in range(s.players[side].hand[k]))


def test_a_reserve_that_is_not_chosen_yet_is_not_drawn():
    variant = variant_for(1)
    state = np.zeros(variant.state_bytes, np.uint8)
    GAME.kernels.reset(variant.rules, state, 1)
    s = state.view(STATE)[0]
    for seat in range(2):
        GAME.kernels.resample(variant.rules, state, seat, 3)
        assert s.players[0].front.tolist() == [1, 1, 1, 1]
    ids = np.zeros(variant.num_actions, np.int32)
    GAME.kernels.legal(variant.rules, state, ids)
    GAME.kernels.step(variant.rules, state, ids[0])
    found = set()
    for seed in range(30):
        GAME.kernels.resample(variant.rules, state, 1, seed)
        assert s.players[0].front.sum() == 3
        found.add(s.players[0].front.tolist().index(0))
    assert found == {0, 1, 2, 3}


def test_games_go_on_after_redrawing_for_either_seat():
    """Whoever is to move, and in the middle of whatever play: the table that is imagined can be played on."""
    for seed in range(10 if COMPILED else 2):
        variant = variant_for(seed)
        rng = random.Random(seed)
        ids = np.zeros(variant.num_actions, np.int32)
        k = GAME.kernels

        def look(state, legal, action, variant=variant, rng=rng, ids=ids, k=k):
            if rng.random() > 0.2:
                return
            for seat in range(2):
                other = state.copy()
                s = other.view(STATE)[0]
                k.resample(variant.rules, other, seat, rng.randrange(1000))
                for _ in range(4):
                    if s.head.to_move == OVER:
                        break
                    n = k.legal(variant.rules, other, ids)
                    assert n > 0, phases.NAMES[s.frames[s.depth - 1].what]
                    k.step(variant.rules, other, ids[rng.randrange(n)])
                    check_cards(variant, other)

        random_game(variant, seed, look)


def test_an_open_hand_is_not_redrawn():
    lasso = "Wonder Woman: Lasso Of Truth"
    t = Table([lasso], ["Intellect 7", "Fighting 5"], team0=("Wonder Woman (JL)", *HEROES[:3]))
    assert any(hand(t, resampled(t, 0, seed), 1) != t.hand(1) for seed in range(5))
    t.do(f"play {lasso}")
    for seed in range(5):
        assert hand(t, resampled(t, 0, seed), 1) == t.hand(1)


def test_who_has_seen_the_top_of_a_pile_knows_what_was_drawn():
    t = Table(
        ["Doctor Doom: Time Machine"], more1=["Intellect 7", "Fighting 5"], team0=("Doctor Doom (IQ)", *HEROES[:3])
    )
    names = ["Intellect 7", "Fighting 5", *["Fighting 1"] * 6]
    t.stack(1, names)
    t.do("play Doctor Doom: Time Machine")
    t.do("pass", "pass")
    p = t.s.players[1]
    assert [int(p.known[t.kind(1, name)]) for name in names[:2]] == [1, 1]
    assert p.known.sum() == 2
    for seed in range(5):
        assert {"Intellect 7", "Fighting 5"} <= set(hand(t, resampled(t, 0, seed), 1))


def test_cards_of_the_fallen_may_be_in_the_hand_and_those_of_the_reserve_may_not():
    """Rules 59 and 37: what was discarded before the battle is not imagined, what could not be discarded since is."""
    more = ["Joker: Joker Venom", "Catwoman: Cat-Like Reflexes"]
    t = Table([], ["Fighting 5"], more1=more)
    found = set()
    for seed in range(60):
        found |= set(hand(t, resampled(t, 0, seed), 1))
    assert "Joker: Joker Venom" in found
    assert "Catwoman: Cat-Like Reflexes" not in found  # she is the Reserve
    t.s.players[1].alive[0] = 0
    found = set()
    for seed in range(60):
        found |= set(hand(t, resampled(t, 0, seed), 1))
    assert "Joker: Joker Venom" in found


def test_an_event_that_was_seen_coming_leaves_no_trace_in_the_hand():
    machine, event = "Doctor Doom: Time Machine", "Event: 661216.01"
    t = Table([machine], more1=[event], team0=("Doctor Doom (IQ)", *HEROES[:3]), events=True)
    t.stack(1, [event, *["Fighting 1"] * 7])
    t.do(f"play {machine}", "pass", "pass")
    assert t.removed(1) == [event]
    assert t.s.players[1].known.sum() == 1  # the other card that was seen


def test_what_is_asked_about_a_play_is_seen_by_its_player_only():
    """Which details are open tells what card it is; the other sees that an attack, or a defence, is being chosen."""

    def asked(t, seat):
        out = np.zeros(t.variant.observation_size, np.int8)
        t.k.observe(t.variant.rules, t.state, seat, out)
        return phases.NAMES[out[: phases.COUNT].argmax()]

    t = Table(["Fighting 5", "Flying Kick"], ["Intellect 6", "Advance Warning"])
    for move, mine, his in (
        ("play Fighting 5", phases.USER, phases.TURN),
        ("by Batman", phases.PARTNER, phases.TURN),
        ("alone", phases.TARGET, phases.TURN),
    ):
        t.do(move)
        assert (asked(t, 0), asked(t, 1)) == (phases.NAMES[mine], phases.NAMES[his])
    t.do("at Joker")
    assert asked(t, 0) == asked(t, 1) == phases.NAMES[phases.DEFEND]
    t.do("play Intellect 6")
    assert (asked(t, 1), asked(t, 0)) == (phases.NAMES[phases.DEFEND_PARTNER], phases.NAMES[phases.DEFEND])
