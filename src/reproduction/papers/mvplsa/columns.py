"""The shape of the paper's tables."""

from reproduction.results.tables import Table, Tables, number, text

#: Readings of Table 3: the labelled documents scored too; co-training's parameters chosen without
#: the labels it is scored on, by its authors or by the agreement of its classifiers.
ALL_SCORED = "all documents scored"
HONEST = "honest"
AGREEMENT = "agreement"

#: Starts of p(z|d) beside those the model has a name for.
MEAN_START = "mean of posteriors"
OWN_START = "own view"
JOINT_START = "posterior of all features"

#: How labelled documents are drawn: a share of every class, or over all, no class left out.
PER_CLASS = "per class"
OVER_ALL = "over all documents"

RATE = number("rate", "r={:g}", shown="{:g} % labelled", times=100)
VIEW = number("view", "view={:g}", shown="view {:g}")
TREATMENT = text("treatment")

TABLES = Tables(
    Table("3", (RATE,)),
    Table("4", (RATE,)),
    Table("5", (RATE, VIEW)),
    Table("fig2", methods=("Kmeans_Best", "Kmeans_Avg", "MVC", "MVPLSA")),
    Table("fig3", (RATE, number("topics", "Y={:g}")), methods=("MVPLSA",)),
    Table("extra:split", (RATE, VIEW)),
    # what the paper leaves open: after the rate stands the choice
    Table("choice:floor", (RATE, number("floor", "floor={:g}"))),
    Table("choice:weights", (RATE, text("weights", "weights={}"))),
    Table("choice:smoothing", (RATE, number("smoothing", "alpha={:g}"))),
    Table("choice:start", (RATE, text("start", "start={}"))),
    Table("choice:iterations", (RATE, number("steps", "T={:g}"))),
    Table("choice:links", (RATE, text("link", "link={}"))),
    Table("choice:sampling", (RATE, text("sampling", "sampling={}"))),
    Table("choice:huge", (RATE, TREATMENT)),
    Table("choice:text", (RATE, TREATMENT)),
    # found after seeing print: words of this share of the documents are left out; co-training
    # after every round
    Table("choice:cut", (RATE, number("cut", "cut={:g}"))),
    Table("trajectory", (RATE, number("round", "round={:02g}"))),
)
