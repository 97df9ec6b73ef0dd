"""The kernel contract: what every game's compiled functions look like, and how they are compiled.

A game is a state record and a rules record, both flat byte buffers, and a handful of functions with the
signatures below. Generic code (environment, batch, playouts, search) is compiled once and calls any game's
functions through their addresses. Under ``NUMBA_DISABLE_JIT=1`` the same source runs as plain Python.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.util
import os
import pickle
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.experimental.function_type import _get_jit_address
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from overworlds.envs.core import LOADED_SINCE
from overworlds.envs.core.inner import Inner, KernelCompiler

MAX_PLAYERS = 6
OVER = -1
"""``to_move`` of a finished game."""
ELIMINATED = 2
"""``finished`` of a seat that is out by the rules: not truncated, even if a limit stops the others at the same time."""


def record(*fields: tuple) -> np.dtype:
    """A named, packed, mutable record: attribute access over raw bytes, in numba and in plain Python."""
    return np.dtype((np.record, list(fields)))


RNG = record(("a", np.uint32), ("b", np.uint32), ("c", np.uint32), ("count", np.uint32))

HEADER = record(
    ("rng", RNG),
    ("seed", np.int64),  # what this game was dealt from
    ("ply", np.int32),  # decisions made so far
    ("turn", np.int32),  # turns ended so far, in the game's own sense
    ("returns", np.float32, (MAX_PLAYERS,)),  # rewards received so far, by seat
    ("finished", np.int8, (MAX_PLAYERS,)),  # 1: over, as everybody's game is; or ELIMINATED
    ("to_move", np.int8),  # the seat that decides, or OVER
    ("players", np.int8),
    ("truncated", np.int8),  # 1: stopped by a limit, not by the rules
    ("unused", np.int8, (7,)),  # keeps what follows at multiples of eight bytes
)
"""Opens every state; all that generic code reads."""

HEADER_BYTES = HEADER.itemsize

BYTES = types.uint8[::1]
IDS = types.int32[::1]
OBSERVATION = types.int8[::1]
PARAMS = types.float32[::1]

RESET = types.void(BYTES, BYTES, types.int64)
"""``reset(rules, state, seed)`` deals a new game."""
LEGAL = types.int64(BYTES, BYTES, IDS)
"""``legal(rules, state, out) -> n`` writes the ids of the n legal actions, ascending."""
STEP = types.void(BYTES, BYTES, types.int64)
"""``step(rules, state, action)`` applies a legal action and runs on to the next decision."""
OBSERVE = types.void(BYTES, BYTES, types.int64, OBSERVATION)
"""``observe(rules, state, seat, out)`` writes what that seat may know, seen from that seat."""
RESAMPLE = types.void(BYTES, BYTES, types.int64, types.int64)
"""``resample(rules, state, seat, seed)`` redraws all that seat cannot know, consistently with what it does.

The result may depend only on what the seat knows and on the seed, not on what was hidden before.
"""
POLICY = types.int64(PARAMS, BYTES, BYTES, IDS, types.int64, types.int64)
"""``policy(params, rules, state, legal, n, seed) -> action`` chooses among n legal ids; seed is fresh and ≥ 0."""
VALUE = types.float64(PARAMS, BYTES, BYTES, types.int64)
"""``value(params, rules, state, seat)``: what this seat may still expect to gain, -1 to 1; a game may offer one."""

ADDRESSES = types.int64[::1]
"""Where compiled functions lie; see `addresses`."""

warnings.filterwarnings("ignore", message="First-class function type feature is experimental")
warnings.filterwarnings("ignore", message=r"Record\(.* has been considered a subtype")  # exact matches come first

# ---------------------------------------------------------------- compiling, with a cache that is never stale


@functools.cache
def _sources(module: str) -> frozenset[Path]:
    """The file of a module and those of all overworlds modules it imports, directly or not."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return frozenset()
    seen: set[Path] = set()
    waiting = [Path(spec.origin)]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("overworlds."):
                waiting += _files(str(node.module), [alias.name for alias in node.names])
    return frozenset(seen)


