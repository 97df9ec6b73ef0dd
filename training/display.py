"""What a training run shows while it goes on: a live panel in a terminal, a line now and then elsewhere."""

import time
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from overworlds.training.selfplay import Progress

SECONDS_BETWEEN_LINES = 15.0
COUNTS = ("seconds", "steps", "imitated")
"""What a measurement has beside the opponents."""
BLOCKS = "▁▂▃▄▅▆▇█"
CURVE_WIDTH = 32


def rivals(measurements: list[dict[str, Any]]) -> list[str]:
    """Whom strength was measured against."""
    return list(dict.fromkeys(name for entry in measurements for name in entry if name not in COUNTS))


def curve(scores: list[float]) -> str:
    """Scores from 0 to 1 as a row of blocks."""
    if len(scores) > CURVE_WIDTH:
        scores = [scores[i * len(scores) // CURVE_WIDTH] for i in range(CURVE_WIDTH - 1)] + scores[-1:]
    return "".join(BLOCKS[min(len(BLOCKS) - 1, int(score * len(BLOCKS)))] for score in scores)


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Display:
    """Shows the progress of a run: ``with Display(…) as display: display.show("playing", progress)``."""

    def __init__(self, title: str, minutes: float, steps: int, console: Console | None = None) -> None:
        self.console = console or Console()
        self.title = title
        self.minutes = minutes
        self.steps = steps
        self._live: Live | None = None
        self._printed_at = -SECONDS_BETWEEN_LINES
        self._measured = 0

    def __enter__(self) -> "Display":
        if self.console.is_terminal:
            self._live = Live(console=self.console, auto_refresh=False)
            self._live.start()
        else:
            self.console.print(self.title, highlight=False)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, phase: str, progress: "Progress") -> None:
        """Show how far the run is."""
        if self._live is not None:
            self._live.update(self.panel(phase, progress), refresh=True)
            return
        news = len(progress.measurements) > self._measured
        now = time.monotonic()
        if news or now - self._printed_at >= SECONDS_BETWEEN_LINES:
            self._printed_at, self._measured = now, len(progress.measurements)
            self.console.print(self.line(phase, progress, news), highlight=False, soft_wrap=True)

    def line(self, phase: str, progress: "Progress", with_strength: bool) -> str:
        """The progress in one line."""
        parts = [clock(progress.seconds), phase, *self._facts(progress)]
        if with_strength:
            last = progress.measurements[-1]
            for name in rivals([last]):
                at = last[name]
                parts.append(f"against {name} {at['score']:.0%} ({at['low']:.0%} to {at['high']:.0%})")
        return " · ".join(parts)

    @staticmethod
    def _facts(progress: "Progress") -> list[str]:
        facts = []
        if progress.steps == 0 and progress.imitated:
            facts += [f"{progress.imitated:,} decisions watched", f"agrees in {progress.agreement:.1%}"]
        if progress.steps:
            shares = ", ".join(f"{name} {share:.0%}" for name, share in progress.shares().items())
            facts += [f"{progress.steps:,} steps", f"{progress.steps_per_second:,.0f} steps/s", shares]
        return facts

    def panel(self, phase: str, progress: "Progress") -> Panel:
        """The progress as a panel."""
        done = progress.seconds / (self.minutes * 60) if self.minutes else progress.steps / max(1, self.steps)
        facts = Table.grid(padding=(0, 2))
        left = f" of {self.minutes:g} minutes" if self.minutes else ""
        facts.add_row("time", f"{clock(progress.seconds)}{left}, {phase}")
        for fact in self._facts(progress):
            facts.add_row("", fact)
        facts.add_row("learning", ", ".join(f"{name} {value:.3f}" for name, value in progress.losses.items()))
        body: list[Any] = [ProgressBar(total=1.0, completed=min(1.0, done)), facts]
        if progress.measurements:
            body.append(strength_table(progress.measurements))
        return Panel(Group(*body), title=Text(self.title), title_align="left")


def strength_table(measurements: list[dict[str, Any]]) -> Table:
    """The last measurement against each opponent, and how it came to that; its share is what an equal would score."""
    table = Table("against", "score", "95 % interval", "share", "wins", "draws", "losses", "so far")
    for name in rivals(measurements):
        entries = [entry[name] for entry in measurements if name in entry]
        last = entries[-1]
        interval = f"{last['low']:.1%} to {last['high']:.1%}"
        counts = [str(last[each]) for each in ("wins", "draws", "losses")]
        share = f"{last['share']:.1%}"
        table.add_row(
            name, f"{last['score']:.1%}", interval, share, *counts, curve([entry["score"] for entry in entries])
        )
    return table
