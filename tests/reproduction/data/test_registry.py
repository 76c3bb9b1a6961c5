import copy
import csv
import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from reproduction.data.build import builder_module
from reproduction.data.registry import RegistryError, load_registry
from reproduction.files import ROOT

KEYS = [
    "cornell",
    "washington",
    "newsgv2",
    "newsgv4",
    "ads",
    "webkb_course",
    "product_review",
    "opinion_spam",
    "wikipedia_pairs",
    "tvgraz",
    "web_news",
    "reuters",
    "nus_wide",
    "digits",
    "corel5k",
    "cora",
    "citeseer",
    "webkb",
    "pubmed",
    "wikipedia_linqs",
    "leaves",
    "citeseer2",
    "nell_mv",
    "newsgroups_tree",
    "amazon_tree",
]


@pytest.fixture(scope="module")
def registry():
    return load_registry()


@pytest.fixture
def content(registry):
    """One valid entry, to be broken."""
    return {"version": 1, "datasets": {"cora": copy.deepcopy(registry["cora"].entry)}}


def write(tmp_path: Path, content) -> Path:
    path = tmp_path / "registry.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path


def test_every_data_set_has_an_entry(registry):
    assert list(registry) == KEYS


def test_view_keys_resolve_and_hold_the_agreed_variants(registry):
    keys = registry.view_keys()
    assert len(keys) == len(set(keys))
    for key in keys:
        dataset, variant = registry.resolve(key)
        assert dataset.key == key.partition(".")[0]
        assert variant == (key.partition(".")[2] or None)
    agreed = {
        *KEYS, "newsgv2.all_messages", "newsgv2.drop_huge_everywhere", "newsgv2.no_headers",
        "newsgv2.letters", "newsgv2.counts", "newsgv4.all_messages", "webkb_course.raw_pages",
        "leaves.by_line",
    }  # fmt: skip
    assert agreed <= set(keys)


@pytest.mark.parametrize(
    ("asked", "offered"), [("coras", "cora"), ("newsgv3", "newsgv2"), ("wikipedia", "wikipedia")]
)
def test_unknown_data_set_names_the_nearest(registry, asked, offered):
    with pytest.raises(RegistryError, match=f"unknown data set '{asked}'.*did you mean.*{offered}"):
        registry[asked]


def test_unknown_data_set_without_a_near_one_lists_all(registry):
    with pytest.raises(RegistryError, match=r"known are: cornell, .*amazon_tree"):
        registry["zzzzzz"]


def test_unknown_variant_is_refused(registry):
    with pytest.raises(RegistryError, match=r"leaves\.by_line"):
        registry.resolve("leaves.by_lines")
    with pytest.raises(RegistryError, match="no variant 'x'; it has: by_line"):
        registry["leaves"].options("x")


def test_options_of_source_and_variant_go_on_top(registry):
    course = registry["webkb_course"]
    publisher = next(s for s in course.sources if s["kind"] == "publisher")
    assert course.options()["pages"] == "features"
    assert course.options(source=publisher)["pages"] == "raw"
    assert course.options("raw_pages")["pages"] == "raw"


def test_builders_exist(registry):
    for dataset in registry.datasets.values():
        if dataset["builder"] is not None:
            name = builder_module(dataset["builder"])
            assert (ROOT / "src" / (name.replace(".", "/") + ".py")).is_file(), dataset.key


def test_stand_ins_are_not_the_papers_own(registry):
    stand_ins = {d.key: d["stands_in_for"] for d in registry.datasets.values() if d.is_stand_in}
    assert stand_ins == {
        "opinion_spam": "product_review", "web_news": "tvgraz", "digits": "nus_wide",
        "newsgroups_tree": "nell_mv", "amazon_tree": "nell_mv",
    }  # fmt: skip
    assert all(registry[key]["comparable"] == "no" for key in stand_ins)


def test_names_are_those_of_the_published_results(registry):
    with (ROOT / "data" / "published" / "results.csv").open(encoding="utf-8", newline="") as f:
        published = {(row["paper"], row["dataset"]) for row in csv.DictReader(f)}
    ours = {
        (paper, dataset["published_name"])
        for dataset in registry.datasets.values()
        if not dataset.is_stand_in
        for paper in dataset["papers"]
    }
    aggregate = {("multiview_hier", name) for name in ("all", "NELL_mv level=2", "NELL_mv level=3")}
    assert ours == published - aggregate


