import pytest
from results_tree import Tree

from reproduction.results.rows import table_text
from reproduction.verdicts.compare import compare_claims, compare_folders, compare_ledgers
from reproduction.workflow.commands import main


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    return Tree(tmp_path_factory.mktemp("tree"), papers=("twoview_pa",)).score("twoview_pa")


def test_the_same_run_has_no_differences(scored):
    ledger, claims = scored
    assert compare_ledgers(ledger, ledger.copy()) == []
    assert compare_claims(claims, claims.copy()) == []


def test_rounding_in_the_file_is_no_difference(scored):
    ledger, _ = scored
    assert compare_ledgers(ledger, ledger.assign(ours=ledger["ours"] * (1 + 1e-13))) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("ours", 50.0),
        ("ours_std", 9.0),
        ("runs", 7),
        ("published", 1.0),
        ("agreement", "?"),
        ("text_agreement", "?"),
        ("data", "?"),
        ("protocol", "?"),
        ("repeats", "?"),
    ],
)
def test_a_changed_value_or_verdict_is_named(scored, column, value):
    ledger, _ = scored
    changed = ledger.copy()
    changed.loc[2, column] = value
    lines = compare_ledgers(ledger, changed)
    assert len(lines) == 1
    assert lines[0].startswith(ledger.loc[2, "cell"])


def test_a_renamed_cell_is_the_same_cell(scored):
    ledger, _ = scored
    assert compare_ledgers(ledger, ledger.assign(cell="x", dataset="y", setting="z")) == []


def test_lost_and_exchanged_cells_are_named(scored):
    ledger, _ = scored
    assert compare_ledgers(ledger, ledger.iloc[:-1])[0] == (
        f"twoview_pa: {len(ledger)} cells -> {len(ledger) - 1}"
    )
    exchanged = ledger.iloc[[1, 0, *range(2, len(ledger))]]
    assert "stands where" in compare_ledgers(ledger, exchanged)[0]


def test_a_changed_claim_is_named(scored):
    _, claims = scored
    changed = claims.copy()
    changed.loc[0, "verdict"] = "refuted"
    changed.loc[0, "effect"] = 2.5
    assert compare_claims(claims, changed) == [
        "claim twoview_pa.holds: effect 1.5 -> 2.5",
        "claim twoview_pa.holds: holds -> refuted",
    ]
    assert compare_claims(claims, claims.iloc[1:]) == ["claim twoview_pa.holds is gone"]
    assert compare_claims(claims.iloc[1:], claims) == ["claim twoview_pa.holds is new"]


def test_the_command_answers_with_its_exit_code(scored, tmp_path, capsys):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        for frame, file in zip(scored, ("ledger.csv", "claims.csv"), strict=True):
            (tmp_path / name / file).write_text(table_text(frame))
    old, new = tmp_path / "old", tmp_path / "new"
    assert compare_folders(old, new) == []
    assert main(["ledgers", str(old), str(new)]) == 0
    text = (new / "ledger.csv").read_text()
    (new / "ledger.csv").write_text(text.replace(",3,", ",4,", 1))
    assert main(["ledgers", str(old), str(new)]) == 1
    (new / "ledger.csv").unlink()
    assert main(["ledgers", str(old), str(new)]) == 2
    assert "ledger.csv is missing" in capsys.readouterr().err
