"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "x": Box("First view", 0, 0, "data"),
        "u": Box("Second view", 0, 1.5, "data"),
        "c": Box("Cosines to the\nclasses’ centroids", 1, 0, "model"),
        "e": Box("Cosines to the\nclasses’ centroids", 1, 1.5, "model"),
        "p": Box("A programme for\neach document:\nscores − violations", 2, 0.75, "model"),
        "y": Box("Label, or set of\nlabels in a tree", 3, 0.75, "result"),
    },
    arrows=(
        Arrow("x", "c"),
        Arrow("u", "e"),
        Arrow("c", "p"),
        Arrow("e", "p"),
        Arrow("p", "y"),
    ),
    caption=(
        "Spherical k-means in both views. The methods differ in one step, the programme that "
        "turns the scores of a document in all views into one label, or into a set of labels "
        "that fits the tree. New labels give new centroids."
    ),
)
