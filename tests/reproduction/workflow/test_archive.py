"""The archive of a run: a valid Workflow Run RO-Crate, the same bytes each time."""

import hashlib
import json
import zipfile
from importlib.resources import files

import pytest
import requests
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

from reproduction.rooms import paper_keys
from reproduction.workflow.archive import METADATA, NEEDED, main, write_archive

DIGEST, LISTING = (hashlib.sha256(text).hexdigest() for text in (b"words", b"listing"))
FETCHED = {
    "cora": [{"path": "cora.content", "bytes": 5, "sha256": DIGEST}],
    "newsgv2": [{"path": "train/", "files": 3, "bytes": 9, "listing": LISTING}],
    "tvgraz": [],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in small: its reports and what served its data sets."""
    folder = tmp_path_factory.mktemp("run")
    for name in NEEDED:
        (folder / "reports" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "reports" / name).write_text(name)
    for key, records in FETCHED.items():
        (folder / "raw" / key).mkdir(parents=True)
        facts = {"source": "mirror" if records else "surrogate", "files": records}
        (folder / "raw" / key / "PROVENANCE.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture(scope="module")
def archive(run):
    return write_archive(run / "one.zip", reports=run / "reports", raw=run / "raw")


def test_the_same_run_gives_the_same_bytes(run, archive):
    again = write_archive(run / "two.zip", reports=run / "reports", raw=run / "raw")
    assert archive.read_bytes() == again.read_bytes()


def test_the_crate_names_inputs_settings_and_outputs_by_their_content(archive):
    with zipfile.ZipFile(archive) as opened:
        graph = {entity["@id"]: entity for entity in json.loads(opened.read(METADATA))["@graph"]}
        for name in opened.namelist():
            if "sha256" in graph.get(name, {}):
                content = opened.read(name)
                assert graph[name]["sha256"] == hashlib.sha256(content).hexdigest()
    objects = {entry["@id"] for entry in graph["#run"]["object"]}
    data = [graph[name] for name in objects if name.startswith("ni:")]
    assert {one["sha256"]: one["name"] for one in data} == {
        DIGEST: "cora/cora.content",
        LISTING: "newsgv2/train/",
    }
    assert graph["#data/tvgraz"]["value"].endswith("surrogate")
    assert {f"#settings/{paper}" for paper in paper_keys()} < objects
    results = {entry["@id"] for entry in graph["#run"]["result"]}
    assert results == {f"reports/{name}" for name in NEEDED}
    assert graph["#run"]["instrument"]["@id"] == "Snakefile"


@pytest.fixture
def without_network(monkeypatch):
    """Give the validator the terms that rocrate carries; it would ask the network for them.

    They are those of RO-Crate 1.3, which has all terms of 1.1 but calls one of them otherwise.
    """
    carried = json.loads(files("rocrate").joinpath("data", "ro-crate.jsonld").read_bytes())
    carried["@context"]["ComputationalWorkflow"] = "https://bioschemas.org/ComputationalWorkflow"
    terms = json.dumps(carried).encode()

    def get(self, url, **_):
        response = requests.Response()
        known = url == "https://w3id.org/ro/crate/1.1/context"
        response.status_code, response._content = (200, terms) if known else (404, b"{}")
        response.headers["Content-Type"] = "application/ld+json"
        return response

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)


def issues(archive):
    settings = services.ValidationSettings(
        rocrate_uri=str(archive),
        profile_identifier="workflow-run-crate",
        requirement_severity=models.Severity.REQUIRED,
    )
    found = services.validate(settings).get_issues()
    return [f"{issue.check.identifier}: {issue.message}" for issue in found]


@pytest.mark.usefixtures("without_network")
def test_the_validator_accepts_it_and_refuses_a_spoilt_one(archive, tmp_path):
    assert issues(archive) == []
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(tmp_path / "bad.zip", "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(
                name, text.replace(b"mainEntity", b"mainThing") if METADATA in name else text
            )
    assert issues(tmp_path / "bad.zip")


def test_half_a_run_is_refused(run, tmp_path, capsys):
    for reports, raw, text in (("raw", "raw", "run `make`"), ("reports", "none", "no data set")):
        given = ["--reports", str(run / reports), "--raw", str(run / raw), "--output"]
        assert main([*given, str(tmp_path / "a.zip")]) == 2
        assert text in capsys.readouterr().err
        assert not (tmp_path / "a.zip").exists()
