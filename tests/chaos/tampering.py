"""Ways to forge a run; `verify` must refuse every one of them.

``python tests/chaos/tampering.py`` makes a small run, forges it in every way and prints what was
refused; the tests do the same, one test a forgery.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from small_run import DATASET, PAPER, SmallRun, build

from reproduction import rooms
from reproduction.data.format import MultiViewData
from reproduction.pages.evidence import commit, record
from reproduction.results import published
from reproduction.workflow import manifest

Forgery = Callable[[SmallRun], None]
FORGERIES: dict[str, tuple[str, Forgery]] = {}


def forgery(says: str) -> Callable[[Forgery], Forgery]:
    """Register a forgery and what the refusal must name."""

    def register(function: Forgery) -> Forgery:
        FORGERIES[function.__name__.replace("_", " ")] = (says, function)
        return function

    return register


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} does not hold {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def edit_json(path: Path, change: Callable[[dict], object]) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def edit_table(path: Path, change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    frame = change(pd.read_csv(path, dtype=str, keep_default_na=False))
    frame.to_csv(path, index=False, lineterminator="\n")


def first_value(value: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def change(frame: pd.DataFrame) -> pd.DataFrame:
        frame.loc[0, "value"] = value
        return frame

    return change


def raw(run: SmallRun, name: str) -> Path:
    return run.folders.raw / DATASET / name


def view(run: SmallRun) -> Path:
    return run.folders.views / f"{DATASET}.npz"


# fetched files and their provenance


@forgery("page.csv is not the file that was fetched")
def labels_flipped_in_a_fetched_file(run):
    replace(raw(run, "page.csv"), "z course", "other")


@forgery("link.csv is not the file that was fetched")
def a_word_changed_in_a_fetched_file(run):
    text = raw(run, "link.csv").read_text()
    raw(run, "link.csv").write_text(text.replace("d0,0", "d0,1").replace("d0,1", "d0,7", 1))


@forgery("link.csv is not the file that was fetched")
def a_row_removed_from_a_fetched_file(run):
    lines = raw(run, "link.csv").read_text().splitlines(keepends=True)
    raw(run, "link.csv").write_text("".join(lines[:-1]))


@forgery("page.csv is not the file that was fetched")
def a_fetched_file_removed(run):
    raw(run, "page.csv").unlink()


@forgery("is not the file that was fetched")
def two_fetched_files_swapped(run):
    a, b = raw(run, "page.csv"), raw(run, "link.csv")
    one, two = a.read_bytes(), b.read_bytes()
    a.write_bytes(two)
    b.write_bytes(one)


@forgery("PROVENANCE.json cannot be read")
def the_provenance_removed(run):
    raw(run, "PROVENANCE.json").unlink()


@forgery("is no provenance of webkb_course")
def the_provenance_emptied(run):
    raw(run, "PROVENANCE.json").write_text("[]")


@forgery("the registry knows no files of the source 'mirror'")
def a_provenance_that_names_a_mirror(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p.update(source="mirror"))


@forgery("of its comparable")
def a_provenance_that_claims_another_comparability(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p.update(comparable="own_draw"))


@forgery("of its differences")
def a_provenance_with_other_differences(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p.update(differences="None at all."))


@forgery("of its role")
def a_provenance_with_another_role(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p.update(role="paper"))


@forgery("is not as the registry has it for 'own'")
def a_provenance_without_its_files(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p.update(files=[]))


@forgery("is not the file that was fetched")
def a_provenance_with_another_digest(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p["files"][0].update(sha256="0" * 64))


@forgery("of its dataset")
def the_provenance_of_another_data_set(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p.update(dataset="ads"))


@forgery("is not the file that was fetched")
def a_provenance_that_points_outside(run):
    edit_json(raw(run, "PROVENANCE.json"), lambda p: p["files"][0].update(path="../page.csv"))


@forgery("was made from other fetched files")
def a_provenance_that_says_surrogate(run):
    def change(facts):
        facts.update(source="surrogate", files=[], comparable="no")
        facts["differences"] = (
            "Synthetic: drawn from a seeded model that knows only published statistics "
            "(size, classes, dimensions, non-zeros). No result on it is a reproduction."
        )

    edit_json(raw(run, "PROVENANCE.json"), change)


@forgery("registry of webkb_course")
def an_edited_registry(run):
    replace(run.root / "registry" / f"{DATASET}.yaml", "comparable: same", "comparable: subset")


# view files


def rewrite_member(path: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {item: archive.read(item) for item in archive.namelist()}
    members[name] = change(members[name])
    with zipfile.ZipFile(path, "w") as archive:
        for item, content in members.items():
            archive.writestr(item, content)


@forgery("was changed after it was built")
def labels_flipped_in_the_view_file(run):
    def flip(content: bytes) -> bytes:
        labels = np.load(io.BytesIO(content))
        labels[:10] = 1 - labels[:10]
        buffer = io.BytesIO()
        np.save(buffer, labels)
        return buffer.getvalue()

    rewrite_member(view(run), "labels.npy", flip)


@forgery("was changed after it was built")
def another_provenance_in_the_view_file(run):
    rewrite_member(view(run), "meta.json", lambda text: text.replace(b'"own"', b'"mirror"'))


@forgery("was made from other view files")
def a_view_file_written_anew_with_other_labels(run):
    data = MultiViewData.load(view(run))
    data.labels[:10] = 1 - data.labels[:10]
    data.save(view(run))


@forgery("was made from other fetched files")
def a_view_file_without_its_stamp(run):
    data = MultiViewData.load(view(run))
    data.provenance.pop("made_from")
    data.save(view(run))


@forgery("was made from another version of the code")
def a_view_file_of_other_code(run):
    data = MultiViewData.load(view(run))
    data.provenance["made_from"]["code"] = "0" * 32
    data.save(view(run))


@forgery("was made from other options")
def a_view_file_of_other_options(run):
    data = MultiViewData.load(view(run))
    data.provenance["made_from"]["options"] = {"photographs": 6}
    data.save(view(run))


@forgery("is not a readable view file")
def half_a_view_file(run):
    content = view(run).read_bytes()
    view(run).write_bytes(content[: len(content) // 2])


@forgery("does not exist")
def the_view_file_removed(run):
    view(run).unlink()


# results


@forgery("rows in place of")
def half_of_the_runs_deleted(run):
    edit_table(run.result(), lambda frame: frame[frame["run"] == "0"])


@forgery("rows in place of")
def a_method_deleted(run):
    edit_table(run.result(), lambda frame: frame[frame["method"] != "co-training"])


@forgery("other rows or runs of table")
def two_methods_swapped(run):
    names = {"co-training": "supervised", "supervised": "co-training"}
    edit_table(run.result(), lambda f: f.assign(method=f["method"].replace(names)))


@forgery("its values")
def a_value_changed(run):
    edit_table(run.result(), first_value("1.5"))


@forgery("its values")
def a_percentage_of_150(run):
    edit_table(run.result(), first_value("150"))


@forgery("its values")
def a_negative_percentage(run):
    edit_table(run.result(), first_value("-5"))


@forgery("its values")
def a_value_that_is_no_number(run):
    edit_table(run.result(), first_value("nan"))


def seal(path: Path) -> None:
    """Give an edited result a stamp that fits its content."""
    from reproduction.results.custody import contents_of
    from reproduction.results.rows import read_rows
    from reproduction.rooms import tables_of

    def change(details):
        rows = read_rows(path, tables_of(PAPER))
        details["stamp"]["holds"] = contents_of(path.read_text(), rows, details)

    edit_json(path.with_suffix(".json"), change)


@forgery("outside 0 .. 100")
def a_percentage_of_150_with_a_stamp_of_its_own(run):
    edit_table(run.result(), first_value("150"))
    seal(run.result())


@forgery("table2.csv is missing; run the workflow again")
def a_result_removed(run):
    run.result().unlink()


@forgery("table2.json is missing")
def the_details_removed(run):
    run.result(end=".json").unlink()


@forgery("the details beside it")
def the_details_edited(run):
    edit_json(run.result(end=".json"), lambda details: details.update(pages=1051))


@forgery("has no stamp")
def the_stamp_removed(run):
    edit_json(run.result(end=".json"), lambda details: details.pop("stamp"))


@forgery("was made from another version of the code")
def a_stamp_of_other_code(run):
    edit_json(run.result(end=".json"), lambda d: d["stamp"]["made_from"].update(code="0" * 16))


@forgery("was made from other settings")
def a_stamp_of_other_settings(run):
    edit_json(run.result(end=".json"), lambda d: d["stamp"]["made_from"].update(settings="0"))


@forgery("was made from another rule of seeds")
def a_stamp_of_other_seeds(run):
    edit_json(run.result(end=".json"), lambda d: d["stamp"]["made_from"].update(seeds=1))


@forgery("choices.csv")
def two_results_swapped(run):
    for end in (".csv", ".json"):
        a, b = run.result(end=end), run.result("choices", end)
        one, two = a.read_bytes(), b.read_bytes()
        a.write_bytes(two)
        b.write_bytes(one)


@forgery("was made from other settings")
def edited_settings(run):
    replace(run.settings_file, "rounds: 2", "rounds: 30")


# what was printed, claimed and declared


@forgery("cotraining/published.csv is not what the reports were made from")
def an_edited_published_cell(run):
    replace(run.room / "published.csv", "12.9", "22.9")


@forgery("cotraining/published.csv is not what the reports were made from")
def a_published_cell_removed(run):
    lines = (run.room / "published.csv").read_text().splitlines(keepends=True)
    (run.room / "published.csv").write_text("".join(lines[:-1]))


@forgery("cotraining/claims.yaml is not what the reports were made from")
def an_edited_claim(run):
    replace(run.room / "claims.yaml", "more than halves", "does not raise")


@forgery("holds no list of claims")
def no_claims(run):
    (run.room / "claims.yaml").write_text("[]\n")


@forgery("margins.yaml is not what the reports were made from")
def wider_margins(run):
    replace(run.margins, "margin: 2.0", "margin: 20.0")


@forgery("readings.yaml is not what the reports were made from")
def a_reading_called_text(run):
    replace(run.room / "readings.yaml", "status: convention", "status: text")


# verdicts and reports


@forgery("ledger.csv does not follow from the results")
def an_edited_ledger(run):
    edit_table(run.scored("ledger.csv"), lambda f: f.assign(agreement="equivalent"))


@forgery("claims.csv does not follow from the results")
def an_edited_table_of_claims(run):
    edit_table(run.scored("claims.csv"), lambda f: f.assign(inferred="holds", detail="all well"))


@forgery("claim_parts.csv does not follow from the results")
def an_edited_part_of_a_claim(run):
    edit_table(run.scored("claim_parts.csv"), lambda f: f.assign(effect="9"))


@forgery("ledger.csv does not follow from the results")
def the_ledger_removed(run):
    run.scored("ledger.csv").unlink()


@forgery("scored.json does not follow from the results")
def the_list_of_what_was_scored_edited(run):
    edit_json(run.scored("scored.json"), lambda s: s["jobs"].pop(f"{DATASET}/choices"))


@forgery("provenance.json does not follow from the results")
def the_facts_of_the_data_edited(run):
    edit_json(run.scored("provenance.json"), lambda p: p[DATASET].update(kind="surrogate"))


@forgery("tables/ledger.csv is not the file of the manifest")
def a_verdict_edited_in_the_report(run):
    def change(frame):
        frame.loc[0, "agreement"] = (
            "equivalent" if frame.loc[0, "agreement"] != "equivalent" else "near"
        )
        return frame

    edit_table(run.reports / "tables" / "ledger.csv", change)


@forgery("the rules say")
def a_verdict_edited_in_ledger_report_and_manifest(run):
    a_verdict_edited_in_the_report(run)
    shutil.rmtree(run.folders.results)  # as in a clone
    name = "tables/ledger.csv"
    digest = manifest.sha256_of(run.reports / name)
    edit_json(run.reports / "MANIFEST.json", lambda m: m["reports"].update({name: digest}))


@forgery("is not what is printed")
def a_published_figure_edited_in_ledger_report_and_manifest(run):
    edit_table(run.reports / "tables" / "ledger.csv", lambda f: f.assign(published="50"))
    shutil.rmtree(run.folders.results)
    name = "tables/ledger.csv"
    digest = manifest.sha256_of(run.reports / name)
    edit_json(run.reports / "MANIFEST.json", lambda m: m["reports"].update({name: digest}))


@forgery("SUMMARY.md tells something else")
def a_summary_edited_with_the_manifest(run):
    replace(run.reports / "SUMMARY.md", "published cell", "equivalent cell")
    shutil.rmtree(run.folders.results)
    digest = manifest.sha256_of(run.reports / "SUMMARY.md")
    edit_json(run.reports / "MANIFEST.json", lambda m: m["reports"].update({"SUMMARY.md": digest}))


@forgery("tables/claims.csv is not the file of the manifest")
def a_claim_edited_in_the_report(run):
    edit_table(
        run.reports / "tables" / "claims.csv", lambda f: f.assign(inferred="holds", inferred_n="99")
    )


@forgery("tables/claim_parts.csv says something else of cotraining than its results")
def a_part_of_a_claim_edited_in_report_and_manifest(run):
    name = "tables/claim_parts.csv"
    edit_table(run.reports / name, lambda f: f.assign(effect="9"))
    digest = manifest.sha256_of(run.reports / name)
    edit_json(run.reports / "MANIFEST.json", lambda m: m["reports"].update({name: digest}))


@forgery("cotraining.html is not the file of the manifest")
def an_edited_page(run):
    replace(run.reports / "cotraining.html", "cells", "cells, all equivalent")


@forgery("cotraining.html is missing")
def a_page_removed(run):
    (run.reports / "cotraining.html").unlink()


@forgery("more.html is not in the manifest")
def a_page_added(run):
    (run.reports / "more.html").write_text("<p>All equivalent.</p>")


@forgery("is not the file of the manifest")
def two_pages_swapped(run):
    a, b = run.reports / "index.html", run.reports / "cotraining.html"
    one, two = a.read_bytes(), b.read_bytes()
    a.write_bytes(two)
    b.write_bytes(one)


@forgery("verdicts.svg")
def an_edited_picture(run):
    replace(run.reports / "verdicts.svg", "claims", "Claims")


@forgery("MANIFEST.json is missing or no manifest")
def the_manifest_removed(run):
    (run.reports / "MANIFEST.json").unlink()


@forgery("MANIFEST.json is missing or no manifest")
def the_manifest_emptied(run):
    (run.reports / "MANIFEST.json").write_text("{}")


@forgery("table2.csv is not the file of the manifest")
def a_digest_edited_in_the_manifest(run):
    name = f"{PAPER}/{DATASET}/table2.csv"
    edit_json(run.reports / "MANIFEST.json", lambda m: m["results"].update({name: "0" * 64}))


@contextmanager
def rooms_of(run: SmallRun):
    """Read what was printed, claimed and declared from the run's own folder."""
    with (
        mock.patch.object(rooms, "PAPERS", run.root / "papers"),
        mock.patch.object(manifest, "MARGINS", run.margins),
    ):
        published._read.cache_clear()
        yield
    published._read.cache_clear()


