from sentences import LEVEL, MIRRORED, around_print, in_print, words

from reproduction.verdicts.claim_file import load_claims_file

PAPER = "cotraining"


def test_errors_are_lower_not_higher(rng):
    assert words(PAPER, around_print(PAPER, rng)) == in_print(PAPER)
    assert set(words(PAPER, around_print(PAPER, rng, MIRRORED)).values()) == {"refuted"}
    level = words(PAPER, around_print(PAPER, rng, LEVEL))
    assert level == {
        "helps_combined": "no practical difference",
        "helps_each": "no practical difference",
        "halves": "refuted",
    }


def test_quoted_figures_are_no_sentences_of_the_authors():
    assert {claim.origin for claim in load_claims_file(PAPER)} == {"ours"}
