"""Files by content, and where they come from: the registry's model of contents and sources.

A file is its sha256, whatever it is called and however it is packed, so any address that yields
those bytes serves.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    model_validator,
)

Number = int | float
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Sha1 = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Comparable = Literal["same", "own_draw", "subset", "other_features", "no"]


class Part(BaseModel):
    """A part of an entry: unknown keys are refused, nothing changes after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _inside(path: str) -> str:
    if ".." in path.split("/"):
        raise ValueError("must not leave its folder; remove `..`")
    return path


#: Forward slashes, below the folder it is joined to.
Relative = Annotated[str, Field(pattern=r"^[^/\\:][^\\:]*$"), AfterValidator(_inside)]


class Blob(Part):
    """What one file is, by content: its size, its sha256 and its git blob id."""

    bytes: Annotated[int, Field(ge=0)] | None = None
    sha256: Sha256
    git: Sha1 | None = None


class Tree(Part):
    """What a folder of many files is, by content.

    ``listing`` is the sha256 of the lines ``<sha256>  <path below the folder>``, paths in byte
    order; ``tree`` the git tree id.
    """

    files: Count
    bytes: Count
    listing: Sha256
    tree: Sha1 | None = None


def _kind(given: Any) -> str:
    """Say whether facts are a folder's or a file's, so that errors speak of the right one."""
    folder = "listing" in given if isinstance(given, dict) else isinstance(given, Tree)
    return "Tree" if folder else "Blob"


_Item = Annotated[Annotated[Blob, Tag("Blob")] | Annotated[Tree, Tag("Tree")], Discriminator(_kind)]
#: Name in ``data/raw/<key>/`` -> content; a name that ends in ``/`` is a folder of files.
Files = dict[Relative, _Item]


def moved(name: str, places: Mapping[str, str]) -> str:
    """Return a name with another beginning, as ``places`` says; the longest beginning counts."""
    start = max(filter(name.startswith, places), key=len, default="")
    return places.get(start, "") + name.removeprefix(start)


class _Source(Part):
    """Where files come from. A file ``name`` lies there at the place :meth:`place` gives."""

    #: Beginning of a file's name -> what stands there in its place.
    paths: dict[str, str] = {}
    #: An archive there that holds the files; members are found by the end of their name.
    archive: str | None = None
    #: Names of the files it has; all if empty.
    gives: list[str] = []

    def place(self, name: str) -> str:
        """Return the path of a file in this source."""
        return moved(name, self.paths)


class Mirror(_Source):
    """A folder of that name below one of the configured mirror folders."""

    kind: Literal["mirror"]
    folder: Relative


class User(_Source):
    """``<user folder>/<key>/``, for what a user has downloaded by hand."""

    kind: Literal["user"]


class Package(_Source):
    """A wheel or source distribution of the package index: read, never installed."""

    kind: Literal["package"]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    file: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*\.(whl|tar\.gz|zip)$")]
    bytes: Count
    sha256: Sha256


class Public(_Source):
    """Files of a public repository at a commit: content-addressed, so anybody gets the same.

    ``unpacked`` is what the whole repository weighs, for folders that come in its archive.
    """

    kind: Literal["public"]
    repository: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$")]
    commit: Sha1
    unpacked: Count | None = None


class Publisher(_Source):
    """The publisher's own address: of an archive, or (ending in ``/``) of a folder of files.

    What it sends is checked file by file; a difference is named and the next address tried.
    """

    kind: Literal["publisher"]
    url: Annotated[str, Field(pattern=r"^https?://")]


class Made(Part):
    """Files made here of others: ``by`` is ``module:function`` in :mod:`reproduction.data.compose`.

    The function is handed the content of ``files`` and returns the content of ``gives``.
    """

    kind: Literal["made"]
    by: Annotated[str, Field(pattern=r"^[a-z_]+:[a-z_0-9]+$")]
    gives: Annotated[list[str], Field(min_length=1)]
    files: Files
    sources: "list[Source]"


Source = Annotated[Mirror | User | Package | Public | Publisher | Made, Field(discriminator="kind")]


class Edition(Part):
    """Other files the builder can do with, tried when the data set's own are lacking.

    Files whose content nobody has pinned (``unpinned``) only a user can supply.
    """

    name: Key
    comparable: Comparable
    differences: Text
    options: dict[str, Any] = {}
    files: Files = {}
    unpinned: list[Relative] = []
    sources: Annotated[list[Source], Field(min_length=1)]

    @model_validator(mode="after")
    def _has_files(self) -> "Edition":
        if not self.files and not self.unpinned:
            raise ValueError("an edition needs `files` (pinned) or `unpinned`")
        return self
