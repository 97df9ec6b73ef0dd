"""The learner's first layer of blocks, compiled.

Most blocks of a batch are equal to others of it: a card lies in its draw pile in this game as in that one. So equal
blocks are found once, before anything is learnt from them, and what the layer makes of a block's own numbers is
computed once for all that are equal. What is added to that depends on the row and on the block's place. The sum of the
rectified layers of all blocks of a row is then taken without writing each of them down: with thousands of rows and a
hundred blocks in each, that would take longer than to compute them again for the gradients.
"""

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numba import types

from overworlds.agents.network import Blocks, Shape, add_row, is_empty, quick
from overworlds.envs.core.batch import FLOAT_ROWS, INT8_ROWS, INT32_ROWS, SEEDS
from overworlds.envs.core.kernel import IDS, borrowed_row, kernel

EMPTY = -1
"""The kind of a block in which there is nothing."""

# ---------------------------------------------------------------- which blocks are equal


@quick
def digest_of(block, factors):
    """A number that is the same for equal blocks, and seldom for others."""
    total = 0
    for i in range(len(block)):
        total += block[i] * factors[i]
    return total


@quick
def are_equal(one, other):
    """Are these blocks equal?"""
    different = np.int8(0)
    for i in range(len(one)):
        different |= one[i] ^ other[i]
    return different == 0


@kernel(types.int64(INT8_ROWS, types.int64, SEEDS, IDS, INT8_ROWS, INT32_ROWS))
def sort_blocks(observations, first, factors, slots, kinds, kind_of):
    """Note for every block of a part of which kind it is: equal ones are of the same. How many kinds there are.

    A block of every kind is copied to ``kinds``. The slots, a power of two of them, are all `EMPTY`: a hash table.
    """
    size, found = len(factors), 0
    for row in range(len(observations)):
        observation = borrowed_row(observations, row)
        for i in range(kind_of.shape[1]):
            block = observation[first + i * size : first + (i + 1) * size]
            digest = digest_of(block, factors)
            if digest == 0 and is_empty(block):
                kind_of[row, i] = EMPTY
                continue
            slot = digest & (len(slots) - 1)
            while slots[slot] != EMPTY and not are_equal(borrowed_row(kinds, slots[slot]), block):
                slot = (slot + 1) & (len(slots) - 1)
            if slots[slot] == EMPTY:
                slots[slot] = found
                kinds[found] = block
                found += 1
            kind_of[row, i] = slots[slot]
    return found


