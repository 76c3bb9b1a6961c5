"""The front page: what became of each paper, what holds across them, and how sure that is."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import pandas as pd

from reproduction.pages.cells import cells_headline, percent
from reproduction.pages.claim_cards import claim_link
from reproduction.pages.claims import claims_headline, text_verdicts
from reproduction.pages.claims import counted as tested
from reproduction.pages.data_names import data_name
from reproduction.pages.explorer import NAME as EXPLORER
from reproduction.pages.markup import MARKS, Cell, Table, badge, csv_text, plain, table_html
from reproduction.pages.prose import markdown_html
from reproduction.pages.results import snakemake_command
from reproduction.pages.said import THEMES, Finding, Front, Said
from reproduction.pages.wording import readable
from reproduction.rooms import Paper, find_papers
from reproduction.verdicts.base_rates import count, counted, judged
from reproduction.verdicts.words import (
    AGREEMENT,
    CLAIM,
    HOLDS,
    INFERRED,
    NOT_COMPARABLE,
    NOT_RUN,
    PUBLISHED,
    SURROGATE,
    TEXT,
    UNTESTABLE,
)

_SIZE, _EDGE = 150, 8
ALL = "all"

#: Headings of the page, for its list of contents.
FRONT_CONTENTS = [
    {"id": "what-holds", "text": "Papers on multi-view learning, rebuilt: what holds", "level": 1},
    {"id": "paper-by-paper", "text": "Paper by paper", "level": 2},
    {"id": "findings", "text": "What we found across the papers", "level": 2},
    {"id": "counts", "text": "How many numbers agree, and how many would by chance", "level": 2},
    {"id": "rerun", "text": "Rerun any number", "level": 2},
]


def thumbnail(ledger: pd.DataFrame, card: Paper) -> str:
    """Small picture of a paper: published across, ours upward, both as shares of the range."""
    shown = ledger[~ledger["agreement"].isin([NOT_COMPARABLE, NOT_RUN]) & (ledger["repeats"] == "")]
    marks = []
    for _, part in shown.groupby("unit", sort=True):
        both = pd.concat([part["published"], part["ours"]])
        low, span = float(both.min()), float(both.max() - both.min()) or 1.0

        def at(value: float, low: float = low, span: float = span) -> float:
            return _EDGE + (value - low) / span * (_SIZE - 2 * _EDGE)

        for row in part.to_dict("records"):
            word = str(row["agreement"])
            marks.append(
                f'<circle class="p-{word}" cx="{at(row["published"]):.1f}" '
                f'cy="{_SIZE - at(row["ours"]):.1f}" r="2.6"/>'
            )
    told = (
        f"{len(shown)} cells of {card.short}, published across and ours upward; on the line both "
        "are equal"
        if len(shown)
        else f"no cell of {card.short} could be compared"
    )
    return (
        f'<svg class="thumb" viewBox="0 0 {_SIZE} {_SIZE}" width="{_SIZE}" height="{_SIZE}" '
        f'role="img" aria-label="{html.escape(told)}"><title>{html.escape(told)}</title>'
        f'<path class="even" d="M{_EDGE},{_SIZE - _EDGE}L{_SIZE - _EDGE},{_EDGE}"/>'
        f"{''.join(marks)}</svg>"
    )


def claim_strip(claims: pd.DataFrame) -> str:
    """One small mark a sentence of the authors, each a link to its card."""
    own = claims[claims["origin"] == PUBLISHED]
    marks = [
        f'<a class="mark v-{row["verdict"].replace(" ", "-")}" href="{claim_link(row["id"])}" '
        f'title="{html.escape(row["verdict"] + ": " + row["statement"], quote=True)}">'
        f'<span aria-hidden="true">{MARKS[row["verdict"]]}</span>'
        f'<span class="hidden">{row["verdict"]}: {html.escape(row["statement"])}</span></a>'
        for row in own.to_dict("records")
    ]
    if not marks:
        return ""
    held = int((own["verdict"] == HOLDS).sum())
    return (
        f'<p class="strip-title">{held} of {len(own)} sentences hold</p>'
        f'<p class="claim-strip">{"".join(marks)}</p>'
    )


def _main_claims(card: Paper, claims: pd.DataFrame) -> str:
    parts = []
    for name in card.main_claims:
        for row in claims[claims["id"] == f"{card.key}.{name}"].to_dict("records"):
            other = (
                f" (inferred reading: {row['verdict_inferred']})"
                if row["verdict_inferred"] not in ("", row["verdict"])
                else ""
            )
            parts.append(
                f'<p class="main-claim">{badge(row["verdict"]).markup}{html.escape(other)} '
                f'<a href="{claim_link(row["id"])}">{html.escape(row["statement"])}</a> '
                f'<span class="soft">{html.escape(readable(row["reason"]))}</span></p>'
            )
    return "".join(parts)


def paper_card(card: Paper, front: Front, ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """Card of one paper."""
    address = card.address
    title = html.escape(card.title)
    cited = f'<a href="{html.escape(address)}">{title}</a>' if address else title
    names = html.escape(", ".join(card.authors))
    lead = f'<p class="lead">{front.sentence.markup()}</p>' if front.sentence else ""
    return (
        f'<article class="paper" id="paper-{card.key}">'
        f'<a class="thumb-link" href="{EXPLORER}.html#paper={card.key}">'
        f"{thumbnail(ledger, card)}</a>"
        f'<h3><a href="{card.key}.html">{html.escape(card.short)}</a></h3>'
        f'<p class="cite">{names} ({card.year}). {cited}. {html.escape(card.venue)}.</p>'
        f"{lead}{_main_claims(card, claims)}{claim_strip(claims)}"
        f'<p class="links"><a href="{card.key}.html">Why: the page</a> '
        f'<a href="{EXPLORER}.html#paper={card.key}">Its {len(ledger)} cells</a> '
        f"<span>Code: <code>src/reproduction/papers/{card.key}</code></span></p></article>"
    )


def findings_html(fronts: Mapping[str, Front]) -> str:
    """Findings of all papers, gathered by theme; the theme with most papers first."""
    papers = find_papers()
    grouped: dict[str, list[tuple[str, Finding]]] = {theme: [] for theme in THEMES}
    for key, front in fronts.items():
        for finding in front.findings:
            grouped[finding.theme].append((key, finding))
    parts = []
    for theme, found in sorted(grouped.items(), key=lambda item: -len(item[1])):
        if not found:
            continue
        items = "".join(
            f'<li><a href="{f.page or key}.html{f"#{f.anchor}" if f.anchor else ""}">'
            f"{html.escape(papers[key].short)}</a>: {f.said.markup()}</li>"
            for key, f in found
        )
        number = len({key for key, _ in found})
        where = f"in {number} of {len(papers)} papers"
        parts.append(f'<h3>{theme} <span class="soft">{where}</span></h3><ul>{items}</ul>')
    return "".join(parts)


def readings_said(ledger: pd.DataFrame) -> Said:
    """How many cells agree by the paper's words, and how many by what the authors likely did."""
    text, inferred = (count(ledger, ALL, name)[1] for name in (TEXT, INFERRED))
    missing = int((counted(ledger)["text_agreement"] == NOT_RUN).sum())
    return Said(
        "Of {cells:d} numbers that could be measured on the papers' own data, {text:d} agree with "
        "print (equivalent or compatible) when the papers' words are followed"
        + (" ({missing:d} have no run of that reading)" if missing else "")
        + ", {inferred:d} when we do what the evidence says the authors did. With methods shuffled "
        "at random {chance_text:.0f} and {chance_inferred:.0f} would agree in the same sense.",
        {
            "cells": text.cells,
            "text": text.agree,
            **({"missing": missing} if missing else {}),
            "inferred": inferred.agree,
            "chance_text": text.shuffled,
            "chance_inferred": inferred.shuffled,
        },
    )


