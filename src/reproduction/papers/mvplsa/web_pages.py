"""Cornell and Washington: all tables, figures and choices of a small data set in one job.

A job's imports take seconds, which is as long as any of the parts on 200 web pages.
"""

from __future__ import annotations

from reproduction.papers.mvplsa import choices, clustering, tables, topics
from reproduction.results.jobs import Context
from reproduction.results.rows import Result

#: Figure 3 shows one of the two.
WITH_TOPICS = "cornell"


def run(context: Context) -> Result:
    """Tables 3 and 4, Figure 2, Figure 3 (Cornell), and what the paper leaves open."""
    printed = tables.both(context)
    parts = [clustering.run(context), choices.run(context)]
    if context.job.dataset == WITH_TOPICS:
        parts.append(topics.run(context))
    return Result([*printed.rows, *(row for part in parts for row in part.rows)], printed.details)
