"""Errors of fetching; each says what is wrong, where, and what to do."""


class FetchError(ValueError):
    """A data set is not available; the text says what was tried and what to do."""


class SourceUnavailableError(FetchError):
    """A source does not have the files; the next one is tried."""


class ChecksumError(FetchError):
    """A source that vouches for the pinned bytes has others; never passed over."""
