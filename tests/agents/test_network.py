"""Networks in numba: the same choices as torch makes, and files that are what they say."""

import json
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from overworlds.agents import network as networks
from overworlds.agents.network import Network, load_network, load_policy, network_policy, value_for
from overworlds.envs import Batch, Variant, find_game, playouts


@pytest.fixture(scope="module")
def variant():
    return Variant(find_game("homeworlds_v0"), 2)


def made(variant, hidden=(16, 12), seed=0, **about):
    """A network with random weights."""
    rng = np.random.default_rng(seed)
    sizes = [variant.observation_size, *hidden]

    def some(*shape):
        return (rng.normal(size=shape) * 0.3).astype(np.float32)

    about = {"game": variant.game.id, "players": variant.players, "rules_digest": variant.digest} | about
    layers = tuple((some(a, b), some(b)) for a, b in zip(sizes, hidden, strict=False))
    return Network(
        layers, (some(variant.num_actions, hidden[-1]), some(variant.num_actions)), (some(hidden[-1]), some(1)), about
    )


def logits_and_value(network, observation):
    """The forward pass in plain numpy."""
    x = observation.astype(np.float64)
    for weights, biases in network.hidden:
        x = np.maximum(0, x @ weights + biases)
    return network.actions[0] @ x + network.actions[1], network.value[0] @ x + network.value[1][0]


def positions(variant, games=32, steps=40):
    """A batch somewhere in the middle of random games."""
    table = Batch(variant, games, seed=5)
    for step in range(steps):
        table.step(table.random_actions(step))
    return table


@pytest.mark.parametrize("hidden", [(8,), (16, 12), (9, 7, 5, 3)])
def test_chooses_the_legal_action_with_the_greatest_logit(variant, hidden):
    network, table = made(variant, hidden), positions(variant)
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


def test_same_choices_and_values_as_torch(variant):
    torch = pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    from overworlds.training.learner import LearnerPolicy
    from overworlds.training.opponents import OpponentPool
    from overworlds.training.vecenv import SelfPlayVecEnv

    torch.manual_seed(1)
    env = SelfPlayVecEnv(variant, 2, OpponentPool(variant, {"random": 1.0}))
    scale = list(np.linspace(0.2, 1.0, variant.observation_size))
    learner = LearnerPolicy(env.observation_space, env.action_space, lambda _: 1e-3, hidden=(32, 24), scale=scale)
    torch.nn.init.normal_(learner.action_net.weight)  # a fresh learner likes all actions alike
    player = network_policy(learner.network(variant), variant)
    table = positions(variant, games=256)
    actions, values, _ = learner(torch.as_tensor(table.observations), True, table.masks.view(bool))
    predicted, _ = learner.predict(table.observations, action_masks=table.masks.view(bool), deterministic=True)
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
    assert loaded.sizes == network.sizes == (variant.observation_size, 16, 12, variant.num_actions)
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
        at = file.getinfo("weights_0.npy").header_offset + 5000
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
        ({"about": np.array('{"format": 99}')}, "not of format 1"),
        ({"about": np.array("[]")}, "not of format 1"),
        ({"about": np.array("{")}, "not a network this version can use"),
        ({"weights_1": np.zeros((15, 12), np.float32)}, "does not fit the 16 numbers before it"),
        ({"weights_0": np.zeros(5, np.float32)}, "does not fit"),
        ({"action_weights": np.zeros((5, 12), np.float32)}, "do not fit a last layer of 12"),
        ({"value_weights": np.zeros(11, np.float32)}, "do not fit a last layer of 12"),
        ({"biases_0": np.full(16, np.nan, np.float32)}, "not all finite"),
        ({"biases_0": np.zeros(16)}, "not all finite 32-bit floats"),
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


def test_too_many_layers_are_refused(variant):
    with pytest.raises(ValueError, match="1 to 4 hidden layers, not 5"):
        made(variant, (3, 3, 3, 3, 3))


def test_temperature_must_not_be_negative(variant):
    with pytest.raises(ValueError, match="a temperature is 0"):
        network_policy(made(variant), variant, -1.0)


def test_plain_python_makes_the_same_choices(variant, tmp_path):
    network = made(variant, (6, 5))
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


@pytest.mark.parametrize("path", sorted(networks.CHECKPOINTS.glob("*.npz")), ids=lambda path: path.stem)
def test_shipped_networks_play_their_game_and_say_where_they_come_from(path):
    game, _, players = path.stem.rpartition("-")
    variant = Variant(find_game(game), int(players))
    assert networks.shipped_checkpoint(variant) == path
    assert path.stat().st_size <= 4e6
    player = load_policy(None, variant)
    assert (playouts(variant, [player, *["random"] * (variant.players - 1)], 4).decisions > 0).all()
    about = load_network(path).about
    assert about["rules_digest"] == variant.digest
    assert about["command"].startswith(f"overworlds train {game} --players {players} ")
    assert about["strength"]["random"]["games"] >= 200
