import pytest
from job_rows import as_read

from reproduction.papers.coplsa_clustering import page
from reproduction.papers.coplsa_clustering.front import front
from reproduction.papers.coplsa_clustering.settings import PAPER, PLACEBO, STRONG, TWO
from reproduction.results.rows import INFERRED, Row

SCORES = ("accuracy_pct", "nmi_pct")


def block(table, at, method, mean, metrics=SCORES, **place):
    return [
        Row(table, at, method, metric, mean + 10 * run, run=run, **place)
        for metric in metrics
        for run in range(4)
    ]


def both():
    """Runs differ by far more than methods: only pairs of the same start show the gains."""
    rows = block("1", {}, "PLSA + BOVF", 40.0)
    for reading, gain in ((INFERRED, 1.0), (STRONG, 3.0)):
        rows += block("1", {}, TWO, 40.0 + gain, reading=reading)
        rows += block("1", {}, PLACEBO, 39.5, reading=reading, role="control")
    return rows + block("extra:diagnostics", {}, TWO, 0.01, ("rho_mean", "negative_pct"))


@pytest.fixture
def rows():
    return as_read(PAPER, {"reuters": both(), "corel5k": both()}, "subset")


def test_differences_are_paired_with_plsa(rows):
    found = page.differences(rows).set_index(["dataset", "metric", "method", "lambda"])
    at = ("corel5k", "accuracy_pct")
    assert found.loc[(*at, TWO, "λ of the paper"), "value"] == pytest.approx(1.0)
    assert found.loc[(*at, TWO, "λ strong"), "value"] == pytest.approx(3.0)
    assert found.loc[(*at, PLACEBO, "λ of the paper"), "value"] == pytest.approx(-0.5)
    assert (found["high"] - found["low"]).max() < 1e-6


def test_the_front_page_has_corels_gains_and_its_mean_pull(rows):
    said = front(rows)
    (found,) = said.findings
    gain, placebo = (next(iter(line.values())) for line in list(found.marks.values())[1:])
    assert (gain, placebo) == pytest.approx((1.0, -0.5))
    assert found.said.numbers["pull"] == pytest.approx(100 * 15.01)
    assert front(rows.assign(provenance="surrogate")).known().findings == ()
