"""Snakemake, imported once, and a fork of it for every command of a test.

``python ready_snakemake.py SOCKET`` takes commands from an open socket until it closes. A fork is
what ``python -m snakemake`` would be, less two seconds of imports: its arguments, folder,
environment and files are the command's own, and so is all code of the project, which this process
never imports.
"""

import contextlib
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

PACKAGES = ("reproduction", "manyviews")


class ReadySnakemake:
    """Runs Snakemake as :func:`subprocess.run` does."""

    def __init__(self) -> None:
        self.link, theirs = socket.socketpair()
        bare = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            self.process = subprocess.Popen(command, env=bare, pass_fds=[theirs.fileno()])

    def close(self) -> None:
        self.link.close()
        self.process.wait(60)

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run ``snakemake`` with arguments; its output ends when all that it started has ended."""
        command = {"arguments": arguments, "folder": str(folder), "environment": environment}
        content = json.dumps(command).encode()
        ends = [os.pipe(), os.pipe()]
        said = ["", ""]

        def listen(number: int) -> None:
            with open(ends[number][0], encoding="utf-8") as text:
                said[number] = text.read()

        self.link.settimeout(timeout)
        socket.send_fds(self.link, [_number(len(content))], [write for _, write in ends])
        self.link.sendall(content)
        for _, write in ends:
            os.close(write)
        listeners = [threading.Thread(target=listen, args=(number,)) for number in range(2)]
        for listener in listeners:
            listener.start()
        process = _read_number(self.link)
        try:
            code = _read_number(self.link)
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise
        for listener in listeners:
            listener.join()
        return subprocess.CompletedProcess(["snakemake", *arguments], code, *said)


def _number(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


def _read_number(link: socket.socket) -> int:
    return int.from_bytes(_exactly(link, 8), "big", signed=True)


def _exactly(link: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = link.recv(size - len(parts))
        if not part:
            raise EOFError("the other side has gone")
        parts += part
    return parts


def serve(link: socket.socket) -> dict | None:
    """Fork for every command; return the command in the fork, None when there are no more."""
    while True:
        gc.collect()
        gc.freeze()  # a fork need not look for garbage in what was there before it
        length, files, _, _ = socket.recv_fds(link, 8, 2)
        if not length:
            return None
        command = json.loads(_exactly(link, int.from_bytes(length, "big")))
        learnt, teach = os.pipe()
        child = os.fork()
        if child == 0:
            link.close()
            os.close(learnt)
            for number, file in enumerate(files, start=1):
                os.dup2(file, number)
                os.close(file)
            return command | {"teach": teach}
        for file in (teach, *files):
            os.close(file)
        link.sendall(_number(child))
        with open(learnt, encoding="utf-8") as names:
            _import(names.read().split())
        _, status = os.waitpid(child, 0)
        link.sendall(_number(os.waitstatus_to_exitcode(status)))


def _import(names: list[str]) -> None:
    """Import what a fork has imported, so that the next ones need not."""
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _foreign() -> list[str]:
    """Names of the modules here that belong to libraries."""
    library = tuple(path for path in sys.path if path.endswith(("site-packages", "dist-packages")))
    return [
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] not in PACKAGES
        and str(getattr(module, "__file__", None) or "").startswith(library)
    ]


def be_snakemake(command: dict) -> None:
    """Be the process of ``python -m snakemake`` from here on."""
    from snakemake.workflow import Workflow

    os.chdir(command["folder"])
    Workflow._rundir = command["folder"]  # noted when it is imported
    os.environ.clear()
    os.environ.update(command["environment"])
    sys.path[0] = command["folder"]
    sys.path[1:1] = command["environment"].get("PYTHONPATH", "").split(os.pathsep)
    sys.argv[1:] = command["arguments"]
    known = set(sys.modules)
    try:
        runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
    finally:
        learnt = [name for name in _foreign() if name not in known]
        with open(command["teach"], "w", encoding="utf-8") as teach:
            teach.write("\n".join(learnt))


def main() -> None:
    from snakemake.cli import get_argument_parser

    get_argument_parser()  # finds all plugins
    command = serve(socket.socket(fileno=int(sys.argv[1])))
    if command:
        be_snakemake(command)


if __name__ == "__main__":
    main()
