"""Converts the logs and arrays of callers to paths and columns of numbers."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._errors import InertialError, UsageError
from ._library import Column

if TYPE_CHECKING:
    from ._recording import Recording

Path_ = Union[str, "os.PathLike[str]"]
Source = Union[Path_, "Recording", Mapping[str, Any], Any, None]

_AXES = ("X", "Y", "Z")
# The names in a header of the vectors that have keyword arguments.
_COLUMNS = {"acceleration": "acceleration", "rotation_rate": "rotationRate", "magnetic_field": "magneticField"}


class Rows(NamedTuple):
    """The rows of the caller's arrays and the corresponding rows of the columns of a log."""

    #: The number of rows of the caller's arrays, of the gyroscope's if each sensor has its own times.
    number: int
    #: The caller's row of each row of the columns, -1 for a row of another sensor, or `None` if they are the same.
    places: "Optional[np.ndarray[Any, Any]]"
    #: The times since the first in the caller's unit, or `None` for times from a sample rate.
    times: "Optional[np.ndarray[Any, Any]]"
    #: The first point in time, in nanoseconds of UNIX time, or `None` for numbers.
    start: Optional[int] = None


class Log:
    """The log in a call: a path, or columns in memory, with its own options."""

    def __init__(
        self,
        path: Optional[str],
        columns: Sequence[Column] = (),
        options: Mapping[str, Any] = {},
        rows: Optional[Rows] = None,
        is_table: bool = False,
    ) -> None:
        self.path = path
        self.columns = list(columns)
        self.options = dict(options)
        self.rows = rows
        #: Whether a table contains the columns. It may have rows of slower sensors alone.
        self.is_table = is_table


def listed(paths: Any) -> List[str]:
    """Returns no path, a path, or several, as a list of strings."""
    if paths is None:
        return []
    return [os.fsdecode(path) for path in ([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)]


def log(source: Source, arrays: Mapping[str, Any]) -> Log:
    """Makes a log from a path, a recording, a table of columns, or arrays for each sensor."""
    from ._recording import Recording

    given = {name: value for name, value in arrays.items() if value is not None}
    if source is not None:
        if given:
            raise UsageError(f"give a log or arrays, not both: {', '.join(given)} came with a log")
        if isinstance(source, Recording):
            return Log(source._absolute, options=source._options)
        if isinstance(source, (str, bytes, os.PathLike)):
            return Log(os.fsdecode(source))
        found = _from_table(source)
        found.is_table = True
        return found
    if not given:
        raise UsageError("there is no log: give a path, a table, or the arrays acceleration and rotation_rate")
    shared = Times(given.pop("time")) if "time" in given else None
    own: Dict[str, Tuple[Times, List[Column]]] = {}
    columns: List[Column] = []
    for name, values in given.items():
        if isinstance(values, tuple) and len(values) == 2:
            own[name] = (Times(values[0]), _sensor(name, values[1]))
        else:
            columns += _sensor(name, values)
    if own:
        return _merged(shared, columns, own)
    return _timed(columns, shared)


class Times:
    """Times as numbers: UNIX or elapsed nanoseconds of points in time and of durations, otherwise the caller's numbers."""

    def __init__(self, values: Any) -> None:
        array = _moments(values)
        if array.ndim != 1:
            raise UsageError(f"time has the shape {array.shape}, and takes (rows,)")
        #: The unit that the dtype determines, "ns", or `None` for numbers.
        self.unit: Optional[str] = "ns" if array.dtype.kind in "Mm" else None
        #: Whether they are points in time.
        self.are_moments = array.dtype.kind == "M"
        if self.unit:
            self.missing = np.isnat(array)
            exact = array.astype(f"{array.dtype.kind}8[ns]")
            if not np.array_equal(exact.astype(array.dtype)[~self.missing], array[~self.missing]):
                raise UsageError("a point in time is out of range; nanoseconds reach from the year 1678 to 2262")
            self.numbers = exact.view("i8")
        else:
            self.missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(len(array), dtype=bool)
            self.numbers = array

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def elapsed(self) -> "np.ndarray[Any, Any]":
        """The times since the first, in their unit, NaN if they are missing."""
        known = self.numbers[~self.missing]
        elapsed = np.full(len(self), np.nan)
        if len(known):
            elapsed[~self.missing] = known - known[0]
        return elapsed

    @property
    def start(self) -> Optional[int]:
        """The first point in time, in nanoseconds of UNIX time, or `None` for numbers and durations."""
        known = self.numbers[~self.missing]
        return int(known[0]) if self.are_moments and len(known) else None

    def seconds(self, unit: Optional[str]) -> "np.ndarray[Any, Any]":
        """The times in a unit of time: points in time since 1970, numbers as seconds."""
        scale = {"ms": 1e3, "us": 1e6, "ns": 1e9}.get(unit or "s", 1.0)
        if self.unit is None:
            return self.numbers if scale == 1 else np.asarray(self.numbers, dtype=np.float64) * scale
        return self.numbers if unit == "ns" else self.numbers * (scale / 1e9)

    @property
    def options(self) -> Dict[str, Any]:
        return {"time_unit": self.unit} if self.unit else {}


def _moments(values: Any) -> "np.ndarray[Any, Any]":
    """Returns times as an array of numbers, datetime64 or timedelta64. Times with a zone are converted to UTC."""
    if getattr(values, "tz", None) is not None:
        values = values.tz_convert("UTC").tz_localize(None)
    elif getattr(getattr(values, "dt", None), "tz", None) is not None:
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    array = _array(values)
    if array.dtype.kind not in "OUS":
        return array
    moments = [_moment(value) for value in array.ravel().tolist()]
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in moments):
        return np.asarray(moments, dtype=np.float64).reshape(array.shape)
    return np.array(moments, dtype="M8[ns]").reshape(array.shape)


