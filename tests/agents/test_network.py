"""Networks in numba: the same choices as torch makes, and files that are what they say."""

import copy
import json
import pickle
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from overworlds.agents import network as networks
from overworlds.agents.network import (
    UNADVISED,
    Advice,
    Network,
    Shape,
    load_network,
    load_policy,
    network_policy,
    value_for,
)
from overworlds.envs import Batch, Variant, find_game, playouts
from overworlds.envs.core.registry import GAMES
from overworlds.envs.core.rng import mix
from overworlds.envs.overpower import decks_of
from overworlds.envs.overpower.state import KINDS


@pytest.fixture(scope="module")
def variant():
    return Variant(find_game("homeworlds_v0"), 2)


def made(variant, width=16, block_width=12, seed=0, advice=UNADVISED, **about):
    """A network with random weights."""
    rng = np.random.default_rng(seed)
    shape = Shape.of(variant, width, block_width, advice)
    weights = {name: (rng.normal(size=size) * 0.3).astype(np.float32) for name, size in shape.arrays().items()}
    about = {"game": variant.game.id, "players": variant.players, "rules": dict(variant.values)} | about
    return Network(shape, weights, about)


def logits_and_value(network, observation):
    """The forward pass in plain numpy."""
    shape, w = network.shape, network.weights
    seen = observation.astype(np.float64)
    beyond = [blocks.first_input + blocks.landmarks * blocks.inputs for blocks in shape.blocks]
    inside = [np.arange(first, blocks.end) for first, blocks in zip(beyond, shape.blocks, strict=True)]
    outside = np.delete(seen, np.concatenate(inside or [[]]).astype(int))
    first = np.maximum(0, outside @ w["table_1"] + w["table_biases_1"])
    blocks_1, present, pooled = {}, {}, [first]
    for blocks in shape.blocks:
        name = blocks.name
        block = seen[blocks.first_input : blocks.end].reshape(blocks.count, blocks.inputs)
        present[name] = block.any(axis=1)[:, None]
        layer = np.maximum(0, block @ w[f"{name}_1"] + w[f"{name}_places"] + first @ w[f"{name}_told_1"])
        blocks_1[name] = present[name] * layer
        pooled.append(blocks_1[name].sum(axis=0) * networks.POOLED)
    table = np.maximum(0, np.concatenate(pooled) @ w["table_2"] + w["table_biases_2"])
    others = iter(w["actions"] @ table + w["action_biases"])
    weighed = {}
    for blocks in shape.blocks:
        name = blocks.name
        layer = np.maximum(0, blocks_1[name] @ w[f"{name}_2"] + w[f"{name}_biases_2"] + table @ w[f"{name}_told_2"])
        weighed[name] = present[name] * layer @ w[f"{name}_actions"].T + w[f"{name}_action_biases"]
    logits, used = [], dict.fromkeys(weighed, 0)
    for of, size, across in shape.groups:
        if of:
            each = size // len(weighed[of])
            mine = weighed[of][:, used[of] : used[of] + each]
            used[of] += each
            logits += (mine.T if across else mine).ravel().tolist()
        else:
            logits += [next(others) for _ in range(size)]
    return np.array(logits), w["value"] @ table + w["value_bias"][0]


def positions(variant, games=32, steps=40):
    """A batch somewhere in the middle of random games."""
    table = Batch(variant, games, seed=5)
    for step in range(steps):
        table.step(table.random_actions(step))
    return table


@pytest.mark.parametrize("game", GAMES)
def test_blocks_and_the_actions_about_them_are_of_equal_sizes(game):
    for players in find_game(game).players:
        variant = Variant(find_game(game), players)
        parts = {part.name: part for part in variant.parts}
        assert all(part.size % part.blocks == 0 for part in variant.parts)
        about = [group for group in variant.action_groups if group.of]
        assert all(group.size % parts[group.of].blocks == 0 for group in about)


def test_every_action_about_a_card_is_weighed_by_that_card():
    """Ids are listed across the cards in OverPower, card by card in Homeworlds: names tell which one it should be."""
    variant = Variant(find_game("overpower_v0"))
    names, where = variant.action_names(0), Shape.of(variant, 8, 8).action_map()
    mine, foes = ([card.name for card in deck.kinds] for deck in decks_of(variant.values))
    cards = [*mine, *[""] * (KINDS - len(mine)), *foes, *[""] * (KINDS - len(foes))]
    for action, (block, _which) in enumerate(where):
        assert block < 0 or cards[block] in names[action], names[action]
    pairs = {(int(block), int(which)) for block, which in where}
    assert len(pairs) == variant.num_actions, "two actions have the same weights"


