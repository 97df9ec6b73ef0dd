"""The kernels as a whole: random games, hidden information, names, and compiled code against plain Python."""

import hashlib
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from overpower_scenario import check_cards

from overworlds.envs.core.bits import lowest, set_of
from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.overpower import GAME, actions, ops, phases
from overworlds.envs.overpower.state import DEPTH, EFFECTS, KINDS, RULES, STATE

COMPILED = not numba.config.DISABLE_JIT
GAMES = 150 if COMPILED else 4


def variant_for(seed):
    return Variant(GAME, 2, {"deck0": f"random:{seed}", "deck1": f"random:{seed + 10_000}"})


def random_game(variant, seed, look=None, patience=0.9):
    """Play at random, conceding seldom; ``look(state, legal, action)`` is called before every step."""
    k = GAME.kernels
    rng = random.Random(seed)
    state = np.zeros(variant.state_bytes, np.uint8)
    ids = np.zeros(variant.num_actions, np.int32)
    k.reset(variant.rules, state, seed)
    s = state.view(STATE)[0]
    while s.head.to_move != OVER:
        legal = ids[: k.legal(variant.rules, state, ids)].tolist()
        action = rng.choice(legal)
        if action == actions.CONCEDE and rng.random() < patience:
            action = legal[-1] if legal[-1] != action else legal[0]
        if look is not None:
            look(state, legal, action)
        k.step(variant.rules, state, action)
    return state


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_lose_no_card_and_offer_real_choices(seed):
    variant = variant_for(seed)
    deepest = [0, 0]

    def look(state, legal, action):
        s = state.view(STATE)[0]
        check_cards(variant, state)
        assert legal == sorted(set(legal))
        assert len(legal) >= 2
        deepest[0] = max(deepest[0], int(s.depth))
        deepest[1] = max(deepest[1], int(s.effects_n))
        assert s.hits_n <= len(s.hits)

    state = random_game(variant, seed, look)
    check_cards(variant, state)
    assert deepest[0] < DEPTH - 4
    assert deepest[1] < EFFECTS - 4
    head = state.view(STATE)[0].head
    assert head.returns[0] == -head.returns[1]
    assert head.truncated or head.returns[0] != 0


@pytest.mark.parametrize("seed", range(20 if COMPILED else 2))
def test_looking_for_effects_only_where_some_may_be_changes_nothing(seed):
    """With every operation noted as in play, all short cuts over printed ratings and sets are left aside."""
    variant = variant_for(seed)
    k = GAME.kernels
    ids = np.zeros(variant.num_actions, np.int32)

    def look(state, legal, action):
        one, two = state.copy(), state.copy()
        s, t = one.view(STATE)[0], two.view(STATE)[0]
        for e in s.effects[: s.effects_n]:
            assert int(s.in_play) >> (int(e.op) - ops.FIRST_LASTING) & 1
        t.in_play = -1
        assert ids[: k.legal(variant.rules, two, ids)].tolist() == legal
        k.step(variant.rules, one, action)
        k.step(variant.rules, two, action)
        s.in_play = t.in_play = 0
        assert one.tobytes() == two.tobytes()

    random_game(variant, seed, look)


def test_sets_of_kinds_are_read_and_written_alike():
    for numbers in ([0], [63], [5, 8, 63], range(64)):
        bits, found = int(set_of(numbers)), []
        for number in range(64):
            if bits >> number & 1:
                found.append(number)
        assert found == list(numbers)
        assert lowest(bits) == numbers[0]


def test_legal_and_observe_change_nothing():
    variant = variant_for(1)
    out = np.zeros(variant.observation_size, np.int8)
    ids = np.zeros(variant.num_actions, np.int32)

    def look(state, legal, action):
        before = state.tobytes()
        GAME.kernels.legal(variant.rules, state, ids)
        for seat in range(2):
            GAME.kernels.observe(variant.rules, state, seat, out)
        assert state.tobytes() == before

    random_game(variant, 1, look)


def test_observations_keep_their_bounds_and_tell_nothing_hidden():
    """What a seat sees does not change when all it cannot know is redrawn."""
    for seed in range(3 if COMPILED else 1):
        variant = variant_for(seed)
        low, high = variant.observation_bounds
        one, two = (np.zeros(variant.observation_size, np.int8) for _ in range(2))

        def look(state, legal, action, variant=variant, low=low, high=high, one=one, two=two):
            for seat in range(2):
                GAME.kernels.observe(variant.rules, state, seat, one)
                assert ((one >= low) & (one <= high)).all()
                other = state.copy()
                GAME.kernels.resample(variant.rules, other, seat, len(legal))
                check_cards(variant, other)
                GAME.kernels.observe(variant.rules, other, seat, two)
                assert (one == two).all(), np.flatnonzero(one != two)

        random_game(variant, seed, look)


