"""A run that was killed leaves Snakemake's lock behind; the next call finds out and goes on.

Snakemake's lock does not say who holds it. A run that is alive is a process of this machine that
runs Snakemake in the same folder; a small file beside the lock says on which machine the last run
was, for folders that several machines share.
"""

import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil

#: Calls that take no lock, or exist to remove it.
_WITHOUT_LOCK = {"-n", "--dry-run", "--dryrun", "--nolock", "--unlock", "--lint", "--dag"}
_HOLDER = "holder.json"


def running_in(folder: Path) -> list[int]:
    """Return the processes that run Snakemake in a folder, without this one and its parents."""
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
            snakemake = any(Path(word).name == "snakemake" for word in words[:4])
            if snakemake and process.pid not in own and Path(process.cwd()) == folder:
                found.append(process.pid)
        except (psutil.Error, OSError):  # gone meanwhile, or not ours to look at
            continue
    return sorted(found)


def working_folder(arguments: Sequence[str]) -> Path:
    """Return the folder a call of Snakemake works in."""
    for place, word in enumerate(arguments):
        if word in ("-d", "--directory") and place + 1 < len(arguments):
            return Path(arguments[place + 1]).resolve()
        if word.startswith("--directory="):
            return Path(word.partition("=")[2]).resolve()
    return Path.cwd()


def mend_lock(arguments: Sequence[str]) -> None:
    """Remove the lock of a run that is dead; end with one line if the run is alive.

    ``profiles/default`` calls this before anything else happens.

    Parameters
    ----------
    arguments
        The command line of Snakemake.
    """
    if _WITHOUT_LOCK & set(arguments):
        return
    folder = working_folder(arguments)
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise SystemExit(
            f"the folder {folder} cannot be written; give write permission, or name another with "
            "--directory"
        )
    place = folder / ".snakemake" / "locks"
    locks = sorted(place.glob("*.lock"))
    holder = folder / ".snakemake" / _HOLDER
    here = platform.node()
    if locks:
        alive = running_in(folder)
        if alive:
            raise SystemExit(
                f"a run is going on in this folder (process {alive[0]}); wait for it, or end it "
                f"with `kill {alive[0]}`"
            )
        elsewhere = _host(holder)
        if elsewhere not in ("", here):
            raise SystemExit(
                f"a run on {elsewhere} has locked this folder; if it is dead, call "
                "`snakemake --unlock`"
            )
        for lock in locks:
            lock.unlink(missing_ok=True)
        said = "The last run here was killed; its lock is removed and this run goes on from there."
        print(said, file=sys.stderr)
    if place.parent.is_dir() and os.access(place.parent, os.W_OK):
        holder.write_text(json.dumps({"host": here}) + "\n", encoding="utf-8")


def _host(holder: Path) -> str:
    try:
        return str(json.loads(holder.read_text(encoding="utf-8"))["host"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
