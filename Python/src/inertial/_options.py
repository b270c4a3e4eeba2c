"""The types of keyword arguments, for editors and type checkers. `_request.py` has their meaning for the library."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, TypedDict, Union

Name = Union[str, "os.PathLike[str]"]
Words = Union[str, Sequence[str]]
Number = Union[int, float]


class LogOptions(TypedDict, total=False):
    """Properties that a log does not specify."""

    sample_rate: Number  # Hz
    columns: Words
    acceleration_unit: str  # "g", "m/s2", "mg", "16384/g"
    acceleration_sign: str  # "gravity", "specific-force"
    rotation_unit: str  # "rad/s", "deg/s", "131/dps"
    field_unit: str  # "uT", "nT", "mT", "gauss"
    time_unit: str  # "s", "ms", "us", "ns", "min", "h", "d"
    body: str  # "frd", "flu", "rfu"
    axes: Words
    calibration: Name
    where: Words


class _Place(TypedDict, total=False):
    latitude: Number  # degrees, south is negative
    longitude: Number  # degrees, west is negative
    altitude: Number  # m
    date: Any  # "2024-05-17", 2024.37


class _Sound(TypedDict, total=False):
    sound: Name
    sound_start: Number  # s
    sound_weighting: str
    sound_time: str


class _BIDS(TypedDict, total=False):
    bids_subject: str
    bids_task: str
    bids_tracksys: str


class _Fusion(LogOptions, _Place, _BIDS, total=False):
    noise: Name
    rate: Number  # Hz
    gaps: str  # "split", "hold", "nan"
    gap: Number  # s
    recognitions: Words  # "activity", "steps", "altitude", "shake", "falls", "posture", "track"
    placement: str  # "trunk", "thigh"
    channels: Words
    with_channels: Words
    strict: bool
    online: bool
    align: bool
    field: str  # "automatic", "raw", "calibrated"
    pointing: str  # "automatic", "+x", "-x", ...
    columns_out: Words
    relative_time: bool
    relative_to: Union[str, Number]  # "first", s
    on: str  # "auto", "foot", "pocket", "hand", "body", "vehicle"
    height: Number  # m
    about: Any


class FuseOptions(_Fusion, _Sound, total=False):
    """Options of `fuse`, except those that it names."""

    jobs: int


class EstimatorOptions(_Fusion, total=False):
    """Options of `Estimator`, except `filter`, `frame` and `order`."""

    parameters: Mapping[str, float]
    smooth: bool


class _Files(TypedDict, total=False):
    force: bool
    digits: int
    format: Words  # "csv", "hdf5", "npz", "parquet", "mcap", "bids", "tum", "euroc"
    lists: bool
    header_units: bool


class _FusionToFiles(EstimatorOptions, _Files, total=False):
    filter: str
    frame: str


class FuseToOptions(_FusionToFiles, FuseOptions, total=False):
    """Options of `fuse_to`."""

    metadata: bool


class TrackOptions(_FusionToFiles, total=False):
    """Options of `track`, except those that it names."""

    closed: bool
    map: Name


class EvaluateOptions(LogOptions, _Place, total=False):
    """Options of `evaluate`, except those that it names."""

    parameters: Mapping[str, float]
    noise: Name
    task: str
    field: str
    frame: str
    reference_frame: str  # "enu", "nwu", "ned"
    clock_shift: Number  # s
    skip: Number  # s
    estimate_frame: str
    groups: Any
    group_by: str
    on: str
    height: Number  # m
    device: bool
    innovations: bool
    align: str
    align_clock: bool
    closed: bool
    online: bool
    withhold: Any
    over: Any


class _Arrays(LogOptions, total=False):
    time: Any
    acceleration: Any
    rotation_rate: Any
    magnetic_field: Any
    pressure: Any


class ShakeOptions(_Arrays, total=False):
    """Options of `shakes`."""

    parameters: Mapping[str, float]
    sensitivity: Number  # 0 to 1
    maximum_duration: Number  # s
    detector: Words
    continuous: bool


class ActivityOptions(_Arrays, total=False):
    """Options of `activity`."""

    placement: str  # "trunk", "thigh"
    model: Name
    online: bool
    live: bool


class StepOptions(_Arrays, total=False):
    """Options of `steps`."""

    height: Number  # m


class AltitudeOptions(_Arrays, total=False):
    """Options of `altitude`."""

    rate: Number  # Hz
    all: bool
    barometer_lag: Number  # s
    floor_height: Number  # m
    online: bool


class InspectOptions(_Arrays, _Sound, total=False):
    """Options of `inspect`."""

    guess: bool


class ConvertOptions(_Arrays, _BIDS, total=False):
    """Options of `convert`, except its output."""

    format: str  # "csv", "euroc", "bids", "npz", "parquet", "mcap", "hdf5"
    noise: Name
    force: bool
    strict: bool
    metadata: bool
    relative_time: bool
    header_units: bool


class AllanOptions(_Arrays, total=False):
    """Options of `allan`, except its output."""

    deviations: Any
    times: Any
    confidence: Number  # 0 to 1
    start: Number  # s
    end: Number  # s
    force: bool


class CalibrateOptions(_Arrays, _Place, total=False):
    """Options of `calibrate`, except its outputs."""

    device: str
    gravity: Number  # m/s2
    compare: Name
    force: bool


class EventOptions(_Arrays, total=False):
    """Options of `evaluate_events`, except its task and labels."""

    event: str
    detectors: Words
    sensitivities: Any
    parameters: Mapping[str, float]
    window: Number  # s
    tolerance: Number  # s
    skip: Number  # s
    model: Name
    windows_alone: bool


class SimulateOptions(TypedDict, total=False):
    """Options of `simulate`, except its scenario, output and parameters."""

    sensors: str
    duration: Number  # s
    seed: int
    force: bool
