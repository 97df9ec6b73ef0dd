"""What is true at every moment of every game of Homeworlds, whoever plays."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.homeworlds import GAME, phases
from overworlds.envs.homeworlds.state import slots_needed

from .turns import KERNELS, PIECES, POLICIES, board_text, legal, of, steps, walk

games = given(
    policy=st.sampled_from(POLICIES),
    players=st.integers(2, 6),
    seed=st.integers(0, 2**63 - 1),
    rules=st.fixed_dictionaries(
        {},
        optional={
            "talk": st.just(True),
            "abandoned_home": st.sampled_from(["stays", "vanishes"]),
            "pieces_per_kind": st.integers(2, 5),
            "turn_limit": st.sampled_from([1, 3, 30]),
        },
    ),
)
"""Games of all kinds."""

few = settings(max_examples=25, deadline=None, derandomize=True)
many = settings(max_examples=500, deadline=None)
LONG = 600
"""Decisions after which a game is left."""


def observation(variant: Variant, state: np.ndarray, seat: int) -> np.ndarray:
    out = np.zeros(variant.observation_size, np.int8)
    KERNELS.observe(variant.rules, state, seat, out)
    return out


def pieces_on_the_table(variant: Variant, state: np.ndarray) -> list[int]:
    s = of(state)
    piles = [int(s.stash), *s.markers.tolist(), *s.ships.ravel().tolist()]
    return [sum(pile >> 4 * n & 15 for pile in piles) for n in range(len(PIECES))]


# ---------------------------------------------------------------- the table


def check_a_game(policy, players, seed, rules):
    variant = Variant(GAME, players, rules)
    all_pieces = [variant.values["pieces_per_kind"]] * len(PIECES)
    slots = slots_needed(players, variant.values["pieces_per_kind"])
    for state in walk(variant, policy, seed, LONG):
        s = of(state)
        assert pieces_on_the_table(variant, state) == all_pieces
        assert not s.markers[slots:].any(), "no system beyond those that actions can speak of"
        assert not s.ships[:, players:].any()
        for slot in range(slots):
            crowd = s.ships[slot].any()
            assert s.markers[slot] or not crowd, "no ships without a system"
            being_set_up = slot == s.head.to_move and s.phase <= phases.SET_UP_SHIP
            left_by_its_owner = slot == s.head.to_move and s.phase in (phases.SACRIFICED, phases.MOVE_TO)
            assert crowd or not s.markers[slot] or being_set_up or left_by_its_owner, "no system without ships"
        actions = legal(variant, state)
        assert actions == sorted(set(actions))
        assert (len(actions) > 0) == (s.head.to_move != OVER)
        assert not actions or (actions[0] >= 0 and actions[-1] < variant.num_actions)
        for seat in range(players):
            if s.alive[seat] and s.phase == phases.FREE:
                assert s.ships[seat, seat], "everybody alive is at home"
        low, high = variant.observation_bounds
        for seat in range(players):
            seen = observation(variant, state, seat)
            assert (seen >= low).all()
            assert (seen <= high).all()


@games
@few
def test_games(policy, players, seed, rules):
    check_a_game(policy, players, seed, rules)


@pytest.mark.slow
@games
@many
def test_games_thoroughly(policy, players, seed, rules):
    check_a_game(policy, players, seed, rules)


def check_positions(policy, players, seed, rules):
    """A position in words is the whole board: set up again, it offers the same."""
    variant = Variant(GAME, players, rules)
    for state in walk(variant, policy, seed, LONG):
        s = of(state)
        if s.phase != phases.FREE or s.head.to_move == OVER or s.head.ply % 7:
            continue
        text = GAME.position(variant, state)
        assert text == board_text(variant, state)
        alignments = "".join("GE"[int(evil)] for evil in s.evil[:players])
        options = {"position": text, "to_move": int(s.head.to_move), "alignments": alignments}
        again = variant.deal(0, options)
        assert GAME.position(variant, again) == text
        assert steps(variant, again) == steps(variant, state)


@games
@few
def test_positions_can_be_set_up_again(policy, players, seed, rules):
    check_positions(policy, players, seed, rules)


@pytest.mark.slow
@games
@many
def test_positions_can_be_set_up_again_thoroughly(policy, players, seed, rules):
    check_positions(policy, players, seed, rules)


# ---------------------------------------------------------------- what nobody may know


def check_secrets(policy, players, seed, rules):
    """Other cards in the hands of those who have not shown theirs, and other chances to come, change nothing to see."""
    variant = Variant(GAME, players, rules)
    rng = np.random.default_rng(seed)
    for state in walk(variant, policy, seed, LONG):
        if of(state).head.ply % 5:
            continue
        for seat in range(players):
            other = state.copy()
            s = of(other)
            hidden = [p for p in range(players) if p != seat and not s.revealed[p]]
            s.evil[hidden] = rng.permutation(s.evil[hidden])
            s.head.seed = rng.integers(2**63)
            s.head.rng.a, s.head.rng.b, s.head.rng.c = rng.integers(2**32, size=3, dtype=np.uint32)
            assert np.array_equal(observation(variant, other, seat), observation(variant, state, seat))
            assert legal(variant, other) == legal(variant, state)


@games
@few
def test_observations_keep_secrets(policy, players, seed, rules):
    check_secrets(policy, players, seed, rules)


@pytest.mark.slow
@games
@many
def test_observations_keep_secrets_thoroughly(policy, players, seed, rules):
    check_secrets(policy, players, seed, rules)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_what_is_rendered_keeps_secrets(viewer):
    variant = Variant(GAME, 4)
    states = [variant.deal(3, {"alignments": cards}) for cards in ("GGEE", "GEGE", "GEEG")]
    states += [variant.deal(3, {"alignments": cards}) for cards in ("EEGG", "EGEG", "EGGE")]
    texts = [GAME.ansi(variant, state, viewer) for state in states]
    own = [None if viewer is None else int(of(state).evil[viewer]) for state in states]
    for text, card in zip(texts, own, strict=True):
        assert {other == text for other, same in zip(texts, own, strict=True) if same == card} == {True}
    assert len(set(texts)) == len(set(own))


def check_resampling(policy, players, seed, rules):
    """A resampled game is one that its observer could be in: same view, same choices, shown cards kept."""
    variant = Variant(GAME, players, rules)
    for state in walk(variant, policy, seed, LONG):
        if of(state).head.ply % 5:
            continue
        s = of(state)
        for seat in range(players):
            other = state.copy()
            KERNELS.resample(variant.rules, other, seat, (seed + int(s.head.ply)) % 2**63)
            o = of(other)
            assert np.array_equal(observation(variant, other, seat), observation(variant, state, seat))
            assert legal(variant, other) == legal(variant, state)
            assert o.evil[:players].sum() == players // 2
            known = s.revealed.astype(bool) | (np.arange(len(s.revealed)) == seat)
            assert np.array_equal(o.evil[known], s.evil[known])
            assert np.array_equal(o.revealed, s.revealed)
            o.evil[:], o.head.rng, o.head.seed = s.evil, s.head.rng, s.head.seed
            assert other.tobytes() == state.tobytes(), "nothing else may change"


@games
@few
def test_resampled_games_look_the_same_to_their_observer(policy, players, seed, rules):
    check_resampling(policy, players, seed, rules)


@pytest.mark.slow
@games
@many
def test_resampled_games_look_the_same_to_their_observer_thoroughly(policy, players, seed, rules):
    check_resampling(policy, players, seed, rules)


@pytest.mark.parametrize(
    ("players", "alignments", "dead", "seat", "worlds"),
    [
        (2, "GE", "", 0, 1),  # one Evil among one other
        (3, "GGE", "", 0, 2),
        (3, "GGE", "", 2, 1),  # the only Evil knows everything
        (4, "GEGE", "", 0, 3),
        (5, "GEGEG", "", 1, 4),
        (6, "GEGEGE", "", 0, 10),
        (6, "GEGEGE", "13", 0, 3),  # two Evil are dead: the third is one of three
        (6, "GEGEGE", "2", 1, 6),  # a Good one is dead: two more Evil among four
    ],
)
def test_resampling_really_redraws_what_is_unknown(players, alignments, dead, seat, worlds):
    """All worlds that are possible for the observer come up, equally often, the true one among them."""
    variant = Variant(GAME, players)
    position = " ".join(
        f"H{p}:{'bg'[p % 2]}1+{'ry'[p % 2]}2|{p}{'bgr'[p % 3]}3" for p in range(players) if str(p) not in dead
    )
    state = variant.deal(0, {"position": position, "to_move": seat, "alignments": alignments})
    drawn = Counter()
    for seed in range(200 * worlds):
        other = state.copy()
        KERNELS.resample(variant.rules, other, seat, seed)
        drawn["".join("GE"[int(evil)] for evil in of(other).evil[:players])] += 1
    assert len(drawn) == worlds
    assert alignments in drawn
    for world, times in drawn.items():
        assert 140 <= times <= 260, f"{world} came up {times} of {200 * worlds} times"
        assert all(world[int(p)] == alignments[int(p)] for p in (*dead, seat))


def test_resampling_redraws_chance_to_come():
    variant = Variant(GAME, 4)
    state = variant.deal(7)
    drawn = set()
    for seed in range(100):
        other = state.copy()
        KERNELS.resample(variant.rules, other, 0, seed)
        drawn.add(of(other).head.rng.tobytes())
    assert len(drawn) == 100
    assert of(state).head.rng.tobytes() not in drawn


# ---------------------------------------------------------------- what everybody should see


def public(state: np.ndarray, players: int) -> bytes:
    """All that is visible on the table."""
    s = of(state)
    shown = np.where(s.revealed, s.evil, -1).astype(np.int8)
    decision = np.array([s.head.to_move, s.phase, s.colour, s.left, s.slot, s.piece], np.int8)
    fields = (s.stash, s.markers, s.ships, s.alive, shown, s.captures, s.said, decision)
    return b"".join(np.asarray(field).tobytes() for field in fields)


def check_sight(policy, players, seed, rules):
    """Whatever can be seen is in the observation: two different tables never look the same."""
    variant = Variant(GAME, players, rules)
    seen = [{} for _ in range(players)]
    last = [b""] * players
    for state in walk(variant, policy, seed, LONG):
        table = public(state, players)
        for seat in range(players):
            sight = observation(variant, state, seat).tobytes()
            if of(state).head.to_move != OVER:
                assert seen[seat].setdefault(sight, table) == table
            assert sight != last[seat], "every decision can be seen by everybody"
            last[seat] = sight


@games
@few
def test_observations_show_everything_that_is_public(policy, players, seed, rules):
    check_sight(policy, players, seed, rules)


@pytest.mark.slow
@games
@many
def test_observations_show_everything_that_is_public_thoroughly(policy, players, seed, rules):
    check_sight(policy, players, seed, rules)


def test_observations_are_relative_to_the_seat():
    """The same table turned by a seat looks the same to the player who sits there."""
    variant = Variant(GAME, 3)
    homes = ["b3+r1|{}g3", "b2+y1|{}g3,{}r1", "g1+y3|{}b3"]

    def turned(by: int) -> np.ndarray:
        position = " ".join(f"H{(p + by) % 3}:" + home.replace("{}", str((p + by) % 3)) for p, home in enumerate(homes))
        cards = "GEG"
        return variant.deal(0, {"position": position, "to_move": by, "alignments": cards[-by:] + cards[:-by]})

    for seat in range(3):
        views = [observation(variant, turned(by), (seat + by) % 3).tobytes() for by in range(3)]
        assert len(set(views)) == 1
        assert len({tuple(legal(variant, turned(by))) for by in range(3)}) == 1
