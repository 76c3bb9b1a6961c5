"""Figures that others published on the same data since the papers, with their protocol."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from reproduction.compare.plan import PlanError
from reproduction.files import read_yaml

SINCE = Path(__file__).with_name("since.yaml")


class Figure(BaseModel):
    """One published figure: on what, by what, how it was measured, and where it stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: str = Field(min_length=1)
    method: str = Field(min_length=1)
    value: float
    measure: str = Field(min_length=1)
    protocol: str = Field(min_length=1)
    source: str = Field(min_length=1)


def published_since(path: Path = SINCE) -> list[Figure]:
    """Read the figures."""
    content: Any = read_yaml(path)
    try:
        return TypeAdapter(list[Figure]).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise PlanError(f"{path}: {place} {first['msg']}") from None
