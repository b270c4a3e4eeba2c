"""The errors of `kalman` and `vqf` on the phones with a field added to their calibrated one.

usage: added_fields.py DATA     (make study NAME=added-fields DATA=folder)

DATA/tyrex: the folders of the iPhone 5 recordings. A field of the device (a calibration that has not finished, a magnet on the phone)
is constant in its axes, one of the room is constant in the axes of the reference. The directions are drawn with fixed seeds. Prints
Markdown: mean total errors in degrees over the recordings, without their first 60 s.
"""

import sys
import tempfile
from pathlib import Path
from statistics import mean

import numpy as np
from scipy.spatial.transform import Slerp

from parts.flagship_parts import PHONE, PHONE_VQF, evaluate, link, note, take
from parts.recording_checks import Checked, in_order, read_tyrex

FIELD = "magnetometer-calibrated.txt"
FLAGS = ["--field", "calibrated", *PHONE, *PHONE_VQF]
END = float("inf")
# The kind of the field, its strength in µT, and its beginning and end in seconds; for a shield, the remaining fraction.
KINDS = (
    ("none", 0, 0, 0),
    ("device", 30, 0, 20),
    ("device", 60, 0, 20),
    ("device", 300, 0, 15),
    ("device", 25, 0, 60),
    ("device", 20, 40, 90),
    ("device", 25, 80, END),
    ("room", 30, 0, 15),
    ("room", 30, 50, 70),
    ("room", 40, 70, END),
    ("shield", 0.02, 0, 15),
)


def title(kind, strength, begin, end):
    if kind == "none":
        return "none"
    when = f"first {end} s" if begin == 0 else f"from {begin} s on" if end == END else f"{begin} to {end} s"
    return f"{when}: 2 % of the field" if kind == "shield" else f"{when}: {strength} µT of the {kind}"


def changed(trial, number, kind, strength, begin, end):
    """Returns the rows of the recording's calibrated field with the added one."""
    rows = in_order(np.loadtxt(trial / FIELD))
    times = rows[:, 0] - rows[0, 0]
    chosen = (times >= begin) & (times < end)
    direction = np.random.default_rng(number).normal(size=3)
    if kind == "shield":
        rows[chosen, 1:4] *= strength
    elif kind == "device":
        rows[chosen, 1:4] += strength * direction / np.linalg.norm(direction)
    elif kind == "room":
        direction[2] = 0
        checked = Checked(read_tyrex(trial))
        at = np.clip(rows[chosen, 0] + checked.shift, checked.times[0], checked.times[-1])
        attitudes = Slerp(checked.times, checked.rotation)(at) * checked.body_from_sensor
        rows[chosen, 1:4] += attitudes.inv().apply(strength * direction / np.linalg.norm(direction))
    return rows


def main(data):
    trials = sorted(path.parent for path in (data / "tyrex").glob("*/ground-truth.csv"))
    if not trials:
        sys.exit(f"error: there is no trial in {data / 'tyrex'}; give the folder of all data sets")
    print("| added field | kalman | kalman --smooth | vqf | vqf --smooth |\n|---|---|---|---|---|")
    for kind in KINDS:
        note(title(*kind))
        with tempfile.TemporaryDirectory() as folder:
            for number, trial in enumerate(trials):
                np.savetxt(link(trial, folder, without=FIELD) / FIELD, changed(trial, number, *kind), fmt="%.9g")
            forms = [evaluate(folder, "kalman,vqf", FLAGS + form) for form in ([], ["--smooth"])]
        figures = [take(rows, filter, "total", mean) for filter in ("kalman", "vqf") for rows in forms]
        print(f"| {title(*kind)} | " + " | ".join(f"{figure:.1f}°" for figure in figures) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
