"""What the verdicts say where the answer is known: simulated papers, wrong ledgers, controls."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from asprinted import simulate as s
from asprinted.agreement import WORDS, Figure, figure_of, judge
from asprinted.base_rates import counted
from asprinted.margins import load_margins
from asprinted.words import INFERRED
from reproduction.pages.results import load_results
from reproduction.rooms import controls, find_paper, open_module, tables_of
from reproduction.verdicts.claim_file import load_claims_file
from reproduction.verdicts.claim_scores import answer, checked
from reproduction.verdicts.replication import mission

AS_IS = "as it is"
#: What is done to print, in our ledger and in simulated papers -> where it comes from.
LEDGERS = {"methods exchanged": s.OTHER_METHOD, "print of another paper": s.OTHER_PAPER}
#: What is done to simulated print -> the truth behind it, and how far off that is.
KNOWN = {
    "same code, other seeds": (s.SAME_CODE, s.ANY),
    "a fault within the margin": (s.OTHER_READING, s.SIZES[1]),
    "a small fault, up to 2.5 margins": (s.OTHER_READING, s.SIZES[2]),
    "a large fault, beyond 2.5 margins": (s.OTHER_READING, s.SIZES[3]),
    **{name: (kind, s.ANY) for name, kind in LEDGERS.items()},
}


def _of_control(paper: str, cells: pd.DataFrame) -> Iterator[tuple[str, list[float]]]:
    """Yield the words of a control as it is, and with each fault that it declares as a choice."""
    rows, checks = load_results(paper), open_module(paper, "claims")
    columns = dict.fromkeys([*rows.columns, *tables_of(paper).columns])  # also of choices not run
    rows = rows[rows["role"] == "published"].reindex(columns=list(columns))
    stead = {"table": cells["table"].iloc[0], "reading": INFERRED}
    own = (rows["table"] == stead["table"]) & (rows["reading"] == INFERRED)
    tried = own | rows["table"].str.startswith("choice:")
    for (table, setting, reading), part in rows[tried].groupby(["table", "setting", "reading"]):
        runs = dict(iter(part.groupby(["dataset", "method", "metric"])["value"]))
        faulty, words = pd.concat([rows[~own], part.assign(**stead)]), []
        for _, cell in cells.iterrows():
            if (place := (cell["data_key"], cell["method"], cell["metric"])) in runs:
                printed = Figure(*cell[["published", "published_std", "published_runs"]])
                unit = load_margins().unit(cell["metric"])
                words.append(judge(printed, figure_of(runs[place].to_numpy()), unit).word)
        said = [
            answer(checked(claim, checks), faulty, {**claim.params, **(claim.inferred or {})}).word
            for claim in load_claims_file(paper)
        ]
        counts = [[words.count(word) for word in WORDS], [said.count(word) for word in s.SAID]]
        choice = str(table).partition("choice:")[2].replace("_", " ")
        yield f"{choice}: {setting or reading}" if choice else AS_IS, s.shares(np.array(counts))


def instrument_frame(ledger: pd.DataFrame, simulated: pd.DataFrame) -> pd.DataFrame:
    """Number of cells and sentences and the share of each word, one row a control."""
    known = simulated.set_index(list(simulated.columns[:2])).reindex(list(KNOWN.values()))
    numbers = zip(KNOWN, known.itertuples(index=False), strict=True)
    rows = [[f"{s.PAPERS} simulated papers", name, *row] for name, row in numbers]
    cells = counted(ledger)
    for name, kind in {AS_IS: s.SAME_CODE, **LEDGERS}.items():
        rows.append(["our ledger", name, *s.misplaced(mission(cells), kind)])
    for paper, own in cells[cells["paper"].isin(controls())].groupby("paper"):
        short, found = find_paper(str(paper)).short, _of_control(str(paper), own)
        rows += [[short, name, *row] for name, row in found]
    return pd.DataFrame(rows, columns=["judged", "what is done to it", *s.COUNTS])