def without_blocks(variant):
    """The same game, described as one whose observations have no blocks."""
    plain = copy.copy(variant)
    plain.action_groups = tuple(replace(group, of="") for group in variant.action_groups)
    return plain


def with_blocks_first(variant):
    """The same numbers, described as if an earlier part had the blocks that actions are about."""
    other = copy.copy(variant)
    other.parts = tuple(replace(part, blocks=6 if part.name == "stash" else 1) for part in variant.parts)
    other.action_groups = tuple(
        replace(group, of="stash" if group.name == "discover" else "") for group in variant.action_groups
    )
    return other


def with_more_blocks(variant):
    """The same numbers, described with blocks of two kinds, and actions across one of them."""
    other = with_blocks_first(variant)
    other.action_groups = tuple(
        replace(group, of=of.of or group.of, across=bool(group.of))
        for group, of in zip(other.action_groups, variant.action_groups, strict=True)
    )
    other.parts = tuple(
        replace(part, blocks=of.blocks if of.blocks > 1 else part.blocks)
        for part, of in zip(other.parts, variant.parts, strict=True)
    )
    return other


def with_landmarks(variant):
    """The same numbers, described with two landmarks among the blocks of every part that has some."""
    other = with_more_blocks(variant)
    other.parts = tuple(replace(part, landmarks=2 if part.blocks > 1 else 0) for part in other.parts)
    return other


WAYS = [lambda variant: variant, without_blocks, with_blocks_first, with_more_blocks, with_landmarks]


@pytest.mark.parametrize("described", WAYS)
@pytest.mark.parametrize("width", [5, 24])
def test_chooses_the_legal_action_with_the_greatest_logit(variant, described, width):
    variant = described(variant)
    network, table = made(variant, width), positions(variant)
    player = network_policy(network, variant)
    for lane in range(table.num_envs):
        n = int(table.legal_counts[lane])
        legal = table.legal[lane, :n]
        logits, value = logits_and_value(network, table.observations[lane])
        choice = player.kernel(player.params, variant.rules, table.states[lane], table.legal[lane], n, 0)
        assert choice == legal[np.argmax(logits[legal])]
        assert value_for(player.params, variant.rules, table.states[lane], table.seats[lane]) == pytest.approx(
            value, abs=1e-4
        )


@pytest.mark.parametrize("trust", [0.0, 2.0, 100.0, -100.0])
def test_an_advisors_choice_weighs_more_by_the_trust_in_it(variant, trust):
    network, table = made(variant, advice=Advice("random", 2)), positions(variant)
    network.weights["trust"][:] = 0
    network.weights["trust_bias"][:] = trust
    player, advisor = network_policy(network, variant), variant.game.policy("random")
    followed = forced = 0
    for lane in range(table.num_envs):
        n = int(table.legal_counts[lane])
        legal, rest = table.legal[lane, :n], (variant.rules, table.states[lane], table.legal[lane], n)
        logits = logits_and_value(network, table.observations[lane])[0]
        named = [advisor.kernel(advisor.params, *rest, mix(lane, time)) for time in (1, 2)]
        for action in named:
            logits[action] += trust
        choice = player.kernel(player.params, *rest, lane)
        assert choice == legal[np.argmax(logits[legal])]
        followed += choice in named
        forced += set(legal) <= set(named)
    if abs(trust) == 100:
        assert followed == (table.num_envs if trust > 0 else forced)


def test_trust_leaves_the_value_alone(variant):
    network, table = made(variant, advice=Advice("random")), positions(variant)
    same = Network(Shape.of(variant, 16, 12), network.weights, network.about)
    advised, alone = network_policy(network, variant), network_policy(same, variant)
    for state, seat in zip(table.states, table.seats, strict=True):
        expected = value_for(alone.params, variant.rules, state, seat)
        assert value_for(advised.params, variant.rules, state, seat) == expected


def test_a_network_is_refused_where_its_advisor_does_not_play(variant, tmp_path):
    made(variant, advice=Advice("oracle")).save(tmp_path / "advised.npz")
    with pytest.raises(ValueError, match="advised by 'oracle', and homeworlds_v0 has no such player"):
        load_policy(tmp_path / "advised.npz", variant)


