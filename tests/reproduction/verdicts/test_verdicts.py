import math

import pytest
import yaml

from reproduction.results.published import load_published
from reproduction.rooms import paper_keys
from reproduction.verdicts.agreement import TOLERANCES, load_tolerances

NAN = math.nan


@pytest.fixture(scope="module")
def tolerances():
    return load_tolerances()


@pytest.mark.parametrize(
    ("metric", "published", "std", "ours", "verdict"),
    [
        ("accuracy_pct", 80.0, NAN, 82.0, "reproduced"),
        ("accuracy_pct", 80.0, NAN, 78.0, "reproduced"),
        ("accuracy_pct", 80.0, NAN, 82.01, "close"),
        ("accuracy_pct", 80.0, NAN, 85.0, "close"),
        ("accuracy_pct", 80.0, NAN, 85.01, "differs"),
        ("accuracy_pct", 80.0, 1.0, 82.0, "reproduced"),
        ("accuracy_pct", 80.0, 4.0, 84.0, "reproduced"),
        ("accuracy_pct", 80.0, 4.0, 90.0, "close"),
        ("accuracy_pct", 80.0, 4.0, 90.1, "differs"),
        ("map_at_10", 0.40, NAN, 0.43, "reproduced"),
        ("map_at_10", 0.40, NAN, 0.475, "close"),
        ("map_at_10", 0.40, NAN, 0.48, "differs"),
        ("average_rank", 2.0, NAN, 2.5, "reproduced"),
        ("average_rank", 2.0, NAN, 3.3, "differs"),
        ("pearson_r", -0.5, NAN, -0.3, "reproduced"),
        ("pearson_r", -0.5, NAN, 0.1, "differs"),
        ("view_agreement", 0.30, NAN, 0.32, "reproduced"),
        ("view_agreement", 0.30, NAN, 0.36, "differs"),
        ("p_value", 0.03, NAN, 0.03 * 3, "reproduced"),
        ("p_value", 0.03, NAN, 0.03 / 10, "close"),
        ("p_value", 0.03, NAN, 0.0, "differs"),
    ],
)
def test_judge(tolerances, metric, published, std, ours, verdict):
    assert tolerances.judge(metric, published, std, ours).verdict == verdict


def test_the_deviation_only_widens_percentages(tolerances):
    assert tolerances.judge("accuracy_pct", 80.0, 9.0, 80.0).tolerance == 9.0
    assert tolerances.judge("map_at_10", 0.4, 9.0, 0.4).tolerance == 0.03


def test_every_published_metric_has_a_unit(tolerances):
    for paper in paper_keys():
        for metric in load_published(paper)["metric"].unique():
            assert tolerances.unit(metric).tolerance > 0


def test_metrics_are_found_by_pattern(tolerances):
    assert tolerances.unit("any_pct").name == "percentage"
    assert tolerances.is_score("macro_f1_pct")
    assert not tolerances.is_score("relative_gain_pct")


def test_an_unknown_metric_says_where_to_declare_it(tolerances):
    with pytest.raises(ValueError, match=r"'auc'.*tolerances\.yaml"):
        tolerances.judge("auc", 1.0, NAN, 1.0)


def test_ours_must_be_a_number(tolerances):
    with pytest.raises(ValueError, match="cannot compare"):
        tolerances.judge("accuracy_pct", 1.0, NAN, NAN)


def changed(tmp_path, change):
    content = yaml.safe_load(TOLERANCES.read_text())
    change(content)
    path = tmp_path / "tolerances.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda c: c["units"]["rank"]["metrics"].append("pearson_r"), "declared twice"),
        (lambda c: c["units"]["rank"].update(tolerance=0), "positive tolerance"),
        (lambda c: c["units"]["rank"].update(scale="log10"), "positive floor"),
        (lambda c: c["units"]["rank"].update(scale="odd"), "known scale"),
        (lambda c: c.update(close_factor=0.5), "at least 1"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, change, text):
    with pytest.raises(ValueError, match=text):
        load_tolerances(changed(tmp_path, change))