def test_no_download_without_checksum_and_no_machine_path(registry):
    text = json.dumps({k: d.entry for k, d in registry.datasets.items()})
    assert '"/' not in text  # no value is an absolute path
    assert "file://" not in text
    for dataset in registry.datasets.values():
        for source in dataset.sources:
            if source["kind"] in ("mirror", "publisher", "wheel"):
                assert all(len(record["sha256"]) == 64 for record in source["files"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("licence"), r"datasets\.cora: 'licence' is a required property"),
        (lambda d: d.update(colour="red"), "datasets.cora: Additional properties.*colour"),
        (lambda d: d.update(comparable="almost"), r"datasets\.cora\.comparable: 'almost'"),
        (lambda d: d["sources"][0]["files"][0].update(sha256="12"), "sha256: '12' does not match"),
        (lambda d: d["sources"][0]["files"][0].update(path="../x"), r"path: '\.\./x'"),
        (lambda d: d["sources"][0]["files"][0].update(path="/etc/x"), "path: '/etc/x'"),
        (lambda d: d["sources"][0].pop("folder"), "'folder' is a required property"),
        (lambda d: d["sources"].pop(), "datasets.cora.sources"),
        (lambda d: d["sources"].reverse(), "listed once, and last"),
        (lambda d: d.update(stands_in_for="coral", role="stand_in", published_name=None), "coral"),
        (lambda d: d["views"].append("authors"), r"views differ \(authors\)"),
        (lambda d: d.update(builder=None), "need a `builder`"),
    ],
)
def test_a_broken_entry_is_explained(tmp_path, content, change, message):
    change(content["datasets"]["cora"])
    with pytest.raises(RegistryError, match=message):
        load_registry(write(tmp_path, content))


def test_unreadable_registries(tmp_path):
    with pytest.raises(RegistryError, match="cannot read the registry"):
        load_registry(tmp_path / "none.yaml")
    broken = tmp_path / "broken.yaml"
    broken.write_text("datasets: [", encoding="utf-8")
    with pytest.raises(RegistryError, match="not valid YAML"):
        load_registry(broken)
    twice = tmp_path / "twice.yaml"
    twice.write_text("version: 1\nversion: 1\ndatasets: {}\n", encoding="utf-8")
    with pytest.raises(RegistryError, match="'version' is given twice"):
        load_registry(twice)


def test_digest_follows_the_text(tmp_path, content):
    before = load_registry(write(tmp_path, content)).digest
    content["datasets"]["cora"]["title"] = "Cora!"
    assert load_registry(write(tmp_path, content)).digest != before


def test_published_results_have_all_cells():
    path = ROOT / "data" / "published" / "results.csv"
    with path.open(encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == 576
    assert Counter((row["paper"], row["table"]) for row in rows) == {
        ("mvplsa", "3"): 135, ("mvplsa", "4"): 90, ("mvplsa", "5"): 8,
        ("twoview_pa", "2"): 12, ("coplsa_multimodal", "1"): 40, ("coplsa_clustering", "1"): 54,
        ("multiview_hier", "2"): 151, ("multiview_hier", "3"): 6, ("multiview_hier", "4"): 80,
    }  # fmt: skip
    cells = [tuple(row[c] for c in ("paper", "table", "dataset", "setting", "method", "metric"))
             for row in rows]  # fmt: skip
    assert len(set(cells)) == 576
    assert all(row["mean"] == "" or float(row["mean"]) == float(row["mean"]) for row in rows)


def test_published_statistics_agree_with_the_registry(registry):
    with (ROOT / "data" / "published" / "dataset_statistics.csv").open(
        encoding="utf-8", newline=""
    ) as f:
        rows = list(csv.DictReader(f))
    assert len({(r["paper"], r["dataset"], r["statistic"]) for r in rows}) == len(rows)
    printed = {(r["dataset"], r["statistic"]): float(r["value"]) for r in rows}
    for row in rows:
        assert row["paper"] in registry[row["dataset"]]["papers"]
    papers_own = [d for d in registry.datasets.values() if not d.is_stand_in]
    assert {r["dataset"] for r in rows} == {d.key for d in papers_own}
    for dataset in papers_own:
        known = dataset["statistics"]
        flat = {k: v for k, v in known.items() if isinstance(v, int | float)}
        flat |= {f"features:{k}": v for k, v in known.get("dims", {}).items()}
        flat |= {f"nonzeros:{k}": v for k, v in known.get("nonzeros", {}).items()}
        flat |= {f"class_size:{k}": v for k, v in known.get("class_sizes", {}).items()}
        for name, value in flat.items():
            if "documents_full" in known and name == "documents":
                percent = printed[dataset.key, "sample_percent"]
                assert value == round(known["documents_full"] * percent / 100)
            else:
                assert printed[dataset.key, name] == value, (dataset.key, name)
