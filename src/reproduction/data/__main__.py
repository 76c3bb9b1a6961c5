"""Command line: list, fetch and build data sets, write a mirror, print metadata.

``python -m reproduction.data build cora`` does in one go what the workflow does in two rules.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from reproduction.data.addresses import address_table, independent_addresses
from reproduction.data.build import build_views
from reproduction.data.croissant import croissant
from reproduction.data.fetch_all import JOBS, advice, fetch_all, table
from reproduction.data.places import PlaceSettings
from reproduction.data.portable import write_mirror
from reproduction.data.provenance import read_provenance
from reproduction.data.registry import Registry, load_registry
from reproduction.files import ROOT

README = ROOT / "data" / "README.md"
#: The table of addresses stands between these lines.
MARKS = ("<!-- addresses -->\n", "<!-- end of addresses -->\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.data", description=__doc__.splitlines()[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show every data set, its addresses and its view files")
    commands.add_parser("readme", help="write the table of addresses into data/README.md")
    metadata = commands.add_parser("croissant", help="print a data set's metadata")
    metadata.add_argument("keys", nargs="+", metavar="KEY")
    texts = {
        "fetch": "get the files, and say in a table which source served",
        "build": "get the files and build the views",
        "mirror": "get the files and copy them, with checksums, into a portable mirror",
    }
    for name, text in texts.items():
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "keys", nargs="*", metavar="KEY", help="data sets or <set>.<variant>; none means all"
        )
        _add_places(command)
        if name == "mirror":
            command.add_argument("--to", type=Path, default=ROOT / "data" / "mirror")
    return parser


def _add_places(command: argparse.ArgumentParser) -> None:
    data = ROOT / "data"
    command.add_argument(
        "--mirror", action="append", type=Path, metavar="FOLDER",
        help="mirror folder, repeatable (default: data/mirror and ../shared/data)",
    )  # fmt: skip
    command.add_argument("--user", type=Path, default=data / "user")
    command.add_argument("--raw", type=Path, default=data / "raw")
    command.add_argument("--views", type=Path, default=data / "views")
    command.add_argument("--cache", type=Path, help="folder of downloads that clones share")
    command.add_argument("--source", choices=("auto", "real", "surrogate"), default="auto")
    command.add_argument("--offline", action="store_true", help="do not use the network")
    command.add_argument("--limit", type=float, default=500, help="largest download, in MB")
    command.add_argument("--patience", type=float, default=900, help="seconds for one address")
    command.add_argument(
        "--address", action="append", default=[], metavar="OLD=NEW",
        help="ask NEW in place of addresses that begin with OLD, repeatable",
    )  # fmt: skip
    command.add_argument("--jobs", type=int, default=JOBS, help="downloads at the same time")
    command.add_argument("--scale", type=float, default=1.0, help="size of surrogates")


def _settings(given: argparse.Namespace) -> PlaceSettings:
    return PlaceSettings(
        mirrors=given.mirror or [ROOT / "data" / "mirror", ROOT.parent / "shared" / "data"],
        user=given.user,
        network=not given.offline,
        cache=given.cache,
        addresses=dict(pair.split("=", 1) for pair in given.address),
        limit_mb=given.limit,
        time_limit=given.patience,
    )


def _wanted(registry: Registry, keys: Sequence[str]) -> list[str]:
    """Return the view keys asked for; the name of a data set means its variants too."""
    if not keys or "all" in keys:
        return registry.view_keys()
    chosen: list[str] = []
    for key in keys:
        dataset, variant = registry.resolve(key)
        chosen += [key] if variant is not None else dataset.view_keys
    return list(dict.fromkeys(chosen))


def _fetch(registry: Registry, given: argparse.Namespace) -> int:
    keys = [registry.resolve(key)[0].key for key in _wanted(registry, given.keys)]
    outcomes = fetch_all(
        keys, registry, given.raw, _settings(given), mode=given.source, scale=given.scale,
        jobs=given.jobs,
    )  # fmt: skip
    print(table(outcomes), flush=True)
    for line in advice(outcomes):
        print(line, file=sys.stderr)
    return 1 if any(outcome.error for outcome in outcomes) else 0


def _build(registry: Registry, given: argparse.Namespace) -> int:
    failed = _fetch(registry, given)
    if failed:
        return failed
    for view_key in _wanted(registry, given.keys):
        dataset, variant = registry.resolve(view_key)
        start = time.perf_counter()
        folder = given.raw / dataset.key
        data = build_views(
            dataset.key,
            raw_dir=folder,
            registry_entry=dataset,
            variant=variant,
            provenance=read_provenance(folder),
        )
        data.save(given.views / f"{view_key}.npz")
        sizes = ", ".join(f"{n} {v.shape[1]}" for n, v in data.views.items())
        spent = time.perf_counter() - start
        print(f"{view_key}: {data.n_rows} rows; {sizes} ({spent:.1f} s)", flush=True)
    return 0


def _mirror(registry: Registry, given: argparse.Namespace) -> int:
    failed = _fetch(registry, given)
    chosen = dict.fromkeys(registry.resolve(key)[0].key for key in _wanted(registry, given.keys))
    kept = write_mirror([registry[key] for key in chosen], given.raw, given.to)
    print(f"{given.to} now holds {len(kept)} data sets: {', '.join(kept)}")
    return failed


def _list(registry: Registry, given: argparse.Namespace) -> int:
    for dataset in registry.values():
        count = independent_addresses(dataset)
        what = f"{count} independent addresses" if dataset.files else dataset.role
        print(f"{dataset.key:16} {dataset.title}\n{'':16} {what}")
        print(f"{'':16} view files: {', '.join(dataset.view_keys)}")
    return 0


def _croissant(registry: Registry, given: argparse.Namespace) -> int:
    for key in given.keys:
        print(json.dumps(croissant(registry[key]), indent=2, ensure_ascii=False))
    return 0


def readme_text(text: str, registry: Registry) -> str:
    """Return data/README.md with the table of addresses brought up to date."""
    before, found, rest = text.partition(MARKS[0])
    _, closed, after = rest.partition(MARKS[1])
    if not found or not closed:
        raise ValueError(f"{README} lacks the line {MARKS[0].strip()} or {MARKS[1].strip()}")
    return before + MARKS[0] + address_table(registry.values()) + MARKS[1] + after


def _readme(registry: Registry, given: argparse.Namespace) -> int:
    README.write_text(readme_text(README.read_text(encoding="utf-8"), registry), encoding="utf-8")
    return 0


_COMMANDS = {
    "list": _list, "readme": _readme, "croissant": _croissant, "fetch": _fetch, "build": _build,
    "mirror": _mirror,
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 with the reason on standard error."""
    given = _parser().parse_args(argv)
    try:
        return _COMMANDS[given.command](load_registry(), given)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
