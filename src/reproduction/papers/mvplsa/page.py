"""Tables and sentences of the multi-view PLSA page, computed from the result rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reproduction.data.registry import load_registry
from reproduction.pages.tables import method_name
from reproduction.pages.wording import in_words
from reproduction.papers.mvplsa.columns import (
    AGREEMENT,
    ALL_SCORED,
    HONEST,
    MEAN_START,
    OWN_START,
    RATE,
    TABLES,
)
from reproduction.papers.mvplsa.names import NAMES
from reproduction.papers.mvplsa.readings import RECORDED
from reproduction.results.rows import INFERRED
from reproduction.results.summary import mean_and_deviation
from reproduction.results.tables import Table
from reproduction.verdicts.claims import differences, pair, select
from reproduction.verdicts.statistics import above, estimate

#: What the paper leaves open: topic (its table is "choice:<topic>") -> what is chosen.
CHOICES = {
    "sampling": "how labelled documents are drawn",
    "links": "direction of the links",
    "start": "start of p(z|d)",
    "floor": "floor of the start",
    "weights": "balance of the views",
    "smoothing": "smoothing of naive Bayes",
    "iterations": "EM iterations",
    "huge": "huge messages",
    "text": "tokens, headers, weights",
    "cut": "frequent words left out of naive Bayes",
}


def sizes_table(details: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Table 2: published and our sizes; ``details`` maps data sets to their statistics."""
    registry = load_registry()
    records = []
    for dataset, name in NAMES.items():
        ours = details[dataset]
        published = registry[dataset].statistics["Table 2"]
        records.append(
            {
                "data set": name,
                "documents": ours["documents"],
                "published documents": published.documents,
                "classes": f"{ours['classes']} ({' + '.join(map(str, ours['per_class']))})",
                "published classes": published.classes,
                "features": ", ".join(map(str, ours["features"])),
                "published features": ", ".join(map(str, published.features.values())),
                "non-zeros": ", ".join(map(str, ours["nonzeros"])),
                "empty documents": ", ".join(map(str, ours["empty_documents"])),
            }
        )
    return pd.DataFrame(records)


def clustering_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Every clustering method and reading behind Figure 2."""
    part = select(rows, table="fig2", reading=None, role=None)
    shown = [method_name(m, r) for m, r in zip(part["method"], part["role"], strict=True)]
    keys = ["method", "reading", "metric", "dataset"]
    grouped = part.assign(method=shown).groupby(keys)["value"].apply(mean_and_deviation)
    wide = grouped.unstack("dataset").reindex(columns=list(NAMES)).fillna("")
    return wide.rename(columns=NAMES).reset_index()


def choice_rows(rows: pd.DataFrame, topic: str) -> pd.DataFrame:
    """Rows of a topic, with the text of what was chosen in the column ``choice``."""
    name = f"choice:{topic}"
    part = select(rows, table=name, reading=(INFERRED, RECORDED), role=("published", "ours"))
    if part.empty:
        return part.assign(choice="")
    chosen = Table(name, tuple(column for column in TABLES[name].columns if column != RATE))
    names = [column.name for column in chosen.columns]
    part = part.sort_values(names, kind="stable")
    values = part[names].itertuples(index=False)
    return part.assign(choice=[chosen.write(dict(zip(names, v, strict=True))) for v in values])


def moves_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How far each choice moves MVPLSA: range of the means over the alternatives."""
    records = []
    for topic, title in CHOICES.items():
        part = choice_rows(rows, topic)
        part = part[part["method"] == "MVPLSA"]
        for (dataset, rate), group in part.groupby(["dataset", "rate"]):
            alternatives = group.groupby("choice")["value"]
            flat = alternatives.mean()
            records.append(
                {
                    "choice": title,
                    "data set": NAMES[str(dataset)],
                    "labelled": RATE.write(rate),
                    "moves by": float(flat.max() - flat.min()),
                    "lowest": f"{flat.min():.1f} ({flat.idxmin()})",
                    "highest": f"{flat.max():.1f} ({flat.idxmax()})",
                    "alternatives": len(flat),
                    "runs": int(alternatives.size().min()),
                }
            )
    frame = pd.DataFrame(records)
    return frame.sort_values("moves by", ascending=False, kind="stable", ignore_index=True)


