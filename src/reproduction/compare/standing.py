"""How every method stands on every data set: pictures, and the tables of the guide."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from manyviews.compare.advice import GUESSES, PLAIN
from reproduction.pages.figures import figure_html, new_figure
from reproduction.pages.markup import markdown_table
from reproduction.verdicts.data_facts import data_name

#: Task -> what readers call it.
TASK_WORDS = {"draws": "Few labels", "folds": "All labels", "cluster": "No labels: clusters",
              "retrieve": "Pairs to be found"}  # fmt: skip
#: Points that make a difference worth a second view.
CLEAR = 2.0
PAY = (
    "**When do several views pay?** MVPLSA minus the same model on one table of all columns is "
    "what the views themselves add; MVPLSA minus the plain way is what the method adds. Medians "
    "over data sets. Missing rows were not varied."
)
#: A score this far above guessing, from 0 to 1, is more than a guess.
GUESS, ALONE_TITLE = 0.01, "Best view alone, picked afterwards"


def losses(scores: pd.DataFrame, asked: str) -> pd.DataFrame:
    """Return points behind the best by method and data set; single views are one, the best."""
    rows = scores[(scores["kind"] == "method") & (scores["asked"] == asked)]
    guesses = rows[rows["name"].isin(GUESSES)].groupby("comparison")["score"].max()
    rows = rows[~rows["name"].isin(GUESSES)]
    titles = rows["title"].where(rows["family"] != "paper", rows["title"] + " (paper)")
    best = rows.groupby("comparison")["score"].transform("max")
    rows = rows.assign(
        method=titles.where(~rows["name"].str.startswith("single_view"), ALONE_TITLE),
        data=rows["data"].map(data_name),
        points=100 * (best - rows["score"]),
        guess=rows["score"] <= rows["comparison"].map(guesses) + GUESS,
    )
    return rows.sort_values("points", kind="stable").drop_duplicates(["method", "comparison"])


def standing(scores: pd.DataFrame, asked: str) -> pd.DataFrame:
    """Return methods x data sets, those least behind on the mean first; a guess is infinite."""
    rows = losses(scores, asked)
    order = rows.groupby("method")["points"].mean().sort_values(kind="stable").index
    rows = rows.assign(points=rows["points"].mask(rows["guess"], np.inf))
    return rows.pivot(index="method", columns="data", values="points").loc[order]


def standing_figure(wide: pd.DataFrame) -> Figure:
    """Draw methods down and data sets across: the darker, the farther behind the best."""
    height, width = wide.shape
    figure, axes = new_figure(width=3.2 + 0.36 * width, height=1.5 + 0.26 * height)
    values = wide.to_numpy()
    shade = np.ma.masked_invalid(np.where(np.isinf(values), 99.0, values))
    axes.pcolormesh(shade, cmap="YlOrBr", vmin=0, vmax=40, edgecolor="white", linewidth=0.5)
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            text = "×" if np.isinf(value) else f"{value:.0f}"
            colour = "white" if value > 24 else "black"
            place = {"ha": "center", "va": "center", "fontsize": 7}
            axes.text(column + 0.5, row + 0.5, text, color=colour, **place)
    axes.set_xticks(np.arange(width) + 0.5, wide.columns, rotation=60, ha="right")
    axes.set_yticks(np.arange(height) + 0.5, wide.index)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.tick_params(length=0)
    return figure


def standings(scores: pd.DataFrame) -> str:
    """Return the picture of every task, with the methods that lead it in words."""
    parts = []
    for asked, words in TASK_WORDS.items():
        if (scores["asked"] == asked).any():
            wide = standing(scores, asked)
            said = f"{words}: {leaders(scores, asked)}"
            drawn = standing_figure(wide)
            parts.append(figure_html(drawn, f"standing-{asked}", said, said, wide.reset_index()))
            plt.close(drawn)
    return "\n".join(parts)


def behind(scores: pd.DataFrame, asked: str) -> tuple[pd.Series, int]:
    """Return mean points behind the best of methods that ran on all data sets, and their number."""
    rows = losses(scores, asked)
    groups, number = rows.groupby("method")["points"], rows["comparison"].nunique()
    means = groups.mean()[groups.size() == number].sort_values(kind="stable")
    return means.drop(ALONE_TITLE, errors="ignore"), number


def leaders(scores: pd.DataFrame, asked: str) -> str:
    """Say which methods are the least behind on the mean."""
    means, number = behind(scores, asked)
    named = [f"{title} is {mean:.1f}" for title, mean in means.head(3).items()]
    return f"over {number} data sets {', '.join(named)} points behind the best on the mean."


def guide_table(scores: pd.DataFrame) -> str:
    """Return the leaders of every task for the guide, the plain concatenation beside them."""
    names = {**PLAIN, "draws": PLAIN["classify"], "folds": PLAIN["classify"]}
    rows = []
    for asked, words in TASK_WORDS.items():
        if (scores["asked"] == asked).any():
            means, number = behind(scores, asked)
            (plain,) = scores.loc[scores["name"] == names[asked], "title"].unique()
            named = ", ".join(f"{title} {mean:.1f}" for title, mean in means.head(3).items())
            rows.append([words, str(number), named, f"{plain} {means[plain]:.1f}"])
    header = ["labels", "data sets", "points behind the best, on the mean", "the plain way"]
    return f"{markdown_table(header, rows)}\n\n{PAY}\n\n{views_pay(scores)}"


def views_pay(scores: pd.DataFrame) -> str:
    """Return, by labels and links, what views add: to the same model, and over the plain way."""
    told = scores[scores["kind"] == "diagnostic"].set_index(["comparison", "name"])["value"]
    linked, rows = told.xs("links", level="name") > 0, []
    for asked, plain in (("draws", PLAIN["classify"]), ("cluster", PLAIN["cluster"])):
        points = losses(scores, asked).pivot(index="comparison", columns="name", values="points")
        for links, part in points.groupby(linked.reindex(points.index)):
            line = [TASK_WORDS[asked], "yes" if links else "no", str(len(part))]
            for other in ("dplsa", plain):
                more = (part.reindex(columns=[other])[other] - part["mvplsa"]).dropna()
                line += [f"{more.median():+.1f}", f"{(more > CLEAR).sum()} of {len(more)}"]
            rows.append(line)
    beyond = f"by more than {CLEAR:g}"
    header = ["labels", "links", "data sets", "points from views", beyond]
    return markdown_table([*header, "points over the plain way", beyond], rows)
