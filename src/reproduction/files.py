"""Where the project lies; YAML without repeated keys; writing that leaves nothing half-written."""

import errno
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

#: Root of the source tree: config, registry and schemas live in it, not in the package.
ROOT = Path(__file__).resolve().parents[2]


def shown_path(path: Path) -> str:
    """Return a path as texts and rules name it: relative to the working directory if below it."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


#: What the system says when there is no room or no right to write, whoever asked for it.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


class OutputError(OSError, ValueError):
    """A file cannot be written; the text names it, the reason and what to do."""


def _refused(final: Path, error: OSError) -> OutputError:
    place = shown_path(final)
    return OutputError(
        f"{place} cannot be written ({error.strerror or error}); make room or give write "
        "permission and run again. Nothing half-written was left."
    )


@contextmanager
def atomic_path(target: str | Path) -> Iterator[Path]:
    """Yield a temporary name beside ``target``; rename it on success, remove it on failure."""
    final = Path(target)
    temporary = final.with_name(f".{final.name}.{secrets.token_hex(4)}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary.open("xb").close()  # with the rights that the umask leaves, unlike mkstemp
    except OSError as error:
        raise _refused(final, error) from error
    try:
        yield temporary
        temporary.replace(final)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise _refused(final, error) from error
        raise
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: str | Path, text: str) -> None:
    """Write ``text`` as UTF-8 with Unix line ends, atomically."""
    with atomic_path(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(target: str | Path, value: Any) -> None:
    """Write ``value`` as sorted, indented JSON, atomically; NaN is refused."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_text(target, text + "\n")


class YamlError(ValueError):
    """A YAML file is missing or is not valid; the text names file and line."""


class _UniqueKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Refuse repeated keys, which plain YAML loading would silently drop."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is given twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """Read a YAML file; a missing file, bad syntax and repeated keys are a :class:`YamlError`."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise YamlError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise YamlError(f"{path} is not UTF-8 text") from None
    try:
        return yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        raise YamlError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
