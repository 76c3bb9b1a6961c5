"""Report, tables, advice and the command line."""

import copy
import csv
import re

import numpy as np
import pytest
from small_data import CHEAP, SEARCHERS, compared, own_data

from manyviews.compare import command, recommend
from manyviews.compare.advice import advise
from manyviews.compare.diagnose import diagnostics
from manyviews.compare.reading.own import read_own
from manyviews.compare.report import write
from manyviews.compare.report.write import report_html, write_report
from manyviews.compare.task import ranked


@pytest.fixture(scope="module")
def made(module_rng):
    """One comparison for all: classes that can be told apart, and some rows without one."""
    data = own_data(module_rng, n_rows=80)
    data.codes[module_rng.permutation(len(data))[:8]] = -1
    return compared(data)


@pytest.fixture
def found(made):
    """The comparison, for a test to change."""
    return copy.deepcopy(made)


def test_the_report_is_whole_needs_no_network_and_escapes_names(found, monkeypatch):
    def broken(found, advice):
        raise RuntimeError("<no> luck")

    monkeypatch.setattr(write, "SECTIONS", (broken, *write.SECTIONS))
    found.data.name, found.data.classes[0] = "<b>bold</b>", "<script>x</script>"
    text = report_html(found, advise(found))
    opened = re.findall(r"<(?!meta)(\w+)[^>]*(?<!/)>", text)
    assert sorted(opened) == sorted(re.findall(r"</(\w+)>", text))
    assert "RuntimeError: &lt;no&gt; luck" in text
    for word in ("src=", "href=", "<script>", "<b>bold"):
        assert word not in text, word
    assert report_html(found, advise(found)) == text


