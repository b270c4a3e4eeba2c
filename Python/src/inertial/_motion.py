"""Fused motion: the result of `fuse`."""

from __future__ import annotations

import copy
import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

import numpy as np

from ._errors import UsageError
from ._library import Answer, Column, Table, ask
from ._request import Request, members
from ._sources import check_order

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from scipy.spatial.transform import Rotation

_XYZ = ("X", "Y", "Z")


class Frame:
    """Columns of numbers by name: read-only views of the library's memory, without copies.

    A view keeps the memory alive. A missing value is NaN.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        #: The names of the columns, in order.
        self.columns: List[str] = table.columns
        #: The unit of each column, by its name.
        self.units: Dict[str, str] = dict(zip(table.columns, table.units))

    def __len__(self) -> int:
        return int(self._table.values.shape[1])

    def __getitem__(self, name: str) -> "np.ndarray[Any, Any]":
        """Returns the values of a column."""
        try:
            place = self.columns.index(name)
        except ValueError:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns)}") from None
        column: "np.ndarray[Any, Any]" = self._table.values[place]
        return column

    def _many(self, names: Sequence[str]) -> "np.ndarray[Any, Any]":
        """Returns several columns as an array of rows by columns; a view if they are adjacent."""
        try:
            places = [self.columns.index(name) for name in names]
        except ValueError:
            raise AttributeError(
                f"these rows lack {', '.join(name for name in names if name not in self.columns)}; "
                f"ask for them with columns_out={[*self.columns, *names]!r}"
            ) from None
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

    def to_pandas(self) -> "pandas.DataFrame":
        """Returns a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._table.values.T, columns=self.columns, copy=False)

    def to_arrow(self) -> "pyarrow.Table":
        """Returns an Arrow table in the same memory, with the units in the fields' metadata."""
        import pyarrow

        fields, arrays = [], []
        for name in self.columns:
            column = self[name]
            buffer = pyarrow.foreign_buffer(column.ctypes.data, column.nbytes, base=column)
            arrays.append(pyarrow.Array.from_buffers(pyarrow.float64(), len(column), [None, buffer]))
            fields.append(pyarrow.field(name, pyarrow.float64(), metadata={"unit": self.units[name]}))
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))

    def to_polars(self) -> "polars.DataFrame":
        """Returns a polars DataFrame, converted through Arrow."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """Exports an Arrow C stream, for consumers such as `polars.DataFrame(motion)` and DuckDB."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows of {len(self.columns)} columns>"


class Motion(Frame):
    """Fused rows, one per gyroscope sample unless a rate was requested, in Core Motion's units and frames.

    Quaternions map the device to the reference frame, and their order is `order`. Arrays are read-only views of
    (rows, components) in the library's memory.

    Copies and pickles have the same rows, and write the same datasets in any process. A pickle contains the rows and the
    facts. Files that its options name, such as a calibration, are read again when it is written.
    """

    def __init__(self, answer: Answer, order: str, request: Request) -> None:
        super().__init__(next(answer.tables()))
        self._answer: Optional[Answer] = answer
        self._document = answer.document
        self._request: Request = {name: request[name] for name in ("input", "options") if name in request}
        if "input" in request:
            # An absolute path, because another process may have another working directory.
            self._request["input"] = os.path.abspath(request["input"])
        #: "xyzw" or "wxyz": the order of `quaternion`.
        self.order = order
        #: The JSON document of `inertial fuse --json`: filter, parameters, frame, channels and so on.
        self.facts: Dict[str, Any] = json.loads(self._document)

    def __getstate__(self) -> Dict[str, Any]:
        # An answer belongs to one process, and is released with its object.
        return {**self.__dict__, "_answer": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._table.values.flags.writeable = False

    def _fused(self) -> Answer:
        """Returns the answer, restored from the rows and the document after unpickling."""
        if self._answer is None:
            columns = [Column(name, self[name]) for name in self.columns]
            self._answer = ask({"job": "restore", "document": self._document, **self._request}, columns)
        return self._answer

    @property
    def warnings(self) -> List[str]:
        """The warnings about the log, one line per warning."""
        return list(self.facts["warnings"])

    @property
    def quaternion(self) -> "np.ndarray[Any, Any]":
        """Attitude, device to reference frame, (rows, 4) in the order `order`."""
        xyzw = self._many([f"quaternion{axis}" for axis in (*_XYZ, "W")])
        return xyzw if self.order == "xyzw" else xyzw[:, [3, 0, 1, 2]]

    @property
    def rotation(self) -> "Rotation":
        """The attitude as SciPy's Rotation: `motion.rotation.apply(v)` rotates v from device to reference axes."""
        from scipy.spatial.transform import Rotation

        return Rotation.from_quat(self._many([f"quaternion{axis}" for axis in (*_XYZ, "W")]))

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
