"""Compares Inertial's filters with ahrs and imufusion on the same numbers and gains.

usage: same_as_ahrs.py DATA [--samples N] [--trials N]     (make study NAME=same-as-ahrs DATA=folder)
       the first N trials of DATA/broad (default 3, 0 = all), N samples of each log (default 20000, 0 = all)
       Exit status 1 if an attitude differs by more than 1e-6 rad.

Differences between the packages, and their treatment:
- Order: Inertial uses x, y, z, w; both packages use w, x, y, z. All map the device to the earth.
- Earth frame: Z is up in all. X is north in Inertial, in ahrs' Madgwick (its field reference is (b_x, 0, b_z)) and in
  imufusion's NWU; in ahrs' Mahony Y is north (its reference is (0, h, h_z)), so its attitudes are rotated by -90 degrees
  about Z, which maps north to X.
- Acceleration: both packages take the specific force, up at rest; Inertial uses Core Motion's sign, down at rest. The
  magnitude does not matter.
- Gains: ahrs' Madgwick `gain` is the report's beta (rad/s); its Mahony `k_P`, `k_I` are the paper's, with the field's
  error at weight 1. It has no zeta, so Inertial's is 0. All three step with q + q' dt (integrationOrder 1).
- Bias: ahrs' Mahony, like Inertial's, updates the bias first and then integrates with the updated bias.
- Start: ahrs computes its own initial attitudes (Madgwick's MARG form ignores q0), so its update functions are called
  row by row, from Inertial's attitude after the first row.
- ahrs does not change the attitude if the rate is exactly zero; both get 1e-12 rad/s about X instead.
- imufusion holds the heading at zero without a field while its gain is ramped down. Its 6-axis attitudes are evaluated
  after the ramp, less the constant heading difference at that time.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import ahrs.filters
import h5py
import imufusion
import numpy as np

from parts.flagship_parts import ROOT
from parts.flagship_parts import product as program

GRAVITY = 9.80665
# The gains of the BROAD paper (Laidig et al. 2021), and a larger integral gain.
MAHONY_GAINS = [(0.74, 0.0012), (0.74, 0.05)]
MADGWICK_GAINS = [0.12, 0.041]
LIMIT = 1e-6
# The hard iron of the simulated phone (SensorSuite.phone), µT.
HARD_IRON = [35, -70, -110]


def broad(path):
    with h5py.File(path) as data:
        rate = float(data.attrs["sampling_rate"])
        gyr, acc, mag = (np.asarray(data[name][:], dtype=float) for name in ("imu_gyr", "imu_acc", "imu_mag"))
    table = np.column_stack([np.arange(len(gyr)) / rate, gyr, -acc / GRAVITY, mag])
    table[(gyr == 0).all(axis=1), 1] = 1e-12
    return table[np.isfinite(table).all(axis=1)]


def simulated(path):
    """Returns the rows with all three sensors, without the hard iron of the simulated phone."""
    with open(path) as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:] if all(row)]
    data = np.array(rows)
    return np.column_stack([data[:, 0], data[:, 4:7], data[:, 1:4], data[:, 7:10] - HARD_IRON])


def ours(program, table, name, settings):
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/table.csv", f"{folder}/quaternions.csv"
        np.savetxt(source, table, delimiter=",", fmt="%.17g")
        words = [f"{key}={value}" for key, value in settings.items()]
        subprocess.run([program, source, target, name, *words], check=True)
        return np.loadtxt(target, delimiter=",")[:, [3, 0, 1, 2]]


def product(a, b):
    (aw, ax, ay, az), (bw, bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([
        aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw], axis=-1)


def angles(a, b):
    difference = product(a * [1, -1, -1, -1], b)
    return 2 * np.arctan2(np.linalg.norm(difference[..., 1:], axis=-1), np.abs(difference[..., 0]))


def by_ahrs(estimator, table, start, turn):
    """Runs row by row from Inertial's first attitude; `turn` maps the package's earth frame to Inertial's."""
    back = turn * [1, -1, -1, -1]
    attitude = product(back, start)
    attitudes = [attitude]
    for previous, row in zip(table[:-1], table[1:]):
        dt, gyr, acc = row[0] - previous[0], row[1:4], -row[4:7]
        if len(row) == 10:
            attitude = estimator.updateMARG(attitude, gyr, acc, row[7:10], dt=dt)
        else:
            attitude = estimator.updateIMU(attitude, gyr, acc, dt=dt)
        attitudes.append(np.asarray(attitude))
    return product(turn, np.array(attitudes))


