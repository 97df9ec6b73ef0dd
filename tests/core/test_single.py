"""The Gymnasium view: one learner, everybody else inside the environment."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from overworlds.envs import Policy, find_game
from overworlds.envs.core.aec import IllegalActionError, OrderError
from overworlds.envs.core.kernel import POLICY, RNG, kernel
from overworlds.envs.core.registry import GAMES
from overworlds.envs.core.rng import draw_seed, mix, seed_rng
from overworlds.envs.core.single import SingleAgentEnv

from .games import EVERY_GAME, EVERY_TABLE
from .games import make as make_aec


def make(game: str, **options):
    name, _, version = game.rpartition("_v")
    return gymnasium.make(f"overworlds/{name.title().replace('_', '')}-v{version}", **options)


def play(env, seed: int, games: int = 1, steps: int = 100_000) -> list:
    """Random play; everything that came back."""
    rng = np.random.default_rng(seed)
    got = []
    observation, info = env.reset(seed=seed)
    got.append((observation.tobytes(), info["seat"]))
    while games and len(got) < steps:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        got.append((observation.tobytes(), reward, terminated, truncated, info["seat"]))
        if terminated or truncated:
            games -= 1
            if games:
                observation, info = env.reset()
                got.append((observation.tobytes(), info["seat"]))
    return got


@EVERY_TABLE
def test_gymnasiums_own_check(game, players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*illegal action")
        warnings.filterwarnings("ignore", message=".*ignores the reset option")
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version")
        check_env(make(game, players=players).unwrapped, skip_render_check=True)


@EVERY_TABLE
def test_games_from_every_seat(game, players):
    for seat in range(players):
        env = make(game, players=players, seat=seat)
        observation, info = env.reset(seed=seat)
        rng = np.random.default_rng(seat)
        total = 0.0
        while True:
            assert env.observation_space.contains(observation)
            assert info["seat"] == seat
            assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
            assert info["action_mask"].any()
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, terminated, truncated, info = env.step(action)
            total += reward
            if terminated or truncated:
                break
            assert reward == 0 or game not in ("homeworlds_v0",)
        assert not info["action_mask"].any()
        assert not (terminated and truncated)
        if game == "homeworlds_v0":
            assert total in ((0,) if truncated else (-1, 1))


@EVERY_TABLE
def test_the_learner_sees_what_the_seat_sees_and_the_others_play_their_policies(game, players):
    """The same game by hand: an AEC environment whose other seats draw as the view says they do."""
    seat = players - 1
    env = make(game, players=players, seat=seat)
    other = make_aec(game, players)
    observation, info = env.reset(seed=7)
    other.reset(seed=7)
    rng = np.zeros(1, RNG)[0]
    seed_rng(rng, mix(7, 2))
    me = other.possible_agents[seat]
    random_policy = find_game(game).policy("random")
    choices = np.random.default_rng(7)

    def others_play():
        while other.returns() is None and me in other.agents and other.agent_selection != me:
            if other.terminations[other.agent_selection]:
                other.step(None)
                continue
            legal = other.legal_actions()
            chosen = random_policy.kernel(
                random_policy.params, other.variant.rules, other._state, legal, len(legal), int(draw_seed(rng))
            )
            other.step(int(chosen))

    others_play()
    for _ in range(300):
        view = other.observe(me)
        assert np.array_equal(observation, view["observation"])
        assert np.array_equal(info["action_mask"], view["action_mask"])
        action = int(choices.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        other.step(action)
        others_play()
        if terminated or truncated:
            assert np.array_equal(observation, other.observe(me)["observation"])
            assert other.terminations[me] == terminated
            assert other.truncations[me] == truncated
            assert other._cumulative_rewards[me] == reward
            break


@EVERY_GAME
def test_seeds_decide_everything(game):
    players = find_game(game).default_players
    one, other = (make(game, players=players, seat=None) for _ in range(2))
    assert play(one, 5, games=2) == play(other, 5, games=2)
    assert play(one, 5) == play(one, 5)
    assert play(one, 5) != play(one, 6)


@EVERY_GAME
def test_a_random_seat_for_every_game(game):
    env = make(game, seat=None)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(60)}
    assert seats == set(range(find_game(game).default_players))
    seats = {env.reset()[1]["seat"] for _ in range(60)}
    assert seats == set(range(find_game(game).default_players))


@EVERY_GAME
def test_seats_by_name(game):
    assert make(game, seat="player_1").reset(seed=0)[1]["seat"] == 1


@kernel(POLICY)
def choose_at(params, rules, state, legal, n, seed):
    """The legal action at the place given, from the front or the back."""
    return legal[int(params[0]) % n]


@EVERY_GAME
def test_opponents_are_listed_from_the_learners_left(game):
    """With one opponent that always takes the last choice, its place in the list is its place at the table."""
    facts = find_game(game)
    players = facts.default_players
    if players < 3:
        pytest.skip("two players have one opponent")
    first, last = (Policy(choose_at, np.array([n], np.float32)) for n in (0, -1))
    for seat in range(players):
        for left in range(1, players):
            opponents = [last if place == left else first for place in range(1, players)]
            env = make(game, players=players, seat=seat, opponents=opponents)
            _, info = env.reset(seed=0)
            other = make_aec(game, players)
            other.reset(seed=0)
            for _ in range(5):
                action = int(np.flatnonzero(info["action_mask"])[0])
                expected = (seat + left) % players
                while (mover := other.possible_agents.index(other.agent_selection)) != seat:
                    legal = other.legal_actions()
                    other.step(int(legal[-1 if mover == expected else 0]))
                assert np.array_equal(other.observe(other.agent_selection)["action_mask"], info["action_mask"])
                assert bytes(env.unwrapped._state) == other.state_bytes()[-len(env.unwrapped._state) :]
                other.step(action)
                *_, info = env.step(action)


@EVERY_GAME
def test_illegal_actions_end_the_game_or_raise(game):
    env = make(game)
    _, info = env.reset(seed=0)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.warns(UserWarning, match=f"illegal action {wrong}"):
        _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert not info["action_mask"].any()
    with pytest.raises(OrderError, match=r"call reset\(\) before step"):
        env.step(0)
    env = make(game, illegal="raise")
    _, info = env.reset(seed=0)
    with pytest.raises(IllegalActionError, match=f"illegal action {wrong}"):
        env.step(wrong)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


@EVERY_GAME
@pytest.mark.parametrize("action", [-1, 10**6, 1.5, "1", None, True, np.array([1, 2])])
def test_wrong_actions_raise_and_change_nothing(game, action):
    env = make(game, illegal="raise")
    _, info = env.reset(seed=0)
    with pytest.raises((TypeError, ValueError), match=r"an action is a (whole )?number from 0 to"):
        env.step(action)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


@EVERY_GAME
def test_order(game):
    env = make(game).unwrapped
    with pytest.raises(OrderError, match=r"call reset\(\) before step"):
        env.step(0)
    with pytest.raises(OrderError, match=r"reset\(\)"):
        make(game, render_mode="ansi").unwrapped.render()


@EVERY_GAME
def test_wrong_arguments(game):
    players = find_game(game).default_players
    for options, message in (
        ({"seat": players}, f"there is no player {players}"),
        ({"opponents": "randon"}, "did you mean 'random'"),
        ({"opponents": ["random"] * players}, f"need {players - 1} opponents, not {players}"),
        ({"render_mode": "ascii"}, "there is no render mode"),
        ({"illegal": "ignore"}, "illegal must be"),
        ({"no_such_rule": 1}, "has no rule 'no_such_rule'"),
    ):
        with pytest.raises(ValueError, match=message):
            SingleAgentEnv(game, players=players, **options)
    for options in ({"opponents": 5}, {"opponents": [None] * (players - 1)}):
        with pytest.raises(TypeError, match="a policy is a name, such as 'random', or a Policy, not"):
            SingleAgentEnv(game, players=players, **options)
    with pytest.raises(ValueError, match="there is no game"):
        SingleAgentEnv("chess_v0")


def test_a_bad_position_is_refused_and_nothing_is_lost():
    for seat in (0, None):
        env, other = (make("homeworlds_v0", players=3, seat=seat).unwrapped for _ in range(2))
        for each in (env, other):
            _, info = each.reset(seed=3)
            for _ in range(4):
                *_, info = each.step(int(np.flatnonzero(info["action_mask"])[0]))
        for seed in (None, 9):
            with pytest.raises(ValueError, match="cannot read the system"):
                env.reset(seed=seed, options={"position": "nonsense"})
        for _ in range(10):
            action = int(np.flatnonzero(other.action_masks())[0])
            one, two = env.step(action), other.step(action)
            assert np.array_equal(one[0], two[0])
            assert one[1:4] == two[1:4]


def test_unknown_options_are_warned_of():
    env = make("homeworlds_v0", players=2)
    with pytest.warns(UserWarning, match="ignores the reset option 'posision'"):
        env.reset(seed=0, options={"posision": ""})


def test_positions_can_be_given():
    env = make("homeworlds_v0", players=2, seat=0)
    options = {"position": "H0:b3+r1|0g3 H1:b2+y1|1g3,0r3", "alignments": "GE"}
    env.reset(seed=0, options=options)
    attack = env.unwrapped.variant.action_id("attack g3 at H1", 0)
    _, reward, terminated, truncated, _ = env.step(attack)
    assert (reward, terminated, truncated) == (1, True, False)


def test_a_learner_that_is_dead_in_the_position_is_refused():
    options = {"position": "H0:b3+r1|0g3 H2:g1+y3|2b3", "alignments": "GGE"}
    with pytest.raises(ValueError, match="player_1, the learner, is out of the game"):
        make("homeworlds_v0", players=3, seat=1).reset(seed=0, options=options)
    env = make("homeworlds_v0", players=3, seat=None)
    assert {env.reset(seed=seed, options=options)[1]["seat"] for seed in range(20)} == {0, 2}


@EVERY_GAME
def test_copies_go_on_like_the_original(game):
    for copied in (copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))):
        env = SingleAgentEnv(game)
        _, info = env.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(3):
            *_, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        other = copied(env)
        for _ in range(2_000):
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            one, two = env.step(action), other.step(action)
            assert np.array_equal(one[0], two[0])
            assert one[1:4] == two[1:4]
            info = one[4]
            if one[2] or one[3]:
                break


@EVERY_GAME
def test_rendering(game):
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        env = make(game, render_mode=mode)
        env.reset(seed=0)
        assert isinstance(env.render(), kind)
        env.close()
    env = make(game).unwrapped
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


@EVERY_GAME
def test_vectors_of_gymnasium(game):
    envs = gymnasium.vector.SyncVectorEnv([lambda: make(game) for _ in range(3)])
    observations, infos = envs.reset(seed=1)
    assert observations.shape[0] == 3
    assert infos["action_mask"].shape[0] == 3
    for _ in range(30):
        actions = np.array([np.flatnonzero(mask)[0] for mask in envs.call("action_masks")])
        _, _, terminated, truncated, infos = envs.step(actions)
        if (terminated | truncated).any():
            break
    envs.close()


def test_every_game_has_an_id():
    ids = [spec for spec in gymnasium.registry if spec.startswith("overworlds/")]
    assert len(ids) == len(GAMES)
    assert "overworlds/Homeworlds-v0" in ids
