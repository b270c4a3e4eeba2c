"""Compares Inertial's VQF with the published package, sample by sample: full, basic and offline, with field and without.

usage: same_as_vqf.py DATA [LOG.csv ...]     (make study NAME=same-as-vqf DATA=folder)
The logs are the trials in DATA/broad, the sample logs and canonical raw CSV files. Exit status 1 if an attitude differs by
more than 1e-6 rad.
Both sides read the same file. Inertial returns north-west-up, the package east-north-up, which is rotated by 90° about Z.
"""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from vqf import VQF, BasicVQF, offlineVQF

from parts.flagship_parts import ROOT, product

STANDARD_GRAVITY = 9.80665
TOLERANCE = 1e-6
NAMES = ["acceleration", "rotationRate", "magneticField"]


def read_broad(path):
    with h5py.File(path) as data:
        rate = float(data.attrs["sampling_rate"])
        gyr, acc, mag = (np.ascontiguousarray(data[n][:], dtype=float) for n in ("imu_gyr", "imu_acc", "imu_mag"))
    return gyr, acc, mag, rate


def read_csv(path):
    """Returns times and the three sensors, with rows of NaN for missing samples."""
    with open(path) as file:
        rows = list(csv.DictReader(file))
    number = lambda text: float(text) if text else np.nan
    time = np.array([float(row["time"]) for row in rows])
    acc, gyr, mag = (np.array([[number(row[n + a]) for a in "XYZ"] for row in rows]) for n in NAMES)
    return time, gyr, -STANDARD_GRAVITY * acc, mag


def write_filled(path, time, gyr, acc, mag):
    """Returns the log with the field interpolated to every row, which the package's offline form needs."""
    has = ~np.isnan(mag[:, 0])
    mag = np.column_stack([np.interp(time, time[has], mag[has, i]) for i in range(3)])
    header = ["time"] + [n + a for n in NAMES for a in "XYZ"]
    with open(path, "w") as file:
        file.write(",".join(header) + "\n")
        for row in np.column_stack([time, acc / -STANDARD_GRAVITY, gyr, mag]):
            file.write(",".join(repr(float(v)) for v in row) + "\n")


def rate_of(time, values):
    times = time[~np.isnan(values[:, 0])]
    return float(np.round((len(times) - 1) / (times[-1] - times[0]), 6))


def published_mixed(kind, gyr, acc, mag, rates):
    """Runs row by row, with each sensor that has a sample."""
    filter = (VQF if kind == "vqf" else BasicVQF)(*(1 / rate for rate in rates))
    keys = ["quat6D", "quat9D", "bias", "restDetected", "magDistDetected"]
    out = {key: [] for key in keys}
    for g, a, m in zip(gyr, acc, mag):
        filter.updateGyr(g)
        if not np.isnan(a[0]):
            filter.updateAcc(a)
        if not np.isnan(m[0]):
            filter.updateMag(m)
        out["quat6D"].append(filter.getQuat6D())
        out["quat9D"].append(filter.getQuat9D())
        if kind == "vqf":
            out["bias"].append(filter.getBiasEstimate()[0])
            out["restDetected"].append(filter.getRestDetected())
            out["magDistDetected"].append(filter.getMagDistDetected())
    return {key: np.array(value) for key, value in out.items() if value}


def published(kind, gyr, acc, mag, rate):
    if kind == "offline":
        return offlineVQF(gyr, acc, mag, 1 / rate)
    return (VQF if kind == "vqf" else BasicVQF)(1 / rate).updateBatch(*(s for s in (gyr, acc, mag) if s is not None))


def ours(columns, path, kind, rates):
    text = subprocess.run(
        [columns, path, kind] + [repr(float(rate)) for rate in rates], check=True, capture_output=True, text=True).stdout
    table = np.loadtxt(text.splitlines()[1:], delimiter=",")
    return {
        "nwu": table[:, [4, 1, 2, 3]], "level": table[:, [8, 5, 6, 7]], "bias": table[:, 9:12],
        "rest": table[:, 12] > 0, "disturbed": table[:, 13] > 0}


def about_z(angle, q):
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    w, x, y, z = q.T
    return np.column_stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w])


def largest_angle(a, b):
    """Returns angles in radians, from the distance of the unit quaternions, which is accurate for small angles."""
    distance = np.minimum(np.linalg.norm(a - b, axis=1), np.linalg.norm(a + b, axis=1))
    return float(np.max(4 * np.arcsin(np.minimum(distance / 2, 1))))


def yaw_free(q, reference):
    """Returns `q` rotated about Z by the constant angle that aligns its first row with `reference`."""
    w, x, y, z = q[0] * [1, -1, -1, -1]
    p = reference[0]
    return about_z(2 * np.arctan2(p[0] * z + p[3] * w + p[1] * y - p[2] * x, p[0] * w - p[3] * z - p[1] * x - p[2] * y), q)


def compare(name, kind, has_field, theirs, mine):
    if has_field:
        angle = largest_angle(about_z(np.pi / 2, mine["nwu"]), theirs["quat9D"])
    else:
        angle = largest_angle(yaw_free(mine["nwu"], theirs["quat6D"]), theirs["quat6D"])
    if kind != "offline":
        angle = max(angle, largest_angle(mine["level"], theirs["quat6D"]))
    bias, rest, disturbed = "", "", ""
    if "bias" in theirs:
        bias = f"{np.max(np.abs(theirs['bias'] - mine['bias'])):.1e}"
        rest = int(np.sum(theirs["restDetected"] != mine["rest"]))
        if has_field:
            disturbed = int(np.sum(theirs["magDistDetected"] != mine["disturbed"]))
    axes = "9" if has_field else "6"
    print(f"{name:46} {kind:9} {axes:>4} {len(mine['nwu']):7} {angle:10.1e} {bias:>10} {rest:>6} {disturbed:>9}", flush=True)
    return angle


def main(data, *logs):
    columns = product("VQFColumns")
    samples = [ROOT / "Notebooks-data/logs" / f"{name}.csv" for name in ("walk", "shake", "random-spline")]
    paths = [*map(str, sorted(Path(data, "broad").glob("*.hdf5"))), *map(str, samples), *logs]
    print(f"{'log':46} {'filter':9} {'axes':>4} {'samples':>7} {'angle/rad':>10} {'bias':>10} {'rest':>6} {'disturbed':>9}")
    largest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            name = os.path.basename(path)
            if path.endswith(".csv"):
                time, gyr, acc, mag = read_csv(path)
                rates = [rate_of(time, values) for values in (gyr, acc, mag)]
                for kind in ("vqf", "basic-vqf"):
                    theirs = published_mixed(kind, gyr, acc, mag, rates)
                    largest = max(largest, compare(name, kind, True, theirs, ours(columns, path, kind, rates)))
                path = os.path.join(folder, "filled.csv")
                write_filled(path, time, gyr, acc, mag)
                time, gyr, acc, mag = read_csv(path)
                name, rate = name + " (field filled in)", rates[0]
            else:
                gyr, acc, mag, rate = read_broad(path)
            for kind in ("vqf", "basic-vqf", "offline"):
                for field in (mag, None):
                    theirs = published(kind, gyr, acc, field, rate)
                    mine = ours(columns, path, kind, [rate, rate, rate if field is not None else 0])
                    largest = max(largest, compare(name, kind, field is not None, theirs, mine))
    print(f"largest difference of an attitude: {largest:.1e} rad")
    return 0 if largest <= TOLERANCE else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
