"""The learner in torch: the network of `agents.network`, as sb3-contrib trains it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import RolloutBuffer
from torch import nn

from overworlds.agents.network import POOLED, Blocks, Network, Shape
from overworlds.envs.core.game import Variant
from overworlds.training.blocks import EMPTY, Seen, SumOfBlocks

IMPOSSIBLE = -1e8
"""The logit of an action that cannot be chosen, as in sb3-contrib."""
ALMOST_ONE = 1 - 1e-6
"""Keeps a draw below the sum of all probabilities, whatever is rounded."""
SEEN_AT_ONCE = 8
"""About how many numbers of an observation, or of a block, are not zero: how strong the first weights should be."""
TIMID = 0.02
"""How strong the first weights of choices and values are: a fresh learner likes all actions nearly alike."""


class Choices(NamedTuple):
    """What a batch of observations leads to, one row each."""

    logits: torch.Tensor
    """Of the legal actions; out of reach where a row has fewer than others."""
    actions: torch.Tensor
    """Their ids, ascending."""
    values: torch.Tensor

    def places_of(self, actions: torch.Tensor) -> torch.Tensor:
        """Where these actions, one for each row, stand among the legal ones."""
        return torch.searchsorted(self.actions, actions.long().view(-1, 1)).squeeze(1)


def side_by_side(rows: torch.Tensor, count: int) -> tuple[torch.Tensor, int]:
    """Where things that belong to ascending rows go when each row lists its own, and how long the lists are."""
    sizes = torch.bincount(rows, minlength=count)
    longest = int(sizes.max())
    starts = sizes.cumsum(0) - sizes
    return rows * longest + torch.arange(len(rows)) - starts[rows], longest


class Addends(NamedTuple):
    """What the first layer of the blocks of a part is the sum of, before it is rectified; see `SumOfBlocks`."""

    own: torch.Tensor
    told: torch.Tensor
    places: torch.Tensor
    kind_of: np.ndarray


class Body(nn.Module):
    """The layers; see `agents.network` for what they read."""

    def __init__(self, shape: Shape, trust: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.scale: torch.Tensor
        """What every number of the observation is multiplied by; the same in every block of a part."""
        self.register_buffer("scale", torch.ones(shape.inputs))
        self.table_inputs = torch.as_tensor(shape.table_inputs())
        """The numbers of the observation that the table's layer reads."""
        block, which = torch.as_tensor(shape.action_map()).T.contiguous()
        self.block_of, self.which = block, which
        """For each action: its block, counted over all parts, or -1; and which of the actions about it."""
        self.weights = nn.ParameterDict({name: torch.zeros(size) for name, size in shape.arrays().items()})
        first_layers = {"table_1", *(f"{blocks.name}_1" for blocks in shape.blocks)}
        for name, weights in self.weights.items():
            if weights.dim() == 2 and not name.endswith("_places"):
                inputs = SEEN_AT_ONCE if name in first_layers else len(weights)
                timid = name.endswith("actions")
                nn.init.normal_(weights, std=TIMID if timid else (2 / max(1, inputs)) ** 0.5)
        nn.init.normal_(self.weights["value"], std=TIMID)
        if shape.advice.of:
            nn.init.constant_(self.weights["trust_bias"], trust)

    def table_and_blocks(self, seen: Seen) -> tuple[torch.Tensor, list[Addends]]:
        """The last layer of the table, and what makes the first ones of the blocks of each part."""
        w, inputs = self.weights, torch.as_tensor(seen.inputs)
        weights = w["table_1"][inputs] * self.scale[self.table_inputs[inputs], None]
        table = torch.relu(torch.addmm(w["table_biases_1"], torch.as_tensor(seen.beside).float(), weights))
        addends = [
            self._look_at(blocks, kinds, kind_of, table)
            for blocks, kinds, kind_of in zip(self.shape.blocks, seen.kinds, seen.kind_of, strict=True)
        ]
        pooled = [SumOfBlocks.apply(*each) * POOLED for each in addends]
        table = torch.relu(torch.addmm(w["table_biases_2"], torch.cat([table, *pooled], dim=1), w["table_2"]))
        return table, addends

    def _look_at(self, blocks: Blocks, kinds: np.ndarray, kind_of: np.ndarray, table: torch.Tensor) -> Addends:
        """What makes the first layer of the blocks of one part."""
        w, name = self.weights, blocks.name
        scale = self.scale[blocks.first_input : blocks.first_input + blocks.inputs, None]
        own = torch.as_tensor(kinds).float() @ (w[f"{name}_1"] * scale)
        return Addends(own, table @ w[f"{name}_told_1"], w[f"{name}_places"], kind_of)

    def _look_again(self, blocks: Blocks, before: Addends, table: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
        """The second layer of the wanted blocks (row × blocks + block); 0 for empty ones."""
        w, name = self.weights, blocks.name
        kind = torch.as_tensor(before.kind_of).view(-1)[wanted]
        there = (kind != EMPTY).nonzero().squeeze(1)
        row, place = wanted[there] // blocks.count, wanted[there] % blocks.count
        own, told = before.own.index_select(0, kind[there]), before.told.index_select(0, row)
        first = torch.relu(own + told + before.places.index_select(0, place))
        rows, which = row.unique_consecutive(return_inverse=True)  # of a part of little interest there are few
        told = (table[rows] @ w[f"{name}_told_2"]).index_select(0, which)
        second = torch.addmm(w[f"{name}_biases_2"], first, w[f"{name}_2"]) + told
        return second.new_zeros(len(wanted), self.shape.block_width).index_copy(0, there, torch.relu(second))

    def values(self, table: torch.Tensor) -> torch.Tensor:
        """What is expected, a row each."""
        return (table @ self.weights["value"] + self.weights["value_bias"]).unsqueeze(1)

    def choices(self, seen: Seen, masks: torch.Tensor) -> Choices:
        """The logits of the legal actions only: with a thousand actions, the others would cost more than the layers.

        A mask is 0 for what is not legal, else 1 and one more for each time an advisor has named the action.
        """
        w, rows = self.weights, len(masks)
        row, action = map(torch.as_tensor, np.divmod(np.flatnonzero(masks.numpy() != 0), self.shape.actions))
        place, longest = side_by_side(row, rows)
        block, which = self.block_of[action], self.which[action]
        table, addends = self.table_and_blocks(seen)
        size = rows * longest
        logits = table.new_full((size,), IMPOSSIBLE)
        chosen = (block < 0).nonzero().squeeze(1)
        others = torch.addmm(w["action_biases"], table, w["actions"].T)
        logits = logits.index_copy(0, place[chosen], others[row[chosen], which[chosen]])
        first = 0
        for blocks, each in zip(self.shape.blocks, addends, strict=True):
            chosen = ((block >= first) & (block < first + blocks.count)).nonzero().squeeze(1)
            of_block = row[chosen] * blocks.count + block[chosen] - first
            number = torch.zeros(rows * blocks.count, dtype=torch.long)
            number[of_block] = 1
            wanted = number.nonzero().squeeze(1)
            number[wanted] = torch.arange(len(wanted))
            layer = self._look_again(blocks, each, table, wanted)
            name = blocks.name
            weighed = torch.addmm(w[f"{name}_action_biases"], layer, w[f"{name}_actions"].T)
            logits = logits.index_copy(0, place[chosen], weighed[number[of_block], which[chosen]])
            first += blocks.count
        if self.shape.advice.of:
            trust = table @ w["trust"] + w["trust_bias"]
            logits = logits.index_add(0, place, (masks[row, action] - 1) * trust[row])
        return Choices(
            logits.view(rows, longest),
            action.new_full((size,), self.shape.actions).index_copy(0, place, action).view(rows, longest),
            self.values(table),
        )


class LearnerPolicy(MaskableActorCriticPolicy):
    """What sb3-contrib trains: its interface over `Body`."""

    def __init__(self, *args: Any, shape: Shape, trust: float = 0.0, **kwargs: Any) -> None:
        self._shape, self._trust = shape, trust
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.body = Body(self._shape, self._trust)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), eps=1e-5, fused=True)

    def seen(self, observations: torch.Tensor | np.ndarray | Seen) -> Seen:
        """What is in these observations, if nobody has looked yet."""
        return observations if isinstance(observations, Seen) else Seen.of(self._shape, np.asarray(observations))

    def choices(self, observations: torch.Tensor | Seen, masks: Any) -> Choices:
        """The logits of the legal actions, these actions, and the values; without masks all actions are legal."""
        seen = self.seen(observations)
        if masks is None:
            masks = np.ones((len(seen), self._shape.actions), np.int8)
        return self.body.choices(seen, torch.as_tensor(masks, dtype=torch.int8).view(len(seen), -1))

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values, and the logarithms of the actions' probabilities."""
        logits, actions, values = self.choices(obs, action_masks)
        if deterministic:
            chosen = logits.argmax(dim=1, keepdim=True)
        else:
            sums = torch.softmax(logits, dim=1).cumsum(dim=1)  # what cannot be chosen adds exactly nothing
            chosen = torch.searchsorted(sums, torch.rand(len(logits), 1) * sums[:, -1:] * ALMOST_ONE, right=True)
        logs = torch.log_softmax(logits, dim=1)
        return actions.gather(1, chosen).squeeze(1), values, logs.gather(1, chosen).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, the logarithms of the actions' probabilities, and the entropy of the choice."""
        choices = self.choices(obs, action_masks)
        logs = torch.log_softmax(choices.logits, dim=1)
        entropy = -(torch.softmax(choices.logits, dim=1) * logs).sum(dim=1)  # exp(logs) is slow so far below zero
        return choices.values, logs.gather(1, choices.places_of(actions)[:, None]).squeeze(1), entropy

    def predict_values(self, obs: torch.Tensor) -> torch.Tensor:
        """What is expected."""
        return self.body.values(self.body.table_and_blocks(self.seen(obs))[0])

    def _predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> torch.Tensor:
        return self.forward(observation, deterministic, action_masks)[0]

    def sharpen(self, factor: float) -> None:
        """Multiply all logits: what is liked best is chosen more often."""
        with torch.no_grad():
            for name, weights in self.body.weights.items():
                if name.endswith(("actions", "action_biases")):
                    weights *= factor

    def _scales(self) -> dict[str, np.ndarray]:
        """What the inputs of the first layers are multiplied by, which in a network is part of their weights."""
        shape, scale = self._shape, _array(self.body.scale)[:, None]
        tables = {"table_1": scale[shape.table_inputs()]}
        return tables | {f"{each.name}_1": scale[each.first_input :][: each.inputs] for each in shape.blocks}

    def load_network(self, network: Network) -> None:
        """Take over the weights of a network of the same shape; the scale of the inputs stays."""
        scales = self._scales()
        with torch.no_grad():
            for name, weights in self.body.weights.items():
                weights.copy_(torch.as_tensor(network.weights[name] / scales.get(name, 1)))

    def network(self, variant: Variant, **about: Any) -> Network:
        """The weights as a network that plays without torch."""
        shape, scales = self._shape, self._scales()
        weights = {name: _array(each) * scales.get(name, 1) for name, each in self.body.weights.items()}
        known = {"game": variant.game.id, "players": variant.players, "rules": dict(variant.values)}
        return Network(shape, weights, known | about)


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().astype(np.float32, copy=True)


