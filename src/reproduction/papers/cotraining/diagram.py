"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "page": Box("Words of\nthe page", 0, 0, "data"),
        "link": Box("Words of links\nthat point to it", 0, 1.5, "data"),
        "first": Box("Naive Bayes\non the page", 1, 0, "model"),
        "second": Box("Naive Bayes\non the links", 1, 1.5, "model"),
        "pool": Box("Unlabelled pages,\na few at a time", 2, 0.75, "data"),
        "sum": Box("Both multiplied:\ncourse or not", 3, 0.75, "result"),
    },
    arrows=(
        Arrow("page", "first"),
        Arrow("link", "second"),
        Arrow("first", "pool", "surest"),
        Arrow("second", "pool", "surest"),
        Arrow("pool", "sum"),
    ),
    caption=(
        "Each view has its own classifier. Round by round both label the pages they are "
        "surest of, and both learn from all pages labelled so far."
    ),
)
