"""A web server on this machine that stands in for public hosts and misbehaves on demand.

An address ``https://host/path`` is asked as ``http://127.0.0.1:<port>/host/path``, so one server
answers under the path layout of every host.
"""

import http.server
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import unquote


@dataclass
class Answer:
    """What the server says at one path."""

    content: bytes = b""
    #: What it answers, with which headers, how often; then it sends the file.
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1 << 30
    #: Numbers of bytes after which answers are cut, one each.
    break_after: list[int] = field(default_factory=list)
    #: Seconds it waits before it sends anything.
    hang: float = 0.0


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path, owner = unquote(self.path), self.server.owner
        owner.requests.append(path)
        owner.passwords.extend(self.headers.get_all("Authorization") or ())
        answer = owner.answers.get(path, Answer(status=404))
        time.sleep(answer.hang)
        fails = answer.status != 200 and answer.times > 0
        answer.times -= fails
        body = b"" if fails else answer.content
        self.send_response(answer.status if fails else 200)
        for header in {"Content-Length": len(body), **(answer.headers if fails else {})}.items():
            self.send_header(*map(str, header))
        self.end_headers()
        self.close_connection = cut = bool(answer.break_after) and not fails
        with suppress(ConnectionError):  # whoever asked may have gone
            self.wfile.write(body[: answer.break_after.pop(0)] if cut else body)

    def log_message(self, *arguments: object) -> None:
        """Keep the tests' output clean."""


class Server:
    """Answers by ``/host/path``, once it is started; see :meth:`put`."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[str] = []
        self.passwords: list[str] = []
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.http.owner = self
        self.base = f"http://127.0.0.1:{self.http.server_address[1]}/"
        #: What sends public addresses here.
        self.addresses = {"https://": self.base, "http://": self.base}
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def put(self, url: str, content: bytes, **how: object) -> None:
        """Answer at a public address."""
        self.answers["/" + unquote(url.partition("://")[2])] = Answer(content, **how)
