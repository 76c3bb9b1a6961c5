"""Downloads that resume, retry and never leave a half-written file under the final name.

Bytes go to ``<name>.part``. When the connection breaks, the next attempt (now or in a later run)
asks the server for the rest; a server that cannot continue sends all of it again. Only a complete
file is renamed to its final name.
"""

import re
import time
from collections.abc import Sequence
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from tqdm import tqdm
from urllib3.util.retry import Retry

from reproduction.data.provenance import FetchError, SourceUnavailableError

#: Bytes read at once; what a broken connection has delivered is lost up to this number.
_CHUNK = 1 << 12
#: Seconds to connect and to wait for the next bytes.
TIMEOUT = (10.0, 60.0)
#: More than any file of the registry; stops a server that sends without end.
MAX_BYTES = 2 << 30


class _BrokenError(Exception):
    """The connection broke; what has arrived is kept and the rest asked for."""


def session(retries: int = 3, backoff: float = 0.5) -> requests.Session:
    """Return a session that repeats requests on connection errors and busy servers."""
    policy = Retry(
        total=retries,
        connect=min(retries, 2),
        backoff_factor=backoff,
        status_forcelist=(429, 500, 502, 503, 504),
        allowed_methods=("GET",),
        raise_on_status=False,
    )
    made = requests.Session()
    made.mount("http://", HTTPAdapter(max_retries=policy))
    made.mount("https://", HTTPAdapter(max_retries=policy))
    # A file compressed in transit would be unpacked on arrival and not match its checksum.
    made.headers.update({"Accept-Encoding": "identity", "User-Agent": "manyviews-reproduction"})
    return made


def download(
    urls: Sequence[str],
    target: Path,
    *,
    size: int | None = None,
    part: Path | None = None,
    attempts: int = 5,
    backoff: float = 0.5,
    timeout: tuple[float, float] = TIMEOUT,
) -> str:
    """Download a file from the first address that has it; return that address.

    Parameters
    ----------
    urls
        Addresses of the same file, in order.
    target
        Final name; it appears only when the file is complete.
    size
        Expected number of bytes, where known.
    part
        Where bytes are gathered; default ``<target>.part``. It is kept when the connection breaks
        for good, so that a later run continues, and removed when it is of no use.
    attempts
        Attempts per address after a broken connection.
    backoff
        Seconds before the second attempt; doubled each time.
    timeout
        Seconds to connect, and between bytes.

    Raises
    ------
    SourceUnavailableError
        When no address has the file; lists the reason for each.
    FetchError
        When a server sends another number of bytes than expected.
    """
    gathered = part if part is not None else target.with_name(target.name + ".part")
    gathered.parent.mkdir(parents=True, exist_ok=True)
    reasons = []
    with session(backoff=backoff) as web:
        for url in urls:
            try:
                _gather(web, url, gathered, size, attempts, backoff, timeout)
            except SourceUnavailableError as error:
                reasons.append(f"{url}: {error}")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            gathered.replace(target)
            return url
    raise SourceUnavailableError("; ".join(reasons) or "no address given")


def _gather(
    web: requests.Session,
    url: str,
    part: Path,
    size: int | None,
    attempts: int,
    backoff: float,
    timeout: tuple[float, float],
) -> None:
    """Fill ``part`` with the whole file at ``url``."""
    for attempt in range(1, attempts + 1):
        try:
            total = _continue(web, url, part, size, timeout)
            break
        except _BrokenError as error:
            if attempt == attempts:
                have = part.stat().st_size if part.exists() else 0
                raise SourceUnavailableError(
                    f"the connection broke {attempts} times ({error}); {have} bytes are kept "
                    "and the next run continues from there"
                ) from error
            time.sleep(backoff * 2 ** (attempt - 1))
    have = part.stat().st_size
    wanted = size if size is not None else total
    if wanted is not None and have != wanted:
        part.unlink(missing_ok=True)
        raise FetchError(
            f"{url} sent {have} bytes, expected {wanted}: the file has changed or is damaged. "
            "Nothing was kept; try again, or correct the registry if the publisher has changed it"
        )


def _continue(
    web: requests.Session, url: str, part: Path, size: int | None, timeout: tuple[float, float]
) -> int | None:
    """Ask for what is missing and append it; return the full size if the server tells it."""
    have = part.stat().st_size if part.exists() else 0
    if have and size is not None and have >= size:
        if have == size:
            return size
        part.unlink()
        have = 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        with web.get(url, headers=headers, stream=True, timeout=timeout) as answer:
            if answer.status_code == 416:  # what we have is not a beginning of the file
                part.unlink(missing_ok=True)
                raise _BrokenError("the server refused to continue; starting again")
            if answer.status_code >= 400:
                raise SourceUnavailableError(f"HTTP {answer.status_code} {answer.reason}")
            if answer.headers.get("Content-Type", "").lower().startswith("text/html"):
                # A page in place of the file: moved, or a portal that wants a login.
                raise SourceUnavailableError("the address answers with a web page, not the file")
            start, total = _position(answer, have)
            return _append(answer, part, start, total)
    except requests.exceptions.ConnectionError as error:
        if have or part.exists():
            raise _BrokenError(_short(error)) from error
        raise SourceUnavailableError(f"no connection ({_short(error)})") from error
    except requests.exceptions.RequestException as error:
        raise _BrokenError(_short(error)) from error


def _position(answer: requests.Response, have: int) -> tuple[int, int | None]:
    """Return where the sent bytes begin, and the full size if it is told."""
    length = answer.headers.get("Content-Length")
    if answer.status_code != 206:  # the server sends all of it, whatever was asked
        return 0, int(length) if length and length.isdigit() else None
    match = re.match(r"bytes (\d+)-\d+/(\d+|\*)$", answer.headers.get("Content-Range", ""))
    if not match or int(match[1]) != have:
        raise _BrokenError("the server continued at the wrong place")
    return have, None if match[2] == "*" else int(match[2])


def _append(answer: requests.Response, part: Path, start: int, total: int | None) -> int | None:
    bar = tqdm(
        total=total, initial=start, unit="B", unit_scale=True, desc=part.name, disable=None,
        leave=False,
    )  # fmt: skip
    with bar, part.open("ab" if start else "wb") as out:
        for chunk in answer.iter_content(_CHUNK):
            out.write(chunk)
            bar.update(len(chunk))
            if out.tell() > MAX_BYTES:
                out.close()
                part.unlink(missing_ok=True)
                raise FetchError(f"{answer.url} sends more than {MAX_BYTES} bytes; refused")
    return total


def _short(error: BaseException) -> str:
    """Return the innermost cause in one line, without addresses in memory."""
    for _ in range(5):
        inner = getattr(error, "reason", None)  # urllib3 keeps the cause here
        if not isinstance(inner, BaseException):
            inner = next((a for a in error.args if isinstance(a, BaseException)), None)
        if inner is None:
            break
        error = inner
    text = re.sub(r"<[^<>]*at 0x[0-9a-f]+>:? ?", "", str(error))
    return f"{type(error).__name__}: {text}"[:200]
