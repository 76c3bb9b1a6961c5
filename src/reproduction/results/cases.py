"""One run of a declared study: parts, fits remembered by the settings they read, rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice, product
from typing import Any, NamedTuple

from manyviews.seeding import generator
from reproduction.results.rows import Row
from reproduction.results.tables import Column

#: What a declared function may ask for besides settings.
GIVEN = ("data", "run", "seeded")

#: Metric, place within the table, value.
Measured = list[tuple[str, Mapping[str, Any], float]]


class StudyError(ValueError):
    """A declaration does not hold together; the text names the place and the mend."""


class Step(NamedTuple):
    """A function and what it asks for by name."""

    call: Callable[..., Any]
    asks: tuple[str, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], handed: int = 0) -> Step:
        """Take the names from the parameters behind those that are handed over."""
        return cls(function, tuple(inspect.signature(function).parameters)[handed:])

    @property
    def reads(self) -> set[str]:
        """Settings it reads."""
        return set(self.asks) - set(GIVEN)

    def result(self, there: Mapping[str, Any], *handed: Any) -> Any:
        """Call it with what it asks for."""
        return self.call(*handed, **{name: there[name] for name in self.asks})


class Method(NamedTuple):
    """A method: who stands behind it, its fit, and the setting along which it is recorded."""

    name: str
    role: str
    fit: Step
    along: str = ""


class Metric(NamedTuple):
    """A metric, and the columns that tell its values apart."""

    name: str
    columns: tuple[Column, ...]
    measure: Step


@dataclass(frozen=True)
class Plan:
    """A declared table, as :meth:`Study.table` has it."""

    name: str
    methods: tuple[Method, ...]
    runs: str
    vary: Mapping[str, Step]
    columns: Mapping[str, Column]
    reading: str
    role: str
    job: str
    #: The varied setting whose value names the reading of a row, if one does.
    named: str = ""


@dataclass
class Case:
    """One run on one data set; fits are remembered by the settings they read."""

    split: Step
    metrics: Sequence[Metric]
    data: Any
    run: int
    seeds: Seeds
    memory: dict[Any, Any] = field(default_factory=dict)

    def rows(self, plan: Plan, settings: Mapping[str, Any]) -> Iterator[Row]:
        """Yield the rows of a table."""
        for taken in product(*(values.result(settings) for values in plan.vary.values())):
            values = {**settings, **dict(zip(plan.vary, taken, strict=True))}
            reading = _written(values[plan.named]) if plan.named else plan.reading
            at = {column.name: values[name] for name, column in plan.columns.items()}
            for method in plan.methods:
                for number, measured in self.measured(method, values):
                    for metric, place, value in measured:
                        yield Row(
                            plan.name, {**place, **at}, method.name, metric, value,
                            reading=reading, run=number, role=plan.role or method.role,
                        )  # fmt: skip

    def measured(self, method: Method, values: Mapping[str, Any]) -> Iterator[tuple[int, Measured]]:
        """Yield number and measures of every part that the run is split into."""
        split, measures = self.split.reads, (metric.measure.reads for metric in self.metrics)
        parts = self.remembered("split", split, values, partial(self.parts, values))
        reads = split.union(method.fit.reads, *measures)
        for number, part in enumerate(parts, start=self.run * len(parts)):
            fit = partial(self.fitted, method, values, number, part)
            steps = self.remembered((method, number), reads, values, fit)
            yield number, steps.after(values[method.along] if method.along else 1)

    def remembered(
        self, what: object, reads: set[str], values: Mapping[str, Any], make: Callable[[], Any]
    ) -> Any:
        """Return what was made before with the same values, or make it."""
        key = (what, *((name, repr(values[name])) for name in sorted(reads)))
        if key not in self.memory:
            self.memory[key] = make()
        return self.memory[key]

    def parts(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the parts of the run."""
        found = self.split.result(self.there(values, self.run, "split"))
        return list(found) if inspect.isgeneratorfunction(self.split.call) else [found]

    def fitted(
        self, method: Method, values: Mapping[str, Any], number: int, part: Any
    ) -> Recording:
        """Fit a method; most fits have one step."""

        def measure(answer: Any) -> Measured:
            rows: Measured = []
            for metric in self.metrics:
                found = metric.measure.result(self.there(values, number), part, answer)
                places = found if metric.columns else [({}, found)]
                rows += [(metric.name, place, float(value)) for place, value in places]
            return rows

        found = method.fit.result(self.there(values, number), part)
        return Recording(iter(found) if method.along else iter([found]), measure)

    def there(self, values: Mapping[str, Any], run: int, what: str = "fit") -> dict[str, Any]:
        """Return everything that a function may ask for."""
        return {**values, "data": self.data, "run": run, "seeded": self.seeds.of((what, run))}


class Recording:
    """Answers of a fit after each of its steps, taken and measured as far as somebody asks."""

    def __init__(self, coming: Iterator[Any], measure: Callable[[Any], Measured]) -> None:
        self.coming, self.answers = coming, list[Any]()
        self.measure = cache(lambda step: measure(self.answers[step - 1]))

    def after(self, step: int) -> Measured:
        """Return the measures after a step; those at the end where the fit ended before."""
        self.answers += islice(self.coming, max(step - len(self.answers), 0))
        if not self.answers:
            raise StudyError("a recorded method yielded no answer; yield one after every step")
        return self.measure(min(step, len(self.answers)))


class Seeds:
    """Generators keyed by names; that two runs share one, or a call takes one twice, is refused."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.owners: dict[tuple[str | int, ...], object] = {}

    def of(self, owner: object) -> Callable[..., Any]:
        """Return what one call of a declared function gets as ``seeded``."""
        taken: set[tuple[str | int, ...]] = set()

        def seeded(*names: str | int) -> Any:
            if names in taken or self.owners.setdefault(names, owner) != owner:
                raise StudyError(
                    f"{'/'.join(self.names)}: the seed {names} is asked for twice; put the run "
                    "among its names, and the view or the fold where there are several"
                )
            taken.add(names)
            return generator(*self.names, *names)

        return seeded


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)
