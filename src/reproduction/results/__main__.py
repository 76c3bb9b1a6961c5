"""Run single jobs by hand: ``python -m reproduction.results run mvplsa cornell everything``."""

import argparse
from pathlib import Path

from reproduction.results.jobs import find_job, jobs_of
from reproduction.results.rows import PAPERS
from reproduction.results.runner import run_job
from reproduction.workflow.config import load_config


def main() -> None:
    """Parse the command line and list or run jobs."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.results", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="show the jobs of a paper (or of all)")
    listing.add_argument("paper", nargs="?", choices=PAPERS)
    run = commands.add_parser("run", help="run one job")
    run.add_argument("paper", choices=PAPERS)
    run.add_argument("dataset")
    run.add_argument("name")
    run.add_argument("--config", type=Path, default=Path("config/config.yaml"))
    run.add_argument("--views", type=Path, default=Path("data/views"))
    run.add_argument("--results", type=Path, default=Path("results"))
    run.add_argument("--output", type=Path, help="write elsewhere (default: --results)")
    arguments = parser.parse_args()
    if arguments.command == "list":
        for paper in [arguments.paper] if arguments.paper else PAPERS:
            for job in jobs_of(paper):
                print(f"results/{paper}/{job.dataset}/{job.name}.csv")
        return
    job = find_job(arguments.paper, arguments.dataset, arguments.name)
    table = run_job(
        job,
        load_config(arguments.config)["papers"][job.paper],
        views_dir=arguments.views,
        results_dir=arguments.results,
        output_dir=arguments.output,
    )
    print(table)


if __name__ == "__main__":
    main()
