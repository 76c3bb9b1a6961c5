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
from typing import Any, get_args

from tqdm import tqdm

from manyviews.seeding import integer_seed
from reproduction.results.best import Search
from reproduction.results.cases import (
    GIVEN,
    Case,
    Declare,
    Function,
    Method,
    Metric,
    Plan,
    Seeds,
    Share,
    Step,
    StudyError,
    Values,
    Work,
    setting_at,
    values_of,
)
from reproduction.results.jobs import RIVAL, Context, Job
from reproduction.results.rows import INFERRED, Result, Row
from reproduction.results.settings import PerKind, Settings
from reproduction.results.summaries import ALL, Summary, shapes
from reproduction.results.tables import Column, Tables
from reproduction.rooms import module_name


@dataclass
class Protocol:
    """How rows are split, methods fitted and answers measured, and the tables made of it."""

    key: str
    datasets: tuple[str, ...]
    settings: type[Settings]
    plans: list[Plan] = field(default_factory=list)
    prepared: list[Step] = field(default_factory=list)
    splits: list[Step] = field(default_factory=list)
    methods: dict[str, Method] = field(default_factory=dict)
    metrics: dict[str, Metric] = field(default_factory=dict)

    def views(self, function: Function) -> Function:
        """Declare how a job prepares the data set: splits, values and details ask ``views``."""
        self.prepared.append(Step.of(function))
        return function

    def split(self, function: Function) -> Function:
        """Declare how a run splits the rows: into one part, or several where it yields."""
        self.splits.append(Step.of(function))
        return function

    def method(self, name: str, role: str = "published", along: str = "") -> Declare:
        """Declare a method: part in, answer out.

        Recorded ``along`` a setting (rounds, iterations) it yields the answer after every step,
        for as long as it is asked; the setting says which one counts.
        """
        return self.several({name: ""}, role, along)

    def several(
        self, names: Sequence[str] | Mapping[str, str], role: str = "published", along: str = ""
    ) -> Declare:
        """Declare methods that share a fit: it returns an answer for each, as a mapping.

        Where names are a mapping, a method's answer goes by another name than the method.
        """
        own = names if isinstance(names, Mapping) else {name: name for name in names}
        return Declare(
            lambda made: self.methods.update(
                {name: Method(name, role, Step.of(made, 1), along, own[name]) for name in own}
            )
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
        named: str = "",
        job: str = "tables",
        pooled: bool = False,
        files: Sequence[str] = (),
        best: tuple[str, Callable[..., float]] | None = None,
        timed: bool = False,
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
            Column of the step, for a row after every step of a recorded method; the last answer
            stands for the steps after it.
        reading, role, named
            Of its rows (default role: the method's); the value of ``named``, if any, is a reading.
        job
            The job that runs it; tables of one job share their fits.
        pooled
            Whether the parts of a run make one row, of their mean.
        files
            Variants of the data set it needs besides, which functions ask for as ``files``.
        best
            A varied setting that is searched, and a function that scores part and answer: rows
            are those of the value with the best mean over the runs that have a score (no NaN).
        timed
            Whether its values are measured times, which are kept apart from the results.
        """
        if not (len(self.splits) == 1 and self.methods and self.metrics):
            raise StudyError(f"{self.key}: declare one split, methods and metrics before tables")
        names = methods or tuple(self.methods)
        renamed = names if isinstance(names, Mapping) else {each: each for each in names}
        chosen = tuple(self.methods[own]._replace(name=shown) for shown, own in renamed.items())
        varied = {setting: values_of(tried) for setting, tried in (vary or {}).items()}
        shown_by = dict(columns or {})
        if along is not None:
            (steps,) = {method.along for method in chosen}
            varied[steps] = Step(lambda **last: range(1, last[steps] + 1), (steps,))
            shown_by[steps] = along
        measured = tuple(self.metrics[each] for each in metrics or self.metrics)
        places = tuple(datasets) or self.datasets
        (views,) = self.prepared or [Step(lambda: None, ())]
        over, score = best or ("", None)
        return self.added(
            Plan(
                name, views, self.splits[0], chosen, measured, places, runs, varied,
                dict(given or {}), shown_by, reading, role, job, pooled, tuple(files),
                over, Step.of(score, 2) if score else None, named, timed,
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
                vary={**of.vary, setting: values_of(tried)}, reading=reading,
                columns={**of.columns, **({setting: column} if column else {})},
                named="" if column else setting,
            )
        )  # fmt: skip

    def reading(self, name: str, given: Mapping[str, Any], of: Sequence[Plan], job: str) -> None:
        """Declare another reading: the published methods of tables under other settings.

        ``{}`` in the name of the job stands for the table's own.
        """
        for plan in of:
            methods = tuple(method for method in plan.methods if method.role == "published")
            self.added(
                replace(
                    plan, methods=methods, reading=name, given={**plan.given, **given},
                    job=job.format(plan.job),
                )
            )  # fmt: skip


@dataclass
class Study(Protocol):
    """A paper's experiments on data sets (tables may name others), under its settings.

    ``kinds``: data set -> kind, where settings have a value for each kind (``PerKind``). ``first``
    is the job whose rows on the same data set other jobs ask for as ``earlier``. ``unprinted``:
    table -> methods that the paper has there without a printed number.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    first: str = ""
    unprinted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    facts: dict[str, Step] = field(default_factory=dict)
    divided: dict[tuple[str, str], Mapping[str, Share]] = field(default_factory=dict)
    rivals: list[tuple[Plan, Step]] = field(default_factory=list)
    rival_kind: str = ""
    summaries: list[Summary] = field(default_factory=list)

    def include(self, *protocols: Protocol) -> None:
        """Add the tables of other protocols of the same paper."""
        for protocol in protocols:
            self.plans += protocol.plans

    def details(self, *jobs: str) -> Declare:
        """Declare what jobs tell about their data, besides rows."""
        return Declare(lambda made: self.facts.update(dict.fromkeys(jobs, Step.of(made))))

    def summary(
        self, job: str, tables: Mapping[str, Sequence[Column]], after: Sequence[str] = ()
    ) -> Declare:
        """Declare rows made of rows, a frame of which is handed over: a job's own, at its end.

        With ``after``, names of jobs, it is a job of its own on the data set ``all`` that reads
        their results on all data sets. ``tables`` has the columns of the new rows in each.
        """
        places = tuple(f"{data}/{name}" for data, name in self.work if name in after)
        return Declare(lambda made: self.summaries.append(Summary(job, tables, made, places)))

    def divide(self, dataset: str, job: str, parts: Mapping[str, Share]) -> None:
        """Divide a long job by methods and runs: name -> methods, and shares of the runs."""
        self.divided[dataset, job] = parts

    def rival(self, plan: Plan, kind: str = "classifier") -> Declare:
        """Declare how an estimator of a kind answers beside a table's methods: part and it in."""
        self.rival_kind = kind
        return Declare(lambda made: self.rivals.append((plan, Step.of(made, 2))))

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
        entry, jobs = f"{module_name(self.key, 'paper')}:study", []
        for (dataset, name), work in self.work.items():
            files = dict.fromkeys(f"{dataset}.{f}" for plan in work.plans for f in plan.files)
            waits = name != self.first and any("earlier" in plan.asks for plan in work.plans)
            after = (f"{dataset}/{self.first}",) if waits else ()
            jobs.append(Job(self.key, dataset, name, entry, (dataset, *files), after, work.long))
        later = [each for each in self.summaries if each.after]
        jobs += [Job(self.key, ALL, each.job, entry, (), each.after) for each in later]
        return tuple(jobs)

    @property
    def work(self) -> dict[tuple[str, str], Work]:
        """What every job has to do, by data set and name."""
        found: dict[tuple[str, str], Work] = {}
        for plan in self.plans:
            for dataset in plan.datasets:
                parts = self.divided.get((dataset, plan.job))
                for name, share, piece in plan.pieces(parts):
                    made = found.setdefault((dataset, name), Work([], *share, parts is not None))
                    made.plans.append(piece)
        return found

    @property
    def tables(self) -> Tables:
        """The shapes of all tables; columns that only some rows of a table have are optional."""
        return shapes(self.plans, self.summaries, self.unprinted)

    def reads(self, job: str) -> tuple[str, ...]:
        """Return the settings that a job reads, in their declared order."""
        plans = [
            plan for (_, name), work in self.work.items() if name == job for plan in work.plans
        ]
        read = self.facts[job].reads if job in self.facts else set()
        for plan, answer in self.rivals if job.startswith(RIVAL) else ():
            plans, read = [replace(plan, methods=())], answer.reads
        read = read.union(*(plan.reads() for plan in plans))
        return tuple(name for name in self.settings.model_fields if name in read)

    def __call__(self, context: Context) -> Result:
        """Run the tables of a job, then make of their rows what is made of them."""
        work = self.work.get((context.job.dataset, context.job.name))
        found = self.run(context, work.plans, work.first, work.step) if work else Result([])
        for each in self.summaries:
            if each.job == context.job.name:
                found.rows += each.rows(found.rows, context.results)
        return found

    def run(self, context: Context, plans: Sequence[Plan], first: int = 0, step: int = 1) -> Result:
        """Run some tables, in every so many runs, and tell the details of the job."""
        job, kind = context.job, self.kinds.get(context.job.dataset, "")
        settings = {name: getattr(context.settings, name) for name in self.reads(job.name)}
        for name, value in settings.items():
            settings[name] = getattr(value, kind) if isinstance(value, PerKind) else value
        files = {key.partition(".")[2]: data for key, data in context.views.items()}
        given = {"data": context.data, "files": files, "dataset_kind": kind}
        given["earlier"] = context.results.get(f"{job.dataset}/{self.first}")
        seeds, rows, lasting = Seeds(self.key, job.dataset), list[Row](), dict[Any, Any]()
        runs = [(plan, setting_at(settings, plan.runs), Search()) for plan in plans]
        # runs outside, tables inside: what a run remembers goes when it ends
        numbers = range(first, max(count for _, count, _ in runs), step)
        for run in tqdm(numbers, job.place, mininterval=2.0):  # in a workflow: the job's log
            case = Case(given, run, seeds, lasting)
            for plan, count, search in runs:
                if run < count:
                    rows += case.rows(plan, settings, search)
        told = self.facts.get(job.name)
        if told and "views" in told.asks:
            given["views"] = Case(given, first, seeds, lasting).prepared(plans[0], settings)
        details = told.result({**settings, **given}) if told else {}
        for plan, _, search in runs:
            if plan.best is not None:
                rows += search.kept()
                details.setdefault("searches", {})[plan.reading] = search.told()
        return Result(rows, details)
