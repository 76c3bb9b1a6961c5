"""One name for one thing in all public classes."""

import inspect

import pytest

from manyviews import baselines, models

CLASSES = [getattr(package, name) for package in (models, baselines) for name in package.__all__]
#: Names that say what another name says already.
DOUBLES = {
    "n_iter": "max_iter",
    "passes": "max_iter",
    "n_rounds": "max_iter",
    "seed": "random_state",
    "rng": "random_state",
    "k": "n_clusters",
    "eps": "tol",
    "p_zd_": "doc_topic_",
    "doc_topics_": "doc_topic_",
    "topic_words_": "topic_word_",
    "feature_topic_": "topic_word_",
}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_parameters_and_attributes_have_one_name(kind):
    parameters = inspect.signature(kind).parameters
    source = inspect.getsource(kind)
    for name, other in DOUBLES.items():
        assert name not in parameters, f"call it {other}"
        if name.endswith("_"):
            assert f"self.{name} " not in source, f"call it {other}"


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_parameters_and_attributes_are_documented(kind):
    text = inspect.getdoc(kind) or ""
    if kind.__name__ in ("DPLSA", "PLSAClustering"):  # they have those of their parent
        text += "".join(inspect.getdoc(base) or "" for base in kind.__mro__)
    for name in inspect.signature(kind).parameters:
        assert name in text, f"{kind.__name__} does not say what {name} is"
