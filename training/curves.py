"""Learning curves as a picture."""

from io import BytesIO
from pathlib import Path
from typing import Any

from overworlds.training.display import rivals


def save_curves(measurements: list[dict[str, Any]], title: str, path: Path) -> None:
    """Draw strength over time, with intervals and the shares that equals would get, as a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from overworlds.envs.core.replay import write_atomically

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name in rivals(measurements):
        entries = [entry for entry in measurements if name in entry]
        minutes = [entry["seconds"] / 60 for entry in entries]
        (line,) = axes.plot(minutes, [entry[name]["score"] for entry in entries], marker="o", ms=3, label=name)
        low, high = ([entry[name][end] for entry in entries] for end in ("low", "high"))
        axes.fill_between(minutes, low, high, color=line.get_color(), alpha=0.15)
    watched = [entry["seconds"] / 60 for entry in measurements if entry["steps"] == 0]
    if watched and len(watched) < len(measurements):
        axes.axvspan(0, watched[-1], color="grey", alpha=0.1, label="learning by watching")
    last = measurements[-1]
    for share in {round(last[name]["share"], 2) for name in rivals([last])}:
        axes.axhline(share, color="grey", lw=0.8, ls=":")
    axes.set(xlabel="minutes", ylabel="score", ylim=(0, 1), title=title)
    axes.legend(loc="best")
    picture = BytesIO()
    FigureCanvasAgg(figure).print_png(picture)
    write_atomically(path, picture.getvalue())
