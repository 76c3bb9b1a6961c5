from pathlib import Path

import pytest
import yaml

from reproduction.data.build import builder_module
from reproduction.data.registry import (
    PROJECT_REGISTRY,
    REGISTRIES_VARIABLE,
    RegistryError,
    check_options,
    fetch_hash,
    load_registry,
    published_statistics,
    views_hash,
)
from reproduction.files import ROOT
from reproduction.rooms import find_papers


@pytest.fixture(scope="module")
def registry():
    return load_registry()


@pytest.fixture
def content():
    """One valid entry, to be broken."""
    return yaml.safe_load((PROJECT_REGISTRY / "cora.yaml").read_text(encoding="utf-8"))


def write(folder: Path, content, name="cora.yaml") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path


def test_every_file_is_an_entry_under_its_name(registry):
    assert list(registry) == sorted(path.stem for path in PROJECT_REGISTRY.glob("*.yaml"))
    names = [dataset.name for dataset in registry.values()]
    assert len(set(names)) == len(names)


def test_view_keys_resolve(registry):
    keys = registry.view_keys()
    assert len(keys) == len(set(keys))
    for key in keys:
        dataset, variant = registry.resolve(key)
        assert dataset.key == key.partition(".")[0]
        assert variant == (key.partition(".")[2] or None)
    assert set(registry) < set(keys)
    assert "newsgv2.all_messages" in keys


@pytest.mark.parametrize(
    ("asked", "offered"), [("coras", "cora"), ("newsgv3", "newsgv2"), ("wikipedia", "wikipedia")]
)
def test_unknown_data_set_names_the_nearest(registry, asked, offered):
    with pytest.raises(RegistryError, match=f"unknown data set '{asked}'.*did you mean.*{offered}"):
        registry[asked]


def test_unknown_data_set_without_a_near_one_lists_all(registry):
    with pytest.raises(RegistryError, match=r"known are: ads, .*wikipedia_pairs"):
        registry["zzzzzz"]


def test_unknown_variant_is_refused(registry):
    with pytest.raises(RegistryError, match=r"leaves\.by_line"):
        registry.resolve("leaves.by_lines")
    with pytest.raises(ValueError, match="no variant 'x'; it has: by_line"):
        registry["leaves"].builder_options("x")


def test_options_of_source_and_variant_go_on_top(registry):
    course = registry["webkb_course"]
    (pages,) = course.editions
    assert course.builder_options()["pages"] == "features"
    assert course.builder_options(served=pages.options)["pages"] == "raw"
    assert course.builder_options("raw_pages")["pages"] == "raw"


def test_builders_exist(registry):
    for dataset in registry.values():
        if dataset.builder is not None:
            name = builder_module(dataset.builder)
            assert (ROOT / "src" / (name.replace(".", "/") + ".py")).is_file(), dataset.key


def test_stand_ins_are_not_the_papers_own(registry):
    stand_ins = [dataset for dataset in registry.values() if dataset.is_stand_in]
    assert stand_ins
    for dataset in stand_ins:
        target = registry[dataset.stands_in_for]
        assert target.role == "paper"
        assert dataset.comparable == "no"


def test_every_data_set_of_a_paper_is_the_papers_own(registry):
    used = {key for paper in find_papers().values() for key in paper.datasets}
    assert used == {dataset.key for dataset in registry.values() if dataset.role == "paper"}


def test_a_published_name_is_given_only_where_it_differs(registry):
    for path in PROJECT_REGISTRY.glob("*.yaml"):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert content.get("published_name") != content["name"], path


def test_what_differs_is_plain_text(registry):
    """Tables show it as it is written, without Markdown."""
    for dataset in registry.values():
        for part in (dataset, *dataset.editions):
            assert not set("`*") & set(part.differences or ""), dataset.key


