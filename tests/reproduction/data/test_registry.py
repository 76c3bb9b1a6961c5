"""The registry: properties of all entries, and every mistake in a file explained in one line."""

import pytest
import yaml

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
from reproduction.rooms import find_papers

REGISTRY = load_registry()


@pytest.fixture
def content():
    """One valid entry, to be broken."""
    return yaml.safe_load((PROJECT_REGISTRY / "cora.yaml").read_text(encoding="utf-8"))


def test_view_keys_resolve():
    for key in REGISTRY.view_keys():
        dataset, variant = REGISTRY.resolve(key)
        assert key == (dataset.key if variant is None else f"{dataset.key}.{variant}")
    with pytest.raises(RegistryError, match=r"leaves\.by_line"):
        REGISTRY.resolve("leaves.by_lines")
    for key, hint in (("coras", "did you mean.*cora"), ("zzzzzz", "known are: ads, .*webkb")):
        with pytest.raises(RegistryError, match=rf"unknown data set '{key}'.*{hint}"):
            REGISTRY[key]


def test_every_entry_keeps_what_its_role_promises():
    used = {key for paper in find_papers().values() for key in paper.datasets}
    assert used == {dataset.key for dataset in REGISTRY.values() if dataset.role == "paper"}
    names = [dataset.name for dataset in REGISTRY.values()]
    assert len(set(names)) == len(names)
    for dataset in REGISTRY.values():
        if dataset.role == "stand_in":
            assert REGISTRY[dataset.stands_in_for].role == "paper"
            assert dataset.comparable == "no"
        text = dataset.model_dump_json()
        assert ':"/' not in text  # no value is a path of some machine
        for part in (dataset, *dataset.editions):
            assert part.files or part.sources == [] or part.unpinned  # nothing without checksum
        public = [s for s in dataset.sources if s.kind not in ("mirror", "user")]
        others = {source.kind for edition in dataset.editions for source in edition.sources}
        for name in dataset.files:  # what no public address gives, another edition must do for
            given = any(name in (source.gives or dataset.files) for source in public)
            assert given or others & {"public", "package"}, (dataset.key, name)
        printed = published_statistics(dataset)
        assert len({name for name, _, _ in printed}) == len(printed), dataset.key
        views = {n.split(":")[1] for n, _, _ in printed if n.startswith(("features:", "nonzeros:"))}
        assert views <= set(dataset.views), dataset.key
    # data that only its owner gives: its surrogate is declared, not a fallback
    assert not REGISTRY["nus_wide"].is_public
    assert REGISTRY["cora"].is_public


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("name"), "name: is missing; add it"),
        (lambda d: d.update(licens="x"), "licens: unknown key; did you mean licence"),
        (lambda d: d.update(comparable="almost"), r"comparable: input should be 'same'.*'almost'"),
        (lambda d: d["files"]["cora.cites"].update(sha256="12"), r"files\.cora\.cites\.sha256: "),
        (lambda d: d["files"].update({"../x": d["files"]["cora.cites"]}), "must not leave its"),
        (lambda d: d["sources"][2].update(commit="main"), r"sources\[2\]\.commit: "),
        (lambda d: d["editions"][0].pop("files"), r"editions\[0\]: an edition needs `files`"),
        (lambda d: d.pop("files"), "`files` and `sources` go together"),
        (lambda d: d["sources"][0].update(kind="mirrors"), r"sources\[0\]: .*'mirror'"),
        (lambda d: d.pop("surrogate"), "`surrogate` is missing"),
        (lambda d: d.update(stands_in_for="coral", role="stand_in"), "unknown 'coral'"),
        (lambda d: d["views"].append("authors"), r"views differ \(authors\)"),
        (lambda d: d.pop("builder"), "need a `builder`"),
    ],
)
def test_a_broken_entry_is_explained_in_one_line(tmp_path, content, change, message):
    change(content)
    path = tmp_path / "cora.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(RegistryError, match=rf"^{path}: [^\n]*{message}[^\n]*$"):
        load_registry([tmp_path])


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"views: [", "is not valid YAML"), (b"name: a\nname: b\n", "'name' is given twice"),
     (b"- 1\n", "must be a mapping"), (b"name: \xff", "is not UTF-8")],
)  # fmt: skip
def test_unreadable_registries(tmp_path, text, message):
    (tmp_path / "x.yaml").write_bytes(text)
    with pytest.raises(RegistryError, match=rf"x\.yaml.*{message}"):
        load_registry([tmp_path])


def test_further_folders_are_found_and_a_key_may_be_given_once(tmp_path, content, monkeypatch):
    own = {"name": "Mine", "role": "own", "files": [{"path": "a.csv", "view": "a"}]}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(own))
    monkeypatch.setenv(REGISTRIES_VARIABLE, str(tmp_path))
    assert {"mine", "cora"} <= set(load_registry())
    (tmp_path / "cora.yaml").write_text(yaml.safe_dump(content))
    with pytest.raises(RegistryError, match=r"/cora\.yaml: .*'cora' is already in .*rename"):
        load_registry()


def test_hashes_follow_what_they_are_for():
    cora = REGISTRY["cora"]
    for changes, fetched, built in (
        ({"title": "Cora!", "name": "C", "statistics": {}}, True, True),
        ({"differences": "Some."}, False, True),
        ({"options": {"self_links": False}}, True, False),
    ):
        other = cora.model_copy(update=changes)
        assert (fetch_hash(other) == fetch_hash(cora)) == fetched
        assert (views_hash(other) == views_hash(cora)) == built


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"corel5": {}}, "unknown data set 'corel5'; did you mean corel5k"),
        ({"corel5k": {"photograph": 2}}, "unknown option; did you mean photographs"),
        ({"corel5k": {"photographs": 1}}, "1 is outside 2"),
        ({"corel5k": {"photographs": "many"}}, "must be a number or null"),
    ],
)
def test_options_of_the_configuration_are_checked(options, message):
    with pytest.raises(RegistryError, match=message):
        check_options(REGISTRY, options)
    check_options(REGISTRY, {"corel5k": {"photographs": None}, "cora": {}})
