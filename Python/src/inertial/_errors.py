"""The exceptions and warnings of the package."""

__all__ = ["InertialError", "DataError", "UsageError", "InertialWarning"]


class InertialError(Exception):
    """A failed operation. The message is one line with the problem, its location and the remedy."""


class DataError(InertialError, ValueError):
    """An error in the data, which corresponds to the command's exit status 1."""


class UsageError(InertialError, ValueError):
    """An error in the request, which corresponds to the command's exit status 2."""


class InertialWarning(UserWarning):
    """A warning about a log that was accepted."""