def find_kinds(blocks: Blocks, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different blocks of a part, and for each row and place which of them is there, or `EMPTY`."""
    most = len(observations) * blocks.count
    factors = np.random.default_rng(0).integers(1, 2**40, size=blocks.inputs)
    slots = np.full(1 << (2 * most).bit_length(), EMPTY, np.int32)
    kinds = np.empty((most, blocks.inputs), np.int8)
    kind_of = np.empty((len(observations), blocks.count), np.int32)
    found = sort_blocks(observations, blocks.first_input, factors, slots, kinds, kind_of)
    return kinds[:found].copy(), kind_of


@dataclass(frozen=True)
class Seen:
    """What is in some observations, one row each."""

    beside: np.ndarray
    """The numbers that the table's layer reads, without those that are 0 in all rows;"""
    inputs: np.ndarray
    """which of that layer's inputs they are."""
    kinds: list[np.ndarray]
    """For each part, the different blocks that there are,"""
    kind_of: list[np.ndarray]
    """and which of them is where, or `EMPTY`: ``[rows, blocks]``."""

    @classmethod
    def of(cls, shape: Shape, observations: np.ndarray) -> "Seen":
        """What is in these observations."""
        found = list(threads().map(lambda blocks: find_kinds(blocks, observations), shape.blocks))
        beside = observations[:, shape.table_inputs()]
        inputs = np.flatnonzero(beside.any(axis=0))
        return cls(beside[:, inputs], inputs, [kinds for kinds, _ in found], [kind_of for _, kind_of in found])

    def __len__(self) -> int:
        """How many rows."""
        return len(self.beside)

    def rows(self, which: np.ndarray) -> "Seen":
        """Some of the rows, with the kinds of blocks that there are in them."""
        kinds, kind_of = [], []
        for every, kind in zip(self.kinds, self.kind_of, strict=True):
            there = np.zeros(len(every) + 1, np.bool_)
            there[kind[which]] = True
            there[EMPTY] = False  # which is the last one
            renumbered = np.where(there, there.cumsum() - 1, EMPTY).astype(np.int32)
            kinds.append(every[there[:EMPTY]])
            kind_of.append(renumbered[kind[which]])
        return Seen(self.beside[which], self.inputs, kinds, kind_of)


# ---------------------------------------------------------------- the layer, and its gradients


@quick
def add_layer(own, told, place, total):
    """Add the layer of a block to the sum over all."""
    for i in range(len(total)):
        total[i] += max(own[i] + told[i] + place[i], np.float32(0.0))


@quick
def let_through(own, told, place, above, gradient):
    """Of the gradient of the sum, that of a block's layer before it was rectified."""
    for i in range(len(gradient)):
        gradient[i] = above[i] if own[i] + told[i] + place[i] > 0 else np.float32(0.0)


@kernel(types.void(FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, INT32_ROWS, FLOAT_ROWS))
def sum_up(own, told, places, kind_of, sums):
    """For every row, the sum of the layers of its blocks."""
    for row in range(len(kind_of)):
        for i in range(kind_of.shape[1]):
            kind = kind_of[row, i]
            if kind != EMPTY:
                addends = borrowed_row(own, kind), borrowed_row(told, row), borrowed_row(places, i)
                add_layer(*addends, borrowed_row(sums, row))


@kernel(types.void(FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, INT32_ROWS, FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS))
def pass_back(own, told, places, kind_of, above, to_own, to_told, to_places):
    """Add the gradients of the addends, from that of the sums."""
    gradient, one = np.zeros(own.shape[1], np.float32), np.float32(1.0)
    for row in range(len(kind_of)):
        for i in range(kind_of.shape[1]):
            kind = kind_of[row, i]
            if kind != EMPTY:
                addends = borrowed_row(own, kind), borrowed_row(told, row), borrowed_row(places, i)
                let_through(*addends, borrowed_row(above, row), gradient)
                add_row(borrowed_row(to_own, kind), gradient, one)
                add_row(borrowed_row(to_told, row), gradient, one)
                add_row(borrowed_row(to_places, i), gradient, one)


class SumOfBlocks(torch.autograd.Function):
    """For every row, the sum over its blocks of ``max(0, own[kind] + told[row] + places[place])``."""

    @staticmethod
    def forward(ctx: Any, own: torch.Tensor, told: torch.Tensor, places: torch.Tensor, kind_of: Any) -> torch.Tensor:
        """The sums."""
        ctx.save_for_backward(own, told, places)
        ctx.kind_of = kind_of
        o, t, p = (each.detach().numpy() for each in (own, told, places))
        sums = np.zeros_like(t)
        shared(len(t), lambda rows: sum_up(o, t[rows], p, kind_of[rows], sums[rows]))
        return torch.as_tensor(sums)

    @staticmethod
    def backward(ctx: Any, *above: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        """The gradients of the addends."""
        o, t, p = (each.detach().numpy() for each in ctx.saved_tensors)
        sums, kind_of, to_told = above[0].contiguous().numpy(), ctx.kind_of, np.zeros_like(t)

        def work(rows: slice) -> tuple[np.ndarray, np.ndarray]:
            to_own, to_places = np.zeros_like(o), np.zeros_like(p)
            pass_back(o, t[rows], p, kind_of[rows], sums[rows], to_own, to_told[rows], to_places)
            return to_own, to_places

        to_own, to_places = (sum(parts) for parts in zip(*shared(len(t), work), strict=True))
        return torch.as_tensor(to_own), torch.as_tensor(to_told), torch.as_tensor(to_places), None


def shared(rows: int, work: Callable[[slice], Any]) -> list[Any]:
    """What this work gives for the rows of each thread."""
    count = torch.get_num_threads()
    return list(threads().map(work, (slice(rows * i // count, rows * (i + 1) // count) for i in range(count))))


def threads() -> ThreadPoolExecutor:
    """As many as torch has."""
    return _threads(torch.get_num_threads())


@functools.cache
def _threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count)
