"""Sets of plain matrices: Reuters in two packings, leaves joined two ways, digits in two."""

import numpy as np
import pytest
from toys import holds

from reproduction.data.builders import matrices


def test_reuters_drops_negative_weights_and_may_come_in_cells(made):
    parts = {
        language: np.array([[1, 1, -3.5], [1, 3, 2.0 + i], [2, 1, -1.0], [2, 7, 0.5]])
        for i, language in enumerate(matrices.REUTERS_CELLS)
    }
    truth = np.array([[6], [1]])
    cells = np.empty((1, len(parts)), dtype=object)
    cells[0] = list(parts.values())
    named = {f"EN_{language}_sample": part for language, part in parts.items()}
    for variables in ({**named, "truth": truth}, {"X": cells, "Y": truth}):
        data = made(matrices.build_reuters, {"reuters.mat": variables})
        assert {name: view.shape[1] for name, view in data.views.items()} == matrices.REUTERS_WORDS
        assert [view[0, 2] for view in data.views.values()] == [2.0, 3.0, 6.0]
        assert [view.nnz for view in data.views.values()] == [2, 2, 2]
        assert [data.class_names[label] for label in data.labels] == ["M11", "C15"]


@pytest.mark.parametrize(
    ("join", "shape", "texture"),
    [("class", [10, 20, 30, 40], [0, 200, 300, 400]),
     ("line", [30, 40, 10, 20], [200, 200, 300, 400])],
)  # fmt: skip
def test_leaves_join_by_species_or_by_line(made, join, shape, texture):
    """Species a, b with two leaves; the shape file starts with b; texture lacks one leaf of a."""
    files = {
        "data_Mar_64.txt": "a,1,0\na,2,0\nb,3,0\nb,4,0\n",
        "data_Sha_64.txt": "b,30,0\nb,40,0\na,10,0\na,20,0\n",
        "data_Tex_64.txt": "a,200,0\nb,300,0\nb,400,0\n",
    }
    data = made(matrices.build_leaves, files, join=join)
    found = {name: view.toarray()[:, 0].tolist() for name, view in data.views.items()}
    assert found == {"margin": [1, 2, 3, 4], "shape": shape, "texture": texture}
    holds(data, ids=["a/1", "a/2", "b/1", "b/2"], texture_present=[False, True, True, True])


def test_digits_from_uci_and_from_the_wheel_are_the_same(made):
    values = np.arange(40.0).reshape(20, 2) - 3
    blanks = "\n".join("  ".join(map(str, row)) for row in values)
    table = "0,1,0\n" + "\n".join(f"{a},{b},{i // 2}" for i, (a, b) in enumerate(values))
    for name, content in (("mfeat-{}.gz", blanks), ("mfeat-{}.csv", table)):
        files = {name.format(view): content for view in matrices.DIGIT_VIEWS}
        data = made(matrices.build_digits, files)
        assert data.ids[:3] == ["0-0", "0-1", "1-0"]
        labels = np.repeat(np.arange(10), 2).tolist()
        holds(data, labels=labels, **dict.fromkeys(matrices.DIGIT_VIEWS, values.tolist()))