def test_draws_actions_as_often_as_softmax_says(variant):
    network, table = made(variant), positions(variant)
    lane = int(np.argmax(table.legal_counts))
    n = int(table.legal_counts[lane])
    legal = table.legal[lane, :n]
    temperature = 0.7
    player = network_policy(network, variant, temperature)
    logits = logits_and_value(network, table.observations[lane])[0][legal] / temperature
    wanted = np.exp(logits - logits.max())
    wanted /= wanted.sum()
    drawn = [
        player.kernel(player.params, variant.rules, table.states[lane], table.legal[lane], n, seed)
        for seed in range(4000)
    ]
    share = np.array([drawn.count(action) for action in legal]) / len(drawn)
    assert np.abs(share - wanted).max() < 0.04
    assert drawn[0] == player.kernel(player.params, variant.rules, table.states[lane], table.legal[lane], n, 0)


@pytest.mark.parametrize("advice", [UNADVISED, Advice("random", 3)])
@pytest.mark.parametrize("described", WAYS)
def test_same_choices_and_values_as_torch(variant, described, advice):
    torch = pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    from overworlds.training.learner import LearnerPolicy
    from overworlds.training.opponents import OpponentPool
    from overworlds.training.vecenv import SelfPlayVecEnv

    torch.manual_seed(1)
    env = SelfPlayVecEnv(variant, 2, OpponentPool(variant, {"random": 1.0}))
    variant = described(variant)
    shape = Shape.of(variant, 32, 24, advice)
    learner = LearnerPolicy(env.observation_space, env.action_space, lambda _: 1e-3, shape=shape)
    for weights in learner.parameters():
        torch.nn.init.normal_(weights, std=0.3)  # a fresh learner likes all actions alike
    rng = np.random.default_rng(1)
    scale = rng.uniform(0.2, 1.0, variant.observation_size).astype(np.float32)
    for blocks in shape.blocks:
        each = scale[blocks.first_input : blocks.end].reshape(blocks.count, -1)
        each[:] = each[0]
    learner.body.scale[:] = torch.as_tensor(scale)
    player = network_policy(learner.network(variant), variant)
    table = positions(variant, games=256)
    masks = table.masks.copy()
    if advice.of:
        kernel, numbers = variant.game.policy(advice.of).kernel, np.zeros(1, np.float32)
        for lane, (state, n) in enumerate(zip(table.states, table.legal_counts, strict=True)):
            for time in range(advice.asks):
                masks[lane, kernel(numbers, variant.rules, state, table.legal[lane], int(n), mix(0, 1 + time))] += 1
    actions, values, _ = learner(torch.as_tensor(table.observations), True, masks)
    predicted, _ = learner.predict(table.observations, action_masks=masks, deterministic=True)
    for lane in range(table.num_envs):
        state, n = table.states[lane], int(table.legal_counts[lane])
        choice = player.kernel(player.params, variant.rules, state, table.legal[lane], n, 0)
        assert choice == actions[lane] == predicted[lane]
        value = value_for(player.params, variant.rules, state, table.seats[lane])
        assert value == pytest.approx(values[lane].item(), abs=1e-4)


def test_plays_whole_games(variant):
    player = network_policy(made(variant), variant, temperature=1.0)
    one = playouts(variant, [player, "random"], 20, threads=1, rotate=True)
    two = playouts(variant, [player, "random"], 20, threads=2, rotate=True)
    assert (one.returns == two.returns).all()
    assert (one.decisions > 0).all()


def test_a_file_gives_the_same_player(variant, tmp_path):
    network = made(variant, note="a note")
    network.save(tmp_path / "network.npz")
    loaded = load_network(tmp_path / "network.npz")
    assert loaded.about["note"] == "a note"
    assert loaded.shape == network.shape
    player, again = network_policy(network, variant, 0.5), load_policy(tmp_path / "network.npz", variant, 0.5)
    assert (player.params == again.params).all()
    assert list(tmp_path.iterdir()) == [tmp_path / "network.npz"]


def test_a_pickled_player_works_in_another_process(variant, tmp_path):
    player = network_policy(made(variant), variant)
    (tmp_path / "player.pickle").write_bytes(pickle.dumps(player))
    script = (
        "import pickle, sys; from overworlds.envs import playouts; player = pickle.load(open(sys.argv[1], 'rb'));"
        "print(playouts('homeworlds_v0', [player, 'random'], 5, players=2).returns.tolist())"
    )
    result = subprocess.run([sys.executable, "-c", script, tmp_path / "player.pickle"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == playouts(variant, [player, "random"], 5).returns.tolist()


# ---------------------------------------------------------------- files that are refused


def refusal(path, variant):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the text is what is tested
        load_policy(path, variant)
    return str(error.value)


def test_files_that_are_no_network_are_refused(variant, tmp_path):
    path = tmp_path / "network.npz"
    assert "there is no file" in refusal(path, variant)
    path.write_text("weights")
    assert "not a network, or is damaged" in refusal(path, variant)
    np.savez(path, something=np.zeros(3))
    assert "has no 'about'" in refusal(path, variant)
    np.savez(path, about=np.array({"format": 1}, dtype=object))
    assert "not a network, or is damaged" in refusal(path, variant)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.99])
