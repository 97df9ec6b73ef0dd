"""The random generator: fair, and the same whether compiled or not."""

import itertools

import numpy as np
import pytest

from overworlds.envs.core.kernel import RNG
from overworlds.envs.core.rng import WORD, below, draw, draw_seed, mix, next_seed, seed_rng


def plain(function):
    """The function as plain Python."""
    return getattr(function, "py_func", function)


def generator(seed: int) -> np.record:
    rng = np.zeros(1, RNG)[0]
    seed_rng(rng, seed)
    return rng


class Words:
    """The same generator written down once more, from the description of SFC32, with Python's own integers."""

    def __init__(self, seed: int) -> None:
        self.a, self.b, self.c, self.count = seed & WORD, seed >> 32, 0x9E3779B9, 1
        for _ in range(12):
            self.draw()

    def draw(self) -> int:
        result = (self.a + self.b + self.count) & WORD
        self.count = (self.count + 1) & WORD
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) & WORD
        self.c = (((self.c << 21) | (self.c >> 11)) + result) & WORD
        return result


SEEDS = [0, 1, 2, 12345, 2**32 - 1, 2**32, 2**62 - 1, 2**63 - 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_sfc32(seed):
    rng, words = generator(seed), Words(seed)
    assert [int(draw(rng)) for _ in range(200)] == [words.draw() for _ in range(200)]


@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_and_plain_agree(seed):
    compiled, python = generator(seed), np.zeros(1, RNG)[0]
    # The inner calls stay compiled under JIT; test_plain_python.py runs everything without.
    plain(seed_rng)(python, seed)
    assert python.tobytes() == compiled.tobytes()
    for _ in range(200):
        assert plain(draw)(python) == draw(compiled)
        assert plain(below)(python, 7) == below(compiled, 7)
        assert plain(draw_seed)(python) == draw_seed(compiled)
    assert python.tobytes() == compiled.tobytes()
    for index in (0, 1, 2, 1000, 2**31, 2**40):
        assert plain(mix)(seed, index) == mix(seed, index)


def test_numbers_are_evenly_spread():
    rng = generator(1)
    drawn = np.array([draw(rng) for _ in range(40_000)], np.uint64)
    assert drawn.max() <= WORD
    assert abs(drawn.mean() / WORD - 0.5) < 0.005
    bits = (drawn[:, None] >> np.arange(32, dtype=np.uint64)) & np.uint64(1)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.012, "every bit is set half of the time"
    neighbours = np.corrcoef(drawn[:-1].astype(float), drawn[1:].astype(float))[0, 1]
    assert abs(neighbours) < 0.02


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 12, 100])
def test_below_is_fair(n):
    rng = generator(n)
    draws = 600 * n
    counts = np.bincount([below(rng, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    surprise = ((counts - 600) ** 2 / 600).sum()
    assert surprise < n + 5 * np.sqrt(2 * n), counts


def test_seeds_are_in_range_and_never_the_same():
    rng = generator(3)
    drawn = [int(draw_seed(rng)) for _ in range(20_000)]
    assert min(drawn) >= 0
    assert max(drawn) < 2**62
    assert len(set(drawn)) == len(drawn)
    bits = np.array([[seed >> bit & 1 for bit in range(62)] for seed in drawn])
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.02


def test_descendants_of_small_seeds_do_not_collide():
    made = [int(mix(seed, index)) for seed, index in itertools.product(range(200), range(200))]
    assert len(set(made)) == len(made)
    assert min(made) >= 0
    assert max(made) < 2**62
    bits = np.array([[seed >> bit & 1 for bit in range(62)] for seed in made[::4]])
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.03


def test_seed_and_index_are_not_interchangeable():
    assert len({int(mix(a, b)) for a, b in itertools.permutations(range(40), 2)}) == 40 * 39


def test_a_succession_of_games_does_not_return_soon():
    seed, seen = 0, set()
    for _ in range(20_000):
        assert seed not in seen
        seen.add(seed)
        seed = int(next_seed(seed))


def test_neighbouring_seeds_give_unrelated_numbers():
    first = np.array([draw(generator(seed)) for seed in range(4_000)], float) / WORD
    assert abs(first.mean() - 0.5) < 0.02
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 0.05
    assert abs(np.corrcoef(first, np.arange(4_000))[0, 1]) < 0.05
