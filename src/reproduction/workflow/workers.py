"""One process that imports for all, and a fork of it for every job of a run.

Two hundred short jobs would each import the same packages for two to three seconds. The workflow
starts one server (:func:`start_server`). A script hands itself over (:func:`share`): the server
forks, the fork runs the script as if it had been started alone, and the script's own process waits
and ends as the fork did. What a fork had to import, the server imports before it forks again. A
fork inherits imports and nothing else: no job sees what another has done.

A script runs in its own process, as ever, where there is no server: on another machine, in a batch
system, with other thread limits than the server's, or called by hand.
"""

import json
import os
import pickle
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from reproduction.workflow.usage import Usage, write_usage

#: Names the server's socket and the process it serves, for the scripts of a run.
VARIABLE = "REPRODUCTION_WORKERS"
#: Libraries read these when they are loaded, so a fork cannot change them.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "GOTO_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS",
)  # fmt: skip
_LENGTH = struct.Struct("!Q")
#: Seconds between two looks whether a job has ended or its script has gone.
_PAUSE = 0.02

#: Files beside the socket in which forks say what they imported.
LEARNT = ".imports"

_in_worker = False


def start_server() -> subprocess.Popen[bytes] | None:
    """Start the server of this run; it ends with this process, however that ends.

    The scripts find it through an environment variable. Returns None where processes cannot fork.
    """
    if not hasattr(os, "fork"):
        return None
    folder = tempfile.mkdtemp(prefix="workers-")
    place = str(Path(folder, "socket"))
    os.environ[VARIABLE] = json.dumps({"socket": place, "serves": os.getpid()})
    return subprocess.Popen(
        [sys.executable, "-m", "reproduction.workflow.worker_server", place],
        stdin=subprocess.PIPE,  # closed when this process ends: the sign to end too
        # one order of sets in all forks: pages are the same bytes
        env={**os.environ, **dict.fromkeys(THREAD_VARIABLES, "1"), "PYTHONHASHSEED": "0"},
    )


def share(snakemake: Any, script: str) -> None:
    """Run this script in a fork of the server and end as it does; else return and just go on.

    Parameters
    ----------
    snakemake
        What Snakemake gives a script.
    script
        Path of the script's file.
    """
    if _in_worker:
        return
    start, clock = time.time(), time.perf_counter()
    link = _connect()
    if link is None:
        write_usage(snakemake, Usage.of_this_process(start, clock), at_exit=True)
        return
    with link:
        request = {
            "script": script,
            "snakemake": pickle.dumps(snakemake),
            "folder": os.getcwd(),
            "environment": dict(os.environ),
            "path": sys.path,
            "server": Path(link.getpeername()).parent,
        }
        try:
            socket.send_fds(link, [b"f"], [sys.stdin.fileno(), 1, 2])
            send(link, request)
            answer = receive(link)
        except (OSError, EOFError):  # the server was killed, and this job with it
            print("The server of this run is gone; the job is lost with it.", file=sys.stderr)
            os._exit(1)
    used = (answer["cpu"], answer["memory"], "fork", *answer["inside"])
    write_usage(snakemake, Usage(start, time.time(), *used))
    sys.stdout.flush()
    if answer["status"] < 0:  # killed: be killed too, so that Snakemake sees the same
        with suppress(OSError):  # some signals cannot be caught in the first place
            signal.signal(-answer["status"], signal.SIG_DFL)
        os.kill(os.getpid(), -answer["status"])
    os._exit(answer["status"])


def _connect() -> socket.socket | None:
    """Return a connection to the server of the run this process belongs to, if there is one."""
    known = os.environ.get(VARIABLE)
    if not known:
        return None
    facts = json.loads(known)
    if not _descends_from(facts["serves"]):
        return None
    if any(os.environ.get(name, "1") != "1" for name in THREAD_VARIABLES):
        return None
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    end = time.monotonic() + 60  # the server may still be importing
    while time.monotonic() < end:
        try:
            link.connect(facts["socket"])
        except (FileNotFoundError, ConnectionRefusedError):
            if not Path(facts["socket"]).parent.is_dir():
                break
            time.sleep(_PAUSE)
        else:
            return link
    link.close()
    return None


