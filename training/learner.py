"""The learner in torch: a perceptron with one trunk for choosing and for judging, as sb3-contrib trains it."""

import itertools
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from overworlds.agents.network import Network
from overworlds.envs.core.game import Variant

IMPOSSIBLE = -1e8
"""The logit of an illegal action, as in sb3-contrib."""
ALMOST_ONE = 1 - 1e-6
"""Keeps a draw below the sum of all probabilities, whatever is rounded."""


class Trunk(BaseFeaturesExtractor):
    """Hidden layers, each rectified, over an observation whose numbers are brought to about 0 to 1."""

    def __init__(self, observation_space: Any, hidden: tuple[int, ...], scale: list[float]) -> None:
        """``scale`` is what every number of the observation is multiplied by."""
        super().__init__(observation_space, hidden[-1])
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float32))
        sizes = [observation_space.shape[0], *hidden]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The last hidden layer."""
        x = observations * self.scale
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


def places_of(actions: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Where each action stands among the known ones, which ascend."""
    return torch.searchsorted(known, actions.long().flatten())


class LearnerPolicy(MaskableActorCriticPolicy):
    """What sb3-contrib trains. Choosing and judging read the same trunk, which halves the work.

    The masked softmax is written out here: with a thousand actions the general distribution classes cost more than
    the network.
    """

    def __init__(self, *args: Any, hidden: tuple[int, ...], scale: list[float], **kwargs: Any) -> None:
        kwargs |= {
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"hidden": hidden, "scale": scale},
        }
        super().__init__(*args, **kwargs)

    def choices(self, observations: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The logits of the actions that are legal anywhere in this batch, those actions, and the values.

        Most actions are legal nowhere in a batch: leaving them out changes nothing and halves the work. The logits of
        actions that are illegal in their row are out of reach.
        """
        features = self.extract_features(observations)
        if masks is None:
            masks = torch.ones(len(features), self.action_net.out_features)
        legal = torch.as_tensor(masks, dtype=torch.bool).view(len(features), -1)
        actions = legal.any(dim=0).nonzero().squeeze(1)
        logits = nn.functional.linear(features, self.action_net.weight[actions], self.action_net.bias[actions])
        return logits.masked_fill(~legal[:, actions], IMPOSSIBLE), actions, self.value_net(features)

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values, and the logarithms of the actions' probabilities."""
        logits, actions, values = self.choices(obs, action_masks)
        if deterministic:
            chosen = logits.argmax(dim=1)
        else:
            sums = torch.softmax(logits, dim=1).cumsum(dim=1)  # an illegal action adds exactly nothing
            draws = torch.rand(len(logits), 1) * sums[:, -1:] * ALMOST_ONE
            chosen = torch.searchsorted(sums, draws, right=True).squeeze(1)
        logs = torch.log_softmax(logits, dim=1)
        return actions[chosen], values, logs.gather(1, chosen[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, the logarithms of the actions' probabilities, and the entropy of the choice."""
        logits, known, values = self.choices(obs, action_masks)
        logs = torch.log_softmax(logits, dim=1)
        entropy = -(torch.softmax(logits, dim=1) * logs).sum(dim=1)  # exp(logs) is slow so far below zero
        return values, logs.gather(1, places_of(actions, known)[:, None]).squeeze(1), entropy

    def network(self, variant: Variant, **about: Any) -> Network:
        """The weights as a network that plays without torch."""
        with torch.no_grad():
            trunk = self.features_extractor
            hidden = [(_array(layer.weight).T, _array(layer.bias)) for layer in trunk.layers]
            hidden[0] = hidden[0][0] * _array(trunk.scale)[:, None], hidden[0][1]
            return Network(
                tuple((np.ascontiguousarray(weights), bias) for weights, bias in hidden),
                (_array(self.action_net.weight), _array(self.action_net.bias)),
                (_array(self.value_net.weight)[0], _array(self.value_net.bias)),
                {"game": variant.game.id, "players": variant.players, "rules_digest": variant.digest, **about},
            )


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().astype(np.float32, copy=True)


class CompactRolloutBuffer(MaskableRolloutBuffer):
    """sb3-contrib's buffer with masks of one byte instead of four."""

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.bool_)
