"""``manyviews audit`` finds every planted fault and nothing in clean data."""

import numpy as np
import pytest
from small_data import as_own

from manyviews.compare import audit as module
from manyviews.compare.audit import audit
from manyviews.compare.command import main

N_ROWS, N_CLASSES = 160, 8


def clean(rng, n_classes=N_CLASSES):
    """Two views of rows that have a place of their own, seen through both, in a class."""
    codes = np.repeat(np.arange(max(1, n_classes)), N_ROWS // max(1, n_classes))
    rows = rng.normal(size=(codes[-1] + 1, 4))[codes] + rng.normal(size=(len(codes), 4))
    matrices = [rows @ rng.normal(size=(4, d)) + 0.3 * rng.normal(size=(len(codes), d))
                for d in (8, 6)]  # fmt: skip
    return matrices, codes if n_classes else np.full(len(codes), -1)


def kinds(matrices, codes, split=None):
    return {(one.kind, one.fault) for one in audit(as_own(matrices, codes), split)}


def other_rows(rng, codes):
    return rng.permutation(len(codes))


def other_classes(rng, codes):
    """Every line holds rows of one class in each view, but not of the same, as in 100leaves."""
    shift = rng.permutation(codes.max() + 1)
    return np.concatenate([rng.permutation(np.flatnonzero(codes == c)) for c in shift])


@pytest.mark.parametrize(
    ("n_classes", "other"), [(0, other_rows), (2, other_rows), (8, other_rows), (8, other_classes)]
)
def test_wrong_joins_are_found(rng, n_classes, other):
    (A, B), codes = clean(rng, n_classes)
    found = [kinds([A, B[other(rng, codes)]], codes) for _ in range(4)]
    assert sum(("wrong join", True) in one for one in found) >= 2  # each is missed with 2 % at most


def test_p_values_are_right_where_nothing_is_shared(monkeypatch):
    """Of 200 joins of unrelated tables about one in ten has p <= 0.1 (5 to 36: 4 deviations)."""
    monkeypatch.setattr(module, "PERMUTATIONS", 59)
    draw = np.random.default_rng(1)
    codes = np.repeat(np.arange(6), 20)
    low = 0
    for _ in range(200):
        A, B = draw.normal(size=(2, 120, 3))
        low += module.joined_by_chance(A, B, codes, draw)["within classes"] <= 0.1
    assert 5 <= low <= 36


AGAIN, FILLED = np.arange(N_ROWS) % (N_ROWS - 9), np.arange(N_ROWS)[:, None] // 2 != 2


@pytest.mark.parametrize(
    ("kind", "planted"),
    [
        ("repeated view", lambda A, B, codes: [A, np.hstack([B, A[:, :2]])]),
        ("repeated view", lambda A, B, codes: [A, A * 2.54 + 1]),
        ("repeated rows", lambda A, B, codes: [A[AGAIN], B[AGAIN]]),
        ("leaked class", lambda A, B, codes: [np.column_stack([A, 7 - 2 * codes]), B]),
        ("leaked class", lambda A, B, codes: [np.column_stack([A, codes == 2]), B]),
        ("constant columns", lambda A, B, codes: [np.column_stack([A, 0 * codes + 5]), B]),
        ("empty rows", lambda A, B, codes: [A * FILLED, B * FILLED]),
    ],
)
def test_planted_faults_are_found_and_nothing_else(rng, kind, planted):
    views, codes = clean(rng)
    found, expected = kinds(planted(*views, codes), codes), (kind, kind != "constant columns")
    assert expected in found
    assert {pair for pair in found if pair[1]} <= {expected}


def test_copies_on_one_side_of_a_split_are_not_across_it(rng):
    (A, B), codes = clean(rng)
    A[1], B[1] = A[0], B[0]
    sides = np.array(["train"] * N_ROWS)
    sides[80:] = "test"
    assert kinds([A, B], codes, list(sides)) == {("repeated rows", False)}
    sides[1] = "test"
    found = {one.kind: one.text for one in audit(as_own([A, B], codes), list(sides))}
    assert found["copies across the split"].startswith(f"2 of {N_ROWS} rows have a copy")


def test_at_most_one_clean_set_in_twenty_alarms(monkeypatch):
    monkeypatch.setattr(module, "PERMUTATIONS", 199)
    draw = np.random.default_rng(41)
    sets = [clean(draw, (0, 2, 8)[i % 3]) for i in range(100)]
    assert sum(bool(kinds(*one)) for one in sets) <= 5


def test_the_command_says_faults_and_nothing_else(rng, tmp_path, capsys):
    (A, B), codes = clean(rng)
    file = tmp_path / "one.npz"
    sides = np.where(np.arange(N_ROWS) < 80, "train", "test")
    np.savez(file, a=A, b=B, label=codes, side=sides)
    assert main(["audit", str(file), "--split", "side"]) == 0
    assert f"one: no faults ({N_ROWS} rows, 2 views; 499 perm" in capsys.readouterr().out
    A[:, 0] = codes
    np.savez(file, a=A, b=B, label=codes, side=sides)
    seen = []
    for _ in range(2):
        assert main(["audit", str(file), "--split", "side"]) == 1
        seen.append(capsys.readouterr().out)
    assert seen[0] == seen[1]
    assert "fault: 1 of 8 columns of a give the class away" in seen[0]
    assert main(["audit", str(tmp_path / "none.npz")]) == 2
    assert main(["audit", str(file), "--split", "nothing"]) == 2


def test_a_split_column_of_a_table_is_no_feature(rng, tmp_path):
    (A, _), codes = clean(rng)
    A[159] = A[0]
    lines = [",".join([*(f"{x:.5f}" for x in row), f"k{c}", "train" if i < 80 else "test"])
             for i, (row, c) in enumerate(zip(A, codes, strict=True))]  # fmt: skip
    file = tmp_path / "one.csv"
    file.write_text("\n".join([",".join([*(f"x{j}" for j in range(8)), "label,side"]), *lines]))
    (tmp_path / "data.yaml").write_text("views: {one: one.csv}\nlabels: label\n")
    for path in (file, tmp_path):
        data, found = module.audit_file(str(path), "side")
        assert [len(names) for names in data.columns] == [8]
        assert {one.kind for one in found if one.fault} == {"copies across the split"}
