"""The kernels of Homeworlds against an independent referee that knows only the rule text and brute force."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overworlds.envs.core.game import Variant
from overworlds.envs.core.kernel import OVER
from overworlds.envs.homeworlds import GAME, phases

from . import referee
from .tabletop import all_alignments
from .turns import (
    KERNELS,
    POLICIES,
    TooMany,
    arranged,
    board_text,
    ends,
    legal,
    of,
    played,
    random_position,
    results_of_a_turn,
    stepped,
    steps,
)

READINGS = ("stays", "vanishes")
PLAYERS = (2, 3, 4, 5, 6)
FAST, SLOW = 2_000, 20_000
"""How many different states a turn may have to be tried in full."""


def variant_of(players: int, reading: str, **rules) -> Variant:
    return Variant(GAME, players, {"abandoned_home": reading} | rules)


def board_of(variant: Variant, state: np.ndarray) -> referee.Board:
    return referee.parse(board_text(variant, state), variant.players, variant.values["pieces_per_kind"])


def compare_turn(variant: Variant, state: np.ndarray, most: int) -> bool:
    """All boards that the turn can end with, and the first steps. False if there are too many to try."""
    board, mover, reading = board_of(variant, state), int(of(state).head.to_move), variant.values["abandoned_home"]
    where = f"player {mover} in {board.text()} ({reading})"
    assert steps(variant, state) == referee.legal_first_steps(board, mover, reading), where
    try:
        reached = results_of_a_turn(variant, state, most)
    except TooMany:
        return False
    assert reached == referee.turns(board, mover, reading), where
    return True


# ---------------------------------------------------------------- whole turns


def compare_position(rng: random.Random, most: int) -> None:
    """Any position at all, with any stash."""
    players = rng.choice(PLAYERS)
    per_kind = rng.choice([2, 3, 5]) if players <= 3 else rng.choice([3, 5])
    variant = variant_of(players, rng.choice(READINGS), pieces_per_kind=per_kind)
    position, mover = random_position(rng, players, per_kind)
    compare_turn(variant, arranged(variant, position, mover), most)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_turns_from_any_position(rng):
    compare_position(rng, FAST)


@pytest.mark.slow
@settings(max_examples=1_500, deadline=None)
@given(st.randoms(use_true_random=False))
def test_turns_from_any_position_thoroughly(rng):
    compare_position(rng, SLOW)


def compare_games(policy: str, players: int, reading: str, games: range, most: int) -> int:
    """Turns from the course of games; how many could be tried in full."""
    variant = variant_of(players, reading)
    compared = 0
    for seed in games:
        for turn in range(players, 16 * players, 3 * players + 1):
            state = played(variant, policy, seed, turn)
            if state is None:
                break
            compared += compare_turn(variant, state, most)
    return compared


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_turns_from_games(policy, players):
    for reading in READINGS:
        assert compare_games(policy, players, reading, range(2), FAST) > 0


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_turns_from_games_thoroughly(policy, players, reading):
    assert compare_games(policy, players, reading, range(100, 120), SLOW) > 20


CROWDED = (
    "H0:b1|0y3 H1:b1|1y3 S:g1|0g1 S:r1|0r1 S:y1|0y1 S:b2|0b2 S:g2|0g2 S:r2|0r2 S:y2|1y2 S:b3|1b3 S:g3|1g3 S:r3|1r3"
)
"""All pieces of a small set, in as many systems as there can be."""


@pytest.mark.parametrize("reading", READINGS)
def test_a_crowded_table(reading):
    variant = variant_of(2, reading, pieces_per_kind=2)
    assert compare_turn(variant, arranged(variant, CROWDED), SLOW)


def test_a_crowded_table_with_one_more_system_to_discover_while_home_is_left():
    variant = variant_of(2, "stays", pieces_per_kind=2)
    state = stepped(variant, arranged(variant, CROWDED), variant.action_id("sacrifice y3 at H0", 0))
    assert steps(variant, state) == referee.legal_sacrifice_steps(board_of(variant, state), 0, "y", 3)


# ---------------------------------------------------------------- every decision of a game


def follow_game(variant: Variant, seed: int, decisions: int) -> None:
    """Play at random; at every decision inside a turn the referee must offer the same steps."""
    rng = random.Random(seed)
    reading = variant.values["abandoned_home"]
    state = np.zeros(variant.state_bytes, np.uint8)
    KERNELS.reset(variant.rules, state, seed)
    for _ in range(decisions):
        s = of(state)
        if s.head.to_move == OVER:
            return
        mover = int(s.head.to_move)
        expected = None
        if s.phase == phases.FREE:
            expected = referee.legal_first_steps(board_of(variant, state), mover, reading)
        elif s.phase == phases.SACRIFICED:
            colour, left = "bgry"[s.colour], int(s.left)
            expected = referee.legal_sacrifice_steps(board_of(variant, state), mover, colour, left, reading)
        elif s.phase == phases.CATASTROPHES:
            expected = referee.legal_catastrophes(board_of(variant, state), mover) | {("end",)}
        if expected is not None:
            assert steps(variant, state) == expected, board_text(variant, state)
        choices = legal(variant, state)
        # Random play soon has little on the table: prefer anything to passing and sacrificing.
        active = [choice for choice in choices if choice > 2] or choices
        state = stepped(variant, state, rng.choice(active if rng.random() < 0.7 else choices))


@pytest.mark.parametrize("players", PLAYERS)
def test_every_decision_of_games(players):
    for reading in READINGS:
        follow_game(variant_of(players, reading), seed=players, decisions=200)


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_decision_of_games_thoroughly(players, reading):
    for seed in range(30):
        follow_game(variant_of(players, reading), seed, decisions=1_000)


# ---------------------------------------------------------------- setting up


@pytest.mark.parametrize("players", PLAYERS)
def test_set_ups(players):
    variant = variant_of(players, "stays", pieces_per_kind=2)
    state = np.zeros(variant.state_bytes, np.uint8)
    KERNELS.reset(variant.rules, state, players)
    rng = random.Random(players)
    for mover in range(players):
        if mover in (0, 1, players - 1):
            assert results_of_a_turn(variant, state) == referee.set_ups(board_of(variant, state), mover)
        state = rng.choice([end.after for end in ends(variant, state)])
    assert of(state).phase == phases.FREE


# ---------------------------------------------------------------- results


def compare_outcomes(variant: Variant, state: np.ndarray, most: int) -> int:
    """Every end of this turn under all alignments; how many eliminations there were."""
    before, mover = board_of(variant, state), int(of(state).head.to_move)
    eliminations = 0
    try:
        found = list(ends(variant, state, most))
    except TooMany:
        return 0
    for end in found:
        after = board_of(variant, end.after)
        if before.living == after.living:
            assert of(end.after).head.to_move == referee.next_player(after, mover)
            continue
        eliminations += 1
        for alignments in all_alignments(variant.players):
            if len({alignments[seat] for seat in before.living}) == 2:
                compare_outcome(variant, end.before, end.action, before, after, mover, alignments)
    return eliminations


def compare_outcome(variant, state, action, before, after, mover, alignments) -> None:
    last = state.copy()
    of(last).evil[: variant.players] = [letter == "E" for letter in alignments]
    head = of(stepped(variant, last, action)).head
    results = referee.outcome(before, after, mover, alignments)
    returns = head.returns[: variant.players].tolist()
    where = f"{before.text()} to {after.text()} with {alignments}"
    if results is None:
        assert head.to_move == referee.next_player(after, mover), where
        assert returns == [0 if seat in after.living else -1 for seat in range(variant.players)], where
    else:
        assert head.to_move == OVER, where
        assert returns == [1 if result == "win" else -1 for result in results], where


def deadly_position(rng: random.Random, players: int) -> str:
    """Homeworlds that others can capture or destroy."""
    stash = [colour + size for colour in "bgry" for size in "123"] * 5
    rng.shuffle(stash)
    homes = ["H0:r1+y1|0g3"]
    for piece in ("r1", "y1", "g3"):
        stash.remove(piece)
    for seat in range(1, players):
        markers = f"{stash.pop()}+{stash.pop()}"
        owners = [seat, 0] + [rng.choice([seat, 0]) for _ in range(rng.randint(0, 3))]
        homes.append(f"H{seat}:{markers}|{','.join(f'{owner}{stash.pop()}' for owner in owners)}")
    return " ".join(homes)


@pytest.mark.parametrize("players", PLAYERS)
def test_results_of_eliminations(players):
    rng = random.Random(players)
    variant = variant_of(players, "stays", pieces_per_kind=5)
    eliminations = 0
    while eliminations < 20:
        eliminations += compare_outcomes(variant, arranged(variant, deadly_position(rng, players)), FAST)


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_results_of_eliminations_thoroughly(players):
    rng = random.Random(100 + players)
    eliminations = 0
    while eliminations < 300:
        per_kind = rng.choice([3, 5])
        variant = variant_of(players, rng.choice(READINGS), pieces_per_kind=per_kind)
        position, mover = random_position(rng, players, per_kind)
        eliminations += compare_outcomes(variant, arranged(variant, position, mover), 5_000)


# ---------------------------------------------------------------- perft

PERFT = {
    "H0:b3+r1|0g3 H1:b2+y1|1g3": (2, (5, 25, 80, 411, 2213)),
    "H0:b1+g1|0y3 H1:r2+y3|1b3": (2, (5, 20, 134, 176, 1117)),
    "H0:b3+r1|0g3 H1:b2+y1|1g3 H2:g1+y3|2b3": (3, (5, 25, 125, 400, 2055)),
}


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("position", PERFT)
def test_boards_after_some_turns_by_the_kernels(position, reading):
    players, expected = PERFT[position]
    variant = variant_of(players, reading)
    level = [arranged(variant, position)]
    for number in expected:
        reached = {}
        for state in level:
            for end in ends(variant, state) if of(state).head.to_move != OVER else ():
                reached[board_text(variant, end.after), int(of(end.after).head.to_move)] = end.after
        level = list(reached.values())
        assert len(level) == number


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("position", PERFT)
def test_boards_after_some_turns_by_the_referee(position, reading):
    players, expected = PERFT[position]
    board = referee.parse(position, players)
    assert [referee.perft(board, 0, depth, reading) for depth in (1, 2, 3, 4)] == list(expected[:4])
