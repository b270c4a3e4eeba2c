"""The package's functions."""

from __future__ import annotations

import json
import os
import warnings as _warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._errors import InertialWarning, UsageError
from ._findings import Activities, Altitudes, Evaluation, Findings, Inspection, Shakes, Steps
from ._library import Answer, ask
from ._request import Request, members
from ._motion import Motion
from ._recording import Recording
from ._sources import Log, Source, check_order, log, orientations

Progress = Optional[Callable[[float], Any]]
_Found = TypeVar("_Found", bound=Findings)

# The jobs of functions with another name.
_JOBS = {"fuse_to": "fuse", "shakes": "shake"}


def _ask(function: str, options: Mapping[str, Any], source: Log, progress: Progress) -> Tuple[Answer, Request]:
    """Returns the answer to a request for the job of a function, and the request."""
    request = {"job": _JOBS.get(function, function), **members(function, {**options, **source.options})}
    if source.path is not None:
        request["input"] = source.path
    return ask(request, source.columns, progress, function), request


def _warn(lines: Sequence[str]) -> None:
    for line in lines:
        _warnings.warn(line, InertialWarning, stacklevel=3)


def read(
    path: Union[str, "os.PathLike[str]"],
    *,
    channels: Union[str, Sequence[str], None] = None,
    progress: Progress = None,
    **options: Any,
) -> Recording:
    """Reads a log of any format that `inertial formats` lists. The format is detected from the content.

    Args:
        path: the file or folder.
        channels: the channels to read in addition to the motion sensors: "all", or names such as "barometer".
        progress: called periodically with the fraction that is read, 0 to 1; an exception that it raises stops reading.
        options: properties that the log does not specify: `sample_rate` (Hz), `columns`, `acceleration_unit` ("g", "m/s2"),
            `acceleration_sign` ("gravity", "specific-force"), `rotation_unit` ("rad/s", "deg/s"), `field_unit`,
            `time_unit`, `body` ("frd", "flu", "rfu"), `axes`, `calibration`.

    Raises:
        DataError: the log cannot be read; the message is one line.
    """
    answer, _ = _ask("read", {"channels": channels, **options}, Log(os.fsdecode(path)), progress)
    recording = Recording(answer, path, options)
    _warn(recording.warnings)
    return recording


def fuse(
    source: Source = None,
    *,
    time: Any = None,
    acceleration: Any = None,
    rotation_rate: Any = None,
    magnetic_field: Any = None,
    filter: Optional[str] = None,
    smooth: bool = False,
    frame: Optional[str] = None,
    parameters: Optional[Mapping[str, float]] = None,
    order: str = "xyzw",
    progress: Progress = None,
    **options: Any,
) -> Motion:
    """Fuses a log: attitude, gravity, user acceleration, rotation rate, field and heading, as Core Motion defines them.

    The rows are bitwise equal to the rows of `inertial fuse`.

    Args:
        source: the path of a log, a `Recording`, or a table (mapping, DataFrame of pandas or polars, Arrow) whose columns are
            named as in a header: `time`, `accelerationX`, `rotationRateX`, `magneticFieldX`, `Gyroscope X (deg/s)` ...
        time: instead of a source: seconds, or datetime64, (rows,). `sample_rate` can replace it.
        acceleration: g with Core Motion's sign, (rows, 3). Most sensors measure specific force in m/s²: then pass
            `acceleration_unit="m/s2", acceleration_sign="specific-force"`.
        rotation_rate: rad/s, (rows, 3); `rotation_unit="deg/s"` for degrees.
        magnetic_field: µT, (rows, 3). NaN marks a missing sample in all arrays.
        filter: the name of a filter in `filters()`. Default: "kalman".
        smooth: whether to use the filter's offline form, which estimates each attitude from the whole log.
        frame: "xArbitraryZVertical", "xArbitraryCorrectedZVertical", "xMagneticNorthZVertical" or "xTrueNorthZVertical"
            (with `latitude`, `longitude`, `date`).
        parameters: the parameters of the filter, by name.
        order: the order of quaternions: "xyzw", as in SciPy, or "wxyz".
        progress: called periodically with the completed fraction, 0 to 1; an exception that it raises stops the fusion.
        options: every other option of `inertial fuse`: `rate` (Hz), `sample_rate` (Hz), `gaps`, `gap` (s), `field`,
            `align`, `strict`, `recognitions` ("shake,steps"), `online`, `channels`, `columns_out`, `axes` ...

    Raises:
        DataError: the log cannot be fused; the message is one line.
        UsageError: an option or argument is not valid.

    >>> import numpy as np
    >>> motion = fuse(
    ...     rotation_rate=np.zeros((300, 3)), acceleration=np.tile([0, 0, 9.80665], (300, 1)), sample_rate=100,
    ...     acceleration_unit="m/s2", acceleration_sign="specific-force", filter="vqf")
    >>> motion
    <Motion: 300 rows of 22 columns>
    >>> motion.gravity[-1].round(6) + 0
    array([ 0.,  0., -1.])
    >>> motion.units["rotationRateX"]
    'rad/s'
    """
    check_order(order)
    taken = log(
        source,
        {"time": time, "acceleration": acceleration, "rotation_rate": rotation_rate, "magnetic_field": magnetic_field},
    )
    if options.get("output") is not None:
        raise UsageError("fuse gives rows and writes no output; fuse_to writes one")
    chosen = {"filter": filter, "smooth": smooth, "frame": frame, "parameters": parameters, **options}
    answer, request = _ask("fuse", chosen, taken, progress)
    motion = Motion(answer, order, request)
    _warn(motion.warnings)
    return motion


