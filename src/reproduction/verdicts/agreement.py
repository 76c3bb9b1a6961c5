"""Verdict of one published cell, from tolerances declared before the run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from reproduction.files import read_yaml

#: What counts as reproduced, declared before the runs.
TOLERANCES = Path(__file__).with_name("tolerances.yaml")

CELL_VERDICTS = ("reproduced", "close", "differs", "not comparable")

#: Verdict of a cell that a shortened configuration leaves out; never in a full run.
NOT_RUN = "not run"

_SLACK = 1e-9  # a difference equal to the tolerance passes, whatever its rounding error


@dataclass(frozen=True)
class Unit:
    """One unit of measurement: how far apart two values may be and still agree."""

    name: str
    tolerance: float
    published_deviations: float = 0.0
    scale: str = "linear"
    floor: float = 0.0

    def difference(self, published: float, ours: float) -> float:
        """Ours minus published, on the unit's scale."""
        if self.scale == "log10":
            low = self.floor
            return math.log10(max(ours, low)) - math.log10(max(published, low))
        return ours - published

    def allowed(self, published_std: float) -> float:
        """Tolerance, widened by the published standard deviation where the unit says so."""
        if self.published_deviations and not math.isnan(published_std):
            return max(self.tolerance, self.published_deviations * published_std)
        return self.tolerance


@dataclass(frozen=True)
class Judgement:
    """Difference on the unit's scale, the tolerance that applies, and the verdict."""

    difference: float
    tolerance: float
    verdict: str


@dataclass(frozen=True)
class Tolerances:
    """Units by metric pattern, and which metrics are scores; see :func:`load_tolerances`."""

    units: Mapping[str, Unit]
    close_factor: float
    scores: tuple[str, ...] = ()

    def unit(self, metric: str) -> Unit:
        """Unit of a metric; an error that says where to declare it when there is none."""
        for pattern, unit in self.units.items():
            if fnmatchcase(metric, pattern):
                return unit
        raise ValueError(
            f"metric {metric!r} has no tolerance; declare it in verdicts/tolerances.yaml "
            f"(declared: {', '.join(sorted(self.units))})"
        )

    def is_score(self, metric: str) -> bool:
        """Whether a metric says how well a method does, so that a control must bound it."""
        return any(fnmatchcase(metric, pattern) for pattern in self.scores)

    def judge(self, metric: str, published: float, published_std: float, ours: float) -> Judgement:
        """Compare one published figure with ours."""
        unit = self.unit(metric)
        difference = unit.difference(published, ours)
        allowed = unit.allowed(published_std)
        if not math.isfinite(difference):
            raise ValueError(f"{metric}: cannot compare {published} with {ours}")
        size = abs(difference) - _SLACK
        if size <= allowed:
            verdict = "reproduced"
        elif size <= self.close_factor * allowed:
            verdict = "close"
        else:
            verdict = "differs"
        return Judgement(difference, allowed, verdict)


def load_tolerances(path: Path | str = TOLERANCES) -> Tolerances:
    """Read ``tolerances.yaml``; a metric declared twice is an error."""
    source = Path(path)
    content = read_yaml(source)
    units: dict[str, Unit] = {}
    for name, entry in content["units"].items():
        unit = Unit(
            name=name,
            tolerance=float(entry["tolerance"]),
            published_deviations=float(entry.get("published_deviations", 0.0)),
            scale=str(entry.get("scale", "linear")),
            floor=float(entry.get("floor", 0.0)),
        )
        if unit.tolerance <= 0 or unit.scale not in ("linear", "log10"):
            raise ValueError(
                f"{source}: unit {name!r} needs a positive tolerance and a known scale"
            )
        if unit.scale == "log10" and unit.floor <= 0:
            raise ValueError(f"{source}: unit {name!r} on a log10 scale needs a positive floor")
        for metric in entry["metrics"]:
            if metric in units:
                raise ValueError(f"{source}: metric {metric!r} is declared twice")
            units[metric] = unit
    factor = float(content["close_factor"])
    if factor < 1:
        raise ValueError(f"{source}: close_factor {factor} must be at least 1")
    return Tolerances(units, factor, tuple(content.get("scores", ())))
