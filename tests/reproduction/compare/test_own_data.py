"""What the guide says of own data is true: its method, and how seldom advice is wrong."""

import re

import compare_truth

from reproduction.files import ROOT

GUIDE = (ROOT / "docs" / "guide" / "compare.md").read_text(encoding="utf-8")


def test_the_method_of_the_page_runs(tmp_path, monkeypatch):
    (tmp_path / "my_folder").mkdir()
    rows = [f"p{i},{i % 2},{i % 3},{'uv'[i % 2]}" for i in range(40)]
    (tmp_path / "my_folder" / "a.csv").write_text("\n".join(["id,x,y,label", *rows]))
    monkeypatch.chdir(tmp_path)
    made = {}
    block = re.search(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    exec(block[1], made)
    assert made["found"].scores()["forest"].mean() == 1
    assert (tmp_path / "report" / "report.html").exists()


def test_the_page_says_what_was_measured():
    block = f"<!-- truth:start -->\n{compare_truth.guide_table()}\n<!-- truth:end -->"
    assert block in GUIDE, "run benchmarks/compare_truth.py"


def test_equal_methods_are_hardly_ever_advised(rng):
    """5 % are allowed, and 17 of 80 would be chance in one of 100,000 runs.

    Scored on all rows that are not shown, a third of the data sets had a false winner.
    """
    case = next(case for case in compare_truth.cases() if case.name == "few labels, 5 %")
    seeds = rng.integers(2**31, size=80)
    assert sum(compare_truth.outcome(case, False, int(seed))[0] for seed in seeds) <= 16
