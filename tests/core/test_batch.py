"""A batch is many single environments: lane by lane the same games, whatever the threads."""

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from overworlds.envs import batch
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, OVER
from overworlds.envs.core.registry import find_game

from .games import EVERY_GAME, EVERY_TABLE, dealt, make

STEP = ("observations", "masks", "rewards", "terminations", "truncations", "seats")
ARRAYS = (*STEP, "states", "legal", "legal_counts", "final_returns", "final_observations")


def everything(many) -> dict[str, bytes]:
    seen = {name: getattr(many, name) for name in ARRAYS}
    behind = np.arange(seen["legal"].shape[1]) >= many.legal_counts[:, None]
    seen["legal"] = np.where(behind, -1, seen["legal"])  # what stands there means nothing
    return {name: array.tobytes() for name, array in seen.items()}


def random_actions(many, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(row[:count]) for row, count in zip(many.legal, many.legal_counts, strict=True)])


class Lane:
    """A single environment that deals its next game at once when one is over, as a lane does."""

    def __init__(self, game, players, seed, **rules):
        self.env = make(game, players, **rules)
        self.env.reset(seed=seed)
        self.games = 0

    def step(self, action: int) -> dict[str, np.ndarray]:
        env = self.env
        env.step(action)
        rewards = np.array([env.rewards.get(agent, 0.0) for agent in env.possible_agents], np.float32)
        final = env.returns()
        over = {"terminations": False, "truncations": False}
        if final is not None:
            over["truncations"] = any(env.truncations.values())
            over["terminations"] = not over["truncations"]
            self.final_returns = np.array(list(final.values()), np.float32)
            self.final_observations = np.stack([env.observe(agent)["observation"] for agent in env.possible_agents])
            self.games += 1
            env.reset()
        else:
            while env.terminations[env.agent_selection]:
                env.step(None)
        return {"rewards": rewards} | over

    def compare(self, many, lane: int, step: dict) -> None:
        view = self.env.observe(self.env.agent_selection)
        assert np.array_equal(many.observations[lane], view["observation"])
        assert np.array_equal(many.masks[lane], view["action_mask"])
        assert many.legal[lane, : many.legal_counts[lane]].tolist() == self.env.legal_actions().tolist()
        assert self.env.possible_agents[many.seats[lane]] == self.env.agent_selection
        assert self.env.state_bytes().endswith(many.states[lane].tobytes())
        for name, value in step.items():
            assert np.array_equal(getattr(many, name)[lane], value), name
        if step["terminations"] or step["truncations"]:
            assert np.array_equal(many.final_returns[lane], self.final_returns)
            assert np.array_equal(many.final_observations[lane], self.final_observations)


def compare_with_single_games(game, players, seeds, steps, threads, **rules) -> int:
    many = batch(game, len(seeds), players=players, seed=seeds, threads=threads, **rules)
    lanes = [Lane(game, players, int(seed), **rules) for seed in seeds]
    rng = np.random.default_rng(players)
    nothing = {"rewards": np.zeros(players, np.float32), "terminations": False, "truncations": False}
    for lane, single in enumerate(lanes):
        single.compare(many, lane, nothing)
    for _ in range(steps):
        actions = random_actions(many, rng)
        many.step(actions)
        for lane, single in enumerate(lanes):
            single.compare(many, lane, single.step(int(actions[lane])))
    many.close()
    return sum(single.games for single in lanes)


@EVERY_TABLE
def test_a_batch_plays_the_same_games_as_single_environments(game, players):
    seeds = [3, 14, 2**62, 0, 7]
    assert compare_with_single_games(game, players, seeds, 400, threads=1 + players % 2) > 0


@pytest.mark.slow
@EVERY_TABLE
def test_a_batch_plays_the_same_games_as_single_environments_for_long(game, players):
    assert compare_with_single_games(game, players, list(range(16)), 5_000, threads=2) > 30


@EVERY_TABLE
def test_threads_make_no_difference(game, players):
    one, two = (batch(game, 33, players=players, seed=5, threads=threads) for threads in (1, 2))
    for step in range(150):
        actions = one.random_actions(step)
        assert np.array_equal(actions, two.random_actions(step))
        one.step(actions)
        two.step(actions)
        assert everything(one) == everything(two)
    two.close()