def _files(module: str, names: list[str]) -> list[Path]:
    """The files behind ``from module import names``: that of the module or, in a package, those of its modules."""
    spec = importlib.util.find_spec(module)
    if spec is None:
        return []
    wanted = [spec]
    if spec.submodule_search_locations is not None:  # else looking inside would import it, and whatever it needs
        wanted = [importlib.util.find_spec(f"{module}.{name}") or spec for name in names]
    return [Path(found.origin) for found in wanted if found.origin is not None]


@functools.cache
def source_digest(module: str) -> str:
    """A short digest of all code that ``module`` is made of."""
    digest = hashlib.sha256()
    for path in sorted(_sources(module), key=lambda p: (p.parent.name, p.name)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_root() -> Path | None:
    """The folder for compiled code: ``NUMBA_CACHE_DIR``, else the user's cache folder; None if none can be had."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        wishes = [Path(os.environ["NUMBA_CACHE_DIR"])]
    else:
        user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        owner = os.getuid() if hasattr(os, "getuid") else "user"
        wishes = [Path(user), Path(tempfile.gettempdir()) / f"overworlds-{owner}"]
    for wish in wishes:
        folder = wish / "overworlds"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(folder):
                return folder
    warnings.warn(
        "overworlds finds no folder of yours for compiled code and compiles anew every time; "
        "set NUMBA_CACHE_DIR to one that you can write",
        stacklevel=2,
    )
    return None


def _is_ours(folder: Path) -> bool:
    """Cached code is executed, so it must not lie where another user could write it."""
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    about = folder.stat()
    return about.st_uid == os.getuid() and not about.st_mode & stat.S_IWOTH


@functools.cache
def _is_as_loaded(module: str) -> bool:
    """Is the code in memory surely that of the files, whose digest names the folder?

    A file that was edited while this process was starting may have been read before and digested after the edit; its
    code, kept under the new digest, would break every later start. (A file dated in the future was not edited now:
    it comes from a machine whose clock is ahead.)
    """
    return not any(LOADED_SINCE <= path.stat().st_mtime <= time.time() for path in _sources(module))


_unkept: list[OSError] = []
"""Why compiled code could not be kept, since when this process has not tried it again."""


def _cannot_keep(error: OSError) -> None:
    """Compiled code could not be written, since the disk is full for instance: say so once, and go on without."""
    _unkept.append(error)
    warnings.warn(
        f"overworlds cannot keep compiled code in {cache_root()} and compiles anew every time: {error.strerror}; "
        "make room there, or set NUMBA_CACHE_DIR to another folder",
        stacklevel=4,
    )


@contextlib.contextmanager
def _caching(module: str) -> Iterator[bool]:
    """Point numba's cache at a folder of this source text, for the functions compiled inside the block."""
    root = None if _unkept else cache_root()
    has_source = getattr(sys.modules.get(module), "__spec__", None) is not None  # not in a script or a notebook
    if root is None or numba.config.DISABLE_JIT or not has_source:
        yield False
        return
    checks = "-checked" if numba.config.BOUNDSCHECK else ""
    folder = root / f"{module.removeprefix('overworlds.')}-{source_digest(module)}{checks}"
    if not _is_as_loaded(module):
        print(f"overworlds: {module} changes while it is loaded; compiling without the cache", file=sys.stderr)
        yield False
        return
    if not folder.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _cannot_keep(error)
            yield False
            return
        print(f"overworlds: compiling {module} (once for this version)", file=sys.stderr, flush=True)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before


def kernel(signature: Any) -> Callable[[Callable], Any]:
    """Compile an entry point now, with this signature, or take it from the cache."""

    def compile_now(function: Callable) -> Any:
        options = {"nogil": True, "pipeline_class": KernelCompiler}
        with _caching(function.__module__) as cache:
            try:
                return numba.njit(signature, cache=cache, **options)(function)
            except (EOFError, pickle.UnpicklingError) as damage:
                warnings.warn(f"compiling anew: damaged cache in {numba.config.CACHE_DIR}: {damage}", stacklevel=2)
            except OSError as error:
                _cannot_keep(error)
            return numba.njit(signature, **options)(function)

    return compile_now


def jit(function: Callable) -> Any:
    """For functions that only kernels call: compiled as part of them, for the records and arrays they are given."""
    return function if numba.config.DISABLE_JIT else Inner(function)


def inlined(function: Callable) -> Any:
    """The same, for a function whose many arguments make calling it costly: it becomes part of its callers."""
    return function if numba.config.DISABLE_JIT else Inner(function, forceinline=True)


# ---------------------------------------------------------------- calling any game's functions by address


def addresses(*kernels: Any) -> Any:
    """Compiled functions as an array of addresses that generic kernels take; plain Python takes them as they are.

    Passing numba's own function objects costs 50 µs each time; an address costs nothing.
    """
    if numba.config.DISABLE_JIT:
        return kernels
    return np.array([_get_jit_address(k, k.nopython_signatures[0]) for k in kernels], np.int64)


def _function_at(signature: Any) -> Any:
    """Make the compiled conversion from an address to a callable of this signature."""
    function_type = types.FunctionType(signature)
    if numba.config.DISABLE_JIT:
        return lambda function: function

    @intrinsic
    def function_at(typing_context, address):
        def generate(context, builder, _signature, arguments):
            function = cgutils.create_struct_proxy(function_type)(context, builder)
            function.jit_addr = builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))
            return function._getvalue()

        return function_type(types.int64), generate

    return function_at