class CompactRolloutBuffer(MaskableRolloutBuffer):
    """sb3-contrib's buffer with masks of one byte instead of four, and observations that are looked through once."""

    observations: np.ndarray
    _memory: np.ndarray | None = None
    _seen: Seen

    def __init__(self, *args: Any, shape: Shape, **kwargs: Any) -> None:
        self._shape = shape
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty the buffer."""
        RolloutBuffer.reset(self)
        if self._memory is None:
            self._memory = self.observations
        self.observations = self._memory  # fresh memory would cost more than to write to it
        self.mask_dims = self._shape.actions
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.int8)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """All decisions once, in batches, with what was seen instead of observations."""
        if not self.generator_ready:
            self._seen = Seen.of(self._shape, self.observations.reshape(-1, self._shape.inputs))
            self.observations = self.observations[:, :, :0]  # nobody needs to copy them
        yield from super().get(batch_size)

    def _get_samples(self, batch_inds: np.ndarray, env: Any = None) -> MaskableRolloutBufferSamples:
        samples = super()._get_samples(batch_inds, env)
        game, step = np.divmod(batch_inds, self.buffer_size)
        return samples._replace(observations=self._seen.rows(step * self.n_envs + game))

    def to_torch(self, array: np.ndarray, copy: bool = True) -> torch.Tensor:
        """The same numbers; samples are copies already."""
        return torch.as_tensor(array)
