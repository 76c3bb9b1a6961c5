"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "data": Box("Rows of\nthe data", 0, 0, "data"),
        "model": Box("Naive Bayes", 1, 0, "model"),
        "out": Box("Class", 2, 0, "result"),
    },
    arrows=(
        Arrow("data", "model"),
        Arrow("model", "out"),
    ),
    caption="FILL-IN: draw what the paper does, and say what to see.",
)
