"""The scripted player of Homeworlds: how well it plays, what it sees, and what it must not see."""

import numpy as np
import pytest

from overworlds.envs import find_game, playouts
from overworlds.envs.core.aec import GameEnv
from overworlds.envs.homeworlds.board import OVERPOPULATION
from overworlds.envs.homeworlds.pieces import count_colour
from overworlds.envs.homeworlds.state import STATE
from tests.core.fresh import traces
from tests.core.trace import trace

from .tabletop import bury_the_dead, mover, table
from .turns import results_of_a_turn

SCRIPTED = find_game("homeworlds_v0").policy("scripted")


def choose(env: GameEnv, seed: int) -> int:
    """What the scripted player chooses here."""
    legal = env.legal_actions()
    return int(SCRIPTED.kernel(SCRIPTED.params, env.variant.rules, env._state, legal, len(legal), seed))


def take_turn(env: GameEnv, seed: int) -> list[str]:
    """Let the scripted player take its turn; what it did, in words."""
    turn, said = env.turn, []
    while env.turn == turn and env.returns() is None:
        action = choose(env, seed + len(said))
        said.append(env.action_name(action))
        env.step(action)
        bury_the_dead(env)
    return said


def games(players: int, seeds: range, turns: int = 1_000):
    """Positions of scripted games, with a seed for the choice to be made there."""
    for seed in seeds:
        env = table(players=players, seed=seed)
        rng = np.random.default_rng(seed)
        while env.returns() is None and env.turn < turns:
            choice_seed = int(rng.integers(2**62))
            yield env, choice_seed
            env.step(choose(env, choice_seed))
            bury_the_dead(env)


# ---------------------------------------------------------------- strength


def test_it_beats_the_random_player():
    results = playouts("homeworlds_v0", ["scripted", "random"], 300, seed=1, players=2, rotate=True).returns
    assert (results[:, 0] > 0).mean() >= 0.97


@pytest.mark.parametrize(("players", "share"), [(3, 0.9), (4, 0.8), (6, 0.65)])
def test_it_wins_far_more_than_its_share(players, share):
    results = playouts(
        "homeworlds_v0", ["scripted"] + ["random"] * (players - 1), 200, seed=1, players=players, rotate=True
    ).returns
    mine, others = (results[:, 0] > 0).mean(), (results[:, 1:] > 0).mean()
    assert mine >= share
    assert mine > 2 * others


def test_games_among_its_like_come_to_an_end():
    results = playouts("homeworlds_v0", "scripted", 200, seed=1, players=2)
    assert results.truncated.mean() < 0.2
    assert results.turns.mean() < 150
    first = (results.returns[:, 0] > 0).mean()
    assert 0.3 < first < 0.7


# ---------------------------------------------------------------- tactics

WINS_IN_ONE = {
    "a free attack on the last ship at home": "H0:b3+r1|0g3,0y1 H1:b2+r3|0g2,1y1 S:y2|1g3",
    "a red sacrifice against two ships": "H0:b3+y1|0g3,0r2 H1:b2+y3|0g3,1b1,1y1 S:y2|1g3",
    "a fourth green ship constructed": "H0:b3+r1|0g3,0y1 H1:b2+r1|0g2,1g1,1g3 S:y2|1b3",
    "a trade to the fourth green ship": "H0:b3+r1|0g3,0y1 H1:b2+r1|0r2,1g1,1g2,1g3 S:y2|1b3",
    "a move of the fourth blue ship": "H0:y3+r1|0g3,0y1 H1:r2+y1|1b1,1b1,1b2 S:y3|0b3 S:g3|1g3",
    "a yellow sacrifice that brings two": "H0:b3+r3|0g3,0y2 H1:r2+y1|1b1,1b2 S:g3|0b1,0b3 S:y3|1g3",
    "a yellow sacrifice for a longer way": "H0:b3+r3|0g3,0y2 H1:r2+y1|1b1,1b1,1b2 S:g2|0b3 S:y3|1g3",
    "a catastrophe of the last star": "H0:y3+r1|0g3,0y1 H1:b2|0b1,1b1,1g3,1y3 S:r3|0b3,0y1 S:g3|1g2",
    "a catastrophe that is there already": "H0:b3+r1|0g3,0y1 H1:b2+y1|0g1,1g1,1g2,1g3 S:y2|1b3",
}


