import json
from types import SimpleNamespace

import numpy as np
import pytest

from reproduction.data.format import MultiViewData, content_digest
from reproduction.data.provenance import sha256_of
from reproduction.results import custody, runner
from reproduction.results.jobs import Context, Job
from reproduction.results.rows import Result, Row, RowError, read_table
from reproduction.results.runner import run_job
from reproduction.results.tables import Table, Tables, number

TABLES = Tables(Table("9", (number("rate"),)))


def entry(context: Context) -> Result:
    total = float(context.data.views["w"].sum())
    other = context.results["toy/first"]["value"].sum()
    value = total + other + context.settings.add
    return Result([Row("9", {"rate": 1}, "A", "sum", value)])


class Given(SimpleNamespace):
    def model_dump(self, mode):
        return vars(self)


@pytest.fixture
def toy_paper(monkeypatch):
    """A paper that is not there: its tables, settings and printed methods are given."""
    monkeypatch.setattr(custody, "job_code", lambda job: "1234")
    monkeypatch.setattr(custody, "only_read", lambda job, values: values)
    monkeypatch.setattr(runner, "tables_of", lambda paper: TABLES)
    for module in (custody, runner):
        monkeypatch.setattr(module, "settings_of", lambda paper, values: Given(**values))
    monkeypatch.setattr(runner, "printed_methods", lambda paper: {"9": {"A"}})


@pytest.fixture
def folders(tmp_path):
    views = tmp_path / "views"
    MultiViewData("toy", {"w": np.eye(3)}, np.zeros(3), ["a"], list("xyz")).save(views / "toy.npz")
    first = tmp_path / "results/toy_paper/toy/first.csv"
    first.parent.mkdir(parents=True)
    first.write_text("table,rate,value\n9,1,10.0\n")
    return {"views_dir": views, "results_dir": tmp_path / "results"}


def test_a_job_runs_from_files_to_files(toy_paper, folders):
    job = Job("toy_paper", "toy", "table9", "nowhere:entry", after=("toy/first",))
    object.__setattr__(job, "load", lambda: entry)
    path = run_job(job, {"add": 1}, **folders)
    assert read_table(path)["value"].tolist() == [14.0]
    stamp = json.loads(path.with_suffix(".json").read_text())["stamp"]
    made_from = stamp["made_from"]
    assert (made_from["code"], made_from["settings"]) == ("1234", custody.digest_of({"add": 1}))
    assert made_from["views"] == {"toy": content_digest(folders["views_dir"] / "toy.npz")}
    first = folders["results_dir"] / "toy_paper/toy/first.csv"
    assert made_from["results"] == {"toy/first": sha256_of(first)}
    assert stamp["holds"]["rows"] == 1
    assert stamp["holds"]["methods"] == {"9: A": {"rows": 1, "runs": 1}}
    assert stamp["holds"]["table"] == sha256_of(path)
    assert path.with_suffix(".timing.csv").is_file()
    wrong = Result([Row("9", {"rate": 1}, "posing as published", "sum", 1.0)])
    object.__setattr__(job, "load", lambda: lambda context: wrong)
    with pytest.raises(RowError, match=r"toy_paper/toy/table9: table '9', method 'posing"):
        run_job(job, {"add": 1}, **folders)
