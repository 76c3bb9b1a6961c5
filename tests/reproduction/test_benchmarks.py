"""What a page says of a measurement is what was measured."""

import sys

from reproduction.files import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import compare_truth
import measured


def test_the_page_says_what_was_measured():
    told = measured.read_block(compare_truth.PAGE, compare_truth.BLOCK)
    if compare_truth.TABLE.is_file():
        block = compare_truth.block(measured.read_csv(compare_truth.TABLE))
        assert told == block, "run benchmarks/compare_truth.py"
    else:
        assert told == measured.NOT_YET
