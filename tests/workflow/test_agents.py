"""AGENTS.md, followed literally in a copy; codecheck.yml names files that are there."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest
import yaml

from reproduction.files import ROOT
from reproduction.verdicts.explain import REPORTED

pytestmark = [
    pytest.mark.workflow,
    pytest.mark.skipif(not REPORTED.is_file(), reason="reports/ is not committed yet"),
]

BLOCKS = re.findall(r"^```console\n(.*?)^```", (ROOT / "AGENTS.md").read_text(), re.S | re.M)


def test_the_three_commands_do_what_they_are_for(project, rng):
    explain, new, compare = (shlex.split(block) for block in BLOCKS)
    done = project.run(*explain)
    assert done.stdout.startswith(explain[-1]), done.said
    assert re.search(r"^agreement +\w+$", done.stdout, re.M)
    assert project.run(*new).returncode == 0
    assert (project.root / "src/reproduction/papers/my_paper/paper.yaml").is_file()
    folder, classes = project.root / "my_data", np.arange(60) % 2
    folder.mkdir()
    for view in ("words", "links"):
        counts = rng.poisson(1 + 5 * np.column_stack([classes, 1 - classes, classes]))
        table = pd.DataFrame(counts, columns=[f"{view}{n}" for n in range(3)])
        table = table.assign(id=range(60), label=np.array(["wine", "sport"])[classes])
        table.to_csv(folder / f"{view}.csv", index=False)
    done = project.run(*compare)
    assert (project.root / "compare-my_data/report.html").is_file(), done.said


def test_the_manifest_of_codecheck_names_files_of_the_report():
    given = yaml.safe_load((ROOT / "codecheck.yml").read_text(encoding="utf-8"))
    files = [item["file"] for item in given["manifest"]]
    assert files
    assert [name for name in files if not (ROOT / name).is_file()] == []
