"""What a registry file may say of a data set: typed, checked when the file is read."""

# ruff: noqa: RUF012 - pydantic copies defaults

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reproduction.data.origin import (
    Comparable,
    Count,
    Edition,
    Files,
    Key,
    Number,
    Part,
    Relative,
    Source,
    Text,
)

ViewName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
Share = Annotated[Number, Field(ge=0, le=1)]
Positive = Annotated[Number, Field(gt=0)]
Role = Literal["paper", "stand_in", "extra", "own"]


class Variant(Part):
    """A further view file ``<key>.<variant>``: the options that differ."""

    options: dict[str, Any] = {}
    surrogate: dict[str, Any] = {}


class Option(Part):
    """An option of the builder that the configuration may set."""

    description: Text
    minimum: Number | None = None
    maximum: Number | None = None


#: Numbers that one place of a paper (or, for other data, the publisher) prints of a data set.
Statistics = dict[str, Number | list[int] | dict[str, int]]


class DrawnView(Part):
    """A view of a surrogate."""

    kind: Literal["counts", "binary", "tfidf", "histogram", "positive", "signed", "copy"]
    features: Count | None = None
    nonzeros_per_row: Positive | None = None
    tokens_per_row: Positive | None = None
    total: Annotated[int, Field(ge=0)] | None = None
    unit_rows: bool | None = None
    zero_rows: Share | None = None
    of: str | None = None


class Graph(Part):
    """Links between the documents of a surrogate."""

    edges: Count
    citing: Count | None = None
    self_links: Annotated[int, Field(ge=0)] | None = None


class Surrogate(Part):
    """What the generative model of a surrogate is told; published statistics and nothing else.

    ``classes`` gives the size of each class; where sizes are not published, ``documents`` with
    ``n_classes`` or ``class_names`` and ``skew`` (sizes go as 1 / rank^skew). ``ontology`` maps a
    label to its parents; ``ontology_levels`` draws a tree with that many nodes per level.
    """

    classes: dict[str, Count] | None = None
    class_names: Annotated[list[str], Field(min_length=2)] | None = None
    n_classes: Annotated[int, Field(ge=2)] | None = None
    documents: Annotated[int, Field(ge=2)] | None = None
    skew: Annotated[Number, Field(ge=0)] | None = None
    ontology: dict[str, list[str]] | None = None
    ontology_levels: list[int] | None = None
    test: Count | None = None
    articles: Count | None = None
    graph: Graph | None = None
    views: Annotated[dict[ViewName, DrawnView], Field(min_length=1)]


class OwnFile(Part):
    """A file of the user's own data: a table or matrix that is a view, holds the labels, or both.

    ``id`` and ``label`` name the column (CSV, TSV) or the array (npz, mat) with the names and the
    classes of the rows, ``array`` the array that is the view; ``ignore`` lists columns to leave
    out.
    """

    path: Relative
    view: ViewName | None = None
    id: str | None = None
    label: str | None = None
    array: str | None = None
    ignore: list[str] = []


