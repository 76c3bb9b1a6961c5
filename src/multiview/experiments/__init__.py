"""The papers' protocols, one package a paper; each yields tidy rows."""

PAPERS = (
    "mvplsa",
    "twoview_pa",
    "coplsa_multimodal",
    "coplsa_clustering",
    "multiview_hier",
)
