"""From files to a report on data that nobody prepared: seven runs of ``manyviews compare``.

    python benchmarks/own_data.py FOLDER [--only NAME ...] [--jobs 2] [--csv FILE]

Writes data sets to ``FOLDER`` as people keep them: tables in another order, rows missing in a view,
folders of texts, columns of text, a measurement to be cut into classes, no classes at all. All come
with installed packages. Runs the command on each and prints a line a run: rows, task, fits,
wall-clock and core minutes, advice. A run that was stopped goes on when it is called again; the
table then says so. Every row goes to ``docs/guide/own_data.csv`` and the guide's table; with
``--csv`` only to that file.
Texts come from numpy, scipy, scikit-learn, pandas and matplotlib, so scores differ between their
versions.
"""

import argparse
import csv
import importlib
import inspect
import os
import pkgutil
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from measured import DOCS, markdown, read_csv, write_block, write_csv
from sklearn import datasets

TABLE, PAGE, BLOCK = DOCS / "guide" / "own_data.csv", DOCS / "guide" / "compare.md", "own data"

#: Packages whose documentation and code are texts.
PACKAGES = ("matplotlib", "numpy", "pandas", "scipy", "sklearn")
#: Rows of the table of functions.
FUNCTIONS = 2000


def write_table(path: Path, header: list[str], rows: Any) -> None:
    """Write a CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def wine(folder: Path) -> Path:
    """One table, its class a column of words."""
    data = datasets.load_wine()
    kinds = ["Barolo", "Grignolino", "Barbera"]
    rows = [[*x, kinds[y]] for x, y in zip(data.data.tolist(), data.target, strict=True)]
    write_table(folder / "wine.csv", [*data.feature_names, "cultivar"], rows)
    return folder / "wine.csv"


def breast_cancer(folder: Path) -> Path:
    """Three tables in three orders: means, errors, extremes; a tenth of the rows lack the last."""
    data, rng = datasets.load_breast_cancer(), np.random.default_rng(0)
    for v, name in enumerate(("mean", "error", "worst")):
        order = rng.permutation(len(data.target))[: None if v < 2 else 512]
        header = [
            "id",
            *data.feature_names[10 * v : 10 * v + 10],
            *(["diagnosis"] if v == 0 else []),
        ]
        rows = [
            [f"patient-{i}", *data.data[i, 10 * v : 10 * v + 10],
             *([data.target_names[data.target[i]]] if v == 0 else [])]
            for i in order
        ]  # fmt: skip
        write_table(folder / f"{name}.csv", header, rows)
    return folder


def diabetes(folder: Path) -> Path:
    """A measurement cut into three classes; body and serum are the views."""
    data = datasets.load_diabetes(scaled=False)
    rows = [[*x, y] for x, y in zip(data.data.tolist(), data.target, strict=True)]
    write_table(folder / "patients.csv", [*data.feature_names, "progression"], rows)
    (folder / "data.yaml").write_text(
        "views:\n"
        "  body: {file: patients.csv, columns: [age, sex, bmi, bp]}\n"
        '  serum: {file: patients.csv, columns: "s*", ignore: [sex]}\n'
        "labels: {column: progression, cuts: 3}\n"
    )
    return folder / "data.yaml"


def pictures(folder: Path) -> Path:
    """No classes: upper and lower halves of handwritten digits, as arrays."""
    images = datasets.load_digits().images
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "digits.npz", upper=images[:, :4].reshape(-1, 32),
             lower=images[:, 4:].reshape(-1, 32))  # fmt: skip
    return folder / "digits.npz"


def modules() -> Iterator[tuple[str, ModuleType]]:
    """Return the public modules of the packages that can be imported."""
    for package in PACKAGES:
        top = importlib.import_module(package)
        for info in pkgutil.walk_packages(top.__path__, f"{package}.", lambda name: None):
            if any(part.startswith("_") or part in ("tests", "conftest", "setup")
                   for part in info.name.split(".")):  # fmt: skip
                continue
            try:
                yield package, importlib.import_module(info.name)
            except Exception:  # backends and examples that need other packages
                continue


def documentation(folder: Path) -> Path:
    """Write a folder a package, with a text a module: its own words, names left out."""
    for package, module in modules():
        text = inspect.getdoc(module) or ""
        if len(text.split()) >= 20:
            path = folder / package / f"{module.__name__}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(package, ""), encoding="utf-8")
    return folder


def functions() -> list[list[Any]]:
    """Return the functions of the packages: name, words, code, lines, arguments, package."""
    found = {}
    for package, module in modules():
        for name, one in inspect.getmembers(module, inspect.isfunction):
            place = f"{one.__module__}.{one.__qualname__}"
            if name.startswith("_") or not one.__module__.startswith(f"{package}."):
                continue
            try:
                code = inspect.getsource(one)
            except (OSError, TypeError):
                continue
            words = inspect.getdoc(one) or ""
            if len(words.split()) >= 10:
                found[place] = [place, words.replace(package, ""), code.replace(package, ""),
                                code.count("\n"), one.__code__.co_argcount, package]  # fmt: skip
    order = np.random.default_rng(0).permutation(len(found))[:FUNCTIONS]
    rows = [found[key] for key in sorted(found)]
    return [rows[i] for i in sorted(order)]


def table_of_functions(folder: Path) -> Path:
    """One table of 2,000 rows with two columns of text."""
    header = ["id", "words", "code", "lines", "arguments", "package"]
    write_table(folder / "functions.csv", header, functions())
    return folder / "functions.csv"


def code_for_words(folder: Path) -> Path:
    """Retrieval without classes: which code belongs to these words?"""
    rows = [[row[0], row[1], row[2]] for row in functions()]
    write_table(folder / "functions.csv", ["id", "words", "code"], rows)
    (folder / "data.yaml").write_text(
        "views:\n"
        "  words: {file: functions.csv, columns: [words], kind: text}\n"
        "  code: {file: functions.csv, columns: [code], kind: text}\n"
        "id: id\ntask: retrieval\n"
    )
    return folder / "data.yaml"


SETS: dict[str, Callable[[Path], Path]] = {
    "wine": wine,
    "breast cancer": breast_cancer,
    "diabetes": diabetes,
    "halves of digits": pictures,
    "documentation": documentation,
    "functions": table_of_functions,
    "code for words": code_for_words,
}


def run(name: str, folder: Path, jobs: int) -> dict[str, Any]:
    """Write a data set, compare, and return a row of the table."""
    path = SETS[name](folder / name.replace(" ", "-"))
    out = folder / f"report-{name.replace(' ', '-')}"
    kept = count_fits(out)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "manyviews.compare", "compare", str(path), "--out", str(out),
         "--jobs", str(jobs)],
        capture_output=True, text=True, check=False, env=os.environ,
    )  # fmt: skip
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    (folder / f"{out.name}.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    fits = count_fits(out)
    row: dict[str, Any] = {
        "data": name,
        "rows": "",
        "task": "",
        "fits": f"{fits}, {kept} of them before" if kept else fits,
        "minutes": round(wall / 60, 1),
        "core_minutes": round(spent / 60, 1),
    }
    if done.returncode or not (out / "report.html").is_file():
        return {**row, "advice": f"failed: {done.stderr.strip()}"}
    lines = done.stdout.splitlines()
    told = next(line for line in lines if " rows, " in line and " methods" in line)
    task, rows = told.partition(": ")[2].split(", ")[:2]
    return {**row, "rows": int(rows.split()[0]), "task": task, "advice": lines[-2]}


def count_fits(out: Path) -> int:
    """Return how many fits a comparison has kept."""
    return sum(1 for _ in (out / "work").glob("*/*/*.json"))


def merged(rows: list[dict[str, Any]], row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows with one of them new, in the order of the data sets."""
    known = {each["data"]: each for each in (*rows, row)}
    return [known[name] for name in SETS if name in known]


def block(rows: list[dict[str, Any]]) -> str:
    """Return the guide's table."""
    header = [name.replace("_", " ") for name in rows[0]]
    return markdown(header, [list(row.values()) for row in rows])


def main() -> None:
    """Run all, or some."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--csv", type=Path, help="where to write it instead of the page")
    given = parser.parse_args()
    table = given.csv or TABLE
    for name in given.only:
        row = run(name, given.folder, given.jobs)
        print(", ".join(f"{key} {value}" for key, value in row.items()), flush=True)
        # at once: what is measured stays when a later run is stopped
        rows = merged(read_csv(table) if table.is_file() else [], row)
        write_csv(table, rows)
        if given.csv is None:
            write_block(PAGE, BLOCK, block(rows))


if __name__ == "__main__":
    main()
