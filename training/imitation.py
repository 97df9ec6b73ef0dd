"""Learning by watching: a network learns a player's choices, and how its games end, before it plays by itself."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from overworlds.agents.player import PolicyAgent
from overworlds.envs.core.batch import Batch
from overworlds.envs.core.game import Policy, Variant
from overworlds.training.learner import LearnerPolicy, places_of


class Watched(NamedTuple):
    """Decisions of a player, one row each."""

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    returns: np.ndarray
    """What the one who decided got in the end; NaN where that is not known yet."""


def watch(variant: Variant, player: Policy, games: int, steps: int, seed: int, noise: float = 0.0) -> Iterator[Watched]:
    """Chunks of ``games * steps`` decisions of this player at all seats, for ever.

    A share of ``noise`` of the moves is random; what the player would have done is recorded all the same.
    """
    table = Batch(variant, games, seed)
    watched = PolicyAgent(variant, player, "watched", seed)
    rng = np.random.default_rng(seed)
    observations = np.zeros((steps, games, variant.observation_size), np.int8)
    masks = np.zeros((steps, games, variant.num_actions), np.bool_)
    actions = np.zeros((steps, games), np.int32)
    returns = np.zeros((steps, games), np.float32)
    seats = np.zeros((steps, games), np.int64)
    while True:
        ends: list[tuple[int, int, np.ndarray]] = []
        for step in range(steps):
            observations[step], masks[step], seats[step] = table.observations, table.masks, table.seats
            actions[step] = watched.act_batch(table)
            anything = table.random_actions(int(rng.integers(2**62)))
            table.step(np.where(rng.random(games) < noise, anything, actions[step]))
            over = np.flatnonzero(table.terminations | table.truncations)
            ends += [(step, int(lane), table.final_returns[lane].copy()) for lane in over]
        returns[:] = np.nan
        for step, lane, final in reversed(ends):  # an earlier game overwrites what lies before its own end
            returns[: step + 1, lane] = final[seats[: step + 1, lane]]
        yield Watched(*(each.reshape(-1, *each.shape[2:]) for each in (observations, masks, actions, returns)))


def greatest_seen(chunk: Watched) -> np.ndarray:
    """The greatest magnitude of every number of the observations, at least 1."""
    return np.abs(chunk.observations.astype(np.int16)).max(axis=0).clip(1).astype(np.float32)


def imitate(
    policy: LearnerPolicy, optimizer: torch.optim.Optimizer, chunk: Watched, batch: int, value_weight: float
) -> tuple[float, float]:
    """Learn once from every decision of a chunk; the mean loss, and how often the network would have chosen so."""
    order = torch.randperm(len(chunk.actions))
    losses, agreed = [], 0
    for start in range(0, len(order), batch):
        rows = order[start : start + batch].numpy()
        logits, known, values = policy.choices(torch.as_tensor(chunk.observations[rows]), chunk.masks[rows])
        targets = places_of(torch.as_tensor(chunk.actions[rows]), known)
        returns = torch.as_tensor(chunk.returns[rows])
        ended = ~torch.isnan(returns)
        loss = functional.cross_entropy(logits, targets)
        if ended.any():
            loss = loss + value_weight * functional.mse_loss(values[:, 0][ended], returns[ended])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        agreed += int((logits.argmax(dim=1) == targets).sum())
    return float(np.mean(losses)), agreed / len(order)
