"""Recorded games: a small file that says how to play the game again, and what came of it."""

import errno
import json
import operator
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overworlds.envs.core.game import Variant
from overworlds.envs.core.registry import find_game

if TYPE_CHECKING:
    from overworlds.envs.core.aec import GameEnv

FORMAT = "overworlds-replay"
FORMAT_VERSION = 1


class ReplayError(ValueError):
    """A replay that cannot be read, or that does not play out as it says."""


@dataclass(frozen=True)
class Replay:
    """A game: what was dealt, what was chosen, and the result if it came to one."""

    game: str
    players: int
    rules: dict[str, Any]
    rules_digest: str
    seed: int
    actions: tuple[int, ...]
    options: dict[str, Any] = field(default_factory=dict)
    result: tuple[float, ...] | None = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file whole or not at all."""
        content = {"format": FORMAT, "format_version": FORMAT_VERSION} | asdict(self)
        text = json.dumps(content, default=operator.index)  # numpy's integers, too
        write_atomically(path, text.encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Replay":
        """Read a file and play it through: every action must be legal and the result the one recorded."""
        replay = cls._read(Path(path))
        for _ in replay.play():
            pass
        return replay

    @classmethod
    def _read(cls, path: Path) -> "Replay":
        try:
            content = json.loads(path.read_bytes())
        except OSError as error:
            raise ReplayError(f"{path}: cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"{path}: not a replay: {error}") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ReplayError(f"{path}: not a replay of this project")
        if content.get("format_version") != FORMAT_VERSION:
            raise ReplayError(
                f"{path}: written in format version {content.get('format_version')!r}; this version of overworlds "
                f"reads version {FORMAT_VERSION}"
            )
        try:
            return cls(
                game=str(content["game"]),
                players=_whole(content["players"]),
                rules=dict(content["rules"]),
                rules_digest=str(content["rules_digest"]),
                seed=_whole(content["seed"]),
                actions=tuple(_whole(action) for action in content["actions"]),
                options=dict(content["options"]),
                result=None if content["result"] is None else tuple(float(gain) for gain in content["result"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ReplayError(f"{path}: damaged: {type(error).__name__}: {error}") from error

    def play(self, render_mode: str | None = None) -> Iterator["GameEnv"]:
        """The game again: the environment before the first action, and after each one.

        Raises:
            ReplayError: where it differs from what was recorded, with the move and the reason.
        """
        from overworlds.envs.core.aec import GameEnv

        try:
            variant = Variant(find_game(self.game), self.players, self.rules)
        except ValueError as error:
            raise ReplayError(f"this replay cannot be played here: {error}") from error
        if variant.digest != self.rules_digest:
            raise ReplayError(
                f"this replay was made under other rules of {self.game} than this version of overworlds has: "
                f"digest {self.rules_digest}, here {variant.digest}"
            )
        env = GameEnv(variant, render_mode=render_mode, illegal="raise")
        try:
            env.reset(self.seed, self.options)
        except (TypeError, ValueError) as error:
            raise ReplayError(f"this replay cannot be set up: {error}") from error
        yield env
        for move, action in enumerate(self.actions, start=1):
            if env.returns() is not None:
                raise ReplayError(f"the game ends at move {move - 1}, but {len(self.actions)} are recorded")
            try:
                env.step(action)
            except (TypeError, ValueError) as error:
                raise ReplayError(f"move {move} of {len(self.actions)} (turn {env.turn + 1}): {error}") from error
            while env.agents and env.returns() is None and env.terminations[env.agent_selection]:
                env.step(None)  # somebody was eliminated
            yield env
        final = env.returns()
        result = None if final is None else tuple(final.values())
        if result != self.result:
            raise ReplayError(f"after the last move the result is {result}, but {self.result} is recorded")


def _whole(number: Any) -> int:
    """The number, if it is a whole one and nothing that merely looks like it."""
    if isinstance(number, bool):
        raise TypeError(f"{number!r} is not a number")
    return operator.index(number)


def checked_file(path: str | os.PathLike[str]) -> Path:
    """Where `write_atomically` would put a file of this name; an OSError that says why, if it could not."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder; name a file in it", str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "is not a file that could be replaced; name another one", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder; make it first", str(Path(path).parent))
    if not os.access(target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "you may not write in this folder; name another one", str(target.parent))
    return target


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that, whatever happens, either the old or the whole new content is there.

    A link stays one, and what it points to is written. Folders and devices are refused, never replaced.
    """
    target = checked_file(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno:  # a full disk does not say which file it has no room for
            raise type(error)(error.errno, error.strerror, str(path)) from None
        raise
