"""All verdicts and pages once more, from the rows of the last full run: minutes, and no data."""

import json
from pathlib import Path

from reproduction.data.registry import Registry
from reproduction.files import ROOT
from reproduction.pages.overview import write_overview
from reproduction.pages.page import write_page
from reproduction.pages.stamp import page_stamp
from reproduction.verdicts.chain import judge
from reproduction.workflow.config import Config
from reproduction.workflow.manifest import MANIFEST, write_manifest
from reproduction.workflow.rows import ROWS, unpacked


def remake(config: Config, papers: tuple[str, ...], registry: Registry, reports: Path) -> None:
    """Judge all papers and write all pages again from the rows in ``reports``.

    Rows that other code or settings made are refused. Who measured them stays in the manifest.
    """
    stamp, target = page_stamp(config.title), reports / MANIFEST
    with unpacked(reports / ROWS) as folders:
        measured_with = json.loads(target.read_text(encoding="utf-8"))["environment"]
        for paper in papers:
            judge(
                paper,
                config.settings(paper).model_dump(),
                config.data.options,
                registry,
                folders,
                seed=config.seed,
                partial=config.output.partial,
                fetched=False,
            )
        for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
            page = reports / f"{notebook.stem}.html"
            write_page(notebook, page, results=folders.results, stamp=stamp)
        write_overview(reports / "index.html", results=folders.results, stamp=stamp)
        write_manifest(
            target,
            config,
            papers=papers,
            registry=registry,
            raw=folders.raw,
            results=folders.results,
            environment=measured_with,
        )