@EVERY_GAME
def test_seeds(game):
    counted, listed = batch(game, 4, seed=10), batch(game, 4, seed=[10, 11, 12, 13])
    assert everything(counted) == everything(listed)
    assert everything(batch(game, 4, seed=np.arange(10, 14))) == everything(counted)
    first = everything(counted)
    for step in range(20):
        counted.step(counted.random_actions(step))
    assert everything(counted) != first
    counted.reset()
    assert everything(counted) == first, "the same seeds again"
    counted.reset(11)
    assert counted.states[0].tobytes() == listed.states[1].tobytes()
    counted.reset([13, 12, 11, 10])
    assert counted.states[0].tobytes() == listed.states[3].tobytes()
    assert dealt(game, seed=13).state_bytes().endswith(counted.states[0].tobytes())


@EVERY_GAME
@pytest.mark.parametrize("seed", [-1, 2**63, [1, 2], [1, 2, 3, -4], 1.5, "1234", True, [1, 2, 3, 2.5], None])
def test_wrong_seeds_are_refused_and_nothing_is_lost(game, seed):
    many = batch(game, 4, seed=1)
    before = everything(many)
    if seed is not None:
        with pytest.raises((TypeError, ValueError), match="seed"):
            many.reset(seed)
    assert everything(many) == before
    with pytest.raises((TypeError, ValueError), match="seed"):
        batch(game, 4, seed=seed)


@EVERY_GAME
def test_an_illegal_action_names_the_lane_and_changes_nothing(game):
    many = batch(game, 6, seed=1)
    for step in range(10):
        many.step(many.random_actions(step))
    before = everything(many)
    good = many.random_actions(99)
    for lane in (0, 3, 5):
        wrong = good.astype(np.int64)
        wrong[lane] = int(np.flatnonzero(many.masks[lane] == 0)[-1])
        name = many.variant.action_names(int(many.seats[lane]))[int(wrong[lane])]
        with pytest.raises(ValueError, match=f"lane {lane}: illegal action") as error:
            many.step(wrong)
        assert name in str(error.value)
        assert everything(many) == before
    many.step(good)


@EVERY_GAME
def test_masks_that_were_written_into_make_no_action_legal(game):
    many = batch(game, 4, seed=1)
    actions = many.random_actions(1)
    actions[2] = np.flatnonzero(many.masks[2] == 0)[0]
    many.masks[:] = 1
    with pytest.raises(ValueError, match="lane 2: illegal action"):
        many.step(actions)


@EVERY_GAME
@pytest.mark.parametrize("offset", [2**32, -(2**32), 2**40])
def test_actions_far_out_of_range_do_not_wrap_around(game, offset):
    many = batch(game, 2, seed=1)
    before = everything(many)
    with pytest.raises(ValueError, match="lane 1: illegal action"):
        many.step(many.random_actions(1).astype(np.int64) + np.array([0, offset]))
    assert everything(many) == before


@EVERY_GAME
@pytest.mark.parametrize(
    "actions",
    [[0], [0, 0, 0], 0, [0.0, 0.0], [True, True], ["0", "0"], None, [[0, 0]], [0, None], [0, 2**70]],
    ids=repr,
)
def test_actions_of_the_wrong_shape_or_type_are_refused(game, actions):
    many = batch(game, 2, seed=1)
    before = everything(many)
    with pytest.raises(ValueError, match="actions must be 2 whole numbers, one a lane"):
        many.step(actions)
    assert everything(many) == before


@EVERY_GAME
@pytest.mark.parametrize("num_envs", [0, -1, 1.5, True, "8"])
def test_wrong_numbers_of_games_are_refused(game, num_envs):
    with pytest.raises(ValueError, match="num_envs must be a number of games"):
        batch(game, num_envs)


@EVERY_GAME
def test_wrong_numbers_of_threads_are_refused(game):
    for threads in (0, -1, 1.5, "2", True):
        with pytest.raises(ValueError, match="threads must be 1 or more"):
            batch(game, 4, threads=threads)


def test_unknown_games_and_rules_are_refused():
    with pytest.raises(ValueError, match="there is no game 'homeworld_v0'; did you mean 'homeworlds_v0'"):
        batch("homeworld_v0", 4)
    with pytest.raises(ValueError, match="has no rule 'speed'"):
        batch("homeworlds_v0", 4, speed=1)


@EVERY_GAME
def test_arrays_are_made_once(game):
    many = batch(game, 3, seed=1)
    before = {name: getattr(many, name) for name in ARRAYS}
    first = many.reset(4)
    step = many.step(many.random_actions(0))
    assert all(getattr(many, name) is array for name, array in before.items())
    assert first.observations is step.observations is many.observations
    assert step._fields == STEP


