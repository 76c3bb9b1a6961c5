"""Nguyen, Chang, Hui: Two-view online learning (Tables 1 and 2, Figures 1 to 3)."""

DATASETS = ("ads", "webkb_course", "product_review", "opinion_spam")
