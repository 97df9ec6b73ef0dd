"""Learning by watching: a network learns a player's choices, and how its own games end, before it plays by itself.

In half of the games the watched player sits at all seats; in the others the learner has a seat, so that it is told
what to do in the situations into which it brings itself. Some games begin near the end, since the turns that win a game
are what a player must know best, and there is one of them in a game.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from overworlds.agents.network import Shape
from overworlds.agents.player import Agent, PolicyAgent
from overworlds.agents.specs import make_agent
from overworlds.envs.core.batch import Batch
from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import HEADER, HEADER_BYTES
from overworlds.training.endings import Endings
from overworlds.training.learner import LearnerPolicy

TABLES_AT_ONCE = 8
"""At so many tables it watches at the same time, if there are several varieties of the game."""


class Watched(NamedTuple):
    """Decisions of a player, one row each."""

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    """What the watched player chose or would have chosen."""
    returns: np.ndarray
    """What the one who decided got in the end; NaN where that is not known yet, or nobody wants to know."""
    winning: np.ndarray
    """Whether the decision was made in the turn that won the game for the one who made it."""

    def rows(self, which: np.ndarray) -> "Watched":
        """Some of the decisions."""
        return Watched(*(array[which] for array in self))


class LateStarts(NamedTuple):
    """Positions to begin with, and how often a game does."""

    positions: Endings
    share: float


class Table:
    """Some games in which a player is watched, and the learner may have a seat."""

    def __init__(
        self, variant: Variant, player: Policy | str, games: int, seed: int, noise: float, late: LateStarts | None
    ) -> None:
        self.games = Batch(variant, games, seed)
        self.player: Agent = (
            make_agent(player, variant, seed)
            if isinstance(player, str)
            else PolicyAgent(variant, player, "watched", seed)
        )
        self.noise = noise
        self.late = late
        self.rng = np.random.default_rng(seed)
        self.learners_seats = np.arange(games) % variant.players

    def watch(self, steps: int, learner: Policy | None) -> Watched:
        """Play on for so many decisions; a learner has a seat in every game, and only its returns are noted."""
        table, variant = self.games, self.games.variant
        shape = steps, table.num_envs
        observations = np.zeros((*shape, variant.observation_size), np.int8)
        masks = np.zeros((*shape, variant.num_actions), np.bool_)
        actions, seats, turns = (np.zeros(shape, np.int32) for _ in range(3))
        returns, winning = np.full(shape, np.nan, np.float32), np.zeros(shape, np.bool_)
        headers = table.states[:, :HEADER_BYTES].view(HEADER)[:, 0]
        ends: list[tuple[int, int, np.ndarray]] = []
        student = None if learner is None else PolicyAgent(variant, learner, "learner", int(self.rng.integers(2**62)))
        for step in range(steps):
            observations[step], masks[step], seats[step] = table.observations, table.masks, table.seats
            turns[step] = headers["turn"]
            actions[step] = self.player.act_batch(table)
            played = actions[step]
            if student is not None:
                played = np.where(table.seats == self.learners_seats, student.act_batch(table), played)
            anything = table.random_actions(int(self.rng.integers(2**62)))
            table.step(np.where(self.rng.random(table.num_envs) < self.noise, anything, played))
            over = np.flatnonzero(table.terminations | table.truncations)
            ends += [(step, int(lane), table.final_returns[lane].copy()) for lane in over]
            if self.late is not None:
                lanes = over[self.rng.random(len(over)) < self.late.share]
                table.put(lanes, self.late.positions.drawn(len(lanes), self.rng))
        for step, lane, final in reversed(ends):  # an earlier game overwrites what lies before its own end
            returns[: step + 1, lane] = final[seats[: step + 1, lane]]
            winner = seats[step, lane]
            in_turn = (turns[: step + 1, lane] == turns[step, lane]) & (seats[: step + 1, lane] == winner)
            winning[: step + 1, lane] = in_turn & (final[winner] > 0)
        if student is not None:
            returns[seats != self.learners_seats] = np.nan
        arrays = observations, masks, actions, returns, winning
        return Watched(*(each.reshape(-1, *each.shape[2:]) for each in arrays))


def watch(
    varieties: Sequence[Variant],
    player: Policy | str,
    games: int,
    steps: int,
    seed: int,
    noise: float = 0.0,
    learner: Callable[[], Policy] | None = None,
    late: LateStarts | None = None,
) -> Iterator[Watched]:
    """Chunks of about ``games * steps`` decisions of this player, or of the one with this spec, for ever.

    They come from some of the varieties' tables at once, always from the first one too.
    A share of ``noise`` of the moves is random. If there is a learner (as it is at that moment), it has a seat in
    every other game, and only its returns are noted. At the first variety's tables some games begin late.
    """
    rng = np.random.default_rng(seed)
    at_once = min(len(varieties), TABLES_AT_ONCE)
    each = max(1, games // at_once // (1 if learner is None else 2))
    seeds = itertools.count(seed, each)

    def tables() -> list[Table]:
        starts = [late, *[None] * (len(varieties) - 1)]
        pairs = zip(varieties, starts, strict=True)
        return [Table(variant, player, each, next(seeds), noise, start) for variant, start in pairs]

    without = tables()
    with_learner = [] if learner is None else tables()
    with ThreadPoolExecutor(1) as beside:
        while True:
            chosen = [0, *(1 + rng.permutation(len(varieties) - 1)[: at_once - 1])]
            if learner is None:
                yield together([without[i].watch(steps, None) for i in chosen])
                continue
            now = learner()
            own_games = beside.submit(lambda: [with_learner[i].watch(steps, now) for i in chosen])  # noqa: B023
            watched = [without[i].watch(steps, None) for i in chosen]
            for part in watched:
                part.returns[:] = np.nan
            yield together(watched + own_games.result())


class WinningTurns:
    """Remembers the turns that won games, to show them again."""

    CHUNKS = 128
    """From how many chunks they are remembered."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._parts: list[Watched] = []

    def note(self, chunk: Watched) -> None:
        """Remember the winning turns of a chunk."""
        if chunk.winning.any():
            part = chunk.rows(chunk.winning)
            part.returns[:] = np.nan  # who always sees wins would think too well of every position
            self._parts = [*self._parts[1 - self.CHUNKS :], part]

    @property
    def known(self) -> int:
        """How many decisions are remembered."""
        return sum(len(part.actions) for part in self._parts)

    def again(self, number: int) -> list[Watched]:
        """About so many winning decisions, from any time."""
        if not self._parts:
            return []
        times = round(number * len(self._parts) / self.known)
        return [self._parts[i] for i in self._rng.integers(len(self._parts), size=times)]


