"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "a": Box("First view of\none example", 0, 0, "data"),
        "b": Box("Second view of\nthe same example", 0, 1.5, "data"),
        "wa": Box("Weights of\nthe first view", 1, 0, "model"),
        "wb": Box("Weights of\nthe second view", 1, 1.5, "model"),
        "sum": Box("Mean of\nboth scores", 2, 0.75, "model"),
        "out": Box("Prediction,\nthen its truth", 3, 0.75, "result"),
    },
    arrows=(
        Arrow("a", "wa"),
        Arrow("b", "wb"),
        Arrow("wa", "wb", "agree", both=True),
        Arrow("wa", "sum"),
        Arrow("wb", "sum"),
        Arrow("sum", "out"),
    ),
    caption=(
        "Examples come one by one. After each the two weight vectors move just far enough to "
        "be right together, and a penalty keeps their two scores alike."
    ),
)