def _moment(value: Any) -> Any:
    """Returns a point in time without a zone, of a date, a string in ISO 8601 or a pandas Timestamp."""
    if value is None or isinstance(value, (int, float)):
        return "NaT" if value is None else value
    # pandas' NaT is a date for `isinstance`.
    if isinstance(value, np.datetime64) or type(value).__name__ in ("NaTType", "NAType"):
        return value if isinstance(value, np.datetime64) else "NaT"
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        text = value.strip()
        if text in ("", "NaT"):
            return "NaT"
        try:
            # Older versions of Python do not know Z.
            value = datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)
        except ValueError:
            raise UsageError(f"{value!r} is no time; times are seconds, datetime64, or texts in ISO 8601") from None
    if not isinstance(value, datetime.date):
        raise UsageError(f"{value!r} is no time; times are seconds, datetime64, or texts in ISO 8601")
    if getattr(value, "tzinfo", None) is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)  # type: ignore[attr-defined]
    return np.datetime64(value)


def _timed(columns: List[Column], times: Optional[Times]) -> Log:
    """Returns a log of columns with one time per row. Rows without a time are left out."""
    count = len(times) if times is not None else len(columns[0].values) if columns else 0
    if times is None:
        return Log(None, columns, rows=Rows(count, None, None))
    places: "Optional[np.ndarray[Any, Any]]" = None
    numbers = times.numbers
    if times.missing.any() and all(len(column.values) == count for column in columns):
        places = np.flatnonzero(~times.missing)
        numbers = numbers[places]
        columns = [Column(column.name, column.values[places]) for column in columns]
    rows = Rows(count, places, times.elapsed, times.start)
    return Log(None, [Column("time", numbers), *columns], times.options, rows)


def _merged(shared: Optional[Times], columns: List[Column], own: Mapping[str, Tuple[Times, List[Column]]]) -> Log:
    """Returns a log of sensors with their own times: a row per sample, sorted by time, with NaN for other sensors."""
    if columns and shared is None:
        raise UsageError(f"{columns[0].name} has no times; give time=, or (times, values) for each sensor")
    parts: List[Tuple[Times, List[Column]]] = ([(shared, columns)] if shared is not None and columns else []) + list(
        own.values()
    )
    units = {times.unit for times, _ in parts}
    if len(units) > 1:
        raise UsageError("the times of all sensors are numbers, or all are points in time")
    for times, vectors in parts:
        for column in vectors:
            if len(column.values) != len(times):
                raise UsageError(f"{column.name} has {len(column.values)} values and {len(times)} times")
    kept = [np.flatnonzero(~times.missing) for times, _ in parts]
    stamps = np.concatenate([times.numbers[rows] for (times, _), rows in zip(parts, kept)])
    # Each sensor's samples keep their order, from which the library detects a clock that was set back.
    latest = [np.maximum.accumulate(times.numbers[rows]) for (times, _), rows in zip(parts, kept)]
    order = np.argsort(np.concatenate(latest), kind="stable")
    merged: List[Column] = [Column("time", stamps[order])]
    places = np.full(len(stamps), -1)
    begin, counted = 0, parts[0][0]
    for (times, vectors), rows in zip(parts, kept):
        end = begin + len(rows)
        for column in vectors:
            values = np.full(len(stamps), np.nan)
            values[begin:end] = column.values[rows]
            merged.append(Column(column.name, values[order]))
            if column.name == "rotationRateX":
                places[begin:end], counted = rows, times
        begin = end
    return Log(None, merged, counted.options, Rows(len(counted), places[order], counted.elapsed))