@pytest.mark.parametrize("position", WINS_IN_ONE.values(), ids=WINS_IN_ONE.keys())
def test_it_takes_a_win(position):
    for seed in range(5):
        env = table(position)
        said = take_turn(env, seed)
        assert env.returns() == {"player_0": 1.0, "player_1": -1.0}, said


THREATS = {
    "a larger attacker at home": "H0:b3+r1|0g2,1y3 H1:b2+y1|1g3,1y1",
    "a fourth green ship next door": "H0:b3+r2|0g1,0g1,0g3 H1:b2+y1|1b3,1y1 S:y1|1g2,1y2",
    "two blue ships and a yellow one to sacrifice": "H0:r3+y2|0b1,0b3 H1:b2+g1|1g3,1y2 S:y1|1b1,1b2",
}


@pytest.mark.parametrize("position", THREATS.values(), ids=THREATS.keys())
def test_it_sees_what_would_eliminate_it(position):
    def is_lost(env: GameEnv) -> bool:
        return any("H0:" not in end for end in results_of_a_turn(env.variant, env._state))

    assert is_lost(table(position, to_move=1)), "this should test something"
    for seed in range(5):
        env = table(position)
        said = take_turn(env, seed)
        assert not is_lost(env), said


def overpopulations_at_home(env: GameEnv, seat: int) -> int:
    s = env._state.view(STATE)[0]
    pieces = s.markers[seat] + s.ships[seat].sum()
    return sum(count_colour(pieces, colour) >= OVERPOPULATION for colour in range(4))


@pytest.mark.parametrize("players", [2, 4])
def test_it_never_overpopulates_its_own_home(players):
    seat = turn = before = -1
    for env, _ in games(players, range(12), turns=150):
        if env.turn != turn:
            if seat >= 0 and env.turn == turn + 1:
                assert overpopulations_at_home(env, seat) <= before
            turn, seat = env.turn, mover(env)
            before = overpopulations_at_home(env, seat)


# ---------------------------------------------------------------- alignments


def test_good_eliminates_whom_it_knows_to_be_evil():
    # Seat 2 is dead and was Good, so seat 1 must be Evil.
    env = table("H0:b3+r1|0g3,0y1 H1:b2+r3|0g2,1y1 S:y2|1g3", players=3, alignments="GEG")
    take_turn(env, 0)
    assert env.returns() == {"player_0": 1.0, "player_1": -1.0, "player_2": -1.0}


@pytest.mark.parametrize(("alignments", "spared"), [("GGEE", True), ("EGEG", False)])
def test_good_spares_whom_it_knows_to_be_good(alignments, spared):
    env = table("H0:b3+r1|0g3,0y1 H1:b2+r3|0g2,1y1 H2:y1+r2|2g3,2b1 H3:b1+y3|3g3,3b1", players=4, alignments=alignments)
    env._state.view(STATE)[0].revealed[1] = 1
    take_turn(env, 0)
    assert bool(env._state.view(STATE)[0].alive[1]) == spared


@pytest.mark.parametrize("players", range(2, 7))
def test_it_uses_only_what_its_seat_knows(players):
    decisions = changes = 0
    for env, seed in games(players, range(4), turns=120):
        chosen, dealt = choose(env, seed), env._state.copy()
        for redraw in range(3):
            env.game.kernels.resample(env.variant.rules, env._state, mover(env), redraw)
            changes += (env._state.view(STATE)[0].evil != dealt.view(STATE)[0].evil).any()
            assert choose(env, seed) == chosen
            decisions += 1
        env._state[:] = dealt
    assert decisions > 500
    assert changes > 100 or players == 2


# ---------------------------------------------------------------- the contract


@pytest.mark.parametrize("players", range(2, 7))
def test_it_always_chooses_something_legal_and_leaves_the_state_alone(players):
    for env, seed in games(players, range(2), turns=100):
        before = env._state.copy()
        assert choose(env, seed) in env.legal_actions()
        assert (env._state == before).all()


def test_a_seed_names_a_choice_and_seeds_make_games_differ():
    def opening(offset: int) -> list[int]:
        env = table(players=2)
        chosen = []
        for k in range(40):
            chosen.append(choose(env, 1_000 * offset + k))
            env.step(chosen[-1])
        return chosen

    assert opening(1) == opening(1)
    assert len({tuple(opening(offset)) for offset in range(10)}) > 5


def test_plain_python_chooses_the_same():
    job = {"game": "homeworlds_v0", "players": 2, "seed": 3, "policy": "scripted", "decisions": 90}
    assert traces([job], "-W", "error", NUMBA_DISABLE_JIT="1") == [trace(**job)]
