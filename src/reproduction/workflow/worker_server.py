"""The server of :mod:`reproduction.workflow.workers`: imports everything, forks for every script.

``python -m reproduction.workflow.worker_server SOCKET`` ends when its standard input closes.
"""

import contextlib
import os
import select
import shutil
import signal
import socket
import sys
from functools import cache
from pathlib import Path

from reproduction.workflow.workers import keep


def _nothing() -> None:
    """Do nothing, compiled."""


@cache
def import_everything() -> None:
    """Import what the jobs of all papers and the builders import, and read the sources' hashes."""
    from numba import njit

    from reproduction.workflow.light_jsonschema import import_jsonschema_without_iri

    import_jsonschema_without_iri()
    import IPython.core.interactiveshell
    import nbformat

    import reproduction.data.build
    import reproduction.data.statistics
    import reproduction.pages.overview
    import reproduction.verdicts.chain
    import reproduction.verdicts.score  # noqa: F401
    from reproduction.closure import package_hash
    from reproduction.results.jobs import further_job, jobs_of
    from reproduction.rooms import open_module, paper_keys

    for paper in paper_keys():
        for job in jobs_of(paper):
            # a room that cannot be imported is its own job's error, told in that job's log
            with contextlib.suppress(Exception):
                job.load()
                if job.further is not None:
                    further_job(job).load()
        with contextlib.suppress(Exception):
            open_module(paper, "page")
    njit(_nothing)()  # the first call of any kernel imports half of numba: half a second a job
    # every job hashes the sources it depends on: read once here, a fork reads what changed since
    with contextlib.suppress(Exception):
        package_hash()


def serve(place: Path) -> None:
    """Fork for every script that connects, until standard input closes."""
    keepers: set[int] = set()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.bind(str(place))
        door.listen(64)
        while True:
            ready, _, _ = select.select([door, sys.stdin], [], [], 1.0)
            keepers -= _ended(keepers)
            if sys.stdin in ready:  # nothing is ever sent: it is closed
                break
            if door in ready:
                link, _ = door.accept()
                import_everything()  # at the first script: a run without one imports nothing
                keepers.add(_fork_keeper(link, door))
    for keeper in keepers - _ended(keepers):
        os.killpg(keeper, signal.SIGKILL)


def _fork_keeper(link: socket.socket, door: socket.socket) -> int:
    """Fork a process that serves one script, in a group with the job it runs."""
    keeper = os.fork()
    if keeper == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        door.close()
        code = 1
        try:
            keep(link)
            code = 0
        except (OSError, EOFError):  # the script went away before it said what to run
            code = 0
        finally:
            os._exit(code)
    with contextlib.suppress(OSError):  # the fork may have done so, or be gone
        os.setpgid(keeper, keeper)
    link.close()
    return keeper


def _ended(keepers: set[int]) -> set[int]:
    """Return the processes that have ended."""
    return {keeper for keeper in keepers if os.waitpid(keeper, os.WNOHANG)[0]}


def main() -> None:
    """Serve until the run ends, then leave nothing behind."""
    place = Path(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the run, and with it this process
    try:
        serve(place)
    finally:
        shutil.rmtree(place.parent, ignore_errors=True)


if __name__ == "__main__":
    main()
