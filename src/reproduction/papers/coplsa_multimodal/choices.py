"""What the paper leaves open: which text view it had, and why so many topics.

The other two choices need no jobs of their own: lambda is chosen, and every definition of average
precision is tried, where Table 1 is made.
"""

from __future__ import annotations

from reproduction.papers.coplsa_multimodal.columns import LINK, READINGS, RELEASED_TOPICS, SKL
from reproduction.papers.coplsa_multimodal.models import (
    METHODS,
    TopicModel,
    fit,
    fit_link,
    rankings_of,
)
from reproduction.papers.coplsa_multimodal.protocol import FULL, load_split, map_rows
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.papers.coplsa_multimodal.tables import chosen_lambda
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def topics(context: Context) -> list[Row]:
    """MAP against the number of topics, one seed, sKL and Link PLSA."""
    settings: PaperSettings = context.settings
    split = load_split(context.data, settings)
    lam = chosen_lambda(context, "skl")
    rows: list[Row] = []
    for n_topics in context.progress(settings.topic_grid, "number of topics"):
        models: dict[str, TopicModel] = {
            SKL: fit(split, settings, 0, divergence="skl", lam=lam, n_topics=n_topics),
            LINK: fit_link(split, settings, 0, n_topics=n_topics),
        }
        for method, model in models.items():
            for protocol in READINGS:
                rankings = rankings_of(model, split, protocol, settings)
                at = {"topics": n_topics}
                rows += map_rows(rankings, "choice:topics", method, protocol, at=at)
    return rows


def released_topics(context: Context) -> list[Row]:
    """The released 10-d text topics in place of the words."""
    settings: PaperSettings = context.settings
    split = load_split(context.data, settings, ("topics", "image"))
    at = {"text_view": RELEASED_TOPICS, "precision": FULL}
    rows: list[Row] = []
    for run in context.progress(range(settings.choice_runs), RELEASED_TOPICS):
        models: dict[str, TopicModel] = {LINK: fit_link(split, settings, run)}
        for divergence, method in METHODS.items():
            lam = chosen_lambda(context, divergence)
            models[method] = fit(split, settings, run, divergence=divergence, lam=lam)
        for method, model in models.items():
            for protocol in READINGS:
                rankings = rankings_of(model, split, protocol, settings)
                rows += map_rows(rankings, "choice:text_view", method, protocol, run, at=at)
    return rows


def run(context: Context) -> Result:
    """Try all choices that need fits of their own."""
    return Result(topics(context) + released_topics(context))
