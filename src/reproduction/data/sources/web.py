"""Downloads that resume, retry, keep to limits and never hand on a half-received file.

Bytes are gathered in a ``.part`` file of the shared cache. When the connection breaks, the next
attempt (now or in a later run, of this clone or another) asks the server for the rest; a server
that cannot continue sends all of it again.
"""

import hashlib
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from filelock import FileLock, Timeout
from requests.adapters import HTTPAdapter
from urllib3.exceptions import NewConnectionError
from urllib3.util.retry import Retry

from reproduction.data.errors import SourceUnavailableError

#: Bytes read at once; what a broken connection has delivered is lost up to this number.
_CHUNK = 1 << 14
_PAGE = re.compile(rb"\s*(<!doctype html|<html)", re.IGNORECASE)


class _BrokenError(Exception):
    """The connection broke; what has arrived is kept and the rest asked for."""


@dataclass
class Web:
    """How downloads are made.

    Attributes
    ----------
    parts
        Folder where files are gathered.
    addresses
        Beginning of an address -> what stands there in its place: another host for the same
        files, such as a company's proxy or a test's server.
    limit
        Largest number of bytes accepted for one file.
    time_limit
        Seconds for one address, attempts included; then the next address is tried.
    timeout
        Seconds to connect, and to wait for the next bytes.
    attempts, backoff
        Attempts per address, and seconds before the second one (doubled each time).
    patience
        Longest ``Retry-After`` that is waited for; a server that asks for more is passed over.
    progress
        Called with the number of bytes that arrived.
    dead
        Hosts that could not be reached; they are not asked again.
    """

    parts: Path
    addresses: Mapping[str, str] = field(default_factory=dict)
    limit: int = 2 << 30
    time_limit: float = 900.0
    timeout: tuple[float, float] = (10.0, 30.0)
    attempts: int = 4
    backoff: float = 0.5
    patience: float = 60.0
    progress: Any = None
    dead: set[str] = field(default_factory=set)
    _local: threading.local = field(default_factory=threading.local, repr=False)

    def address(self, url: str) -> str:
        """Return the address that is asked for a public one."""
        for start in sorted(self.addresses, key=len, reverse=True):
            if url.startswith(start):
                return self.addresses[start] + url[len(start) :]
        return url

    def get(self, url: str, size: int | None = None, sha256: str | None = None) -> bytes:
        """Return the bytes at an address.

        Parameters
        ----------
        url
            The public address; :attr:`addresses` may send it elsewhere.
        size
            Expected number of bytes, where known: fewer is a broken connection.
        sha256
            Expected digest, where known: a continued download that misses it is begun again.

        Raises
        ------
        SourceUnavailableError
            When they are not available; one line says why.
        """
        if size is not None and size > self.limit:
            raise SourceUnavailableError(f"{url}: {size} bytes, over the limit of {self.limit}")
        name = hashlib.sha256(url.encode()).hexdigest()[:32]
        part = self.parts / f"{name}.part"
        part.parent.mkdir(parents=True, exist_ok=True)
        begun = part.exists()
        try:
            with FileLock(f"{part}.lock", timeout=self.time_limit):
                content = self._whole(url, part, size)
                if begun and sha256 not in (None, hashlib.sha256(content).hexdigest()):
                    content = self._whole(url, part, size)
        except Timeout:
            raise SourceUnavailableError(
                f"{url}: another process is still downloading it"
            ) from None
        if _PAGE.match(content[:512]) and not url.endswith((".html", ".htm", "/")):
            raise SourceUnavailableError(f"{url}: answers with a web page, not the file")
        return content

    def _whole(self, url: str, part: Path, size: int | None) -> bytes:
        self._gather(url, part, size)
        content = part.read_bytes()
        part.unlink()
        return content

    def page(self, url: str) -> str:
        """Return a small text page, such as an index of files."""
        try:
            with self._session().get(self.address(url), timeout=self.timeout) as answer:
                if answer.status_code >= 400:
                    raise SourceUnavailableError(f"{url}: HTTP {answer.status_code}")
                return answer.text
        except requests.exceptions.RequestException as error:
            raise SourceUnavailableError(f"{url}: {_short(error)}") from error

    def _session(self) -> requests.Session:
        """Return this thread's session; it asks again on connection errors and busy servers."""
        if not hasattr(self._local, "session"):
            policy = Retry(
                total=3,
                connect=1,
                read=0,
                backoff_factor=self.backoff,
                status_forcelist=(500, 502, 504),
                allowed_methods=("GET",),
                raise_on_status=False,
                respect_retry_after_header=False,
            )
            made = requests.Session()
            made.mount("http://", HTTPAdapter(max_retries=policy))
            made.mount("https://", HTTPAdapter(max_retries=policy))
            # A file compressed in transit would be unpacked on arrival and not match its checksum.
            made.headers.update({"Accept-Encoding": "identity", "User-Agent": "manyviews"})
            self._local.session = made
        session: requests.Session = self._local.session
        return session

    def _gather(self, url: str, part: Path, size: int | None) -> None:
        """Fill ``part`` with the whole file."""
        until = time.monotonic() + self.time_limit
        for attempt in range(1, self.attempts + 1):
            try:
                total = self._continue(url, part, size, until)
                have = part.stat().st_size
                wanted = size if size is not None else total
                if wanted is not None and have < wanted:
                    raise _BrokenError(f"{have} of {wanted} bytes came")
                if wanted is not None and have > wanted:
                    part.unlink()
                    raise SourceUnavailableError(f"{url}: sent {have} bytes, expected {wanted}")
                return
            except _BrokenError as error:
                if attempt == self.attempts or time.monotonic() > until:
                    have = part.stat().st_size if part.exists() else 0
                    kept = f"; {have} bytes are kept for the next run" if have else ""
                    raise SourceUnavailableError(
                        f"{url}: broke {attempt} times ({error}){kept}"
                    ) from error
                time.sleep(self.backoff * 2 ** (attempt - 1))

    def _continue(self, url: str, part: Path, size: int | None, until: float) -> int | None:
        """Ask for what is missing and append it; return the full size if the server tells it."""
        have = part.stat().st_size if part.exists() else 0
        if have and size is not None and have >= size:
            if have == size:
                return size
            part.unlink()
            have = 0
        headers = {"Range": f"bytes={have}-"} if have else {}
        asked = self.address(url)
        host = urlsplit(asked).netloc
        if host in self.dead:
            raise SourceUnavailableError(f"{url}: {host} could not be reached before")
        try:
            with self._session().get(
                asked, headers=headers, stream=True, timeout=self.timeout
            ) as answer:
                self._refuse(url, answer, part)
                start, total = _position(answer, have)
                if total is not None and total > self.limit:
                    raise SourceUnavailableError(
                        f"{url}: {total} bytes, over the limit of {self.limit}"
                    )
                self._append(url, answer, part, start, until)
                return total
        except (requests.exceptions.ConnectTimeout, requests.exceptions.ConnectionError) as error:
            if part.exists() or not _never_reached(error):
                raise _BrokenError(_short(error)) from error
            self.dead.add(host)
            raise SourceUnavailableError(f"{url}: no connection ({_short(error)})") from error
        except requests.exceptions.RequestException as error:
            raise _BrokenError(_short(error)) from error

    def _refuse(self, url: str, answer: requests.Response, part: Path) -> None:
        """Raise for every answer that is not the file."""
        if answer.status_code == 416:  # what we have is not a beginning of the file
            part.unlink(missing_ok=True)
            raise _BrokenError("the server refused to continue; starting again")
        if answer.status_code in (429, 503):
            wait = answer.headers.get("Retry-After", "")
            seconds = float(wait) if wait.isdigit() else self.backoff
            if seconds > self.patience:
                raise SourceUnavailableError(f"{url}: busy, asks to come back in {seconds:g} s")
            time.sleep(seconds)
            raise _BrokenError(f"HTTP {answer.status_code}, busy")
        if answer.status_code >= 400:
            raise SourceUnavailableError(f"{url}: HTTP {answer.status_code} {answer.reason}")
        if answer.headers.get("Content-Type", "").lower().startswith("text/html"):
            # A page in place of the file: moved, or a portal that wants a login.
            raise SourceUnavailableError(f"{url}: answers with a web page, not the file")

    def _append(
        self, url: str, answer: requests.Response, part: Path, start: int, until: float
    ) -> None:
        with part.open("ab" if start else "wb") as out:
            for chunk in answer.iter_content(_CHUNK):
                out.write(chunk)
                if self.progress is not None:
                    self.progress(len(chunk))
                if out.tell() > self.limit:
                    out.close()
                    part.unlink()
                    raise SourceUnavailableError(f"{url}: sends more than {self.limit} bytes")
                if time.monotonic() > until:
                    raise _BrokenError(f"took over {self.time_limit:g} s")


def _never_reached(error: requests.exceptions.RequestException) -> bool:
    """Return whether not even a connection was made: no name, refused, cut off, timed out."""
    return isinstance(error, requests.exceptions.ConnectTimeout) or isinstance(
        getattr(error.args[0] if error.args else None, "reason", None), NewConnectionError
    )


def _position(answer: requests.Response, have: int) -> tuple[int, int | None]:
    """Return where the sent bytes begin, and the full size if it is told."""
    length = answer.headers.get("Content-Length")
    if answer.status_code != 206:  # the server sends all of it, whatever was asked
        return 0, int(length) if length and length.isdigit() else None
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
