"""Bundle a run for a repository with DOIs: ``python -m reproduction.workflow.archive``.

The archive is a Workflow Run RO-Crate with the reports, the ledger, the sources that made them, the
data sets' metadata in Croissant, the lock file, licences, and ``SHA256SUMS`` over everything. The
same run gives the same bytes: members are sorted and carry one fixed time.
"""

import argparse
import hashlib
import io
import json
import sys
import tempfile
import zipfile
from pathlib import Path

from reproduction.data.croissant import croissant
from reproduction.data.registry import load_registry
from reproduction.files import ROOT, atomic_path, shown_path, write_json
from reproduction.workflow.config import ConfigError, load_config
from reproduction.workflow.crate import CrateError, describe_run
from reproduction.workflow.release import SUMS, check_versions

METADATA = "ro-crate-metadata.json"
#: Folder of the data sets' own metadata, which search engines for data read.
CROISSANT = "croissant"
#: What is packed beside the reports: files and folders of the repository.
PARTS = (
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "Makefile", "README.md", "Snakefile", "config",
    "data/registry", "docs/licences.md", "environment.yml", "notebooks", "pyproject.toml",
    "requirements.lock", "src", "workflow",
)  # fmt: skip
#: Without these there is no whole run.
NEEDED = ("index.html", "tables/ledger.csv", "tables/ledger.json", "tables/claims.csv")
#: The earliest time that a zip can state.
_TIME = (1980, 1, 1, 0, 0, 0)
_LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}


def packed_files(reports: Path, root: Path = ROOT) -> dict[str, Path]:
    """Return what goes into the archive: name there -> file, sorted by name.

    Raises
    ------
    CrateError
        The reports are not those of a whole run.
    """
    lacking = [name for name in NEEDED if not (reports / name).is_file()]
    if lacking:
        raise CrateError(f"{shown_path(reports / lacking[0])} is missing; run `make` to its end")
    found = {}
    for part in PARTS:
        place = root / part
        for path in [place] if place.is_file() else place.rglob("*"):
            if path.is_file() and not _LEFT_OUT & set(path.parts):
                found[path.relative_to(root).as_posix()] = path
    for path in reports.rglob("*"):
        if path.is_file():
            found[f"reports/{path.relative_to(reports).as_posix()}"] = path
    return dict(sorted(found.items()))


def _metadata(scratch: Path) -> dict[str, Path]:
    """Write each data set's metadata into a folder; return name in the archive -> file."""
    found = {}
    for dataset in load_registry().values():
        found[f"{CROISSANT}/{dataset.key}.json"] = scratch / f"{dataset.key}.json"
        write_json(scratch / f"{dataset.key}.json", croissant(dataset))
    return found


def _member(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, content)


def write_archive(
    target: Path, *, reports: Path, raw: Path, config: Path | None = None, root: Path = ROOT
) -> Path:
    """Write the archive of a run, atomically."""
    with tempfile.TemporaryDirectory() as scratch:
        names = dict(sorted((packed_files(reports, root) | _metadata(Path(scratch))).items()))
        crate = describe_run(names, config=load_config(config), raw=raw, root=root)
        contents = {name: path.read_bytes() for name, path in names.items()}
    metadata = json.dumps(crate.metadata.generate(), indent=1, sort_keys=True, ensure_ascii=False)
    contents[METADATA] = metadata.encode()
    sums = "".join(
        f"{hashlib.sha256(contents[name]).hexdigest()}  {name}\n" for name in sorted(contents)
    )
    contents[SUMS] = sums.encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(contents):
            _member(archive, name, contents[name])
    with atomic_path(target) as temporary:
        temporary.write_bytes(stream.getvalue())
    return target


def main(arguments: list[str] | None = None) -> int:
    """Write the archive of a run that is there; an error is one line and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--raw", type=Path, default=Path("data/raw"))
    parser.add_argument("--config", type=Path, help="file that the run laid over config.yaml")
    parser.add_argument("--output", type=Path, help="default: dist/manyviews-<version>-run.zip")
    given = parser.parse_args(arguments)
    try:
        target = given.output or Path("dist", f"manyviews-{check_versions()}-run.zip")
        print(write_archive(target, reports=given.reports, raw=given.raw, config=given.config))
    except (CrateError, ConfigError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