def _descends_from(process: int) -> bool:
    """Return whether a process is among the ancestors of this one: then it is the same run here."""
    import psutil  # late: a script without a server needs none of it

    return any(parent.pid == process for parent in psutil.Process().parents())


def send(link: socket.socket, message: dict[str, Any]) -> None:
    """Send one message."""
    content = pickle.dumps(message)
    link.sendall(_LENGTH.pack(len(content)) + content)


def receive(link: socket.socket) -> dict[str, Any]:
    """Receive one message; EOFError when the other side has gone."""

    def exactly(size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = link.recv(size - len(parts))
            if not part:
                raise EOFError("the other side has gone")
            parts += part
        return bytes(parts)

    (length,) = _LENGTH.unpack(exactly(_LENGTH.size))
    message: dict[str, Any] = pickle.loads(exactly(length))
    return message


def keep(link: socket.socket) -> None:
    """Serve one script in a process of its own: run it in a fork, answer how that ended.

    When the script's process goes away, its fork is killed.
    """
    _, files, _, _ = socket.recv_fds(link, 1, 3)
    request = receive(link)
    told, tell = os.pipe()
    inside = [float("nan"), float("nan")]
    worker = os.fork()
    if worker == 0:
        link.close()
        os.close(told)
        _work(request, files, tell)
    os.close(tell)
    while True:
        done, status, used = os.wait4(worker, os.WNOHANG)
        if done:
            break
        if select.select([link], [], [], _PAUSE)[0]:  # nothing more is ever sent: it has gone
            os.kill(worker, signal.SIGKILL)
            os.waitpid(worker, 0)
            return
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    memory = used.ru_maxrss * unit / 2**20
    code = os.waitstatus_to_exitcode(status)
    os.set_blocking(told, False)  # a killed job has said nothing, and what it started may live on
    with suppress(BlockingIOError):
        inside = [float(part) for part in os.read(told, 64).split()] or inside
    cpu = used.ru_utime + used.ru_stime
    send(link, {"status": code, "cpu": cpu, "memory": memory, "inside": inside})


def _watch_compiling() -> Any:
    """Return a listener that adds up the seconds of compiling; None where nothing compiles."""
    event = sys.modules.get("numba.core.event")
    if event is None:
        return None
    listener = event.TimingListener()
    event.register("numba:compile", listener)
    return listener


def _compile_seconds(listener: Any) -> float:
    """Seconds of compiling; not a number in the first fork with numba, which nobody watched."""
    if listener is None:
        return float("nan") if "numba.core.event" in sys.modules else 0.0
    return float(listener.duration) if listener.done else 0.0


def _tell_imports(folder: Path, known: set[str]) -> None:
    """Say beside the server's socket which modules this process had to import."""
    new = [name for name in sys.modules if name not in known and not name.startswith("__")]
    unfinished = folder / f"{os.getpid()}.unfinished"
    with suppress(OSError):  # the server is gone: nobody forks again
        unfinished.write_text("\n".join(new), encoding="utf-8")
        unfinished.replace(folder / f"{os.getpid()}{LEARNT}")


def _work(request: dict[str, Any], files: list[int], tell: int) -> None:
    """Be the script's process: its files, folder, environment; never returns."""
    global _in_worker
    _in_worker = True
    code = 1
    known = set(sys.modules)
    compiling = _watch_compiling()
    from reproduction.files import reading  # not above: what asks for a fork starts fast

    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.path[:] = request["path"]
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, buffering=1, closefd=False)
            for number, mode in enumerate(("r", "w", "w"))
        )
        runpy.run_path(
            request["script"], {"snakemake": pickle.loads(request["snakemake"])}, "__main__"
        )
        code = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        _tell_imports(request["server"], known)
        seconds = _compile_seconds(compiling)
        with suppress(OSError):
            os.write(tell, f"{seconds:.3f} {reading.seconds:.3f}".encode())
        os._exit(code)
