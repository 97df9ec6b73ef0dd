"""What the speeds are measured against. To set a target, add a line to `TARGETS`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Facts = Mapping[str, Mapping[str, Any]]
"""By subject."""


@dataclass(frozen=True)
class FasterThan:
    """An api of a subject makes at least so many times the steps that another makes in the same run."""

    subject: str
    api: str
    times: float
    than: str
    """Another subject and its api."""

    def check(self, rows: Sequence[Mapping[str, Any]], facts: Facts) -> dict[str, Any]:
        """The ratio of the best rates, and whether it will do; besides, the ratio by the processor's clock."""
        ratio, cpu_ratio = self._ratio(rows, "best"), self._ratio(rows, "cpu_best")
        return {
            "subject": self.subject,
            "what": f"{self.api} / {self.than.removeprefix(self.subject + ' ')}",
            "ratio": ratio,
            "cpu_ratio": cpu_ratio,
            "unit": "×",
            "target": self.times,
            "goal": "at least",
            "met": None if ratio is None else ratio >= self.times,
        }

    def _ratio(self, rows: Sequence[Mapping[str, Any]], column: str) -> float | None:
        rates = {f"{row['subject']} {row['api']}": row[column] for row in rows}
        mine, other = rates.get(f"{self.subject} {self.api}"), rates.get(self.than)
        return None if mine is None or other is None else mine / other


@dataclass(frozen=True)
class AtLeast:
    """An api of a subject makes at least so many steps a second, on a machine like the one the target was set on."""

    subject: str
    api: str
    least: float
    unit: str

    def check(self, rows: Sequence[Mapping[str, Any]], facts: Facts) -> dict[str, Any]:
        """The best rate, also by the processor's clock, and whether it will do."""
        rates = {(row["subject"], row["api"]): row for row in rows}
        row = rates.get((self.subject, self.api))
        return {
            "subject": self.subject,
            "what": self.api,
            "ratio": None if row is None else row["best"],
            "cpu_ratio": None if row is None else row["cpu_best"],
            "unit": self.unit,
            "target": self.least,
            "goal": "at least",
            "met": None if row is None else row["best"] >= self.least,
        }


@dataclass(frozen=True)
class AtMost:
    """A fact of a subject is no greater than this."""

    subject: str
    fact: str
    most: float
    unit: str

    def check(self, rows: Sequence[Mapping[str, Any]], facts: Facts) -> dict[str, Any]:
        """The fact, and whether it will do."""
        value = facts.get(self.subject, {}).get(self.fact)
        return {
            "subject": self.subject,
            "what": self.fact,
            "ratio": value,
            "unit": self.unit,
            "target": self.most,
            "goal": "at most",
            "met": None if value is None else value <= self.most,
        }


SAME_MEMORY_MIB = 1.0
"""Growth below this is the allocator's, not a leak: one byte a step would show."""

TARGETS: tuple[FasterThan | AtLeast | AtMost, ...] = (
    FasterThan("homeworlds_v0[2]", "aec", 8, "pettingzoo/connect_four_v3 aec"),
    FasterThan("homeworlds_v0[2]", "numba-1", 10, "openspiel/chess python"),
    FasterThan("homeworlds_v0[2]", "batch-1024", 0.4, "homeworlds_v0[2] numba-1"),
    AtLeast("homeworlds_v0[2]", "search-random", 20_000, "/s"),
    AtMost("homeworlds_v0[2]", "warm_import_seconds", 2, "s"),
    AtMost("homeworlds_v0[2]", "cold_compile_seconds", 60, "s"),
    AtMost("homeworlds_v0[2]", "memory_growth_batch_mib", SAME_MEMORY_MIB, "MiB"),
    AtMost("homeworlds_v0[2]", "memory_growth_aec_mib", SAME_MEMORY_MIB, "MiB"),
    FasterThan("overpower_v0[2]", "aec", 5, "pettingzoo/texas_holdem_v4 aec"),
    FasterThan("overpower_v0[2]", "numba-1", 20, "rlcard/uno python"),
    FasterThan("overpower_v0[2]", "numba-1", 5, "openspiel/gin_rummy python"),
    AtLeast("overpower_v0[2]", "numba-1", 500_000, "/s"),
    AtMost("overpower_v0[2]", "warm_import_seconds", 2, "s"),
    AtMost("overpower_v0[2]", "cold_compile_seconds", 120, "s"),
    AtMost("overpower_v0[2]", "memory_growth_batch_mib", SAME_MEMORY_MIB, "MiB"),
    AtMost("overpower_v0[2]", "memory_growth_aec_mib", SAME_MEMORY_MIB, "MiB"),
)


def check_targets(rows: Sequence[Mapping[str, Any]], facts: Facts) -> list[dict[str, Any]]:
    """All targets of the subjects there are facts of; ``met`` is None where something was not measured."""
    return [target.check(rows, facts) for target in TARGETS if target.subject in facts]
