"""What a benchmark says of itself and how it shows: facts of the machine, and tables."""

import importlib.metadata
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from overworlds.benchmarks.stopwatch import OURS

BUSY = 0.5
"""A load average a core, before the measuring, that makes rates doubtful."""
OUR_LIBRARIES = (OURS, "numba", "numpy", "gymnasium", "pettingzoo")


def machine(libraries: Iterable[str]) -> dict[str, Any]:
    """Where and with what the measuring is done."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cores": os.cpu_count() or 1,
        "load_average": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "jit": not numba.config.DISABLE_JIT,
        "bounds_checked": bool(numba.config.BOUNDSCHECK),
        "versions": {library: version(library) for library in dict.fromkeys([*OUR_LIBRARIES, *libraries])},
    }


def cpu_model() -> str:
    """The processor's name, as far as the system tells."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def version(library: str) -> str | None:
    """The installed version of a package; None if there is none."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


def show(console: Console, results: Mapping[str, Any]) -> None:
    """All tables."""
    about = results["facts"]["machine"]
    versions = ", ".join(f"{library} {number}" for library, number in about["versions"].items() if number)
    console.print(f"{about['cpu']}, {about['cores']} cores; Python {about['python']}, {versions}", style="dim")
    if (about["load_average"] or 0) > BUSY * about["cores"]:
        console.print("[yellow]The machine was busy with other things: trust ratios and rates per CPU second.[/]")
    if results["rows"]:
        console.print(speed_table(results["rows"]))
    console.print(facts_table(results["facts"]["subjects"]))
    for subject in dict.fromkeys(ratio["subject"] for ratio in results["ratios"] if ratio["met"] is not None):
        console.print(target_table(subject, [ratio for ratio in results["ratios"] if ratio["subject"] == subject]))
    for each in results["missing"]:
        console.print(f"[yellow]not measured:[/] {escape(each['subject'])} {each['api']}: {escape(each['why'])}")


def speed_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Steps a second."""
    table = Table(
        box=SIMPLE_HEAD, title="Random play, steps per second (gym: the learner's steps; search: simulations)"
    )
    table.add_column("subject and api", no_wrap=True)
    for heading in ("best", "median", "per CPU s"):
        table.add_column(heading, justify="right", no_wrap=True)
    before = group(rows[0])
    for row in rows:
        if group(row) != before:
            table.add_section()
        before = group(row)
        style = "bold" if row["library"] == OURS else ""
        rates = (f"{row[column]:,.0f}" for column in ("best", "median", "cpu_best"))
        table.add_row(f"{escape(row['subject'])} {row['api']}", *rates, style=style)
    return table


def group(row: Mapping[str, Any]) -> str:
    """Rows that belong together: those of one of our subjects, or of another library."""
    return str(row["subject"] if row["library"] == OURS else row["library"])


def facts_table(subjects: Mapping[str, Mapping[str, Any]]) -> Table:
    """Sizes, compiling, importing, memory: a column a subject."""
    table = Table(box=SIMPLE_HEAD, title="Size and cost")
    table.add_column("")
    for subject in subjects:
        table.add_column(escape(subject), justify="right")
    for fact in dict.fromkeys(fact for facts in subjects.values() for fact in facts):
        table.add_row(fact.replace("_", " "), *(number(facts.get(fact)) for facts in subjects.values()))
    return table


def target_table(subject: str, ratios: Sequence[Mapping[str, Any]]) -> Table:
    """What a subject was to reach, and what it did."""
    table = Table(box=SIMPLE_HEAD, title=f"Targets of {escape(subject)}")
    table.add_column("")
    for heading in ("measured", "by CPU s", "target"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("met", no_wrap=True)
    for ratio in ratios:
        met = {True: "[green]yes[/]", False: "[red]no[/]", None: "[yellow]?[/]"}[ratio["met"]]
        sign = {"at least": "≥", "at most": "≤"}[ratio["goal"]]
        table.add_row(
            escape(ratio["what"]),
            "not measured" if ratio["ratio"] is None else f"{number(ratio['ratio'])} {ratio['unit']}",
            f"{number(ratio['cpu_ratio'])} {ratio['unit']}" if ratio.get("cpu_ratio") else "",
            f"{sign} {number(ratio['target'])} {ratio['unit']}",
            met,
        )
    return table


def number(value: float | int | None) -> str:
    """For people."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
