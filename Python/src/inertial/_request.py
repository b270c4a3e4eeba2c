"""Converts keyword arguments to JSON requests of the library."""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Callable, Dict, Mapping, Tuple, Union

import numpy as np

from ._errors import UsageError

Request = Dict[str, Any]
# The member of a request that a keyword argument sets, by its path, and its value if it is not the argument itself.
_Member = Union[str, Tuple[str, Callable[[Any], Any]]]


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)


def _same(names: str, prefix: str = "") -> Dict[str, _Member]:
    return {name: prefix + _camel(name) for name in names.split()}


def _parameters(value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise UsageError(f"parameters are numbers by name, such as {{'tauAcc': 2}}, not {value!r}")
    return value


_LOG = {
    **_same("sample_rate columns acceleration_unit acceleration_sign rotation_unit field_unit time_unit", "log."),
    **_same("body axes calibration", "log."),
    "where": "log.conditions",
}
_PLACE = {**_same("latitude longitude altitude", "location."), "date": "date"}
_FILTER: Dict[str, _Member] = {"parameters": ("settings", _parameters), "noise": "noise"}
_SOUND: Dict[str, _Member] = {
    "sound": "sound.path",
    "sound_start": "sound.start",
    "sound_weighting": "sound.frequencyWeighting",
    "sound_time": "sound.timeWeighting",
}
_BIDS: Dict[str, _Member] = {
    "bids_subject": "bids.subject", "bids_task": "bids.task", "bids_tracksys": "bids.trackingSystem",
}  # fmt: skip
_STREAM: Dict[str, _Member] = {
    **_same("filter rate gaps recognitions placement channels strict"), **_LOG, **_PLACE, **_FILTER,
    "smooth": "smooths",
    "online": "isCausal",
    "align": "aligns",
    "frame": "motion.frame",
    "field": "motion.field",
    "pointing": "motion.pointingAxis",
    "gap": "motion.longestInterpolation",
    "columns_out": "columns",
    "relative_time": "startsAtZero",
    "relative_to": "relativeTo",
    "on": "track.carrying",
    "height": "track.height",
    "with": "recognitions",
    "with_channels": "channels",
    **_BIDS,
    "about": "about",
}  # fmt: skip
_FILES: Dict[str, _Member] = {
    **_same("force digits"), "format": "formats", "lists": "writesLists", "header_units": "writesUnits",
}  # fmt: skip


def _options(members: Mapping[str, _Member]) -> Dict[str, _Member]:
    """Returns members of the object `options`."""
    return {
        name: "options." + member if isinstance(member, str) else ("options." + member[0], member[1])
        for name, member in members.items()
    }


def _cores(value: Any) -> bool:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise UsageError(f"jobs is a number of cores, 1 or more, not {value!r}")
    return bool(value != 1)


_FUSE: Dict[str, _Member] = {**_options({**_STREAM, **_SOUND}), "jobs": ("isOverlapped", _cores)}

# The keyword arguments of each function.
_MEMBERS: Dict[str, Mapping[str, _Member]] = {
    "read": {**_LOG, "channels": "channels", "with_channels": "channels"},
    "fuse": _FUSE,
    "fuse_to": {**_FUSE, **_options({**_FILES, "metadata": "writesMetadata"}), "output": "output"},
    "write": {**_FILES, "output": "output"},
    "Estimator": _STREAM,
    "inspect": {**_LOG, **_SOUND, "guess": "guesses"},
    "evaluate": {
        **_LOG, **_PLACE, **_FILTER, **_same("task filters field frame reference reference_frame clock_shift skip"),
        **_same("estimate_frame groups on height"),
        "smooth": "smooths",
        "device": "judgesDevice",
        "innovations": "talliesMeasurements",
        "estimate": "estimatePath",
        "cost": "measuresCost",
        "group_by": "groupRule",
        "align": "alignment",
        "align_clock": "alignsClock",
        "closed": "isClosed",
        "online": "isCausal",
        "withhold": "withheld",
        "over": "interval",
    },
    "shakes": {
        **_LOG, "parameters": ("settings", _parameters), **_same("sensitivity maximum_duration"),
        "detector": "detectors",
        "continuous": "isContinuous",
    },
    "activity": {**_LOG, **_same("placement model"), "online": "isLive", "live": "isLive"},
    "steps": {**_LOG, "height": "height"},
    "altitude": {**_LOG, **_same("rate all barometer_lag floor_height"), "online": "isCausal"},
    "track": {
        **_options({**_STREAM, **_FILES}), "closed": "options.track.isClosed", "output": "output", "map": "map",
    },
    "convert": {
        **_LOG, **_BIDS, **_same("output format noise force strict"), "metadata": "writesMetadata",
        "relative_time": "startsAtZero", "header_units": "writesUnits",
    },
    "allan": {**_LOG, **_same("deviations times confidence start end outputs force")},
    "calibrate": {**_LOG, **_PLACE, **_same("inputs device gravity compare outputs force")},
    "evaluate_events": {
        **_LOG, **_same("inputs task labels event detectors sensitivities window tolerance skip model windows_alone"),
        "parameters": ("settings", _parameters),
    },
    "simulate": {
        **_same("scenario output sensors duration seed force"), "parameters": ("settings", _parameters),
    },
}  # fmt: skip


def members(function: str, options: Mapping[str, Any]) -> Request:
    """Converts `smooth=True, frame="..."` to `{"options": {"smooths": True, "motion": {"frame": "..."}}}`."""
    known = _MEMBERS[function]
    request: Request = {}
    taken: Dict[str, str] = {}
    for name, value in options.items():
        if value is None:
            continue
        if name not in known:
            raise UsageError(f"{function} takes no {name}; it takes {', '.join(sorted(known))}")
        member = known[name]
        path, value = (member, value) if isinstance(member, str) else (member[0], member[1](value))
        if path in taken:
            raise UsageError(f"{taken[path]} and {name} are the same option; give one of them")
        taken[path] = name
        *parents, last = path.split(".")
        place = request
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    return request


def takes(function: str, option: str) -> bool:
    """Returns whether a function has a keyword argument."""
    return option in _MEMBERS[function]


def text(request: Request) -> str:
    """Returns the request as JSON."""
    return json.dumps(_plain(request), allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Mapping):
        return {str(name): _plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    word = os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)
    if any("\ud800" <= character <= "\udfff" for character in word):
        raise UsageError(f"{word!r} is no text in UTF-8")
    return word


# The keyword arguments whose names differ from the command's options.
_OPTIONS = {"set": "parameters", "with": "recognitions"}
# An option of the command in a message.
_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")


def _keyword(option: str) -> str:
    """Returns the keyword argument of an option of the command, without its dashes."""
    return _OPTIONS.get(option, option.replace("-", "_"))


def in_keywords(function: str, message: str) -> str:
    """Returns a message with keyword arguments in place of the members that they set and of the command's options, and with the
    rows of arrays."""
    keywords = _MEMBERS.get(function, {})
    names: Dict[str, str] = {}
    for name, member in keywords.items():
        names.setdefault(member if isinstance(member, str) else member[0], name)

    def keyword(match: "re.Match[str]") -> str:
        name = _keyword(match[1])
        return name if name in keywords else match[0]

    if message.startswith("<arrays>"):
        message = in_rows(message)
    message = re.sub(r"^'([\w.]+)'", lambda match: names.get(match[1], match[0]), message)
    return _OPTION.sub(keyword, message)


def as_keywords(message: str) -> str:
    """Returns a message of the command with keyword arguments in place of its options: `--no-cost` is `no_cost`."""
    return _OPTION.sub(lambda match: _keyword(match[1]), message)


def in_rows(text: str) -> str:
    """Returns a message or document about arrays, whose lines count from 1, with the rows of the arrays, from 0."""
    text = re.sub(r"^<arrays>:(\d+)(?::\d+)?:", lambda match: f"<arrays>: row {int(match[1]) - 1}:", text)
    return re.sub(r"(\bin|,) line (\d+)", lambda match: f"{match[1]} row {int(match[2]) - 1}", text)
