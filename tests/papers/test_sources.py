"""Where a paper is silent, the reading taken names what it follows."""

import pytest
import yaml

from reproduction.rooms import paper_keys, room


@pytest.mark.parametrize("paper", paper_keys())
def test_every_convention_names_its_source(paper):
    choices = yaml.safe_load((room(paper) / "readings.yaml").read_text(encoding="utf-8"))
    for choice in choices:
        for option in choice["options"]:
            if option["status"] == "convention":
                assert option.get("source"), f"{paper}: {choice['id']}"
