"""The picture of the architecture shows the imports as they are."""

import pytest

from reproduction.files import ROOT
from reproduction.workflow.picture import PICTURE, levels, picture, reduced, rooms


def test_the_committed_picture_is_up_to_date():
    text = (ROOT / PICTURE).read_text(encoding="utf-8")
    assert text == picture(rooms()), "run `python -m reproduction.workflow.picture`"


def test_rooms_are_read_from_the_sources(tmp_path):
    for name, text in {
        "manyviews/__init__.py": "",
        "manyviews/kernels/__init__.py": "",
        "manyviews/models/__init__.py": "",
        "manyviews/models/one.py": "from manyviews.kernels import loop\nimport numpy\n",
        "manyviews/models/two.py": "from manyviews.models import one\n",
        "reproduction/__init__.py": "",
        "reproduction/files.py": "def f():\n    from manyviews.models.one import x\n",
        "reproduction/files/templates/x.py": "import manyviews.kernels\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert rooms(tmp_path) == {
        "manyviews.kernels": set(),
        "manyviews.models": {"manyviews.kernels"},
        "reproduction.files": {"manyviews.models"},
    }


def reachable(graph, name):
    found = set()
    for other in graph[name]:
        found |= {other} | reachable(graph, other)
    return found


def random_graph(rng):
    names = [f"manyviews.n{place}" for place in range(int(rng.integers(1, 9)))]
    return {
        name: {other for other in names[:place] if rng.random() < 0.4}
        for place, name in enumerate(names)
    }


def test_reduction_keeps_what_is_reachable_and_nothing_needless(rng):
    for _ in range(50):
        graph = random_graph(rng)
        smaller = reduced(graph)
        for name in graph:
            assert reachable(smaller, name) == reachable(graph, name)
            for other in smaller[name]:
                without = {**smaller, name: smaller[name] - {other}}
                assert other not in reachable(without, name)


def test_every_arrow_points_down(rng):
    for _ in range(20):
        graph = random_graph(rng)
        height = levels(graph)
        assert all(height[name] > height[other] for name in graph for other in graph[name])
        assert picture(graph).count("<rect") == len(graph) + 1


def test_a_circle_is_named():
    with pytest.raises(ValueError, match=r"circle: manyviews\.a -> manyviews\.b -> manyviews\.a"):
        reduced({"manyviews.a": {"manyviews.b"}, "manyviews.b": {"manyviews.a"}})
