"""Every way the documentation names of asking for one target of a shortened run."""

import os
import shlex
import sys

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-questions")]

TARGET = "build/quick/views/cornell.npz"


@pytest.fixture(scope="module")
def environment(shared_project):
    """The environment these tests run in, in the place where make looks for it."""
    python = shared_project.root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    ready = shared_project.root / ".venv" / ".ready"
    ready.write_text(f"{shared_project.root}\n")
    return ready


def test_make_uses_an_environment_that_is_ready_and_renews_one_that_is_not(
    shared_project, environment
):
    def steps():
        return shared_project.run("make", "-n").stdout

    assert steps().startswith("python -m reproduction data")
    text = environment.read_text()
    environment.write_text("/where/the/project/was\n")
    assert "venv --clear" in steps()
    environment.write_text(text)
    python = environment.with_name("bin") / "python"
    python.rename(python.with_name("gone"))
    assert "venv --clear" in steps()
    python.with_name("gone").rename(python)
    lock = shared_project.root / "requirements.lock"
    made = environment.stat().st_mtime
    os.utime(lock, (made + 10, made + 10))  # by hand: a clock may stand still or step back
    assert "-m venv  .venv" in steps()
    os.utime(environment, (made + 20, made + 20))
    assert steps().startswith("python -m reproduction data")


def test_make_help_names_every_target(shared_project):
    text = shared_project.run("make", "help").stdout
    for target in ("run", "quick", "test", "browser", "lint", "format", "lock", "clean", "help"):
        assert f"  make {target} " in text


@pytest.mark.parametrize(
    "line",
    [
        "snakemake -n --cores 2 --configfile=config/quick.yaml TARGET",
        "snakemake -n --configfile config/quick.yaml --cores 2 TARGET",
        "snakemake -n --cores 2 --configfile config/quick.yaml -- TARGET",
        "snakemake -n --profile profiles/quick --cores 2 TARGET",
        "make quick DATA=surrogate 'ARGS=-n TARGET'",
        "make quick DATA=surrogate ARGS=TARGET CORES='2 -n'",
    ],
)
def test_a_shortened_run_takes_a_target(shared_project, environment, line):
    program, *words = shlex.split(line.replace("TARGET", TARGET))
    if program == "snakemake":
        done = shared_project.snakemake(*words)
    else:
        done = shared_project.run(program, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Building the views of cornell" in done.stdout
    assert "fit" not in done.stdout, "more than the target is planned"


@pytest.mark.parametrize("files", ["config/quick.yaml", "config/quick.yaml config/config.yaml"])
def test_a_target_taken_for_a_configuration_file_ends_in_one_line(shared_project, files):
    done = shared_project.snakemake("-n", "--configfile", *files.split(), "mvplsa", TARGET)
    assert done.returncode == 1
    *_, line = done.stderr.strip().splitlines()
    assert line.endswith(f"put -- between them: --configfile {files} -- mvplsa {TARGET}")
    assert "Traceback" not in done.stderr


def test_values_of_the_command_line_have_the_types_of_a_file(shared_project):
    done = shared_project.snakemake(
        "-n", "data/views/cornell.npz", "--config", "data={network: false, surrogate_scale: 0.5}"
    )
    assert done.returncode == 0, done.stdout + done.stderr
