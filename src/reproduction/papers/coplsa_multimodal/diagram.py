"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "t": Box("Words of\nthe text", 0, 0, "data"),
        "i": Box("Visual words of\nthe image", 0, 1.5, "data"),
        "w": Box("PLSA: topics\nof texts", 1, 0, "model"),
        "v": Box("PLSA: topics\nof images", 1, 1.5, "model"),
        "h": Box("Composition\nof the text", 2, 0, "model"),
        "g": Box("Composition\nof the image", 2, 1.5, "model"),
        "out": Box("Ranking: the\nmost alike first", 3, 0.75, "result"),
    },
    arrows=(
        Arrow("t", "w"),
        Arrow("i", "v"),
        Arrow("w", "h"),
        Arrow("v", "g"),
        Arrow("h", "g", "λ × divergence", both=True),
        Arrow("h", "out"),
        Arrow("g", "out"),
    ),
    caption=(
        "Text and image have topics of their own; a divergence keeps the two topic "
        "compositions of a pair alike, so that an image can be looked up by a text and the "
        "other way round."
    ),
)
