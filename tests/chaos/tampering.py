"""Ways to forge a run; `verify` must refuse every one of them."""

import io
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from small_run import DATASET, PAPER, SmallRun, build, write_reports

from reproduction import rooms
from reproduction.data.format import MultiViewData
from reproduction.results import published
from reproduction.results.custody import contents_of
from reproduction.results.rows import read_rows
from reproduction.rooms import tables_of
from reproduction.workflow import manifest
from reproduction.workflow.rows import ROWS, pack

Forgery = Callable[[SmallRun], object]
RAW, VIEW, RESULTS = f"raw/{DATASET}", f"views/{DATASET}.npz", f"results/{PAPER}"
TABLE, DETAILS = f"{RESULTS}/{DATASET}/table2.csv", f"{RESULTS}/{DATASET}/table2.json"
PROVENANCE, MANIFEST = f"{RAW}/PROVENANCE.json", "reports/MANIFEST.json"
OTHERWISE = f"says something else of {PAPER} than its results"
ROOM, TABLES = f"papers/{PAPER}", "reports/tables"


def edit(name: str, change: Callable[[bytes], bytes]) -> Forgery:
    """Change the content of a file."""

    def forge(run: SmallRun) -> None:
        path = run.root / name
        content = path.read_bytes() if path.is_file() else b""
        path.write_bytes(change(content))
        assert path.read_bytes() != content, f"{name} is what it was"

    return forge


def text(name: str, old: str, new: str) -> Forgery:
    return edit(name, lambda content: content.replace(old.encode(), new.encode(), 1))


def gone(name: str) -> Forgery:
    return lambda run: (run.root / name).unlink()


def facts(name: str, change: Callable[[dict], object]) -> Forgery:
    """Change a JSON file in place."""

    def changed(content: bytes) -> bytes:
        found = json.loads(content)
        change(found)
        return (json.dumps(found, indent=2, sort_keys=True) + "\n").encode()

    return edit(name, changed)