def test_predictions_hold_every_row_and_no_formula(found, tmp_path):
    data = found.data
    data.classes[0] = '=cmd("x")'
    write_report(found, tmp_path)
    with open(tmp_path / "predictions.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == data.ids
    names = ['\'=cmd("x")', data.classes[1]]
    for row, code in zip(rows, data.codes, strict=True):
        assert row["label"] == (names[code] if code >= 0 else "")
        assert (row["predicted_held_out"] != "") == (code >= 0)
    # these classes can be told apart: held out or not, most rows get their own
    labelled = [row for row in rows if row["label"]]
    for column in ("predicted_held_out", "predicted_by_winner"):
        assert {row[column] for row in labelled} <= set(names)
        assert sum(row[column] == row["label"] for row in labelled) > 0.6 * len(labelled)


def set_scores(found, level, other=0.5):
    for i, record in enumerate(found.records):
        noise = 0.001 * ((7 * i) % 5)
        record["scores"]["macro_f1"] = level.get(record["method"], other) + noise


def test_a_real_margin_is_advised_and_a_small_one_is_not(found, rng):
    alone = "single_view.part0"
    level = {alone: 0.9, "concatenation": 0.6, "complement_nb": 0.7, "majority": 0.3, "chance": 0.3}
    set_scores(found, level)
    advice = advise(found)
    assert advice.key == alone
    # over the best method on the concatenation, not over the first
    margin = re.search(r"([\d.]+) points more", advice.sentence)
    assert float(margin[1]) == pytest.approx(20, abs=0.4)
    set_scores(found, {**level, alone: 0.7035})
    assert advise(found).key == "complement_nb"
    assert "No difference that matters" in advise(found).sentence
    set_scores(found, {**level, alone: 0.5})
    assert "none of 6 methods does better" in advise(found).sentence
    for guess in ("majority", "chance"):  # as good as either guess, and much better than the other
        set_scores(found, {alone: 0.2, "concatenation": 0.2, guess: 0.7, "complement_nb": 0.7003})
        assert advise(found).sentence.startswith("Nothing to use"), guess
    values = dict(zip([s.name for s in found.splits], rng.random(5), strict=True))
    for record in found.records:  # every method no better than the next
        record["scores"]["macro_f1"] = values[record["split"]]
    assert advise(found).sentence.startswith("Nothing to use")


def test_clustering_has_a_report_too(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="cluster")
    only = ["chance", "kmeans", "spherical_kmeans", "single_view"]
    for measure in ("NMI", "silhouette"):
        write_report(compared(data, only), tmp_path / measure)
        assert measure in (tmp_path / measure / "report.html").read_text()
        data.codes[:] = -1
        data.classes, data.clusters = [], 2


def test_mean_average_precision_by_hand(rng):
    # rows 0 and 1 are of one class; row 0 finds itself first, then 2, then 1
    spaces = np.array([[[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]])
    wanted = np.array([0, 0, 1])
    first = (1 + 2 / 3) / 2  # ranks 1 and 3; row 1 the same
    assert ranked(spaces, wanted, 2) == pytest.approx((first + first + 1) / 3)
    assert ranked(spaces, 0 * wanted, 1) == 1.0
    views, classes = rng.normal(size=(3, 12, 4)), rng.integers(3, size=12)
    assert ranked(views[::-1], classes, 3) == pytest.approx(ranked(views, classes, 3))  # both ways


def test_rows_that_lack_a_view_are_not_searched_and_the_report_is_written(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="retrieval")
    observed = np.ones((60, 2), dtype=bool)
    observed[rng.permutation(60)[:9], 1] = False
    data.views = type(data.views)(data.views, observed=observed)
    found = compared(data, SEARCHERS)
    assert found.failed == {}
    tested = np.concatenate([split.test for split in found.splits])
    assert set(tested) == set(np.flatnonzero(observed.all(axis=1)))
    assert any("9 rows do not have all views" in note for note in data.notes)
    assert "mean average precision" in write_report(found, tmp_path).sentence
    assert (tmp_path / "report.html").exists()


def test_pairs_without_classes_are_searched_too(rng):
    data = own_data(rng, n_rows=60, task="retrieval")
    shared = rng.normal(size=(60, 6))
    data.views = data.views.replace(
        {name: np.hstack([shared, rng.normal(size=(60, 2))]) for name in data.views.names}
    )
    data.codes[:], data.classes = -1, []
    found = compared(data, SEARCHERS)
    assert any("needs classes" in line for line in found.skipped)
    assert found.scores()["cca"].mean() > found.scores()["chance"].mean() + 0.2


@pytest.fixture
def place(tmp_path, rng):
    """A folder of two tables."""
    (tmp_path / "mine").mkdir()
    for v in range(2):
        X = rng.normal(3.0 * (np.arange(40) % 2)[:, None], 1.0, (40, 2))
        lines = [f"p{i},{a:.4f},{b:.4f},{'uv'[i % 2]}\n" for i, (a, b) in enumerate(X)]
        (tmp_path / "mine" / f"v{v}.csv").write_text("".join(["id,a,b,label\n", *lines]))
    return tmp_path / "mine"


def test_the_command_goes_from_files_to_report(tmp_path, place, capsys):
    out = tmp_path / "out"
    arguments = ["compare", str(place), "--out", str(out), "--rounds", "1", "--jobs", "1",
                 "--methods", ",".join(CHEAP)]  # fmt: skip
    assert command.main(arguments) == 0
    assert capsys.readouterr().out.rstrip().endswith("report.html")
    first = {name: (out / name).read_bytes() for name in ("scores.csv", "predictions.csv")}
    assert command.main(arguments) == 0
    assert first == {name: (out / name).read_bytes() for name in first}


def test_bad_input_ends_in_one_line_and_leaves_nothing(tmp_path, place, capsys):
    out = tmp_path / "out"
    for arguments in (["--rounds", "0"], ["--methods", "magic"], ["--rounds", "1"]):
        if arguments == ["--rounds", "1"]:
            (place / "v1.csv").write_text("id,a\np0,1,2\n")
        assert command.main(["compare", str(place), "--out", str(out), *arguments]) == 1
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert error.count("\n") == 1
        assert not out.exists()
    assert "v1.csv" in error


def test_the_extra_is_named_when_it_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main(["compare", "x"]) == 2
    assert "pip install 'manyviews[compare]'" in capsys.readouterr().err


def test_the_command_recommends_from_experience(tmp_path, place, capsys, monkeypatch):
    keys = list(diagnostics(read_own(place)))
    rows = ["comparison,data,task,kind,name,value,score"]
    for i in range(6):
        rows += [f"s{i},d{i},classify,diagnostic,{key},{i}," for key in keys]
        rows += [f"s{i},d{i},classify,method,{key}" for key in ("concatenation,,0.8", "sgc,,0.9")]
    file = tmp_path / "experience.csv"
    file.write_text("\n".join(rows) + "\n")
    monkeypatch.setattr(recommend, "SHIPPED", file)
    assert command.main(["recommend", str(place)]) == 0
    assert "Try sgc, concatenation" in capsys.readouterr().out
