"""Checks the evaluation itself: VQF's own orientations of BROAD trials, evaluated by `inertial evaluate --estimate`.

usage: harness.py DATA     (make study NAME=harness DATA=folder; DATA/broad holds BROAD's .hdf5 trials)
Prints the errors of each trial and their means, in degrees. The orientations map the sensor to ENU, as VQF and BROAD define
them.
"""

import csv
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from vqf import VQF

from parts.flagship_parts import INERTIAL, run


def write_estimate(trial, out):
    with h5py.File(trial) as data:
        rate = float(data.attrs["sampling_rate"])
        gyr, acc, mag = (np.ascontiguousarray(data[name][:], dtype=float) for name in ("imu_gyr", "imu_acc", "imu_mag"))
    w, x, y, z = VQF(1 / rate).updateBatch(gyr, acc, mag)["quat9D"].T
    columns = np.column_stack([np.arange(len(w)) / rate, x, y, z, w])
    np.savetxt(
        out, columns, delimiter=",", fmt="%.17g", comments="",
        header="time,quaternionX,quaternionY,quaternionZ,quaternionW")


def main(folder):
    trials = sorted(folder.glob("*.hdf5"))
    if not trials:
        sys.exit(f"error: there is no .hdf5 file in {folder}; give the folder of BROAD's trials")
    errors = []
    print(f"{'trial':44} {'total':>8} {'heading':>8} {'inclination':>12}")
    with tempfile.TemporaryDirectory() as work:
        estimate = str(Path(work, "estimate.csv"))
        for trial in trials:
            write_estimate(trial, estimate)
            rows = list(csv.reader(run(INERTIAL, "evaluate", str(trial), "--estimate", estimate, "--csv").splitlines()))
            errors.append([float(cell) for cell in rows[-1][2:5]])
            print(f"{trial.stem:44} {errors[-1][0]:8.3f} {errors[-1][1]:8.3f} {errors[-1][2]:12.3f}", flush=True)
    total, heading, inclination = np.mean(errors, axis=0)
    print(f"{f'mean of {len(trials)}':44} {total:8.3f} {heading:8.3f} {inclination:12.3f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1], "broad"))
