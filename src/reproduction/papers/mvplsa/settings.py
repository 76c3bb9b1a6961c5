"""What a user may set in the experiments of the multi-view PLSA paper."""

from typing import Annotated

from pydantic import Field

from reproduction.results.settings import Settings, section, setting

Rate = Annotated[float, Field(gt=0, lt=1)]
Share = Annotated[float, Field(gt=0, le=1)]
Floor = Annotated[float, Field(ge=0, le=0.3)]
Smoothing = Annotated[float, Field(gt=0, le=100)]
Topics = Annotated[int, Field(ge=1, le=10_000)]
Iterations = Annotated[int, Field(ge=1, le=100_000)]
PoolSize = Annotated[int, Field(ge=1, le=100_000)]
PerRound = Annotated[int, Field(ge=1, le=1000)]


class TopicCounts(Settings):
    """Topics Y per view."""

    webkb: Topics = setting(12, "Topics Y per view of Cornell and Washington (the paper has 12).")
    news: Topics = setting(
        128, "Topics Y per view of NewsGv2 and NewsGv4 (the paper has 128).", quick=16
    )


class TopicGrid(Settings):
    """Values of Y in Figure 3."""

    webkb: list[Topics] = setting(
        [2, 4, 8, 12, 16, 20, 24],
        "Values of Y in Figure 3 for Cornell; the number of classes is always added.",
        quick=[4, 12],
        min_length=1,
        max_length=100,
    )
    news: list[Topics] = setting(
        [8, 16, 32, 64, 128, 256, 512],
        "Values of Y in Figure 3 for NewsGv2; the number of classes is always added.",
        quick=[8, 16],
        min_length=1,
        max_length=100,
    )


class TableRuns(Settings):
    """Runs behind Tables 3 to 5: enough for every sentence about them that runs can decide.

    Jobs of NewsGv4 take a third of the runs each, so there are three at least.
    """

    webkb: int = setting(
        160,
        "Random draws of the labelled documents per rate in Tables 3 and 4 for Cornell and "
        "Washington (the paper has 20).",
        quick=2,
        ge=2,
        le=1000,
    )
    news: int = setting(
        40,
        "Random draws of the labelled documents per rate in Tables 3 to 5 for NewsGv2 and NewsGv4 "
        "(the paper has 20).",
        quick=3,
        ge=3,
        le=1000,
    )


class ClusteringRuns(Settings):
    """Runs behind Figure 2."""

    webkb: int = setting(
        160,
        "Random starts in Figure 2 for Cornell and Washington (the paper has 20).",
        quick=2,
        ge=2,
        le=1000,
    )
    news: int = setting(
        20,
        "Random starts in Figure 2 for NewsGv2 and NewsGv4 (the paper has 20).",
        quick=2,
        ge=2,
        le=1000,
    )


class TopicRuns(Settings):
    """Runs behind Figure 3: the first ones of Table 3."""

    webkb: int = setting(
        100, "Runs behind Figure 3 for Cornell, the first of Table 3.", quick=2, ge=1, le=1000
    )
    news: int = setting(
        20, "Runs behind Figure 3 for NewsGv2, the first of Table 3.", quick=2, ge=1, le=1000
    )


class CoTraining(Settings):
    """Grid in which co-training's parameters are searched (the paper gives none)."""

    u: list[PoolSize] = setting(
        [50, 75, 100],
        "Sizes of co-training's pool that are searched (the paper gives no grid).",
        quick=[75],
        min_length=1,
        max_length=100,
    )
    p: list[PerRound] = setting(
        [1, 2, 3],
        "Positive documents each classifier labels per round, searched too.",
        quick=[1, 2],
        min_length=1,
        max_length=100,
    )
    n: list[PerRound] = setting(
        [1, 3, 5],
        "Negative documents each classifier labels per round, searched too.",
        quick=[1, 3],
        min_length=1,
        max_length=100,
    )
    rounds: int = setting(
        30, "Rounds of co-training at most (Blum and Mitchell have 30).", quick=10, ge=1, le=10_000
    )


