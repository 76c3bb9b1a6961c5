"""What pages show of a declared paper: tables of means, curves, dots and scatters beside print.

Each function shows the rows it is given, so a page says with ``select`` which reading, methods and
metric are meant. Open marks are the published figures at the places of these rows.
"""

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter

from reproduction.pages.figures import INK, curve, panel_grid, series_styles
from reproduction.pages.results import load_provenance
from reproduction.pages.tables import method_name, metric_name, show_table
from reproduction.pages.wording import words
from reproduction.results.metrics import range_of
from reproduction.results.published import load_published
from reproduction.results.study import Study
from reproduction.results.summary import decimals, mean_and_deviation
from reproduction.results.tables import Column
from reproduction.verdicts.cells import given
from reproduction.verdicts.data_facts import data_name, marked

Names = Sequence[str]


def shown(study: Study, column: str, value: Any) -> str:
    """Return what readers call a value of a column; surrogates and stand-ins say so."""
    if column == "dataset":
        known = load_provenance(study.key).get(value, {})
        return marked(known.get("published_name") or data_name(value), str(known.get("kind")))
    if column == "metric":
        return metric_name(value)
    if not given(value):
        return ""
    setting = study.tables.columns.get(column)
    return words(setting, value) if setting else str(value)


def labels(study: Study, frame: pd.DataFrame, columns: Names) -> list[str]:
    """Return the words of some columns for every row."""
    found: list[list[str]] = [[] for _ in range(len(frame))]
    for column in columns:
        codes, values = pd.factorize(frame[column], use_na_sentinel=False)
        names = [shown(study, column, value) for value in values]
        for texts, code in zip(found, codes, strict=True):
            texts.extend([names[code]] if names[code] else [])
    return [", ".join(texts) for texts in found]


def _ordered(study: Study, frame: pd.DataFrame, columns: Names) -> pd.DataFrame:
    """Sort rows by some columns: data sets as declared, names as print has them, numbers."""
    published = load_published(study.key)

    def place(column: pd.Series) -> pd.Series:
        if pd.api.types.is_numeric_dtype(column):
            return column
        known = study.datasets if column.name == "dataset" else published.get(column.name, ())
        order = dict.fromkeys([*known, *column])
        return column.map({name: at for at, name in enumerate(order)})

    if not columns:
        return frame
    return frame.sort_values(list(columns), key=place, kind="stable", ignore_index=True)


def means(
    study: Study, rows: pd.DataFrame, table: str, across: Names = ("dataset",), how: str = ""
) -> pd.DataFrame:
    """Return mean and deviation of everything in a table, or ``how`` else runs are summed up.

    What ``across`` names has columns of its own. Methods and settings tell lines apart; so do data
    sets, metrics and readings where there are several.
    """
    part = rows[rows["table"] == table]
    own = [column.name for column in study.tables[table].columns if column.name in part]
    several = [name for name in ("dataset", "reading", "metric") if len(set(part[name])) > 1]
    lines = [name for name in ("method", *several, *own) if name not in across]
    part = _ordered(study, part, [*lines, *across])
    roles = zip(part["method"], part["role"], strict=True)
    blank = {name: part[name].astype(object).where(part[name].map(given), "") for name in own}
    part = part.assign(**blank, shown=labels(study, part, across))
    part["method"] = [method_name(*each) for each in roles]
    part["dataset"] = labels(study, part, ["dataset"])

    def text(values: pd.Series) -> str:
        return mean_and_deviation(values, decimals(str(part.loc[values.index[0], "metric"])))

    wide = part.groupby([*lines, "shown"], sort=False)["value"].agg(how or text).unstack("shown")
    wide = wide[list(dict.fromkeys(part["shown"]))].reset_index()
    found = part[lines].drop_duplicates().merge(wide, on=lines)
    titles = {"dataset": "data set", "lambda_": "lambda"}
    return (found if how else found.fillna("")).rename(columns=titles)


def show_every_choice(study: Study, rows: pd.DataFrame, across: Names = ("dataset",)) -> None:
    """Show every alternative of every open choice, a table for each choice."""
    for table in dict.fromkeys(rows["table"]):
        if table.startswith("choice:"):
            found = means(study, rows, table, across)
            show_table(found, table.replace(":", "-"), f"Choice: {table.removeprefix('choice:')}")


