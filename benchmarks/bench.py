"""``overworlds bench``: how fast the games are, beside their peers, in one run on one machine."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from overworlds.benchmarks.chart import FORMATS, check_chart, draw_chart
from overworlds.benchmarks.footprint import compile_and_import, memory_growth, sizes
from overworlds.benchmarks.ours import subject_of, trials_of
from overworlds.benchmarks.peers import PEERS
from overworlds.benchmarks.report import machine, show
from overworlds.benchmarks.stopwatch import Measurement, Trial, UnavailableError, measure
from overworlds.benchmarks.targets import check_targets
from overworlds.envs.core.game import Variant
from overworlds.envs.core.registry import GAMES, find_game
from overworlds.envs.core.replay import write_atomically
from overworlds.training.options import STANDARD_OUTPUT, JsonOption, check_json, checked_target, write_json

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


@dataclass(frozen=True)
class Cost:
    """Facts that are measured once, in processes of their own."""

    name: str
    measure: Callable[[Variant], dict[str, Any]]
    of_the_game: bool
    """True: the same for every number of players."""


COSTS = (Cost("compile", compile_and_import, True), Cost("memory", memory_growth, False))


@dataclass(frozen=True)
class Plan:
    """What is to be measured."""

    variants: tuple[Variant, ...]
    trials: tuple[Trial, ...]
    costs: tuple[tuple[Cost, Variant], ...]


def bench(
    json_file: JsonOption = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Draw a chart into this file ({', '.join(FORMATS)}).")
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated. Default: all.")] = None,
    players: Annotated[
        list[int] | None,
        typer.Option(help="This number of players; may be repeated. Default: a game's smallest and its usual one."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SUBSTRING",
            help="Only what has this in its name, such as 'aec', 'batch', 'openspiel', 'compile' or 'memory'; "
            "may be repeated.",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds a measurement.")] = 0.4,
    repeats: Annotated[int, typer.Option(help="Measurements of each; best and median are reported.")] = 5,
    peers: Annotated[bool, typer.Option(help="Measure games of other libraries too, where installed.")] = True,
) -> None:
    """Measure random play in steps per second, ours and peers' in turn, with sizes, compile time and memory.

    All are measured in rounds, so that whatever else the machine does hits all alike; ratios are of the best rates.
    """
    console = Console(stderr=json_file == STANDARD_OUTPUT)
    check_numbers(seconds, repeats)
    check_files(json_file, picture)
    plan = make_plan(game or list(GAMES), players, only or [], PEERS if peers else ())
    results = run(plan, seconds, repeats, console)
    show(console, results)
    if json_file is not None and (results["whole"] or results["rows"]):  # nothing at all replaces no earlier numbers
        write_json(json_file, results)
    if picture is not None and results["rows"]:
        drawn = draw_chart(results["rows"], results["facts"]["machine"], picture.suffix[1:].lower())
        write_atomically(picture, drawn)
        console.print(f"drawn: {picture}")
    if not results["whole"]:
        console.print("[yellow]interrupted: these are the numbers so far[/]")
        raise typer.Exit(INTERRUPTED)


def check_numbers(seconds: float, repeats: int) -> None:
    """Complain of what cannot be measured."""
    if not 0 < seconds < float("inf"):
        raise typer.BadParameter(f"must be more than 0, not {seconds}", param_hint="--seconds")
    if repeats < 1:
        raise typer.BadParameter(f"must be 1 or more, not {repeats}", param_hint="--repeats")


def check_files(json_file: str | None, picture: Path | None) -> None:
    """Complain before the measuring, not after it, if the results could not be written."""
    option = "--json"
    try:
        check_json(json_file)
        option = "--picture"
        if picture is not None:
            checked_target(picture)
            check_chart(picture)
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {error.strerror}", param_hint=option) from error
    except (ValueError, UnavailableError) as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def make_plan(games: Sequence[str], players: Sequence[int] | None, only: Sequence[str], peers: Sequence[Trial]) -> Plan:
    """Find out what is to be measured; complain of what there is not."""
    variants: list[Variant] = []
    for name in dict.fromkeys(games):
        try:
            found = find_game(name)
            numbers = players or (found.players.start, found.default_players)
            if any(set(find_game(other).players) & set(numbers) for other in games):  # else let the game complain
                numbers = [number for number in numbers if number in found.players]
            variants += [Variant(found, number) for number in dict.fromkeys(numbers)]
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--players" if name in GAMES else "--game") from error

    def wanted(name: str) -> bool:
        return not only or any(part in name for part in only)

    trials = [trial for variant in variants for trial in trials_of(variant)] + list(peers)
    costs = [(cost, variant) for cost in COSTS for variant in variants]
    chosen_trials = tuple(trial for trial in trials if wanted(trial.name))
    chosen_costs = tuple((cost, variant) for cost, variant in costs if wanted(f"{subject_of(variant)} {cost.name}"))
    if not chosen_trials and not chosen_costs:
        names = [trial.name for trial in trials] + [cost.name for cost in COSTS]
        raise typer.BadParameter(f"nothing to measure is called so; there are {', '.join(names)}", param_hint="--only")
    return Plan(tuple(variants), chosen_trials, once_a_game(chosen_costs))


def once_a_game(costs: Sequence[tuple[Cost, Variant]]) -> tuple[tuple[Cost, Variant], ...]:
    """Leave out what was already measured with another number of players and does not depend on it."""
    kept: dict[tuple[str, str], tuple[Cost, Variant]] = {}
    for cost, variant in costs:
        of_whom = variant.game.id if cost.of_the_game else subject_of(variant)
        kept.setdefault((cost.name, of_whom), (cost, variant))
    return tuple(kept.values())


def run(plan: Plan, seconds: float, repeats: int, console: Console) -> dict[str, Any]:
    """Measure all; Ctrl-C ends it and keeps what was measured. The results as they are written to a file."""
    about = machine(trial.library for trial in plan.trials)
    if not about["jit"] or about["bounds_checked"]:
        console.print("[yellow]NUMBA_DISABLE_JIT or NUMBA_BOUNDSCHECK is set: these speeds are not the games' own[/]")
    measurements = [Measurement(trial, seconds) for trial in plan.trials]
    facts = {subject_of(variant): sizes(variant) for variant in plan.variants}
    total = len(plan.trials) * (repeats + 1) + len(plan.costs)
    columns = TextColumn("{task.description:42}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    whole = True
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task("", total=total)
            for done, name in enumerate(chain(measure(measurements, repeats), measure_costs(plan, facts))):
                progress.update(task, description=name, completed=done)
    except KeyboardInterrupt:
        whole = False
    rows = [each.row() for each in measurements if each.rates]
    return {
        "rows": rows,
        "missing": [each.missing_row() for each in measurements if not each.rates],
        "facts": {"machine": about, "subjects": facts},
        "ratios": check_targets(rows, facts),
        "whole": whole,
    }


def measure_costs(plan: Plan, facts: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Measure what is measured once, into ``facts``. Yields the name of what is about to be measured."""
    for cost, variant in plan.costs:
        yield f"{subject_of(variant)} {cost.name}"
        found = cost.measure(variant)
        for other in plan.variants:
            if other is variant or (cost.of_the_game and other.game is variant.game):
                facts[subject_of(other)] |= found
