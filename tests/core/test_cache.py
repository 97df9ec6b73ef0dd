"""The cache of compiled code: never stale, never in the way, safe when several start at once."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from overworlds.envs.core import kernel

from .fresh import ROOT, environment, run

TINY = """
import sys
from numba import types
from overworlds.envs.core.kernel import kernel

@kernel(types.int64(types.int64))
def double(n):
    return 2 * n

assert double(21) == 42
print(sum(double.stats.cache_hits.values()))
"""
"""A module with one small kernel, which compiles in a moment. It prints 1 if it was found in the cache."""


@pytest.fixture
def tiny(tmp_path):
    """A folder with that module, and an empty cache beside it."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "tiny.py").write_text(TINY)
    return tmp_path


def start(place, first="", **variables) -> subprocess.Popen:
    """Import the module in a new process, after doing something else ``first``."""
    variables = {
        "PYTHONPATH": str(place / "code"),
        "NUMBA_CACHE_DIR": str(place / "cache"),
        "NUMBA_DISABLE_JIT": None,
        "NUMBA_BOUNDSCHECK": None,
    } | variables
    command = [sys.executable, "-c", f"{first}\nimport tiny"]
    return subprocess.Popen(
        command, env=environment(**variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place
    )


def finish(process: subprocess.Popen) -> tuple[str, str]:
    """What it printed, and what it said besides."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip(), err


def folders(place) -> list[str]:
    return sorted(os.listdir(place / "cache" / "overworlds"))


def test_several_that_start_at_once_all_work_and_the_next_starts_warm(tiny):
    for out, _ in [finish(process) for process in [start(tiny) for _ in range(3)]]:
        assert out in ("0", "1")
    out, err = finish(start(tiny))
    assert out == "1", "found in the cache"
    assert "compiling" not in err
    assert len(folders(tiny)) == 1


def test_compiling_is_announced_once(tiny):
    assert "overworlds: compiling tiny (once for this version)" in finish(start(tiny))[1]
    assert "compiling" not in finish(start(tiny))[1]


def test_changed_source_gets_a_folder_of_its_own(tiny):
    finish(start(tiny))
    before = folders(tiny)
    (tiny / "code" / "tiny.py").write_text(TINY.replace("2 * n", "n + n"))
    assert finish(start(tiny))[0] == "0"
    assert len(folders(tiny)) == 2
    assert set(before) < set(folders(tiny))


def test_source_that_changes_while_it_is_loaded_is_not_kept(tiny):
    """The code in memory is older than the file then, and must not be kept, or taken, under the file's new digest."""
    source = tiny / "code" / "tiny.py"
    editing = "import pathlib; from overworlds.envs.core import kernel as k; " + (
        "own = pathlib.Path(__file__); own.write_text(own.read_text().replace('2 * n', '3 * n'))\n"
    )
    source.write_text(editing + TINY)
    out, err = finish(start(tiny))
    assert out == "0"
    assert "tiny changes while it is loaded" in err
    assert not list((tiny / "cache").rglob("*.nbc"))


def test_source_dated_in_the_future_is_cached_all_the_same(tiny):
    tomorrow = time.time() + 24 * 60 * 60
    os.utime(tiny / "code" / "tiny.py", (tomorrow, tomorrow))
    assert "changes while it is loaded" not in finish(start(tiny))[1]
    assert finish(start(tiny))[0] == "1", "found in the cache"


def test_bounds_checks_have_a_folder_of_their_own(tiny):
    finish(start(tiny))
    assert finish(start(tiny, NUMBA_BOUNDSCHECK="1"))[0] == "0"
    assert sorted(name.endswith("-checked") for name in folders(tiny)) == [False, True]


def test_a_damaged_cache_is_compiled_anew(tiny):
    finish(start(tiny))
    for file in (tiny / "cache").rglob("*.nb*"):
        file.write_bytes(file.read_bytes()[:20])
    out, err = finish(start(tiny))
    assert out == "0"
    assert f"damaged cache in {tiny / 'cache'}" in err, "so that one can delete it"


def test_nothing_is_written_beside_the_source(tiny):
    before = sorted(path.name for path in (tiny / "code").rglob("*"))
    finish(start(tiny, PYTHONDONTWRITEBYTECODE="1"))
    assert sorted(path.name for path in (tiny / "code").rglob("*")) == before
    assert not list((ROOT / "envs").rglob("*.nbi")), "and so a read-only installation works"


def test_without_any_folder_it_compiles_every_time_and_says_so(tiny):
    nowhere = "/proc/nowhere" if os.path.isdir("/proc") else str(tiny / "code" / "tiny.py")
    out, err = finish(start(tiny, NUMBA_CACHE_DIR=nowhere))
    assert out == "0"
    assert "set NUMBA_CACHE_DIR" in err


@pytest.mark.skipif(os.name != "posix", reason="POSIX limits")
def test_on_a_full_disk_it_compiles_without_keeping_and_says_so(tiny):
    nothing_fits = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))"
    out, err = finish(start(tiny, first=nothing_fits))
    assert out == "0"
    assert f"cannot keep compiled code in {tiny / 'cache' / 'overworlds'}" in err
    finish(start(tiny))
    assert finish(start(tiny))[0] == "1", "when there is room again, it is kept"


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_a_cache_that_takes_no_new_folder_is_done_without(tiny):
    folder = tiny / "cache" / "overworlds"
    folder.mkdir(parents=True, mode=0o700)
    finish(start(tiny))
    (name,) = folders(tiny)
    (folder / name).rename(tiny / "kept")
    (folder / name).symlink_to("nowhere/at/all")
    out, err = finish(start(tiny))
    assert out == "0"
    assert "cannot keep compiled code" in err


