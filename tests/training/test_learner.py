# ruff: noqa: E402 - without torch and Stable-Baselines3 these tests are skipped before they import
"""The learner computes what its docstring says, and its gradients, although it takes short cuts."""

import numpy as np
import pytest
from gymnasium import spaces

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from overworlds.agents.network import POOLED, Advice, Blocks, Shape
from overworlds.envs import Variant, find_game
from overworlds.envs.core.registry import GAMES
from overworlds.training.blocks import EMPTY, Seen, find_kinds, sort_blocks
from overworlds.training.learner import IMPOSSIBLE, Body, CompactRolloutBuffer
from tests.agents.test_network import WAYS, positions

ADVICE = Advice("random", 3)


@pytest.fixture(autouse=True)
def as_many_threads_as_before():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def body_for(variant, advice=ADVICE, width=24, block_width=16):
    """A learner's layers with random weights and scales."""
    torch.manual_seed(2)
    shape = Shape.of(variant, width, block_width, advice)
    body = Body(shape)
    for weights in body.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    scale = torch.rand(shape.inputs) * 0.5 + 0.1
    for blocks in shape.blocks:
        scale[blocks.first_input : blocks.end] = scale[blocks.first_input :][: blocks.inputs].repeat(blocks.count)
    body.scale[:] = scale
    return body


def plainly(body, observations):
    """The logits of all actions and the values, without any short cut, and the weights they are made of."""
    shape = body.shape
    w = {name: each.detach().double().requires_grad_() for name, each in body.weights.items()}
    seen = torch.as_tensor(observations).double() * body.scale.double()
    table = torch.relu(seen[:, shape.table_inputs()] @ w["table_1"] + w["table_biases_1"])
    first, there, pooled = [], [], [table]
    for blocks in shape.blocks:
        name = blocks.name
        inside = seen[:, blocks.first_input : blocks.end].reshape(len(seen), blocks.count, blocks.inputs)
        there.append((inside != 0).any(dim=2, keepdim=True))
        layer = inside @ w[f"{name}_1"] + w[f"{name}_places"] + (table @ w[f"{name}_told_1"])[:, None]
        first.append(torch.relu(layer) * there[-1])
        pooled.append(first[-1].sum(dim=1) * POOLED)
    table = torch.relu(torch.cat(pooled, dim=1) @ w["table_2"] + w["table_biases_2"])
    weighed = [table @ w["actions"].T + w["action_biases"]]
    for blocks, layer, present in zip(shape.blocks, first, there, strict=True):
        name = blocks.name
        layer = layer @ w[f"{name}_2"] + w[f"{name}_biases_2"] + (table @ w[f"{name}_told_2"])[:, None]
        layer = torch.relu(layer) * present
        weighed.append(layer @ w[f"{name}_actions"].T + w[f"{name}_action_biases"])
    logits = torch.zeros(len(seen), shape.actions, dtype=torch.double)
    counts = np.cumsum([0, *(blocks.count for blocks in shape.blocks)])
    for action, (block, which) in enumerate(shape.action_map()):
        if block < 0:
            logits[:, action] = weighed[0][:, which]
        else:
            part = int(np.searchsorted(counts, block, side="right"))
            logits[:, action] = weighed[part][:, block - counts[part - 1], which]
    trust = (table @ w["trust"] + w["trust_bias"]).unsqueeze(1) if shape.advice.of else 0.0
    return logits, trust, table @ w["value"] + w["value_bias"], w


def middle_of(variant):
    """Observations and masks in the middle of random games, some of the actions advised."""
    table = positions(variant, games=48)
    masks = table.masks.astype(np.int8)
    rng = np.random.default_rng(3)
    return table.observations.copy(), masks + masks * rng.integers(3, size=masks.shape, dtype=np.int8)


