"""One run of a declared study: parts, fits remembered by the settings they read, rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from itertools import islice, product
from typing import Any, NamedTuple, TypeVar

import numpy as np

from manyviews.seeding import generator
from reproduction.results.best import Search
from reproduction.results.rows import Row
from reproduction.results.settings import Settings
from reproduction.results.tables import Column

#: What a declared function may ask for besides settings.
GIVEN = ("data", "files", "dataset_kind", "earlier", "run", "seeded", "views")

#: Fits that a run remembers; one that is forgotten is made again where somebody asks.
MOST_FITS = 256

#: Methods of a part of a job, and into how many shares their runs are dealt.
Share = tuple[Sequence[str], int]
Function = TypeVar("Function", bound=Callable[..., Any])
#: Values of a varied setting: themselves, the setting that has them, or a function of settings.
Values = str | Sequence[Any] | Callable[..., Sequence[Any]]
#: Run, metric, place within the table, value.
Measured = tuple[int, str, Mapping[str, Any], float]


class Declare:
    """A decorator that keeps a function somewhere and leaves it as it is."""

    def __init__(self, keep: Callable[[Callable[..., Any]], None]) -> None:
        self.keep = keep

    def __call__(self, function: Function) -> Function:
        """Keep a function."""
        self.keep(function)
        return function


class StudyError(ValueError):
    """A declaration does not hold together; the text names the place and the mend."""


class Step(NamedTuple):
    """A function and what it asks for by name."""

    call: Callable[..., Any]
    asks: tuple[str, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], handed: int = 0) -> Step:
        """Take the names from the parameters without a default, but those handed over."""
        asked = [
            p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty
        ]
        return cls(function, tuple(asked[handed:]))

    @property
    def reads(self) -> set[str]:
        """Settings it reads."""
        return set(self.asks) - set(GIVEN)

    def result(self, there: Mapping[str, Any], *handed: Any) -> Any:
        """Call it with what it asks for."""
        return self.call(*handed, **{name: there[name] for name in self.asks})


class Method(NamedTuple):
    """A method: who stands behind it, its fit, and the setting along which it is recorded.

    Where one fit answers for several methods, ``own`` is the name of this one's answer.
    """

    name: str
    role: str
    fit: Step
    along: str = ""
    own: str = ""


class Metric(NamedTuple):
    """A metric, and the columns that tell its values apart."""

    name: str
    columns: tuple[Column, ...]
    measure: Step


@dataclass(frozen=True)
class Plan:
    """A declared table, as :meth:`Protocol.table` has it."""

    name: str
    views: Step
    split: Step
    methods: tuple[Method, ...]
    metrics: tuple[Metric, ...]
    datasets: tuple[str, ...]
    runs: str | int
    vary: Mapping[str, Step]
    given: Mapping[str, Any]
    columns: Mapping[str, Column]
    reading: str
    role: str
    job: str
    pooled: bool
    files: tuple[str, ...]
    #: The varied setting that is searched and what scores a value of it, if one is.
    over: str
    best: Step | None
    #: The varied setting whose value names the reading of a row, if one does.
    named: str = ""
    timed: bool = False

    def all_columns(self) -> list[Column]:
        """Return the columns in order: what is fixed, what the metrics have, what is varied."""
        fixed = [column for name, column in self.columns.items() if name not in self.vary]
        varied = [column for name, column in self.columns.items() if name in self.vary]
        return [*fixed, *(column for metric in self.metrics for column in metric.columns), *varied]

    @cached_property
    def split_reads(self) -> set[str]:
        """Names of the settings that decide the parts of a run."""
        return self.views.reads | self.split.reads

    @property
    def asks(self) -> set[str]:
        """Names of what the functions of the table ask for."""
        steps = [
            self.views,
            self.split,
            *([self.best] if self.best else ()),
            *(m.fit for m in self.methods),
            *(m.measure for m in self.metrics),
        ]
        return {name for step in steps for name in step.asks}

    def reads(self) -> set[str]:
        """Return the names of the settings that the table reads."""
        read = self.asks - set(GIVEN)
        read |= {method.along for method in self.methods} - {""}
        read -= {*self.vary, *self.given}
        read |= {*self.columns} - {*self.vary}
        return read.union({head(self.runs)} - {""}, *(step.reads for step in self.vary.values()))

    def pieces(
        self, parts: Mapping[str, Share] | None
    ) -> Iterator[tuple[str, tuple[int, int], Plan]]:
        """Yield jobs with their share of the runs and of the table: parts, or the whole of it."""
        left = {method.name for method in self.methods}
        for name, (methods, shares) in (parts or {self.job: (tuple(left), 1)}).items():
            own = tuple(method for method in self.methods if method.name in methods)
            left -= {method.name for method in own}
            for k in range(shares) if own else ():
                piece = f"{name}_{k + 1}" if shares > 1 else name
                yield piece, (k, shares), replace(self, methods=own)
        if left:
            raise StudyError(
                f"no part of the job {self.job!r} has {min(left)!r} of table {self.name!r}; add it "
                "to a part in `study.divide`"
            )


class Work(NamedTuple):
    """Tables of a job, which of so many shares of their runs it makes, and whether it is long."""

    plans: list[Plan]
    first: int
    step: int
    long: bool


def head(name: str | int) -> str:
    """Return the setting behind a name such as ``choices.C``; a number has none."""
    return name.partition(".")[0] if isinstance(name, str) else ""


def setting_at(values: Mapping[str, Any], name: str | int) -> Any:
    """Return a setting, or one within a section (``choices.C``), or the number itself."""
    if not isinstance(name, str):
        return name
    first, *inner = name.split(".")
    return reduce(getattr, inner, values[first])


def values_of(tried: Values) -> Step:
    """Return what finds the values of a varied setting."""
    if isinstance(tried, str):
        return Step(lambda **there: setting_at(there, tried), (head(tried),))
    return Step.of(tried) if callable(tried) else Step(lambda: tried, ())


@dataclass
class Case:
    """One run on one data set; fits are remembered by the settings they read.

    ``given`` is the data set, its further files and its kind; ``lasting`` is what runs share.
    """

    given: Mapping[str, Any]
    run: int
    seeds: Seeds
    lasting: dict[Any, Any]
    splits: dict[Any, Any] = field(default_factory=dict)
    fits: dict[Any, Any] = field(default_factory=dict)
    measures: dict[Any, Any] = field(default_factory=dict)

    def rows(self, plan: Plan, settings: Mapping[str, Any], search: Search) -> Iterator[Row]:
        """Yield the rows of a table; those of a searched one go to its search instead."""
        there = {**settings, **self.given}
        if any("views" in step.asks for step in plan.vary.values()):
            there["views"] = self.prepared(plan, {**settings, **plan.given})
        # the steps of a fit come last, so that it can be forgotten when they are done
        order = sorted(plan.vary, key={method.along for method in plan.methods}.__contains__)
        for taken in product(*(plan.vary[name].result(there) for name in order)):
            shown = {**settings, **dict(zip(order, taken, strict=True))}
            reading = _written(shown[plan.named]) if plan.named else plan.reading
            at = {column.name: shown[name] for name, column in plan.columns.items()}
            values, made = {**shown, **plan.given}, list[Row]()
            for method in plan.methods:
                found = self.measured(plan, method, values)
                for run, metric, place, value in self.pooled(found) if plan.pooled else found:
                    made.append(
                        Row(
                            plan.name, {**at, **place}, method.name, metric, value,
                            reading=reading, run=run, role=plan.role or method.role,
                        )
                    )  # fmt: skip
            if plan.best is None:
                yield from made
            else:
                search.add(at, values[plan.over], self.scores(plan, plan.best, values), made)

    def pooled(self, found: Iterable[Measured]) -> Iterator[Measured]:
        """Yield the means over the parts of the run."""
        groups: dict[Any, list[float]] = {}
        for _, metric, place, value in found:
            groups.setdefault((metric, *place.items()), []).append(value)
        for (metric, *place), values in groups.items():
            yield self.run, metric, dict(place), float(np.mean(values))

    def measured(self, plan: Plan, method: Method, values: Mapping[str, Any]) -> Iterator[Measured]:
        """Yield what is measured on every part that the run is split into."""
        reads = plan.split_reads | method.fit.reads
        for number, part, step, answer in self.answers(plan, method, values):
            own = answer[method.own] if method.own else answer
            for metric in plan.metrics:
                what = (plan.split, method.fit, method.own, number, step, metric.measure)
                make = partial(self.measure, metric, values, number, part, own)
                asked = reads | metric.measure.reads
                for place, value in _remembered(self.measures, what, asked, values, make):
                    yield number, metric.name, place, value

    def answers(
        self, plan: Plan, method: Method, values: Mapping[str, Any]
    ) -> Iterator[tuple[int, Any, int, Any]]:
        """Yield number, part, step and answer of every part of the run."""
        split, reads = plan.split, plan.split_reads
        make = partial(self.parts, plan, values)
        parts = _remembered(self.splits, split, reads, values, make)
        for number, part in enumerate(parts, start=self.run * len(parts)):
            start = partial(self.fitted, method, values, number, part)
            what = (split, method.fit, number)
            recording = _remembered(self.fits, what, reads | method.fit.reads, values, start)
            if len(self.fits) > MOST_FITS:
                del self.fits[next(iter(self.fits))]
            yield number, part, *recording.after(values[method.along] if method.along else 1)

    def scores(self, plan: Plan, best: Step, values: Mapping[str, Any]) -> Iterator[float]:
        """Yield the score of every part, by which a search chooses."""
        for number, part, _, answer in self.answers(plan, plan.methods[0], values):
            yield float(best.result(self.there(values, number), part, answer))

    def parts(self, plan: Plan, values: Mapping[str, Any]) -> list[Any]:
        """Return the parts of the run."""
        there = self.there(values, self.run, "split")
        found = plan.split.result({**there, "views": self.prepared(plan, values)})
        return list(found) if inspect.isgeneratorfunction(plan.split.call) else [found]

    def prepared(self, plan: Plan, values: Mapping[str, Any]) -> Any:
        """Return the data set as the paper's ``views`` prepare it, once for all runs."""
        views = plan.views
        make = partial(views.result, self.there(values, 0, "views"))
        return _remembered(self.lasting, views, views.reads, values, make)

    def fitted(
        self, method: Method, values: Mapping[str, Any], number: int, part: Any
    ) -> Recording:
        """Start a fit; most fits have one step."""
        found = method.fit.result(self.there(values, number), part)
        return Recording(iter(found) if method.along else iter([found]))

    def measure(
        self, metric: Metric, values: Mapping[str, Any], number: int, part: Any, answer: Any
    ) -> list[tuple[Mapping[str, Any], float]]:
        """Return places and values of a metric."""
        found = metric.measure.result(self.there(values, number), part, answer)
        places = found if metric.columns else [({}, found)]
        return [(place, float(value)) for place, value in places]

    def there(self, values: Mapping[str, Any], run: int, what: str = "fit") -> dict[str, Any]:
        """Return everything that a function may ask for."""
        return {**values, **self.given, "run": run, "seeded": self.seeds.of((what, run))}


class Recording:
    """Answers of a fit after each of its steps, taken as far as somebody asks."""

    def __init__(self, coming: Iterator[Any]) -> None:
        self.coming, self.answers = coming, list[Any]()

    def after(self, step: int) -> tuple[int, Any]:
        """Return a step and the answer after it; the last one where the fit ended before."""
        self.answers += islice(self.coming, max(step - len(self.answers), 0))
        if not self.answers:
            raise StudyError("a recorded method yielded no answer; yield one after every step")
        last = min(step, len(self.answers))
        return last, self.answers[last - 1]


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


def _remembered(
    memory: dict[Any, Any], what: object, reads: set[str], values: Mapping[str, Any],
    make: Callable[[], Any],
) -> Any:  # fmt: skip
    """Return what was made before with the same values, or make it."""
    key = (what, *((name, _same(values[name])) for name in sorted(reads)))
    if key not in memory:
        memory[key] = make()
    return memory[key]


def _same(value: Any) -> object:
    """Return what equal values share; a section of settings is one object for the whole job."""
    return id(value) if isinstance(value, Settings) else repr(value)
