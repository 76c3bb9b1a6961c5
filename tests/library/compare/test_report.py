"""Report, tables, winner and the command line."""

import copy
import csv
import html.parser

import joblib
import numpy as np
import pytest
from small_data import CHEAP, SEARCHERS, compared, own_data

from manyviews.compare import command
from manyviews.compare.advice import advise
from manyviews.compare.diagnose import diagnostics
from manyviews.compare.reading.own import read_own
from manyviews.compare.report import write
from manyviews.compare.report.write import report_html, write_report
from manyviews.compare.run import Store
from manyviews.compare.task import ranked, recognise, retrieved
from manyviews.compare.winner import load


@pytest.fixture(scope="module")
def made(module_rng, tmp_path_factory):
    """One comparison for all: classes that can be told apart, and some rows without one."""
    data = own_data(module_rng, n_rows=80)
    data.codes[module_rng.permutation(len(data))[:8]] = -1
    return compared(data, tmp_path_factory.mktemp("work"))


@pytest.fixture
def found(made):
    """The comparison, for a test to change."""
    return copy.deepcopy(made)


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        self.open += [] if tag == "meta" else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_is_whole_and_needs_no_network(found):
    text = report_html(found, advise(found))
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert "src=" not in text
    assert "href=" not in text
    for word in ("which method to use", "All methods", "The views", "Errors of",
                 "did not run", "guessed", "winner.joblib"):  # fmt: skip
        assert word in text, word
    assert '<p class="caption">Test rows, all splits together.</p>\n<div' in text
    assert report_html(found, advise(found)) == text


def test_names_are_escaped(found):
    found.data.name, found.data.classes[0] = "<b>bold</b>", "<script>x</script>"
    text = report_html(found, advise(found))
    assert "<script>" not in text
    assert "<b>bold" not in text