def main_said(claims: pd.DataFrame) -> Said:
    """How many papers' main sentences hold, of those whose sentences could be tested."""
    papers = find_papers()
    ids = {f"{key}.{name}" for key, card in papers.items() for name in card.main_claims}
    own = claims[(claims["origin"] == PUBLISHED) & (claims["verdict"] != UNTESTABLE)]
    main = own[own["id"].isin(ids)]
    held = [(part["verdict"] == HOLDS).all() for _, part in main.groupby("paper")]
    silent = [card.short for key, card in papers.items() if key not in set(main["paper"])]
    apart = (
        f"; from {' and '.join(silent)} we have no main sentence of the authors that can be tested"
        if silent
        else ""
    )
    return Said(
        "{papers:d} papers, {claims:d} sentences of their authors put to the test. The main "
        f"sentences hold as written in {{held:d}} of {{told:d}} papers{apart}.",
        {
            "papers": len(papers),
            "claims": len(own),
            "held": sum(map(bool, held)),
            "told": len(held),
        },
    )


def counts_table(ledger: pd.DataFrame, claims: pd.DataFrame) -> Table:
    """Agreement of each paper beside what chance scores, few columns and one row a paper."""
    papers = find_papers()
    header = [
        "paper", "cells compared", "agree, text reading", "agree, inferred reading",
        "agree by chance", "beyond chance", "claims that hold",
    ]  # fmt: skip
    rows, records = [], []
    for key in (*papers, ALL):
        part = ledger if key == ALL else ledger[ledger["paper"] == key]
        said = tested(claims if key == ALL else claims[claims["paper"] == key])
        text, inferred = (count(part, key, name)[1] for name in (TEXT, INFERRED))
        name = "all papers" if key == ALL else papers[key].short
        link = name if key == ALL else f'<a href="{key}.html">{html.escape(name)}</a>'
        held = int((text_verdicts(said) == HOLDS).sum())
        numbers = [
            inferred.cells,
            *(
                f"{found.agree} ({percent(found.share)})" if found.cells else "–"
                for found in (text, inferred)
            ),
            f"{inferred.shuffled:.0f}" if inferred.cells else "–",
            percent(inferred.beyond_chance) or "–",
            f"{held} of {len(said)}",
        ]
        rows.append([Cell(link, name, name), *map(plain, numbers)])
        records.append([key, *numbers])
    return Table(
        name="papers",
        caption="Cells on the papers' own data that agree with print, and claims that hold",
        header=header,
        rows=rows,
        csv=csv_text(pd.DataFrame(records, columns=header)),
        notes=[
            "<em>Agree</em>: equivalent or compatible. <em>By chance</em>: methods shuffled within "
            "their columns, inferred reading. <em>Beyond chance</em>: the share less that of "
            "chance, divided by what is left to gain. Claims count when they are sentences of the "
            'authors, tested on the paper\'s own data. <a href="reading.html">More on the '
            "words</a>."
        ],
        commands=[snakemake_command("")],
    )