def fuse_to(
    source: Source, output: Union[str, "os.PathLike[str]"], *, progress: Progress = None, **options: Any
) -> Dict[str, Any]:
    """Fuses a log to a file in a streaming way, in bounded memory: `inertial fuse source -o output`.

    Args:
        source: as for `fuse`.
        output: the path of the dataset; its extension determines the format.
        progress: as for `fuse`.
        options: as for `fuse`, and `format`, `digits`, `lists`, `force`.

    Returns:
        The JSON document of `inertial fuse --json`.
    """
    answer, _ = _ask("fuse_to", {"output": output, **options}, log(source, {}), progress)
    facts: Dict[str, Any] = json.loads(answer.document)
    _warn(facts["warnings"])
    return facts


def _find(
    kind: Type[_Found], function: str, source: Source, options: Mapping[str, Any], progress: Progress
) -> _Found:
    arrays = {name: options.get(name) for name in ("time", "acceleration", "rotation_rate", "magnetic_field", "pressure")}
    rest = {name: value for name, value in options.items() if name not in arrays}
    answer, _ = _ask(function, rest, log(source, arrays), progress)
    found = kind(json.loads(answer.document))
    _warn(found.warnings)
    return found


def evaluate(
    source: Source,
    *,
    filters: Union[str, Sequence[str], None] = None,
    smooth: bool = False,
    reference: Any = None,
    estimate: Any = None,
    order: str = "xyzw",
    cost: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Evaluation:
    """Evaluates filters, or an existing estimate, against a reference, as `inertial evaluate` does.

    Args:
        source: the path of a log or a folder of logs, or as for `fuse`.
        filters: the filters' names. Default: all.
        smooth: whether to evaluate the filters' offline forms.
        reference: a reference for a log without one: a path, or a pair of times (s) and orientations, an array (rows, 4)
            or a SciPy Rotation, device to earth; specify `reference_frame` ("enu", "nwu", "ned").
        estimate: an estimate in the same form, evaluated instead of filters.
        order: the order of quaternions in arrays.
        cost: whether to measure the time of each filter.
        progress: as for `fuse`.
        options: every other option of `inertial evaluate`: `align`, `align_clock`, `skip`, `frame`, `parameters` ...

    Returns:
        The errors in degrees, one row per log and filter, and `summaries`.
    """
    check_order(order)
    with orientations(reference, order, "reference") as truth, orientations(estimate, order, "estimate") as guess:
        chosen = {"filters": filters, "smooth": smooth, "reference": truth, "estimate": guess, "cost": cost}
        return _find(Evaluation, "evaluate", source, {**chosen, **options}, progress)


def shakes(source: Source = None, *, progress: Progress = None, **options: Any) -> Shakes:
    """Finds the shakes in a log, as `inertial shake` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `detector`, `sensitivity`, `parameters`, `continuous`, and the options of `read`.
    """
    return _find(Shakes, "shakes", source, options, progress)


def activity(source: Source = None, *, progress: Progress = None, **options: Any) -> Activities:
    """Classifies the activities in a log, as `inertial activity` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `online`, `placement` ("trunk", "thigh"), `model`, and the options of `read`.
    """
    return _find(Activities, "activity", source, options, progress)


def steps(source: Source = None, *, progress: Progress = None, **options: Any) -> Steps:
    """Counts the steps in a log, as `inertial steps` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `height` (m), and the options of `read`.
    """
    return _find(Steps, "steps", source, options, progress)


def altitude(source: Source = None, *, progress: Progress = None, **options: Any) -> Altitudes:
    """Estimates altitude, vertical speed and floors from a log with a barometer, as `inertial altitude` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate` and `pressure` (kPa).
        progress: as for `fuse`.
        options: `online`, `rate` (Hz), `all`, `barometer_lag` (s), `floor_height` (m), and the options of `read`.
    """
    return _find(Altitudes, "altitude", source, options, progress)


def inspect(source: Source = None, *, progress: Progress = None, **options: Any) -> Inspection:
    """Reports the contents and the problems of a log, as `inertial inspect` does."""
    return _find(Inspection, "inspect", source, options, progress)


def filters() -> List[Dict[str, Any]]:
    """Returns every filter: name, summary, source, and its parameters with units, defaults and ranges.

    >>> [facts["name"] for facts in filters() if facts["isStandard"]]
    ['kalman']
    """
    result: List[Dict[str, Any]] = json.loads(ask({"job": "filters"}).document)
    return result


def formats() -> List[Dict[str, Any]]:
    """Returns every log format that can be read: how it is recognised, its units, sign and clock."""
    result: List[Dict[str, Any]] = json.loads(ask({"job": "formats"}).document)
    return result
