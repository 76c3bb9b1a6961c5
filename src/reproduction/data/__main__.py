"""Command line: list data sets, fetch their files, build their views.

``python -m reproduction.data build cora`` does in one go what the workflow does in two rules.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reproduction.data.build import build_views
from reproduction.data.fetch import fetch
from reproduction.data.registry import Registry, load_registry
from reproduction.files import ROOT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.data", description="List, fetch and build the data sets."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show every data set, its sources and its view files")
    for name, text in (("fetch", "get the files"), ("build", "get the files and build the views")):
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "keys", nargs="+", metavar="KEY", help="data sets or <set>.<variant>; `all` means all"
        )
        command.add_argument(
            "--mirror", action="append", type=Path, metavar="FOLDER",
            help="mirror folder, repeatable (default: data/mirror and ../shared/data)",
        )  # fmt: skip
        command.add_argument("--user", type=Path, default=ROOT / "data" / "user")
        command.add_argument("--raw", type=Path, default=ROOT / "data" / "raw")
        command.add_argument("--views", type=Path, default=ROOT / "data" / "views")
        command.add_argument("--source", choices=("auto", "real", "surrogate"), default="auto")
        command.add_argument("--offline", action="store_true", help="do not use the network")
        command.add_argument("--scale", type=float, default=1.0, help="size of surrogates")
    return parser


def _wanted(registry: Registry, keys: Sequence[str]) -> list[str]:
    """Return the view keys asked for; the name of a data set means its variants too."""
    if "all" in keys:
        return registry.view_keys()
    chosen: list[str] = []
    for key in keys:
        dataset, variant = registry.resolve(key)
        chosen += [key] if variant is not None else dataset.view_keys
    return list(dict.fromkeys(chosen))


def _fetch(registry: Registry, key: str, arguments: argparse.Namespace) -> dict[str, Any]:
    mirrors = arguments.mirror or [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"]
    provenance: dict[str, Any] = fetch(
        key,
        registry=registry,
        raw_dir=arguments.raw,
        mirrors=mirrors,
        user_dir=arguments.user,
        mode=arguments.source,
        allow_network=not arguments.offline,
        surrogate_scale=arguments.scale,
    )
    return provenance


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 with the reason on standard error."""
    arguments = _parser().parse_args(argv)
    try:
        registry = load_registry()
        if arguments.command == "list":
            for dataset in registry.values():
                kinds = ", ".join(source.kind for source in dataset.sources) or dataset.role
                print(f"{dataset.key:16} {dataset.title}\n{'':16} sources: {kinds}")
                print(f"{'':16} view files: {', '.join(dataset.view_keys)}")
            return 0
        fetched: dict[str, dict[str, Any]] = {}
        for view_key in _wanted(registry, arguments.keys):
            dataset, variant = registry.resolve(view_key)
            if dataset.key not in fetched:
                fetched[dataset.key] = _fetch(registry, dataset.key, arguments)
                print(f"{dataset.key}: from {fetched[dataset.key]['where']}", flush=True)
            if arguments.command == "build":
                start = time.perf_counter()
                data = build_views(
                    dataset.key,
                    raw_dir=arguments.raw / dataset.key,
                    registry_entry=dataset,
                    variant=variant,
                    provenance=fetched[dataset.key],
                )
                data.save(arguments.views / f"{view_key}.npz")
                sizes = ", ".join(f"{n} {v.shape[1]}" for n, v in data.views.items())
                spent = time.perf_counter() - start
                print(f"{view_key}: {data.n_rows} rows; {sizes} ({spent:.1f} s)", flush=True)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
