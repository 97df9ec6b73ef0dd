"""What the commands have in common: their arguments, and how results are written."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from overworlds.envs.core.game import Variant

AGENT_HELP = "random, scripted, search, search:sims=400, search:ms=200, trained or trained:FILE"

STANDARD_OUTPUT = "-"
"""As the name of a file of results."""

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, such as homeworlds_v0.")]
PlayersOption = Annotated[int | None, typer.Option(help="How many players; by default the game's own number.")]
RuleOption = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME=VALUE", help="A rule that differs from its default; may be repeated."),
]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")]
ThreadsOption = Annotated[
    int | None, typer.Option(min=1, help="How many games at the same time; by default as many as there are cores.")
]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - is the standard output.")
]


def chosen_variant(game: str, players: int | None, rules: Sequence[str] | None, seed: int | None = None) -> "Variant":
    """The game with its players and rules as the command line has them; the seed draws what rules leave to chance."""
    from overworlds.envs.core.game import Variant
    from overworlds.envs.core.registry import find_game

    return Variant(find_game(game), players, rules_by_name(rules), seed)


def rules_by_name(texts: Sequence[str] | None) -> dict[str, Any]:
    """``["talk=true"]`` as names and values."""
    return values_by_name(texts, "rule", "talk=true")


def values_by_name(texts: Sequence[str] | None, what: str, example: str) -> dict[str, Any]:
    """What was written as NAME=VALUE, by name; a ValueError says what is given twice."""
    values: dict[str, Any] = {}
    for text in texts or ():
        name, equals, written = text.partition("=")
        if not equals:
            raise ValueError(f"a {what} is written NAME=VALUE, such as {example}, not {text!r}")
        try:
            value = json.loads(written)
        except ValueError:
            value = written
        if name in values:
            raise ValueError(f"{what} {name!r} is given twice: {values[name]!r} and {value!r}; leave one out")
        values[name] = value
    return values


def checked_target(path: Path, endings: Sequence[str] = ()) -> Path:
    """A file to be written, if it can be and its ending is one of these: to complain before the work, not after it."""
    from overworlds.envs.core.replay import checked_file

    if endings and path.suffix.lower() not in endings:
        raise ValueError(f"{path}: the name must end in {' or '.join(endings)}")
    checked_file(path)
    return path


def check_json(target: str | None) -> None:
    """The same for a file of results."""
    if target not in (None, STANDARD_OUTPUT):
        checked_target(Path(str(target)))


def write_json(target: str, content: Any) -> None:
    """Write JSON to a file, whole or not at all, or to the standard output."""
    from overworlds.envs.core.replay import write_atomically

    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    if target == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
    else:
        write_atomically(target, text.encode())
        typer.echo(f"written to {target}", err=True)
