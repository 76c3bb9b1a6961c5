"""Units of measurement and their margins, declared before the run in ``margins.yaml``."""

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from reproduction.files import read_yaml

#: How far apart two means may be and still be the same.
MARGINS = Path(__file__).with_name("margins.yaml")


class Unit(BaseModel):
    """One unit of measurement: its scale, and the margin within which two means are the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str = ""
    margin: float = Field(gt=0)
    scale: Literal["linear", "log10"] = "linear"
    floor: float = Field(default=-np.inf, description="A logarithm needs one above 0.")
    metrics: tuple[str, ...] = Field(description="Patterns; a star stands for any text.")

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


class Margins(BaseModel):
    """All units, and patterns of the metrics that are scores; see :func:`load_margins`."""

    model_config = ConfigDict(frozen=True, title="margins.yaml")

    units: dict[str, Unit]
    scores: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _names_each_metric_once(self) -> "Margins":
        known = [metric for unit in self.units.values() for metric in unit.metrics]
        twice = [metric for metric in known if known.count(metric) > 1]
        if twice:
            raise ValueError(f"metric {twice[0]!r} is declared twice")
        flat = [u.name for u in self.units.values() if u.scale == "log10" and u.floor <= 0]
        if flat:
            raise ValueError(f"unit {flat[0]!r} on a log10 scale needs a positive floor")
        return self

    def unit(self, metric: str) -> Unit:
        """Unit of a metric; an error that says where to declare it when there is none."""
        for unit in self.units.values():
            if any(fnmatchcase(metric, pattern) for pattern in unit.metrics):
                return unit
        raise ValueError(
            f"metric {metric!r} has no margin; declare it in verdicts/margins.yaml "
            f"(units: {', '.join(self.units)})"
        )

    def is_score(self, metric: str) -> bool:
        """Whether a metric says how well a method does, so that a control must bound it."""
        return any(fnmatchcase(metric, pattern) for pattern in self.scores)


@cache  # every comparison asks for it
def load_margins(path: Path = MARGINS) -> Margins:
    """Read ``margins.yaml``."""
    content = read_yaml(path)
    named = {name: {"name": name, **entry} for name, entry in content["units"].items()}
    return Margins.model_validate({**content, "units": named})
