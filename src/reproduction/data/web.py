"""Downloads: bounded in size and time, without credentials; a silent host is soon left alone.

What arrives is compared by digest by whoever asked for it, so plain http does no harm.
"""

import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import requests

from reproduction.data.errors import SourceUnavailableError
from reproduction.data.origin import moved

#: Longest ``Retry-After``, in seconds, that is waited for.
_PATIENCE = 10
#: A host that gave no answer so many times in a row is not asked again; where none has answered,
#: as behind a proxy that says nothing, no host is after so many times.
_SILENT, _ALL_SILENT = 2, 8


class _BusyError(requests.exceptions.RequestException):
    """The host is busy, or slow; it is asked again."""


class _Session(requests.Session):
    """Sends no password: those of ~/.netrc are for other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.auth = lambda request: request
        # A file compressed in transit would be unpacked on arrival and not match its checksum.
        self.headers.update({"Accept-Encoding": "identity", "User-Agent": "manyviews"})

    def rebuild_auth(self, prepared_request: Any, response: Any) -> None:
        """Send none after a redirect either."""
        prepared_request.headers.pop("Authorization", None)


@dataclass
class Web:
    """How downloads are made; all data sets of a run share one."""

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
    #: How often each host gave no answer since its last one.
    silent: Counter[str] = field(default_factory=Counter)
    answered: bool = False
    session: requests.Session = field(default_factory=_Session, repr=False)

    def get(self, url: str) -> bytes:
        """Return the bytes at an address.

        When they are not available, the one line of a ``SourceUnavailableError`` says why.
        """
        until, asked = time.monotonic() + self.time_limit, moved(url, self.addresses)
        host = urlsplit(asked).netloc
        reason = f"not asked, {host} or every host before it gave no answer"
        for attempt in range(self.attempts):
            nobody = not self.answered and self.silent.total() >= _ALL_SILENT
            if nobody or self.silent[host] >= _SILENT:
                break
            try:
                return self._download(url, asked, host, until)
            except requests.exceptions.RequestException as error:
                reason = f"broke {attempt + 1} times ({_short(error)})"
            if attempt + 1 == self.attempts or time.monotonic() > until:
                break
            time.sleep(self.backoff * 2**attempt)
        raise SourceUnavailableError(f"{url}: {reason}")

    def _download(self, url: str, asked: str, host: str, until: float) -> bytes:
        try:
            answer = self.session.get(asked, stream=True, timeout=self.timeout)
        except requests.exceptions.RequestException:
            self.silent[host] += 1
            raise
        self.silent[host], self.answered = 0, True
        with answer:
            if answer.status_code in (429, 500, 502, 503, 504):
                wait = answer.headers.get("Retry-After", "")
                time.sleep(min(int(wait) if wait.isdigit() else 0, _PATIENCE))
                raise _BusyError(f"HTTP {answer.status_code}")
            if answer.status_code >= 400:
                raise SourceUnavailableError(f"{url}: HTTP {answer.status_code} {answer.reason}")
            content = bytearray()
            for chunk in answer.iter_content(1 << 14):
                content += chunk
                if len(content) > self.limit:
                    raise SourceUnavailableError(f"{url}: sends more than {self.limit} bytes")
                if time.monotonic() > until:
                    raise _BusyError(f"took over {self.time_limit:g} s")
        return bytes(content)


def _short(error: BaseException) -> str:
    """Return the innermost cause in one line, without addresses in memory."""
    cause = str(error).rpartition("Caused by ")[2]
    return " ".join(re.sub(r"<[^<>]* at 0x[0-9a-f]+>:? ?", "", cause).split())[:200]
