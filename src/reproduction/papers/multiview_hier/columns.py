"""The shape of the paper's tables."""

from reproduction.results.tables import Column, Table, Tables, number, text

#: Level of the class tree (the root is 1); flat data sets have none.
LEVEL = number("level", "level={:g}", optional=True, part=True, shown="level {:g}")
#: Labelled share in per cent; ranks over all shares have none.
TRAIN = number("train", "train={:g}%", optional=True, shown="{:g} % labelled")
#: Points that were scored; empty for all of them, as the published tables have it.
SCORED = text("scored", "scored={}", optional=True)
READOUT = text("readout", "readout={}")
#: Data set that the E-step problems of the solvers' check come from.
ORIGIN = text("origin")

ALL_POINTS = ""
UNLABELLED = "unlabelled"


def _choice(topic: str, *columns: Column) -> Table:
    """Return the table of a choice; its own columns say what was chosen."""
    return Table(f"choice:{topic}", (*columns, TRAIN, SCORED))


CHOICES = (
    _choice("cotrain", READOUT, text("order", "order={}")),
    _choice("readout", READOUT),
    _choice("link", text("link", "link={}")),
    _choice("weights", text("words", "words={}"), text("centroids", "centroids={}")),
    _choice("concat", text("concat", "concat={}")),
    _choice("zero_products", text("zero_products", "zero products={}")),
    _choice("draw", text("draw", "draw={}")),
    _choice("class_order", text("first_class", "first class={}")),
    _choice("leaves", text("views", "views={}"), text("join", "join={}")),
)

TABLES = Tables(
    Table("1", (number("place", "view {:g}", optional=True), text("view", optional=True))),
    Table("2", (LEVEL, TRAIN, SCORED)),
    Table("3", (SCORED,)),
    # readings of a declared search that stand for cells of Table 2
    Table("search:2", (LEVEL, TRAIN, SCORED)),
    # the paper has both single views on the tree in Figure 11 and behind the view agreement
    Table("4", (TRAIN, SCORED), methods=("V1", "V2")),
    Table("fig11b", (TRAIN, number("iteration", "iteration={:02g}"))),
    # score after every iteration, up to where the fit stopped
    Table("trajectory", (TRAIN, number("iteration", "iteration={:02g}"))),
    # Table 2's methods on real data that stand in for NELL_mv without its tree
    Table("extra:stand_in", (TRAIN, SCORED)),
    Table("extra:maxagree", (LEVEL, TRAIN)),
    Table("extra:convergence", (LEVEL, TRAIN)),
    Table("extra:label_sets", (TRAIN,)),
    Table("extra:mip_check", (ORIGIN, TRAIN)),
    Table("time:mip_check", (ORIGIN, TRAIN), timed=True),
    *CHOICES,
)
