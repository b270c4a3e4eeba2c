"""Sample-by-sample fusion."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._errors import UsageError, lacking
from ._library import StreamHandle
from ._request import Request, members
from ._sources import check_order

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import EstimatorOptions

_AXES = ("X", "Y", "Z")
_INPUT = ["time"] + [name + axis for name in ("acceleration", "rotationRate", "magneticField") for axis in _AXES]


_MISSING = (np.nan, np.nan, np.nan)
_NUMBER = struct.Struct("d")


def _vector(name: str, vector: Any) -> Sequence[float]:
    """Returns three numbers, NaN without a vector."""
    if vector is None:
        return _MISSING
    if isinstance(vector, np.ndarray) and vector.shape == (3,):
        numbers: Sequence[float] = vector.tolist()
        return numbers
    if isinstance(vector, (list, tuple)) and len(vector) == 3:
        return vector
    values = np.asarray(vector, dtype=np.float64)
    if values.shape != (3,):
        raise UsageError(f"{name} has the shape {values.shape}, and takes (3,)")
    found: Sequence[float] = values.tolist()
    return found


class Sample:
    """A fused row of a stream, with the names and units of `Motion`."""

    __slots__ = ("_numbers", "_places", "_order")

    def __init__(self, numbers: bytes, places: Dict[str, int], order: str) -> None:
        self._numbers, self._places, self._order = numbers, places, order

    def __getitem__(self, name: str) -> float:
        """Returns the value of a column, or NaN if it is missing."""
        number: float = _NUMBER.unpack_from(self._numbers, self._places[name])[0]
        return number

    def _vector(self, name: str, axes: Sequence[str] = _AXES) -> "np.ndarray[Any, Any]":
        missing = [name + axis for axis in axes if name + axis not in self._places]
        if missing:
            raise lacking(missing, self._places)
        return np.array([self[name + axis] for axis in axes])

    @property
    def time(self) -> float:
        """Seconds on the stream's clock."""
        return self["time"]

    @property
    def quaternion(self) -> "np.ndarray[Any, Any]":
        """Attitude, device to reference frame, (4,), in the stream's order."""
        return self._vector("quaternion", ("X", "Y", "Z", "W") if self._order == "xyzw" else ("W", "X", "Y", "Z"))

    @property
    def gravity(self) -> "np.ndarray[Any, Any]":
        """Direction of gravity in device axes, g, (3,)."""
        return self._vector("gravity")

    @property
    def user_acceleration(self) -> "np.ndarray[Any, Any]":
        """Acceleration without gravity in device axes, g, (3,)."""
        return self._vector("userAcceleration")

    @property
    def rotation_rate(self) -> "np.ndarray[Any, Any]":
        """Rotation rate without bias in device axes, rad/s, (3,)."""
        return self._vector("rotationRate")

    @property
    def heading(self) -> float:
        """Heading, degrees clockwise from the frame's north; -1 if north is unknown."""
        return self["heading"]

    def to_dict(self) -> Dict[str, float]:
        """Returns every value by the name of its column."""
        return {name: self[name] for name in self._places}

    def __repr__(self) -> str:
        if not {"time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"} <= self._places.keys():
            return f"<Sample: {', '.join(f'{name} {value:.6g}' for name, value in self.to_dict().items())}>"
        return f"<Sample at {self.time} s: quaternion {self.quaternion}>"


class Estimator:
    """An online fusion of raw samples, which yields the same rows as `fuse`.

    It accepts the options of `fuse` that do not need the whole log. A row is available as soon as the samples of its epoch
    are complete. The rows of the first second come together once the filter has an attitude.

    >>> import numpy as np
    >>> estimator = Estimator(filter="mahony")
    >>> rows = []
    >>> for index in range(200):
    ...     rows += estimator.update(index / 100, rotation_rate=[0, 0, 0], acceleration=[0, 0, -1])
    >>> rows += estimator.finish()
    >>> len(rows)
    200
    >>> rows[-1].gravity.round(6) + 0
    array([ 0.,  0., -1.])
    """

    def __init__(
        self, *, filter: Optional[str] = None, frame: Optional[str] = None, order: str = "xyzw",
        **options: Unpack[EstimatorOptions],
    ) -> None:
        check_order(order)
        self._order = order
        self._begin(members("Estimator", {"filter": filter, "frame": frame, **options}))

    def _begin(self, begin: Union[Request, bytes]) -> None:
        self._stream = StreamHandle(begin, _INPUT)
        #: The names of the columns of a row.
        self.columns: List[str] = self._stream.columns
        # The offsets of the columns in a row, in bytes.
        self._places = {name: _NUMBER.size * column for column, name in enumerate(self.columns)}

    @property
    def state(self) -> bytes:
        """The state of the fusion between two epochs, with its options: a JSON document, for the same version only.

        An estimator whose state is set continues with the same rows, also in another process. Estimators can be copied
        and pickled likewise. Set a state only from a source that you trust, as its numbers are not checked.
        """
        return self._stream.state()

    @state.setter
    def state(self, state: bytes) -> None:
        self._begin(bytes(state))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (self.state, self._order)

    def update(
        self, time: float, rotation_rate: Any = None, acceleration: Any = None, magnetic_field: Any = None
    ) -> List[Sample]:
        """Adds the samples of one epoch. Sensors without a sample can be left out.

        Args:
            time: seconds, increasing.
            rotation_rate: rad/s (or in `rotation_unit`), 3 numbers.
            acceleration: g with Core Motion's sign (or as `acceleration_unit` and `acceleration_sign` specify), 3 numbers.
            magnetic_field: µT, 3 numbers.

        Returns:
            The new rows, sorted by time.
        """
        vectors = (
            *_vector("acceleration", acceleration),
            *_vector("rotation_rate", rotation_rate),
            *_vector("magnetic_field", magnetic_field),
        )
        try:
            return self._samples(self._stream.update(time, *vectors))
        except struct.error:
            raise UsageError(f"the time and the vectors are numbers, not {(time, *vectors)!r}") from None

    def finish(self) -> List[Sample]:
        """Finishes the input and returns the pending rows."""
        return self._samples(self._stream.finish())

    def _samples(self, rows: List[bytes]) -> List[Sample]:
        return [Sample(row, self._places, self._order) for row in rows]


def _restored(state: bytes, order: str) -> Estimator:
    estimator = Estimator.__new__(Estimator)
    estimator._order = order
    estimator.state = state
    return estimator