def printed_beside(study: Study, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the published figures at the places of some rows, their mean as ``value``."""
    cells = load_published(study.key).rename(columns={"mean": "value"})
    cells = cells[cells["table"].isin(set(rows["table"]))]
    if cells.empty:
        return cells
    names = ("table", "dataset", "method", "metric", *study.tables.columns)
    keys = [name for name in names if name in rows and name in cells and cells[name].notna().any()]
    texts = [name for name in keys if not pd.api.types.is_numeric_dtype(cells[name])]
    ours, theirs = (part.assign(**part[texts].fillna("")) for part in (rows, cells))
    return theirs.merge(ours[keys].drop_duplicates(), on=keys)


def _panels(study: Study, frame: pd.DataFrame, panel: Names, height: float) -> tuple[Figure, Any]:
    """Make a panel for each value of some columns; return the figure, and axes by their titles."""
    titles = list(dict.fromkeys(labels(study, _ordered(study, frame, panel), panel)))
    width = 3.1 * min(3, len(titles)) + 0.8
    fig, axes = panel_grid(len(titles), width=max(width, 5.5), height=height)
    found = dict(zip(titles, axes.flat, strict=False))
    for title, ax in found.items():
        ax.set_title(title)
    return fig, found


def _legend(fig: Figure, axes: Any) -> None:
    """Put one legend for all panels below them, where it hides nothing."""
    handles: dict[str, Any] = {}
    for ax in axes:
        drawn, names = ax.get_legend_handles_labels()
        handles = dict(zip(names, drawn, strict=True)) | handles
    if len(handles) > 1:
        fig.legend([*handles.values()], [*handles], loc="outside lower center", ncols=5)


def _placed(study: Study, frame: pd.DataFrame, **columns: Names) -> pd.DataFrame:
    """Return rows with labels: name of the label -> columns it is made of."""
    there = {key: [name for name in names if name in frame] for key, names in columns.items()}
    return frame.assign(**{key: labels(study, frame, names) for key, names in there.items()})


def axis_name(column: Column) -> str:
    """Return what an axis calls a setting: ``% labelled`` where its values are ``5 % labelled``."""
    said = column.shown if isinstance(column.shown, str) else ""
    said = re.sub(r"\s*\{[^}]*\}\s*", "", said) or column.name.strip("_")
    return said if "%" in said or column.times != 100 else f"{said} %"


def curves(
    study: Study,
    rows: pd.DataFrame,
    across: str,
    series: Names = ("method",),
    panel: Names = ("dataset",),
    band: bool = True,
) -> Figure:
    """Draw means against a setting, with a band of one deviation over the runs.

    A method that several tables have is drawn once.
    """
    column = study.tables.columns[across]
    keys = ("dataset", "method", "metric", "reading", "run", *study.tables.columns)
    ours = rows[rows[across].notna()].drop_duplicates([key for key in keys if key in rows])
    ours = _placed(study, _ordered(study, ours, series), on=panel, series=series)
    theirs = _placed(study, printed_beside(study, ours), on=panel, series=series)
    theirs = theirs if across in theirs else theirs[:0].assign(**{across: 0.0})
    ours, theirs = (part.assign(at=column.times * part[across]) for part in (ours, theirs))
    low, high = ours["at"].min(), ours["at"].max()
    whole = bool((ours["at"] % 1 == 0).all())
    fig, axes = _panels(study, ours, panel, 2.7)
    for title, ax in axes.items():
        for name, style in series_styles(ours["series"]).items():
            part, marks = (
                each[(each["on"] == title) & (each["series"] == name)] for each in (ours, theirs)
            )
            if part.empty:
                continue
            many = {"marker": ""} if part["at"].nunique() > 12 else {}  # marks would hide lines
            curve(ax, part, "at", label=name, band=band, **{**style, **many})
            hollow = {"linestyle": "", "markerfacecolor": "none", "markersize": 7}
            ax.plot(marks["at"], marks["value"], **{**style, **hollow})
        if low > 0 and high > 50 * low:
            ax.set_xscale("log", base=2 if whole else 10)
            ax.xaxis.set_minor_formatter(NullFormatter())  # labels within a decade would collide
        elif ours["at"].nunique() <= 7:
            ax.set_xticks(sorted(set(ours["at"])))
        elif whole:
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel(axis_name(column))
    next(iter(axes.values())).set_ylabel(metric_name(str(ours["metric"].iloc[0])))
    _legend(fig, axes.values())
    return fig


def _ends(placed: pd.DataFrame) -> pd.DataFrame:
    """Return mean, and one deviation to both sides within what the metric can be."""
    groups = placed.groupby(["on", "line", "series", "metric"], sort=False)["value"]
    found = groups.agg(["mean", "std"]).reset_index().rename(columns={"mean": "value"})
    least, most = (pd.Series(ends) for ends in zip(*map(range_of, found["metric"]), strict=True))
    spread = found["std"].fillna(0.0)
    low, high = ((found["value"] + sign * spread).clip(least, most) for sign in (-1, 1))
    return found.assign(low=low, high=high)


def dots(
    study: Study, rows: pd.DataFrame, down: Names, series: Names = (), panel: Names = ("dataset",)
) -> Figure:
    """Draw means with one deviation over the runs; a line for each value of ``down``.

    Rows that bring their own ends (columns ``low`` and ``high``) are drawn as they are.
    """
    place = {"on": panel, "line": down, "series": series}
    ours = _placed(study, _ordered(study, rows, [*down, *series]), **place)
    theirs = _placed(study, printed_beside(study, rows) if "table" in rows else rows[:0], **place)
    ours = ours if "low" in ours else _ends(ours)
    lines = {name: at for at, name in enumerate(dict.fromkeys(ours["line"]))}
    styles = series_styles(ours["series"])
    fig, axes = _panels(study, rows, panel, 0.28 * len(lines) * max(1, len(styles) / 2) + 0.9)
    for title, ax in axes.items():
        here, cells = (each[each["on"] == title] for each in (ours, theirs))
        for number, (name, style) in enumerate(styles.items(), start=1):
            offset = number / (len(styles) + 1) - 0.5
            part = here[here["series"] == name]
            ends = [part["value"] - part["low"], part["high"] - part["value"]]
            look = {**style, "linestyle": "", "markersize": 5, "label": name or "ours"}
            ax.errorbar(part["value"], part["line"].map(lines) + offset, xerr=ends, **look)
            # print has no readings: it stands in the middle of ours
            own, middle = cells[cells["series"] == name], offset
            if len(styles) > 1 and number == 1 and own.empty:
                own, middle = cells[cells["series"] == ""], 0.0
            look = {"color": INK, "marker": "D", "markerfacecolor": "none", "linestyle": ""}
            if len(own):
                ax.plot(own["value"], own["line"].map(lines) + middle, label="print", **look)
        if here["low"].min() < 0 < here["high"].max():
            ax.axvline(0.0, color="0.5", linewidth=0.8)
        ax.set_yticks([*lines.values()], [*lines] if ax.get_subplotspec().is_first_col() else [])
        ax.set_ylim(len(lines) - 0.5, -0.5)
        if "metric" not in panel:
            ax.set_xlabel(", ".join(dict.fromkeys(map(metric_name, here["metric"]))))
    _legend(fig, axes.values())
    return fig


def scatter(frame: pd.DataFrame, across: str, up: str, diagonal: bool = False) -> Figure:
    """Draw points of a frame with columns ``panel``, ``series``, ``x`` and ``y``.

    Open marks are of rows whose ``print`` is true, where there is such a column.
    """
    frame = frame if "print" in frame else frame.assign(print=False)
    titles = list(dict.fromkeys(frame["panel"]))
    fig, axes = panel_grid(len(titles), width=9.4, height=2.8)
    styles = series_styles(frame["series"])
    for ax, title in zip(axes.flat, titles, strict=False):
        here = frame[frame["panel"] == title]
        for (name, hollow), part in here.groupby(["series", "print"], sort=False):
            look = {**styles[str(name)], "linestyle": "", "alpha": 0.8, "markersize": 4}
            look |= {"markerfacecolor": "none", "markersize": 6} if hollow else {"label": name}
            ax.plot(part["x"], part["y"], **look)
        if diagonal:
            ax.axline((50, 50), slope=1, color=INK, linestyle=":", linewidth=1, zorder=0)
        ax.set_title(title)
        ax.set_xlabel(across)
    for line in axes:
        line[0].set_ylabel(up)
    _legend(fig, axes.flat)
    return fig
