"""Foreign files that are hostile or damaged in a known way; each must be refused by name.

Nothing a file holds may run and no file may leave its folder.
"""

from __future__ import annotations

import io
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from foreign import Format, formats, outcome

HTML = b"<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>"
#: Damage that any file may have suffered.
DAMAGE = {
    "empty": lambda c: b"",
    "one byte": lambda c: c[:1],
    "cut in half": lambda c: c[: len(c) // 2],
    "a page of HTML in its place": lambda c: HTML,
    "zeros in its place": lambda c: bytes(len(c)),
    "noise in its place": lambda c: np.random.default_rng(0).bytes(len(c)),
    "its bytes in reverse": lambda c: c[::-1],
    "its first half twice": lambda c: c[: len(c) // 2] * 2,
}
#: What may be read all the same: two halves of a picture are a picture, a tar ends in zeros.
HARMLESS = {
    ("JPEG", "cut in half"), ("JPEG", "its first half twice"), ("PNG", "its first half twice"),
    ("tar", "cut in half"), ("tar", "zeros in its place"), ("tar", "its first half twice"),
    ("tar", "its bytes in reverse"),
}  # fmt: skip


def _tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for info, content in members:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def _member(name: str, **more: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    for key, value in more.items():
        setattr(info, key, value)
    return info


def _zip(name: str, content: bytes = b"x", mode: int = 0, packed: bool = False) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        archive.writestr(info, content)
    return stream.getvalue()


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


def archives() -> Iterator[tuple[str, str, bytes]]:
    """Yield format, what is hostile about it, and content."""
    names = ["../out.txt", "a/../../out.txt", "/tmp/out.txt", "C:/out.txt", "//host/out.txt",
             "..\\out.txt", "a/b/../../../out.txt"]  # fmt: skip
    for name in names:
        yield "zip", f"a member called {name}", _zip(name)
        yield "tar", f"a member called {name}", _tar((_member(name), b"x"))
    for target in ("/etc/passwd", "../../etc/passwd", "a/../../x"):
        link = _member("link", type=tarfile.SYMTYPE, linkname=target)
        hard = _member("hard", type=tarfile.LNKTYPE, linkname=target)
        yield "tar", f"a symbolic link to {target}", _tar((link, b""))
        yield "tar", f"a hard link to {target}", _tar((hard, b""))
    for kind, what in ((tarfile.FIFOTYPE, "pipe"), (tarfile.CHRTYPE, "device"),
                       (tarfile.BLKTYPE, "disk")):  # fmt: skip
        yield "tar", f"a {what}", _tar((_member("x", type=kind), b""))
    yield "zip", "a symbolic link", _zip("link", b"/etc/passwd", mode=0o120777)
    yield "zip", "a device", _zip("device", b"", mode=0o020777)
    encrypted = bytearray(_zip("secret.txt"))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(mark) + place] |= 1
    yield "zip", "an encrypted member", bytes(encrypted)


def pictures() -> Iterator[tuple[str, str, bytes]]:
    """Yield hostile pictures."""
    for width, height in ((100_000, 100_000), (1 << 30, 1 << 30), (0, 10), (1 << 26, 2)):
        yield "PNG", f"{width} x {height} pixels announced", _png(width, height)
    yield "PNG", "a picture that loads a file", b"<svg><image href='file:///etc/passwd'/></svg>"


def cases(known: dict[str, Format]) -> Iterator[tuple[str, str, bytes]]:
    """Yield every hostile file: format, what is wrong with it, content."""
    for title, form in known.items():
        for what, spoil in DAMAGE.items():
            yield title, what, spoil(form.content)
    yield from archives()
    yield from pictures()


def run() -> dict[str, object]:
    """Read every hostile file; return the figures."""
    with tempfile.TemporaryDirectory() as name:
        return read(Path(name))


def read(folder: Path) -> dict[str, object]:
    """Read every hostile file in a folder; return the figures."""
    known = formats(folder)
    tried, read, wrong = 0, 0, []
    for title, what, content in cases(known):
        tried += 1
        answer = outcome(known[title], content, folder)
        if answer == "value" and (title, what) in HARMLESS:
            read += 1
        elif answer != "refused":
            wrong.append(f"{title}, {what}: {answer[:200]}")
    left = sorted(path.name for path in folder.rglob("*") if path.name in ("ran", "out.txt"))
    left += ["out.txt"] if (folder.parent / "out.txt").exists() else []
    wrong += [f"it left {name}" for name in left]
    return {
        "files": tried, "refused": tried - read - len(wrong), "read without harm": read,
        "code runs and escapes": len(left), "wrong": wrong,
    }  # fmt: skip