@EVERY_GAME
def test_more_threads_than_lanes_and_all_the_cores(game):
    for threads in (8, None):
        many = batch(game, 3, seed=1, threads=threads)
        alone = batch(game, 3, seed=1)
        for step in range(20):
            actions = alone.random_actions(step)
            many.step(actions)
            alone.step(actions)
        assert everything(many) == everything(alone)
        many.close()


@EVERY_GAME
def test_a_closed_batch_steps_all_its_lanes_or_none(game):
    many, other = batch(game, 4, seed=1, threads=2), batch(game, 4, seed=1)
    many.close()
    many.close()
    actions = other.random_actions(0)
    before = everything(many)
    try:
        many.step(actions)
    except RuntimeError:
        assert everything(many) == before
    else:
        other.step(actions)
        assert everything(many) == everything(other)


@EVERY_GAME
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_go_on_like_the_original(game, threads):
    many = batch(game, 4, seed=1, threads=threads)
    many.step(many.random_actions(0))
    for other in (copy.deepcopy(many), pickle.loads(pickle.dumps(many))):
        before = everything(many)
        assert everything(other) == before
        result = other.step(other.random_actions(1))
        assert result.observations is other.observations
        assert everything(many) == before, "the original is another batch"
        many.step(many.random_actions(1))
        assert everything(other) == everything(many)
        other.close()
        many.reset()
        many.step(many.random_actions(0))
    many.close()


CONTINUE = """
import pickle, sys
many = pickle.load(sys.stdin.buffer)
for step in range(30):
    many.step(many.random_actions(step))
sys.stdout.buffer.write(many.states.tobytes())
"""


@EVERY_GAME
def test_a_pickle_goes_on_in_another_process(game):
    """There the compiled code lies elsewhere."""
    many = batch(game, 4, seed=1)
    done = subprocess.run([sys.executable, "-c", CONTINUE], input=pickle.dumps(many), capture_output=True, check=True)
    for step in range(30):
        many.step(many.random_actions(step))
    assert done.stdout == many.states.tobytes()


@EVERY_GAME
def test_metadata_declares_what_happens_at_the_end_of_a_game(game):
    many = batch(game, 2)
    assert many.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert many.metadata["name"] == game


@EVERY_GAME
def test_random_actions_are_legal_and_vary(game):
    many = batch(game, 64, seed=0)
    rng = random.Random(0)
    chosen = set()
    for _ in range(30):
        actions = many.random_actions(rng.randrange(2**60))
        assert (many.masks[np.arange(64), actions] == 1).all()
        chosen |= set(actions.tolist())
        many.step(actions)
    assert len(chosen) > 10


@EVERY_GAME
def test_default_players_and_rules(game):
    many = batch(game, 2)
    facts = find_game(game)
    assert many.players == facts.default_players
    assert many.rewards.shape == (2, facts.default_players)
    assert many.variant.digest == make(game).variant.digest


def test_lanes_go_on_from_other_states():
    games = batch("homeworlds_v0", 4, players=2, seed=1)
    others = batch("homeworlds_v0", 4, players=2, seed=50)
    for i in range(20):
        others.step(others.random_actions(i))
    kept = games.states[[0, 2]].copy()
    games.put([3, 1], others.states[[0, 2]])
    for lane, other in ((3, 0), (1, 2)):
        for name in ("states", "observations", "masks", "seats", "legal_counts"):
            assert (getattr(games, name)[lane] == getattr(others, name)[other]).all(), name
        assert list(games.legal[lane, : games.legal_counts[lane]]) == list(np.flatnonzero(games.masks[lane]))
    assert (games.states[[0, 2]] == kept).all(), "the other lanes stay as they are"
    games.step(games.random_actions(5))


@pytest.mark.parametrize(
    ("lanes", "to_move", "message"),
    [
        ([0, 4], 0, "lanes are numbered 0 to 3, not 0 to 4"),
        ([-1, 0], 0, "lanes are numbered 0 to 3, not -1 to 0"),
        ([0], 0, "1 states of .* bytes are needed"),
        ([0, 1], OVER, "a game that is over cannot go on"),
    ],
)
def test_impossible_states_are_not_put_anywhere(lanes, to_move, message):
    games = batch("homeworlds_v0", 4, players=2, seed=1)
    before, states = games.states.copy(), games.states[:2].copy()
    states[1, :HEADER_BYTES].view(HEADER)["to_move"] = to_move
    with pytest.raises(ValueError, match=message):
        games.put(lanes, states)
    assert (games.states == before).all()
