import numpy as np
import pytest
import scipy.sparse as sp

from reproduction.data.format import MultiViewData
from reproduction.data.statistics import describe


def test_description_counts():
    views = {"w": sp.csr_matrix(np.array([[0, 2, 0], [0, 0, 0], [-1, 3, 0], [0, 1, 0]]))}
    rows = {"is_test": np.array([0, 0, 1, 1], bool)}
    data = MultiViewData("made", views, [0, 1, -1, 0], ["a", "b"], list("1234"), rows=rows)
    found = describe(data).set_index(["data_set", "view", "statistic", "item"])["value"]
    measured = {("", "documents", ""): 4, ("", "classes", ""): 2, ("", "test_documents", ""): 2,
                ("", "class_size", "a"): 2, ("", "class_size", "b"): 1, ("w", "features", ""): 3,
                ("w", "nonzeros", ""): 4}  # fmt: skip
    assert found["made"].to_dict() == pytest.approx(measured)
