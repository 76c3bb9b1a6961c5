"""Downloads: bounded in size and time, without credentials; a silent host is asked once.

What arrives is compared by digest by whoever asked for it, so plain http does no harm.
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

#: Bytes of a page that lists files.
_MOST_PAGE = 20_000_000
_PAGE = re.compile(rb"\s*(<!doctype html|<html)", re.IGNORECASE)


class _BrokenError(Exception):
    """The connection broke, or the host is busy; it is asked again."""


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
    progress: Callable[[int], object] = lambda size: None
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

        Fewer bytes than ``size``, where that is known, are a broken connection. When they are not
        available, the one line of a ``SourceUnavailableError`` says why.
        """
        until = time.monotonic() + self.time_limit
        for attempt in range(1, self.attempts + 1):
            try:
                return self._download(url, size, page, until)
            except _BrokenError as error:
                if attempt == self.attempts or time.monotonic() > until:
                    text = f"{url}: broke {attempt} times ({error})"
                    raise SourceUnavailableError(text) from error
                time.sleep(self.backoff * 2 ** (attempt - 1))
        raise AssertionError("at least one attempt is made")

    def _download(self, url: str, size: int | None, page: bool, until: float) -> bytes:
        limit = min(self.limit, _MOST_PAGE) if page else self.limit
        content = bytearray()
        try:
            with self._ask(url) as answer:
                self._refuse(url, answer)
                told = answer.headers.get("Content-Length", "")
                if told.isdigit() and int(told) > limit:
                    raise SourceUnavailableError(f"{url}: {told} bytes, over the limit of {limit}")
                for chunk in answer.iter_content(1 << 14):
                    content += chunk
                    self.progress(len(chunk))
                    if len(content) > limit:
                        raise SourceUnavailableError(f"{url}: sends more than {limit} bytes")
                    if time.monotonic() > until:
                        raise _BrokenError(f"took over {self.time_limit:g} s")
        except requests.exceptions.RequestException as error:
            raise _BrokenError(_short(error)) from error
        expected = size if size is not None else int(told) if told.isdigit() else 0
        # a page in place of the file: moved, or a portal that wants a login
        html = answer.headers.get("Content-Type", "").lower().startswith("text/html")
        named = url.endswith((".html", ".htm", "/"))
        if not page and (html or (_PAGE.match(content[:512]) and not named)):
            raise SourceUnavailableError(f"{url}: answers with a web page, not the file")
        if len(content) < expected:
            raise _BrokenError(f"{len(content)} of {expected} bytes came")
        return bytes(content)

    def _ask(self, url: str) -> requests.Response:
        """Ask a host that is not known to be dead; one that gives no answer is, from then on."""
        asked = self.address(url)
        proxies = requests.utils.get_environ_proxies(asked, no_proxy=None)
        proxy = requests.utils.select_proxy(asked, proxies)
        host = urlsplit(asked).netloc
        first = proxy or host
        bundle = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
        with self.hosts.turn(first):
            for name in filter(None, (proxy, host)):
                if name in self.hosts.dead:
                    reason = self.hosts.dead[name]
                    raise SourceUnavailableError(f"{url}: not asked again, {name} gave {reason}")
            try:
                answer = self.session.get(
                    asked, stream=True, timeout=self.timeout, proxies=proxies, verify=bundle
                )
            except requests.exceptions.RequestException as error:
                refused = "Tunnel connection failed" in str(error)  # by a proxy that does answer
                if not refused and (first in self.hosts.alive or not _final(error)):
                    self.hosts.alive.discard(first)
                    raise
                self.hosts.dead[host if refused else first] = _short(error).split(":")[0]
                raise SourceUnavailableError(f"{url}: {_short(error)}") from error
            self.hosts.alive.add(first)
        return answer

    def _refuse(self, url: str, answer: requests.Response) -> None:
        """Raise for every answer that has no content; a busy host is asked again."""
        if answer.status_code in (429, 503):
            wait = answer.headers.get("Retry-After", "")
            seconds = float(wait) if wait.isdigit() else self.backoff
            if seconds > self.patience:
                raise SourceUnavailableError(f"{url}: busy, asks to come back in {seconds:g} s")
            time.sleep(seconds)
        if answer.status_code in (429, 500, 502, 503, 504):
            raise _BrokenError(f"HTTP {answer.status_code}")
        if answer.status_code >= 400:
            raise SourceUnavailableError(f"{url}: HTTP {answer.status_code} {answer.reason}")


def _final(error: requests.exceptions.RequestException) -> bool:
    """Return whether asking again would be in vain: silence, no connection, no trust."""
    kinds = (requests.exceptions.Timeout, requests.exceptions.SSLError,
             requests.exceptions.ProxyError)  # fmt: skip
    reason = getattr(error.args[0] if error.args else None, "reason", None)
    return isinstance(error, kinds) or isinstance(reason, NewConnectionError)


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
