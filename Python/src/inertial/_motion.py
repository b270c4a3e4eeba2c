"""Fused motion: the result of `fuse`."""

from __future__ import annotations

import collections
import collections.abc
import copy
import html
import json
import operator
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, TypeVar, Union, overload

import numpy as np

from ._conventions import Convention, converted
from ._conventions import named as named_convention
from ._errors import UsageError, lacking
from ._library import Answer, Column, Table, ask
from ._request import Request, members
from ._sources import Rows, check_order

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from scipy.spatial.transform import Rotation

_XYZ = ("X", "Y", "Z")
_Frame = TypeVar("_Frame", bound="Frame")


class Frame:
    """Columns of numbers by name, and rows by number: read-only views of the library's memory, without copies.

    A view keeps the memory alive. A missing value is NaN. `frame["time"]` is a column, `frame[0]` a row with its columns as
    attributes, `frame[10:20]` a frame of ten rows, and `numpy.asarray(frame)` an array of rows by columns.
    """

    def __init__(self, table: Table) -> None:
        self._set(table)

    def _set(self, table: Table) -> None:
        self._table = table
        #: The names of the columns, in order.
        self.columns: List[str] = list(table.columns)
        #: The unit of each column, by its name.
        self.units: Dict[str, str] = dict(zip(table.columns, table.units))

    def __len__(self) -> int:
        return int(self._table.values.shape[1])

    def __contains__(self, name: object) -> bool:
        """Returns whether there is a column with a name."""
        return name in self.columns

    @overload
    def __getitem__(self, key: str) -> "np.ndarray[Any, Any]": ...
    @overload
    def __getitem__(self, key: int) -> Any: ...
    @overload
    def __getitem__(self: _Frame, key: slice) -> _Frame: ...
    def __getitem__(self, key: Union[str, int, slice]) -> Any:
        """Returns the values of a column, a row, or the frame of a slice of the rows."""
        if isinstance(key, slice):
            part = copy.copy(self)
            part._cut(key)
            return part
        if not isinstance(key, str):
            return self._row(*self._table.values[:, operator.index(key)].tolist())
        try:
            place = self.columns.index(key)
        except ValueError:
            raise KeyError(f"there is no column {key!r}; there are {', '.join(self.columns)}") from None
        column: "np.ndarray[Any, Any]" = self._table.values[place]
        return column

    def __iter__(self) -> Iterator[Any]:
        """Returns the rows, each with its columns as attributes."""
        row = self._row
        for start in range(0, len(self), 4096):
            for numbers in self._table.values[:, start : start + 4096].T.tolist():
                yield row(*numbers)

    @property
    def _row(self) -> Any:
        return collections.namedtuple("Row", self.columns, rename=True)

    def _cut(self, rows: slice) -> None:
        self._table = self._table._replace(values=self._table.values[:, rows])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "np.ndarray[Any, Any]":
        """Returns rows by columns: a view, unless another type or a copy is requested."""
        values = self._table.values.T
        if dtype is not None and np.dtype(dtype) != values.dtype:
            if copy is False:
                raise ValueError("another type of numbers needs a copy")
            return values.astype(dtype)
        return values.copy() if copy else values

    def _many(self, names: Sequence[str]) -> "np.ndarray[Any, Any]":
        """Returns several columns as an array of rows by columns; a view if they are adjacent."""
        try:
            places = [self.columns.index(name) for name in names]
        except ValueError:
            raise lacking([name for name in names if name not in self.columns], self.columns) from None
        start = places[0]
        if places == list(range(start, start + len(places))):
            return self._table.values[start : start + len(places)].T
        return self._table.values[places].T

    @property
    def time(self) -> "np.ndarray[Any, Any]":
        """Seconds on the log's clock, (rows,)."""
        return self["time"]

    def to_dict(self) -> Dict[str, "np.ndarray[Any, Any]"]:
        """Returns every column by its name, without a copy."""
        return {name: self[name] for name in self.columns}

    @property
    def attrs(self) -> Dict[str, Any]:
        """The properties of all rows, such as the units, for `attrs` of pandas and the metadata of Arrow's schema."""
        return {"units": dict(self.units)}

    def to_pandas(self, *, copy: bool = True) -> "pandas.DataFrame":
        """Returns a pandas DataFrame with the units and the frame in its `attrs`.

        Args:
            copy: whether the frame can be changed. `False` gives a read-only frame in the library's memory.
        """
        import pandas

        frame = pandas.DataFrame(self._table.values.T, columns=self.columns, copy=copy)
        frame.attrs.update(self.attrs)
        return frame

    def to_arrow(self) -> "pyarrow.Table":
        """Returns an Arrow table, with the units in the fields' and the schema's metadata.

        The table is in the same memory, except for a slice with a step.
        """
        import pyarrow

        fields, arrays = [], []
        for name in self.columns:
            column = np.ascontiguousarray(self[name])
            buffer = pyarrow.foreign_buffer(column.ctypes.data, column.nbytes, base=column)
            arrays.append(pyarrow.Array.from_buffers(pyarrow.float64(), len(column), [None, buffer]))
            fields.append(pyarrow.field(name, pyarrow.float64(), metadata={"unit": self.units[name]}))
        facts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in self.attrs.items()}
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, metadata=facts))

    def to_polars(self) -> "polars.DataFrame":
        """Returns a polars DataFrame, converted through Arrow."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """Exports an Arrow C stream, for consumers such as `polars.DataFrame(motion)` and DuckDB."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """Returns the first and last rows as a table, for notebooks."""
        count = len(self)
        shown = list(range(count)) if count <= 10 else [*range(5), None, *range(count - 5, count)]
        heads = "".join(f"<th>{html.escape(name)}<br>{html.escape(self.units[name])}</th>" for name in self.columns)
        lines = []
        for row in shown:
            cells = ["…"] * len(self.columns) if row is None else [f"{value:.6g}" for value in self._table.values[:, row]]
            lines.append(f"<tr><th>{'…' if row is None else row}</th>" + "".join(f"<td>{cell}</td>" for cell in cells))
        return (
            f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{'</tr>'.join(lines)}</tr></tbody></table>"
            f"<p>{html.escape(repr(self)[1:-1])}</p>"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows of {len(self.columns)} columns>"


# pandas makes a frame of a sequence of named tuples.
collections.abc.Sequence.register(Frame)


def _expanded(
    table: Table, index: "np.ndarray[Any, Any]", rows: Rows
) -> "tuple[Table, Optional[np.ndarray[Any, Any]]]":
    """Returns a table with a row for each of the caller's rows, NaN without an estimate, and the fused row of each."""
    if len(index) == rows.number and np.array_equal(index, np.arange(rows.number)):
        return table, None
    values = np.full((len(table.columns), rows.number), np.nan)
    values[:, index] = table.values
    if "time" in table.columns and len(index) > 1:
        place = table.columns.index("time")
        given = np.arange(rows.number) if rows.times is None else rows.times
        empty = np.flatnonzero(np.isnan(values[place]))
        values[place][empty] = _times_between(given, index, table.values[place], empty)
    values.flags.writeable = False
    places = np.full(rows.number, -1)
    places[index] = np.arange(len(index))
    return table._replace(values=values), places


