"""The random generator that lives in the state: SFC32 (Chris Doty-Humphrey), 32-bit words in 64-bit arithmetic.

It uses only additions, shifts and xors on masked words, so that compiled and plain Python runs agree bit for bit
and neither overflows.
"""

from overworlds.envs.core.kernel import jit

WORD = 0xFFFFFFFF


@jit
def seed_rng(rng, seed):
    """Start a generator from a seed ≥ 0."""
    rng.a = seed & WORD
    rng.b = (seed >> 32) & WORD
    rng.c = 0x9E3779B9
    rng.count = 1
    for _ in range(12):
        draw(rng)


@jit
def draw(rng):
    """A random 32-bit number."""
    a, b, c, count = int(rng.a), int(rng.b), int(rng.c), int(rng.count)
    result = (a + b + count) & WORD
    rng.a = b ^ (b >> 9)
    rng.b = (c + (c << 3)) & WORD
    rng.c = ((((c << 21) & WORD) | (c >> 11)) + result) & WORD
    rng.count = (count + 1) & WORD
    return result


@jit
def below(rng, n):
    """A random number from 0 to n - 1."""
    return (draw(rng) * n) >> 32


@jit
def draw_seed(rng):
    """A random seed, 0 to 2⁶² - 1."""
    return (draw(rng) << 30) ^ draw(rng)


@jit
def mix(seed, index):
    """The seed of the ``index``-th thing that descends from ``seed``: one number well spread over 0 to 2⁶² - 1."""
    a, b = seed & WORD, (seed >> 32) & WORD
    c, count = (index + 0x9E3779B9) & WORD, (index >> 32) & WORD
    before = result = 0
    for _ in range(15):
        before, result = result, (a + b + count) & WORD
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & WORD
        c = ((((c << 21) & WORD) | (c >> 11)) + result) & WORD
        count = (count + 1) & WORD
    return (before << 30) ^ result


@jit
def next_seed(seed):
    """The seed of the game that follows the game with this seed, where nobody names another."""
    return mix(seed, 1)
