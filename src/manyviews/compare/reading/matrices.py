"""Files of matrices: npz, svmlight, Matrix Market, MATLAB, HDF5, AnnData and MuData."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from manyviews.compare.reading.columns import LABEL_NAMES
from manyviews.compare.reading.errors import wrong
from manyviews.compare.reading.foreign import MATRICES, parsed
from manyviews.compare.reading.layouts import from_arrays, matrix_part
from manyviews.compare.reading.opening import ending_of, stem_of
from manyviews.compare.reading.parts import Found, Given, text_label
from manyviews.compare.reading.spec import Spec, ViewSpec

#: Files that hold data in a way this code does not read, with what to do.
REFUSED = {
    "pkl": "pickles can run code; save a table as CSV, arrays as npz",
    "pickle": "pickles can run code; save a table as CSV, arrays as npz",
    "xls": "save the sheet as CSV",
    "rds": "save the table as CSV",
    "rdata": "save the table as CSV",
}


def read_matrices(path: Path, spec: Spec, view: ViewSpec | None = None) -> Found:
    """Read a file of matrices by its ending."""
    ending, view = ending_of(path), view or ViewSpec()
    if ending not in MATRICES:
        mend = REFUSED.get(ending, "save it as CSV, npz or another format of the list")
        raise wrong(path, "its format is not read", mend)
    values = parsed(path, ending)
    name = view.name or stem_of(path)
    turn = spec.transpose if view.transpose is None else view.transpose
    if ending in ("h5ad", "h5mu"):
        return annotated(path, values, name)
    if "" not in values:
        return from_arrays(path, values, spec, replace(view, transpose=turn))
    if view.array is not None:
        raise wrong(path, "has no named arrays", "leave `array` out of data.yaml")
    matrix = values[""].T if turn else values[""]
    labels = (
        [Given([text_label(value) for value in values["y"]], path.name)] if "y" in values else []
    )
    return Found([matrix_part(path, name, matrix)], labels)


def annotated(path: Path, values: dict[str, Any], name: str) -> Found:
    """Return AnnData and MuData, as the parser describes them, as views."""
    found = Found()
    for place, modality in enumerate(values["names"]):
        part = matrix_part(path, modality or name, values[f"X{place}"], values[f"columns{place}"])
        part = replace(part, ids=values[f"rows{place}"])
        found.parts.append(part)
        for number, column in enumerate(values[f"about{place}"]):
            if not found.labels and column.lower() in (*LABEL_NAMES, "cell_type", "celltype"):
                found.labels.append(Given(values[f"about{place}.{number}"], path.name, part.ids))
                found.notes.append(f"{path.name}: classes are the column {column!r} of obs")
    return found
