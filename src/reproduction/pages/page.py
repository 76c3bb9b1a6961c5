"""Execute a notebook and write it as one HTML file that needs no network.

The page carries its styles, its script, its figures (SVG) and its formulas; the same notebook and
results give the same bytes: no dates, no execution times, no random ids.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from markupsafe import Markup

from asprinted.words import DATA
from reproduction.data.registry import load_registry
from reproduction.files import write_text

# Notebooks call figures and tables: imported here, they make a page stale when they change.
from reproduction.pages import opening as _opening  # noqa: F401
from reproduction.pages.markup import render
from reproduction.pages.notebooks import run_notebook
from reproduction.pages.prose import Contents, markdown_html
from reproduction.pages.results import CONFIGURATION, FULL, NO_CLOCKS, RESULTS
from reproduction.rooms import find_papers, paper_keys
from reproduction.verdicts.data_facts import SEVERAL, data_facts

DESCRIPTION = "Part of a reproduction of papers on multi-view learning, cell by cell."
#: Pages with a target of their own, linked where they are: file name -> label.
BESIDE = {"then_and_now": "Then and now: the methods of today"}
#: The same in the navigation bar, where there is little room.
_BESIDE_SHORT = {"then_and_now": "Then and now"}


def pages() -> dict[str, str]:
    """Pages of the report in the order of the navigation bar: file name -> label."""
    papers = {key: card.short for key, card in find_papers().items()}
    besides = {
        "ledger": "All cells",
        "data": "Data",
        "reading": "How to read this",
        "reliability": "Reliability",
    }
    return {"index": "Overview", **papers, **besides}


def navigation(page: str, configuration: str) -> dict[str, str]:
    """Pages that the bar of a page leads to: those with a target of their own where they are kept.

    The full configuration's are in the repository; others may not have been made, so a page of
    theirs leads to itself alone.
    """
    beside = _BESIDE_SHORT if configuration == FULL else {}
    return {**pages(), **beside, **{k: v for k, v in _BESIDE_SHORT.items() if k == page}}


def _output_html(output: Mapping[str, Any], contents: Contents) -> str:
    kind = output["output_type"]
    if kind == "stream":
        # warnings on standard error belong to the log, not to the page
        return "" if output["name"] == "stderr" else f"<pre>{html.escape(output['text'])}</pre>\n"
    data = output["data"]
    if "text/html" in data:
        text = str(data["text/html"])
        if re.search(r'id="T_[0-9a-f]{5}', text):
            raise ValueError("a styled data frame has random ids; show it with show_table()")
        known = text.startswith(("<section", "<figure"))
        return f"{text}\n" if known else f'<div class="plain-output">{text}</div>\n'
    if "text/markdown" in data:
        return markdown_html(data["text/markdown"], contents)
    if {"image/svg+xml", "image/png"} & set(data):
        raise ValueError("a figure without a text alternative; show it with show_figure()")
    if "text/plain" in data:
        text = str(data["text/plain"])
        if re.search(r" at 0x[0-9a-f]{6,}", text):
            raise ValueError(f"shows an address in memory ({text[:60]}); end the line with ';'")
        return f"<pre>{html.escape(text)}</pre>\n"
    return ""


def notebook_html(notebook: Any, contents: Contents) -> str:
    """Body of the page: prose, and what cells show; their code stays in the notebook."""
    parts: list[str] = []
    for number, cell in enumerate(notebook.cells, start=1):
        try:
            if cell.cell_type == "markdown":
                parts.append(markdown_html(cell.source, contents))
            elif cell.cell_type == "code":
                parts += [_output_html(output, contents) for output in cell.outputs]
        except ValueError as error:
            raise ValueError(f"cell {number} of the notebook: {error}") from error
    return "".join(parts) + contents.end()


@contextmanager
def _variables(**values: str) -> Iterator[None]:
    """Set variables of the environment for a while."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def results_folder(results: Path) -> Any:
    """Let :mod:`reproduction.pages.results` read this folder for a while."""
    return _variables(**{RESULTS: str(results.resolve())})


def configured(stamp: Mapping[str, str]) -> Any:
    """Let commands on a page name the configuration of its stamp."""
    return _variables(**{CONFIGURATION: stamp.get("Configuration", "")})


def _asset(name: str) -> str:
    return (resources.files("reproduction.pages") / "assets" / name).read_text(encoding="utf-8")


def _headings(body: str) -> list[dict[str, Any]]:
    """Return the headings of a body that have ids."""
    found = re.findall(r'<h([1-3]) id="([^"]+)">(.*?)</h\1>', body, flags=re.DOTALL)
    return [{"id": i, "text": html.unescape(text), "level": int(n)} for n, i, text in found]