def without_heading_difference(theirs, own):
    """Rotates all attitudes by the heading difference of the first."""
    difference = product(theirs[0], own[0] * [1, -1, -1, -1])
    turn = np.array([difference[0], 0, 0, -difference[3]]) / np.hypot(difference[0], difference[3])
    return product(turn, theirs)


def by_imufusion(table, start, settings):
    rate = (len(table) - 1) / (table[-1, 0] - table[0, 0])
    estimator = imufusion.Ahrs()
    estimator.set_settings(imufusion.AhrsSettings(
        sample_rate=rate, convention=imufusion.CONVENTION_NWU, gain=settings["gain"],
        gyroscope_range=0, acceleration_rejection=np.degrees(settings["accelerationRejection"]),
        magnetic_rejection=np.degrees(settings["magneticRejection"]),
        rejection_timeout=settings["recoveryTriggerPeriod"]))
    estimator.set_quaternion(start)
    attitudes = [start]
    for row in table[1:]:
        if len(row) == 10:
            estimator.update(np.degrees(row[1:4]), -row[4:7], row[7:10])
        else:
            estimator.update_no_magnetometer(np.degrees(row[1:4]), -row[4:7])
        attitudes.append(np.asarray(estimator.get_quaternion(), dtype=float))
    return np.array(attitudes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--trials", type=int, default=3)
    options = parser.parse_args()
    options.program = program("TraceFilter")

    paths = sorted((options.data / "broad").glob("*.hdf5"))
    tables = [(path.stem, broad(path)) for path in paths[: options.trials or None]]
    tables += [(f"simulated {name}", simulated(ROOT / "Notebooks-data/logs" / f"{name}.csv")) for name in ("walk", "random-spline")]

    print(__doc__.split("\n\n", 2)[2])
    common = {"startUpDuration": 0, "integrationOrder": 1}
    none, eastToNorth = np.array([1.0, 0, 0, 0]), np.array([0.5**0.5, 0, 0, -(0.5**0.5)])
    worst = 0.0
    print(f"{'log':<44} {'rows':>7} {'sensors':>7}  {'filter and gains':<34} largest, rad")
    for name, whole in tables:
        whole = whole[: options.samples or None]
        for sensors, table in (("6-axis", whole[:, :7]), ("9-axis", whole)):
            runs = []
            for k_p, k_i in MAHONY_GAINS:
                own = ours(options.program, table, "mahony", common | {"kP": k_p, "kI": k_i, "magneticWeight": 1})
                estimator = ahrs.filters.Mahony(k_P=k_p, k_I=k_i)
                runs.append((f"mahony kP={k_p} kI={k_i}", own, by_ahrs(estimator, table, own[0], eastToNorth)))
            for beta in MADGWICK_GAINS:
                own = ours(options.program, table, "madgwick", common | {"beta": beta, "zeta": 0})
                estimator = ahrs.filters.Madgwick(gain=beta)
                runs.append((f"madgwick beta={beta}", own, by_ahrs(estimator, table, own[0], none)))
            for what, own, theirs in runs:
                largest = angles(own, theirs).max()
                worst = max(worst, largest if np.isfinite(largest) else np.inf)
                print(f"{name:<44} {len(table):>7} {sensors:>7}  {what:<34} {largest:.1e}", flush=True)

    print(f"\nlargest: {worst:.1e} rad; allowed: {LIMIT:.0e} rad\n")
    print("revised-madgwick against imufusion, from the same attitude, ramp of the gain included. imufusion computes in")
    print("single precision, whose errors of 1e-7 rad a row gather up, and with an approximate inverse square root; where it")
    print("rejects, a sample near the threshold may be taken by one and not by the other. Only reported.")
    for name, whole in tables:
        whole = whole[: options.samples or None]
        for sensors, table in (("6-axis", whole[:, :7]), ("9-axis", whole)):
            for what, angle, period in (("without rejection", 0, 0), ("rejection at 10 degrees", np.radians(10), 5)):
                settings = {
                    "gain": 0.5, "accelerationRejection": angle, "magneticRejection": angle,
                    "recoveryTriggerPeriod": period}
                own = ours(
                    options.program, table, "revised-madgwick",
                    common | settings | {"magneticWeight": 1, "stationaryThreshold": 0})
                theirs = by_imufusion(table, own[0], settings)
                if sensors == "6-axis":
                    later = table[:, 0] > table[0, 0] + 3.1
                    own, theirs = own[later], without_heading_difference(theirs[later], own[later])
                difference = angles(own, theirs)
                print(
                    f"{name:<44} {len(table):>7} {sensors:>7}  {what:<34} {difference.max():.1e}"
                    f"  median {np.median(difference):.1e}", flush=True)
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