def is_as_computed_plainly(body, observations, seen, masks):
    """Compare logits, values, and the gradients of something that depends on all of them."""
    choices = body.choices(seen, torch.as_tensor(masks))
    logits, trust, values, w = plainly(body, observations)
    legal = torch.as_tensor(masks != 0)
    logits = logits + (torch.as_tensor(masks) - 1) * trust
    possible = choices.logits > IMPOSSIBLE / 2
    assert (choices.actions[possible] == legal.nonzero()[:, 1]).all()
    torch.testing.assert_close(choices.logits[possible].double(), logits[legal], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(choices.values[:, 0].double(), values, rtol=1e-4, atol=1e-4)
    weights = torch.randn(int(legal.sum()), dtype=torch.double)
    (choices.logits[possible] * weights + choices.values.mean() ** 2).sum().backward()
    (logits[legal] * weights + values.mean() ** 2).sum().backward()
    for name, each in body.weights.items():
        expected = torch.zeros_like(w[name]) if w[name].grad is None else w[name].grad
        size = float(expected.abs().max())
        torch.testing.assert_close(each.grad.double(), expected, rtol=1e-3, atol=1e-4 * max(1.0, size), msg=name)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", GAMES)
def test_logits_values_and_gradients_are_those_of_the_plain_formulas(game, threads):
    torch.set_num_threads(threads)
    variant = Variant(find_game(game))
    body, (observations, masks) = body_for(variant), middle_of(variant)
    is_as_computed_plainly(body, observations, Seen.of(body.shape, observations), masks)


@pytest.mark.parametrize("described", WAYS)
def test_so_they_are_however_a_game_is_laid_out(described):
    variant = Variant(find_game("homeworlds_v0"), 2)
    observations, masks = middle_of(variant)
    body = body_for(described(variant))
    is_as_computed_plainly(body, observations, Seen.of(body.shape, observations), masks)


@pytest.mark.parametrize("game", GAMES)
def test_some_rows_are_seen_as_if_there_were_no_others(game):
    variant = Variant(find_game(game))
    body, (observations, masks) = body_for(variant), middle_of(variant)
    which = np.array([40, 3, 3, 17, 29])
    is_as_computed_plainly(body, observations[which], Seen.of(body.shape, observations).rows(which), masks[which])


def test_a_row_of_nothing_but_empty_blocks_can_be_seen():
    variant = Variant(find_game("homeworlds_v0"), 2)
    body, (observations, masks) = body_for(variant), middle_of(variant)
    for blocks in body.shape.blocks:
        observations[:5, blocks.first_input : blocks.end] = 0
    for rows in (slice(0, 48), slice(0, 5)):
        seen = Seen.of(body.shape, observations).rows(np.arange(48)[rows])
        is_as_computed_plainly(body, observations[rows], seen, masks[rows])
        body.zero_grad()


# ---------------------------------------------------------------- equal blocks


def blocks_of(kinds, kind_of):
    """The blocks that these are the kinds of."""
    return np.concatenate([kinds, np.zeros_like(kinds[:1])])[kind_of]  # `EMPTY` is the last one


@pytest.mark.parametrize("game", GAMES)
def test_blocks_of_a_kind_are_equal_and_those_of_others_are_not(game):
    variant = Variant(find_game(game))
    observations, _ = middle_of(variant)
    for blocks in Shape.of(variant, 8, 8).blocks:
        kinds, kind_of = find_kinds(blocks, observations)
        inside = observations[:, blocks.first_input : blocks.end].reshape(-1, blocks.count, blocks.inputs)
        assert (blocks_of(kinds, kind_of) == inside).all()
        assert ((kind_of == EMPTY) == ~inside.any(axis=2)).all()
        assert len(np.unique(kinds, axis=0)) == len(kinds) < inside.any(axis=2).sum()


def test_different_blocks_with_the_same_digest_are_told_apart():
    rng = np.random.default_rng(4)
    observations = rng.integers(-2, 3, size=(60, 5 * 3), dtype=np.int8)
    slots, kinds = np.full(1024, EMPTY, np.int32), np.empty((300, 3), np.int8)
    kind_of = np.empty((60, 5), np.int32)
    found = sort_blocks(observations, 0, np.zeros(3, np.int64), slots, kinds, kind_of)
    assert (blocks_of(kinds[:found], kind_of) == observations.reshape(60, 5, 3)).all()
    assert len(np.unique(kinds[:found], axis=0)) == found


def test_where_all_blocks_are_different_there_is_room_for_them():
    rng = np.random.default_rng(5)
    observations = rng.integers(-128, 128, size=(64, 8 * 6), dtype=np.int8)
    kinds, kind_of = find_kinds(Blocks("all", 8, 0, 6, 1), observations)
    assert len(kinds) == kind_of.size
    assert (blocks_of(kinds, kind_of) == observations.reshape(64, 8, 6)).all()


# ---------------------------------------------------------------- the buffer


def test_the_buffer_gives_every_decision_once_with_what_was_seen_there():
    variant = Variant(find_game("homeworlds_v0"), 2)
    shape, (observations, masks) = Shape.of(variant, 8, 8), middle_of(variant)
    seen, actions = spaces.Box(*variant.observation_bounds, dtype=np.int8), spaces.Discrete(variant.num_actions)
    buffer = CompactRolloutBuffer(12, seen, actions, "cpu", n_envs=4, shape=shape)
    (blocks,) = shape.blocks
    for turn in (1, -1):
        buffer.reset()
        rows = np.arange(48)[::turn].copy()
        for step in rows.reshape(12, 4):
            chosen, number = masks[step].argmax(axis=1), torch.as_tensor(step)
            nothing = np.zeros(4, np.float32)
            buffer.add(observations[step], chosen, nothing, nothing, number, number, action_masks=masks[step])
        for _ in range(2):
            met = []
            for sample in buffer.get(20):
                there, row = sample.observations, sample.old_values.long().numpy()
                plain = Seen.of(shape, observations).rows(row)
                assert (there.inputs == plain.inputs).all()
                assert (there.beside == plain.beside).all()
                inside = observations[row, blocks.first_input : blocks.end].reshape(len(row), blocks.count, -1)
                assert (blocks_of(there.kinds[0], there.kind_of[0]) == inside).all()
                assert (sample.action_masks.numpy() == masks[row]).all()
                assert (sample.actions[:, 0].numpy() == masks[row].argmax(axis=1)).all()
                met += row.tolist()
            assert sorted(met) == list(range(48))
