#!/usr/bin/env python3
"""The tables of docs/results/position.md: paths of feet, walkers and a car, as `inertial evaluate --task track` scores them.

usage: tracks.py DATA [--online | --smooth] [--details] [--persistent]     (make study NAME=tracks DATA=folder)

DATA is the folder of INERTIAL_DATA. The script specifies the landmarks, loops and position fixes of each set, and writes the
car's log in the format of a phone. The command computes every figure, with its defaults and the same parameters for all sets.
Needs only Python.
"""

import argparse
import csv
import json
import math
import os
import random
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


def drive_row(arguments, data, seconds, options=()):
    """Returns the command's row for the drive, with the fixes withheld for some seconds at a time."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "drive"
        log.mkdir()
        write_drive(data, log)
        return evaluate(
            arguments, [log], "--on", "vehicle", "--withhold", str(seconds), "--acceleration-unit", "g", "--acceleration-sign",
            "specific-force", *options)["rows"][0]


def drive(title, arguments, data, seconds):
    row = drive_row(arguments, data, seconds)
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


def persistent_errors(arguments, data):
    print("| error of the fixes, m, persistence, s | error, m, root mean square | inside 95 % | after 15 s without fixes |")
    print("|---|---|---|---|")
    for sigma, persistence in [(3, 1), (3, 5), (3, 30), (3, 120), (8, 30)]:
        square, inside, end = persistent(arguments, data, sigma, persistence)
        print(f"| {sigma}, {persistence} | {square:.1f} | {inside:.2f} | {end:.1f} |")


def persistent(arguments, data, sigma, persistence):
    """Scores the car's path with errors added to its fixes, which persist for some time and with a stated accuracy of 3 m,
    and with 15 of every 45 s withheld, against the fixes without these errors: the root mean square, the fraction inside 95 %, and
    the root mean square after 15 s without fixes."""
    origin = numbers(data / "drive_imu.csv")[0][0]
    truth = {f[0] - origin: (f[11], f[12]) for f in numbers(data / "drive_gnss.csv")}
    errors, inside, ends = [], [], []
    for seed in range(4):
        with tempfile.TemporaryDirectory() as name:
            log = Path(name) / "drive"
            log.mkdir()
            write_drive(data, log)
            withheld = add_errors(log / "Location.csv", sigma, persistence, seed)
            for time, *error, sigmas in path_errors(arguments, log, truth):
                errors.append(math.hypot(*error))
                inside.append(sum((e / s) ** 2 for e, s in zip(error, sigmas)) < 5.99)
                if 14.5 < withheld(time) < 15:
                    ends.append(math.hypot(*error))
    square = [(sum(e * e for e in some) / len(some)) ** 0.5 for some in (errors, ends)]
    return square[0], sum(inside) / len(inside), square[1]


def add_errors(path, sigma, persistence, seed):
    """Adds errors to the fixes, withholds some, and returns a function: the seconds since the last withholding began."""
    generator = random.Random(seed)
    rows = list(csv.DictReader(open(path)))
    start = float(rows[0]["seconds_elapsed"]) + 60
    phase = lambda time: (time - start) % 45 if time > start else math.inf
    error, last = [generator.gauss(0, sigma) for _ in range(2)], None
    for row in rows:
        time, speed = float(row["seconds_elapsed"]), float(row["speed"])
        left = math.exp(((last or time) - time) / persistence)
        error = [left * e + generator.gauss(0, sigma * math.sqrt(1 - left * left)) for e in error]
        last, latitude = time, float(row["latitude"])
        row["latitude"] = latitude + error[0] / 111320
        row["longitude"] = float(row["longitude"]) + error[1] / 111320 / math.cos(math.radians(latitude))
        row["speed"] = max(0, speed + generator.gauss(0, 0.3))
        row["course"] = (float(row["course"]) + math.degrees(generator.gauss(0, 0.3) / max(0.3, speed))) % 360
        # The radius that contains 68 % of the errors.
        row["horizontalAccuracy"], row["speedAccuracy"] = 1.51 * 3, 0.3
    with open(path, "w") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(row for row in rows if not phase(float(row["seconds_elapsed"])) < 15)
    return phase


def path_errors(arguments, log, truth):
    """The path's errors north and west at each true position, with their sigmas."""
    output = log.parent / "path.csv"
    command = [INERTIAL, "track", log, "--on", "vehicle", "-o", output, "--acceleration-unit", "g", "--acceleration-sign",
               "specific-force", *(["--online"] if arguments.online else [])]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    found = iter(sorted(truth))
    time = next(found)
    for row in csv.DictReader(open(output)):
        if float(row["time"]) < time or not row["trackLatitude"]:
            continue
        latitude, longitude = truth[time]
        north = (float(row["trackLatitude"]) - latitude) * 111320
        west = (longitude - float(row["trackLongitude"])) * 111320 * math.cos(math.radians(latitude))
        yield time, north, west, (float(row["positionSigmaX"]), float(row["positionSigmaY"]))
        time = next((t for t in found if t > float(row["time"])), math.inf)


def recordings(data):
    """Returns the logs of feet in loops and in corridors, and of handheld phones."""
    foot = data / "position-foot"
    names = [row["recording"] for row in csv.DictReader(open(foot / "openshoe/truth.csv"))]
    found = [log for log in (foot / "openshoe" / f"{name}.csv" for name in names) if log.exists()]
    marked = [marks.with_name(marks.name.replace("_landmarks", ""))
              for marks in sorted((foot / "corridor").glob("*_landmarks.csv"))]
    return found, marked, sorted(marks.parent for marks in (data / "position-phone").glob("*/landmarks.csv"))


def numbers(path):
    with open(path, newline="") as file:
        return [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--online", action="store_true", help="the path of a stream, from earlier samples only")
    parser.add_argument("--smooth", action="store_true", help="with smoothed attitudes")
    parser.add_argument("--details", action="store_true", help="each recording, on standard error")
    parser.add_argument("--persistent", action="store_true", help="only the car, with errors of fixes that persist")
    arguments = parser.parse_args()
    data = Path(arguments.data)
    if arguments.persistent:
        return persistent_errors(arguments, data / "position-vehicle")
    found, marked, hand = recordings(data)
    loops("foot, loops", arguments, found, "foot")
    walks("foot, corridors", arguments, marked, "foot", "*_landmarks.csv")
    walks("hand-held phone", arguments, hand, "hand", "landmarks.csv")
    drive("car", arguments, data / "position-vehicle", 15)


if __name__ == "__main__":
    main()
