"""Downloads: bounded in size and time, without credentials; a silent host is asked once.

What arrives is compared by digest by whoever asked for it, so plain http does no harm. A broken
connection is continued where it broke.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import NewConnectionError

from reproduction.data.errors import SourceUnavailableError

_CHUNK = 1 << 14
#: Bytes of a page that lists files.
_MOST_PAGE = 20_000_000
_PAGE = re.compile(rb"\s*(<!doctype html|<html)", re.IGNORECASE)


class _BrokenError(Exception):
    """The connection broke; the rest is asked for."""


class Hosts:
    """Hosts (or the proxy before them) that have answered, and those that cannot be reached.

    All data sets of a run share it. The first question to a host is asked alone, so that a silent
    one costs one wait.
    """

    def __init__(self) -> None:
        self.alive: set[str] = set()
        self.dead: dict[str, str] = {}
        self._locks: dict[str, threading.Lock] = {}

    def turn(self, host: str) -> "nullcontext[None] | threading.Lock":
        """Return what to hold while a host is asked."""
        known = host in self.alive
        return nullcontext() if known else self._locks.setdefault(host, threading.Lock())


def _session() -> requests.Session:
    made = requests.Session()
    made.trust_env = False  # passwords of ~/.netrc are for other hosts
    # A file compressed in transit would be unpacked on arrival and not match its checksum.
    made.headers.update({"Accept-Encoding": "identity", "User-Agent": "manyviews"})
    return made


@dataclass
class Web:
    """How downloads are made."""

    #: Beginning of an address -> what stands there in its place: another host for the same files,
    #: such as a company's proxy or a test's server.
    addresses: Mapping[str, str] = field(default_factory=dict)
    #: Largest number of bytes accepted for one file.
    limit: int = 500_000_000
    #: Seconds for one address, attempts included; then the next address is tried.
    time_limit: float = 900.0
    #: Seconds to connect, and to wait for the next bytes.
    timeout: tuple[float, float] = (5.0, 12.0)
    #: Attempts per address, and seconds before the second one (doubled each time).
    attempts: int = 3
    backoff: float = 0.5
    #: Longest ``Retry-After`` that is waited for; a server that asks for more is passed over.
    patience: float = 30.0
    #: Called with the number of bytes that arrived.
    progress: Callable[[int], object] | None = None
    hosts: Hosts = field(default_factory=Hosts)
    session: requests.Session = field(default_factory=_session, repr=False)

    def address(self, url: str) -> str:
        """Return the address that is asked for a public one."""
        for start in sorted(self.addresses, key=len, reverse=True):
            if url.startswith(start):
                return self.addresses[start] + url[len(start) :]
        return url

    def get(self, url: str, size: int | None = None, *, page: bool = False) -> bytes:
        """Return the bytes at an address, or of a page that lists files.

        Fewer bytes than ``size``, where that is known, are a broken connection.

        Raises
        ------
        SourceUnavailableError
            When they are not available; one line says why.
        """
        limit = min(self.limit, _MOST_PAGE) if page else self.limit
        until = time.monotonic() + self.time_limit
        content = bytearray()
        for attempt in range(1, self.attempts + 1):
            try:
                self._continue(url, content, limit, until, page)
                if size is not None and len(content) < size:
                    raise _BrokenError(f"{len(content)} of {size} bytes came")
                break
            except _BrokenError as error:
                if attempt == self.attempts or time.monotonic() > until:
                    text = f"{url}: broke {attempt} times ({error})"
                    raise SourceUnavailableError(text) from error
                time.sleep(self.backoff * 2 ** (attempt - 1))
        if not page and _PAGE.match(content[:512]) and not url.endswith((".html", ".htm", "/")):
            raise SourceUnavailableError(f"{url}: answers with a web page, not the file")
        return bytes(content)

    def _continue(self, url: str, content: bytearray, limit: int, until: float, page: bool) -> None:
        """Ask for what is missing and append it."""
        headers = {"Range": f"bytes={len(content)}-"} if content else {}
        try:
            with self._ask(url, headers) as answer:
                self._refuse(url, answer, page)
                start, total = _position(answer, len(content))
                del content[start:]
                if total is not None and total > limit:
                    raise SourceUnavailableError(f"{url}: {total} bytes, over the limit of {limit}")
                for chunk in answer.iter_content(_CHUNK):
                    content += chunk
                    if self.progress is not None:
                        self.progress(len(chunk))
                    if len(content) > limit:
                        raise SourceUnavailableError(f"{url}: sends more than {limit} bytes")
                    if time.monotonic() > until:
                        raise _BrokenError(f"took over {self.time_limit:g} s")
        except requests.exceptions.RequestException as error:
            raise _BrokenError(_short(error)) from error
        if total is not None and len(content) < total:
            raise _BrokenError(f"{len(content)} of {total} bytes came")

    def _ask(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        """Ask a host that is not known to be dead; one that gives no answer is, from then on."""
        asked = self.address(url)
        proxies = requests.utils.get_environ_proxies(asked, no_proxy=None)
        proxy = requests.utils.select_proxy(asked, proxies)
        host = urlsplit(asked).netloc
        bundle = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
        with self.hosts.turn(proxy or host):
            for name in filter(None, (proxy, host)):
                if name in self.hosts.dead:
                    reason = self.hosts.dead[name]
                    raise SourceUnavailableError(f"{url}: not asked again, {name} gave {reason}")
            try:
                answer = self.session.get(
                    asked, headers=headers, stream=True, timeout=self.timeout, proxies=proxies,
                    verify=bundle,
                )  # fmt: skip
            except requests.exceptions.RequestException as error:
                refused = "Tunnel connection failed" in str(error)  # by a proxy that does answer
                if not refused and ((proxy or host) in self.hosts.alive or not _final(error)):
                    self.hosts.alive.discard(proxy or host)
                    raise
                self.hosts.dead[host if refused else proxy or host] = _short(error).split(":")[0]
                raise SourceUnavailableError(f"{url}: {_short(error)}") from error
            self.hosts.alive.add(proxy or host)
        return answer

    def _refuse(self, url: str, answer: requests.Response, page: bool) -> None:
        """Raise for every answer that is not the file."""
        if answer.status_code in (429, 503):
            wait = answer.headers.get("Retry-After", "")
            seconds = float(wait) if wait.isdigit() else self.backoff
            if seconds > self.patience:
                raise SourceUnavailableError(f"{url}: busy, asks to come back in {seconds:g} s")
            time.sleep(seconds)
        if answer.status_code in (416, 429, 500, 502, 503, 504):
            raise _BrokenError(f"HTTP {answer.status_code}")
        if answer.status_code >= 400:
            raise SourceUnavailableError(f"{url}: HTTP {answer.status_code} {answer.reason}")
        if not page and answer.headers.get("Content-Type", "").lower().startswith("text/html"):
            # A page in place of the file: moved, or a portal that wants a login.
            raise SourceUnavailableError(f"{url}: answers with a web page, not the file")


def _final(error: requests.exceptions.RequestException) -> bool:
    """Return whether asking again would be in vain: silence, no connection, no trust."""
    kinds = (requests.exceptions.Timeout, requests.exceptions.SSLError,
             requests.exceptions.ProxyError)  # fmt: skip
    reason = getattr(error.args[0] if error.args else None, "reason", None)
    return isinstance(error, kinds) or isinstance(reason, NewConnectionError)


def _position(answer: requests.Response, have: int) -> tuple[int, int | None]:
    """Return where the sent bytes begin, and the full size if it is told."""
    length = answer.headers.get("Content-Length", "")
    if answer.status_code != 206:  # the server sends all of it, whatever was asked
        return 0, int(length) if length.isdigit() else None
    match = re.match(r"bytes (\d+)-\d+/(\d+|\*)$", answer.headers.get("Content-Range", ""))
    if not match or int(match[1]) != have:
        raise _BrokenError("the server continued at the wrong place")
    return have, None if match[2] == "*" else int(match[2])


def _short(error: BaseException) -> str:
    """Return the innermost cause in one line, without addresses in memory."""
    for _ in range(5):
        inner = getattr(error, "reason", None)  # urllib3 keeps the cause here
        if not isinstance(inner, BaseException):
            inner = next((a for a in error.args if isinstance(a, BaseException)), None)
        if inner is None:
            break
        error = inner
    text = " ".join(re.sub(r"<[^<>]*at 0x[0-9a-f]+>:? ?", "", str(error)).split())
    return f"{type(error).__name__}: {text}"[:200]
