"""Functions that kernels call: compiled once for all widths of numbers, and usable from Python too."""

import numba
import numpy as np
import pytest
from numba import types

from overworlds.envs.core.inner import KernelCompiler
from overworlds.envs.core.kernel import borrowed, jit, record

COMPILED = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="about compiled code")
PAIR = record(("small", np.int8), ("large", np.int64), ("row", np.int32, (3,)))


@jit
def larger(a, b):
    return a if a > b else b


@jit
def largest(r, flag, number):
    """Called with int8, int64, a constant and truth values."""
    return larger(larger(r.small, r.large), larger(flag, larger(number, 7)))


@jit
def total(row):
    found = 0
    for i in range(len(row)):
        found += int(row[i])
    return found


@numba.njit(types.int64(types.uint8[::1], types.int32[::1]))  # not from a cache
def look(buffer, row):
    r = buffer.view(PAIR)[0]
    return largest(r, r.small > 3, 100) + largest(r, 1, number=r.small) + total(row) + total(borrowed(r.row))


def buffer(small, large, row):
    found = np.zeros(PAIR.itemsize, np.uint8)
    r = found.view(PAIR)[0]
    r.small, r.large, r.row = small, large, row
    return found


def test_they_get_numbers_of_all_widths():
    assert look(buffer(5, 3, [1, 2, 3]), np.array([10, 20], np.int32)) == 100 + 7 + 30 + 6
    assert look(buffer(-1, 2**40, [0, 0, -4]), np.zeros(1, np.int32)) == 2**41 - 4


@COMPILED
def test_they_are_compiled_once():
    assert [len(function.nopython_signatures) for function in (larger, largest, total)] == [1, 1, 1]


def test_python_can_call_them():
    assert larger(2, 3) == 3
    assert larger(2.5, 1.5) == 2.5
    assert total(np.arange(4, dtype=np.int32)) == 6


@jit
def moves(disks, cost):
    """What the tower of Hanoi costs: since it calls itself, it cannot be copied into its callers."""
    if disks == 0:
        return 0
    return moves(disks - 1, cost) + cost + moves(disks - 1, cost)


def at_ten(disks):
    """Always the same cost, so that the compiler may leave it out where its part is called."""
    return moves(disks, 10)


def at_seven(disks):
    return moves(disks, 7)


def at_any(disks, cost):
    return moves(disks, cost)


def compiled(function):
    """As a kernel is, but not from the cache."""
    return numba.njit(types.int64(types.int64), pipeline_class=KernelCompiler)(function)


@COMPILED
def test_kernels_do_not_get_at_each_others_parts():
    ten, seven, anything = compiled(at_ten), compiled(at_seven), numba.njit(at_any)
    for disks in (1, 3, 10):
        turns = 2**disks - 1
        assert (ten(disks), seven(disks), anything(disks, 4)) == (10 * turns, 7 * turns, 4 * turns)


@COMPILED
def test_parts_have_no_names_in_machine_code():
    (result,) = compiled(at_ten).overloads.values()
    linkage = {function.name: function.linkage.name for function in result.library.get_defined_functions()}
    assert {linkage[name] for name in linkage if "at_ten" in name} == {"external"}
    assert {linkage[name] for name in linkage if "moves" in name} == {"private"}
