"""What the paper's experiments read from the configuration."""

from typing import Annotated

from pydantic import Field

from reproduction.results.settings import Settings, section, setting

Share = Annotated[float, Field(gt=0, lt=100)]


class TrajectoryRuns(Settings):
    """Partitions per share on which scores are recorded iteration by iteration."""

    webkb: int = setting(
        40, "Partitions of WebKB, whose scores differ most between draws.", quick=2, ge=1, le=1000
    )
    others: int = setting(20, "Partitions of every other data set.", quick=2, ge=1, le=1000)

    def of(self, dataset: str) -> int:
        """Return the number for one data set."""
        return self.webkb if dataset == "webkb" else self.others


class Partitions(Settings):
    """Random partitions per training share in Table 2, by how much scores differ between them."""

    webkb: int = setting(
        240, "Partitions of WebKB, whose scores differ most.", quick=2, ge=2, le=1000
    )
    cora: int = setting(80, "Partitions of Cora.", quick=2, ge=2, le=1000)
    citeseer: int = setting(80, "Partitions of CiteSeer.", quick=2, ge=2, le=1000)
    leaves: int = setting(40, "Partitions of the leaves.", quick=2, ge=2, le=1000)
    pubmed: int = setting(40, "Partitions of PubMed.", quick=2, ge=2, le=1000)
    others: int = setting(
        10,
        "Partitions of every other data set: parts of the paper's, surrogates and stand-ins.",
        quick=2,
        ge=2,
        le=1000,
    )

    def of(self, dataset: str) -> int:
        """Return the number for one data set."""
        return int(getattr(self, dataset, self.others))


class PaperSettings(Settings):
    """Settings of the paper on label sets in several views."""

    partitions: Partitions = section(
        Partitions, "Random partitions per training share in Table 2 (the paper has 10)."
    )
    train: list[Share] = setting(
        [10, 30],
        "Training shares of Table 2 in per cent (the paper has 10 and 30).",
        min_length=2,
        max_length=20,
    )
    tree_train: list[Share] = setting(
        [5, 10, 15, 20, 25, 30],
        "Training shares of Table 4 in per cent (the paper has 5 to 30 in steps of 5).",
        quick=[10, 30],
        min_length=2,
        max_length=20,
    )
    stand_in_runs: int = setting(
        3,
        "Partitions per share on the real trees that stand in for NELL_mv.",
        quick=1,
        ge=1,
        le=1000,
    )
    surrogate_runs: int = setting(
        3,
        "Partitions per share of Table 4 on NELL_mv, which is a surrogate: its figures never "
        "count.",
        quick=2,
        ge=2,
        le=1000,
    )
    constraint_runs: int = setting(
        1,
        "Partitions on which the other readings of the ontology's constraints run, at the shares "
        "of Table 2.",
        ge=1,
        le=1000,
    )
    tree_rows_per_leaf: int = setting(
        200,
        "Documents kept of every leaf of the real trees, drawn once.",
        quick=12,
        ge=10,
        le=100_000,
    )
    cora_tree_runs: int = setting(
        10, "Partitions per share on Cora's topic tree.", quick=1, ge=1, le=1000
    )
    cora_tree_rows_per_leaf: int = setting(
        100,
        "Papers kept of every leaf of Cora's topic tree, drawn once.",
        quick=12,
        ge=10,
        le=100_000,
    )
    choice_runs: int = setting(
        3,
        "Partitions per share for every choice the paper leaves open.",
        quick=1,
        ge=1,
        le=1000,
    )
    mip_points: int = setting(
        25,
        "E-step problems per data set and programme that cvxpy solves as a check.",
        quick=3,
        ge=1,
        le=10_000,
    )
    trajectory_runs: TrajectoryRuns = section(
        TrajectoryRuns, "Partitions whose scores are recorded after every iteration."
    )
    short_run: int = setting(
        8,
        "Iterations of the reading 'short run', found after seeing print (the paper runs EM until "
        "nothing changes).",
        quick=2,
        ge=1,
        le=10_000,
    )
    max_iter: int = setting(50, "Cap on the EM iterations.", quick=3, ge=1, le=10_000)

    def tree_size(self, dataset: str) -> tuple[int, int | None]:
        """Return the partitions of a tree in Table 4 and the rows per leaf (None: all)."""
        if dataset == "nell_mv":
            return self.surrogate_runs, None
        if dataset == "cora_tree":
            return self.cora_tree_runs, self.cora_tree_rows_per_leaf
        return self.stand_in_runs, self.tree_rows_per_leaf
