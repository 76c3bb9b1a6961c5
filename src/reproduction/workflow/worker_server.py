"""The server of :mod:`reproduction.workflow.workers`: a fork for every script, imports for all.

``python -m reproduction.workflow.worker_server SOCKET`` ends when its standard input closes.
"""

import contextlib
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
from pathlib import Path

from reproduction.workflow.workers import LEARNT, keep


def learn(folder: Path, tried: set[str]) -> None:
    """Import what earlier scripts had to import, so that the next ones need not.

    Nothing is listed: a short run imports little, a long one everything once. ``tried`` grows by
    the names: those that cannot be imported by name are not tried again.
    """
    told = sorted(folder.glob(f"*{LEARNT}"))
    names = [name for path in told for name in path.read_text(encoding="utf-8").split()]
    for path in told:
        path.unlink()
    new = [name for name in dict.fromkeys(names) if name not in sys.modules and name not in tried]
    tried.update(new)
    if not new:
        return
    from reproduction.closure import package_hash

    for name in new:
        # one that cannot be imported here is its own script's affair
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    # every job hashes the sources it depends on: read once here, a fork reads what changed since
    with contextlib.suppress(Exception):
        package_hash()
    gc.collect()
    gc.freeze()  # a fork need not look for garbage in what was there before it


def serve(place: Path) -> None:
    """Fork for every script that connects, until standard input closes."""
    keepers: set[int] = set()
    tried: set[str] = set()
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
                learn(place.parent, tried)
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