def words_table(ledger: pd.DataFrame, claims: pd.DataFrame) -> Table:
    """Every word's count under both readings, and of the claims: what the pictures show."""
    own = counted(ledger)
    cells = [
        [word, *(int((own[name] == word).sum()) for name in ("text_agreement", "agreement"))]
        for word in AGREEMENT
        if word != NOT_COMPARABLE
    ]
    header = ["word", "text reading", "inferred reading"]
    rows = [[badge(str(word)), plain(a), plain(b)] for word, a, b in cells]
    return Table(
        name="words",
        caption=f"{len(own)} cells on the papers' own data, each number once, by word",
        header=header,
        rows=rows,
        csv=csv_text(pd.DataFrame(cells, columns=header)),
    )


def claim_words(claims: pd.DataFrame) -> Table:
    """Counted claims by word under both readings."""
    own = tested(claims)
    readings = (text_verdicts(own), own["verdict_inferred"])
    cells = [
        [word, *(int((found == word).sum()) for found in readings)] for word in (*CLAIM, NOT_RUN)
    ]
    header = ["word", "text reading", "inferred reading"]
    return Table(
        name="claim-words",
        caption=f"{len(own)} claims that count, by word; “not run”: not tested by that reading",
        header=header,
        rows=[[badge(str(word)), plain(a), plain(b)] for word, a, b in cells],
        csv=csv_text(pd.DataFrame(cells, columns=header)),
    )


def surrogate_note(surrogates: Sequence[str], ledger: pd.DataFrame) -> str:
    """Footnote on data that no source has; it never counts."""
    if not surrogates:
        return ""
    cells = int((ledger["data"] == SURROGATE).sum())
    names = ", ".join(f"<b>{html.escape(data_name(key))}</b>" for key in surrogates)
    return (
        f'<p class="note" id="surrogates">No source gives {names}. What stands in their place is '
        f"drawn from the published statistics so that every step runs; the {cells} cells that rest "
        "on it are marked and count nowhere.</p>"
    )


def front_body(
    ledger: pd.DataFrame,
    claims: pd.DataFrame,
    fronts: Mapping[str, Front],
    *,
    picture: str = "",
    surrogates: Sequence[str] = (),
    beside: Mapping[str, str] | None = None,
) -> str:
    """Body of the overview; ``beside`` are pages with targets of their own, by their labels."""
    papers = find_papers()
    cards = "\n".join(
        paper_card(
            card,
            fronts[key],
            ledger[ledger["paper"] == key],
            claims[claims["paper"] == key],
        )
        for key, card in papers.items()
    )
    counts = [counts_table(ledger, claims), words_table(ledger, claims), claim_words(claims)]
    more = len(judged(ledger)) - len(counted(ledger))
    links = "".join(
        f'\n<a class="button" href="{name}.html">{html.escape(label)}</a>'
        for name, label in (beside or {}).items()
    )
    return f"""<h1 id="what-holds">Papers on multi-view learning, rebuilt: what holds</h1>
<p class="lead">{main_said(claims).markup()} {readings_said(ledger).markup()}</p>
<p><a class="button" href="{EXPLORER}.html">Explore all {len(ledger)} cells</a>
<a class="button" href="reading.html">How to read this</a>
<a class="button" href="data.html">Where the data came from</a>{links}</p>
<h2 id="paper-by-paper">Paper by paper</h2>
<p class="note">The small picture has the published figures across and ours upward; on the line both
are equal. Each mark below a sentence is a claim; open it for its reason.</p>
<div class="papers">
{cards}
</div>
<h2 id="findings">What we found across the papers</h2>
<section class="findings">{findings_html(fronts) or "<p>This run has no findings.</p>"}</section>
<h2 id="counts">How many numbers agree, and how many would by chance</h2>
{markdown_html(f"{cells_headline(ledger)} {claims_headline(claims)}")}
<p class="note">{more} more cells were compared on a part of the paper's data or with other
features; they stand in the explorer and are not counted here.</p>
{"".join(table_html(table) for table in counts)}
{picture}
<h2 id="rerun">Rerun any number</h2>
<ul>
<li><code>make</code> runs everything as the papers did; <code>make quick</code> takes minutes.</li>
<li>Every cell's card in the <a href="{EXPLORER}.html">explorer</a> has the command that reruns it;
below each table stand the commands that remake the table.</li>
<li><code>python -m reproduction explain</code> and a part of a cell's name print its card.</li>
</ul>
{surrogate_note(surrogates, ledger)}"""