def test_resampling_keeps_legal_actions_of_the_seat_and_hand_sizes():
    variant = variant_for(2)
    ids = np.zeros(variant.num_actions, np.int32)
    moved = []

    def look(state, legal, action):
        s = state.view(STATE)[0]
        seat = int(s.head.to_move)
        other = state.copy()
        GAME.kernels.resample(variant.rules, other, seat, 7)
        n = GAME.kernels.legal(variant.rules, other, ids)
        assert ids[:n].tolist() == legal
        hands = [state.view(STATE)[0].players[1 - seat].hand, other.view(STATE)[0].players[1 - seat].hand]
        assert hands[0].sum() == hands[1].sum()
        moved.append((hands[0] != hands[1]).any())

    random_game(variant, 2, look)
    assert any(moved)


def test_a_resampled_hand_has_no_duplicates_where_they_have_been_discarded():
    variant = variant_for(4)
    decks = variant.rules.view(RULES)[0].decks

    def look(state, legal, action):
        s = state.view(STATE)[0]
        if s.stage != phases.PLACING:
            return
        other = state.copy()
        GAME.kernels.resample(variant.rules, other, 0, 5)
        hand = other.view(STATE)[0].players[1].hand
        groups = [int(decks[1].twins[k]) for k in range(KINDS) for _ in range(hand[k]) if not decks[1].keep[k]]
        before = s.players[1].hand
        had = [int(decks[1].twins[k]) for k in range(KINDS) for _ in range(before[k]) if not decks[1].keep[k]]
        if len(had) == len(set(had)):
            assert len(groups) == len(set(groups))

    random_game(variant, 4, look)


@pytest.mark.parametrize("seat", [0, 1])
def test_action_names_are_unique_and_lead_back_to_their_ids(seat):
    for seed in range(5):
        variant = variant_for(seed)
        names = variant.action_names(seat)
        assert len(names) == len(set(names)) == variant.num_actions == actions.COUNT
        assert all(variant.action_id(name, seat) == i for i, name in enumerate(names))


def test_every_rule_has_a_test():
    """The rules are numbered 1 to 79; tests carry the numbers of those they show."""
    found = set()
    for path in Path(__file__).parent.glob("test_overpower_*.py"):
        for numbers in re.findall(r"def test_rules?((?:_(?:\d+|and|to))+)", path.read_text("utf-8")):
            first = last = 0
            for word in numbers.strip("_").split("_"):
                if word.isdigit():
                    first, last = (last if first < 0 else int(word)), int(word)
                    found.update(range(first, last + 1))
                elif word == "to":
                    first = -1
    assert set(range(1, 80)) - found == set()


def test_sizes():
    assert STATE.itemsize <= 4096
    assert actions.COUNT <= 2000


def digest_of_games(n):
    """A fingerprint of every state of some games."""
    digest = hashlib.sha256()
    for seed in range(n):
        variant = variant_for(seed)
        digest.update(random_game(variant, seed, lambda state, legal, action: digest.update(state.tobytes())).tobytes())
    return digest.hexdigest()


@pytest.mark.skipif(not COMPILED, reason="compares with compiled code")
def test_compiled_code_and_plain_python_agree():
    """Byte for byte, over whole games."""
    here = os.path.dirname(__file__)
    code = f"import sys; sys.path.insert(0, {here!r}); import test_overpower_kernels as t; print(t.digest_of_games(3))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert plain.stdout.strip() == digest_of_games(3)


@pytest.mark.skipif(not COMPILED, reason="too slow in plain Python")
def test_the_scripted_player_beats_random_with_every_deck():
    from overworlds.envs import playouts
    from overworlds.envs.overpower.decks import deck_names

    for deck in deck_names():
        variant = Variant(GAME, 2, {"deck0": deck, "deck1": deck})
        result = playouts(variant, ["scripted", "random"], 200, rotate=True)
        assert result.returns[:, 0].mean() > 0.5, deck


def test_the_table_can_be_shown_to_everybody():
    variant = variant_for(3)

    def look(state, legal, action):
        for viewer in (None, 0, 1):
            text = GAME.ansi(variant, state, viewer)
            assert "player_0" in text
            assert "player_1" in text

    random_game(variant, 3, look)