class ChoiceRuns(Settings):
    """Runs behind the tables on what the paper leaves open."""

    webkb: int = setting(
        20,
        "Runs behind what the paper leaves open, for Cornell and Washington.",
        quick=2,
        ge=1,
        le=1000,
    )
    news: int = setting(
        2, "Runs behind what the paper leaves open, for NewsGv2.", quick=1, ge=1, le=1000
    )


class CommonWords(Settings):
    """Naive Bayes on counts without common words: a reading inferred from print."""

    cut: Share = setting(0.5, "Words in this share of the documents or more are left out.")
    grid: list[Share] = setting(
        [0.3, 0.5, 0.7, 1.0],
        "Cuts tried; 1 leaves no word out.",
        quick=[0.5, 1.0],
        min_length=1,
        max_length=100,
    )


class RoundRuns(Settings):
    """Draws on which co-training is scored after every round."""

    webkb: int = setting(20, "Draws of Cornell and Washington.", quick=2, ge=1, le=1000)
    news: int = setting(4, "Draws of NewsGv2.", quick=1, ge=1, le=1000)


class FewRounds(Settings):
    """Co-training after few rounds: a reading inferred from print."""

    rounds: int = setting(3, "Rounds of the reading.", quick=2, ge=1, le=10_000)
    runs: RoundRuns = section(RoundRuns, "Draws per rate.")


class PaperSettings(Settings):
    """Settings of the multi-view PLSA paper."""

    runs: TableRuns = section(TableRuns, "Random draws of the labelled documents per rate.")
    clustering_runs: ClusteringRuns = section(ClusteringRuns, "Random starts of Figure 2.")
    rates: list[Rate] = setting(
        [0.01, 0.02, 0.03, 0.04, 0.05],
        "Shares r of labelled documents (the paper has .01 to .05).",
        quick=[0.01, 0.03, 0.05],
        min_length=1,
        max_length=99,
    )
    iterations: Iterations = setting(
        150, "EM iterations T of MVPLSA and DPLSA (the paper has 150).", quick=25
    )
    floor: Floor = setting(
        1e-3,
        "Smallest probability in the start of p(z|d) of unlabelled documents (the paper gives "
        "none).",
    )
    topics: TopicCounts = section(TopicCounts, "Topics Y per view.")
    topic_grid: TopicGrid = section(TopicGrid, "Values of Y in Figure 3.")
    topic_runs: TopicRuns = section(TopicRuns, "Runs behind Figure 3.")
    cotraining: CoTraining = section(CoTraining, "Grid in which co-training is searched.")
    extra_runs: int = setting(
        2, "Runs of what goes beyond the paper's tables and figures.", quick=1, ge=1, le=1000
    )
    choice_runs: ChoiceRuns = section(ChoiceRuns, "Runs behind what the paper leaves open.")
    text_runs: int = setting(2, "Runs per treatment of NewsGv2's text.", ge=1, le=1000)
    common_words: CommonWords = section(CommonWords, "Naive Bayes on counts without common words.")
    few_rounds: FewRounds = section(FewRounds, "Co-training after few rounds.")
    floor_grid: list[Floor] = setting(
        [1e-12, 1e-6, 1e-3, 1e-2, 1e-1],
        "Floors of the start tried.",
        quick=[1e-6, 1e-3],
        min_length=1,
        max_length=100,
    )
    smoothing_grid: list[Smoothing] = setting(
        [0.01, 0.1, 1.0],
        "Smoothings of naive Bayes tried.",
        quick=[0.1, 1.0],
        min_length=1,
        max_length=100,
    )
    iteration_grid: list[Iterations] = setting(
        [50, 149, 150, 500],
        "Numbers of EM iterations tried on the web pages.",
        quick=[10, 25],
        min_length=1,
        max_length=100,
    )