# ---------------------------------------------------------------- arrays without reference counts
# Every view of an array counts a reference, atomically; threads that share an array wait for each other there.
# A borrowed array counts nothing. It must not outlive the call that borrowed it.

if numba.config.DISABLE_JIT:

    def borrowed(array):
        """The same array."""
        return array

    def borrowed_row(rows, i):
        """One row of a two-dimensional array."""
        return rows[i]

else:

    def _borrow(context, builder, array_type, data, length):
        """A one-dimensional array at this address that owns nothing."""
        array = make_array(array_type)(context, builder)
        itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
        populate_array(array, data=data, shape=[length], strides=[itemsize], itemsize=itemsize, meminfo=None)
        return array._getvalue()

    @intrinsic
    def borrowed(typing_context, array):
        """The same array, without a reference; a record's field becomes an array like any other."""
        plain = types.Array(array.dtype, 1, "C")

        def generate(context, builder, signature, arguments):
            value = make_array(array)(context, builder, arguments[0])
            return _borrow(context, builder, plain, value.data, builder.extract_value(value.shape, 0))

        return plain(array), generate

    @intrinsic
    def borrowed_row(typing_context, rows, i):
        """One row of a two-dimensional array, without a reference. The caller answers for the index."""
        row_type = types.Array(rows.dtype, 1, "C")

        def generate(context, builder, signature, arguments):
            value = make_array(rows)(context, builder, arguments[0])
            stride = builder.extract_value(value.strides, 0)
            offset = builder.mul(arguments[1], stride)
            data = cgutils.pointer_add(builder, value.data, offset)
            return _borrow(context, builder, row_type, data, builder.extract_value(value.shape, 1))

        return row_type(rows, types.intp), generate


reset_at = _function_at(RESET)
legal_at = _function_at(LEGAL)
step_at = _function_at(STEP)
observe_at = _function_at(OBSERVE)
resample_at = _function_at(RESAMPLE)
policy_at = _function_at(POLICY)
value_at = _function_at(VALUE)

CODE_RESET, CODE_LEGAL, CODE_STEP, CODE_OBSERVE, CODE_RESAMPLE = range(5)
"""Places in a game's code: ``reset_at(code[CODE_RESET])(rules, state, seed)``."""