def _array(values: Any) -> "np.ndarray[Any, Any]":
    """Returns an array with NaN for missing numbers."""
    if isinstance(values, np.ma.MaskedArray):
        kind = values.dtype.kind
        if kind in "fiub":
            return np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
        missing = {"M": np.datetime64("NaT"), "m": np.timedelta64("NaT")}.get(kind)
        return np.asarray(np.ma.filled(values, missing))
    if not hasattr(values, "to_numpy"):
        return _floats(np.asarray(values))
    if hasattr(values, "dtypes") and hasattr(values, "columns"):
        return np.column_stack([_array(values[name]) for name in values.columns])
    # A nullable pandas column would become an array of objects.
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "kind", "") in tuple("fiub") and not isinstance(dtype, np.dtype):
        return np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan))
    return _floats(np.asarray(values.to_numpy()))


def _floats(array: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """Returns numbers of Python, such as those of a DECIMAL column, as float64; other arrays unchanged."""
    if array.dtype.kind != "O" or array.size == 0:
        return array
    kinds = {type(value) for value in array.ravel().tolist()} - {type(None)}
    if not kinds or not all(issubclass(kind, (decimal.Decimal, float, int)) and kind is not bool for kind in kinds):
        return array
    return np.array([np.nan if value is None else float(value) for value in array.ravel().tolist()]).reshape(array.shape)


def _sensor(name: str, values: Any) -> List[Column]:
    array = _array(values)
    if name in _COLUMNS:
        if array.ndim != 2 or array.shape[1] != 3:
            raise UsageError(f"{name} has the shape {array.shape}, and takes (rows, 3)")
        return [Column(_COLUMNS[name] + axis, array[:, place]) for place, axis in enumerate(_AXES)]
    if array.ndim != 1:
        raise UsageError(f"{name} has the shape {array.shape}, and takes (rows,)")
    return [Column(name, array)]


def _from_table(table: Any) -> Log:
    """Returns the log of a mapping, a DataFrame, or any table with an Arrow stream, such as a DuckDB relation."""
    if hasattr(table, "collect") and hasattr(table, "collect_schema"):
        table = table.collect()
    index = getattr(table, "index", None)
    if hasattr(table, "data_vars") and hasattr(table, "coords"):
        named = _from_dataset(table)
    elif isinstance(table, Mapping):
        named = dict(table)
    elif hasattr(table, "column_names") or (hasattr(table, "columns") and hasattr(table, "__getitem__") and not _streams(table)):
        named = {name: table[name] for name in getattr(table, "column_names", None) or table.columns}
    elif hasattr(table, "__arrow_c_stream__"):
        named = _from_arrow(table)
    else:
        raise UsageError(f"a log is a path, a table of columns, or arrays; not {type(table).__name__}")
    columns: List[Column] = []
    times: Optional[Times] = None
    has_named_time = any(str(name).lower() in _TIME_NAMES for name in named)
    for name, values in named.items():
        array = _array(values)
        if array.dtype.kind in "Mm" or (array.dtype.kind in "OU" and str(name).lower() in _TIME_NAMES):
            # The first column of points in time is the log's time, unless a column has its name.
            if times is None and (str(name).lower() in _TIME_NAMES or not has_named_time):
                times = Times(values)
        elif array.dtype.kind in "fiub" and array.ndim == 2 and array.shape[1] == 3:
            head = _COLUMNS.get(str(name), str(name))
            columns += [Column(head + axis, array[:, place]) for place, axis in enumerate(_AXES)]
        elif array.dtype.kind in "fiub" and array.ndim == 1:
            columns.append(Column(str(name), array))
        elif str(name) in _COLUMNS or str(name)[:-1] in _COLUMNS.values():
            # A sensor is not left out silently, unlike a column of words.
            raise UsageError(f"{name} is of type {array.dtype}, and no numbers")
    if times is None and index is not None and not callable(index):
        times = _index_times(index, [column.name for column in columns])
    if not columns:
        raise UsageError("the table has no columns of numbers")
    if times is not None:
        # Its name may state another unit.
        columns = [column for column in columns if column.name.lower() not in _TIME_NAMES]
        return _timed(columns, times)
    clock = next((column.values for column in columns if column.name.lower() in _TIME_NAMES), None)
    return Log(None, columns, rows=Rows(len(columns[0].values), None, None if clock is None else Times(clock).elapsed))


_TIME_NAMES = {"time", "timestamp", "datetime", "date", "t"}


def _from_dataset(table: Any) -> Dict[str, Any]:
    """Returns the variables of xarray's Dataset with the rows first, and the coordinates of the rows."""
    dimensions = [name for variable in table.data_vars.values() for name in variable.dims]
    rows = next((name for name in dimensions if str(name).lower() in _TIME_NAMES), dimensions[0] if dimensions else None)
    coordinates = {name: table[name] for name in table.coords if table[name].dims == (rows,)}
    variables = {name: table[name] for name in table.data_vars if rows in table[name].dims}
    return {**coordinates, **{name: variable.transpose(rows, ...) for name, variable in variables.items()}}


def _streams(table: Any) -> bool:
    """Whether a table's columns are read by its Arrow stream, as those of a DuckDB relation are."""
    return hasattr(table, "__arrow_c_stream__") and not hasattr(table, "to_numpy")


def _from_arrow(table: Any) -> Dict[str, Any]:
    try:
        import pyarrow
    except ImportError:
        raise UsageError(f"a {type(table).__name__} needs pyarrow: pip install pyarrow") from None
    rows = pyarrow.table(table)
    return {name: rows[name] for name in rows.column_names}


def _index_times(index: Any, names: Sequence[str]) -> Optional[Times]:
    """Returns the times in the index of a pandas DataFrame, or `None` if it has no times or the columns have."""
    dtype = getattr(index, "dtype", None)
    if any(name.lower().split("(")[0].strip().startswith(("time", "seconds")) for name in names):
        return None
    kind = getattr(dtype, "kind", "")
    is_named = str(getattr(index, "name", None)).lower() in _TIME_NAMES
    if kind in ("M", "m") or (is_named and kind in ("f", "i", "u", "O")) or (kind == "f" and index.name is None):
        return Times(index)
    return None


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
def orientations(values: Any, order: str, name: str, unit: Optional[str]) -> Iterator[Optional[str]]:
    """Yields the path of a file with orientations: the given one, or a temporary one with the times and quaternions.

    Args:
        unit: the unit of the times of the log and of the file. The given times are seconds or points in time.
    """
    if values is None or isinstance(values, (str, bytes, os.PathLike)):
        yield None if values is None else os.fsdecode(values)
        return
    try:
        times, rotations = values
    except (TypeError, ValueError):
        raise UsageError(f"{name} is a path, or a pair of times and quaternions") from None
    rows = quaternions(rotations, order, name)
    stamps = Times(times).seconds(unit)
    if len(stamps) != len(rows):
        raise UsageError(f"{name} has {len(rows)} quaternions and {len(stamps)} times")
    with tempfile.TemporaryDirectory(prefix="inertial-") as folder:
        path = Path(folder) / f"{name}.csv"
        with path.open("w") as file:
            file.write("time,quaternionX,quaternionY,quaternionZ,quaternionW\n")
            for stamp, row in zip(stamps.tolist(), rows.tolist()):
                file.write(",".join("" if value != value else repr(value) for value in [stamp, *row]) + "\n")
        try:
            yield str(path)
        except InertialError as problem:
            # The first row is below the header.
            rows_named = re.sub(
                rf"^{re.escape(str(path))}:(\d+)(?::\d+)?:", lambda match: f"<{name}>: row {int(match[1]) - 2}:", str(problem)
            )
            raise type(problem)(rows_named.replace(str(path), f"<{name}>")) from None
