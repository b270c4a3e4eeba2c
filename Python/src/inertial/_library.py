"""The toolkit's library, called through ctypes. This module is internal."""

from __future__ import annotations

import ctypes
import threading
import weakref
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_ssize_t, c_uint64, c_void_p
from pathlib import Path
from struct import Struct
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

import numpy as np

from ._errors import DataError, InertialError, UsageError
from ._request import Request, in_keywords, in_rows, text

__all__ = ["Answer", "StreamHandle", "Column", "ask", "version", "run_command"]

_MESSAGE_SIZE = 16384
_Progress = ctypes.CFUNCTYPE(c_int32, c_void_p, c_double)
_Message = c_char * _MESSAGE_SIZE
_MESSAGE: List[Any] = [c_char_p, c_ssize_t]
_TEXTS: List[Any] = [POINTER(c_char_p), c_ssize_t]

# The library's number types by NumPy type. Other types are converted to float64.
TYPES = {np.dtype("f8"): 0, np.dtype("f4"): 1, np.dtype("i8"): 2, np.dtype("i4"): 3}

_ARGUMENTS: Dict[str, List[Any]] = {
    "inertial_request": [
        c_char_p, POINTER(c_char_p), POINTER(c_void_p), POINTER(c_int32), POINTER(c_ssize_t), c_ssize_t, c_ssize_t,
        _Progress, c_void_p, POINTER(c_uint64),
    ],
    "inertial_answer_document": [c_uint64, POINTER(c_char_p)],
    "inertial_answer_table_count": [c_uint64, POINTER(c_ssize_t)],
    "inertial_answer_table": [
        c_uint64, c_ssize_t, POINTER(c_char_p), POINTER(c_ssize_t), POINTER(c_ssize_t), POINTER(c_void_p),
        POINTER(c_ssize_t),
    ],
    "inertial_answer_column": [c_uint64, c_ssize_t, c_ssize_t, POINTER(c_char_p), POINTER(c_char_p)],
    "inertial_answer_write": [c_uint64, c_char_p],
    "inertial_stream_begin": [c_char_p, *_TEXTS, POINTER(c_uint64)],
    "inertial_stream_state": [c_uint64, POINTER(c_char_p)],
    "inertial_stream_restore": [c_char_p, POINTER(c_uint64)],
    "inertial_stream_column": [
        c_uint64, c_ssize_t, POINTER(c_ssize_t), POINTER(c_char_p), POINTER(c_char_p),
    ],
    "inertial_release": [c_uint64],
}  # fmt: skip


def _load() -> ctypes.CDLL:
    path = Path(__file__).parent / "lib" / "libCInertial.so"
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"the toolkit's library cannot be loaded: {error}; install a wheel for this system") from None
    for name, arguments in _ARGUMENTS.items():
        function = getattr(library, name)
        function.restype = c_int32
        function.argtypes = [*arguments, *_MESSAGE]
    # The arguments of these two have their types already: ctypes converts declared ones again, at a microsecond a call.
    library.inertial_stream_update.restype = library.inertial_stream_finish.restype = c_int32
    library.inertial_version.restype = c_char_p
    library.inertial_version.argtypes = []
    library.inertial_command.restype = c_int32
    library.inertial_command.argtypes = _TEXTS
    return library


_library = _load()
_stream_update, _stream_finish = _library.inertial_stream_update, _library.inertial_stream_finish


def version() -> str:
    return str(_library.inertial_version().decode())


def _fail(code: int, message: str) -> NoReturn:
    if code == 1:
        raise DataError(message)
    if code == 2:
        raise UsageError(message)
    raise InertialError(message)


def _call(name: str, *arguments: Any, function: str = "") -> None:
    """Calls a function of the library. Its messages name the keyword arguments of the given function of the package."""
    message = _Message()
    code = getattr(_library, name)(*arguments, message, _MESSAGE_SIZE)
    if code:
        _fail(code, in_keywords(function, message.value.decode(errors="replace")))


def _texts(words: Sequence[str]) -> Any:
    # A NUL would truncate the string.
    for word in words:
        if "\0" in word:
            raise UsageError(f"{word!r} has the character of number 0 in it")
    return (c_char_p * len(words))(*[word.encode("utf-8", "surrogateescape") for word in words])


