"""Picture of the method, for the page of the paper."""

from reproduction.pages.diagram import Arrow, Box, Diagram

DIAGRAM = Diagram(
    boxes={
        "d": Box("Document", 0, 0.75, "data"),
        "z": Box("Its class,\nshared by all views", 1, 0.75, "model"),
        "y1": Box("Topics of\nthe first view", 2, 0, "model"),
        "y2": Box("Topics of\nthe second view", 2, 1.5, "model"),
        "f1": Box("Words", 3, 0, "data"),
        "f2": Box("Links", 3, 1.5, "data"),
        "label": Box("A few labels", 1, 2.25, "data"),
    },
    arrows=(
        Arrow("d", "z", "p(z|d)"),
        Arrow("z", "y1", "p(y|z,v)"),
        Arrow("z", "y2", "p(y|z,v)"),
        Arrow("y1", "f1", "p(f|y,v)"),
        Arrow("y2", "f2", "p(f|y,v)"),
        Arrow("label", "z", "fix"),
    ),
    caption=(
        "How the model explains a document: one class, shared by all views, uses topics, and "
        "topics use features. EM reads it backwards, from the features to the class; labelled"
        " documents keep theirs."
    ),
)
