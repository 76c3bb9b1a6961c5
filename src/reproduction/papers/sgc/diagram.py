"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "words": Box("Words of a\ndocument", 0, 0, "data"),
        "links": Box("Links between\ndocuments", 0, 1.5, "data"),
        "mean": Box("Mean over\nneighbours, twice", 1, 0.75, "model"),
        "fit": Box("Logistic\nregression", 2, 0.75, "model"),
        "class": Box("Class", 3, 0.75, "result"),
    },
    arrows=(
        Arrow("words", "mean"),
        Arrow("links", "mean"),
        Arrow("mean", "fit"),
        Arrow("fit", "class"),
    ),
    caption="Nothing is learned before the last step: averaging along links needs no labels.",
)
