"""Conventions of other software for units, signs, frames and quaternions."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence

import numpy as np

from ._errors import UsageError
from ._library import Table

GRAVITY = 9.80665


class Convention(NamedTuple):
    """The units, signs and frame of vectors and attitudes. The field is in µT and rates are in rad/s in all of them."""

    name: str
    #: Whether accelerations are specific forces in m/s²: (0, 0, 9.81) at rest face up.
    is_specific_force: bool
    #: Whether frames of north are ENU (x east, y north, z up) instead of x north, y west, z up, and roll, pitch and yaw
    #: rotate about the fixed axes x, y and z, in this order.
    is_enu: bool
    #: The order of quaternions.
    order: str


_ALL = {
    "core-motion": Convention("core-motion", False, False, "xyzw"),
    "si": Convention("si", True, False, "xyzw"),
    "ros": Convention("ros", True, True, "xyzw"),
    "vqf": Convention("vqf", True, True, "wxyz"),
}


def named(name: Optional[str]) -> Convention:
    """Returns the convention of a name; Core Motion's for `None`."""
    found = _ALL.get(name or "core-motion")
    if found is None:
        raise UsageError(f"convention is one of {', '.join(map(repr, _ALL))}, not {name!r}")
    return found


def arrays(convention: Convention) -> Dict[str, Any]:
    """Returns the options for arrays in a convention."""
    if not convention.is_specific_force:
        return {}
    return {"acceleration_unit": "m/s2", "acceleration_sign": "specific-force"}


def converted(table: Table, convention: Convention, has_north: bool) -> Table:
    """Returns fused rows in a convention: the same table, or a copy.

    Args:
        has_north: whether the reference frame has north. The x axis of other frames is arbitrary in all conventions.
    """
    if not convention.is_specific_force:
        return table
    values = table.values.copy()
    places = {name: place for place, name in enumerate(table.columns)}
    units = list(table.units)
    for head in ("gravity", "userAcceleration"):
        for axis in "XYZ":
            if head + axis in places:
                values[places[head + axis]] *= -GRAVITY
                units[places[head + axis]] = "m/s2"
    if convention.is_enu:
        if has_north:
            _turn(values, places)
        _set_angles(values, places)
    values.flags.writeable = False
    return table._replace(values=values, units=units)


def _turn(values: "np.ndarray[Any, Any]", places: Dict[str, int]) -> None:
    """Rotates attitudes, positions and velocities from x north, y west to x east, y north: by 90° about z."""
    names = ["quaternion" + axis for axis in "XYZW"]
    if all(name in places for name in names):
        rows = [places[name] for name in names]
        x, y, z, w = values[rows]
        half = np.sqrt(0.5)
        values[rows] = np.stack([half * (x - y), half * (y + x), half * (z + w), half * (w - z)])
    for head in ("attitudeSigma", "position", "velocity", "positionSigma", "velocitySigma"):
        if head + "X" in places and head + "Y" in places:
            x, y = places[head + "X"], places[head + "Y"]
            sign = 1 if head.endswith("Sigma") else -1
            values[[x, y]] = np.stack([sign * values[y], values[x]])


def _set_angles(values: "np.ndarray[Any, Any]", places: Dict[str, int]) -> None:
    """Sets roll, pitch and yaw to the rotations about the fixed axes x, y and z that give the quaternion."""
    _set_angles_of("quaternion", ("roll", "pitch", "yaw"), values, places)
    _set_angles_of("relativeQuaternion", ("relativeRoll", "relativePitch", "relativeYaw"), values, places)


def _set_angles_of(
    quaternion: str, wanted: Sequence[str], values: "np.ndarray[Any, Any]", places: Dict[str, int]
) -> None:
    """Sets the wanted angles to those of a quaternion, as `_set_angles`."""
    names = [quaternion + axis for axis in "XYZW"]
    angles = [name for name in wanted if name in places]
    if not angles:
        return
    if not all(name in places for name in names):
        raise UsageError(f"{', '.join(angles)} of this convention need the quaternion; add it to columns_out")
    x, y, z, w = values[[places[name] for name in names]]
    found = (
        np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        np.arcsin(np.clip(2 * (w * y - z * x), -1, 1)),
        np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    )
    for name, angle in zip(wanted, found):
        if name in places:
            values[places[name]] = angle
