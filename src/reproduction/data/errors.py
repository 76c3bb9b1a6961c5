"""Errors of fetching and reading; each says what is wrong, where, and what to do."""


class FetchError(ValueError):
    """A data set is not available, or not what is pinned; the text says what to do."""


class SourceUnavailableError(FetchError):
    """A source does not have the files; the next one is tried."""


class ReadError(ValueError):
    """A foreign file is damaged, hostile or too large; the text names it, the place and the mend.

    Whatever reads foreign files raises this and nothing else.
    """