def choice_table(rows: pd.DataFrame, topic: str) -> pd.DataFrame:
    """One topic in full: mean ± deviation by method, choice, data set and rate."""
    part = choice_rows(rows, topic).sort_values("method", kind="stable")
    places = part[["dataset", "rate"]].drop_duplicates().sort_values(["dataset", "rate"])
    columns = [f"{NAMES[d]} {RATE.write(r)}" for d, r in places.itertuples(index=False)]
    shown = part["dataset"].map(NAMES) + " " + part["rate"].map(RATE.write)
    keys = ["method", "choice", "column"]
    grouped = part.assign(column=shown).groupby(keys, sort=False)["value"].apply(mean_and_deviation)
    return grouped.unstack("column").reindex(columns=columns).fillna("").reset_index()


def cotraining_table(details: Mapping[str, Mapping[str, Any]], rows: pd.DataFrame) -> pd.DataFrame:
    """What the search of co-training chose, and what choices without labels give."""
    ours = select(rows, table="3", method="MVPLSA")
    means = ours.groupby(["dataset", "rate"])["value"].mean()
    records = []
    for dataset, found in details.items():
        for search in found["searches"]:
            chosen, score = search["chosen"], search["CoTr_E"]
            best = chosen[INFERRED]
            records.append(
                {
                    "data set": NAMES[dataset],
                    "labelled": RATE.write(search["rate"]),
                    "best u, p, n": f"{best['u']}, {best['p']}, {best['n']}",
                    "best": best["CoTr_E"],
                    "median of grid": score["median"],
                    "worst": score["worst"],
                    "u=75, p=1, n=3": chosen[HONEST]["CoTr_E"],
                    "by agreement": chosen[AGREEMENT]["CoTr_E"],
                    "MVPLSA": float(means.get((dataset, search["rate"]), np.nan)),
                }
            )
    return pd.DataFrame(records)


