"""The page on the time of one run: every job on a time line, and where the core seconds went.

Its figures are measured, so they differ from run to run: it stands beside the pages of the
reproduction and in no manifest.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reproduction.pages.figures import PALETTE
from reproduction.pages.markup import Table, csv_text, frame_cells, table_html
from reproduction.pages.page import page_html
from reproduction.pages.prose import markdown_html
from reproduction.pages.stamp import page_stamp
from reproduction.rooms import find_papers

_WIDTH, _LANE, _GAP = 1060, 34, 8
#: A job whose bar is wider than this many units carries its name.
_NAMED = 74
_GREY = "#7a8594"
_STATIONS = {
    "fetch": "fetching", "views": "views", "statistics": "statistics", "fit": "fits",
    "score": "verdicts", "page": "pages",
}  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """A run: a row for every job, the longest chain, jobs of earlier runs, seconds of breaks.

    The rows say ``job``, ``station``, ``paper``, ``start``, ``end``, ``seconds``, ``cpu_seconds``,
    ``memory_mb``, ``compile_seconds``, ``lane`` and ``asked_mb``.
    """

    jobs: pd.DataFrame
    path: list[str]
    earlier: int = 0
    breaks: float = 0.0

    @property
    def wall(self) -> float:
        """Seconds from the first start to the last end."""
        return float(self.jobs["end"].max() - self.jobs["start"].min())

    @property
    def cores(self) -> int:
        """Jobs that ran at the same time, at most."""
        return int(self.jobs["lane"].max()) + 1

    def table(self) -> pd.DataFrame:
        """Return the rows for the file: times from the start of the run."""
        begin = self.jobs["start"].min()
        return self.jobs.assign(
            start=self.jobs["start"] - begin,
            end=self.jobs["end"] - begin,
            waiting_seconds=(self.jobs["seconds"] - self.jobs["cpu_seconds"]).clip(lower=0.0),
            critical=self.jobs["job"].isin(self.path),
        )

    def causes(self) -> dict[str, float]:
        """Return what the cores' seconds went into, from the first start to the last end."""
        jobs = self.table()
        compiling = float(jobs["compile_seconds"].fillna(0).clip(upper=jobs["cpu_seconds"]).sum())
        told = {"compiling": compiling} if jobs["compile_seconds"].notna().any() else {}
        return {
            "computing": float(jobs["cpu_seconds"].sum()) - compiling,
            **told,
            "waiting for a core, the disk or a start": float(jobs["waiting_seconds"].sum()),
            "no job on the core": self.cores * self.wall - float(jobs["seconds"].sum()),
        }


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def group(station: str, paper: str) -> str:
    """Name of what a job belongs to, for readers."""
    if station == "fit" and paper:
        return f"fits of {find_papers()[paper].short}"
    return _STATIONS.get(station, "the rest")


def _colours(jobs: pd.DataFrame) -> dict[str, str]:
    groups = [group(s, p) for s, p in zip(jobs["station"], jobs["paper"], strict=True)]
    weight = jobs["cpu_seconds"].groupby(groups).sum().sort_values(ascending=False, kind="stable")
    several = (*PALETTE, _GREY)
    return {name: several[n % len(several)] for n, name in enumerate(weight.index)}


def _ticks(wall: float) -> list[float]:
    step = next((s for s in (10, 30, 60, 300, 600, 1800) if wall / s <= 12), 3600)
    return [float(t) for t in range(0, int(wall) + 1, step)]


