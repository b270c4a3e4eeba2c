"""Rows of the study flagship: BROAD with hard iron added to its magnetometer.

BROAD's magnetometer is calibrated well, unlike those of other devices. The residual of a calibration is constant in device
axes, so a constant is added: one vector per trial, drawn from a normal distribution with fixed seeds.
"""

import shutil
import tempfile
from pathlib import Path
from statistics import mean

import h5py
import numpy as np

from parts.flagship_parts import Row, evaluate, short, take

# The standard deviation in each axis, in µT, and the number of draws.
SIGMAS, DRAWS = (1.5, 5.0), 2


def hard_iron_rows(broad, _):
    rows = []
    for sigma in SIGMAS:
        figures = {"online": [], "smoothed": []}
        for draw in range(DRAWS):
            random = np.random.default_rng(draw)
            with tempfile.TemporaryDirectory() as folder:
                for trial in sorted(Path(broad).glob("*.hdf5")):
                    add(random.normal(0, sigma, 3), shutil.copy(trial, folder))
                for form, flags in (("online", []), ("smoothed", ["--smooth"])):
                    figures[form] += evaluate(folder, "kalman,vqf", flags)
        for form, peer in (("online", "VQF"), ("smoothed", "offlineVQF")):
            rows.append(Row(
                8, f"BROAD with {sigma:g} µT of hard iron in each axis, {form}, mean total",
                take(figures[form], "kalman", "total", mean), "°", None, None,
                f"{peer} {short(take(figures[form], 'vqf', 'total', mean))}"))
    return rows


def add(bias, trial):
    """Adds the bias, in µT, to the files' field, whose unit gives the earth's field a strength of about 50."""
    with h5py.File(trial, "r+") as data:
        field = data["imu_mag"]
        scale = 1e-6 if np.nanmedian(np.linalg.norm(field[:1000], axis=1)) < 1 else 1.0
        field[...] = field[...] + scale * bias
