"""The exceptions and warnings of the package."""

from __future__ import annotations

from typing import Iterable, Sequence

__all__ = ["InertialError", "DataError", "UsageError", "InertialWarning"]


class InertialError(Exception):
    """A failed operation. The message is one line with the problem, its location and the remedy."""


class DataError(InertialError, ValueError):
    """An error in the data, which corresponds to the command's exit status 1."""


class UsageError(InertialError, ValueError):
    """An error in the request, which corresponds to the command's exit status 2."""


class InertialWarning(UserWarning):
    """A warning about a log that was accepted."""


def lacking(missing: Sequence[str], columns: Iterable[str]) -> AttributeError:
    """Returns the error for rows without some columns, with the option that adds these."""
    return AttributeError(f"these rows lack {', '.join(missing)}; ask for them with columns_out={[*columns, *missing]!r}")
