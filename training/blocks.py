"""The learner's first layer of blocks, compiled.

Most blocks of a batch are equal to others of it: a card lies in its draw pile in this game as in that one. So what the
layer makes of a block's own numbers is computed only once for all that are equal. What is added to it depends on the
row and on the block's place; the sum, rectified, is needed of all blocks together, and by itself only of those that
actions are about. So it is never written down for every block, which would cost more than to compute it again.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numba import types

from overworlds.agents.network import Blocks, Shape, add_row, is_empty, quick
from overworlds.envs.core.batch import FLOAT_ROWS, INT8_ROWS
from overworlds.envs.core.kernel import IDS, borrowed_row, jit, kernel

NUMBERS = types.int32[:, ::1]
NOBODY = -1
"""The number of a block that is empty, or that no action is about."""

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


@kernel(types.int64(INT8_ROWS, types.int64, types.int64[::1], IDS, INT8_ROWS, NUMBERS))
def number_blocks(observations, first, factors, slots, kinds, numbers):
    """Number the blocks of a part from 0 on, equal ones alike and empty ones `NOBODY`; how many different ones.

    They are copied to ``kinds``. ``slots``, all `NOBODY` and a power of two of them, say what was met where.
    """
    size, found = len(factors), 0
    for row in range(len(observations)):
        observation = borrowed_row(observations, row)
        for i in range(numbers.shape[1]):
            block = observation[first + i * size : first + (i + 1) * size]
            digest = digest_of(block, factors)
            if digest == 0 and is_empty(block):
                numbers[row, i] = NOBODY
                continue
            at = digest & len(slots) - 1
            while slots[at] != NOBODY and not are_equal(borrowed_row(kinds, slots[at]), block):
                at = at + 1 & len(slots) - 1
            if slots[at] == NOBODY:
                slots[at] = found
                kinds[found] = block
                found += 1
            numbers[row, i] = slots[at]
    return found


def find_kinds(blocks: Blocks, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different blocks of a part, and for each row and place which of them is there, or `NOBODY`."""
    most = len(observations) * blocks.count
    factors = np.random.default_rng(0).integers(2**40, size=blocks.inputs)
    slots = np.full(1 << (2 * most).bit_length(), NOBODY, np.int32)
    kinds = np.empty((most, blocks.inputs), np.int8)
    numbers = np.empty((len(observations), blocks.count), np.int32)
    found = number_blocks(observations, blocks.first_input, factors, slots, kinds, numbers)
    return kinds[:found].copy(), numbers


@dataclass(frozen=True)
class Seen:
    """What is in some observations, one row each."""

    beside: np.ndarray
    """The numbers that the table's layer reads, but for those that are 0 in all rows;"""
    inputs: np.ndarray
    """which of that layer's inputs they are."""
    kinds: list[np.ndarray]
    """For each part, the different blocks that there are,"""
    numbers: list[np.ndarray]
    """and which of them is where, or `NOBODY`: ``[rows, blocks]``."""

    @classmethod
    def of(cls, shape: Shape, observations: np.ndarray) -> "Seen":
        """What is in these observations."""
        found = [find_kinds(blocks, observations) for blocks in shape.blocks]
        beside = observations[:, shape.table_inputs()]
        inputs = np.flatnonzero(beside.any(axis=0))
        return cls(beside[:, inputs], inputs, [kinds for kinds, _ in found], [numbers for _, numbers in found])

    def rows(self, which: np.ndarray) -> "Seen":
        """Some of the rows."""
        kinds, numbers = [], []
        for every, number in zip(self.kinds, self.numbers, strict=True):
            number = number[which]
            used = np.zeros(len(every) + 1, np.bool_)
            used[number] = True  # the last one if there is nothing
            used[NOBODY] = False
            kinds.append(every[used[:NOBODY]])
            renumbered = np.where(used, used.cumsum(dtype=np.int32) - 1, NOBODY).astype(np.int32)
            numbers.append(renumbered[number])
        return Seen(self.beside[which], self.inputs, kinds, numbers)


# ---------------------------------------------------------------- the layer, and its gradients


@quick
def sum_up(own, told, place, pooled):
    """Add the layer of a block to the sum over all."""
    for i in range(len(pooled)):
        pooled[i] += max(own[i] + told[i] + place[i], np.float32(0.0))


@quick
def write_down(own, told, place, layer):
    """The layer of a block."""
    for i in range(len(layer)):
        layer[i] = max(own[i] + told[i] + place[i], np.float32(0.0))


@quick
def pass_back(own, told, place, gradient):
    """Keep of a gradient what the layer has let through."""
    for i in range(len(gradient)):
        gradient[i] = gradient[i] if own[i] + told[i] + place[i] > 0 else np.float32(0.0)


@kernel(types.void(FLOAT_ROWS, FLOAT_ROWS, FLOAT_ROWS, NUMBERS, NUMBERS, FLOAT_ROWS, FLOAT_ROWS))
def look(own, told, places, numbers, wanted, pooled, layers):
    """The layers of the wanted blocks, and for every row the sum over those of all its blocks."""
    for row in range(len(numbers)):
        for i in range(numbers.shape[1]):
            number = numbers[row, i]
            if number != NOBODY:
                parts = borrowed_row(own, number), borrowed_row(told, row), borrowed_row(places, i)
                sum_up(*parts, borrowed_row(pooled, row))
                if wanted[row, i] != NOBODY:
                    write_down(*parts, borrowed_row(layers, wanted[row, i]))


@kernel(types.void(*[FLOAT_ROWS] * 3, NUMBERS, NUMBERS, *[FLOAT_ROWS] * 5))
def look_back(own, told, places, numbers, wanted, pooled, layers, to_own, to_told, to_places):
    """The gradients of the three addends, from those of the sums and layers."""
    gradient = np.zeros(own.shape[1], np.float32)
    for row in range(len(numbers)):
        for i in range(numbers.shape[1]):
            number = numbers[row, i]
            if number != NOBODY:
                gradient[:] = borrowed_row(pooled, row)
                if wanted[row, i] != NOBODY:
                    add_row(gradient, borrowed_row(layers, wanted[row, i]), np.float32(1.0))
                pass_back(borrowed_row(own, number), borrowed_row(told, row), borrowed_row(places, i), gradient)
                add_row(borrowed_row(to_own, number), gradient, np.float32(1.0))
                add_row(borrowed_row(to_told, row), gradient, np.float32(1.0))
                add_row(borrowed_row(to_places, i), gradient, np.float32(1.0))


class LookAtBlocks(torch.autograd.Function):
    """``look`` for torch."""

    @staticmethod
    def forward(
        ctx: Any,
        own: torch.Tensor,
        told: torch.Tensor,
        places: torch.Tensor,
        numbers: np.ndarray,
        wanted: np.ndarray,
        how_many: int,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The sums, and the layers of the wanted blocks."""
        pooled, layers = torch.zeros_like(told), told.new_zeros(how_many, told.shape[1])
        ctx.save_for_backward(own, told, places)
        ctx.numbers = numbers, wanted
        addends = (each.detach().numpy() for each in (own, told, places))
        look(*addends, numbers, wanted, pooled.numpy(), layers.numpy())
        return pooled, layers

    @staticmethod
    def backward(ctx: Any, *above: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        """The gradients of what `forward` takes."""
        gradients = [torch.zeros_like(each) for each in ctx.saved_tensors]
        arrays = (each.detach().contiguous().numpy() for each in (*above, *gradients))
        look_back(*(each.detach().numpy() for each in ctx.saved_tensors), *ctx.numbers, *arrays)
        return *gradients, None, None, None
