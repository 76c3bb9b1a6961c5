"""A paper as a declaration: settings, split, methods, metrics, tables; jobs and rows follow.

A declared function says by its parameters what it reads. After what it is handed (a method the
part, a metric the part and the answer) every parameter names a setting, or ``data`` (the data
set), ``run`` (the number of the run) or ``seeded`` (``seeded("pool", run)`` is the generator of
these names). So it is known before a run which settings a job reads, and a fit is made once for
the settings it reads, whatever table of the job asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, get_args

from manyviews.seeding import integer_seed
from reproduction.results.cases import (
    GIVEN,
    Case,
    Method,
    Metric,
    Plan,
    Seeds,
    Step,
    StudyError,
    head,
    setting_at,
)
from reproduction.results.jobs import RIVAL, Context, Job
from reproduction.results.rows import INFERRED, Result, Row
from reproduction.results.settings import Settings
from reproduction.results.tables import Column, Table, Tables
from reproduction.rooms import module_name

#: Table and job, and reading, of scores recorded along the way.
TRAJECTORY, RECORDED = "trajectory", "recorded"

Function = TypeVar("Function", bound=Callable[..., Any])
#: Values of a varied setting: themselves, the setting that has them, or a function of settings.
Values = str | Sequence[Any] | Callable[..., Sequence[Any]]


class Declare:
    """A decorator that keeps a function somewhere and leaves it as it is."""

    def __init__(self, keep: Callable[[Callable[..., Any]], None]) -> None:
        self.keep = keep

    def __call__(self, function: Function) -> Function:
        """Keep a function."""
        self.keep(function)
        return function


@dataclass
class Protocol:
    """How rows are split, methods fitted and answers measured, and the tables made of it."""

    key: str
    datasets: tuple[str, ...]
    settings: type[Settings]
    plans: list[Plan] = field(default_factory=list)
    splits: list[Step] = field(default_factory=list)
    methods: dict[str, Method] = field(default_factory=dict)
    metrics: dict[str, Metric] = field(default_factory=dict)

    def split(self, function: Function) -> Function:
        """Declare how a run splits the rows: into one part, or several where it yields."""
        return Declare(lambda made: self.splits.append(Step.of(made)))(function)

    def method(self, name: str, role: str = "published", along: str = "") -> Declare:
        """Declare a method: part in, answer out.

        Recorded ``along`` a setting (rounds, iterations) it yields the answer after every step,
        for as long as it is asked; the setting says which one counts.
        """
        return Declare(
            lambda made: self.methods.update({name: Method(name, role, Step.of(made, 1), along)})
        )

    def metric(self, name: str, *columns: Column) -> Declare:
        """Declare a metric: part and answer in, a value out.

        With columns it yields several: their values, as a mapping, and the value measured there.
        """
        return Declare(
            lambda made: self.metrics.update({name: Metric(name, columns, Step.of(made, 2))})
        )

    def table(
        self,
        name: str,
        methods: Sequence[str] | Mapping[str, str] = (),
        *,
        runs: str | int,
        metrics: Sequence[str] = (),
        datasets: Sequence[str] = (),
        vary: Mapping[str, Values] | None = None,
        given: Mapping[str, Any] | None = None,
        columns: Mapping[str, Column] | None = None,
        along: Column | None = None,
        reading: str = INFERRED,
        role: str = "",
        job: str = "tables",
        pooled: bool = False,
    ) -> Plan:
        """Declare a table or figure, after everything it needs.

        Parameters
        ----------
        name
            As rows and ``published.csv`` name it.
        methods
            Its methods (default: all); a mapping shows one under the name of another.
        runs
            The setting that says how many runs there are, or their number.
        metrics, datasets
            Of the table (default: all).
        vary
            Setting -> values it takes.
        given
            Setting -> another value than its own, which the columns do not show.
        columns
            Setting -> column that shows its value.
        along
            Column of the step, for a row after every step of a recorded method.
        reading, role
            Of its rows (default role: the method's).
        job
            The job that runs it; tables of one job share their fits.
        pooled
            Whether the parts of a run make one row, of their mean.
        """
        if not (len(self.splits) == 1 and self.methods and self.metrics):
            raise StudyError(f"{self.key}: declare one split, methods and metrics before tables")
        names = methods or tuple(self.methods)
        renamed = names if isinstance(names, Mapping) else {each: each for each in names}
        chosen = tuple(self.methods[own]._replace(name=shown) for shown, own in renamed.items())
        varied = {setting: _values(tried) for setting, tried in (vary or {}).items()}
        shown_by = dict(columns or {})
        if along is not None:
            (steps,) = {method.along for method in chosen}
            varied[steps] = Step(lambda **last: range(1, last[steps] + 1), (steps,))
            shown_by[steps] = along
        measured = tuple(self.metrics[each] for each in metrics or self.metrics)
        places = tuple(datasets) or self.datasets
        return self.added(
            Plan(
                name, self.splits[0], chosen, measured, places, runs, varied, dict(given or {}),
                shown_by, reading, role, job, pooled,
            )
        )  # fmt: skip

    def added(self, plan: Plan) -> Plan:
        """Add a table; one that reads what is no setting is refused."""
        unknown = sorted(plan.reads() - set(self.settings.model_fields))
        if unknown:
            raise StudyError(
                f"{self.key}: table {plan.name!r} reads {unknown[0]!r}, which is no setting; "
                f"declare it in {self.settings.__name__}, vary it, or ask for {', '.join(GIVEN)}"
            )
        self.plans.append(plan)
        return plan

    def choice(
        self,
        setting: str,
        values: Values = (),
        *,
        of: Plan,
        runs: str = "",
        methods: Sequence[str] = (),
        column: Column | None = None,
        reading: str = "",
        job: str = "choices",
    ) -> Plan:
        """Declare an open choice: a table under other values of a setting.

        Without values all words of a ``Literal`` are tried. The value names the reading of a row,
        unless there is a column for it. ``methods`` are the table's published ones unless named.
        """
        tried = values or get_args(self.settings.model_fields[setting].annotation)
        names = methods or [method.name for method in of.methods if method.role == "published"]
        chosen = tuple(method for method in of.methods if method.name in names)
        return self.added(
            replace(
                of, name=f"choice:{setting}", methods=chosen, runs=runs or of.runs, job=job,
                vary={**of.vary, setting: _values(tried)}, reading=reading,
                columns={**of.columns, **({setting: column} if column else {})},
                named="" if column else setting,
            )
        )  # fmt: skip


@dataclass
class Study(Protocol):
    """A paper's experiments.

    Attributes
    ----------
    key
        The paper's key, the name of its room.
    datasets
        Keys of the data sets that tables are run on unless they name others.
    settings
        The settings, with ranges, meanings and the values of a quick run.
    """

    facts: dict[str, Step] = field(default_factory=dict)
    rivals: list[tuple[Plan, Step]] = field(default_factory=list)
    training: tuple[Plan, str] | None = None

    def include(self, *protocols: Protocol) -> None:
        """Add the tables of other protocols of the same paper."""
        for protocol in protocols:
            self.plans += protocol.plans

    def details(self, job: str) -> Declare:
        """Declare what a job tells about its data, besides rows."""
        return Declare(lambda made: self.facts.update({job: Step.of(made)}))

    def rival(self, plan: Plan) -> Declare:
        """Declare how an estimator answers beside a table's methods: part and estimator in."""
        return Declare(lambda made: self.rivals.append((plan, Step.of(made, 2))))

    def record(self, method: str, column: Column, *, runs: str, says: str) -> Plan:
        """Declare recorded training: scores after every step, and what the paper says of it."""
        plan = self.table(
            TRAJECTORY, [method], runs=runs, along=column,
            reading=RECORDED, role="ours", job=TRAJECTORY,
        )  # fmt: skip
        self.training = plan, says
        return plan

    def beside(self, name: str, make: Callable[[], Any]) -> Callable[[Context], Result]:
        """Return the job of a rival; ``make`` returns an estimator that is not fitted."""
        if not self.rivals:
            raise StudyError(f"{self.key} takes no rivals; declare `study.rival` in its paper.py")
        ((plan, answer),) = self.rivals

        def fit(part: Any, run: int, **asked: Any) -> Any:
            model = make()
            if "random_state" in model.get_params():
                model.set_params(random_state=integer_seed(self.key, name, run))
            return answer.call(part, model, **asked)

        rival = Method(name, "ours", Step(fit, ("run", *answer.asks)))
        return lambda context: self.run(context, [replace(plan, methods=(rival,))])

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs of all tables."""
        entry = f"{module_name(self.key, 'paper')}:study"
        names = dict.fromkeys((d, plan.job) for plan in self.plans for d in plan.datasets)
        return tuple(Job(self.key, dataset, job, entry) for dataset, job in names)

    @property
    def tables(self) -> Tables:
        """The shapes of all tables; columns that only some rows of a table have are optional."""
        shapes: dict[str, list[list[Column]]] = {}
        for plan in self.plans:
            shapes.setdefault(plan.name, []).append(plan.all_columns())
        return Tables(*(Table(name, _merged(columns)) for name, columns in shapes.items()))

    def reads(self, job: str) -> tuple[str, ...]:
        """Return the settings that a job reads, in their declared order."""
        plans = [plan for plan in self.plans if plan.job == job]
        read = self.facts[job].reads if job in self.facts else set()
        for plan, answer in self.rivals if job.startswith(RIVAL) else ():
            plans, read = [replace(plan, methods=())], answer.reads
        read = read.union(*(plan.reads() for plan in plans))
        return tuple(name for name in self.settings.model_fields if name in read)

    def __call__(self, context: Context) -> Result:
        """Run the tables of a job."""
        return self.run(context, self.plans_of(context.job))

    def plans_of(self, job: Job) -> list[Plan]:
        """Return the tables that a job runs."""
        return [p for p in self.plans if p.job == job.name and job.dataset in p.datasets]

    def run(self, context: Context, plans: Sequence[Plan]) -> Result:
        """Run some tables, and tell the details of the job."""
        job = context.job
        settings = {name: getattr(context.settings, name) for name in self.reads(job.name)}
        seeds, rows = Seeds(self.key, job.dataset), list[Row]()
        runs = [(plan, setting_at(settings, plan.runs)) for plan in plans]
        # runs outside, tables inside: what a run remembers goes when it ends
        for run in context.progress(range(max(count for _, count in runs)), job.place):
            case = Case(context.data, run, seeds)
            for plan, count in runs:
                if run < count:
                    rows += case.rows(plan, settings)
        told = self.facts.get(job.name)
        return Result(rows, told.result({**settings, "data": context.data}) if told else {})


def _values(tried: Values) -> Step:
    if isinstance(tried, str):
        return Step(lambda **there: setting_at(there, tried), (head(tried),))
    return Step.of(tried) if callable(tried) else Step(lambda: tried, ())


def _merged(several: Sequence[Sequence[Column]]) -> tuple[Column, ...]:
    found = {column.name: column for columns in several for column in columns}
    always = set.intersection(*({column.name for column in columns} for columns in several))
    return tuple(
        replace(column, optional=column.optional or name not in always)
        for name, column in found.items()
    )