def test_the_winner_can_be_loaded_and_used(found, rng, tmp_path):
    data = found.data
    advice = write_report(found, tmp_path)
    winner = load(tmp_path / "winner.joblib")
    assert winner.title == found.methods[advice.key].title
    told = [winner.predictions[key] for key in data.ids]
    assert winner.predict(data.views) == told
    # a file with the columns of one view in another order, the other view left out
    order = rng.permutation(data.views.matrices[0].shape[1])
    header = ["id", *(data.columns[0][j] for j in order)]
    rows = [[data.ids[i], *data.views.matrices[0][i, order]] for i in range(3)]
    new = tmp_path / "new"
    new.mkdir()
    with open(new / "part0.csv", "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    (new / "data.yaml").write_text("views: {part0: part0.csv}\nid: id\n")
    assert len(winner.predict(new)) == 3
    # with all views from files, new rows are told as the fitted ones were
    with open(new / "part1.csv", "w", newline="") as file:
        body = [[data.ids[i], *data.views.matrices[1][i]] for i in (2, 0, 1)]
        csv.writer(file).writerows([["id", *data.columns[1]], *body])
    (new / "data.yaml").write_text("views: {part0: part0.csv, part1: part1.csv}\nid: id\n")
    assert winner.predict(new) == told[:3]
    joblib.dump(3, tmp_path / "other.joblib")
    with pytest.raises(ValueError, match="no winner"):
        load(tmp_path / "other.joblib")


def test_predictions_hold_every_row(found, tmp_path):
    data = found.data
    write_report(found, tmp_path)
    with open(tmp_path / "predictions.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == data.ids
    for row, code in zip(rows, data.codes, strict=True):
        assert (row["predicted_held_out"] != "") == (code >= 0)
        assert row["predicted_by_winner"] in data.classes


def test_separable_data_are_worth_a_method_and_noise_is_not(found, rng):
    assert not advise(found).sentence.startswith("Nothing")
    values = dict(zip([s.name for s in found.splits], rng.random(5), strict=True))
    for record in found.records:  # every method no better than the next
        record["scores"]["macro_f1"] = values[record["split"]]
    assert advise(found).sentence.startswith("Nothing to use")


def test_a_real_margin_is_advised_and_a_small_one_is_not(found):
    alone = "single_view.part0"
    level = {alone: 0.9, "concatenation": 0.6, "complement_nb": 0.7, "majority": 0.3, "chance": 0.3}

    def set_scores():
        for i, record in enumerate(found.records):
            noise = 0.001 * ((7 * i) % 5)
            record["scores"]["macro_f1"] = level.get(record["method"], 0.5) + noise

    set_scores()
    advice = advise(found)
    assert advice.key == alone
    assert advice.sentence.startswith("Use View 'part0' alone")
    # over the best method on the concatenation, not over the first
    assert advice.margin.mean == pytest.approx(0.2, abs=0.004)
    assert "(Complement naive Bayes)" in advice.sentence
    assert "times its time" in advice.sentence
    level[alone] = 0.7035
    set_scores()
    assert advise(found).key == "complement_nb"
    assert advise(found).sentence.startswith("Just concatenate")
    assert "No difference that matters" in advise(found).sentence
    level[alone] = 0.5
    set_scores()
    assert "none of 6 methods does better" in advise(found).sentence


def test_clustering_has_a_report_too(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="cluster")
    only = ["chance", "kmeans", "spherical_kmeans", "single_view"]
    found = compared(data, tmp_path / "work", only=only)
    write_report(found, tmp_path)
    assert "NMI" in (tmp_path / "report.html").read_text()
    data.codes[:] = -1
    data.classes, data.clusters = [], 2
    found = compared(data, tmp_path / "work", only=only)
    write_report(found, tmp_path / "silent")
    assert "silhouette" in (tmp_path / "silent" / "report.html").read_text()


def test_mean_average_precision_by_hand(rng):
    # rows 0 and 1 are of one class; row 0 finds itself first, then 2, then 1
    spaces = np.array([[[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]])
    wanted = np.array([0, 0, 1])
    first = (1 + 2 / 3) / 2  # ranks 1 and 3; row 1 the same
    assert ranked(spaces, wanted) == pytest.approx((first + first + 1) / 3)
    task = recognise(own_data(rng, task="retrieval"))
    assert retrieved(task, wanted, spaces)["reciprocal_rank"] == 1.0


def test_rows_that_lack_a_view_take_no_part(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="retrieval")
    observed = np.ones((60, 2), dtype=bool)
    observed[rng.permutation(60)[:9], 1] = False
    data.views = type(data.views)(data.views, observed=observed)
    found = compared(data, tmp_path, only=SEARCHERS)
    tested = np.concatenate([split.test for split in found.splits])
    assert set(tested) == set(np.flatnonzero(observed.all(axis=1)))
    assert any("9 rows do not have all views" in note for note in data.notes)


def test_a_retrieval_has_a_report_and_its_winner_searches(rng, tmp_path):
    data = own_data(rng, n_rows=80, task="retrieval")
    found = compared(data, tmp_path / "work", only=SEARCHERS)
    assert found.failed == {}
    advice = write_report(found, tmp_path)
    assert "mean average precision" in advice.sentence
    text = (tmp_path / "report.html").read_text()
    assert "winner.search" in text
    with open(tmp_path / "predictions.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 80
    assert {row["best_match"] for row in rows} <= set(data.ids)
    winner = load(tmp_path / "winner.joblib")
    near = winner.search(data.views[:5], "part0", "part1", first=3)
    assert [len(row) for row in near] == [3] * 5
    with pytest.raises(ValueError, match="no view 'x'"):
        winner.search(data.views[:5], "x", "part1")
    with pytest.raises(ValueError, match="search"):
        winner.predict(data.views)


def test_pairs_without_classes_are_searched_too(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="retrieval")
    shared = rng.normal(size=(60, 6))
    data.views = data.views.replace(
        {name: np.hstack([shared, rng.normal(size=(60, 2))]) for name in data.views.names}
    )
    data.columns = [[f"c{j}" for j in range(8)]] * 2
    data.codes[:], data.classes = -1, []
    found = compared(data, tmp_path / "work", only=SEARCHERS)
    assert any("needs classes" in line for line in found.skipped)
    assert found.scores()["cca"].mean() > found.scores()["chance"].mean() + 0.2
    write_report(found, tmp_path)


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
    said = capsys.readouterr().out
    assert "rows are named by column 'id'" in said
    assert "round 1: 30 of 30 fits" in said
    assert said.rstrip().endswith("report.html")
    first = {name: (out / name).read_bytes() for name in ("scores.csv", "predictions.csv")}
    assert command.main(arguments) == 0
    assert first == {name: (out / name).read_bytes() for name in first}


def test_bad_input_ends_in_one_line_and_leaves_nothing(tmp_path, place, capsys):
    out = tmp_path / "out"
    (place / "v1.csv").write_text("id,a\np0,1,2\n")
    assert command.main(["compare", str(place), "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "v1.csv" in error
    assert "Traceback" not in error
    assert not out.exists()
    for arguments in (["--rounds", "0"], ["--plugins", str(tmp_path / "none")],
                      ["--methods", "magic"]):  # fmt: skip
        (place / "v1.csv").unlink(missing_ok=True)
        assert command.main(["compare", str(place), "--out", str(out), *arguments]) == 1
        assert capsys.readouterr().err.count("\n") == 1
        assert not out.exists()


def test_ctrl_c_ends_in_one_line(tmp_path, place, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("manyviews.compare.run.run_job", interrupted)
    out = tmp_path / "out"
    arguments = ["compare", str(place), "--out", str(out), "--jobs", "1"]
    assert command.main(arguments) == 130
    assert capsys.readouterr().err.count("\n") == 1
    assert not (out / "report.html").exists()


def test_a_part_that_fails_says_so_and_the_report_is_written(found, monkeypatch):
    def broken(found, advice):
        raise RuntimeError("<no> luck")

    monkeypatch.setattr(write, "SECTIONS", (broken, *write.SECTIONS))
    text = report_html(found, advise(found))
    assert "RuntimeError: &lt;no&gt; luck" in text
    assert "All methods" in text


def test_names_of_strangers_are_harmless_in_files(found, tmp_path):
    found.data.classes[0] = '=cmd("x")'
    write_report(found, tmp_path)
    with open(tmp_path / "predictions.csv") as file:
        cells = {row["label"] for row in csv.DictReader(file)}
    assert '\'=cmd("x")' in cells
    store = Store(tmp_path, "d" * 20)
    for key in ("single_view." + "v" * 300, "single_view." + "v" * 301, "single_view.../../x"):
        store.keep({"method": key, "split": "0-0"})
        assert store.read(key, "0-0") == {"method": key, "split": "0-0"}
    assert all(path.parent.parent == store.folder for path in store.folder.rglob("*.json"))


def test_the_extra_is_named_when_it_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main(["compare", "x"]) == 2
    assert "pip install 'manyviews[compare]'" in capsys.readouterr().err


def test_the_command_recommends_from_experience(tmp_path, place, capsys):
    keys = list(diagnostics(read_own(place)))
    rows = ["comparison,task,kind,name,value,score"]
    for i in range(6):
        rows += [f"s{i},classify,diagnostic,{key},{i}," for key in keys]
        rows += [f"s{i},classify,method,concatenation,,0.8", f"s{i},classify,method,sgc,,0.9"]
    file = tmp_path / "experience.csv"
    file.write_text("\n".join(rows) + "\n")
    assert command.main(["recommend", str(place), "--experience", str(file)]) == 0
    assert "Try sgc, concatenation" in capsys.readouterr().out
