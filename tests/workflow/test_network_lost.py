"""The network cut, then back: what `make` says, what it writes, what it leaves alone."""

import hashlib
import json
import shutil
import socket
import sys
from pathlib import Path

import pytest
import yaml

from reproduction.data.registry import load_registry
from reproduction.files import ROOT

sys.path.insert(0, str(ROOT / "tests" / "reproduction" / "data"))
import public_server
from web_server import Server

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-network-lost")]
PAPER, DATASET = "cotraining", "webkb_course"
SURROGATES = "build/surrogate"


@pytest.fixture
def small(project):
    """The project with one paper and its one data set, and an environment that is ready."""
    for folder in (project.root / "src" / "reproduction" / "papers").iterdir():
        if folder.is_dir() and folder.name != PAPER:
            shutil.rmtree(folder)
    for path in (project.root / "data" / "registry").iterdir():
        if path.stem != DATASET:
            path.unlink()
    python = project.root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (project.root / ".venv" / ".ready").write_text(f"{project.root}\n")
    return project


def asking(project, base):
    """Send every public address to a server of this machine."""
    data = {"mirrors": [], "cache": "cache", "surrogate_scale": 0.1}
    data["addresses"] = {"https://": base, "http://": base}
    text = yaml.safe_dump({"name": "full", "size": "quick", "data": data})
    (project.root / "config" / "config.yaml").write_text(text, encoding="utf-8")


def make(project, *arguments):
    done = project.run("make", "CORES=1", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, done.stderr


def digests(folder: Path):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def source(project):
    path = project.root / "data" / "raw" / DATASET / "PROVENANCE.json"
    return json.loads(path.read_text(encoding="utf-8"))["source"]


def line_of(table):
    (line,) = [line for line in table.splitlines() if line.startswith(f"{DATASET} ")]
    return line


def test_a_network_that_is_cut_and_comes_back(small, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    dataset = load_registry()[DATASET]
    contents = public_server.mirrored(dataset)
    if len(contents) < len(dataset.files):
        pytest.skip(f"no mirror on this machine has {DATASET}")
    committed = digests(small.root / "reports")
    assert committed
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/"

    asking(small, closed)
    table, said = make(small, "data")
    assert " surrogate " in line_of(table)
    assert f"{DATASET}: SURROGATE, synthetic data in place of real data" in said
    assert "run again with a network" in said
    table, said = make(small, f"ARGS={SURROGATES}/data/views/{DATASET}.npz")
    assert f"{DATASET}: SURROGATE" in said
    assert f"SURROGATES, since no source answered: {DATASET}" in table
    assert f"Results on surrogates are in {SURROGATES}/reports; others were not touched." in table
    assert not (small.root / "data" / "views").exists()
    assert digests(small.root / "reports") == committed

    with Server() as server:
        public_server.answer_for(server, dataset.sources, dataset.files, contents, None)
        asking(small, server.base)
        table, said = make(small, "data")
        real = source(small)
        assert set(real.split(" + ")) <= {"public", "publisher"}
        assert f" {real} " in line_of(table)
        assert " sha256 " in line_of(table)
        assert "SURROGATE" not in table + said
    asking(small, closed)  # cut again: what came is kept
    table, said = make(small, f"ARGS=data/views/{DATASET}.npz")
    assert source(small) == real
    assert f"{PAPER}: 1 of 1 data sets are real" in table
    assert "SURROGATE" not in table + said
    assert (small.root / "data" / "views" / f"{DATASET}.npz").is_file()
    assert digests(small.root / "reports") == committed
