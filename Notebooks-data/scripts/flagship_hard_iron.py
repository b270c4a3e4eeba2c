"""Rows of compare_flagship: BROAD with a field of the device's own added to its magnetometer.

BROAD's magnetometer is calibrated well; those of other devices are not. What a calibration leaves is constant in device
axes, so that is what is added: one vector for each trial, drawn from a normal distribution with fixed seeds.
"""

import shutil
import tempfile
from pathlib import Path
from statistics import mean

import h5py
import numpy as np

from flagship_parts import Row, evaluate, short, take

# µT in each axis, and how often another vector is drawn.
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
    """The bias is in µT and the files' field in the unit of their strength, about 50 of which are the earth's."""
    with h5py.File(trial, "r+") as data:
        field = data["imu_mag"]
        scale = 1e-6 if np.nanmedian(np.linalg.norm(field[:1000], axis=1)) < 1 else 1.0
        field[...] = field[...] + scale * bias
