import pytest
import yaml

from reproduction.results.published import load_published
from reproduction.rooms import paper_keys
from reproduction.verdicts.margins import MARGINS, load_margins


def test_every_published_metric_has_a_unit():
    margins = load_margins()
    for paper in paper_keys():
        for metric in load_published(paper)["metric"].unique():
            assert margins.unit(metric).margin > 0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda c: c["units"]["rank"]["metrics"].append("pearson_r"), "declared twice"),
        (lambda c: c["units"]["rank"].update(margin=0), "positive margin"),
        (lambda c: c["units"]["rank"].pop("margin"), "lacks its margin"),
        (lambda c: c["units"]["rank"].update(scale="log10"), "positive floor"),
        (lambda c: c["units"]["rank"].update(scale="odd"), "known scale"),
        (lambda c: c["units"]["rank"].update(published_deviations=1), "'published_deviations'"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, change, text):
    content = yaml.safe_load(MARGINS.read_text())
    change(content)
    path = tmp_path / "margins.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(ValueError, match=text):
        load_margins(path)