def cotraining_note(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """One sentence on our co-training against the published one, data set by data set."""
    keys = ["dataset", "rate"]
    ours = select(rows, table="3", method="CoTr_E").groupby(keys, as_index=False)["value"].mean()
    theirs = published[(published["table"] == "3") & (published["method"] == "CoTr_E")]
    cells = theirs.merge(ours, on=keys)
    parts = [
        f"{NAMES[str(dataset)]} {part['value'].mean():.1f} % against {part['mean'].mean():.1f} %"
        for dataset, part in cells.groupby("dataset", sort=False)
    ]
    if not parts:
        return "The grid the paper searched is not given."
    return (
        "The grid the paper searched is not given. Mean accuracy of the searched co-training over "
        f"the rates, ours against published: {', '.join(parts)}."
    )


def huge_note(rows: pd.DataFrame) -> str:
    """The lead of MVPLSA over DPLSA under each treatment of the huge messages, in words."""
    part = select(rows, table="choice:huge")
    means = part.groupby(["treatment", "method"], sort=False)["value"].mean().unstack()
    leads = (means["MVPLSA"] - means["DPLSA"]).sort_values(ascending=False)
    texts = [f"{lead:+.1f} points with {treatment}" for treatment, lead in leads.items()]
    return "MVPLSA minus DPLSA: " + "; ".join(texts) + "."


def dplsa_gaps(rows: pd.DataFrame) -> pd.DataFrame:
    """MVPLSA minus DPLSA, paired by run, averaged over the rates of Table 4."""
    part = select(rows, table="4")
    records = []
    for dataset, name in NAMES.items():
        chosen = part[part["dataset"] == dataset]
        mine, other = (chosen[chosen["method"] == each] for each in ("MVPLSA", "DPLSA"))
        gaps = differences(mine, other, ("dataset", "rate", "run")).get(dataset, np.array([]))
        if gaps.size < 2:
            continue
        test = above(estimate([gaps]))
        records.append(
            {
                "data set": name,
                "MVPLSA - DPLSA": test.effect,
                "95 % interval": f"{test.low:+.2f} to {test.high:+.2f}",
                "p": 2 * min(test.p_holds, test.p_refuted),
                "runs won": int((gaps > 0).sum()),
                "ties": int((gaps == 0).sum()),
                "runs": test.n,
            }
        )
    return pd.DataFrame(records)


def split_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 5, and DPLSA on the whole view from the same start."""
    return select(rows, table=["5", "extra:split"], role=["published", "ours"])


def split_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 5 with what it leaves out: DPLSA on the whole view from the same start."""
    titles = {
        "NBC": "naive Bayes, whole view",
        "MVPLSA": "MVPLSA, four parts",
        "DPLSA": "DPLSA, whole view, same start",
    }
    parts = split_rows(rows)
    grouped = parts.groupby(["method", "view"])["value"].apply(mean_and_deviation)
    wide = grouped.unstack("view").fillna("").loc[list(titles)]
    return wide.rename(index=titles, columns="view {:g}".format).reset_index()


def split_note(rows: pd.DataFrame) -> str:
    """What splitting itself adds, in the runs that have both models."""
    parts = split_rows(rows)
    on = ("dataset", "rate", "view", "run")
    dplsa = parts[parts["method"] == "DPLSA"]
    four, whole = pair(parts[parts["method"] == "MVPLSA"], dplsa, on)
    _, bayes = pair(dplsa, parts[parts["method"] == "NBC"], on)
    gaps = differences(parts[parts["method"] == "MVPLSA"], dplsa, on)
    if min(map(len, gaps.values()), default=0) < 2:
        return "The comparison needs more runs."
    test = above(estimate(list(gaps.values())))
    return (
        f"In the {four.size} fits that have both, averaged over the four views: naive Bayes "
        f"{bayes.mean():.1f} %, the same model on the unsplit view {whole.mean():.1f} %, on four "
        f"parts {four.mean():.1f} %. Splitting itself adds {test.effect:+.1f} points (95 % "
        f"interval {test.low:+.1f} to {test.high:+.1f}); the rest of the gain is the model and the "
        "unlabelled documents."
    )


def view_start_note(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """DPLSA on the link view: published, and ours from the two starts."""
    part = select(rows, table="choice:start", method="DPLSA_V2", dataset=["cornell", "washington"])
    keys = ["dataset", "rate"]
    means = part.groupby([*keys, "start"])["value"].mean().unstack("start")
    cells = published[(published["table"] == "4") & (published["method"] == "DPLSA_V2")]
    shown = pd.DataFrame(
        {
            "printed": cells.set_index(keys)["mean"].reindex(means.index),
            "mean": means[MEAN_START],
            "own": means[OWN_START],
        }
    )
    texts = [
        f"{NAMES[str(row.dataset)]} at {RATE.write(row.rate)} {row.printed:.1f} published, "
        f"{row.mean:.1f} from the mean, {row.own:.1f} from the view's own"
        for row in shown.reset_index().itertuples()
    ]
    return in_words("DPLSA on the link view: " + "; ".join(texts) + ".")


def scored_note(rows: pd.DataFrame) -> str:
    """What scoring the labelled documents too would change, in words."""
    part = select(rows, table="3", method="MVPLSA", reading=[INFERRED, ALL_SCORED])
    keys = ["dataset", "rate", "run"]
    wide = part.pivot_table(index=keys, columns="reading", values="value")
    gaps = (wide[ALL_SCORED] - wide[INFERRED]).groupby("dataset").mean()
    changes = ", ".join(f"{NAMES[str(dataset)]} {gap:+.2f}" for dataset, gap in gaps.items())
    return (
        "Counting the labelled documents too would change MVPLSA's mean accuracy by "
        f"{changes} points: too little to tell which the paper did."
    )


def reached_note(rows: pd.DataFrame, rate: float) -> str:
    """MVPLSA's mean accuracy at one rate, data set by data set, in words."""
    means = select(rows, table="3", method="MVPLSA", rate=rate).groupby("dataset")["value"].mean()
    reached = [f"{means[key]:.1f} % on {name}" for key, name in NAMES.items()]
    share = f"{100 * rate:g} %"
    return f"With {share} labels MVPLSA reaches {', '.join(reached[:-1])} and {reached[-1]}."
