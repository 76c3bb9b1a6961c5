"""What a view file holds, as a tidy table: documents, classes, sizes and non-zeros of views."""

import numpy as np
import pandas as pd

from reproduction.data.format import MultiViewData


def describe(data: MultiViewData) -> pd.DataFrame:
    """Return the statistics of one data set; ``view`` is empty for facts about all of it."""
    sizes = np.bincount(data.labels[data.labels >= 0], minlength=len(data.class_names))
    records = [("", "documents", "", data.n_rows), ("", "classes", "", len(data.class_names))]
    if "is_test" in data.rows:
        records.append(("", "test_documents", "", int(np.sum(data.rows["is_test"]))))
    records += [("", "class_size", *pair) for pair in zip(data.class_names, sizes, strict=True)]
    for name, view in data.views.items():
        records += [(name, "features", "", view.shape[1]), (name, "nonzeros", "", view.nnz)]
    frame = pd.DataFrame(records, columns=["view", "statistic", "item", "value"])
    frame.insert(0, "data_set", data.name)
    return frame.astype({"value": float})
