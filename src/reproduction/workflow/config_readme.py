"""Write config/README.md from the schema and the two configurations, so that it is never wrong.

``python -m reproduction.workflow.config_readme config/README.md``
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reproduction.files import ROOT, write_text
from reproduction.workflow.config import SCHEMA, load_config, read_yaml

HEADER = """\
# Configuration

`config.yaml` holds the papers' own settings. `quick.yaml` is laid over it for a run in minutes:
`snakemake --cores 2 --configfile config/quick.yaml`. Single keys can be set on the command line:
`snakemake --cores 2 --config data='{source: real}'`. Unknown keys and wrong values are refused
before anything runs.

This page is written from `workflow/schemas/config.schema.yaml`
(`python -m reproduction.workflow.config_readme config/README.md`); a test fails when it is out
of date.
"""


def _leaves(schema: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield path and schema of every key that holds a value."""
    for key, part in schema.get("properties", {}).items():
        here = (*path, key)
        if "properties" in part and len(here) < 3:
            yield from _leaves(part, here)
        else:
            yield here, part


def _value(config: Any, path: tuple[str, ...]) -> str:
    for key in path:
        if key not in config:
            return ""
        config = config[key]
    text = json.dumps(config, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 60 else "see the file"


def readme_text() -> str:
    """Return the text of config/README.md."""
    schema = read_yaml(SCHEMA)
    full, quick = load_config(), load_config(ROOT / "config" / "quick.yaml")
    lines = [HEADER]
    section = ""
    for path, part in _leaves(schema, ()):
        title = ".".join(path[:-1]) or "command line only"
        if title != section:
            section = title
            lines += [f"\n## `{title}`\n", "| key | meaning | config.yaml | quick.yaml |"]
            lines += ["|---|---|---|---|"]
        values = _value(full, path), _value(quick, path)
        shown = (values[0], "same" if values[0] == values[1] else values[1])
        meaning = " ".join(part["description"].split()).replace("|", "\\|")
        lines.append(f"| `{'.'.join(path)}` | {meaning} | {shown[0]} | {shown[1]} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_text(Path(sys.argv[1]), readme_text())
