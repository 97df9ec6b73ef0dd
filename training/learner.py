"""The learner in torch: the network of `agents.network`, as sb3-contrib trains it."""

from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from overworlds.agents.network import POOLED, Network, Shape
from overworlds.envs.core.game import Variant

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


class Body(nn.Module):
    """The layers; see `agents.network` for what they read."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.scale: torch.Tensor
        """What every number of the observation is multiplied by; the same in every block."""
        self.register_buffer("scale", torch.ones(shape.inputs))
        self.weights = nn.ParameterDict({name: torch.zeros(size) for name, size in shape.arrays().items()})
        for name, weights in self.weights.items():
            if weights.dim() == 2 and name != "places":
                inputs = SEEN_AT_ONCE if name in ("table_1", "blocks_1") else len(weights)
                timid = name in ("actions", "block_actions")
                nn.init.normal_(weights, std=TIMID if timid else (2 / max(1, inputs)) ** 0.5)
        nn.init.normal_(self.weights["value"], std=TIMID)

    def table_and_blocks(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The last layers of the table, of the blocks that are not empty, and which blocks those are."""
        shape, w, scale = self.shape, self.weights, self.scale
        rows = len(observations)
        start, end = shape.first_input, shape.first_input + shape.blocks * shape.block_inputs
        outside = torch.cat([observations[:, :start], observations[:, end:]], dim=1).float()
        scale_outside = torch.cat([scale[:start], scale[end:]])
        table = torch.relu(torch.addmm(w["table_biases_1"], outside * scale_outside, w["table_1"]))
        if not shape.blocks:
            table = torch.relu(torch.addmm(w["table_biases_2"], table, w["table_2"]))
            return table, table.new_zeros(0, 0), torch.zeros(0, dtype=torch.long)
        seen = observations[:, start:end].reshape(rows * shape.blocks, shape.block_inputs)
        present = seen.any(dim=1).nonzero().squeeze(1)
        row = torch.div(present, shape.blocks, rounding_mode="floor")
        block = seen[present].float() * scale[start : start + shape.block_inputs]
        own = torch.addmm(w["places"][present - row * shape.blocks], block, w["blocks_1"])
        blocks = torch.relu(own + (table @ w["told_1"])[row])
        pooled = blocks.new_zeros(rows, shape.block_width).index_add(0, row, blocks) * POOLED
        table = torch.relu(torch.addmm(w["table_biases_2"], torch.cat([table, pooled], dim=1), w["table_2"]))
        blocks = torch.relu(torch.addmm(w["block_biases_2"], blocks, w["blocks_2"]) + (table @ w["told_2"])[row])
        return table, blocks, present

    def values(self, table: torch.Tensor) -> torch.Tensor:
        """What is expected, a row each."""
        return (table @ self.weights["value"] + self.weights["value_bias"]).unsqueeze(1)

    def choices(self, observations: torch.Tensor, masks: torch.Tensor) -> Choices:
        """The logits of the legal actions only: with a thousand actions, the others would cost more than the layers."""
        shape, w, rows = self.shape, self.weights, len(observations)
        table, blocks, present = self.table_and_blocks(observations)
        others = torch.addmm(w["action_biases"], table, w["actions"].T)
        about_blocks = torch.addmm(w["block_action_biases"], blocks, w["block_actions"].T) if shape.blocks else blocks
        row, action = masks.nonzero(as_tuple=True)
        at = self._find(row, action, present, rows)
        logits = torch.cat([others.flatten(), about_blocks.flatten(), w["block_action_biases"]])[at]
        place, longest = side_by_side(row, rows)
        size = rows * longest
        return Choices(
            logits.new_full((size,), IMPOSSIBLE).index_copy(0, place, logits).view(rows, longest),
            action.new_full((size,), shape.actions).index_copy(0, place, action).view(rows, longest),
            self.values(table),
        )

    def _find(self, row: torch.Tensor, action: torch.Tensor, present: torch.Tensor, rows: int) -> torch.Tensor:
        """Where the logits of these actions are: other actions', then the present blocks', then of any empty block."""
        shape = self.shape
        each, all_blocks = shape.block_actions, shape.blocks * shape.block_actions
        others = shape.actions - all_blocks
        after = action >= shape.first_action + all_blocks
        at = row * others + torch.where(after, action - all_blocks, action)
        if shape.blocks:
            number = torch.full((rows * shape.blocks,), len(present))
            number[present] = torch.arange(len(present))
            inside = ((action >= shape.first_action) & ~after).nonzero().squeeze(1)
            which = action[inside] - shape.first_action
            block = torch.div(which, each, rounding_mode="floor")
            at[inside] = rows * others + number[row[inside] * shape.blocks + block] * each + which - block * each
        return at


class LearnerPolicy(MaskableActorCriticPolicy):
    """What sb3-contrib trains: its interface over `Body`."""

    def __init__(self, *args: Any, shape: Shape, **kwargs: Any) -> None:
        self._shape = shape
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.body = Body(self._shape)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr_schedule(1), eps=1e-5, fused=True)

    def choices(self, observations: torch.Tensor, masks: Any) -> Choices:
        """The logits of the legal actions, these actions, and the values; without masks all actions are legal."""
        if masks is None:
            masks = torch.ones(len(observations), self._shape.actions)
        legal = torch.as_tensor(masks, dtype=torch.bool).view(len(observations), -1)
        return self.body.choices(observations, legal)

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
        return self.body.values(self.body.table_and_blocks(obs)[0])

    def _predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> torch.Tensor:
        return self.forward(observation, deterministic, action_masks)[0]

    def sharpen(self, factor: float) -> None:
        """Multiply all logits: what is liked best is chosen more often."""
        with torch.no_grad():
            for name in ("actions", "action_biases", "block_actions", "block_action_biases"):
                self.body.weights[name] *= factor

    def network(self, variant: Variant, **about: Any) -> Network:
        """The weights as a network that plays without torch."""
        shape, scale = self._shape, _array(self.body.scale)
        weights = {name: _array(each) for name, each in self.body.weights.items()}
        start, end = shape.first_input, shape.first_input + shape.blocks * shape.block_inputs
        weights["table_1"] *= np.concatenate([scale[:start], scale[end:]])[:, None]
        weights["blocks_1"] *= scale[start : start + shape.block_inputs, None]
        known = {"game": variant.game.id, "players": variant.players, "rules_digest": variant.digest}
        return Network(shape, weights, known | about)


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().astype(np.float32, copy=True)


class CompactRolloutBuffer(MaskableRolloutBuffer):
    """sb3-contrib's buffer with masks of one byte instead of four."""

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.bool_)