def rows(name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Forgery:
    """Change a table."""

    def changed(content: bytes) -> bytes:
        frame = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
        return change(frame).to_csv(index=False, lineterminator="\n").encode()

    return edit(name, changed)


def first(column: str, value: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda frame: frame.assign(**{column: [value, *frame[column][1:]]})


def swapped(run: SmallRun) -> None:
    """Exchange the results of two jobs."""
    for name in (TABLE, DETAILS):
        one, two = (run.root / name.replace("table2", job) for job in ("table2", "choices"))
        content = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(content)


def sealed(forgery: Forgery) -> Forgery:
    """Give an edited result a stamp that fits its content."""

    def forge(run: SmallRun) -> None:
        forgery(run)
        path = run.root / TABLE
        found, content = read_rows(path, tables_of(PAPER)), path.read_text()
        facts(DETAILS, lambda d: d["stamp"].update(holds=contents_of(content, found, d)))(run)

    return forge


def in_a_clone(forgery: Forgery, *, written_again: bool = True) -> Forgery:
    """Forge tables of a report without results; write all that follows from them again."""

    def forge(run: SmallRun) -> None:
        forgery(run)
        names, results = manifest.result_files(run.folders.results, (PAPER,)), run.folders.results
        pack(run.reports / ROWS, run.folders.raw, results, names)
        made = {"results": manifest.file_digests(results, names)}
        for folder in ("results", "views", "raw"):
            shutil.rmtree(run.root / folder)
        if written_again:
            write_reports(run)
        made["reports"] = manifest.file_digests(run.reports, manifest.report_files(run.reports))
        facts(MANIFEST, lambda m: m.update(made))(run)

    return forge


def cloned(table: str, **values: Any) -> Forgery:
    """Forge columns of a report's table in a clone."""
    return in_a_clone(rows(f"{TABLES}/{table}.csv", lambda frame: frame.assign(**values)))


def member(name: str, change: Callable[[bytes], bytes]) -> Forgery:
    """Change a member of the view file."""

    def forge(run: SmallRun) -> None:
        with zipfile.ZipFile(run.root / VIEW) as archive:
            members = {item: archive.read(item) for item in archive.namelist()}
        members[name] = change(members[name])
        with zipfile.ZipFile(run.root / VIEW, "w") as archive:
            for item, content in members.items():
                archive.writestr(item, content)

    return forge


def view(change: Callable[[MultiViewData], object]) -> Forgery:
    """Write the view file anew."""

    def forge(run: SmallRun) -> None:
        data = MultiViewData.load(run.root / VIEW)
        change(data)
        data.save(run.root / VIEW)

    return forge


SURROGATE = {
    "source": "surrogate", "files": [], "comparable": "no",
    "differences": "Synthetic: drawn from a seeded model that knows only published statistics "
    "(size, classes, dimensions, non-zeros). No result on it is a reproduction.",
}  # fmt: skip
MADE = "is not what the reports were made from"
FETCHED, FOLLOWS = "is not the file that was fetched", "does not follow from the results"
#: What is forged -> what the refusal must say, and how it is done.
FORGERIES: dict[str, tuple[str, Forgery]] = {
    # fetched files and their provenance
    "labels of a fetched file": (f"page.csv {FETCHED}", text(f"{RAW}/page.csv", "z course", "no")),
    "a fetched file removed": (f"page.csv {FETCHED}", gone(f"{RAW}/page.csv")),
    "no provenance": ("PROVENANCE.json cannot be read", gone(PROVENANCE)),
    "a mirror": ("knows no files of", facts(PROVENANCE, lambda p: p.update(source="mirror"))),
    "comparable": ("of its comparable", facts(PROVENANCE, lambda p: p.update(comparable="no"))),
    "a digest": (FETCHED, facts(PROVENANCE, lambda p: p["files"][0].update(sha256="0" * 64))),
    "a surrogate": ("from other fetched files", facts(PROVENANCE, lambda p: p.update(SURROGATE))),
    "registry": ("registry of", text(f"registry/{DATASET}.yaml", "ble: same", "ble: subset")),
    # view files
    "labels of the views": (  # the last page gets the class of the fourth from the end
        "changed after it was built", member("labels.npy", lambda c: c[:-8] + c[-32:-24]),
    ),
    "meta of the views": (
        "changed after it was built",
        member("meta.json", lambda content: content.replace(b'"own"', b'"mirror"')),
    ),
    "views anew": ("from other views", view(lambda data: data.labels.sort())),
    "views without stamp": (
        "from other fetched files", view(lambda data: data.provenance.pop("made_from")),
    ),
    "views of other code": (
        "from another version of the code",
        view(lambda data: data.provenance["made_from"].update(code="0" * 32)),
    ),
    "half a view file": ("is not a readable view file", edit(VIEW, lambda c: c[: len(c) // 2])),
    "no view file": ("does not exist", gone(VIEW)),
    # results
    "runs deleted": ("rows in place of", rows(TABLE, lambda f: f[f["run"] == "0"])),
    "a method deleted": (
        "rows in place of", rows(TABLE, lambda f: f[f["method"] != "co-training"]),
    ),
    "methods swapped": (
        "other rows or runs of table",
        rows(TABLE, lambda f: f.assign(method=f["method"].replace(
            {"co-training": "supervised", "supervised": "co-training"}))),
    ),
    "a value": ("its values", rows(TABLE, first("value", "1.5"))),
    "no number": ("its values", rows(TABLE, first("value", "nan"))),
    "150 per cent, sealed": ("outside 0 .. 100", sealed(rows(TABLE, first("value", "150")))),
    "a result removed": ("table2.csv is missing; run the workflow again", gone(TABLE)),
    "details removed": ("table2.json is missing", gone(DETAILS)),
    "details edited": ("the details beside it", facts(DETAILS, lambda d: d.update(pages=1051))),
    "no stamp": ("has no stamp", facts(DETAILS, lambda d: d.pop("stamp"))),
    **{
        f"a stamp of other {what}": (
            says, facts(DETAILS, lambda d, what=what: d["stamp"]["made_from"].update({what: "0"})),
        )
        for what, says in (
            ("code", "from another version of the code"), ("settings", "from other settings"),
            ("seeds", "from another rule of seeds"),
        )
    },
    "results swapped": ("choices.csv", swapped),
    "settings edited": ("from other settings", text("config.yaml", "rounds: 30", "rounds: 29")),
    # what was printed, claimed and declared
    "print": (f"published.csv {MADE}", text(f"{ROOM}/published.csv", "12.9", "22.9")),
    "a claim": (f"claims.yaml {MADE}", text(f"{ROOM}/claims.yaml", "more than halves", "raises")),
    "margins": (f"margins.toml {MADE}", text("margins.toml", "margin = 2.0", "margin = 20.0")),
    "a reading": (
        f"readings.yaml {MADE}",
        text(f"{ROOM}/readings.yaml", "status: convention", "status: text"),
    ),
    # verdicts
    "ledger": (f"ledger.csv {FOLLOWS}", rows(
        f"{RESULTS}/ledger.csv", lambda f: f.assign(agreement="equivalent"))),
    "claims": (f"claims.csv {FOLLOWS}", rows(
        f"{RESULTS}/claims.csv", lambda f: f.assign(inferred="holds", detail="all well"))),
    "parts": (f"claim_parts.csv {FOLLOWS}", rows(
        f"{RESULTS}/claim_parts.csv", lambda f: f.assign(effect="9"))),
    "scored": (f"scored.json {FOLLOWS}", facts(
        f"{RESULTS}/scored.json", lambda s: s["jobs"].pop(f"{DATASET}/choices"))),
    "kind of data": (f"provenance.json {FOLLOWS}", facts(
        f"{RESULTS}/provenance.json", lambda p: p[DATASET].update(kind="surrogate"))),
    # reports
    "a verdict in the report": ("ledger.csv is not the file of the manifest", rows(
        f"{TABLES}/ledger.csv", first("agreement", "equivalent"))),
    "a page": ("cotraining.html is not the file of", text(
        f"reports/{PAPER}.html", "cells", "cells, all equivalent")),
    "a page added": (
        "more.html is not in the manifest", edit("reports/more.html", lambda _: b"<p/>")),
    "a picture": ("verdicts.svg", text("reports/verdicts.svg", "claims", "Claims")),
    "no manifest": ("is missing or no manifest", gone(MANIFEST)),
    "a digest of the manifest": ("table2.csv is not the file of the manifest", facts(
        MANIFEST, lambda m: m["results"].update({f"{PAPER}/{DATASET}/table2.csv": "0" * 64}))),
    "parts in report and manifest": ("claim_parts.csv says something else of", lambda run: (
        rows(f"{TABLES}/claim_parts.csv", lambda f: f.assign(effect="9"))(run),
        facts(MANIFEST, lambda m: m["reports"].update({
            "tables/claim_parts.csv": manifest.sha256_of(run.reports / "tables/claim_parts.csv")
        }))(run))),
    # a clone: no results, and whoever forged it has written summary, picture and manifest again
    "clone: verdicts": (OTHERWISE, cloned("ledger", agreement="equivalent")),
    "clone: print": (OTHERWISE, cloned("ledger", published="50")),
    "clone: ours": (OTHERWISE, cloned("ledger", ours=lambda f: f["published"])),
    "clone: ours by a little": (
        OTHERWISE, cloned("ledger", ours=lambda f: pd.to_numeric(f["ours"]) * 1.0001),
    ),
    "clone: a summary": ("SUMMARY.md tells something else", in_a_clone(
        text("reports/SUMMARY.md", "What holds", "Most holds"), written_again=False)),
    "clone: every claim and every part holds": (OTHERWISE, in_a_clone(lambda run: (
        rows(f"{TABLES}/claims.csv", lambda f: f.assign(
            inferred="holds", text="holds", inferred_p_holds="0.001", text_p_holds="0.001"))(run),
        rows(f"{TABLES}/claim_parts.csv", lambda f: f.assign(word="holds", p_holds="0"))(run)))),
    "clone: a statement": (OTHERWISE, in_a_clone(rows(
        f"{TABLES}/claims.csv", first("statement", "Co-training is best.")))),
    "clone: rows": ("was changed after it was made", in_a_clone(rows(
        TABLE, first("value", "1.5")))),
    "clone: rows with a stamp of their own": (OTHERWISE, in_a_clone(sealed(rows(
        TABLE, first("value", "1.5"))))),
}  # fmt: skip


@contextmanager
def rooms_of(run: SmallRun):
    """Read what was printed, claimed and declared from the run's own folder."""
    with (
        mock.patch.object(rooms, "PAPERS", run.root / "papers"),
        mock.patch.object(manifest, "MARGINS", run.root / "margins.toml"),
    ):
        published._read.cache_clear()
        yield
    published._read.cache_clear()


def refusal(run: SmallRun, name: str, target: Path) -> str:
    """Forge a copy of a run; return what `verify` says about it, empty if it sees nothing."""
    says, change = FORGERIES[name]
    forged = run.copy(target)
    change(forged)
    with rooms_of(forged):
        problems = forged.verified().problems
    said = "\n".join(problems)
    assert not problems or says in said, f"{says!r} is not named in:\n{said}"
    bare = [line for line in problems if re.match(r"(\w+: )?\[Errno", line)]
    assert not bare, f"errors of the system without a mend: {bare}"
    return said


def tampering() -> dict[str, object]:
    """Forge a small run in every way; return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        honest = build(Path(folder) / "run", np.random.default_rng(0))
        with rooms_of(honest):
            assert honest.verified().problems == []
        wrong = [name for name in FORGERIES if not refusal(honest, name, Path(folder) / name)]
    count = len(FORGERIES)
    return {"forgeries": count, "refused": count - len(wrong), "wrong": wrong}
