"""What the package raises."""

__all__ = ["InertialError", "DataError", "UsageError", "InertialWarning"]


class InertialError(Exception):
    """Something was not done; the text is one line that says what is wrong, where, and what to do."""


class DataError(InertialError, ValueError):
    """The data are at fault: the command's exit status 1."""


class UsageError(InertialError, ValueError):
    """The request is at fault: the command's exit status 2."""


class InertialWarning(UserWarning):
    """What the toolkit warns of in a log that it has taken."""