def refusal(run: SmallRun, name: str, target: Path) -> str:
    """Forge a copy of a run; return what `verify` says about it, empty if it sees nothing."""
    says, change = FORGERIES[name]
    forged = run.copy(target)
    with rooms_of(forged):
        change(forged)
        problems = forged.problems()
    text = "\n".join(problems)
    assert not problems or says in text, f"{says!r} is not named in:\n{text}"
    bare = [line for line in problems if re.match(r"(\w+: )?\[Errno", line)]
    assert not bare, f"errors of the system without a mend: {bare}"
    return text


def main() -> int:
    state = commit()
    with tempfile.TemporaryDirectory() as folder:
        run = build(Path(folder) / "run", np.random.default_rng(0))
        with rooms_of(run):
            assert run.problems() == [], run.problems()
        missed = []
        for number, name in enumerate(FORGERIES):
            found = refusal(run, name, Path(folder) / str(number))
            print(f"{'refused' if found else 'MISSED '}  {name}")
            missed += [] if found else [name]
    print(f"{len(FORGERIES) - len(missed)} of {len(FORGERIES)} forgeries refused")
    figures = {
        "forgeries": len(FORGERIES), "refused": len(FORGERIES) - len(missed), "missed": missed,
    }  # fmt: skip
    record("tampering", "make chaos ARGS=tampering", figures, state)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
