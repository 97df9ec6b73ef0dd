"""Measuring how many decisions a second are made, of many subjects in turn."""

import statistics
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Play = Generator[int, None, None]
"""Random games without end; every ``next`` plays on for some milliseconds and gives the number of decisions made."""


OURS = "overworlds"
"""The library that our own games come from."""


class UnavailableError(Exception):
    """A subject that cannot be measured here; the message says why, and what to do about it."""


@dataclass(frozen=True)
class Trial:
    """Something whose speed is measured."""

    subject: str
    """Such as ``homeworlds_v0[2]``, the number of players in brackets, or ``openspiel/chess``."""
    api: str
    """The way in which it is played."""
    start: Callable[[], Play]
    library: str = OURS
    """The package it comes from, as pip calls it."""
    unit: str = "steps/s"
    threads: int = 1

    @property
    def name(self) -> str:
        """Subject and api."""
        return f"{self.subject} {self.api}"


@dataclass
class Measurement:
    """What came of a trial: a rate a round, or the reason why there is none."""

    trial: Trial
    seconds: float
    rates: list[float] = field(default_factory=list)
    cpu_rates: list[float] = field(default_factory=list)
    """The same a second of the processor instead of the clock: not slowed by what else the machine does."""
    missing: str | None = None

    def row(self) -> dict[str, Any]:
        """As it is written to a file."""
        return {
            "subject": self.trial.subject,
            "api": self.trial.api,
            "best": max(self.rates),
            "median": statistics.median(self.rates),
            "unit": self.trial.unit,
            "repeats": len(self.rates),
            "seconds": self.seconds,
            "threads": self.trial.threads,
            "library": self.trial.library,
            "cpu_best": max(self.cpu_rates),
            "rates": self.rates,
        }

    def missing_row(self) -> dict[str, Any]:
        """The same where there is no rate."""
        why = self.missing or "the run was interrupted before this was measured"
        return {"subject": self.trial.subject, "api": self.trial.api, "why": why}


def rate(play: Play, seconds: float) -> tuple[float, float]:
    """Decisions a second of the clock, and a second of the processor, over at least so many seconds of the clock."""
    decisions = 0
    cpu_begin, begin = time.process_time(), time.perf_counter()
    while True:
        decisions += next(play)
        elapsed = time.perf_counter() - begin
        if elapsed >= seconds:
            cpu_elapsed = time.process_time() - cpu_begin
            return decisions / elapsed, decisions / (cpu_elapsed or elapsed)  # some clocks of processors are coarse


def measure(measurements: Sequence[Measurement], repeats: int) -> Iterator[str]:
    """Measure in rounds, one after the other in every round, so that a noisy moment hits all alike.

    The first round warms up and is not counted: compiled code is loaded, and the lanes of a batch, which all begin
    with the first decision of a game, drift apart. Yields the name of what is about to be measured.
    """
    plays: dict[str, Play] = {}
    try:
        for lap in range(repeats + 1):
            for measurement in measurements:
                if measurement.missing is None:
                    yield measurement.trial.name
                    measure_once(measurement, plays, count=lap > 0)
    finally:
        for play in plays.values():
            play.close()


def measure_once(measurement: Measurement, plays: dict[str, Play], count: bool) -> None:
    """Measure one; a peer's fault does not end the run."""
    trial = measurement.trial
    try:
        if trial.name not in plays:
            plays[trial.name] = trial.start()
        speed, cpu_speed = rate(plays[trial.name], measurement.seconds)
    except UnavailableError as error:
        measurement.missing = str(error)
    except Exception as error:
        if trial.library == OURS:
            raise
        measurement.missing = f"failed with {type(error).__name__}: {error}"
        measurement.rates.clear()
        measurement.cpu_rates.clear()
    else:
        if count:
            measurement.rates.append(speed)
            measurement.cpu_rates.append(cpu_speed)
