"""The environment for Stable-Baselines3: its contract, and the same games as played by hand."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from overworlds.agents.network import Advice, network_policy
from overworlds.agents.specs import make_value
from overworlds.envs import Variant, find_game
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES, RNG
from overworlds.envs.core.rng import below, draw_seed, mix, next_seed, seed_rng
from overworlds.training.endings import IN_A_THOUSAND
from overworlds.training.opponents import FINEST_ODDS, OpponentPool
from overworlds.training.vecenv import SelfPlayVecEnv
from tests.agents.test_network import made

LANES = 6


@pytest.fixture(scope="module")
def two():
    return Variant(find_game("homeworlds_v0"), 2, {"turn_limit": 12})


@pytest.fixture(scope="module")
def four():
    return Variant(find_game("homeworlds_v0"), 4, {"turn_limit": 12})


def random_env(variant, **options):
    return SelfPlayVecEnv(variant, LANES, OpponentPool(variant, {"random": 1.0}), **options)


def choose(masks, step):
    """A legal action in every lane."""
    scores = np.random.default_rng(step).random(masks.shape)
    return (scores * masks).argmax(axis=1)


class ByHand:
    """One lane, played with the game's kernels called from Python."""

    def __init__(self, env, seed):
        self.env, self.variant, self.kernels = env, env.variant, env.variant.game.kernels
        self.state = np.zeros(self.variant.state_bytes, np.uint8)
        self.head = self.state[:HEADER_BYTES].view(HEADER)[0]
        self.rng = np.zeros(RNG.itemsize, np.uint8).view(RNG)[0]
        self.ids = np.zeros(self.variant.num_actions, np.int32)
        self.deal(seed)

    def deal(self, seed):
        while True:
            self.kernels.reset(self.variant.rules, self.state, seed)
            seed_rng(self.rng, mix(seed, 2))
            self.learner = below(self.rng, self.variant.players)
            if self.variant.players > 2:
                below(self.rng, IN_A_THOUSAND)  # whether the others are drawn one by one
            draws = [below(self.rng, FINEST_ODDS) for _ in range(self.variant.players)]
            self.others = [int(np.flatnonzero(self.env.pool.odds > draw)[0]) for draw in draws]
            self.play_others()
            if not self.head.finished[self.learner]:
                return
            seed = next_seed(seed)

    def play_others(self):
        head, pool = self.head, self.env.pool
        while head.to_move not in (-1, self.learner) and not head.finished[self.learner]:
            row = self.others[head.to_move]
            n = self.kernels.legal(self.variant.rules, self.state, self.ids)
            seed = draw_seed(self.rng)
            action = pool.kernels[row](pool.rows[row], self.variant.rules, self.state, self.ids, n, seed)
            self.kernels.step(self.variant.rules, self.state, action)

    def observation(self):
        out = np.zeros(self.variant.observation_size, np.int8)
        self.kernels.observe(self.variant.rules, self.state, self.learner, out)
        return out

    def mask(self):
        n = self.kernels.legal(self.variant.rules, self.state, self.ids)
        mask = np.zeros(self.variant.num_actions, bool)
        mask[self.ids[:n]] = True
        return mask

    def step(self, action):
        """Reward, whether the game is over, whether by a limit, and the last observation of a game that is."""
        before = self.head.returns[self.learner]
        self.kernels.step(self.variant.rules, self.state, int(action))
        self.play_others()
        reward = self.head.returns[self.learner] - before
        if not self.head.finished[self.learner]:
            return reward, False, False, None
        end = reward, True, bool(self.head.truncated), self.observation()
        self.deal(next_seed(int(self.head.seed)))
        return end


