"""Foreign files that are hostile or damaged in a known way; each must be refused by name.

Nothing a file holds may run and no file may leave its folder.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
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
#: Damage that any file may have suffered; a table is any text, so some of it leaves tables whole.
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
#: What may be read all the same: a text with less in it is another text, two halves of a picture
#: are a picture, a tar archive ends in zeros, and a pickle may name one list many times over.
HARMLESS = {
    ("table", "cut in half"), ("table", "its first half twice"), ("svmlight", "empty"),
    ("svmlight", "one byte"), ("svmlight", "cut in half"), ("svmlight", "its first half twice"),
    ("JPEG", "cut in half"), ("JPEG", "its first half twice"), ("PNG", "its first half twice"),
    ("npy", "its first half twice"), ("tar", "cut in half"), ("tar", "zeros in its place"),
    ("tar", "its first half twice"), ("pickle", "a billion laughs"),
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


def _calls(module: str, name: str, argument: str) -> bytes:
    """A pickle that calls a function when it is loaded by Python."""
    return f"c{module}\n{name}\n(S'{argument}'\ntR.".encode()


def _npy(shape: str, kind: str = "<f8") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00v\x00" + text.ljust(117) + b"\n"


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


def archives(heavy: bool) -> Iterator[tuple[str, str, bytes]]:
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
    if not heavy:
        return
    bomb = bytes(200 << 20)
    yield "zip", "a bomb", _zip("bomb", bomb, packed=True)
    plain = _tar((_member("bomb"), bomb))
    yield "tar.gz", "a bomb", gzip.compress(plain, 9)
    yield "tar.bz2", "a bomb", bz2.compress(plain)
    yield "tar.xz", "a bomb", lzma.compress(plain)
    yield "tar.bz2", "a bomb after the end", bz2.compress(_tar() + bomb)


def arrays(heavy: bool) -> Iterator[tuple[str, str, bytes]]:
    """Yield hostile arrays, pickles and pictures."""
    for module, name in (("os", "system"), ("posix", "system"), ("subprocess", "getoutput"),
                         ("builtins", "eval"), ("builtins", "exec"), ("builtins", "open"),
                         ("__builtin__", "eval"), ("importlib", "import_module"),
                         ("numpy", "load"), ("numpy.testing", "measure"), ("shutil", "rmtree"),
                         ("webbrowser", "open"), ("socket", "gethostbyname")):  # fmt: skip
        yield "pickle", f"it calls {module}.{name}", _calls(module, name, "touch ran")
    yield "pickle", "it calls through a stack global", pickle.dumps(eval)
    yield (
        "pickle",
        "a billion laughs",
        b"(lp0\n"
        + b"".join(b"(l" + b"g%d\n" % (i) * 10 + b"p%d\n" % (i + 1) for i in range(40))
        + b".",
    )
    yield "pickle", "a number of a memo beyond reason", b"]r\xff\xff\xff\x7f."
    yield "pickle", "nested without end", b"(" * 100_000 + b"."
    yield "pickle", "a text of four gigabytes announced", b"X\xff\xff\xff\xffabc."
    objects = io.BytesIO()
    np.save(objects, np.array([eval], dtype=object), allow_pickle=True)
    yield "npy", "it holds objects", objects.getvalue()
    boxed = io.BytesIO()
    np.savez(boxed, a=np.array([{}], dtype=object))
    yield "npz", "it holds objects", boxed.getvalue()
    for shape in ("(1000000, 1000000)", "(4000000000,)", "(-1, 5)", "(1e9,)", "'text'"):
        yield "npy", f"a shape of {shape} announced", _npy(shape)
        yield "npz", f"a shape of {shape} announced", _zip("a.npy", _npy(shape))
    yield "npy", "code in its header", _npy("__import__('os').system('touch ran')")
    for width, height in ((100_000, 100_000), (1 << 30, 1 << 30), (0, 10), (1 << 26, 2)):
        yield "PNG", f"{width} x {height} pixels announced", _png(width, height)
    yield "PNG", "a picture that loads a file", b"<svg><image href='file:///etc/passwd'/></svg>"
    yield (
        "Matrix Market",
        "a size beyond reason",
        (b"%%MatrixMarket matrix coordinate real general\n999999999999 999999999999 1\n1 1 1\n"),
    )
    yield (
        "Matrix Market",
        "an entry outside",
        (b"%%MatrixMarket matrix coordinate real general\n2 2 1\n9 9 1\n"),
    )
    yield "svmlight", "a column beyond reason", b"1 99999999999999999999:1\n"
    yield "table", "a word among numbers", b"id,a,b,topic\nd0,1,=cmd(),x\n"
    yield "table", "no number", b"id,a,b,topic\nd0,1,nan,x\n"
    yield "table", "another encoding", "id,a,b,topic\nd0,1,2,\u00e9\n".encode("utf-16")
    yield "gzipped text", "another encoding", gzip.compress("\u00e9".encode("latin-1"))
    yield "R data", "an environment", lzma.compress(b"RDX2\nX\n" + bytes(12) + b"\0\0\0\4")
    yield (
        "R data",
        "a vector of gigabytes announced",
        lzma.compress(b"RDX2\nX\n" + bytes(12) + struct.pack(">ii", 14, 1 << 30)),
    )
    if heavy:
        yield "npz", "a bomb", _zip("a.npy", _npy("(400000000,)") + bytes(250 << 20), packed=True)
        yield "R data", "a bomb", lzma.compress(bytes(600 << 20), preset=0)


def cases(known: dict[str, Format], heavy: bool = True) -> Iterator[tuple[str, str, bytes]]:
    """Yield every hostile file: format, what is wrong with it, content; bombs if ``heavy``."""
    for title, form in known.items():
        for what, spoil in DAMAGE.items():
            yield title, what, spoil(form.content)
    yield from archives(heavy)
    yield from arrays(heavy)


def run() -> dict[str, object]:
    """Read every hostile file; return the figures."""
    with tempfile.TemporaryDirectory() as name:
        return read(Path(name))


def read(folder: Path, *, heavy: bool = True) -> dict[str, object]:
    """Read every hostile file; bombs only if ``heavy``. Return the figures."""
    known = formats(folder)
    tried, read, wrong = 0, 0, []
    for title, what, content in cases(known, heavy):
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
