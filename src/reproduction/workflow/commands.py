"""Commands for people: ask about a cell, run one job, keep generated texts in step."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from reproduction.data.registry import PROJECT_REGISTRY
from reproduction.files import ROOT, write_text
from reproduction.rooms import paper_keys

Command = Callable[[argparse.Namespace], int]


def _explain(given: argparse.Namespace) -> int:
    from reproduction.verdicts.explain import explain

    print(explain(" ".join(given.cell), given.results))
    return 0


def _jobs(given: argparse.Namespace) -> int:
    from reproduction.results.jobs import jobs_of

    for paper in [given.paper] if given.paper else paper_keys():
        for job in jobs_of(paper):
            print(f"results/{paper}/{job.place}.csv")
    return 0


def _run(given: argparse.Namespace) -> int:
    from reproduction.results.jobs import find_job
    from reproduction.results.runner import run_job
    from reproduction.workflow.config import load_config

    job = find_job(given.paper, given.dataset, given.name)
    settings = load_config(given.config).settings(job.paper).model_dump()
    places = {"views_dir": given.views, "results_dir": given.results, "output_dir": given.output}
    print(run_job(job, settings, **places))
    return 0


def _data(given: argparse.Namespace) -> int:
    from dataclasses import replace

    from reproduction.data.fetch_all import advice, fetch_all, table
    from reproduction.data.portable import write_mirror
    from reproduction.data.registry import load_registry
    from reproduction.workflow.config import load_config
    from reproduction.workflow.places import place_settings

    data = load_config(given.config).data
    mode = given.source or data.source
    registry = load_registry([PROJECT_REGISTRY, *data.registries])
    keys = given.keys or [d.key for d in registry.values() if given.everything or d.role != "extra"]
    places = replace(place_settings(data), network=data.network and not given.offline)
    try:
        outcomes = fetch_all(
            keys, registry, Path("data/raw"), places, mode=mode, scale=data.surrogate_scale
        )
    except KeyboardInterrupt:
        print("stopped; the same command goes on with what is missing", file=sys.stderr)
        return 130
    print(table(outcomes))
    for line in advice(outcomes):
        print(line, file=sys.stderr)
    if given.mirror is not None:
        kept = write_mirror([registry[key] for key in keys], Path("data/raw"), given.mirror)
        print(f"{given.mirror} now holds {len(kept)} data sets, with their checksums")
    return 1 if any(outcome.error for outcome in outcomes) else 0


def _readme(given: argparse.Namespace) -> int:
    from reproduction.pages.overview import update_readme
    from reproduction.results.rows import read_table

    tables = [given.tables / name for name in ("ledger.csv", "gaps.csv", "claims.csv")]
    for path in tables:
        if not path.is_file():
            raise ValueError(f"{path} is missing; run the workflow first")
    changed = update_readme(given.readme, *map(read_table, tables))
    print(f"{given.readme} {'updated' if changed else 'was up to date'}")
    return 0


def _settings(given: argparse.Namespace) -> int:
    from reproduction.workflow.config_readme import CONFIG_README, config_text, paper_text

    if given.write:
        write_text(CONFIG_README, config_text())
    else:
        print(paper_text(given.paper) if given.paper else config_text())
    return 0


def _verify(given: argparse.Namespace) -> int:
    from reproduction.data.registry import load_registry
    from reproduction.verdicts.chain import Folders
    from reproduction.workflow.config import load_config
    from reproduction.workflow.verify import Chain, rerun, summary, verify

    config = load_config(given.config)
    folders = Folders(
        given.raw,
        given.views or Path(config.output.views),
        given.results or Path(config.output.results),
    )
    reports = given.reports or Path(config.output.reports)
    chain = verify(Chain(config, paper_keys(), load_registry(), folders, reports))
    if given.rerun:
        rerun(chain, given.rerun)
    print(summary(chain))
    return chain.status


def _manifest(given: argparse.Namespace) -> int:
    from reproduction.data.registry import load_registry
    from reproduction.workflow.config import load_config
    from reproduction.workflow.manifest import MANIFEST, write_manifest

    config = load_config(given.config)
    target = Path(config.output.reports) / MANIFEST
    write_manifest(
        target,
        config,
        papers=paper_keys(),
        registry=load_registry(),
        raw=given.raw,
        results=Path(config.output.results),
    )
    print(target)
    return 0


def _new(given: argparse.Namespace) -> int:
    from reproduction.workflow import scaffold

    if given.what == "paper":
        written = scaffold.new_paper(given.name, given.dataset)
    elif given.what == "dataset":
        written = scaffold.new_dataset(given.name, given.files)
    else:
        written = scaffold.new_method(given.name, given.paper)
    for path in written:
        print(path.relative_to(ROOT))
    print("docs/extending.md says how to go on")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reproduction", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        return command

    ask = add("explain", _explain, "Tell everything about one published cell.")
    ask.add_argument("cell", nargs="+", help="id of the cell, or parts of it that name one cell")
    ask.add_argument("--results", type=Path, default=Path("results"))
    jobs = add("jobs", _jobs, "List the result files of a paper, or of all.")
    jobs.add_argument("paper", nargs="?", choices=paper_keys())
    run = add("run", _run, "Run one job on views that are there.")
    run.add_argument("paper", choices=paper_keys())
    run.add_argument("dataset")
    run.add_argument("name")
    run.add_argument("--config", type=Path, help="file laid over config/config.yaml")
    run.add_argument("--views", type=Path, default=Path("data/views"))
    run.add_argument("--results", type=Path, default=Path("results"))
    run.add_argument("--output", type=Path, help="write elsewhere (default: --results)")
    data = add("data", _data, "Fetch data sets, and say in a table which source served.")
    data.add_argument("keys", nargs="*", metavar="KEY", help="default: those that papers use")
    data.add_argument("--config", type=Path, help="file laid over config/config.yaml")
    data.add_argument("--source", choices=("auto", "real", "surrogate"), help="real: no surrogates")
    data.add_argument("--offline", action="store_true", help="keep to this machine")
    data.add_argument("--everything", action="store_true", help="data sets of no paper too")
    data.add_argument("--mirror", type=Path, help="copy the files into a portable mirror")
    readme = add("readme", _readme, "Write the headline numbers into README.")
    readme.add_argument("--readme", type=Path, default=Path("README.md"))
    readme.add_argument("--tables", type=Path, default=Path("reports/tables"))
    settings = add("settings", _settings, "Print what can be set, in all or for one paper.")
    settings.add_argument("paper", nargs="?", choices=paper_keys())
    settings.add_argument("--write", action="store_true", help="bring config/README.md up to date")
    new = add("new", _new, "Write a working skeleton of a paper, a data set or a method.")
    kinds = new.add_subparsers(dest="what", required=True)
    paper = kinds.add_parser("paper", help="a folder and a notebook")
    paper.add_argument("name")
    paper.add_argument("--dataset", default="cora", help="what it runs on (default: cora)")
    dataset = kinds.add_parser("dataset", help="a registry file for data of your own")
    dataset.add_argument("name")
    dataset.add_argument("files", nargs="+", type=Path, help="one file a view")
    method = kinds.add_parser("method", help="an estimator, and its run beside a paper's methods")
    method.add_argument("name")
    method.add_argument("--paper", required=True, choices=paper_keys())
    check = add("verify", _verify, "Say whether the reports follow from what is here; offline.")
    check.add_argument(
        "--rerun", type=int, default=0, metavar="N", help="fit N random jobs again, compare bytes"
    )
    for folder in ("views", "results", "reports"):
        check.add_argument(f"--{folder}", type=Path, help="folder (default: as configured)")
    digests = add("manifest", _manifest, "Write the manifest of a run that is there.")
    for command in (check, digests):
        command.add_argument("--config", type=Path, help="file laid over config/config.yaml")
        command.add_argument("--raw", type=Path, default=Path("data/raw"))
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and answer; errors become one line and exit code 2."""
    given = _parser().parse_args(arguments)
    run: Command = given.run
    try:
        return run(given)
    except ValueError as error:
        print(f"{error}", file=sys.stderr)
        return 2