@pytest.mark.parametrize("players", ["two", "four"])
@pytest.mark.parametrize("threads", [1, 3])
def test_equals_lanes_played_by_hand(players, threads, request):
    variant = request.getfixturevalue(players)
    pool = OpponentPool(variant, {"random": 0.5, "self": 0.25, "past": 0.25}, places_for_past=2)
    for seed in range(3):
        player = network_policy(made(variant, 5, 4, seed), variant, 1.0)
        pool.set_self(player)
        pool.remember(player)
    env = SelfPlayVecEnv(variant, LANES, pool, seed=40, threads=threads)
    seen = env.reset()
    lanes = [ByHand(env, 40 + i) for i in range(LANES)]
    ended = 0
    for step in range(150):
        masks = env.env_method("action_masks")
        for i, lane in enumerate(lanes):
            assert (seen[i] == lane.observation()).all()
            assert (masks[i] == lane.mask()).all()
        actions = choose(masks, step)
        seen, rewards, dones, infos = env.step(actions)
        for i, lane in enumerate(lanes):
            reward, over, truncated, last = lane.step(actions[i])
            assert (rewards[i], dones[i]) == (reward, over)
            assert ("terminal_observation" in infos[i]) == over
            if over:
                ended += 1
                assert infos[i]["TimeLimit.truncated"] == truncated
                assert (infos[i]["terminal_observation"] == last).all()
    assert ended > LANES
    env.close()


def test_masks_say_what_the_advisor_would_choose(two):
    """The scripted player, alone with one legal action or not, is asked with the lane's own chances."""
    env = random_env(two, advice=Advice("scripted", 3))
    plain = random_env(two)
    scripted = two.game.policy("scripted").kernel
    env.reset()
    plain.reset()
    assert ((env.action_masks() > 0) == plain.action_masks()).all()
    asked = 0
    for _ in range(60):
        masks = env.env_method("action_masks")
        assert ((masks - 1).clip(0).sum(axis=1) == 3).all()
        for i in range(LANES):
            ids = np.flatnonzero(masks[i]).astype(np.int32)
            wishes = {scripted(np.zeros(1, np.float32), two.rules, env.states[i], ids, len(ids), s) for s in range(40)}
            if len(wishes) == 1 and len(ids) > 1:  # where its moods do not matter
                asked += 1
                assert masks[i, wishes.pop()] == 4
        env.step(masks.argmax(axis=1))
    assert asked > LANES


def test_obeys_the_contract_of_stable_baselines(two):
    env = random_env(two)
    observations = env.reset()
    assert env.observation_space.contains(observations[0])
    assert observations.shape == (LANES, two.observation_size)
    assert observations.dtype == np.int8
    masks = env.env_method("action_masks")
    assert isinstance(masks, np.ndarray)
    assert masks.shape == (LANES, two.num_actions)
    assert (env.env_method("action_masks", indices=[3, 1]) == masks[[3, 1]]).all()
    assert (env.env_method("action_masks", indices=2) == masks[[2]]).all()
    assert env.has_attr("action_masks")
    assert env.get_attr("render_mode") == [None] * LANES
    assert env.env_is_wrapped(object) == [False] * LANES
    kept = observations.copy()
    after, rewards, dones, infos = env.step(choose(masks, 0))
    assert (observations == kept).all(), "what step gave before must not change"
    assert not (after == kept).all()
    assert (rewards.dtype, rewards.shape) == (np.float32, (LANES,))
    assert (dones.dtype, dones.shape) == (np.bool_, (LANES,))
    assert len(infos) == LANES
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", 1)


def test_episodes_are_reported(two):
    env = random_env(two)
    env.reset()
    lengths, total = np.zeros(LANES, int), np.zeros(LANES)
    reported = []
    for step in range(300):
        _, rewards, dones, infos = env.step(choose(env.action_masks(), step))
        lengths += 1
        total += rewards
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == total[i]
            assert infos[i]["episode"]["l"] == lengths[i]
            assert infos[i]["opponents"] == ["random"]
            reported.append(infos[i])
            lengths[i] = total[i] = 0
    assert {info["seat"] for info in reported} == {0, 1}
    assert {info["TimeLimit.truncated"] for info in reported} == {False, True}
    assert {info["episode"]["r"] for info in reported} == {-1, 0, 1}


