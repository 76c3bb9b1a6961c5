"""A copy of the project in a temporary folder, with its own `src` in front of the path."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from reproduction.files import ROOT

PARTS = (
    "Snakefile", "Makefile", "pyproject.toml", "requirements.lock", "workflow", "config",
    "profiles", "src", "notebooks", "data", "reports",
)  # fmt: skip
BUILT = shutil.ignore_patterns("raw", "views", "mirror", "user", "__pycache__", "*.egg-info")
#: Synthetic data only, so that these tests need neither mirror nor network.
OFFLINE = {"source": "surrogate", "mirrors": [], "network": False, "surrogate_scale": 0.2}

#: The profile's longer timespan saves time in long runs and costs its length at every end.
PROMPT_END = ("--max-jobs-per-timespan", "100/1s")


class Project:
    """Runs Snakemake in the copy, or from elsewhere with the copy's sources."""

    offline = OFFLINE

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(
        self, *command: str, folder: Path | None = None, timeout: float = 600
    ) -> subprocess.CompletedProcess[str]:
        # a make that is called from a make would speak of its folder
        kept = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        environment = {
            **kept,
            "PYTHONPATH": str(self.root / "src"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CACHE_HOME": str(self.root.parent / "cache"),  # not the downloads of this machine
        }
        return subprocess.run(
            command,
            cwd=folder or self.root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def snakemake(
        self, *arguments: str, folder: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "snakemake", *PROMPT_END, *arguments, folder=folder)

    def quick(
        self, *arguments: str, data: dict[str, object] = OFFLINE
    ) -> subprocess.CompletedProcess[str]:
        (self.root / "data.yaml").write_text(yaml.safe_dump({"data": data}), encoding="utf-8")
        return self.snakemake("--configfile", "config/quick.yaml", "data.yaml", *arguments)

    def build(self, *targets: str, cores: int = 1) -> None:
        done = self.quick("--cores", str(cores), "--", *targets)
        assert done.returncode == 0, done.stdout + done.stderr

    def planned(self, *targets: str) -> str:
        done = self.quick("-n", "--", *targets)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


def copy_project(target: Path) -> Project:
    target.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=BUILT)
        else:
            shutil.copy(source, target / part)
    return Project(target)


@pytest.fixture
def project(tmp_path) -> Project:
    return copy_project(tmp_path / "project")


@pytest.fixture(scope="module")
def shared_project(tmp_path_factory) -> Project:
    """For tests that leave it as it is."""
    return copy_project(tmp_path_factory.mktemp("shared") / "project")