def together(parts: Sequence[Watched]) -> Watched:
    """What was watched at several tables."""
    return Watched(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def scale_for(chunk: Watched, shape: Shape) -> np.ndarray:
    """What brings the numbers of observations that are not 0 to about 1; the same in all blocks of a part."""
    seen = chunk.observations.astype(np.float32)
    squares, counts = (seen**2).sum(axis=0), (seen != 0).sum(axis=0)
    for blocks in shape.blocks:
        for sums in (squares, counts):
            each = sums[blocks.first_input : blocks.end].reshape(blocks.count, -1)
            each[:] = each.sum(axis=0)
    return np.sqrt(counts.clip(1) / squares.clip(1)).astype(np.float32)


def imitate(
    policy: LearnerPolicy, optimizer: torch.optim.Optimizer, chunk: Watched, batch: int, value_weight: float
) -> tuple[float, float]:
    """Learn once from every decision of a chunk; the mean loss, and how often the network would have chosen so."""
    order, seen = torch.randperm(len(chunk.actions)), policy.seen(chunk.observations)
    losses, agreed = [], 0
    for start in range(0, len(order), batch):
        rows = order[start : start + batch].numpy()
        choices = policy.choices(seen.rows(rows), chunk.masks[rows])
        targets = choices.places_of(torch.as_tensor(chunk.actions[rows]))
        returns = torch.as_tensor(chunk.returns[rows])
        ended = ~torch.isnan(returns)
        loss = functional.cross_entropy(choices.logits, targets)
        if ended.any():
            loss = loss + value_weight * functional.mse_loss(choices.values[:, 0][ended], returns[ended])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        agreed += int((choices.logits.argmax(dim=1) == targets).sum())
    return float(np.mean(losses)), agreed / len(order)