def timeline(profile: Profile) -> str:
    """SVG of every job as a bar, one lane for each core; a bar's tip tells what it is."""
    jobs, wall = profile.table(), max(profile.wall, 1e-9)
    colours = _colours(profile.jobs)
    scale = _WIDTH / wall
    height = profile.cores * (_LANE + _GAP) + 26
    parts = [
        f'<line x1="{t * scale:.1f}" x2="{t * scale:.1f}" y1="0" y2="{height - 20}" '
        f'stroke="currentColor" stroke-opacity=".15"/>'
        f'<text x="{t * scale + 3:.1f}" y="{height - 6}" font-size="12" fill="currentColor">'
        f"{_clock(t)}</text>"
        for t in _ticks(wall)
    ]
    for row in jobs.to_dict("records"):
        left, width = row["start"] * scale, max(row["seconds"] * scale, 0.7)
        top = row["lane"] * (_LANE + _GAP)
        colour = colours[group(row["station"], row["paper"])]
        edge = ' stroke="currentColor" stroke-width="2"' if row["critical"] else ""
        tip = (
            f"{row['job']}: {row['seconds']:.1f} s, {row['cpu_seconds']:.1f} s on the core, "
            f"{row['memory_mb']:.0f} MB"
        )
        parts.append(
            f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_LANE}" rx="2" '
            f'fill="{colour}"{edge}><title>{html.escape(tip)}</title></rect>'
        )
        if width > _NAMED:
            name = row["job"].rpartition("/")[2]
            place = "/".join(row["job"].split("/")[-2:-1])
            room = int(width / 6.2)
            for text, down in ((place, 14), (name, 28)):
                parts.append(
                    f'<text x="{left + 4:.1f}" y="{top + down}" font-size="11" fill="#fff" '
                    f'pointer-events="none">{html.escape(text[:room])}</text>'
                )
    return (
        '<figure class="plot"><div class="plot-box" tabindex="0" role="region" '
        'aria-label="Time line of all jobs">'
        f'<svg role="img" aria-label="{len(jobs)} jobs on {profile.cores} lanes, '
        f'{_clock(wall)} minutes" viewBox="0 0 {_WIDTH} {height}" '
        f'style="min-width:56rem">{"".join(parts)}</svg></div>'
        f"<figcaption>{_legend(colours)}</figcaption></figure>"
    )


def _swatch(colour: str) -> str:
    return (
        '<span style="display:inline-block;width:.8em;height:.8em;border-radius:.15em;'
        f'background:{colour}"></span>'
    )


def _legend(colours: dict[str, str]) -> str:
    return (
        " ".join(
            f'<span style="white-space:nowrap;margin-right:.9rem">{_swatch(colour)} '
            f"{html.escape(name)}</span>"
            for name, colour in colours.items()
        )
        + " Framed: the longest chain of jobs. Minutes from the first start."
    )


def by_group(profile: Profile) -> pd.DataFrame:
    """Core seconds of every station and paper, the most first."""
    jobs = profile.table()
    names = [group(s, p) for s, p in zip(jobs["station"], jobs["paper"], strict=True)]
    frame = jobs.groupby(names).agg(
        jobs=("job", "size"),
        core=("cpu_seconds", "sum"),
        compiling=("compile_seconds", lambda values: values.sum(min_count=1)),
        waiting=("waiting_seconds", "sum"),
        largest=("memory_mb", "max"),
    )
    frame["share"] = 100 * frame["core"] / frame["core"].sum()
    frame = frame.sort_values("core", ascending=False).rename_axis("what").reset_index()
    return frame[["what", "jobs", "core", "share", "compiling", "waiting", "largest"]].rename(
        columns={
            "core": "core seconds", "share": "% of all", "compiling": "compiling, s",
            "waiting": "waiting, s", "largest": "largest memory, MB",
        }
    )  # fmt: skip


def _bar(share: float, colour: str) -> str:
    return (
        f'<span style="display:inline-block;height:1.1em;vertical-align:-.15em;width:{share:.2f}%;'
        f'background:{colour}"></span>'
    )


def causes_html(profile: Profile) -> str:
    """One bar of what the cores' seconds went into, and its parts in words."""
    causes = profile.causes()
    total = sum(causes.values()) or 1.0
    colours = dict(zip(causes, (PALETTE[2], PALETTE[3], PALETTE[1], _GREY), strict=False))
    colours["no job on the core"] = _GREY
    bar = "".join(_bar(100 * value / total, colours[name]) for name, value in causes.items())
    items = "".join(
        f"<li>{_swatch(colours[name])} {html.escape(name)}: {value:,.0f} s "
        f"({100 * value / total:.0f} %)</li>"
        for name, value in causes.items()
    )
    return (
        f'<div style="white-space:nowrap;overflow:hidden;border-radius:.3rem">{bar}</div>'
        f'<ul style="list-style:none;padding:0">{items}</ul>'
    )


