"""The page on the time of one run: every job on a time line, and where the core seconds went.

Its figures are measured, so they differ from run to run: it stands beside the pages of the
reproduction and in no manifest.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from reproduction.pages.figures import PALETTE
from reproduction.pages.markup import frame_table, render
from reproduction.pages.page import page_html
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
    ``memory_mb``, ``compile_seconds``, ``read_seconds``, ``lane``, ``asked_mb`` and ``purpose``.
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
        measured = {"reading views": "read_seconds", "compiling": "compile_seconds"}
        told = {
            name: float(jobs[column].fillna(0).clip(upper=jobs["cpu_seconds"]).sum())
            for name, column in measured.items()
            if jobs[column].notna().any()
        }
        # a job on several threads holds more cores than its seconds say
        held = float(jobs[["seconds", "cpu_seconds"]].max(axis=1).sum())
        return {
            "computing": float(jobs["cpu_seconds"].sum()) - sum(told.values()),
            **told,
            "waiting for a core, the disk or a start": float(jobs["waiting_seconds"].sum()),
            "no job on the core": self.cores * self.wall - held,
        }


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def group(station: str, paper: str) -> str:
    """Name of what a job belongs to, for readers."""
    if station == "fit" and paper:
        return f"fits of {find_papers()[paper].short}"
    return _STATIONS.get(station, "the rest")


def _grouped(profile: Profile) -> pd.DataFrame:
    jobs = profile.table()
    return jobs.assign(group=list(map(group, jobs["station"], jobs["paper"])))


def _ticks(wall: float) -> list[float]:
    step = next((s for s in (10, 30, 60, 300, 600, 1800) if wall / s <= 12), 3600)
    return [float(t) for t in range(0, int(wall) + 1, step)]


def _texts(job: str, width: float) -> list[tuple[str, int]]:
    """Return what stands in a bar that is wide enough: the end of a job's name in two lines."""
    *_, place, name = ["", *job.split("/")]
    room = int(width / 6.2)
    return [(place[:room], 14), (name[:room], 28)] if width > _NAMED else []


def by_group(profile: Profile) -> pd.DataFrame:
    """Core seconds of every station and paper, the most first."""
    frame = (
        _grouped(profile)
        .groupby("group")
        .agg(
            jobs=("job", "size"),
            core=("cpu_seconds", "sum"),
            reading=("read_seconds", lambda values: values.sum(min_count=1)),
            compiling=("compile_seconds", lambda values: values.sum(min_count=1)),
            waiting=("waiting_seconds", "sum"),
            largest=("memory_mb", "max"),
        )
    )
    frame.insert(2, "share", 100 * frame["core"] / frame["core"].sum())
    frame = frame.sort_values("core", ascending=False).rename_axis("what").reset_index()
    return frame.rename(
        columns={
            "core": "core seconds", "share": "% of all", "reading": "reading, s",
            "compiling": "compiling, s",
            "waiting": "waiting, s", "largest": "largest memory, MB",
        }
    )  # fmt: skip


def by_purpose(profile: Profile) -> pd.DataFrame:
    """Core seconds by what the jobs are for, the most first."""
    jobs = profile.table()
    other = jobs["station"].map(_STATIONS).fillna("the rest")
    named = jobs["purpose"].where(jobs["purpose"] != "", other)
    frame = jobs.groupby(named)["cpu_seconds"].agg(["size", "sum"])
    frame["% of all"] = 100 * frame["sum"] / frame["sum"].sum()
    frame = frame.sort_values("sum", ascending=False).rename_axis("what for").reset_index()
    return frame.rename(columns={"size": "jobs", "sum": "core seconds"})


def _job_table(profile: Profile) -> pd.DataFrame:
    jobs = profile.table().sort_values("cpu_seconds", ascending=False)
    columns = {
        "job": "job", "start": "starts at", "seconds": "seconds", "cpu_seconds": "core seconds",
        "read_seconds": "reading, s", "compile_seconds": "compiling, s",
        "waiting_seconds": "waiting, s",
        "memory_mb": "used, MB", "asked_mb": "asked for, MB",
    }  # fmt: skip
    return jobs.assign(start=jobs["start"].map(_clock))[list(columns)].rename(columns=columns)


def profile_page(profile: Profile) -> str:
    """Return the page of a run's profile."""
    jobs, wall, cores = _grouped(profile), max(profile.wall, 1e-9), profile.cores
    scale = _WIDTH / wall
    cpu = float(jobs["cpu_seconds"].sum())
    weight = jobs["cpu_seconds"].groupby(jobs["group"]).sum()
    weight = weight.sort_values(ascending=False, kind="stable")
    chain = jobs.set_index("job").loc[profile.path, ["seconds", "cpu_seconds", "memory_mb"]]
    named = {"cpu_seconds": "core seconds", "memory_mb": "used, MB"}
    length = float(chain["seconds"].sum())
    asked = jobs[jobs["asked_mb"].notna()]
    bars = jobs.assign(
        left=jobs["start"] * scale,
        top=jobs["lane"] * (_LANE + _GAP),
        width=(jobs["seconds"] * scale).clip(lower=0.7),
    )
    causes = profile.causes()
    total = sum(causes.values()) or 1.0
    colours = dict(zip(causes, (PALETTE[2], PALETTE[0], PALETTE[3], PALETTE[1]), strict=False))
    colours["no job on the core"] = _GREY
    body = render(
        "profile.html",
        clock=_clock,
        cores=cores,
        cpu=cpu,
        wall=wall,
        chain_seconds=length,
        bound=max(length, cpu / cores),
        earlier=profile.earlier,
        breaks=profile.breaks,
        width=_WIDTH,
        lane=_LANE,
        height=cores * (_LANE + _GAP) + 26,
        ticks=[(seconds * scale, seconds) for seconds in _ticks(wall)],
        bars=[
            {**bar, "texts": _texts(bar["job"], bar["width"])} for bar in bars.to_dict("records")
        ],
        # small groups share a grey: no two that are coloured look alike
        colours=dict(zip(weight.index, (*PALETTE, *[_GREY] * len(weight)), strict=False)),
        causes=[
            {"name": name, "seconds": s, "share": 100 * s / total, "colour": colours[name]}
            for name, s in causes.items()
        ],
        by_purpose=frame_table(
            by_purpose(profile), "purposes", "Core seconds by what jobs are for"
        ),
        by_group=frame_table(by_group(profile), "groups", "Core seconds by station and paper"),
        chain=frame_table(
            chain.reset_index().rename(columns=named),
            "chain",
            "Jobs that wait for one another and take longest together",
        ),
        more=int((asked["memory_mb"] > asked["asked_mb"]).sum()),
        asked=len(asked),
        ratio=asked["asked_mb"].sum() / max(asked["memory_mb"].sum(), 1e-9),
        jobs=frame_table(_job_table(profile), "jobs", "Every job of the run, the longest first"),
    )
    stamp = page_stamp("")
    stamp.pop("Configuration")
    return page_html(body, page="profile", stamp=stamp)
