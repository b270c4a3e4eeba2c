"""The package's functions."""

from __future__ import annotations

import json
import os
import sys
import warnings as _warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy as np

from . import _conventions, _hdf5
from ._errors import DataError, InertialWarning, UsageError
from ._findings import (
    Activities,
    Altitudes,
    Calibration,
    Conversion,
    Evaluation,
    EventEvaluation,
    Findings,
    Inspection,
    Noise,
    Shakes,
    Simulated,
    Steps,
)
from ._library import Answer, ask
from ._request import Request, in_keywords, members, takes
from ._motion import Motion, Path
from ._recording import Recording
from ._sources import Log, Source, check_order, listed, log, orientations

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import (
        ActivityOptions,
        AllanOptions,
        AltitudeOptions,
        CalibrateOptions,
        ConvertOptions,
        EvaluateOptions,
        EventOptions,
        FuseOptions,
        FuseToOptions,
        InspectOptions,
        LogOptions,
        ShakeOptions,
        SimulateOptions,
        StepOptions,
        TrackOptions,
    )

Progress = Optional[Callable[[float], Any]]
_Found = TypeVar("_Found", bound=Findings)

# The jobs of functions with another name.
_JOBS = {"fuse_to": "fuse", "shakes": "shake", "evaluate_events": "evaluateEvents"}


def _ask(function: str, options: Mapping[str, Any], source: Log, progress: Progress) -> Tuple[Answer, Request]:
    """Returns the answer to a request for the job of a function, and the request."""
    unit = source.options.get("time_unit")
    if source.path is None and unit is not None and options.get("time_unit") not in (None, unit):
        raise UsageError(f"the times are points in time, so time_unit is {unit!r}; leave it out")
    given = {name: value for name, value in options.items() if value is not None}
    request = {"job": _JOBS.get(function, function), **members(function, {**source.options, **given})}
    if source.path is not None:
        request["input"] = source.path
    try:
        return ask(request, source.columns, progress, function), request
    except DataError as problem:
        # A table has no reference orientations.
        if source.path is None or _hdf5.LACK not in str(problem) or function == "evaluate":
            raise
        found = _hdf5.table(source.path, problem)
        if found is None:
            raise
        columns, own = found
        known = {name: value for name, value in own.items() if takes(function, name)}
        return _ask(function, {**known, **options}, log(columns, {}), progress)