def test_waiting_for_the_limit_can_be_punished(two):
    env, other = random_env(two), random_env(two, limit_penalty=0.75)
    env.reset()
    other.reset()
    punished = 0
    for step in range(200):
        actions = choose(env.action_masks(), step)
        _, rewards, dones, infos = env.step(actions)
        _, lower, ends, told = other.step(actions)
        assert (dones == ends).all()
        limited = np.array([info.get("TimeLimit.truncated", False) for info in infos])
        assert (lower == rewards - 0.75 * limited).all()
        assert not any(info.get("TimeLimit.truncated", False) for info in told)
        punished += limited.sum()
    assert punished > 0


def test_losses_can_count_less_than_wins(two):
    env, other = random_env(two), random_env(two, limit_penalty=0.5, loss_weight=0.25)
    env.reset()
    other.reset()
    seen = set()
    for step in range(300):
        actions = choose(env.action_masks(), step)
        _, rewards, _, infos = env.step(actions)
        _, weighed, _, _ = other.step(actions)
        limited = np.array([info.get("TimeLimit.truncated", False) for info in infos])
        assert (weighed == np.where(rewards < 0, 0.25 * rewards, rewards) - 0.125 * limited).all()
        seen |= set(weighed.tolist())
    assert seen == {-0.25, -0.125, 0, 1}


def test_shaping_pays_in_advance_what_the_judgement_expects_and_takes_it_back(four):
    judgement = make_value("game", four)
    plain, shaped = random_env(four, seed=5), random_env(four, seed=5, judgement=judgement, discount=0.9)
    shaped.shaping = 0.5
    plain.reset()
    shaped.reset()

    def judged(lane):
        return judgement.kernel(judgement.params, four.rules, shaped.states[lane], int(shaped.lanes["learner"][lane]))

    expected, turns = np.array([judged(lane) for lane in range(LANES)]), shaped.states[:, :HEADER_BYTES].view(HEADER)
    turn, ends, changes = turns["turn"][:, 0].copy(), 0, 0
    for step in range(400):
        actions = choose(plain.action_masks(), step)
        _, before, dones, _ = plain.step(actions)
        _, after, _, _ = shaped.step(actions)
        for lane in range(LANES):
            ends, changes = ends + dones[lane], changes + (turns["turn"][lane, 0] != turn[lane])
            is_new = dones[lane] or turns["turn"][lane, 0] != turn[lane]
            now = judged(lane) if is_new else expected[lane]
            promised = 0.0 if dones[lane] else 0.9 * now
            assert after[lane] - before[lane] == pytest.approx(0.5 * (promised - expected[lane]), abs=1e-5)
            expected[lane] = now
        turn[:] = turns["turn"][:, 0]
    assert ends > 5
    assert changes > 100


def test_the_time_that_other_players_take_is_told_apart(four):
    """The scripted player needs a hundred times as long to choose as the rules need to go on."""
    shares = []
    for name in ("scripted", "random"):
        env = SelfPlayVecEnv(four, LANES, OpponentPool(four, {name: 1.0}))
        env.reset()
        for step in range(100):
            env.step(choose(env.action_masks(), step))
        assert 0 < env.seconds_of_others < env.seconds
        shares.append(env.seconds_of_others / env.seconds)
    assert shares[0] > shares[1]


def test_the_same_seed_gives_the_same_games(two):
    def observations(seed, threads):
        env = random_env(two, threads=threads)
        env.seed(seed)
        seen = [env.reset()]
        for step in range(60):
            seen.append(env.step(choose(env.action_masks(), step))[0])
        return np.array(seen)

    assert (observations(3, 1) == observations(3, 2)).all()
    assert not (observations(3, 1) == observations(4, 1)).all()


def test_a_seat_can_be_chosen(four):
    env = random_env(four, seat=2)
    env.reset()
    for step in range(40):
        env.step(choose(env.action_masks(), step))
        assert (env.lanes["learner"] == 2).all()


