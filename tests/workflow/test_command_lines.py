"""Every way the documentation names of asking for one target of a shortened run."""

import shlex

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow-questions")]

TARGET = "build/quick/views/cornell.npz"


@pytest.mark.parametrize(
    "line",
    [
        "snakemake -n --cores 2 --configfile=config/quick.yaml TARGET",
        "snakemake -n --configfile config/quick.yaml --cores 2 TARGET",
        "snakemake -n --cores 2 --configfile config/quick.yaml -- TARGET",
        "snakemake -n --profile profiles/quick --cores 2 TARGET",
        "make quick 'ARGS=-n TARGET'",
        "make quick ARGS=TARGET CORES='2 -n'",
    ],
)
def test_a_shortened_run_takes_a_target(shared_project, line):
    ready = shared_project.root / ".venv" / ".ready"  # make: the environment is as it should be
    ready.parent.mkdir(exist_ok=True)
    ready.touch()
    done = shared_project.run(*shlex.split(line.replace("TARGET", TARGET)))
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
