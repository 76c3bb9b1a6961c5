"""The front page: the outcome in one picture, three questions a paper, findings with pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from asprinted.base_rates import READING, count, counted
from asprinted.words import AGREEMENT, CLAIM, INFERRED, SURROGATE, TEXT
from reproduction.pages.cells import agreement_said
from reproduction.pages.claims import READINGS, claim_link
from reproduction.pages.figures import (
    INK,
    ON_COLOUR,
    PALETTE,
    VERDICT_COLOURS,
    figure_html,
    new_figure,
)
from reproduction.pages.markup import render
from reproduction.pages.said import BESIDE, BY_INFERRED, BY_TEXT, PRINTED, Finding, Front
from reproduction.rooms import Paper, find_papers
from reproduction.verdicts.replication import ALL, counted_claims, headline, mission, part_of

TITLE = "Papers on multi-view learning, rebuilt: what holds"

#: Colour and shape of what a mark stands for; shapes tell them apart without colours.
_MARKS = {
    PRINTED: (PALETTE[8], "D"), BY_TEXT: (PALETTE[1], "s"), BY_INFERRED: (PALETTE[0], "o"),
    BESIDE: (PALETTE[2], "^"),
}  # fmt: skip

#: Reading -> what readers call it.
_HOW = {INFERRED: "inferred reading", TEXT: "text reading"}


def outcome(ledger: pd.DataFrame, claims: pd.DataFrame) -> dict[str, tuple[pd.Series, float]]:
    """Bars of the picture: title -> how often each word falls, and how often the first by luck."""
    cells, said = counted(mission(ledger)), counted_claims(mission(claims))
    bars = {}
    for reading, how in _HOW.items():
        words = cells[READING[reading][3]].value_counts().reindex(list(AGREEMENT), fill_value=0)
        luck = count(mission(ledger), ALL, reading)[0].chance
        bars[f"{len(cells)} printed numbers, {how}"] = (words, luck)
    for reading, how in _HOW.items():
        words = said[reading].value_counts().reindex(list(CLAIM), fill_value=0)
        bars[f"{len(said)} claims, {how}"] = (words, np.nan)
    return bars


def outcome_figure(ledger: pd.DataFrame, claims: pd.DataFrame) -> Figure:
    """The picture of the outcome: a bar for numbers and for sentences under each reading."""
    bars = outcome(ledger, claims)
    fig, axes = new_figure(width=5.2, height=0.66 * len(bars))
    for place, (title, (words, luck)) in enumerate(bars.items()):
        whole, left = max(1, int(words.sum())), 0.0
        luck_said = f" (line: {luck:.0f} by luck)" if np.isfinite(luck) else ""
        axes.text(0, place - 0.36, title + luck_said, va="bottom", fontsize=10)
        for word, number in words[words > 0].items():
            share = 100 * number / whole
            axes.barh(place, share, left=left, color=VERDICT_COLOURS[str(word)], height=0.5)
            text = f"{number} {word}"
            text = text if number == 1 else text.replace("holds", "hold")
            text = text if share >= 1.8 * len(text) else str(number)  # as wide as its letters
            if share >= 4:
                at = left + share / 2
                axes.text(at, place, text, ha="center", va="center", color=ON_COLOUR, fontsize=9.5)
            left += share
        if np.isfinite(luck):
            for side in (-1, 1):  # beside the bar, where it hides no word
                ends = [place + side * 0.34, place + side * 0.24]
                axes.plot([100 * luck / whole] * 2, ends, color=INK, lw=2.5)
    axes.set(yticks=[], xlim=(0, 100), xticks=[])
    axes.set_ylim(len(bars) - 0.6, -0.75)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return fig


def outcome_words(ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """The same in words, for readers who cannot see the picture."""
    lines = []
    for title, (words, luck) in outcome(ledger, claims).items():
        told = ", ".join(f"{number} {word}" for word, number in words.items() if number)
        beside = f", where luck gives {luck:.0f} {words.index[0]}" if np.isfinite(luck) else ""
        lines.append(f"{title}: {told or 'none'}{beside}.")
    return " ".join(lines)


def finding_figure(finding: Finding) -> Figure:
    """Bars where every line has one value, else marks on a common scale."""
    lines = finding.marks
    kinds = [kind for kind in _MARKS if any(kind in line for line in lines.values())]
    fig, axes = new_figure(width=4.6, height=0.55 + 0.34 * len(lines))
    single = all(len(line) == 1 for line in lines.values())
    digits = 1 if max(abs(value) for _, _, value in finding.values) > 1 else 3
    for place, line in enumerate(lines.values()):
        if not single:
            axes.plot([min(line.values()), max(line.values())], [place] * 2, color=INK, lw=0.6)
        for kind, value in line.items():
            colour, mark = _MARKS[kind]
            if single:
                text = f"{value:.{digits}f}"
                text = text if float(text) else f"{value:.1g}"  # small is not nothing
                axes.barh(place, value, color=colour, height=0.6)
                axes.annotate(text, (max(value, 0), place), (4, 0),
                              textcoords="offset points", va="center", fontsize=8.5)  # fmt: skip
            else:
                axes.plot(value, place, mark, color=colour, ms=7)
    axes.set(yticks=range(len(lines)), yticklabels=list(lines), xlabel=finding.unit)
    axes.margins(x=0.16 if single else 0.06, y=0.12)
    axes.invert_yaxis()
    axes.grid(visible=not single, axis="x")
    if single:  # its values stand beside the bars
        axes.set_xticks([])
    else:
        drawn = [axes.plot([], [], _MARKS[k][1], color=_MARKS[k][0], ms=6)[0] for k in kinds]
        axes.legend(drawn, kinds, loc="lower center", bbox_to_anchor=(0.35, 1), ncols=len(kinds),
                    frameon=False, handletextpad=0.1)  # fmt: skip
    return fig


#: Whether a paper's numbers come back: nothing compared, other data, its own.
_NUMBERS = (
    "Nothing could be compared.",
    "Not its data; on the nearest {agree:d} of {beside:d} do.",
    "Inferred {inferred:d} of {cells:d} (luck {luck:.0f}), text {text:d}.",
)


def _paper(card: Paper, front: Front, ledger: pd.DataFrame, claims: pd.DataFrame) -> dict[str, Any]:
    """Return the row of one paper."""
    claims = claims.assign(link=claims["id"].map(claim_link))
    main = [claims[claims["id"] == f"{card.key}.{name}"] for name in card.main_claims]
    return {
        "card": card,
        "numbers": agreement_said(ledger, card.key, _NUMBERS),
        "main": [row for part in main for row in part.to_dict("records")],
        "today": front.today or ("A control, not a candidate." if card.control else ""),
    }


def _findings(fronts: Mapping[str, Front]) -> list[tuple[Paper, Finding, Markup]]:
    """Return the findings of all papers, each with its picture."""
    found = []
    for key, card in find_papers().items():
        for number, each in enumerate(fronts[key].findings):
            frame = pd.DataFrame(each.values, columns=["line", "what", each.unit])
            told = "; ".join(f"{a} ({b}) {v:.3g}" for a, b, v in each.values)
            alt, name = f"{each.unit}: {told}.", f"finding-{key}-{number}"
            drawn = figure_html(finding_figure(each), name, alt, "", frame)
            found.append((card, each, Markup(drawn)))
    return found


def front_body(
    ledger: pd.DataFrame,
    gaps: pd.DataFrame,
    claims: pd.DataFrame,
    fronts: Mapping[str, Front],
    *,
    surrogates: Sequence[str] = (),
    beside: Mapping[str, str] | None = None,
    tried: str = "",
) -> str:
    """Body of the overview; ``beside`` are further pages, ``tried`` what explanations came to."""
    if counted(mission(ledger)).empty:  # findings are about the papers' settings and data
        fronts = dict.fromkeys(fronts, Front())
    words = outcome_words(ledger, claims)
    drawn = figure_html(outcome_figure(ledger, claims), "verdicts", words)
    return render(
        "front.html",
        title=TITLE,
        tried=tried,
        headline=headline(ledger, gaps, claims),
        picture=Markup(drawn),
        readings=READINGS,
        cells=len(ledger),
        beside=beside or {},
        papers=[
            _paper(card, fronts[key], part_of(ledger, key), part_of(claims, key))
            for key, card in find_papers().items()
        ],
        findings=_findings(fronts),
        surrogates=surrogates,
        surrogate_cells=int((ledger["data"] == SURROGATE).sum()),
    )
