"""The archive of a run: a valid Workflow Run RO-Crate, the same bytes each time."""

import hashlib
import json
import zipfile
from importlib.resources import files

import pytest
import requests
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

from reproduction.data.registry import load_registry
from reproduction.files import ROOT
from reproduction.rooms import paper_keys
from reproduction.workflow.archive import METADATA, NEEDED, main, write_archive
from reproduction.workflow.crate import CrateError
from reproduction.workflow.packaging import locked_versions

DIGEST = hashlib.sha256(b"words").hexdigest()
LISTING = hashlib.sha256(b"listing").hexdigest()
PROVENANCE = {
    "cora": {
        "source": "mirror",
        "differences": "None known.",
        "files": [{"path": "cora.content", "bytes": 5, "sha256": DIGEST}],
    },
    "newsgv2": {
        "source": "publisher",
        "differences": "None known.",
        "files": [{"path": "train/", "files": 3, "bytes": 9, "listing": LISTING}],
    },
    "tvgraz": {"source": "surrogate", "differences": "Synthetic.", "files": []},
}

#: Recommendations that are not followed, by what the validator says.
LEFT_OUT = (
    "uses scheme 'ni'",  # data is named by its digest and not packed: there is nothing to look up
    "SHOULD have an endTime",  # the same run gives the same bytes
    "The organization SHOULD have a URL",  # there is no public address yet
    "The Application SHOULD have a url",
    "The SoftwareApplication id SHOULD be an absolute URI",  # the Snakefile is in the crate
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in small: its reports and what served its data sets."""
    folder = tmp_path_factory.mktemp("run")
    for name in NEEDED:
        (folder / "reports" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "reports" / name).write_text(name)
    for key, facts in PROVENANCE.items():
        (folder / "raw" / key).mkdir(parents=True)
        (folder / "raw" / key / "PROVENANCE.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture(scope="module")
def archive(run):
    return write_archive(run / "one.zip", reports=run / "reports", raw=run / "raw")


@pytest.fixture(scope="module")
def graph(archive):
    with zipfile.ZipFile(archive) as opened:
        loaded = json.loads(opened.read(METADATA))
    return {entity["@id"]: entity for entity in loaded["@graph"]}


def test_the_same_run_gives_the_same_bytes(run, archive):
    again = write_archive(run / "two.zip", reports=run / "reports", raw=run / "raw")
    assert archive.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
        assert names == sorted(names)
        assert {info.date_time for info in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_sums_cover_everything(archive):
    with zipfile.ZipFile(archive) as opened:
        lines = opened.read("SHA256SUMS").decode().splitlines()
        sums = {line[66:]: line[:64] for line in lines}
        assert set(sums) == set(opened.namelist()) - {"SHA256SUMS"}
        for name, digest in sums.items():
            assert hashlib.sha256(opened.read(name)).hexdigest() == digest


def test_it_holds_what_was_promised(archive):
    with zipfile.ZipFile(archive) as opened:
        names = set(opened.namelist())
    assert {"requirements.lock", "LICENSE", "docs/licences.md", METADATA} <= names
    assert {f"reports/{name}" for name in NEEDED} <= names
    assert {f"croissant/{key}.json" for key in load_registry()} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith("data/raw")]


def test_the_crate_names_inputs_parameters_outputs_and_software(graph):
    action = graph["#run"]
    objects = {entry["@id"] for entry in action["object"]}
    data = [graph[name] for name in objects if name.startswith("ni:")]
    assert {one["sha256"]: one["name"] for one in data} == {
        DIGEST: "cora/cora.content",
        LISTING: "newsgv2/train/ (listing of 3 files, 9 bytes)",
    }
    assert graph["#data/tvgraz"]["value"] == "surrogate"
    for paper in paper_keys():
        assert any(name.startswith(f"#setting/{paper}.") for name in objects)
    results = {entry["@id"] for entry in action["result"]}
    assert results == {f"reports/{name}" for name in NEEDED}
    for name in results:
        assert graph[name]["sha256"] == hashlib.sha256(name[8:].encode()).hexdigest()
    assert action["instrument"]["@id"] == "Snakefile"
    software = {e["name"]: e for e in graph.values() if e["@type"] == "SoftwareApplication"}
    assert software["numpy"]["version"] == locked_versions()["numpy"]


@pytest.fixture
def without_network(monkeypatch):
    """Give the validator the terms that rocrate carries; it would ask the network for them.

    They are those of RO-Crate 1.3, which has all terms of 1.1 but calls four of them otherwise.
    """
    carried = json.loads(files("rocrate").joinpath("data", "ro-crate.jsonld").read_bytes())
    carried["@context"] |= {
        "ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow",
        "FormalParameter": "https://bioschemas.org/FormalParameter",
        "input": "https://bioschemas.org/ComputationalWorkflow#input",
        "output": "https://bioschemas.org/ComputationalWorkflow#output",
    }
    terms = json.dumps(carried).encode()

    def get(self, url, **_):
        response = requests.Response()
        known = url == "https://w3id.org/ro/crate/1.1/context"
        response.status_code, response._content = (200, terms) if known else (404, b"{}")
        response.headers["Content-Type"] = "application/ld+json"
        return response

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)


def issues(archive, severity, *, first_alone=False):
    settings = services.ValidationSettings(
        rocrate_uri=str(archive),
        profile_identifier="workflow-run-crate",
        requirement_severity=severity,
        abort_on_first=first_alone,
    )
    found = services.validate(settings).get_issues()
    return [f"{issue.check.identifier}: {issue.message}" for issue in found]


@pytest.mark.usefixtures("without_network")
def test_the_validator_accepts_it(archive):
    """It meets all requirements, and all recommendations but those that are left out on purpose."""
    found = issues(archive, models.Severity.RECOMMENDED)
    left = [line for line in found if not any(text in line for text in LEFT_OUT)]
    assert not left, "\n".join(left)


@pytest.mark.usefixtures("without_network")
def test_the_validator_refuses_a_spoilt_one(archive, tmp_path):
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(tmp_path / "bad.zip", "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(
                name, text.replace(b"mainEntity", b"mainThing") if METADATA in name else text
            )
    (found,) = issues(tmp_path / "bad.zip", models.Severity.REQUIRED, first_alone=True)
    assert "mainThing" in found


def test_half_a_run_is_refused(run, tmp_path, capsys):
    with pytest.raises(CrateError, match="run `make`"):
        write_archive(tmp_path / "a.zip", reports=run / "raw", raw=run / "raw")
    given = ["--reports", str(run / "reports"), "--raw", str(tmp_path), "--output"]
    assert main([*given, str(tmp_path / "a.zip")]) == 2
    assert "no data set lies in" in capsys.readouterr().err
    assert not (tmp_path / "a.zip").exists()


def test_all_parts_are_there():
    from reproduction.workflow.archive import PARTS

    assert not [part for part in PARTS if not (ROOT / part).exists()]
