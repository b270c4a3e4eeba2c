"""Converts the logs and arrays of callers to paths and columns of numbers."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._errors import UsageError
from ._library import Column

if TYPE_CHECKING:
    from ._recording import Recording

Path_ = Union[str, "os.PathLike[str]"]
Source = Union[Path_, "Recording", Mapping[str, Any], Any, None]

_AXES = ("X", "Y", "Z")


class Log:
    """The log in a call: a path with its own options, or columns in memory."""

    def __init__(self, path: Optional[str], columns: Sequence[Column] = (), options: Mapping[str, Any] = {}) -> None:
        self.path = path
        self.columns = list(columns)
        self.options = dict(options)


def log(source: Source, arrays: Mapping[str, Any]) -> Log:
    """Makes a log from a path, a recording, a table of columns, or arrays for each sensor."""
    from ._recording import Recording

    given = {name: value for name, value in arrays.items() if value is not None}
    if source is not None:
        if given:
            raise UsageError(f"give a log or arrays, not both: {', '.join(given)} came with a log")
        if isinstance(source, Recording):
            return Log(source.path, options=source._options)
        if isinstance(source, (str, bytes, os.PathLike)):
            return Log(os.fsdecode(source))
        return Log(None, _table(source))
    if not given:
        raise UsageError("there is no log: give a path, a table, or the arrays acceleration and rotation_rate")
    columns = [Column("time", _times(given.pop("time")))] if "time" in given else []
    for name, values in given.items():
        columns += _vectors(name, values)
    return Log(None, columns)


_COLUMNS = {"acceleration": "acceleration", "rotation_rate": "rotationRate", "magnetic_field": "magneticField"}


def _array(values: Any) -> "np.ndarray[Any, Any]":
    """Returns an array with NaN for missing numbers."""
    if isinstance(values, np.ma.MaskedArray):
        numbers = values.astype(np.float64) if values.dtype.kind in "fiub" else values
        return np.ma.filled(numbers, np.nan if numbers is not values else None)
    if not hasattr(values, "to_numpy"):
        return np.asarray(values)
    # A nullable pandas column would become an array of objects.
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "kind", "") in tuple("fiub") and not isinstance(dtype, np.dtype):
        return np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(values.to_numpy())


def _vectors(name: str, values: Any) -> List[Column]:
    array = _array(values)
    if name in _COLUMNS:
        if array.ndim != 2 or array.shape[1] != 3:
            raise UsageError(f"{name} has the shape {array.shape}, and takes (rows, 3)")
        return [Column(_COLUMNS[name] + axis, array[:, place]) for place, axis in enumerate(_AXES)]
    if array.ndim != 1:
        raise UsageError(f"{name} has the shape {array.shape}, and takes (rows,)")
    return [Column(name, array)]


def _times(values: Any) -> "np.ndarray[Any, Any]":
    array = _array(values)
    if array.dtype.kind != "M":
        return array
    # Datetimes become UNIX nanoseconds, which the library recognises by their magnitude.
    points = array.astype("M8[ns]")
    missing = np.isnat(array)
    if not np.array_equal(points.astype(array.dtype)[~missing], array[~missing]):
        raise UsageError("a point in time is out of range; nanoseconds reach from the year 1678 to 2262")
    numbers = points.view("i8")
    return np.where(missing, np.nan, numbers.astype(np.float64)) if missing.any() else numbers


def _table(table: Any) -> List[Column]:
    """Returns the columns of a mapping, a pandas or polars DataFrame, or an Arrow table."""
    if hasattr(table, "column_names"):
        names = list(table.column_names)
    elif hasattr(table, "columns"):
        names = list(table.columns)
    elif isinstance(table, Mapping):
        names = list(table)
    else:
        raise UsageError(f"a log is a path, a table of columns, or arrays; not {type(table).__name__}")
    columns = []
    for name in names:
        array = _array(table[name])
        # Text columns are skipped, as in the command.
        if array.dtype.kind in "fiubM":
            columns.append(Column(str(name), _times(array)))
    if not columns:
        raise UsageError("the table has no columns of numbers")
    return columns


def quaternions(values: Any, order: str, name: str) -> "np.ndarray[Any, Any]":
    """Returns rows x, y, z, w of a SciPy Rotation or of an array in the given order."""
    check_order(order)
    array = np.asarray(values.as_quat() if hasattr(values, "as_quat") else values, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 4:
        raise UsageError(f"{name} has the shape {array.shape}, and takes (rows, 4)")
    return array if hasattr(values, "as_quat") or order == "xyzw" else array[:, [1, 2, 3, 0]]


def check_order(order: str) -> None:
    if order not in ("xyzw", "wxyz"):
        raise UsageError(f"order is 'xyzw' or 'wxyz', not {order!r}")


@contextlib.contextmanager
def orientations(values: Any, order: str, name: str) -> Iterator[Optional[str]]:
    """Yields the path of a file with orientations: the given one, or a temporary one with the times and quaternions."""
    if values is None or isinstance(values, (str, bytes, os.PathLike)):
        yield None if values is None else os.fsdecode(values)
        return
    try:
        times, rotations = values
    except (TypeError, ValueError):
        raise UsageError(f"{name} is a path, or a pair of times and quaternions") from None
    rows = quaternions(rotations, order, name)
    seconds = np.asarray(times, dtype=np.float64)
    if seconds.shape != (len(rows),):
        raise UsageError(f"{name} has {len(rows)} quaternions and times of the shape {seconds.shape}")
    with tempfile.TemporaryDirectory(prefix="inertial-") as folder:
        path = Path(folder) / f"{name}.csv"
        with path.open("w") as file:
            file.write("time,quaternionX,quaternionY,quaternionZ,quaternionW\n")
            for second, row in zip(seconds.tolist(), rows.tolist()):
                file.write(",".join("" if value != value else repr(value) for value in [second, *row]) + "\n")
        yield str(path)
