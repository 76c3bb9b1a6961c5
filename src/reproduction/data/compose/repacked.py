"""Files that differ from public ones in their packing alone."""

import io

import scipy.io
import scipy.sparse as sp

from reproduction.data.content import Contents

#: The lists of each split of Corel5K: a line is ``<photograph> <word> ...``.
LABELS = {"labels/training_label": "train/", "labels/test_label": "test/"}


def by_split(inputs: Contents) -> Contents:
    """Sort ``images/<folder>/<photograph>.jpeg`` into ``train/`` and ``test/``, as the lists say.

    One test photograph is listed twice here and once in the pinned copy, whose lines end in CR LF.
    Photographs that no list has are left out.
    """
    images = {path.rsplit("/", 1)[-1]: content for path, content in inputs["images/"].items()}
    made: Contents = {}
    for name, split in LABELS.items():
        labels = inputs[name].decode("ascii").split("\n")
        lines = {line.split()[0]: line for line in labels if line}
        made[name] = "".join(f"{line}\r\n" for line in lines.values()).encode("ascii")
        made[split] = {f"{number}.jpeg": images[f"{number}.jpeg"] for number in lines}
    return made


def weights_as_text(inputs: Contents) -> Contents:
    """Write ``feature`` of ``wiki.mat`` as ``tfidf.txt``: one line per non-zero, row by row.

    A line is ``<document> TAB <word> TAB <weight>``, the weight in C's ``%g``.
    """
    weights = sp.csr_matrix(scipy.io.loadmat(io.BytesIO(inputs["wiki.mat"]))["feature"])
    weights.sort_indices()
    cells = weights.tocoo()
    lines = map("{}\t{}\t{:g}\n".format, cells.row, cells.col, cells.data.tolist())
    return {"tfidf.txt": "".join(lines).encode("ascii")}
