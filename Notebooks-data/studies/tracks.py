#!/usr/bin/env python3
"""The tables of docs/results/position.md: paths of feet, walkers and a car, as `inertial evaluate --task track` scores them.

usage: tracks.py DATA [--online | --smooth] [--details]     (make study NAME=tracks DATA=folder)

DATA is the folder of INERTIAL_DATA. The script specifies the landmarks, loops and position fixes of each set, and writes the
car's log in the format of a phone. The command computes every figure, with its defaults and the same parameters for all sets.
Needs only Python.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))


def evaluate(arguments, logs, *options):
    """Returns the command's document for some logs; with --details its table goes to standard error."""
    command = [INERTIAL, "evaluate", *map(str, logs), "--task", "track", *options]
    command += ["--online"] if arguments.online else ["--smooth"] if arguments.smooth else []
    if arguments.details:
        print(subprocess.run([*command, "--details"], capture_output=True, text=True).stdout, file=sys.stderr)
    done = subprocess.run([*command, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(" ".join(command) + "\n" + done.stderr)
    return json.loads(done.stdout)


def figure(numbers, digits=2, names=("mean", "median", "worst")):
    return " | ".join(f"{numbers[name]:.{digits}f}" for name in names)


def walks(title, arguments, logs, carried, reference):
    summary = evaluate(
        arguments, logs, "--on", carried, "--reference", reference, "--acceleration-unit", "m/s2")["summaries"][0]
    print(f"| {title}: ATE, m, mean | median | worst | RTE over 60 s, mean | inside 95 % | walks |\n|---|---|---|---|---|---|")
    print(f"| {figure(summary['ate'])} | {figure(summary['rte'], names=['mean'])} | {summary['insideHorizontally']:.2f} "
          f"| {summary['ate']['recordings']} |\n")


def loops(title, arguments, logs, carried):
    summary = evaluate(arguments, logs, "--on", carried, "--closed", "--acceleration-unit", "m/s2")["summaries"][0]
    print(f"| {title}: closure over the ground, % of the way | height, m | inside 95 % | in height | loops |\n|---|---|---|---|---|")
    print(f"| {figure(summary['closurePercent'], names=['mean'])} | {figure(summary['closureVertical'], names=['mean'])} | "
          f"{summary['closureInside']:.2f} | {summary['closureInsideVertically']:.2f} | {summary['closure']['recordings']} |\n")


def drive(title, arguments, data, seconds):
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "drive"
        log.mkdir()
        write_drive(data, log)
        row = evaluate(
            arguments, [log], "--on", "vehicle", "--withhold", str(seconds), "--acceleration-unit", "g", "--acceleration-sign",
            "specific-force")["rows"][0]
    print(f"| {title}, {seconds} s without fixes: error at the end, m, mean | median | worst | inside 95 % | outages |")
    print("|---|---|---|---|---|")
    print(f"| {figure(row, names=['outageMean', 'outageMedian', 'outageWorst'])} | {row['outageInside']:.2f} "
          f"| {len(row['outages'])} |")


def write_drive(data, log):
    """Writes the drive as a folder of Sensor Logger, with one of four fixes per second and a phone's accuracies."""
    imu = numbers(data / "drive_imu.csv")
    origin = imu[0][0]
    with open(log / "Accelerometer.csv", "w") as a, open(log / "Gyroscope.csv", "w") as g:
        a.write("time (s),accelerationX (g),accelerationY (g),accelerationZ (g)\n")
        g.write("time (s),rotationRateX (deg/s),rotationRateY (deg/s),rotationRateZ (deg/s)\n")
        for row in imu:
            a.write(f"{row[0] - origin:.4f},{row[1]},{row[2]},{row[3]}\n")
            g.write(f"{row[0] - origin:.4f},{row[4]},{row[5]},{row[6]}\n")
    with open(log / "Location.csv", "w") as file:
        file.write("seconds_elapsed,latitude,longitude,locationAltitude,speed,course,horizontalAccuracy,verticalAccuracy,"
                   "speedAccuracy\n")
        for f in numbers(data / "drive_gnss.csv")[::4]:
            course = math.degrees(math.atan2(f[8], f[9])) % 360
            file.write(f"{f[0] - origin:.4f},{f[11]:.8f},{f[12]:.8f},{f[13]},{math.hypot(f[8], f[9])},{course},1,2,0.1\n")


def numbers(path):
    with open(path, newline="") as file:
        return [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--online", action="store_true", help="the path of a stream, from earlier samples only")
    parser.add_argument("--smooth", action="store_true", help="with smoothed attitudes")
    parser.add_argument("--details", action="store_true", help="each recording, on standard error")
    arguments = parser.parse_args()
    data = Path(arguments.data)
    foot = data / "position-foot"
    names = [row["recording"] for row in csv.DictReader(open(foot / "openshoe/truth.csv"))]
    found = [log for log in (foot / "openshoe" / f"{name}.csv" for name in names) if log.exists()]
    loops("foot, loops", arguments, found, "foot")
    marked = [marks.with_name(marks.name.replace("_landmarks", ""))
              for marks in sorted((foot / "corridor").glob("*_landmarks.csv"))]
    walks("foot, corridors", arguments, marked, "foot", "*_landmarks.csv")
    hand = sorted(marks.parent for marks in (data / "position-phone").glob("*/landmarks.csv"))
    walks("phone in the hand", arguments, hand, "hand", "landmarks.csv")
    drive("car", arguments, data / "position-vehicle", 15)


if __name__ == "__main__":
    main()