def test_the_users_cache_folder_is_the_default(tiny):
    finish(start(tiny, NUMBA_CACHE_DIR=None, XDG_CACHE_HOME=str(tiny / "cache")))
    assert len(folders(tiny)) == 1


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")
def test_a_folder_that_others_can_write_is_not_trusted(tmp_path):
    tmp_path.chmod(0o777)
    assert not kernel._is_ours(tmp_path)
    tmp_path.chmod(0o700)
    assert kernel._is_ours(tmp_path)


# ---------------------------------------------------------------- which changes matter to whom

DIGESTS = """
from overworlds.envs.core import kernel
print(kernel.__file__)
for module in ("core.policies", "core.batch", "homeworlds.legal", "homeworlds.rules", "homeworlds.observe"):
    print(kernel.source_digest("overworlds.envs." + module))
"""


def digests_after(tmp_path, changed: str | None) -> list[str]:
    """The digests of some modules in a copy of the package in which one file was changed."""
    site = tmp_path / "site"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(ROOT / "envs", site / "overworlds" / "envs", ignore=shutil.ignore_patterns("__pycache__"))
    if changed is not None:
        with (site / "overworlds" / "envs" / changed).open("a", encoding="utf-8") as file:
            file.write("\n# changed\n")
    where, *digests = run("-c", DIGESTS, PYTHONPATH=str(site)).stdout.split()
    assert where.startswith(str(site)), "this is the copy"
    return digests


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory) -> list[str]:
    return digests_after(tmp_path_factory.mktemp("unchanged"), None)


@pytest.mark.parametrize(
    ("changed", "new"),
    [
        (None, (False, False, False, False, False)),
        ("core/kernel.py", (True, True, True, True, True)),
        ("core/rng.py", (False, True, False, True, False)),
        ("core/batch.py", (False, True, False, False, False)),
        ("homeworlds/pieces.py", (False, False, True, True, True)),
        ("homeworlds/legal.py", (False, False, True, True, False)),
        ("homeworlds/render.py", (False, False, False, False, False)),
    ],
)
def test_a_change_reaches_all_that_is_compiled_from_it_and_nothing_else(tmp_path, unchanged, changed, new):
    after = digests_after(tmp_path, changed)
    assert tuple(a != b for a, b in zip(unchanged, after, strict=True)) == new


# ---------------------------------------------------------------- a real game

GAME = "from overworlds.envs import homeworlds_v0; env = homeworlds_v0.env(); env.reset(seed=0); print(env.turn)"


@pytest.mark.slow
def test_two_that_start_a_game_at_once_with_an_empty_cache_both_work(tmp_path):
    variables = environment(NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT=None, NUMBA_BOUNDSCHECK=None)
    both = [
        subprocess.Popen([sys.executable, "-c", GAME], env=variables, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [process.communicate(timeout=600)[0].strip() for process in both] == ["0", "0"]
    began = time.monotonic()
    third = run("-c", GAME, NUMBA_CACHE_DIR=str(tmp_path))
    assert time.monotonic() - began < 15
    assert "compiling" not in third.stderr


# ---------------------------------------------------------------- kernels of users

SCRIPT = """
import numpy as np
from overworlds.envs import Policy, playouts
from overworlds.envs.core.kernel import POLICY, kernel

@kernel(POLICY)
def last(params, rules, state, legal, n, seed):
    return legal[n - 1]

print(playouts("homeworlds_v0", [Policy(last, np.zeros(1, np.float32)), "random"], 4, players=2).returns.shape)
"""


@pytest.mark.parametrize("how", ["script", "command", "pipe"])
def test_policies_can_be_written_in_a_script_or_a_notebook(tmp_path, how):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    arguments = {"script": [str(script)], "command": ["-c", SCRIPT], "pipe": ["-"]}[how]
    done = subprocess.run([sys.executable, *arguments], input=SCRIPT, capture_output=True, text=True)
    assert done.stdout.strip() == "(4, 2)", done.stderr
