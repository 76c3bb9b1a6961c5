"""A copy of the project in a temporary folder, with its own `src` in front of the path."""

import compileall
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest
import yaml

from reproduction.files import ROOT

PARTS = (
    "Snakefile", "Makefile", "pyproject.toml", "requirements.lock", "CITATION.cff", "workflow",
    "config", "profiles", "src", "notebooks", "data", "reports", "docs/guide/data-faults.md",
)  # fmt: skip
BUILT = shutil.ignore_patterns("raw", "views", "mirror", "user", "__pycache__", "*.egg-info")
#: Synthetic data only, so that these tests need neither mirror nor network.
OFFLINE = {"source": "surrogate", "mirrors": [], "network": False, "surrogate_scale": 0.2}
#: What the project that tests share has made: all stations of one paper, and a view of another.
MADE = (
    "build/quick/reports/cotraining.html",
    "build/quick/results/cotraining/ledger.csv",
    "build/quick/views/cornell.npz",
)
#: Where compiled kernels are kept, in folders named by their sources: all copies share those of
#: this checkout, and a kernel is compiled once, not once a copy.
KERNELS = Path("src", "manyviews", "kernels", "__pycache__")


class Project:
    """Runs commands in a copy, or from elsewhere with the copy's sources."""

    offline = OFFLINE

    def __init__(self, root):
        self.root = root

    def environment(self):
        # a make that is called from a make would speak of its folder
        kept = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        return {
            **kept,
            "PYTHONPATH": str(self.root / "src"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CACHE_HOME": str(self.root.parent / "cache"),  # not the downloads of this machine
        }

    def run(self, *command, folder=None):
        done = subprocess.run(
            command, cwd=folder or self.root, env=self.environment(), capture_output=True,
            text=True, timeout=600, check=False,
        )  # fmt: skip
        done.said = done.stdout + done.stderr
        return done

    def snakemake(self, *words, folder=None, good=None):
        """Run Snakemake; ``good`` says whether that must succeed, or must fail."""
        done = self.run(sys.executable, "-m", "snakemake", *words, folder=folder)
        assert good is None or (done.returncode == 0) == good, done.said
        return done

    def quick(self, *words, data=OFFLINE, good=True):
        (self.root / "data.yaml").write_text(yaml.safe_dump({"data": data}), encoding="utf-8")
        return self.snakemake("--configfile", "config/quick.yaml", "data.yaml", *words, good=good)

    def build(self, *targets, cores=1, **more):
        return self.quick("--cores", str(cores), "--", *targets, **more)

    def planned(self, *targets, **more):
        return self.quick("-n", "--", *targets, **more).said


def copy_project(target):
    """Copy what a run needs of this checkout."""
    target.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, target / part, ignore=BUILT)
        else:
            (target / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / part, target / part)
    (ROOT / KERNELS).mkdir(exist_ok=True)
    (target / KERNELS).symlink_to(ROOT / KERNELS)
    return Project(target)


def copy_of(root, target):
    """Copy a copy; the link to the compiled kernels stays one."""
    return Project(shutil.copytree(root, target, symlinks=True))


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The copy that others are made of: its modules are compiled, by their content, not by time."""
    project = copy_project(tmp_path_factory.mktemp("compiled") / "project")
    mode = PycInvalidationMode.CHECKED_HASH
    others = re.compile(r"kernels\b")  # bytecode of kernels is that of this checkout
    assert compileall.compile_dir(project.root / "src", rx=others, quiet=1, invalidation_mode=mode)
    # plans remember what source files import: those of the copies need not parse them again
    read = "from reproduction.closure import package_hash; package_hash()"
    project.run(sys.executable, "-c", read).check_returncode()
    return project.root


@pytest.fixture
def project(compiled, tmp_path):
    return copy_of(compiled, tmp_path / "project")


@pytest.fixture(scope="module")
def shared_project(compiled, tmp_path_factory):
    """For tests that leave it as it is."""
    return copy_of(compiled, tmp_path_factory.mktemp("shared") / "project")


@pytest.fixture(scope="session")
def built_root(compiled, tmp_path_factory):
    """One that has run, for copies alone."""
    project = copy_of(compiled, tmp_path_factory.mktemp("made") / "project")
    project.build(*MADE)
    return project.root


@pytest.fixture(scope="session")
def shared_built_project(built_root, tmp_path_factory):
    """One that has run, for tests that leave it as it is; a moved project knows what it made."""
    return copy_of(built_root, tmp_path_factory.mktemp("built") / "project")


@pytest.fixture
def built_project(built_root, tmp_path):
    """One that has run, for a test of its own."""
    return copy_of(built_root, tmp_path / "project")