def _warn(lines: Sequence[str], function: str) -> None:
    """Warns at the line of the caller, the first one outside this module, in keyword arguments of a function."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        level, frame = level + 1, frame.f_back
    for line in lines:
        _warnings.warn(in_keywords(function, line), InertialWarning, stacklevel=level)


def read(
    path: Union[str, "os.PathLike[str]"],
    *,
    channels: Union[str, Sequence[str], None] = None,
    progress: Progress = None,
    **options: Unpack[LogOptions],
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
    _warn(recording.warnings, "read")
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
    order: Optional[str] = None,
    convention: Optional[str] = None,
    rows: Optional[str] = None,
    progress: Progress = None,
    **options: Unpack[FuseOptions],
) -> Motion:
    """Fuses a log: attitude, gravity, user acceleration, rotation rate, field and heading, as Core Motion defines them.

    The rows are bitwise equal to the rows of `inertial fuse`.

    Args:
        source: the path of a log, a `Recording`, or a table (mapping, DataFrame of pandas or polars, LazyFrame, xarray's
            Dataset, Arrow, a DuckDB relation) whose columns are named as in a header: `time`, `accelerationX`,
            `rotationRateX`, `magneticFieldX`, `Gyroscope X (deg/s)` ... Points in time may also be the index.
        time: instead of a source: seconds, datetime64 or texts in ISO 8601, (rows,). `sample_rate` can replace it. A sensor
            with its own times is a pair, such as `acceleration=(times, values)`.
        acceleration: g with Core Motion's sign, (rows, 3). Most sensors measure specific force in m/s²: then pass
            `acceleration_unit="m/s2", acceleration_sign="specific-force"`.
        rotation_rate: rad/s, (rows, 3); `rotation_unit="deg/s"` for degrees.
        magnetic_field: µT, (rows, 3). NaN marks a missing sample in all arrays.
        filter: the name of a filter in `filters()`. Default: "kalman".
        smooth: whether to use the filter's offline form, which estimates each attitude from the whole log.
        frame: "xArbitraryZVertical", "xArbitraryCorrectedZVertical", "xMagneticNorthZVertical" or "xTrueNorthZVertical"
            (with `latitude`, `longitude`, `date`).
        parameters: the parameters of the filter, by name.
        order: the order of quaternions: "xyzw", as in SciPy, or "wxyz". Default: that of the convention.
        convention: "core-motion", "si" (specific force in m/s²), "ros" (the same, attitudes and angles in ENU) or "vqf" (the
            same as "ros", quaternions wxyz) for the arrays and for the rows. Default: "core-motion".
        rows: "all" for a row per row of the arrays, NaN without an estimate, or "fused" for rows with an estimate only;
            `motion.index` has their numbers. Default: "all" for arrays without `rate`, otherwise "fused".
        progress: called periodically with the completed fraction, 0 to 1; an exception that it raises stops the fusion.
        options: every other option of `inertial fuse`: `rate` (Hz), `sample_rate` (Hz), `gaps`, `gap` (s), `field`,
            `align`, `strict`, `recognitions` ("shake,steps"), `online`, `channels`, `columns_out`, `axes`,
            `relative_to` ("first" or s) ...

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
    style = _conventions.named(convention)
    order = order or style.order
    check_order(order)
    taken = log(
        source,
        {"time": time, "acceleration": acceleration, "rotation_rate": rotation_rate, "magnetic_field": magnetic_field},
    )
    if options.get("output") is not None:
        raise UsageError("fuse gives rows and writes no output; fuse_to writes one")
    kept = _kept_rows(rows, taken, options)
    chosen = {"filter": filter, "smooth": smooth, "frame": frame, "parameters": parameters, **options}
    # Rows at a fixed rate belong to no row of the arrays.
    counted = taken.rows if options.get("rate") is None else None
    names = _names(options.get("columns_out"))
    if taken.rows is not None:
        chosen = {**_conventions.arrays(style), **chosen}
    if counted is not None:
        chosen["columns_out"] = names if "line" in names else ["line", *names]
    answer, request = _ask("fuse", chosen, taken, progress)
    motion = Motion(answer, order, request, style, counted, kept == "all", "line" in names)
    missing = int(np.count_nonzero(motion._places < 0)) if motion._places is not None else 0
    if missing:
        _warn([f"{missing} of {len(motion)} rows are NaN: they have no estimate, as a sample or its time is missing"], "fuse")
    _warn(motion.warnings, "fuse")
    return motion


def _kept_rows(rows: Optional[str], taken: Log, options: Mapping[str, Any]) -> str:
    """Returns which rows a fusion returns, "all" or "fused"."""
    if rows not in (None, "all", "fused"):
        raise UsageError(f"rows is 'all' or 'fused', not {rows!r}")
    has_all = taken.rows is not None and options.get("rate") is None
    if rows == "all" and not has_all:
        raise UsageError("rows='all' needs arrays or a table, and no rate")
    return rows or ("all" if has_all and not taken.is_table else "fused")


def _names(columns: Any) -> List[str]:
    """Returns the names of columns in a list or in a string with commas."""
    if columns is None:
        return ["standard"]
    return columns.split(",") if isinstance(columns, str) else [str(name) for name in columns]