def _table(frame: pd.DataFrame, name: str, caption: str, digits: int = 3, note: str = "") -> str:
    header = [str(column) for column in frame.columns]
    rows = frame_cells(frame, digits, ())
    return table_html(
        Table(name, caption, header, rows, csv_text(frame), notes=[note] if note else [])
    )


def _job_table(profile: Profile) -> pd.DataFrame:
    jobs = profile.table().sort_values("cpu_seconds", ascending=False)
    return pd.DataFrame(
        {
            "job": jobs["job"],
            "starts at": [_clock(start) for start in jobs["start"]],
            "seconds": jobs["seconds"],
            "core seconds": jobs["cpu_seconds"],
            "compiling, s": jobs["compile_seconds"],
            "waiting, s": jobs["waiting_seconds"],
            "used, MB": jobs["memory_mb"],
            "asked for, MB": jobs["asked_mb"],
        }
    )


def profile_page(profile: Profile) -> str:
    """Return the page of a run's profile."""
    contents: list[dict[str, Any]] = []
    jobs, wall = profile.jobs, profile.wall
    cpu, cores = float(jobs["cpu_seconds"].sum()), profile.cores
    chain = jobs.set_index("job").loc[profile.path, ["seconds", "cpu_seconds", "memory_mb"]]
    bound = max(float(chain["seconds"].sum()), cpu / cores)
    least = jobs["asked_mb"].notna() & (jobs["memory_mb"] > jobs["asked_mb"])
    asked = jobs[jobs["asked_mb"].notna()]
    before = f" {profile.earlier} jobs of earlier runs are left out." if profile.earlier else ""
    if profile.breaks:
        before += f" Breaks in which nothing ran ({_clock(profile.breaks)} minutes) are cut out."
    body = [
        markdown_html(
            "# Where the time goes\n\n"
            f"The last run below this folder: {len(jobs)} jobs in {_clock(wall)} minutes on "
            f"{cores} cores, {cpu:,.0f} core seconds of work. Its longest chain of jobs takes "
            f"{_clock(float(chain['seconds'].sum()))} minutes; no order of the same jobs on "
            f"{cores} cores could end before {_clock(bound)}.{before}\n\n"
            "Measured by the jobs themselves, so these figures differ from run to run and from "
            "machine to machine: this page is no part of what must come out the same. "
            "`python -m reproduction profile` writes it; [profile.csv](profile.csv) has the rows.\n"
            "\n## Every job\n",
            contents,
        ),
        timeline(profile),
        markdown_html("## What the cores did\n", contents),
        causes_html(profile),
        markdown_html(
            "Imports are paid once for a run, by the process that every job is a fork of; what "
            "compiling took is empty for jobs that did not measure it.\n",
            contents,
        ),
        _table(by_group(profile), "groups", "Core seconds by station and paper"),
        markdown_html("## The longest chain\n", contents),
        _table(
            chain.reset_index().rename(
                columns={"cpu_seconds": "core seconds", "memory_mb": "used, MB"}
            ),
            "chain",
            "Jobs that wait for one another and take longest together",
        ),
        markdown_html(
            "## Jobs\n\n"
            f"Asked for and used memory: {int(least.sum())} of {len(asked)} jobs used more than "
            f"they asked for; all together they asked for "
            f"{asked['asked_mb'].sum() / max(asked['memory_mb'].sum(), 1e-9):.1f} times what they "
            "used.\n",
            contents,
        ),
        _table(_job_table(profile), "jobs", "Every job of the run, the longest first"),
    ]
    stamp = page_stamp("")
    stamp.pop("Configuration")
    return page_html("".join(body), page="profile", contents=contents, stamp=stamp)
