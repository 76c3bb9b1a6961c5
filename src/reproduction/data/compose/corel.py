"""Corel5K's photographs by split, from a copy that keeps them by Corel folder."""

from reproduction.data.content import Contents

#: The lists of each split: a line is ``<photograph> <word> ...``.
LABELS = {"labels/training_label": "train/", "labels/test_label": "test/"}


def by_split(inputs: Contents) -> Contents:
    """Sort ``images/<folder>/<photograph>.jpeg`` into ``train/`` and ``test/``, as the lists say.

    One test photograph is listed twice here and once in the pinned copy, whose lines end in CR LF.
    Photographs that no list has are left out.
    """
    images = {path.rsplit("/", 1)[-1]: content for path, content in inputs["images/"].items()}
    made: Contents = {}
    for name, split in LABELS.items():
        labels = inputs[name].decode("ascii").split("\n")
        lines = {line.split()[0]: line for line in labels if line}
        made[name] = "".join(f"{line}\r\n" for line in lines.values()).encode("ascii")
        made[split] = {f"{number}.jpeg": images[f"{number}.jpeg"] for number in lines}
    return made