def fuse_to(
    source: Source, output: Union[str, "os.PathLike[str]"], *, progress: Progress = None, **options: Unpack[FuseToOptions]
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
    _warn(facts["warnings"], "fuse_to")
    return facts


def check_options(options: Mapping[str, Any]) -> None:
    """Checks the options of `fuse_to` without a log.

    Raises:
        UsageError: an option is not valid.
    """
    try:
        # Options are checked before the log is opened, which does not exist.
        _ask("fuse_to", {"output": os.devnull + "/none.parquet", **options}, Log(os.devnull + "/none"), None)
    except DataError:
        pass


def _find(
    kind: Type[_Found], function: str, source: Union[Source, Log], options: Mapping[str, Any], progress: Progress
) -> _Found:
    taken, rest = _taken(source, options)
    answer, _ = _ask(function, rest, taken, progress)
    found = kind(json.loads(answer.document))
    _warn(found.warnings, function)
    return found


def _taken(source: Union[Source, Log], options: Mapping[str, Any]) -> Tuple[Log, Dict[str, Any]]:
    """Returns the log of a source or of the arrays among the options, and the other options."""
    if isinstance(source, Log):
        return source, dict(options)
    arrays = {name: options.get(name) for name in ("time", "acceleration", "rotation_rate", "magnetic_field", "pressure")}
    return log(source, arrays), {name: value for name, value in options.items() if name not in arrays}


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
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """Evaluates filters, or an existing estimate, against a reference, as `inertial evaluate` does.

    Args:
        source: the path of a log or a folder of logs, or as for `fuse`.
        filters: the filters' names. Default: all.
        smooth: whether to evaluate the filters' offline forms.
        reference: a reference for a log without one: a path, or a pair of times (s on the log's clock, or points in time)
            and orientations, an array (rows, 4) or a SciPy Rotation, device to earth; specify `reference_frame` ("enu",
            "nwu", "ned").
        estimate: an estimate in the same form, evaluated instead of filters.
        order: the order of quaternions in arrays.
        cost: whether to measure the time of each filter.
        progress: as for `fuse`.
        options: every other option of `inertial evaluate`: `align`, `align_clock`, `skip`, `frame`, `parameters` ...

    Returns:
        The errors in degrees, one row per log and filter, and `summaries`.
    """
    check_order(order)
    # The log is made once, as a stream of a table can be read only once.
    taken, rest = _taken(source, options)
    # The unit is also that of a reference.
    unit = {**taken.options, **rest}.get("time_unit")
    with orientations(reference, order, "reference", unit) as truth, orientations(estimate, order, "estimate", unit) as guess:
        chosen = {"filters": filters, "smooth": smooth, "reference": truth, "estimate": guess, "cost": cost}
        found = _find(Evaluation, "evaluate", taken, {**chosen, **rest}, progress)
    # The names of temporary files mean nothing afterwards.
    for name, value, path in (("reference", reference, truth), ("estimate", estimate, guess)):
        if path is not None and not isinstance(value, (str, bytes, os.PathLike)):
            found._replace(path, f"<{name}>")
    return found


def shakes(source: Source = None, *, progress: Progress = None, **options: Unpack[ShakeOptions]) -> Shakes:
    """Finds the shakes in a log, as `inertial shake` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `detector`, `sensitivity`, `parameters`, `continuous`, and the options of `read`.
    """
    return _find(Shakes, "shakes", source, options, progress)


def activity(source: Source = None, *, progress: Progress = None, **options: Unpack[ActivityOptions]) -> Activities:
    """Classifies the activities in a log, as `inertial activity` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `online`, `placement` ("trunk", "thigh"), `model`, and the options of `read`.
    """
    return _find(Activities, "activity", source, options, progress)


def steps(source: Source = None, *, progress: Progress = None, **options: Unpack[StepOptions]) -> Steps:
    """Counts the steps in a log, as `inertial steps` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`.
        progress: as for `fuse`.
        options: `height` (m), and the options of `read`.
    """
    return _find(Steps, "steps", source, options, progress)


def altitude(source: Source = None, *, progress: Progress = None, **options: Unpack[AltitudeOptions]) -> Altitudes:
    """Estimates altitude, vertical speed and floors from a log with a barometer, as `inertial altitude` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate` and `pressure` (kPa).
        progress: as for `fuse`.
        options: `online`, `rate` (Hz), `all`, `barometer_lag` (s), `floor_height` (m), and the options of `read`.
    """
    return _find(Altitudes, "altitude", source, options, progress)


def inspect(source: Source = None, *, progress: Progress = None, **options: Unpack[InspectOptions]) -> Inspection:
    """Reports the contents and the problems of a log, as `inertial inspect` does."""
    return _find(Inspection, "inspect", source, options, progress)


Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]], None]


def track(
    source: Source = None,
    output: Union[str, "os.PathLike[str]", None] = None,
    *,
    time: Any = None,
    acceleration: Any = None,
    rotation_rate: Any = None,
    magnetic_field: Any = None,
    progress: Progress = None,
    **options: Unpack[TrackOptions],
) -> Path:
    """Estimates the path of a device, as `inertial track` does: positions and velocities with their sigmas.

    Args:
        source: as for `fuse`; or give arrays.
        output: the path of a dataset that is written instead of returning rows.
        progress: as for `fuse`.
        options: `on` ("foot", "pocket", "hand", "body", "vehicle"), `height` (m), `closed`, `map` (the path of a map, with an
            output), and the options of `fuse`.

    Returns:
        The rows, and the length, the end and its sigma in `facts`. Without information about the path, the rows are NaN and
        `lack` states what is missing.
    """
    arrays = {"acceleration": acceleration, "rotation_rate": rotation_rate, "magnetic_field": magnetic_field}
    source_log = log(source, {"time": time, **arrays})
    chosen = {"output": output, "recognitions": "track", **options}
    answer, _ = _ask("track", chosen, source_log, progress)
    path = Path(answer)
    _warn(path.warnings, "track")
    return path