class Column(NamedTuple):
    """A column of numbers: its name as in a header, and its values, a 1-D array."""

    name: str
    values: "np.ndarray[Any, Any]"


class Table(NamedTuple):
    """The numbers of an answer: columns by rows, read-only, in the library's memory."""

    name: str
    columns: List[str]
    units: List[str]
    values: "np.ndarray[Any, Any]"


class _Memory:
    """Keeps an answer alive while an array refers to its numbers."""

    def __init__(self, answer: "Answer", address: int, columns: int, rows: int, stride: int) -> None:
        self.answer = answer
        self.__array_interface__ = {
            "version": 3, "typestr": "<f8", "shape": (columns, rows), "strides": (stride * 8, 8),
            "data": (address, True),
        }  # fmt: skip


class Answer:
    """A result of the library. Its memory is released when no reference remains."""

    def __init__(self, handle: int, is_of_arrays: bool) -> None:
        self.handle, self._is_of_arrays = handle, is_of_arrays
        weakref.finalize(self, _release, handle)

    @property
    def document(self) -> str:
        text = c_char_p()
        _call("inertial_answer_document", self.handle, byref(text))
        document = (text.value or b"").decode()
        return in_rows(document) if self._is_of_arrays else document

    def tables(self) -> Iterator[Table]:
        count = c_ssize_t()
        _call("inertial_answer_table_count", self.handle, byref(count))
        for index in range(count.value):
            yield self._table(index)

    def _table(self, index: int) -> Table:
        name, columns, rows, address, stride = c_char_p(), c_ssize_t(), c_ssize_t(), c_void_p(), c_ssize_t()
        _call(
            "inertial_answer_table", self.handle, index, byref(name), byref(columns), byref(rows), byref(address),
            byref(stride),
        )  # fmt: skip
        names: List[str] = []
        units: List[str] = []
        for column in range(columns.value):
            text, unit = c_char_p(), c_char_p()
            _call("inertial_answer_column", self.handle, index, column, byref(text), byref(unit))
            names.append((text.value or b"").decode())
            units.append((unit.value or b"").decode())
        if address.value is None:
            values = np.empty((columns.value, 0))
        else:
            values = np.asarray(_Memory(self, address.value, columns.value, rows.value, stride.value))
        return Table((name.value or b"").decode(), names, units, values)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an answer is of this process, and cannot be copied or pickled")

    def write(self, request: Request) -> None:
        _call("inertial_answer_write", self.handle, text(request).encode(), function="write")


def _release(handle: int) -> None:
    message = _Message()
    _library.inertial_release(handle, message, _MESSAGE_SIZE)


def ask(
    request: Request, columns: Sequence[Column] = (), progress: Optional[Callable[[float], Any]] = None,
    function: str = "",
) -> Answer:  # fmt: skip
    """Runs a job, which borrows the columns. Control-C or an exception of `progress` stops it early."""
    raised: List[BaseException] = []

    def tell(_: Any, share: float) -> int:
        # Python's signal handlers run here, and may raise.
        try:
            if progress is not None:
                progress(share)
            return 0
        except BaseException as error:
            raised.append(error)
            return 1

    arrays = [_numbers(column) for column in columns]
    rows = {len(array) for array in arrays}
    if len(rows) > 1:
        lengths = ", ".join(f"{column.name} {len(array)}" for column, array in zip(columns, arrays))
        raise UsageError(f"the columns are not of one length: {lengths}")
    count = len(arrays)
    handle = c_uint64()
    try:
        _call(
            "inertial_request", text(request).encode(), _texts([column.name for column in columns]),
            (c_void_p * count)(*[array.ctypes.data for array in arrays]),
            (c_int32 * count)(*[TYPES[array.dtype] for array in arrays]),
            (c_ssize_t * count)(*[array.strides[0] for array in arrays]), count, rows.pop() if rows else 0,
            _Progress(tell), None, byref(handle), function=function,
        )  # fmt: skip
    except InertialError as problem:
        if raised:
            raise raised[0] from None
        # A signal before the first line of `tell` is lost in ctypes.
        if not isinstance(problem, (DataError, UsageError)):
            raise KeyboardInterrupt from None
        raise
    return Answer(handle.value, is_of_arrays=bool(columns))