class Dataset(Part):
    """One data set of the registry: what its file says, under its key.

    ``name`` is the one short name readers see; ``published_name`` the paper's own label, where it
    is another; ``note`` what readers of the data page should know. ``files`` are what the builder
    reads, by content, and ``sources`` where they come from, tried in order and completing one
    another; ``editions`` are other files it can do with; last comes a surrogate. ``builder`` is
    ``module:function`` below :mod:`reproduction.data.builders`, ``options`` its keyword arguments,
    ``configurable`` those the configuration may set, ``threads`` the cores it can use.
    ``statistics`` maps a place in the paper to what it prints.
    """

    key: Key
    name: Text
    role: Role
    title: Text = ""
    published_name: str | None = None
    stands_in_for: Key | None = None
    citation: Text = "none given"
    licence: Text = "none given"
    homepage: list[str] = []
    comparable: Comparable = "no"
    differences: Text = "Not a paper's data."
    note: str = ""
    builder: Annotated[str, Field(pattern=r"^[a-z_]+:[a-z_0-9]+$")] | None = None
    threads: Annotated[int, Field(ge=1)] = 1
    options: dict[str, Any] = {}
    configurable: dict[Key, Option] = {}
    views: list[ViewName] = []
    rows: list[ViewName] = []
    variants: dict[Key, Variant] = {}
    user_extras: list[Relative] = []
    files: Files = {}
    sources: list[Source] = []
    editions: list[Edition] = []
    own_files: list[OwnFile] = []
    statistics: dict[Text, Statistics] = {}
    surrogate: Surrogate | None = None
    #: Folder of the file it was read from: where own files are looked for first.
    folder: str = Field("", exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, given: Any) -> Any:
        """Fill in what follows from other parts: the names, and all of an own data set."""
        if not isinstance(given, dict):
            return given
        filled = {"title": given.get("name"), **given}
        if given.get("role") == "paper":
            filled.setdefault("published_name", given.get("name"))
        if given.get("role") == "own" and isinstance(given.get("files"), list):
            filled["own_files"] = filled.pop("files")
            named = [part.get("view") for part in filled["own_files"] if isinstance(part, dict)]
            filled.setdefault("views", list(dict.fromkeys(name for name in named if name)))
            filled.setdefault("builder", "own:build_own")
        return filled

    @property
    def is_public(self) -> bool:
        """Whether anyone can get its files; else only those who bring their own copy have them."""
        sources = [*self.sources, *(source for e in self.editions for source in e.sources)]
        return any(source.kind != "user" for source in sources)

    @property
    def view_keys(self) -> list[str]:
        """Keys of its view files, the base first."""
        return [self.key, *(f"{self.key}.{variant}" for variant in self.variants)]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a part by its name, or ``default`` where it is not given."""
        value = getattr(self, name, None)
        return default if value is None else value

    def builder_options(
        self, variant: str | None = None, served: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the builder's options: the entry's, then the source's, then the variant's."""
        own = self.variants[variant].options if variant else {}
        return {**self.options, **(served or {}), **own}

    def surrogate_parameters(self, variant: str | None = None) -> dict[str, Any]:
        """Return what the surrogate is told, with the variant's own in place of the entry's."""
        if self.surrogate is None:
            raise ValueError(f"data set {self.key!r} has no surrogate")
        own = self.variants[variant].surrogate if variant else {}
        return {**self.surrogate.model_dump(exclude_unset=True), **own}

    @model_validator(mode="after")
    def _whole(self) -> "Dataset":
        """Check what each role needs, and that promises agree."""
        if not self.views:
            raise ValueError("no file has a `view`" if self.role == "own" else "`views` is missing")
        if self.role == "own":
            if self.sources or self.surrogate or self.statistics:
                raise ValueError("an own data set has `files`, no sources, statistics or surrogate")
            if not self.own_files:
                raise ValueError("an own data set needs `files`")
            return self
        if bool(self.files) != bool(self.sources):
            raise ValueError("`files` and `sources` go together: what it is, and whence it comes")
        if (self.role == "stand_in") != (self.stands_in_for is not None):
            raise ValueError("`stands_in_for` goes with the role stand_in, and only with it")
        if self.role != "paper" and self.published_name is not None:
            raise ValueError("`published_name` goes with the role paper only")
        if self.surrogate is None:
            raise ValueError("`surrogate` is missing: what a synthetic copy of it is told")
        links = {"cited", "cites", "links"} if self.surrogate.graph else set()
        if differing := set(self.views) ^ {*self.surrogate.views, *links}:
            listed = ", ".join(sorted(differing))
            raise ValueError(f"`views` and the surrogate's views differ ({listed}); list the same")
        if self.builder is None and (self.sources or self.editions):
            raise ValueError("real sources need a `builder`")
        return self