def test_truncated_files_are_refused(variant, tmp_path, share):
    path = tmp_path / "network.npz"
    made(variant).save(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert "not a network, or is damaged" in refusal(path, variant)


def test_damaged_bytes_are_refused(variant, tmp_path):
    path = tmp_path / "network.npz"
    made(variant).save(path)
    with zipfile.ZipFile(path) as file:
        at = file.getinfo("table_2.npy").header_offset + 500
    content = bytearray(path.read_bytes())
    content[at] ^= 0xFF
    path.write_bytes(content)
    assert "not a network, or is damaged" in refusal(path, variant)


def changed(path, **changes):
    """Write the file again with other arrays; None leaves one out."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files} | changes
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"value_bias": None}, "has no 'value_bias'"),
        ({"about": None}, "has no 'about'"),
        ({"about": np.array('{"format": 99}')}, "not of format 3"),
        ({"about": np.array("[]")}, "not of format 3"),
        ({"about": np.array("{")}, "not a network this version can use"),
        ({"about": np.array('{"format": 3}')}, "what shape it has"),
        ({"about": np.array('{"format": 3, "shape": {"inputs": 5}}')}, "what shape it has"),
        ({"systems_2": np.zeros((15, 12), np.float32)}, "must be (12, 12)"),
        ({"table_1": np.zeros(5, np.float32)}, "does not fit"),
        ({"table_biases_1": np.full(16, np.nan, np.float32)}, "not all finite"),
        ({"table_biases_1": np.zeros(16)}, "not all finite 32-bit floats"),
    ],
)
def test_files_with_wrong_content_are_refused(variant, tmp_path, changes, reason):
    path = tmp_path / "network.npz"
    made(variant).save(path)
    changed(path, **changes)
    assert reason in refusal(path, variant)


def test_networks_of_other_games_are_refused(variant, tmp_path):
    path = tmp_path / "network.npz"
    made(variant, game="chess_v0").save(path)
    assert "plays chess_v0 with 2 players, not homeworlds_v0 with 2" in refusal(path, variant)
    made(variant, players=3).save(path)
    assert "plays homeworlds_v0 with 3 players" in refusal(path, variant)
    made(variant).save(path)
    bigger = Variant(variant.game, 2, {"pieces_per_kind": 4})
    assert f"takes {variant.observation_size} numbers" in refusal(path, bigger)


def test_other_rules_are_warned_about(variant, tmp_path):
    made(variant).save(tmp_path / "network.npz")
    with pytest.warns(UserWarning, match="trained with other rules"):
        load_policy(tmp_path / "network.npz", Variant(variant.game, 2, {"turn_limit": 50}))


def test_says_what_to_do_where_no_network_ships(variant, monkeypatch, tmp_path):
    monkeypatch.setattr(networks, "CHECKPOINTS", tmp_path)
    assert "overworlds train homeworlds_v0 --players 2" in refusal(None, variant)


def test_temperature_must_not_be_negative(variant):
    with pytest.raises(ValueError, match="a temperature is 0"):
        network_policy(made(variant), variant, -1.0)


def test_plain_python_makes_the_same_choices(variant, tmp_path):
    network = made(variant, 6, 5)
    network.save(tmp_path / "network.npz")
    script = (
        "import sys; from overworlds.agents.network import load_policy; from overworlds.envs import *;"
        "v = Variant(find_game('homeworlds_v0'), 2);"
        "r = playouts(v, [load_policy(sys.argv[1], v, 0.5), 'random'], 2, threads=1);"
        "print([r.returns.tolist(), r.decisions.tolist()])"
    )
    compiled = playouts(variant, [network_policy(network, variant, 0.5), "random"], 2, threads=1)
    result = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "network.npz"],
        capture_output=True,
        text=True,
        env={"NUMBA_DISABLE_JIT": "1", "PATH": ""},
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [compiled.returns.tolist(), compiled.decisions.tolist()]