def _times_between(
    given: "np.ndarray[Any, Any]", index: "np.ndarray[Any, Any]", times: "np.ndarray[Any, Any]", rows: "np.ndarray[Any, Any]"
) -> "np.ndarray[Any, Any]":
    """Returns the times of rows without an estimate, in seconds, from those of the rows before and after.

    Args:
        given: the caller's times, in any unit.
        index: the rows with an estimate.
        times: the times of these rows, in seconds.
        rows: the rows without an estimate.
    """
    # The caller's unit, or the sample rate, is the usual ratio of the two clocks.
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.nanmedian(np.diff(times) / np.diff(given[index]))
    before = np.clip(np.searchsorted(index, rows) - 1, 0, None)
    after = np.clip(before + 1, None, len(index) - 1)
    found = times[before] + (given[rows] - given[index[before]]) * scale
    # At a correction of the clock, the usual interval after the previous row.
    is_between = (times[before] <= found) & (found <= times[after])
    steps = (rows - index[before]) * np.median(np.diff(times))
    between: "np.ndarray[Any, Any]" = np.where(
        is_between | (rows < index[0]) | (rows > index[-1]) | np.isnan(found), found, times[before] + steps
    )
    return between


def _moments(seconds: "np.ndarray[Any, Any]", epoch: float) -> "np.ndarray[Any, Any]":
    """Returns the points in time of seconds after an epoch in UNIX time, datetime64[ns]."""
    whole = np.floor(seconds)
    known = ~np.isnan(seconds)
    nanoseconds = np.full(len(seconds), np.iinfo(np.int64).min)
    parts = np.round((seconds[known] - whole[known] + (epoch - np.floor(epoch))) * 1e9)
    nanoseconds[known] = (whole[known].astype(np.int64) + int(np.floor(epoch))) * 1_000_000_000 + parts.astype(np.int64)
    return nanoseconds.view("M8[ns]")


