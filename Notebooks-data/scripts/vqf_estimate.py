"""Writes VQF's own orientations of BROAD trials as estimates for `inertial evaluate --estimate`.

usage: vqf_estimate.py TRIAL.hdf5 OUT.csv     (needs: pip install vqf h5py)
The orientations map the sensor to ENU, as VQF and BROAD define them.
"""

import sys

import h5py
import numpy as np
from vqf import VQF


def main(trial, out):
    with h5py.File(trial) as data:
        rate = float(data.attrs["sampling_rate"])
        gyr, acc, mag = (np.ascontiguousarray(data[name][:], dtype=float) for name in ("imu_gyr", "imu_acc", "imu_mag"))
    w, x, y, z = VQF(1 / rate).updateBatch(gyr, acc, mag)["quat9D"].T
    columns = np.column_stack([np.arange(len(w)) / rate, x, y, z, w])
    np.savetxt(
        out, columns, delimiter=",", fmt="%.17g", comments="",
        header="time,quaternionX,quaternionY,quaternionZ,quaternionW")


if __name__ == "__main__":
    main(*sys.argv[1:])
