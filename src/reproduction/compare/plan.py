"""What is compared then and now: each paper's ``now.yaml``, and every real data set beside."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from reproduction.data.entry import Dataset
from reproduction.data.provenance import PROVENANCE_FILE, is_surrogate
from reproduction.files import read_yaml
from reproduction.rooms import paper_keys, room

#: What every data set is compared in besides its papers' tasks: with few labels and with none.
TASKS = {"draws": "macro_f1_pct", "cluster": "accuracy_pct"}
#: Parts of an entry that no fit depends on.
_SHOWN = ("where", "rerun", "jobs", "reading", "note")


class PlanError(ValueError):
    """A ``now.yaml`` is wrong; the text names the file and the place."""


class Entry(BaseModel):
    """One comparison: a data set in the task of its paper.

    To ``retrieve``, the first view asks and the second is searched; ``positive`` is the class that
    F1 is of. ``where`` singles out the published cells of the ledger, whose column ``rerun`` has
    ours. Where print is silent, as on a stand-in, ``jobs`` and ``reading`` say what of our rerun
    counts, and ``where`` singles out rows of its tables. ``note`` says how the task differs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str = ""
    dataset: str = Field(min_length=1)
    variant: str = ""
    views: tuple[str, ...] = ()
    task: Literal["draws", "folds", "cluster", "retrieve"] = "draws"
    share: float = Field(default=0.1, gt=0, lt=1)
    metric: Literal[
        "accuracy_pct", "macro_f1_pct", "f1_pct", "error_pct", "nmi_pct", "map_at_10"
    ] = "macro_f1_pct"
    positive: str = ""
    where: Mapping[str, str] = {}
    rerun: str = "ours"
    jobs: tuple[str, ...] = ()
    reading: str = "inferred"
    note: str = ""

    @model_validator(mode="after")
    def _names_the_class_of_f1(self) -> Self:
        if self.metric == "f1_pct" and not self.positive:
            raise ValueError("f1_pct needs `positive`, the class that it is of")
        return self

    @property
    def view_key(self) -> str:
        """The view file."""
        return self.dataset + (f".{self.variant}" if self.variant else "")

    @property
    def name(self) -> str:
        """A name for files and tables."""
        return f"{self.paper or self.task}.{self.view_key}"

    def asked(self) -> dict[str, Any]:
        """Return what today's methods are asked; the rest is for the page alone."""
        return self.model_dump(mode="json", exclude=set(_SHOWN))


def entries_of(paper: str) -> list[Entry]:
    """Return what a paper's ``now.yaml`` asks for; nothing if it has none."""
    path = room(paper) / "now.yaml"
    content: Any = read_yaml(path) if path.is_file() else []
    try:
        given = [{"paper": paper, **record} for record in content]
        return TypeAdapter(list[Entry]).validate_python(given)
    except (ValidationError, TypeError) as error:
        raise PlanError(f"{path} must be a list of comparisons: {error}") from None


def has_real_data(dataset: Dataset, raw_dir: Path) -> bool:
    """Tell whether a data set is real: anyone can get it, or someone put the files there."""
    folder = raw_dir / dataset.key
    brought = (folder / PROVENANCE_FILE).is_file() and not is_surrogate(folder)
    return dataset.is_public or bool(dataset.own_files) or brought


def plan(datasets: Iterable[str]) -> list[Entry]:
    """Return all comparisons on real data sets: those of the papers' tasks, then all others."""
    real = set(datasets)
    found = [entry for paper in paper_keys() for entry in entries_of(paper)]
    named = {(entry.dataset, entry.task) for entry in found}
    beside = [
        Entry.model_validate({"dataset": key, "task": task, "metric": metric})
        for key in sorted(real)
        for task, metric in TASKS.items()
        if (key, task) not in named
    ]
    return [entry for entry in found if entry.dataset in real] + beside
