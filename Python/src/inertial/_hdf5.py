"""Reads HDF5 by h5py, for a library that was built without HDF5, as the one of the wheel."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from ._errors import DataError

# What the library's message contains if it was built without HDF5.
LACK = "cannot read HDF5"


def table(path: str, problem: DataError) -> "Optional[Tuple[Dict[str, np.ndarray[Any, Any]], Dict[str, Any]]]":
    """Returns the columns of a recording of BROAD or of a dataset of Inertial, and their options, or `None` for other files.

    Raises:
        DataError: h5py is not installed, or the file is damaged.
    """
    try:
        import h5py
    except ImportError:
        raise DataError(f"{path}: this package reads HDF5 by h5py, which is not installed: pip install h5py") from problem
    try:
        with h5py.File(path, "r") as file:
            if "imu_acc" in file and "imu_gyr" in file:
                names = {"acceleration": "imu_acc", "rotation_rate": "imu_gyr", "magnetic_field": "imu_mag"}
                columns = {name: file[place][()] for name, place in names.items() if place in file}
                units = {"acceleration_unit": "m/s2", "acceleration_sign": "specific-force", "rotation_unit": "rad/s"}
                # The data set is published calibrated.
                field = {"field_unit": "uT", "field": "calibrated"} if "magnetic_field" in columns else {}
                return columns, {**units, **field, "sample_rate": float(file.attrs["sampling_rate"])}
            groups = [group for group in file.values() if isinstance(group, h5py.Group) and "time" in group]
            if len(groups) == 1:
                # The time comes first, as in other tables.
                order = ["time", *(name for name in groups[0] if name != "time")]
                return {name: groups[0][name][()] for name in order}, {}
    except (OSError, KeyError, TypeError) as error:
        raise DataError(f"{path}: h5py cannot read it: {error}") from None
    return None