def convert(
    source: Source, output: Union[str, "os.PathLike[str]"], *, progress: Progress = None, **options: Unpack[ConvertOptions]
) -> Conversion:
    """Converts a log to another format without fusion, as `inertial convert` does.

    Args:
        source: as for `fuse`.
        output: the file or folder; its extension determines the format.
        progress: as for `fuse`.
        options: `format` ("csv", "euroc", "bids", "npz", "parquet", "mcap", "hdf5"), `force`, `strict`, `noise` (for euroc),
            `relative_time`, `header_units`, `metadata`, `bids_subject`, `bids_task`, and the options of `read`.
    """
    return _find(Conversion, "convert", source, {"output": os.fspath(output), **options}, progress)


def allan(source: Source = None, *, output: Paths = None, progress: Progress = None, **options: Unpack[AllanOptions]) -> Noise:
    """Measures the noise of sensors at rest by Allan deviations, as `inertial allan` does.

    Args:
        source: as for `fuse`; or give `time`, `acceleration`, `rotation_rate`, `magnetic_field`.
        output: files to write: `noise.json` for `noise=`, `imu.yaml` for Kalibr, `curves.csv`.
        progress: as for `fuse`.
        options: `deviations`, `times`, `confidence` (0 to 1), `start` and `end` (s), `force`, and the options of `read`.
    """
    return _find(Noise, "allan", source, {"outputs": listed(output), **options}, progress)


def calibrate(
    sources: Union[Paths, Source] = None, *, output: Paths = None, progress: Progress = None, **options: Unpack[CalibrateOptions]
) -> Calibration:
    """Calibrates accelerometer, gyroscope and magnetometer from logs of one device, as `inertial calibrate` does.

    Args:
        sources: the paths of logs; or one log, or arrays, as for `fuse`.
        output: files to write: `calibration.json` for `calibration=`, `imu.yaml` for Kalibr.
        progress: as for `fuse`.
        options: `device` (its name), `gravity` (m/s²), `compare` (a calibration), `latitude`, `longitude`, `date`, `force`, and
            the options of `read`.
    """
    return _many(Calibration, "calibrate", sources, {"outputs": listed(output), **options}, progress)


def evaluate_events(
    sources: Union[Paths, Source],
    task: str,
    *,
    labels: Union[str, "os.PathLike[str]", None] = None,
    progress: Progress = None,
    **options: Unpack[EventOptions],
) -> EventEvaluation:
    """Evaluates detectors against labels, as `inertial evaluate-events` does.

    Args:
        sources: the paths of logs or folders; or one log, as for `fuse`.
        task: "shake", "activity", "steps" or "falls".
        labels: the path of a CSV file with the columns start, end, label, and recording for several logs.
        progress: as for `fuse`.
        options: `event`, `detectors`, `sensitivities`, `parameters`, `window` (s), `tolerance` (s), `skip` (s), `model`,
            `windows_alone`, and the options of `read`.
    """
    return _many(EventEvaluation, "evaluate_events", sources, {"task": task, "labels": labels, **options}, progress)


def _many(
    kind: Type[_Found], function: str, sources: Any, options: Mapping[str, Any], progress: Progress
) -> _Found:
    """Asks for a job on several logs."""
    if isinstance(sources, Recording):
        options = {**{name: value for name, value in sources._options.items() if takes(function, name)}, **options}
        sources = sources._absolute
    is_paths = isinstance(sources, (list, tuple)) and all(isinstance(path, (str, bytes, os.PathLike)) for path in sources)
    if isinstance(sources, (str, bytes, os.PathLike)) or is_paths:
        answer, _ = _ask(function, {"inputs": listed(sources), **options}, Log(None), progress)
        found = kind(json.loads(answer.document))
        _warn(found.warnings, function)
        return found
    return _find(kind, function, sources, options, progress)


def simulate(
    scenario: str, output: Union[str, "os.PathLike[str]"], *, parameters: Optional[Mapping[str, float]] = None,
    **options: Unpack[SimulateOptions],
) -> Simulated:  # fmt: skip
    """Simulates a log with its true attitude, as `inertial simulate` does: `log.csv` and `truth.csv` in a folder.

    Args:
        scenario: the name of a scenario or scene: `inertial simulate --help` lists them.
        output: the folder.
        parameters: the parameters of the scenario, by name.
        options: `sensors`, `duration` (s), `seed`, `force`.
    """
    chosen = {"scenario": scenario, "output": os.fspath(output), "parameters": parameters, **options}
    answer, _ = _ask("simulate", chosen, Log(None), None)
    return Simulated(json.loads(answer.document))


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
