"""A web server on this machine that stands in for public hosts and misbehaves on demand.

An address ``https://host/path`` is asked as ``http://127.0.0.1:<port>/host/path``, so one server
answers under the path layout of every host.
"""

import http.server
import re
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import unquote

import pytest


@dataclass
class Answer:
    """What the server says at one path."""

    #: The file, or what makes it when it is asked for.
    content: bytes | Callable[[], bytes] = b""
    #: What it answers, with which headers, how often; then it sends the file.
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1 << 30
    #: Numbers of bytes after which answers are cut, one each, by a reset or after some silence.
    break_after: list[int] = field(default_factory=list)
    reset: bool = False
    stall: float = 0.0
    #: Seconds it waits before it sends anything.
    hang: float = 0.0
    #: Whether it can continue a download; whether it does so at another place than asked.
    ranges: bool = True
    wrong_range: bool = False
    content_type: str = "application/octet-stream"
    #: Whether it keeps the length to itself.
    unsized: bool = False


class _Handler(http.server.BaseHTTPRequestHandler):
    answers: dict[str, Answer]
    requests: list[tuple[str, str | None]]
    passwords: list[str]

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        path = unquote(self.path)
        self.requests.append((path, asked))
        self.passwords.extend(self.headers.get_all("Authorization") or ())
        answer = self.answers.get(path)
        if answer is None:
            self.send_error(404)
            return
        time.sleep(answer.hang)
        if answer.status != 200 and answer.times > 0:
            answer.times -= 1
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._send(answer, asked)

    def _send(self, answer: Answer, asked: str | None) -> None:
        content = answer.content if isinstance(answer.content, bytes) else answer.content()
        start = 0
        match = re.match(r"bytes=(\d+)-", asked or "")
        if match and answer.ranges:
            start = int(match[1])
            if start >= len(content):
                self.send_error(416)
                return
        body = content[start:]
        self.send_response(206 if start else 200)
        if not answer.unsized:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", answer.content_type)
        if start:
            shown = start + 1 if answer.wrong_range else start
            total = len(content)
            self.send_header("Content-Range", f"bytes {shown}-{total - 1}/{total}")
        self.end_headers()
        cut = bool(answer.break_after)
        if cut:
            body = body[: answer.break_after.pop(0)]
            self.close_connection = True
        self.wfile.write(body)
        if cut:
            self.wfile.flush()
            time.sleep(answer.stall)
        if cut and answer.reset:  # closed at once with what is unsent: the other side sees a reset
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
        if answer.unsized:
            self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        """Keep the tests' output clean."""


class Server:
    """``with Server() as server``: fill ``server.answers`` by ``/host/path``."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[tuple[str, str | None]] = []
        #: What an archive at a public address holds.
        self.archives: dict[str, dict[str, bytes]] = {}
        self.passwords: list[str] = []
        kept = {name: getattr(self, name) for name in ("answers", "requests", "passwords")}
        handler = type("H", (_Handler,), kept)
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/"

    @property
    def addresses(self) -> dict[str, str]:
        """What sends public addresses here."""
        return {"https://": self.base, "http://": self.base}

    def put(self, url: str, content: bytes | Callable[[], bytes], **how: object) -> Answer:
        """Answer at a public address."""
        answer = Answer(content, **how)  # type: ignore[arg-type]
        self.answers["/" + unquote(url.partition("://")[2])] = answer
        return answer

    def __enter__(self) -> "Server":
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()
        try:
            socket.create_connection(self.http.server_address, timeout=5).close()
        except OSError:  # with the network cut (unshare -n) there is no loopback either
            self.__exit__()
            pytest.skip("this machine cannot reach itself over the network")
        return self

    def __exit__(self, *arguments: object) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()