def _numbers(column: Column) -> "np.ndarray[Any, Any]":
    array = column.values
    if array.ndim != 1:
        raise UsageError(f"{column.name} has {array.ndim} dimensions, and a column has one")
    if array.dtype in TYPES:
        return array
    if array.dtype.kind not in "fiub":
        raise UsageError(f"{column.name} is of type {array.dtype}, and no numbers")
    # Nanoseconds of UNIX time exceed the integers of a float64.
    is_integer = array.dtype == np.uint64 and (array <= np.iinfo(np.int64).max).all()
    return array.astype(np.int64 if is_integer else np.float64)


class StreamHandle:
    """A fusion that receives samples one by one."""

    # The number of rows that a call can return; the library keeps further ones for the next call.
    _ROOM = 64

    def __init__(self, begin: Union[Request, bytes], names: Sequence[str]) -> None:
        """Begins a fusion with options, or continues from the state of one with the same names."""
        handle = c_uint64()
        if isinstance(begin, bytes):
            _call("inertial_stream_restore", begin, byref(handle), function="Estimator")
        else:
            json = text(begin).encode()
            _call("inertial_stream_begin", json, _texts(names), len(names), byref(handle), function="Estimator")
        self.handle = handle.value
        weakref.finalize(self, _release, self.handle)
        self.columns, self.units = self._columns()
        self._lock = threading.Lock()
        self._input = Struct(f"{len(names)}d")
        # The arguments of all calls are made once, since converting them takes longer than the fusion of a row.
        self._numbers = (c_double * len(names))()
        self._space = (c_double * (self._ROOM * len(self.columns)))()
        view, size = memoryview(self._space).cast("B"), 8 * len(self.columns)
        self._rows = [view[row * size : (row + 1) * size] for row in range(self._ROOM)]
        self._count = c_ssize_t()
        self._message = _Message()
        place = (self._space, c_ssize_t(self._ROOM), byref(self._count), self._message, c_ssize_t(_MESSAGE_SIZE))
        self._sent = (handle, self._numbers, c_ssize_t(len(names)), *place)
        self._only_received = (handle, None, c_ssize_t(0), *place)
        self._ended = (handle, *place)

    def _columns(self) -> Tuple[List[str], List[str]]:
        count, text, unit = c_ssize_t(1), c_char_p(), c_char_p()
        names: List[str] = []
        units: List[str] = []
        while len(names) < count.value:
            _call("inertial_stream_column", self.handle, len(names), byref(count), byref(text), byref(unit))
            names.append((text.value or b"").decode())
            units.append((unit.value or b"").decode())
        return names, units

    def update(self, *numbers: float) -> List[bytes]:
        """Adds a row of numbers, and returns the new rows, each as float64 numbers in the order of the columns.

        Raises:
            struct.error: one of them is not a number, or the number of them differs from that of the names.
        """
        with self._lock:
            self._input.pack_into(self._numbers, 0, *numbers)
            return self._taken(_stream_update(*self._sent))

    def state(self) -> bytes:
        """Returns the state, a JSON document."""
        with self._lock:
            state = c_char_p()
            _call("inertial_stream_state", self.handle, byref(state), function="Estimator")
            return state.value or b""

    def finish(self) -> List[bytes]:
        """Ends the input, and returns the remaining rows."""
        with self._lock:
            return self._taken(_stream_finish(*self._ended))

    def _taken(self, code: int) -> List[bytes]:
        rows: List[bytes] = []
        while not code:
            count = self._count.value
            rows += map(bytes, self._rows[:count])
            if count < self._ROOM:
                return rows
            code = _stream_update(*self._only_received)
        _fail(code, in_keywords("Estimator", self._message.value.decode(errors="replace")))


def run_command(words: Sequence[str]) -> int:
    """Runs the command, which ends the process with its exit status. Returns 2 if it cannot run."""
    return int(_library.inertial_command(_texts(words), len(words)))
