"""A user's own files: every format, joined by id or by line, wrong files in one clear line."""

import io
import re

import numpy as np
import pytest
import scipy.sparse as sp
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


CSV = b"page,w1,w2,topic,note\np1,1,0,x,a\np2,0,2.5,y,b\np3,0,0,,c\n"
WORDS = {"path": "words.csv", "view": "words", "id": "page", "label": "topic", "ignore": ["note"]}


def test_tables_are_joined_by_id(own):
    links = {"path": "sub/links.tsv", "view": "links", "id": "p"}
    data = own([WORDS, links], {"words.csv": CSV, "sub/links.tsv": b"p\tl\np3\t3\np1\t1\np2\t2\n"})
    assert data.ids == ["p1", "p2", "p3"]
    assert data.class_names == ["x", "y"]
    assert data.labels.tolist() == [0, 1, -1]
    assert data.views["words"].toarray().tolist() == [[1, 0], [0, 2.5], [0, 0]]
    assert data.views["links"].toarray().ravel().tolist() == [1, 2, 3]
    assert data.feature_names == {"words": ["w1", "w2"], "links": ["l"]}
    assert data.provenance["source"] == "own"
    assert [len(record["sha256"]) for record in data.provenance["files"]] == [64, 64]


def saved(save, *values, **named):
    stream = io.BytesIO()
    save(stream, *values, **named)
    return stream.getvalue()


def test_arrays_and_their_labels_are_found_by_name(own, rng):
    X, y = rng.integers(0, 3, (7, 5)), rng.integers(0, 2, 7)
    files = [{"path": "c.npz", "view": "c", "array": "X", "label": "y"},
             {"path": "d.npz", "view": "d"}]  # fmt: skip
    contents = {"c.npz": saved(np.savez, X=X, y=y, Z=X + 1),
                "d.npz": saved(sp.save_npz, sp.csr_matrix(X))}  # fmt: skip
    holds(own(files, contents), c=X.tolist(), d=X.tolist(), classes=[str(label) for label in y])


def test_the_classes_of_svmlight_count_unless_another_file_has_labels(own):
    lines = b"2 1:1\n7 2:1\n"
    data = own([{"path": "a.svm", "view": "a"}], {"a.svm": lines})
    assert (data.class_names, data.labels.tolist()) == (["2", "7"], [0, 1])
    both = [{"path": "a.svm", "view": "a"}, {"path": "y.csv", "label": "y"}]
    data = own(both, {"a.svm": lines, "y.csv": b"y\nb\na\n"})
    assert (data.class_names, data.labels.tolist()) == (["a", "b"], [1, 0])


B = {"path": "b.csv", "view": "b"}
WRONG = {
    "words.csv: has no column or array 'topic'": ([WORDS], {"words.csv": b"page,w1\np1,1\n"}),
    "id 'p1'": ([WORDS], {"words.csv": CSV.replace(b"p2", b"p1")}),
    "b.csv: its 1 rows have no ids": ([WORDS, B], {"words.csv": CSV, "b.csv": b"f\n1\n"}),
    "b.csv: lacks the row 'p3'": (
        [WORDS, {**B, "id": "p"}], {"words.csv": CSV, "b.csv": b"p,f\np1,1\np2,1\n"}
    ),
    "words.csv: lacks the row 'q'": (
        [WORDS, {**B, "id": "p"}],
        {"words.csv": CSV, "b.csv": b"p,f\np1,1\np2,1\np3,1\nq,1\n"},
    ),
    "a view 'words' is there already": (
        [WORDS, {**B, "view": "words"}], {"words.csv": CSV, "b.csv": b"f\n1\n2\n3\n"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_wrong_files_are_explained(own, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        own(*WRONG[message])


def test_a_missing_file_is_one_clear_line(own, tmp_path):
    with pytest.raises(FetchError) as caught:
        own([WORDS], {})
    text = str(caught.value)
    assert "\n" not in text
    for part in ("'mine'", "words.csv", str(tmp_path / "mine"), str(tmp_path / "user" / "mine")):
        assert part in text
    assert not (tmp_path / "raw").exists()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"files": []}, "no file has a `view`"),
        ({"statistics": {"T": {"documents": 1}}}, "no sources, statistics or surrogate"),
    ],
)
def test_a_wrong_registry_file_is_explained(own, entry, message):
    given = {"files": [WORDS], **entry}
    with pytest.raises(RegistryError, match=message):
        own(given.pop("files"), {"words.csv": CSV}, **given)
