"""What a method of the comparison is: one file of :mod:`manyviews.compare.methods`.

A file offers ``METHOD``, or ``methods(facts)`` that returns several by name. Its name is the
method's key. Further folders of such files can be named on the command line.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.compare import methods as own_methods
from manyviews.compare.reading.own import OwnData

Settings = Mapping[str, Any]
FAMILIES = ("control", "paper", "plain")


@dataclass(frozen=True)
class Facts:
    """What a method may know about the data before it is fitted: nothing of any label."""

    n_rows: int
    n_classes: int
    names: tuple[str, ...]
    widths: tuple[int, ...]
    kinds: tuple[str, ...]
    sparse: tuple[bool, ...]
    graphs: tuple[bool, ...]
    negative: tuple[bool, ...]
    kind: str = "classify"
    classes: tuple[str, ...] = ()
    ontology: Mapping[str, tuple[str, ...]] | None = None

    @property
    def n_views(self) -> int:
        """Number of views."""
        return len(self.names)

    @property
    def clustering(self) -> bool:
        """Whether rows are clustered."""
        return self.kind == "cluster"


@dataclass(frozen=True)
class Method:
    """One method.

    Attributes
    ----------
    title
        What the report calls it.
    tasks
        Some of ``"classify"``, ``"cluster"``, ``"retrieve"`` and ``"stream"``.
    family
        ``"control"``, ``"paper"`` (published in one of the papers here) or ``"plain"``.
    build
        ``build(facts, settings, seed)`` returns an unfitted estimator on views. To classify and
        cluster it has ``fit`` and ``predict`` (or ``labels_``); for a stream ``partial_fit`` and
        ``predict``; to retrieve ``fit`` and ``embed(v, X)``, the coordinates of rows seen through
        view ``v`` alone.
    grid
        Settings that nested validation chooses from; the first is used where nothing is tuned.
    transductive
        Whether it learns from the features of rows without a label. It is then fitted to all
        rows, their labels hidden, and answers with ``labels_``.
    needs
        Packages beyond the library's own.
    unfit
        ``unfit(facts)`` returns why the method cannot run on the data, or nothing.
    one_table
        Whether it sees the views side by side as one table: the best of these is what the others
        must beat. To retrieve there is no such table, and CCA stands for it.
    """

    title: str
    tasks: tuple[str, ...]
    family: str
    build: Callable[[Facts, Settings, int], Any]
    grid: Sequence[Settings] = ({},)
    transductive: bool = False
    needs: tuple[str, ...] = ()
    unfit: Callable[[Facts], str] = lambda facts: ""
    one_table: bool = False
    key: str = ""


def facts_of(data: OwnData, n_classes: int, kind: str = "classify") -> Facts:
    """Return what methods may know about own data, for a kind of task."""
    return Facts(
        n_rows=len(data),
        n_classes=n_classes,
        names=data.views.names,
        widths=tuple(X.shape[1] for X in data.views.matrices),
        kinds=tuple(data.kinds),
        sparse=tuple(sp.issparse(X) for X in data.views.matrices),
        graphs=tuple(data.graphs),
        negative=tuple(_lowest(X) < 0 for X in data.views.matrices),
        kind=kind,
        classes=tuple(data.classes),
        ontology=data.ontology,
    )


def _lowest(X: Any) -> float:
    values = X.data if sp.issparse(X) else np.asarray(X)
    return float(values.min()) if values.size else 0.0


def _modules(folders: Iterable[Path]) -> dict[str, ModuleType]:
    found = {}
    for info in sorted(pkgutil.iter_modules(own_methods.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            found[info.name] = importlib.import_module(f"{own_methods.__name__}.{info.name}")
    for folder in folders:
        for path in sorted(Path(folder).glob("[a-z]*.py")):
            spec = importlib.util.spec_from_file_location(f"compared_{path.stem}", path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            found[path.stem] = module
    return found


def find_methods(
    facts: Facts, task: str, folders: Iterable[Path] = (), only: Sequence[str] | None = None
) -> tuple[dict[str, Method], list[str]]:
    """Return the methods that can run on the data, and one line for each that cannot.

    Parameters
    ----------
    facts
        What is known about the data.
    task
        ``"classify"``, ``"cluster"``, ``"retrieve"`` or ``"stream"``.
    folders
        Folders with further methods, a file each.
    only
        Keys of the methods that are wanted; by default all. ``single_view`` means every view's.
    """
    found: dict[str, Method] = {}
    skipped: list[str] = []
    modules = _modules(folders)
    unknown = [key for key in only or () if key not in modules]
    if unknown:
        raise ValueError(f"there is no method {unknown[0]!r}; known: {', '.join(modules)}")
    for stem, module in modules.items():
        if only is not None and stem not in only:
            continue
        several = getattr(module, "methods", None)
        offered = several(facts) if several else {stem: module.METHOD}
        for key, method in offered.items():
            if task not in method.tasks:
                continue
            missing = [package for package in method.needs if find_spec(package) is None]
            reason = method.unfit(facts)
            if missing and not reason:
                wanted = missing[0].replace("_", "-")
                reason = f"needs the package {wanted} (pip install {wanted})"
            if reason:
                skipped.append(f"{method.title}: {reason}")
            else:
                found[key] = replace(method, key=key)
    return found, skipped
