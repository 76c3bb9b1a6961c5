"""Old and new verdicts side by side: nothing is lost, every change has a reason."""

import pandas as pd
import pytest

from reproduction.rooms import paper_keys
from reproduction.verdicts.claim_changes import (
    DROPPED,
    END,
    KEPT,
    MOVED,
    NEW,
    START,
    change_rows,
    kept,
    main,
    put,
    section,
)
from reproduction.verdicts.claim_file import dropped_claims, load_claims_file


@pytest.fixture(scope="module")
def old():
    """The claims before: those that were dropped, and those that are no new sentences."""
    names = [name for paper in paper_keys() for name in dropped_claims(paper)]
    names += [
        claim.key
        for paper in paper_keys()
        for claim in load_claims_file(paper)
        if claim.id in ("best", "sum_of_parts", "few_labels")
    ]
    return pd.DataFrame({"id": names, "verdict": "mixed"})


@pytest.fixture(scope="module")
def new():
    records = [
        {"id": claim.key, "paper": paper, "origin": claim.origin, "verdict": "undecided",
         "verdict_inferred": "holds", "data": "same",
         "counts": "yes" if claim.origin == "published" else "no"}
        for paper in paper_keys()
        for claim in load_claims_file(paper)
    ]  # fmt: skip
    return pd.DataFrame(records)


def test_every_claim_has_its_line(old, new):
    rows = change_rows(old, new).set_index("id")
    assert set(rows.index) == {*old["id"], *new["id"]}
    assert rows.loc["twoview_pa.best", "what"] == KEPT
    assert rows.loc["twoview_pa.sum_of_parts", "what"] == MOVED
    assert rows.loc["twoview_pa.best_webkb", "what"] == DROPPED
    assert rows.loc["coplsa_multimodal.above_l2", ["what", "old"]].tolist() == [NEW, ""]
    assert rows.loc["twoview_pa.best", "new"] == "undecided (inferred reading: holds)"


def test_what_is_moved_or_dropped_or_new_has_a_reason(old, new):
    rows = change_rows(old, new)
    told = rows[rows["what"].isin([MOVED, DROPPED])]
    assert (told["reason"].str.len() > 10).all()


def test_a_claim_that_is_lost_is_an_error(old, new):
    more = pd.concat([old, pd.DataFrame({"id": ["mvplsa.gone"], "verdict": ["holds"]})])
    with pytest.raises(ValueError, match=r"mvplsa.gone is gone without a reason"):
        change_rows(more, new)
    with pytest.raises(ValueError, match=r"is not in the new table; score cotraining again"):
        change_rows(old, new[new["paper"] != "cotraining"])


def test_the_section_is_put_between_its_markers(old, new, tmp_path):
    block = section(old, new)
    assert block.startswith(START)
    assert block.endswith(END)
    page = put("# Changes\n", block)
    assert put(page, block) == page
    assert kept(page) == block
    assert kept("# Changes") == ""
    assert put(page + "more\n", f"{START}\n{END}") == f"# Changes\n\n{START}\n{END}\nmore\n"
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for frame, file in zip((old, new), files, strict=True):
        frame.to_csv(file, index=False)
    target = tmp_path / "page.md"
    assert main([*map(str, files), "--page", str(target)]) == 0
    assert block in target.read_text()
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none.csv"), str(files[1])])