def test_illegal_actions_are_named(two):
    env = random_env(two)
    env.reset()
    actions = choose(env.action_masks(), 0)
    actions[4] = int(np.flatnonzero(~env.action_masks()[4])[0])
    with pytest.raises(ValueError, match=r"game 4: action \d+ is illegal"):
        env.step(actions)


# ---------------------------------------------------------------- who is played against


def drawn_kinds(env):
    env.reset()
    return [env.pool.kinds[row] for row in env.lanes["opponents"][:, : env.variant.players].ravel()]


def test_opponents_are_drawn_by_their_shares(four):
    pool = OpponentPool(four, {"random": 1.0, "self": 3.0})
    pool.set_self(network_policy(made(four, 3, 2), four, 1.0))
    drawn = drawn_kinds(SelfPlayVecEnv(four, 500, pool))
    assert drawn.count("self") / len(drawn) == pytest.approx(0.75, abs=0.05)


@pytest.mark.parametrize("mixed", [0.0, 0.5])
def test_the_same_opponent_may_have_all_other_seats(four, mixed):
    pool = OpponentPool(four, {"random": 0.5, "scripted": 0.5})
    env = SelfPlayVecEnv(four, 400, pool, mixed=mixed)
    env.reset()
    rows = env.lanes["opponents"][:, :4]
    alike = (rows == rows[:, :1]).all(axis=1).mean()
    assert alike == pytest.approx(1 - mixed * 7 / 8, abs=0.08)
    assert rows[:, 0].mean() == pytest.approx(
        np.mean([pool.kinds.index("random"), pool.kinds.index("scripted")]), abs=0.1
    )


def test_past_selves_share_their_part_once_there_are_some(two):
    pool = OpponentPool(two, {"random": 0.5, "past": 0.5}, places_for_past=3)
    players = [network_policy(made(two, 3, 2, seed), two, 1.0) for seed in range(6)]
    pool.set_self(players[0])
    env = SelfPlayVecEnv(two, 300, pool)
    assert set(drawn_kinds(env)) == {"random"}
    for player in players:
        pool.remember(player)
    drawn = drawn_kinds(env)
    assert drawn.count("past") / len(drawn) == pytest.approx(0.5, abs=0.08)
    remembered = pool.past_policies()
    assert len(remembered) == 3
    assert any((player.params == players[5].params).all() for player in remembered)


def test_wrong_pools_are_refused(two):
    with pytest.raises(ValueError, match="has no player 'chess'"):
        OpponentPool(two, {"chess": 1.0})
    with pytest.raises(ValueError, match="must be 0 or more and not all 0"):
        OpponentPool(two, {"random": 0.0})
    with pytest.raises(ValueError, match="call set_self"):
        OpponentPool(two, {"past": 1.0}, 2).remember(network_policy(made(two, 3, 2), two))
    env = SelfPlayVecEnv(two, 2, OpponentPool(two, {"self": 1.0}))
    with pytest.raises(ValueError, match="the pool of opponents is empty"):
        env.reset()


def test_games_are_played_by_all_varieties_of_the_rules(two):
    """With a limit of 3, 6 or 12 turns a player no game is longer, and some are as long."""
    varieties = [Variant(two.game, 2, {"turn_limit": limit}) for limit in (3, 6, 12)]
    env = random_env(two, varieties=varieties)
    env.reset()
    longest = {0: 0, 1: 0, 2: 0}
    truncated = set()
    for step in range(400):
        before = env.lanes["table"].copy()
        turns = env.states[:, :HEADER_BYTES].view(HEADER)["turn"].ravel()
        for table, turn in zip(before, turns, strict=True):
            longest[int(table)] = max(longest[int(table)], int(turn))
        dones, infos = env.step(choose(env.action_masks(), step))[2:]
        truncated |= {int(before[i]) for i in np.flatnonzero(dones) if infos[i]["TimeLimit.truncated"]}
    assert truncated == {0, 1, 2}
    assert 0 < longest[0] <= 6 < longest[1] <= 12 < longest[2]