def _policy(script: str) -> str:
    """Content security policy: a page runs its own script and asks for nothing else."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def page_html(
    body: str,
    *,
    page: str,
    contents: Sequence[Mapping[str, Any]] | None = None,
    stamp: Mapping[str, str],
    surrogates: Sequence[str] = (),
    parts: Sequence[str] = (),
) -> str:
    """Put a body into the frame of the report: navigation, contents, stamp, styles, script.

    ``contents`` are the headings to list, those of the body unless they are given; ``surrogates``
    are data sets that no source had, and a note on the page names them. ``parts`` are assets that
    this page needs besides: ``explorer`` adds ``explorer.css`` and ``explorer.js``.
    """
    parts = ["page", *parts]
    contents = _headings(body) if contents is None else contents
    heading = next((entry["text"] for entry in contents if entry["level"] == 1), "")
    configuration = stamp.get("Configuration", "")
    script = "\n" + "\n".join(_asset(f"{part}.js") for part in parts)
    text = render(
        "page.html",
        title=heading or pages().get(page, page),
        css=Markup("\n".join(_asset(f"{part}.css") for part in parts)),
        script=Markup(script),
        policy=Markup(_policy(script)),
        body=Markup(body),
        surrogates=surrogates,
        description=DESCRIPTION,
        author=stamp.get("Reproduction", "manyviews").partition(":")[0],
        page=page,
        navigation=navigation(page, configuration),
        menu=paper_keys(),
        contents=[entry for entry in contents if entry["level"] in (2, 3)],
        stamp=stamp,
        shortened="" if configuration in ("", FULL) else configuration,
    )
    return text.strip() + "\n"


def check_names(body: str) -> None:
    """Raise when two parts of a page have the same id: links and downloads would mix them up."""
    repeated = [name for name, n in Counter(re.findall(r'\sid="([^"]+)"', body)).items() if n > 1]
    if repeated:
        raise ValueError(
            f"two parts of the page are called {repeated[0]!r}; give every table and every figure "
            "of a notebook a name of its own"
        )


def _scored_kinds(results: Path, papers: Iterable[str]) -> dict[str, str]:
    """What the data sets of some papers were when scored: key -> original, surrogate, ..."""
    kinds: dict[str, str] = {}
    for paper in papers:
        path = results / paper / "provenance.json"
        if path.is_file():
            loaded = json.loads(path.read_text(encoding="utf-8"))
            kinds.update(
                {key: facts["kind"] for key, facts in loaded.items() if facts["source"] != SEVERAL}
            )
    return kinds


def _fetched_kinds(files: Iterable[Path | str]) -> dict[str, str]:
    """What data sets are, from the ``PROVENANCE.json`` that lies with each of them."""
    registry = load_registry()
    kinds = {}
    for path in map(Path, files):
        key = path.parent.name
        loaded = json.loads(path.read_text(encoding="utf-8"))
        kinds[key] = data_facts(key, registry[key], loaded).kind
    return kinds


def run_facts(
    results: Path,
    papers: Iterable[str],
    stamp: Mapping[str, str],
    provenance: Iterable[Path | str] = (),
) -> tuple[dict[str, str], list[str]]:
    """Return the stamp with what the data of some papers is, and the names of surrogates."""
    kinds = _fetched_kinds(provenance) or _scored_kinds(results, papers)
    counts = Counter(kinds.values())
    data = ", ".join(f"{counts[kind]} {kind}" for kind in DATA if counts[kind])
    surrogates = sorted(key for key, kind in kinds.items() if kind == "surrogate")
    return {**stamp, **({"Data": data} if data else {})}, surrogates


def write_page(
    notebook: Path | str,
    output: Path | str,
    *,
    results: Path | str,
    stamp: Mapping[str, str],
    provenance: Iterable[Path | str] = (),
) -> None:
    """Execute a notebook on a results folder and write the page.

    The name of the HTML file decides which entry of the navigation bar is current. ``provenance``
    are the ``PROVENANCE.json`` of every data set shown, for a page written before or beside the
    scoring; without them the page goes by what was scored.
    """
    contents = Contents()
    known = {NO_CLOCKS: "1", RESULTS: str(Path(results).resolve())}
    known[CONFIGURATION] = stamp.get("Configuration", "")
    body = notebook_html(run_notebook(Path(notebook), known), contents)
    check_names(body)
    name = Path(output).stem
    shown = paper_keys() if name == "reading" else (name,)
    full, surrogates = run_facts(Path(results), shown, stamp, provenance)
    text = page_html(body, page=name, contents=contents, stamp=full, surrogates=surrogates)
    write_text(output, text)
