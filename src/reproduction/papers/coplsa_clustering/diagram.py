"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "v": Box("Counts in\nthe first view", 0, 0, "data"),
        "w": Box("Counts in\nthe second view", 0, 1.5, "data"),
        "p": Box("PLSA: topics of\nthe first view", 1, 0, "model"),
        "q": Box("PLSA: topics of\nthe second view", 1, 1.5, "model"),
        "s": Box("Which documents\nare alike", 2, 0, "model"),
        "t": Box("Which documents\nare alike", 2, 1.5, "model"),
        "out": Box("Clusters: largest\ntopic in one view", 3, 0.75, "result"),
    },
    arrows=(
        Arrow("v", "p"),
        Arrow("w", "q"),
        Arrow("p", "s"),
        Arrow("q", "t"),
        Arrow("s", "t", "λ × disagreement", both=True),
        Arrow("s", "out"),
        Arrow("t", "out"),
    ),
    caption=(
        "One PLSA for each view. The views do not share topics: the penalty asks that two "
        "documents that are alike in one view be alike in the other."
    ),
)
