"""A user's own files: every format, joined by id or by line, wrong files in one clear line."""

import re

import pytest
import yaml
from toys import fill, holds

from reproduction.data.build import build_views
from reproduction.data.errors import FetchError
from reproduction.data.fetch import fetch
from reproduction.data.places import Places
from reproduction.data.registry import RegistryError, load_registry


@pytest.fixture
def own(tmp_path):
    """Write files and a registry file, fetch and build."""

    def go(files, contents, **entry):
        folder, raw = tmp_path / "mine", tmp_path / "raw"
        folder.mkdir(exist_ok=True)
        text = {"name": "Mine", "role": "own", "files": files, **entry}
        (folder / "mine.yaml").write_text(yaml.safe_dump(text), encoding="utf-8")
        fill(folder, contents)
        registry = load_registry([folder])
        places = Places(user=tmp_path / "user")
        provenance = fetch("mine", registry=registry, raw_dir=raw, places=places)
        given = {"registry_entry": registry["mine"], "provenance": provenance}
        return build_views("mine", raw_dir=raw / "mine", **given)

    return go


CSV = "page,w1,w2,topic,note\np1,1,0,x,a\np2,0,2.5,y,b\np3,0,0,,c\n"
WORDS = {"path": "words.csv", "view": "words", "id": "page", "label": "topic", "ignore": ["note"]}


def test_tables_are_joined_by_id(own):
    links = {"path": "sub/links.tsv", "view": "links", "id": "p"}
    data = own([WORDS, links], {"words.csv": CSV, "sub/links.tsv": "p\tl\np3\t3\np1\t1\np2\t2\n"})
    names = {"words": ["w1", "w2"], "links": ["l"]}
    holds(
        data, ids=["p1", "p2", "p3"], class_names=["x", "y"], labels=[0, 1, -1],
        words=[[1, 0], [0, 2.5], [0, 0]], links=[[1], [2], [3]], feature_names=names,
    )  # fmt: skip
    assert data.provenance["source"] == "own"
    assert [len(record["sha256"]) for record in data.provenance["files"]] == [64, 64]


def test_arrays_and_their_labels_are_found_by_name(own, rng):
    X, y = rng.integers(0, 3, (7, 5)), rng.integers(0, 2, 7)
    files = [{"path": "c.npz", "view": "c", "array": "X", "label": "y"},
             {"path": "d.npz", "view": "d"}]  # fmt: skip
    data = own(files, {"c.npz": {"X": X, "y": y, "Z": X + 1}, "d.npz": {"D": X}})
    holds(data, c=X.tolist(), d=X.tolist(), classes=[str(label) for label in y])


def test_the_classes_of_svmlight_count_unless_another_file_has_labels(own):
    svm = {"path": "a.svm", "view": "a"}
    contents = {"a.svm": "2 1:1\n7 2:1\n", "y.csv": "y\nb\na\n"}
    holds(own([svm], contents), classes=["2", "7"])
    holds(own([svm, {"path": "y.csv", "label": "y"}], contents), classes=["b", "a"])


B = {"path": "b.csv", "view": "b", "id": "p"}


@pytest.mark.parametrize(
    ("files", "contents", "message"),
    [([WORDS], {"words.csv": "page,w1\np1,1\n"}, "words.csv: has no column or array 'topic'"),
     ([WORDS, B], {"words.csv": CSV, "b.csv": "p,f\np1,1\np2,1\n"}, "b.csv: lacks the row 'p3'"),
     ([WORDS, B], {"words.csv": CSV, "b.csv": "p,f\np1,1\np2,1\np3,1\nq,1\n"},
      "words.csv: lacks the row 'q'"),
     ([], {}, "no file has a `view`")],
)  # fmt: skip
def test_wrong_files_are_explained(own, files, contents, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        own(files, contents)


def test_what_is_missing_or_no_part_of_own_data_is_one_clear_line(own, tmp_path):
    places = rf"in {tmp_path}/mine or in {tmp_path}/user/mine"
    with pytest.raises(FetchError, match=rf"^[^\n]*'mine'[^\n]*words.csv {places}[^\n]*$"):
        own([WORDS], {})
    assert not (tmp_path / "raw").exists()
    with pytest.raises(RegistryError, match="no sources, statistics or surrogate"):
        own([WORDS], {}, statistics={"T": {"documents": 1}})
