"""Sets of small numbers, such as the kinds of card in a hand, as the bits of one number."""

from collections.abc import Iterable

import numba
import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from overworlds.envs.core.kernel import jit


def set_of(numbers: Iterable[int]) -> np.int64:
    """The set of these numbers, 0 to 63, as a record stores it."""
    return np.uint64(sum(1 << number for number in set(numbers))).astype(np.int64)


@jit
def only(number):
    """The set of this number alone, as a record stores it."""
    return 1 << number if number < 63 else -(1 << 62) * 2


@jit
def without_lowest(bits):
    """A set without its smallest number, be it one that a record stores: these may be negative."""
    bits &= bits - 1
    return bits if bits >= -(1 << 62) * 2 else 0  # plain numbers do not overflow


if numba.config.DISABLE_JIT:

    def lowest(bits):
        """The smallest number in a set that is not empty."""
        return (int(bits) & -int(bits)).bit_length() - 1

else:

    @jit
    def lowest(bits):
        """The smallest number in a set that is not empty."""
        return int(trailing_zeros(bits))
