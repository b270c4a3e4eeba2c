"""Inertial sensor fusion: logs or arrays of an accelerometer, gyroscope and magnetometer in, attitude out.

The computation runs in the toolkit's Swift library. Options, defaults and messages match the command `inertial`, which
comes with the package. Units and signs are Core Motion's: g with (0, 0, -1) at rest face up, rad/s, µT, kPa, s.

>>> import inertial
>>> "vqf" in [facts["name"] for facts in inertial.filters()]
True
"""

from ._api import (
    activity,
    altitude,
    evaluate,
    filters,
    formats,
    fuse,
    fuse_to,
    inspect,
    read,
    shakes,
    steps,
)
from ._errors import DataError, InertialError, InertialWarning, UsageError
from ._findings import Activities, Altitudes, Evaluation, Inspection, Shakes, Steps
from ._library import version as _version
from ._motion import Frame, Motion
from ._recording import Recording, Stream
from ._stream import Estimator, Sample

__version__ = _version()

__all__ = [
    "Activities",
    "Altitudes",
    "DataError",
    "Estimator",
    "Evaluation",
    "Frame",
    "InertialError",
    "InertialWarning",
    "Inspection",
    "Motion",
    "Recording",
    "Sample",
    "Shakes",
    "Steps",
    "Stream",
    "UsageError",
    "activity",
    "altitude",
    "evaluate",
    "filters",
    "formats",
    "fuse",
    "fuse_to",
    "inspect",
    "read",
    "shakes",
    "steps",
]
