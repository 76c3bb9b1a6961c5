"""Names and roles of the methods; light, because claims and pages need nothing else."""

PAPER = "twoview_pa"

VIEW_1, VIEW_2, CAT, TWO_VIEW = "PA View 1", "PA View 2", "PA Cat", "Two-view PA"
#: The methods of Table 2.
PRINTED = (VIEW_1, VIEW_2, CAT, TWO_VIEW)
#: What the figures set two-view PA against: two classifiers that know nothing of each other.
ALONE = "PA on each view"

SUM, MAJORITY, ALL_POSITIVE = "sum of two PA", "majority", "all positive"
CONTROLS = (SUM, MAJORITY, ALL_POSITIVE)

SINGLE_METHODS = (VIEW_1, VIEW_2, CAT, SUM)
EQ_11, EXACT = "Two-view PA, eq. 11", "Two-view PA, exact"
#: Name of each two-view method: variant and gate.
TWO_VIEW_METHODS = {
    TWO_VIEW: ("printed", "loss"),
    EQ_11: ("eq11", "loss"),
    EXACT: ("exact", "loss"),
    "Two-view PA, exact, no gate": ("exact", "always"),
}
#: Those that stop at zero loss, as the paper's algorithm does.
GATED = tuple(method for method, (_, gate) in TWO_VIEW_METHODS.items() if gate == "loss")


def role_of(method: str) -> str:
    """Return who stands behind a method: the paper, a control, or us."""
    if method in CONTROLS:
        return "control"
    return "published" if method in (*PRINTED, ALONE) else "ours"
