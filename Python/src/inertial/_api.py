"""The package's functions."""

from __future__ import annotations

import json
import os
import warnings as _warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Type, TypeVar, Union

from ._errors import InertialWarning, UsageError
from ._findings import Activities, Altitudes, Evaluation, Findings, Inspection, Shakes, Steps
from ._library import Answer, ask
from ._motion import Motion
from ._recording import Recording
from ._sources import Log, Source, check_order, keyed, log, orientations, words

Progress = Optional[Callable[[float], Any]]
_Found = TypeVar("_Found", bound=Findings)

# Options of the command that have another name here.
_NAMES = {"recognitions": "with", "channels": "with_channels"}


def _ask(command: str, options: Mapping[str, Any], source: Log, progress: Progress) -> Answer:
    return ask([command, *_options(options), *source.words], source.columns, progress)


def _options(options: Mapping[str, Any]) -> List[str]:
    return words(keyed(dict(options), _NAMES))


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
    """Reads a log of any format that `inertial formats` lists, told by its content.

    Args:
        path: file or folder.
        channels: what else is wanted beside the motion sensors: "all", or names such as "barometer".
        progress: called now and then with the share that was read; what it raises ends the reading.
        options: what only you can know of the log: `sample_rate` (Hz), `columns`, `acceleration_unit` ("g", "m/s2"),
            `acceleration_sign` ("gravity", "specific-force"), `rotation_unit` ("rad/s", "deg/s"), `field_unit`,
            `time_unit`, `body` ("frd", "flu", "rfu"), `axes`, `calibration`.

    Raises:
        DataError: what is wrong with the log, in one line.
    """
    given = words(options)
    answer = _ask("read", {"channels": channels, **options}, Log(os.fsdecode(path)), progress)
    recording = Recording(answer, path, given)
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
    """Fuses a log: attitude, gravity, user acceleration, rotation rate, field and heading, as Core Motion means them.

    The rows are those of `inertial fuse`, to the last bit.

    Args:
        source: path of a log, a `Recording`, or a table (mapping, DataFrame of pandas or polars, Arrow) whose columns are
            named as in a header: `time`, `accelerationX`, `rotationRateX`, `magneticFieldX`, `Gyroscope X (deg/s)` ...
        time: in place of a source: seconds, or datetime64, (rows,); or give `sample_rate`.
        acceleration: g with Core Motion's sign, (rows, 3). Most sensors tell specific force in m/s²: then say
            `acceleration_unit="m/s2", acceleration_sign="specific-force"`.
        rotation_rate: rad/s, (rows, 3); `rotation_unit="deg/s"` for degrees.
        magnetic_field: µT, (rows, 3). NaN is no sample, everywhere.
        filter: one of `filters()`; default "kalman".
        smooth: the filter's offline form: every attitude from the whole log.
        frame: "xArbitraryZVertical", "xArbitraryCorrectedZVertical", "xMagneticNorthZVertical" or "xTrueNorthZVertical"
            (with `latitude`, `longitude`, `date`).
        parameters: of the filter, by name.
        order: of quaternions: "xyzw", as in SciPy, or "wxyz".
        progress: called now and then with the share that is done; what it raises ends the work.
        options: every other option of `inertial fuse`: `rate` (Hz), `sample_rate` (Hz), `gaps`, `gap` (s), `field`,
            `align`, `strict`, `recognitions` ("shake,steps"), `channels`, `columns_out`, `axes` ...

    Raises:
        DataError: what is wrong with the log, in one line.
        UsageError: what is wrong with the request.

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
    motion = Motion(_ask("fuse", chosen, taken, progress), order, [*_options(chosen), *taken.options], taken.path)
    _warn(motion.warnings)
    return motion


def fuse_to(
    source: Source, output: Union[str, "os.PathLike[str]"], *, progress: Progress = None, **options: Any
) -> Dict[str, Any]:
    """Fuses a log to a file as it goes, in bounded memory: `inertial fuse source -o output`.

    Args:
        source: as for `fuse`.
        output: the dataset; its ending says the format.
        progress: as for `fuse`.
        options: as for `fuse`, and `format`, `digits`, `lists`, `force`.

    Returns:
        What `inertial fuse --json` tells.
    """
    answer = _ask("fuse", {"output": os.fsdecode(output), **options}, log(source, {}), progress)
    facts: Dict[str, Any] = json.loads(answer.document)
    _warn(facts["warnings"])
    return facts


def _find(
    kind: Type[_Found], command: str, source: Source, options: Mapping[str, Any], progress: Progress
) -> _Found:
    arrays = {name: options.get(name) for name in ("time", "acceleration", "rotation_rate", "magnetic_field", "pressure")}
    rest = {name: value for name, value in options.items() if name not in arrays}
    found = kind(json.loads(_ask(command, rest, log(source, arrays), progress).document))
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
    """Judges filters, or somebody's estimate, against a reference, as `inertial evaluate` does.

    Args:
        source: path of a log or a folder of logs, or as for `fuse`.
        filters: names; default: all.
        smooth: judge the filters' offline forms.
        reference: where the log has none: a path, or a pair of times (s) and orientations, an array (rows, 4) or a
            Rotation of SciPy, device to earth; say `reference_frame` ("enu", "nwu", "ned").
        estimate: likewise, to be judged in place of filters.
        order: of quaternions in arrays.
        cost: measure the time of each filter, too.
        progress: as for `fuse`.
        options: every other option of `inertial evaluate`: `align`, `align_clock`, `skip`, `frame`, `parameters` ...

    Returns:
        Errors in degrees, a row for each log and filter, and `summaries`.
    """
    check_order(order)
    if options.get("no_cost") is not None:
        raise UsageError("no_cost is the command's word; give cost=True or cost=False")
    with orientations(reference, order, "reference") as truth, orientations(estimate, order, "estimate") as guess:
        chosen = {"filters": filters, "smooth": smooth, "reference": truth, "estimate": guess, "no_cost": not cost}
        return _find(Evaluation, "evaluate", source, {**chosen, **options}, progress)


def shakes(source: Source = None, *, progress: Progress = None, **options: Any) -> Shakes:
    """Finds the shakes in a log, as `inertial shake` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `detector`, `sensitivity`, `parameters`, `continuous`, and what only you can know of the log.
    """
    return _find(Shakes, "shake", source, options, progress)


def activity(source: Source = None, *, progress: Progress = None, **options: Any) -> Activities:
    """Tells what a person does in a log, as `inertial activity` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `live`, `placement` ("trunk", "thigh"), `model`, and what only you can know of the log.
    """
    return _find(Activities, "activity", source, options, progress)


def steps(source: Source = None, *, progress: Progress = None, **options: Any) -> Steps:
    """Counts the steps in a log, as `inertial steps` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `height` (m), and what only you can know of the log.
    """
    return _find(Steps, "steps", source, options, progress)


def altitude(source: Source = None, *, progress: Progress = None, **options: Any) -> Altitudes:
    """Altitude, vertical speed and floors from a log with a barometer, as `inertial altitude` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate` and `pressure` (kPa).
        progress: as for `fuse`.
        options: `smooth`, `rate` (Hz), `all`, `barometer_lag` (s), `floor_height` (m), and what only you can know.
    """
    return _find(Altitudes, "altitude", source, options, progress)


def inspect(source: Source = None, *, progress: Progress = None, **options: Any) -> Inspection:
    """Says what is in a log, and what looks wrong with it, as `inertial inspect` does."""
    return _find(Inspection, "inspect", source, options, progress)


def filters() -> List[Dict[str, Any]]:
    """Every filter: name, summary, source, and its parameters with units, defaults and ranges.

    >>> [facts["name"] for facts in filters() if facts["isStandard"]]
    ['kalman']
    """
    result: List[Dict[str, Any]] = json.loads(ask(["filters"]).document)
    return result


def formats() -> List[Dict[str, Any]]:
    """Every format of log that is read: how it is recognised, its units, sign and clock."""
    result: List[Dict[str, Any]] = json.loads(ask(["formats"]).document)
    return result
