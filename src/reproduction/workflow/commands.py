"""Commands for people: ask about a cell, verify a run, keep generated texts in step."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reproduction.data.registry import PROJECT_REGISTRY, load_registry
from reproduction.files import ROOT, write_text
from reproduction.rooms import paper_keys
from reproduction.workflow.config import CONFIG_README, load_config, place_settings, settings_text

Given = argparse.Namespace


def _explain(given: Given) -> None:
    from reproduction.verdicts.explain import explain

    print(explain(" ".join(given.cell), given.results))


def _cell(given: Given) -> None:
    from reproduction.workflow.cell import refit

    print(refit(given.cell, load_config(given.config), Path("data/raw"), given.results))


def _jobs(given: Given) -> None:
    from reproduction.results.jobs import jobs_of

    for paper in [given.paper] if given.paper else paper_keys():
        for job in jobs_of(paper):
            print(f"results/{paper}/{job.place}.csv")


def _data(given: Given) -> int:
    from reproduction.data.fetch_all import advice, fetch_all, table

    data = load_config(given.config).data
    registry = load_registry([PROJECT_REGISTRY, *data.registries])
    keys = given.keys or [d.key for d in registry.values() if d.role != "extra"]
    options: dict[str, Any] = {"mode": given.source or data.source, "scale": data.surrogate_scale}
    outcomes = fetch_all(keys, registry, Path("data/raw"), place_settings(data), **options)
    print(table(outcomes))
    for line in advice(outcomes):
        print(line, file=sys.stderr)
    return 1 if any(outcome.error for outcome in outcomes) else 0


def _readme(given: Given) -> None:
    import pandas as pd

    from reproduction.compare.ranks import guide_blocks
    from reproduction.pages.markup import write_block
    from reproduction.pages.overview import readme_block
    from reproduction.results.rows import read_table

    *tables, scores = (
        Path("reports", "tables", f"{name}.csv")
        for name in ("ledger", "gaps", "claims", "then_and_now")
    )
    blocks = [
        (Path("README.md"), "ledger", readme_block(*map(read_table, tables))),
        *guide_blocks(Path("docs", "guide", "choosing.md"), pd.read_csv(scores)),
    ]
    for path, name, text in blocks:
        print(f"{path} {'updated' if write_block(path, name, text) else 'was up to date'}")


def _settings(given: Given) -> None:
    if given.write:
        write_text(CONFIG_README, settings_text())
    else:
        print(settings_text(given.paper))


def _verify(given: Given) -> int:
    from reproduction.verdicts.chain import Folders
    from reproduction.workflow.verify import Chain, rerun, summary, verify

    config = load_config(given.config)
    output = config.output
    folders = Folders(Path("data/raw"), Path(output.views), Path(output.results))
    chain = verify(Chain(config, paper_keys(), load_registry(), folders, Path(output.reports)))
    if given.rerun:
        rerun(chain, given.rerun)
    print(summary(chain))
    return chain.status


def _remake(given: Given) -> None:
    from reproduction.workflow.verify import remake

    config = load_config(given.config)
    reports = Path(config.output.reports)
    remake(config, paper_keys(), load_registry(), reports)
    print(f"Open {reports / 'index.html'}")


def _new(given: Given) -> None:
    from reproduction.workflow.scaffold import new_paper

    for path in new_paper(given.name, given.dataset):
        print(path.relative_to(ROOT))
    print("docs/extending.md says how to go on")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reproduction", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, run: Callable[[Given], int | None], text: str) -> Callable[..., Any]:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        return command.add_argument

    one_paper: dict[str, Any] = {"nargs": "?", "choices": paper_keys()}
    laid_over: dict[str, Any] = {"type": Path, "help": "file laid over config/config.yaml"}
    ask = add("explain", _explain, "Tell everything about one published cell.")
    ask("cell", nargs="+", help="id of the cell, or parts of it that name one cell")
    ask("--results", type=Path, default=Path("results"))
    one = add("cell", _cell, "Fit one published number again, and say it beside print.")
    one("cell", help="id of the cell, such as mvplsa/3/Cornell/r=0.01/MVPLSA/accuracy_pct")
    one("--config", **laid_over)
    one("--results", type=Path, default=Path("results"))
    jobs = add("jobs", _jobs, "List the result files of a paper, or of all.")
    jobs("paper", **one_paper)
    data = add("data", _data, "Fetch data sets, and say in a table which source served.")
    data("keys", nargs="*", metavar="KEY", help="default: those that papers use")
    data("--config", **laid_over)
    data("--source", choices=("auto", "real", "surrogate"), help="real: no surrogates")
    add("readme", _readme, "Write the headline into README, leaders and ranks into the guide.")
    settings = add("settings", _settings, "Print what can be set, in all or for one paper.")
    settings("paper", **one_paper)
    settings("--write", action="store_true", help="bring config/README.md up to date")
    new = add("new", _new, "Write a working skeleton of a paper.")
    new("what", choices=("paper",))
    new("name")
    new("--dataset", default="cora", help="what the paper runs on (default: cora)")
    again = add("remake", _remake, "Judge and write everything again from the rows; no fits.")
    again("--config", **laid_over)
    check = add("verify", _verify, "Say whether the reports follow from what is here; offline.")
    check("--rerun", type=int, default=0, metavar="N", help="fit N random jobs again, compare")
    check("--config", **laid_over)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and answer; errors become one line and exit code 2."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given) or 0)
    except (FileNotFoundError, ValueError) as error:
        print(f"{error}", file=sys.stderr)
        return 2
