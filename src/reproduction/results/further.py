"""How the runs of a job go on, and how far.

The rule is that of ``docs/decisions/0020-further-runs-near-an-edge.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

#: Ending of the place of a job that makes further runs of another.
FURTHER = ".further"


@dataclass(frozen=True)
class Limits:
    """How far runs may go on.

    Attributes
    ----------
    most
        Times the declared runs; 1 makes no further ones.
    budget
        Core seconds for the further runs of a job.
    """

    most: int
    budget: float


@dataclass(frozen=True)
class Further:
    """How the runs of a job go on.

    Attributes
    ----------
    cost
        Core seconds of one further run, measured once: results must not depend on a clock.
    entry
        ``"module:function"`` that makes the runs of ``context.runs`` and nothing else (default: the
        job's own, if all its rows belong to such runs).
    counted_by
        The paper's setting that says how many first runs there are.
    fixed
        Method, or pattern of methods, -> why it has no further runs.
    """

    cost: float
    entry: str = ""
    counted_by: str = "runs"
    fixed: Mapping[str, str] = field(default_factory=dict)

    def why_fixed(self, method: str) -> str:
        """Return why a method has no further runs; empty where it has."""
        found = (why for pattern, why in self.fixed.items() if fnmatchcase(method, pattern))
        return next(found, "")

    def most(self, declared: int, limits: Limits) -> int:
        """Return the number of runs at most: ``declared``, doubled within the limits."""
        most = declared
        while (
            2 * most <= limits.most * declared
            and (2 * most - declared) * self.cost <= limits.budget
        ):
            most *= 2
        return most
