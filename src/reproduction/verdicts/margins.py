"""Units of measurement and their margins, declared before the run in ``margins.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from reproduction.files import read_yaml

#: How far apart two means may be and still be the same.
MARGINS = Path(__file__).with_name("margins.yaml")

_SCALES = ("linear", "log10")


@dataclass(frozen=True)
class Unit:
    """One unit of measurement: its scale, and the margin within which two means are the same."""

    name: str
    margin: float
    scale: str = "linear"
    floor: float = 0.0

    def place(self, mean: np.ndarray) -> np.ndarray:
        """Return means on the unit's scale."""
        return np.log10(np.maximum(mean, self.floor)) if self.scale == "log10" else mean

    def spread(self, mean: np.ndarray, std: np.ndarray) -> np.ndarray:
        """Return deviations on the unit's scale: carried over by its slope at the mean."""
        if self.scale == "log10":
            return std / (np.maximum(mean, self.floor) * np.log(10.0))
        return std

    def back(self, place: np.ndarray) -> np.ndarray:
        """Return what stands at a place of the unit's scale."""
        return 10.0**place if self.scale == "log10" else place


@dataclass(frozen=True)
class Margins:
    """Units by metric pattern, and which metrics are scores; see :func:`load_margins`."""

    units: Mapping[str, Unit]
    scores: tuple[str, ...] = ()

    def unit(self, metric: str) -> Unit:
        """Unit of a metric; an error that says where to declare it when there is none."""
        for pattern, unit in self.units.items():
            if fnmatchcase(metric, pattern):
                return unit
        raise ValueError(
            f"metric {metric!r} has no margin; declare it in verdicts/margins.yaml "
            f"(declared: {', '.join(sorted(self.units))})"
        )

    def is_score(self, metric: str) -> bool:
        """Whether a metric says how well a method does, so that a control must bound it."""
        return any(fnmatchcase(metric, pattern) for pattern in self.scores)


def load_margins(path: Path | str = MARGINS) -> Margins:
    """Read ``margins.yaml``; a metric declared twice is an error."""
    source = Path(path)
    content = read_yaml(source)
    units: dict[str, Unit] = {}
    for name, entry in content["units"].items():
        unknown = sorted(set(entry) - {"description", "margin", "scale", "floor", "metrics"})
        if unknown or "margin" not in entry:
            what = f"has the unknown field {unknown[0]!r}" if unknown else "lacks its margin"
            raise ValueError(f"{source}: unit {name!r} {what}; mend the file")
        unit = Unit(
            name=name,
            margin=float(entry["margin"]),
            scale=str(entry.get("scale", "linear")),
            floor=float(entry.get("floor", 0.0)),
        )
        if unit.margin <= 0 or unit.scale not in _SCALES:
            raise ValueError(f"{source}: unit {name!r} needs a positive margin and a known scale")
        if unit.scale == "log10" and unit.floor <= 0:
            raise ValueError(f"{source}: unit {name!r} on a log10 scale needs a positive floor")
        for metric in entry["metrics"]:
            if metric in units:
                raise ValueError(f"{source}: metric {metric!r} is declared twice")
            units[metric] = unit
    return Margins(units, tuple(content.get("scores", ())))