def test_no_download_without_checksum_and_no_machine_path(registry):
    for dataset in registry.values():
        text = dataset.model_dump_json()
        assert ':"/' not in text  # no value is an absolute path
        assert "file://" not in text
        for part in (dataset, *dataset.editions):
            assert part.files or part.sources == [] or part.unpinned


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("name"), "name: is missing; add it"),
        (lambda d: d.update(licens="x"), "licens: unknown key; did you mean licence"),
        (lambda d: d.update(comparable="almost"), r"comparable: input should be 'same'.*'almost'"),
        (lambda d: d["files"]["cora.cites"].update(sha256="12"), r"files\.cora\.cites\.sha256: "),
        (
            lambda d: d["files"].update({"../x": d["files"]["cora.cites"]}),
            "must not leave its fold",
        ),
        (lambda d: d["files"].update({"/etc/x": d["files"]["cora.cites"]}), "'/etc/x'"),
        (lambda d: d["sources"][2].update(commit="main"), r"sources\[2\]\.commit: "),
        (lambda d: d["editions"][0].pop("files"), r"editions\[0\]: an edition needs `files`"),
        (lambda d: d.pop("files"), "`files` and `sources` go together"),
        (lambda d: d["sources"][0].pop("folder"), r"sources\[0\]\.folder: is missing"),
        (lambda d: d["sources"][0].update(kind="mirrors"), r"sources\[0\]: .*'mirror'"),
        (lambda d: d.pop("surrogate"), "`surrogate` is missing"),
        (lambda d: d.update(stands_in_for="coral", role="stand_in"), "unknown 'coral'"),
        (lambda d: d.update(stands_in_for="cora"), "goes with the role stand_in"),
        (lambda d: d["views"].append("authors"), r"views differ \(authors\)"),
        (lambda d: d.pop("builder"), "need a `builder`"),
        (
            lambda d: d["statistics"]["Table 1"].update(docs=1),
            r"statistics\.Table 1\.docs: unknown",
        ),
    ],
)
def test_a_broken_entry_is_explained_in_one_line(tmp_path, content, change, message):
    change(content)
    path = write(tmp_path / "r", content)
    with pytest.raises(RegistryError, match=message) as caught:
        load_registry([path.parent])
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_unreadable_registries(tmp_path):
    with pytest.raises(RegistryError, match="no registry at"):
        load_registry([tmp_path / "none"])
    for name, text, message in (
        ("broken", "views: [", "is not valid YAML"),
        ("twice", "name: a\nname: b\n", "'name' is given twice"),
        ("list", "- 1\n", "must be a mapping"),
        ("Upper", "name: a\nrole: own\n", "key: "),
    ):
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(RegistryError, match=message) as caught:
            load_registry([path])
        assert str(path) in str(caught.value)
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"name: \xff")
    with pytest.raises(RegistryError, match="is not UTF-8"):
        load_registry([binary])


def test_further_folders_are_found_and_a_key_may_be_given_once(tmp_path, content, monkeypatch):
    own = {"name": "Mine", "role": "own", "files": [{"path": "a.csv", "view": "a"}]}
    write(tmp_path / "mine", own, "mine.yaml")
    monkeypatch.setenv(REGISTRIES_VARIABLE, str(tmp_path / "mine"))
    assert {"mine", "cora"} <= set(load_registry())
    write(tmp_path / "mine", content)
    with pytest.raises(RegistryError, match=r"mine/cora\.yaml: .*'cora' is already in .*rename"):
        load_registry()


def test_hashes_follow_what_they_are_for(registry):
    cora = registry["cora"]
    told = cora.model_copy(update={"title": "Cora!", "name": "C", "statistics": {}})
    assert fetch_hash(told) == fetch_hash(cora)
    assert views_hash(told) == views_hash(cora)
    elsewhere = cora.model_copy(update={"differences": "Some."})
    assert fetch_hash(elsewhere) != fetch_hash(cora)
    assert views_hash(elsewhere) == views_hash(cora)
    other = cora.model_copy(update={"options": {"self_links": False}})
    assert fetch_hash(other) == fetch_hash(cora)
    assert views_hash(other) != views_hash(cora)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"corel5": {}}, "unknown data set 'corel5'; did you mean corel5k"),
        ({"corel5k": {"photograph": 2}}, "unknown option; did you mean photographs"),
        ({"cora": {"photographs": 2}}, "known are: none"),
        ({"corel5k": {"photographs": 1}}, "1 is outside 2"),
        ({"corel5k": {"photographs": "many"}}, "must be a number or null"),
    ],
)
def test_options_of_the_configuration_are_checked(registry, options, message):
    with pytest.raises(RegistryError, match=message):
        check_options(registry, options)


def test_options_that_data_sets_offer_pass(registry):
    check_options(registry, {"corel5k": {"photographs": None}})
    check_options(registry, {"corel5k": {"photographs": 2}, "cora": {}})


def test_statistics_are_flat_numbers_with_their_place(registry):
    found = published_statistics(registry["cornell"])
    assert ("documents", 195, "Table 2") in found
    assert ("features:content", 1703, "Table 2") in found
    assert ("class_size:course", 46, "Section 4.1 (text)") in found
    for dataset in registry.values():
        printed = published_statistics(dataset)
        assert len({name for name, _, _ in printed}) == len(printed), dataset.key
        assert bool(printed) == (dataset.role != "own")
        views = {n.split(":")[1] for n, _, _ in printed if n.startswith(("features:", "nonzeros:"))}
        assert views <= set(dataset.views), dataset.key


def test_data_that_only_its_owner_gives_is_not_public():
    """Its surrogate is declared, not a fallback: it sends no run to another folder."""
    registry = load_registry()
    assert not registry["nus_wide"].is_public
    assert registry["nus_wide"].is_real
    assert registry["cora"].is_public
