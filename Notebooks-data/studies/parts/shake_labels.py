"""Makes logs with a clock, and their labels, from a folder of labelled device motion.

usage: shake_labels.py FOLDER OUT

FOLDER has files NAME-GESTURE-it-data.csv of Core Motion's device motion at 25 Hz without header and time: session,
label (0 nothing, 1 steering, 2 shake, 3 chop), roll, pitch, yaw, rotation rate, gravity, user acceleration. OUT gets one
log per session, and labels.csv with the columns recording, start, end and label, the format of `inertial
evaluate-events`. Files whose name begins with "bad" are left out: their labels are wrong on purpose.
"""

import csv
import sys
from pathlib import Path

RATE = 25
LABELS = {"0": "rest", "1": "steering", "2": "shake", "3": "chop"}
HEADER = ["time", "roll", "pitch", "yaw"] + [
    quantity + axis for quantity in ("rotationRate", "gravity", "userAcceleration") for axis in "XYZ"
]


def sessions(path):
    """Returns the rows of each session, in file order."""
    rows = {}
    with open(path, newline="") as file:
        for number, row in enumerate(csv.reader(file), 1):
            if len(row) != 14 or row[1] not in LABELS:
                sys.exit(f"{path}:{number}: not a row of labelled device motion (14 fields); remove the file or the line")
            rows.setdefault(row[0], []).append(row[1:])
    return rows


def stretches(rows):
    """Returns the start, end and label of each segment with one label."""
    start = 0
    for index in range(1, len(rows) + 1):
        if index == len(rows) or rows[index][0] != rows[start][0]:
            yield start / RATE, index / RATE, LABELS[rows[start][0]]
            start = index


def make(folder, out):
    """Writes the logs and the labels, and returns the paths of the logs by participant."""
    out.mkdir(parents=True, exist_ok=True)
    logs = {}
    with open(out / "labels.csv", "w", newline="") as file:
        labels = csv.writer(file, lineterminator="\n")
        labels.writerow(["recording", "start", "end", "label"])
        for path in sorted(folder.glob("*-it-data.csv")):
            if path.name.startswith("bad"):
                continue
            for index, rows in enumerate(sessions(path).values(), 1):
                name = f"{path.name.removesuffix('-it-data.csv')}-{index}"
                with open(out / f"{name}.csv", "w", newline="") as log:
                    writer = csv.writer(log, lineterminator="\n")
                    writer.writerow(HEADER)
                    writer.writerows([place / RATE, *row[1:]] for place, row in enumerate(rows))
                labels.writerows([name, *stretch] for stretch in stretches(rows))
                logs.setdefault(path.name.split("-")[0], []).append(str(out / f"{name}.csv"))
    if not logs:
        sys.exit(f"{folder}: no files *-it-data.csv; give the folder of the labelled device motion")
    return logs


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().split("\n\n")[1])
    make(Path(sys.argv[1]), Path(sys.argv[2]))
