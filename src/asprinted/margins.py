"""Units of measurement and their margins, declared before the run in ``margins.toml``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import numpy as np

#: How far apart two means may be and still be the same.
MARGINS = Path(__file__).with_name("margins.toml")


@dataclass(frozen=True)
class Unit:
    """One unit of measurement: its scale, and the margin within which two means are the same.

    ``metrics`` are patterns, in which a star stands for any text; a logarithm needs a ``floor``.
    """

    name: str
    margin: float
    metrics: tuple[str, ...]
    description: str = ""
    scale: str = "linear"
    floor: float = -np.inf

    def __post_init__(self) -> None:
        if not self.margin > 0:
            raise ValueError(f"unit {self.name!r}: margin {self.margin} is not above 0")

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
    """All units, and patterns of the metrics that are scores."""

    units: Mapping[str, Unit]
    scores: tuple[str, ...] = ()

    def unit(self, metric: str) -> Unit:
        """Unit of a metric; an error that says where to declare it when there is none."""
        for unit in self.units.values():
            if any(fnmatchcase(metric, pattern) for pattern in unit.metrics):
                return unit
        raise ValueError(f"metric {metric!r} has no margin; declare it ({', '.join(self.units)})")

    def is_score(self, metric: str) -> bool:
        """Whether a metric says how well a method does, so that a control must bound it."""
        return any(fnmatchcase(metric, pattern) for pattern in self.scores)


@cache  # every comparison asks for it
def load_margins() -> Margins:
    """Read ``margins.toml``."""
    content = tomllib.loads(MARGINS.read_text(encoding="utf-8"))
    units = {
        name: Unit(name, **{**entry, "metrics": tuple(entry["metrics"])})
        for name, entry in content["units"].items()
    }
    return Margins(units, tuple(content["scores"]))
