"""Steps of the Oxford step counter's recordings, counted by Inertial and by the peers, against the same ground truth.

usage: steps.py DATA     (make study NAME=steps DATA=folder)
DATA/steps holds recordings of github.com/Oxford-step-counter/DataSet (CC BY 4.0).
Recordings are searched for in all subfolders: accelerometer.csv with stepcounter.csv in the same folder (foot switches:
a step is a rising edge of either foot), and CSV files with a column of counted steps. Every method gets the whole
recording; for the peers it is resampled to their design rate. Prints one markdown table.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from scipy.signal import butter, find_peaks, sosfiltfilt

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
GRAVITY = 9.80665


@dataclass
class Walk:
    path: Path
    kind: str
    # Column names for `inertial`.
    columns: str
    # The units are nanoseconds and m/s^2.
    rows: np.ndarray
    steps: int

    def at(self, rate):
        """Returns times in s and accelerations in g, at a constant rate."""
        times, first = np.unique((self.rows[:, 0] - self.rows[0, 0]) / 1e9, return_index=True)
        grid = np.arange(times[0], times[-1], 1 / rate)
        return grid, np.stack(
            [np.interp(grid, times, self.rows[first, axis]) for axis in (1, 2, 3)], axis=1) / GRAVITY


def walks(folder):
    for path in sorted(Path(folder).rglob("accelerometer.csv")):
        feet = path.with_name("stepcounter.csv")
        if not feet.exists():
            continue
        switches = np.loadtxt(feet, delimiter=",")[:, 1:3] > 0
        rows = np.loadtxt(path, delimiter=",")[:, [0, 2, 3, 4]]
        yield Walk(
            path, "foot switches", "time,-,accelerationX,accelerationY,accelerationZ", rows,
            int(np.sum(switches[1:] & ~switches[:-1])))
    for path in sorted(Path(folder).rglob("*.csv")):
        try:
            with open(path) as file:
                if len([float(field) for field in file.readline().split(",")]) != 7:
                    continue
        except ValueError:
            continue
        table = np.loadtxt(path, delimiter=",")
        yield Walk(
            path, "counted", "time,accelerationX,accelerationY,accelerationZ,-,-,-", table[:, :4],
            int(table[-1, 5] - table[0, 5]))


def ours(walk):
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels.csv"
        labels.write_text(f"steps\n{walk.steps}\n")
        result = subprocess.run(
            [INERTIAL, "evaluate-events", "--task", "steps", str(walk.path), "--labels", str(labels), "--json",
             "--columns", walk.columns, "--time-unit", "ns", "--acceleration-unit", "m/s2",
             "--acceleration-sign", "specific-force"], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip().splitlines()[-1])
    return json.loads(result.stdout)["counted"]


def skdh_gait(walk):
    """Counts the initial contacts of an algorithm for the lower back."""
    from skdh.gait import GaitLumbar
    times, acceleration = walk.at(50)
    # The package requires a date.
    result = GaitLumbar().predict(time=times + 1.6e9, accel=acceleration, fs=50.0, height=1.7)
    return len(result["IC Timestamp"])


def mobgap_contacts(name):
    """Counts initial contacts by Mobilise-D's algorithms for the lower back; the walk is one gait sequence."""
    def count(walk):
        import mobgap.initial_contacts
        import pandas
        _, acceleration = walk.at(100)
        up = acceleration.mean(axis=0)
        up /= np.linalg.norm(up)
        across = np.cross(up, [1.0, 0, 0])
        across /= np.linalg.norm(across)
        axes = {"is": up, "ml": across, "pa": np.cross(up, across)}
        table = pandas.DataFrame({f"acc_{axis}": acceleration @ unit * GRAVITY for axis, unit in axes.items()})
        for axis in axes:
            table[f"gyr_{axis}"] = 0.0
        return len(getattr(mobgap.initial_contacts, name)().detect(table, sampling_rate_hz=100.0).ic_list_)
    return count


def peaks(walk):
    """Counts steps by the textbook method: peaks of the magnitude between 0.5 and 3 Hz, at least 0.3 s apart."""
    _, acceleration = walk.at(50)
    band = butter(2, [0.5, 3], "bandpass", fs=50, output="sos")
    signal = sosfiltfilt(band, np.linalg.norm(acceleration, axis=1))
    return len(find_peaks(signal, height=0.05, distance=15)[0])


METHODS = [
    ("inertial steps", None, ours), ("scikit-digital-health gait", "scikit-digital-health", skdh_gait),
    ("mobgap contacts, Ionescu", "mobgap", mobgap_contacts("IcdIonescu")),
    ("mobgap contacts, HK Lee", "mobgap", mobgap_contacts("IcdHKLeeImproved")),
    ("mobgap contacts, Shin", "mobgap", mobgap_contacts("IcdShinImproved")),
    ("scipy peaks of 0.5 to 3 Hz", "scipy", peaks),
]


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1], "steps")
    found = list(walks(folder))
    if not found:
        sys.exit(f"{folder}: no recordings with foot switches or counted steps")
    kinds = sorted({walk.kind for walk in found}, reverse=True)
    counts = {kind: sum(walk.kind == kind for walk in found) for kind in kinds}
    steps = sum(walk.steps for walk in found)
    print(f"{len(found)} walks, {steps} steps; mean absolute error of a walk's count, %\n")
    print("| method | version | " + " | ".join(f"{kind} ({counts[kind]})" for kind in kinds) + " | worst walk | total |")
    print("|---|---|" + "---|" * (len(kinds) + 2))
    for name, package, method in METHODS:
        try:
            release = version(package) if package else "this one"
        except PackageNotFoundError:
            print(f"| {name} | not installed |" + " - |" * (len(kinds) + 2))
            continue
        errors, total, failure = {kind: [] for kind in kinds}, 0, None
        for walk in found:
            try:
                counted = method(walk)
            except Exception as error:  # A peer that fails on a walk has counted no steps.
                if package is None:
                    raise
                counted, failure = 0, f"{type(error).__name__}: {error}"
            total += counted
            errors[walk.kind].append(100 * abs(counted - walk.steps) / walk.steps)
        means = " | ".join(f"{np.mean(errors[kind]):.2f}" for kind in kinds)
        worst = max(max(values) for values in errors.values())
        print(f"| {name} | {release} | {means} | {worst:.1f} | {100 * (total - steps) / steps:+.1f} |", flush=True)
        if failure:
            print(f"{name}: {failure}", file=sys.stderr)


if __name__ == "__main__":
    main()
