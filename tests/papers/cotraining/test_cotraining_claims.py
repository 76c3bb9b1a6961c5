import pandas as pd

from reproduction.papers.cotraining import claims
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.parts import verdict_of


def test_the_claims_see_a_lower_error():
    rows = pd.DataFrame(
        [
            {"dataset": "webkb_course", "table": "2", "classifier": "page", "setting": "page",
             "method": method, "role": "published", "reading": "inferred", "run": run,
             "value": error + run / 10, "provenance": "other features"}
            for method, error in (("supervised", 20.0), ("co-training", 8.0))
            for run in range(5)
        ]
    )  # fmt: skip
    params = {"classifiers": ["page"], "classifier": "page", "overlap": 1 / 3}
    assert verdict_of(claims.lower_error(rows, params)) == "holds"
    assert verdict_of(claims.halves_error(rows, params)) == "holds"
    turned = rows.replace({"method": {"supervised": "co-training", "co-training": "supervised"}})
    assert verdict_of(claims.lower_error(turned, params)) == "refuted"
    assert verdict_of(claims.halves_error(turned, params)) == "refuted"


def test_quoted_figures_are_no_sentences_of_the_authors():
    assert {claim.origin for claim in load_claims_file("cotraining")} == {"ours"}
