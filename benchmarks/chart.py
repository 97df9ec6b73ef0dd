"""A benchmark as a picture."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from overworlds.benchmarks.peers import bring
from overworlds.benchmarks.report import group
from overworlds.benchmarks.stopwatch import OURS

FORMATS = (".png", ".svg", ".pdf")
OUR_COLOUR, PEER_COLOUR, TEXT_COLOUR = "#2a6f97", "#b8b8b8", "#333333"
BAR_INCHES = 0.26


def check_chart(path: Path) -> None:
    """Complain before the measuring, not after it, if there cannot be a chart."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"a chart's name ends in {', '.join(FORMATS)}, not {path.suffix or 'nothing'!r}")
    bring("matplotlib")


def draw_chart(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any], format: str) -> bytes:
    """Horizontal bars over a logarithmic scale, ours above and peers below, as a file of this format."""
    bring("matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    places = bar_places(rows)
    figure = Figure(figsize=(9, 1.3 + BAR_INCHES * (max(places) + 2)), layout="constrained")
    axes = figure.add_subplot()
    best = [row["best"] for row in rows]
    ours = [row["library"] == OURS for row in rows]
    axes.barh(places, best, color=[OUR_COLOUR if own else PEER_COLOUR for own in ours], height=0.8)
    for place, row in zip(places, rows, strict=True):
        axes.text(row["best"] * 1.06, place, short(row["best"]), va="center", fontsize=8, color=TEXT_COLOUR)
    axes.set_yticks(places, [f"{row['subject']}  {row['api']}" for row in rows], fontsize=8)
    for label, own in zip(axes.get_yticklabels(), ours, strict=True):
        label.set_color(OUR_COLOUR if own else TEXT_COLOUR)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda rate, _: short(rate))
    axes.set_xlim(10 ** (len(str(int(min(best)))) - 1) / 2, max(best) * 4)
    axes.set_ylim(max(places) + 0.7, -0.7)
    axes.grid(axis="x", which="major", color="#dddddd")
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_title("Random play, steps per second (best of the run; longer is faster)", fontsize=11, loc="left")
    axes.set_xlabel(
        f"{about['cpu']}, {about['cores']} cores, Python {about['python']}, {about['date'][:10]}", fontsize=8
    )
    figure.legend(
        handles=[Patch(color=OUR_COLOUR, label="Overworlds"), Patch(color=PEER_COLOUR, label="other libraries")],
        loc="outside upper right",
        fontsize=8,
        frameon=False,
        ncols=2,
    )
    file = io.BytesIO()
    figure.savefig(file, format=format, dpi=130)
    return file.getvalue()


def bar_places(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    """Where the bars go: one below the other, with a gap where another group begins."""
    places: list[float] = []
    at, before = 0.0, group(rows[0])
    for row in rows:
        if group(row) != before:
            at += 0.6
        before = group(row)
        places.append(at)
        at += 1
    return places


def short(rate: float) -> str:
    """A number with three digits and k or M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"