class Motion(Frame):
    """Fused rows, one per gyroscope sample unless a rate was requested, in Core Motion's units and frames or in those of
    `convention`.

    Quaternions map the device to the reference frame, and their order is `order`. Arrays are read-only views of
    (rows, components) in the library's memory.

    Copies and pickles have the same rows, and write the same datasets in any process. A pickle contains the rows and the
    facts. Files that its options name, such as a calibration, are read again when it is written.
    """

    def __init__(
        self,
        answer: Answer,
        order: str,
        request: Request,
        convention: Optional[Convention] = None,
        rows: Optional[Rows] = None,
        keeps_all: bool = False,
        shows_lines: bool = False,
    ) -> None:
        table = next(answer.tables())
        self._answer: Optional[Answer] = answer
        self._document = answer.document
        #: The JSON document of `inertial fuse --json`: filter, parameters, frame, channels and so on.
        self.facts: Dict[str, Any] = json.loads(self._document)
        self._request: Request = {name: request[name] for name in ("input", "options") if name in request}
        if "input" in request:
            # An absolute path, because another process may have another working directory.
            self._request["input"] = os.path.abspath(request["input"])
        index = None
        if rows is not None:
            lines = table.values[table.columns.index("line")].astype(np.int64) - 1
            index = lines if rows.places is None else rows.places[lines]
            table = table if shows_lines else self._without_lines(table)
        # The fused rows, which `write` stores.
        self._fused_rows = table
        frame = str(self.facts["frame"])
        self._convention = convention or named_convention(None)
        table = converted(table, self._convention, has_north="North" in frame)
        # The fused row of each row, -1 for a row of NaN, or `None` if they are the same.
        self._places: "Optional[np.ndarray[Any, Any]]" = None
        if index is not None and rows is not None and keeps_all:
            table, self._places = _expanded(table, index, rows)
            index = np.arange(rows.number)
        super().__init__(table)
        self._index = index
        # The first of the caller's points in time, in nanoseconds of UNIX time.
        self._start = rows.start if rows is not None else None
        #: "xyzw" or "wxyz": the order of `quaternion`.
        self.order = order

    def _without_lines(self, table: Table) -> Table:
        """Returns the table without its column `line`, which was not requested."""
        place = table.columns.index("line")
        kept = [number for number in range(len(table.columns)) if number != place]
        # A slice keeps the library's memory.
        values = table.values[1:] if place == 0 else table.values[kept]
        values.flags.writeable = False
        # The rows without this column are restored before they are written.
        self._answer = None
        self.facts["columns"] = [name for name in self.facts["columns"] if name != "line"]
        options = self._request["options"]
        options = {**options, "columns": [name for name in options["columns"] if name != "line"]}
        self._request = {**self._request, "options": options}
        return Table(table.name, [table.columns[number] for number in kept], [table.units[number] for number in kept], values)

    def __getstate__(self) -> Dict[str, Any]:
        # An answer belongs to one process, and is released with its object.
        return {**self.__dict__, "_answer": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        for table in (self._table, self._fused_rows):
            table.values.flags.writeable = False

    def _fused(self) -> Answer:
        """Returns the answer, restored from the rows and the document after unpickling."""
        if self._answer is None:
            rows = self._fused_rows
            columns = [Column(name, rows.values[place]) for place, name in enumerate(rows.columns)]
            self._answer = ask({"job": "restore", "document": self._document, **self._request}, columns)
        return self._answer

    @property
    def warnings(self) -> List[str]:
        """The warnings about the log, one line per warning."""
        return list(self.facts["warnings"])

    @property
    def index(self) -> "np.ndarray[Any, Any]":
        """The row of the caller's arrays that each row belongs to, from 0, (rows,); read-only.

        Rows of a log or of a fixed rate are numbered.
        """
        index = (np.arange(len(self)) if self._index is None else self._index).view()
        index.flags.writeable = False
        return index

    @property
    def convention(self) -> str:
        """The convention of units, signs, frame and quaternions: "core-motion", "si", "ros" or "vqf"."""
        return self._convention.name

    @property
    def datetime(self) -> "np.ndarray[Any, Any]":
        """The point in time of each row in UTC, datetime64[ns], (rows,); NaT for rows without a time.

        Raises:
            AttributeError: the log does not state when it was recorded.
        """
        epoch = self.facts.get("epoch")
        if epoch is None:
            raise AttributeError("the log does not state when it was recorded; give times as datetime64")
        if self._start is not None and abs(self._start - float(epoch) * 1e9) < 1000:
            # Exact, unlike the epoch in seconds.
            return _moments(self.time, 0.0) + np.timedelta64(self._start, "ns")
        return _moments(self.time, float(epoch))

    @property
    def attrs(self) -> Dict[str, Any]:
        """The units of the columns, and the frame, the filter and the convention of the rows."""
        facts = {"frame": self.facts["frame"], "filter": self.facts["filter"], "convention": self.convention}
        return {**super().attrs, **facts}

    def to_arrow(self) -> "pyarrow.Table":
        """Returns an Arrow table in the same memory, with units, frame and filter in its metadata.

        If the time of day is known, the column `datetime` has the points in time.
        """
        table = super().to_arrow()
        if self.facts.get("epoch") is None or "time" not in self.columns:
            return table
        import pyarrow

        moments = pyarrow.array(self.datetime, type=pyarrow.timestamp("ns", tz="UTC"))
        metadata = table.schema.metadata
        return table.append_column("datetime", moments).replace_schema_metadata(metadata)

    def _cut(self, rows: slice) -> None:
        places = (np.arange(len(self)) if self._places is None else self._places)[rows]
        self._index = self.index[rows]
        super()._cut(rows)
        # `write` stores the rows of the slice.
        fused = places[places >= 0]
        values = self._fused_rows.values
        values = values[:, rows] if self._places is None else values[:, fused]
        values.flags.writeable = False
        self._fused_rows, self._answer = self._fused_rows._replace(values=values), None
        if self._places is not None:
            self._places = np.where(places >= 0, np.cumsum(places >= 0) - 1, -1)

    @property
    def quaternion(self) -> "np.ndarray[Any, Any]":
        """Attitude, device to reference frame, (rows, 4) in the order `order`."""
        xyzw = self._many([f"quaternion{axis}" for axis in (*_XYZ, "W")])
        return xyzw if self.order == "xyzw" else xyzw[:, [3, 0, 1, 2]]

    @property
    def rotation(self) -> "Rotation":
        """The attitude as SciPy's Rotation: `motion.rotation.apply(v)` rotates v from device to reference axes.

        SciPy takes no read-only array for v: pass a copy, such as `motion.user_acceleration.copy()`.

        Raises:
            UsageError: a row has no attitude.
        """
        from scipy.spatial.transform import Rotation

        attitudes = self._many([f"quaternion{axis}" for axis in (*_XYZ, "W")])
        missing = np.flatnonzero(np.isnan(attitudes[:, 0]))
        if len(missing):
            raise UsageError(
                f"{len(missing)} of {len(self)} rows have no attitude, the first is row {missing[0]}, and a Rotation needs one "
                'in each; fuse with rows="fused", which omits them'
            )
        return Rotation.from_quat(attitudes)

    @property
    def euler(self) -> "np.ndarray[Any, Any]":
        """Roll, pitch and yaw as in Core Motion, rad, (rows, 3)."""
        return self._many(["roll", "pitch", "yaw"])

    @property
    def gravity(self) -> "np.ndarray[Any, Any]":
        """Direction of gravity in device axes, g, (rows, 3); (0, 0, -1) face up."""
        return self._many([f"gravity{axis}" for axis in _XYZ])

    @property
    def user_acceleration(self) -> "np.ndarray[Any, Any]":
        """Acceleration without gravity in device axes, g, (rows, 3)."""
        return self._many([f"userAcceleration{axis}" for axis in _XYZ])

    @property
    def rotation_rate(self) -> "np.ndarray[Any, Any]":
        """Rotation rate without bias in device axes, rad/s, (rows, 3)."""
        return self._many([f"rotationRate{axis}" for axis in _XYZ])

    @property
    def magnetic_field(self) -> "np.ndarray[Any, Any]":
        """Magnetic field without hard iron, µT, (rows, 3); NaN in frames without north."""
        return self._many([f"magneticField{axis}" for axis in _XYZ])

    @property
    def heading(self) -> "np.ndarray[Any, Any]":
        """Heading, degrees clockwise from the frame's north, 0 to 360, (rows,); -1 if north is unknown."""
        return self["heading"]

    @property
    def attitude_sigma(self) -> "np.ndarray[Any, Any]":
        """Standard deviation of the attitude about the frame's axes, rad, (rows, 3); needs `columns_out`."""
        return self._many([f"attitudeSigma{axis}" for axis in _XYZ])

    @property
    def gyroscope_bias(self) -> "np.ndarray[Any, Any]":
        """The subtracted gyroscope bias, rad/s, (rows, 3); needs `columns_out`."""
        return self._many([f"gyroscopeBias{axis}" for axis in _XYZ])

    def with_order(self, order: str) -> "Motion":
        """Returns the same rows with quaternions in another order."""
        check_order(order)
        motion = copy.copy(self)
        motion._answer, motion.order = self._answer, order
        return motion

    def write(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        force: bool = False,
        format: Union[str, Sequence[str], None] = None,
        digits: Optional[int] = None,
        lists: bool = False,
        header_units: bool = False,
    ) -> None:
        """Writes a dataset as `inertial fuse -o path` does, with all facts. The extension determines the format.

        Args:
            path: `.csv`, `.npz`, `.parquet`, `.tum`, a folder `.bids` or `.euroc`.
            force: whether to overwrite existing files.
            format: "csv", "npz", "parquet", "mcap", "tum", "bids", "euroc" or "hdf5", or several of them.
            digits: significant digits of text, 1 to 17. Default: 9. 17: as few as possible to restore the same number.
            lists: whether Parquet has one list column per vector and quaternion.
            header_units: whether a CSV header has the unit after each name.
        """
        options = {"force": force, "format": format, "digits": digits, "lists": lists, "header_units": header_units}
        self._fused().write(members("write", {"output": path, **options}))

    def to_parquet(self, path: Union[str, "os.PathLike[str]"], *, lists: bool = False, force: bool = False) -> None:
        """Writes an Apache Parquet file (zstd, BYTE_STREAM_SPLIT) with units, frame and filter in its metadata.

        Args:
            path: the file.
            lists: whether each vector and quaternion is one list column.
            force: whether to overwrite an existing file.
        """
        self.write(path, force=force, format="parquet", lists=lists)

    def to_csv(
        self, path: Union[str, "os.PathLike[str]"], *, digits: Optional[int] = None, force: bool = False
    ) -> None:
        """Writes the command's CSV with `digits` significant digits (default: 9; 17: as needed to restore the number)."""
        self.write(path, force=force, format="csv", digits=digits)


class Path(Frame):
    """The path of a device: fused rows with positions and velocities, from the start, in the frame's axes."""

    def __init__(self, answer: Answer) -> None:
        tables = list(answer.tables())
        super().__init__(tables[0] if tables else Table("motion", [], [], np.empty((0, 0))))
        #: The JSON document of `inertial track --json`: placement, length, distance and height of the end, steps.
        self.facts: Dict[str, Any] = json.loads(answer.document)

    @property
    def lack(self) -> Optional[str]:
        """The reason for a missing path, or `None` for a path."""
        return self.facts.get("lack")

    @property
    def warnings(self) -> List[str]:
        """The warnings about the log and what is missing for a path, one line per warning."""
        return [*self.facts["notes"], *([f"no path: {self.lack}"] if self.lack else [])]

    @property
    def position(self) -> "np.ndarray[Any, Any]":
        """Position, m, (rows, 3): Z upwards; with position fixes X north and Y west of the first fix."""
        return self._many([f"position{axis}" for axis in _XYZ])

    @property
    def velocity(self) -> "np.ndarray[Any, Any]":
        """Velocity, m/s, (rows, 3)."""
        return self._many([f"velocity{axis}" for axis in _XYZ])

    @property
    def position_sigma(self) -> "np.ndarray[Any, Any]":
        """Standard deviation of the position, m, (rows, 3)."""
        return self._many([f"positionSigma{axis}" for axis in _XYZ])

    @property
    def velocity_sigma(self) -> "np.ndarray[Any, Any]":
        """Standard deviation of the velocity, m/s, (rows, 3)."""
        return self._many([f"velocitySigma{axis}" for axis in _XYZ])
