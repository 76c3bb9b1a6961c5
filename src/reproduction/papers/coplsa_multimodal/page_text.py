"""Sentences of the cross-modal retrieval page, with their numbers taken from the result rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reproduction.papers.coplsa_multimodal.page import (
    KINDS,
    METHODS,
    NAMES,
    PROTOCOLS,
    SETTINGS,
    mean_of,
    published_values,
    reading,
    values,
)


def headline(rows: pd.DataFrame) -> str:
    """What a reader should know first."""
    known = published_values()
    data, method = "wikipedia_pairs", "sKL coPLSA"
    joint = mean_of(rows, data, method, "joint", "semantic")
    honest = mean_of(rows, data, method, "honest", "semantic")
    theirs = np.mean([known["Wikipedia", f"semantic;{d}", method] for d in ("i2t", "t2i")])
    alone = mean_of(rows, data, "control:independent PLSA", "honest", "semantic")
    link = mean_of(rows, data, "Link PLSA", "honest", "semantic")
    return (
        f"**In short.** On the {NAMES.mark(data, 'Wikipedia pairs')}, in the semantic space, the "
        f"best method of the paper reaches a mean average precision of {theirs:.3f} in print. We "
        f"get {joint:.3f} when "
        f"the text and the image of a test pair are folded in *together*, and {honest:.3f} when "
        f"each is folded in from its own modality, as the paper's text describes and as a user "
        f"who has only a query would have to. Under that honest protocol Link PLSA reaches "
        f"{link:.3f} and two PLSAs that never saw each other {alone:.3f}; the coupling, the "
        f"paper's subject, is worth {honest - alone:+.3f} there."
    )


def scm_reading(rows: pd.DataFrame) -> str:
    """Which reading of average precision gives SCM its published figures back."""
    known = published_values()
    distance = {}
    for kind in KINDS:
        gaps = []
        for setting in SETTINGS:
            found = values(rows, "wikipedia_pairs", setting, "SCM", reading("joint", kind))
            gaps.append(found.mean() - known["Wikipedia", setting, "SCM"])
        distance[kind] = float(np.sqrt(np.mean(np.square(gaps))))
    best = min(distance, key=lambda kind: distance[kind])
    listed = ", ".join(f"{kind} {value:.3f}" for kind, value in distance.items())
    return (
        f"SCM's row is the one its own authors published, so it tells which average precision was "
        f"meant. Root mean square distance of our SCM to the four published figures: {listed}. "
        f"The nearest is **{best}**."
    )


def protocol_text(rows: pd.DataFrame, tolerance: float = 0.03) -> str:
    """How many published figures of the topic models each protocol meets, by space."""
    known = published_values()
    pieces = []
    for protocol, name in PROTOCOLS.items():
        for space in ("topic", "semantic"):
            gaps = [
                values(rows, "wikipedia_pairs", setting, method, name).mean()
                - known["Wikipedia", setting, method]
                for method in METHODS[1:]
                for setting in SETTINGS
                if setting.startswith(space)
            ]
            met = int((np.abs(gaps) <= tolerance).sum())
            pieces.append(
                f"{protocol} protocol, {space} space: {met} of {len(gaps)} within {tolerance:g}, "
                f"mean difference {np.mean(gaps):+.3f}"
            )
    return "Our means minus the published figures of the four topic models on Wikipedia. " + (
        "; ".join(pieces) + "."
    )
