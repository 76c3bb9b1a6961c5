"""A web server on this machine that misbehaves on demand."""

import http.server
import re
import socket
import threading

import pytest


class Behaviour:
    """What the server does; changed by the tests while it runs.

    Attributes
    ----------
    content
        The one file it serves, at every path but ``/missing``.
    break_after
        Numbers of bytes after which the next answers are cut; an answer each.
    failures
        How many of the next requests are answered 503.
    ranges
        Whether it can continue a download.
    wrong_range
        Whether it continues at another place than it was asked to.
    content_type
        What it says the content is.
    requests
        (path, Range header) of every request.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.break_after: list[int] = []
        self.failures = 0
        self.ranges = True
        self.wrong_range = False
        self.content_type = "application/octet-stream"
        self.requests: list[tuple[str, str | None]] = []


class _Handler(http.server.BaseHTTPRequestHandler):
    behaviour: Behaviour

    def do_GET(self) -> None:
        how = self.behaviour
        asked = self.headers.get("Range")
        how.requests.append((self.path, asked))
        if self.path == "/missing":
            self.send_error(404)
            return
        if how.failures:
            how.failures -= 1
            self.send_error(503)
            return
        start = 0
        match = re.match(r"bytes=(\d+)-", asked or "")
        if match and how.ranges:
            start = int(match[1])
            if start >= len(how.content):
                self.send_error(416)
                return
        body = how.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", how.content_type)
        if start:
            shown = start + 1 if how.wrong_range else start
            total = len(how.content)
            self.send_header("Content-Range", f"bytes {shown}-{total - 1}/{total}")
        self.end_headers()
        if how.break_after:
            body = body[: how.break_after.pop(0)]
            self.close_connection = True
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Keep the tests' output clean."""


class Server:
    """``with Server(content) as server``: ``server.url("/file")`` and ``server.behaviour``."""

    def __init__(self, content: bytes) -> None:
        self.behaviour = Behaviour(content)
        handler = type("Handler", (_Handler,), {"behaviour": self.behaviour})
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def url(self, path: str = "/file") -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}{path}"

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
