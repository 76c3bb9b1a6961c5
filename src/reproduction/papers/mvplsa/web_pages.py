"""Cornell and Washington: all tables, figures and panels of a small data set in one job.

A job's imports take seconds, which is as long as any of the parts on 200 web pages.
"""

from __future__ import annotations

from reproduction.papers.mvplsa import classification, clustering, silent, topics
from reproduction.results.jobs import Context, Result

#: Figure 3 shows one of the two.
WITH_TOPICS = "cornell"


def run(context: Context) -> Result:
    """Tables 3 and 4, Figure 2, Figure 3 (Cornell), and what the paper does not say."""
    tables = classification.tables(context)
    parts = [clustering.run(context), silent.run(context)]
    if context.job.dataset == WITH_TOPICS:
        parts.append(topics.run(context))
    return Result([*tables.rows, *(row for part in parts for row in part.rows)], tables.details)
