"""Inertial sensor fusion: logs or arrays of an accelerometer, gyroscope and magnetometer in, attitude out.

The computation runs in the toolkit's Swift library. Options, defaults and messages match the command `inertial`, which
comes with the package. Units and signs are Core Motion's: g with (0, 0, -1) at rest face up, rad/s, µT, kPa, s.

>>> import inertial
>>> "vqf" in [facts["name"] for facts in inertial.filters()]
True
"""

from ._api import (
    activity,
    allan,
    altitude,
    calibrate,
    convert,
    evaluate,
    evaluate_events,
    filters,
    formats,
    fuse,
    fuse_to,
    inspect,
    read,
    shakes,
    simulate,
    steps,
    track,
)
from ._command import plot, report, tune
from ._errors import DataError, InertialError, InertialWarning, UsageError
from ._findings import (
    Activities,
    Altitudes,
    Calibration,
    Conversion,
    Evaluation,
    EventEvaluation,
    Inspection,
    Noise,
    Shakes,
    Simulated,
    Steps,
)
from ._library import version as _version
from ._motion import Frame, Motion, Path
from ._recording import Recording, Stream
from ._stream import Estimator, Sample

__version__ = _version()

__all__ = [
    "Activities",
    "Altitudes",
    "Calibration",
    "Conversion",
    "DataError",
    "Estimator",
    "Evaluation",
    "EventEvaluation",
    "Frame",
    "InertialError",
    "InertialWarning",
    "Inspection",
    "Motion",
    "Noise",
    "Path",
    "Recording",
    "Sample",
    "Shakes",
    "Simulated",
    "Steps",
    "Stream",
    "UsageError",
    "activity",
    "allan",
    "altitude",
    "calibrate",
    "convert",
    "evaluate",
    "evaluate_events",
    "filters",
    "formats",
    "fuse",
    "fuse_to",
    "inspect",
    "plot",
    "read",
    "report",
    "shakes",
    "simulate",
    "steps",
    "track",
    "tune",
]
