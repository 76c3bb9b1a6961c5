"""Execute a notebook and write it as one HTML file that needs no network.

The page carries its styles, its script, its figures (SVG) and its formulas; the same notebook and
results give the same bytes: no dates, no execution times, no random ids.
"""

import base64
import hashlib
import html
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from jupyter_client.manager import KernelManager
from markupsafe import Markup
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from asprinted.words import DATA
from reproduction.data.registry import load_registry
from reproduction.files import write_text

# Notebooks call figures and tables: imported here, they make a page stale when they change.
from reproduction.pages import opening as _opening  # noqa: F401
from reproduction.pages.markup import render
from reproduction.pages.prose import Contents, markdown_html
from reproduction.pages.results import CONFIGURATION, FULL, NO_CLOCKS, RESULTS, load_provenance
from reproduction.rooms import find_papers, paper_keys
from reproduction.verdicts.data_facts import SEVERAL, data_facts

#: Pages with a target of their own, linked where they are: file name -> label, in the bar its head.
BESIDE = {"then_and_now": "Then and now: the methods of today"}


class NotebookError(RuntimeError):
    """A cell failed; the text names the notebook and shows the cell with its traceback."""


def pages() -> dict[str, str]:
    """Pages of the report in the order of the navigation bar: file name -> label."""
    papers = {key: card.short for key, card in find_papers().items()}
    besides = {"ledger": "All cells", "data": "Data", "reading": "How to read this"}
    return {"index": "Overview", **papers, **besides, "reliability": "Reliability"}


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
def results_folder(results: Path, configuration: str = "") -> Iterator[None]:
    """Let :mod:`reproduction.pages.results` read a folder, and name its configuration."""
    before = dict(os.environ)
    os.environ.update({RESULTS: str(results.resolve()), CONFIGURATION: configuration})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _asset(name: str) -> str:
    return (resources.files("reproduction.pages") / "assets" / name).read_text(encoding="utf-8")


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
    title: str = "",
    contents: Sequence[Mapping[str, Any]] = (),
    stamp: Mapping[str, str],
    surrogates: Sequence[str] = (),
    parts: Sequence[str] = (),
) -> str:
    """Put a body into the frame of the report: navigation, contents, stamp, styles, script.

    ``contents`` are the headings to list, and give the title unless it is given; ``surrogates`` are
    data sets that no source had, and a note on the page names them. ``parts`` are assets that this
    page needs besides: ``explorer`` adds ``explorer.css`` and ``explorer.js``.
    """
    parts = ["page", *parts]
    heading = next((entry["text"] for entry in contents if entry["level"] == 1), "")
    configuration = stamp.get("Configuration", "")
    script = "\n" + "\n".join(_asset(f"{part}.js") for part in parts)
    # pages with a target of their own are kept for the full configuration alone
    beside = [name for name in BESIDE if configuration == FULL or name == page]
    text = render(
        "page.html",
        title=title or heading or pages().get(page, page),
        css=Markup("\n".join(_asset(f"{part}.css") for part in parts)),
        script=Markup(script),
        policy=Markup(_policy(script)),
        body=Markup(body),
        surrogates=surrogates,
        author=stamp.get("Reproduction", "manyviews").partition(":")[0],
        page=page,
        navigation=pages() | {name: BESIDE[name].partition(":")[0] for name in beside},
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


def run_facts(parts: Iterable[str], stamp: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return the stamp with what the data of some papers is, and the names of surrogates.

    ``parts`` are papers, whose data were judged, or ``data`` for all that were fetched.
    """
    kinds, registry = {}, load_registry()
    for part in parts:
        for key, facts in load_provenance(part).items():
            if facts["source"] != SEVERAL:
                kinds[key] = facts.get("kind") or data_facts(key, registry[key], facts).kind
    counts = Counter(kinds.values())
    data = ", ".join(f"{counts[kind]} {kind}" for kind in DATA if counts[kind])
    surrogates = sorted(key for key, kind in kinds.items() if kind == "surrogate")
    return {**stamp, **({"Data sets of this page": data} if data else {})}, surrogates


def run_notebook(path: Path) -> Any:
    """Return a notebook with the outputs of its cells, run in its folder and without clocks.

    The first cell that fails raises a :class:`NotebookError`.
    """
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(path.resolve().parent)}}
    with TemporaryDirectory() as folder:
        # files in place of ports: pages are written side by side, also where there is no network
        files = {"connection_file": f"{folder}/kernel.json", "ip": f"{folder}/kernel"}
        kernel = KernelManager(kernel_name="python3", transport="ipc", **files)
        client = NotebookClient(notebook, km=kernel, resources=place, timeout=None)
        try:
            return client.execute(env={**os.environ, NO_CLOCKS: "1"})
        except CellExecutionError as error:
            text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # colours are for a terminal
            raise NotebookError(f"{path.name}: {text}") from None
        finally:
            kernel.shutdown_kernel(now=True)


def write_page(
    notebook: Path | str, output: Path | str, *, results: Path | str, stamp: Mapping[str, str]
) -> None:
    """Execute a notebook on a results folder and write the page."""
    contents, name = Contents(), Path(output).stem
    with results_folder(Path(results), stamp.get("Configuration", "")):
        body = notebook_html(run_notebook(Path(notebook)), contents)
        shown = {"reading": paper_keys(), "reliability": ()}.get(name, (name,))
        full, surrogates = run_facts(shown, stamp)
    check_names(body)
    text = page_html(body, page=name, contents=contents, stamp=full, surrogates=surrogates)
    write_text(output, text)
