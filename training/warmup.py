"""Compiling ahead of time, and looking after the cache of compiled code."""

import importlib
import importlib.util
import pkgutil
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from overworlds.envs.core.kernel import source_digest
from overworlds.envs.core.registry import GAMES

ENGINE = "overworlds.envs.core"
AGENTS = "overworlds.agents"


def modules_to_compile(games: Sequence[str]) -> list[str]:
    """Every module of the engine, the players and these games; importing one compiles its kernels."""
    packages = [ENGINE, AGENTS, *(GAMES[game] for game in games)]
    return [
        f"{package}.{module.name}"
        for package in packages
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__)
    ]


def compile_modules(modules: Sequence[str], begin: Callable[[str], None]) -> None:
    """Import one module after the other, and say which one is next. What draws needs an extra, and has no kernels."""
    for module in modules:
        begin(module)
        try:
            importlib.import_module(module)
        except ImportError as error:
            if not isinstance(error.__cause__, ModuleNotFoundError):
                raise


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def is_current(folder: Path) -> bool:
    """Does this folder of the cache belong to a module as it is now?"""
    name, _, digest = folder.name.removesuffix("-checked").rpartition("-")
    module = f"overworlds.{name}"
    try:
        exists = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
    return exists and source_digest(module) == digest


def clear_outdated(root: Path) -> int:
    """Remove what other versions have left in the cache; the bytes that are free again."""
    freed = 0
    for folder in [each for each in root.iterdir() if each.is_dir() and not is_current(each)]:
        freed += size_of(folder)
        shutil.rmtree(folder)
    return freed
