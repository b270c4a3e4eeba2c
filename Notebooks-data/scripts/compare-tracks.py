#!/usr/bin/env python3
"""Paths of feet, walkers and a car against landmarks, closed loops and withheld position fixes.

usage: compare-tracks.py INERTIAL DATA [--online] [--details]

DATA is the folder that INERTIAL_DATA names. Each recording is tracked by `inertial track` with its defaults and one set of
parameters for all. A walk's error is the root mean square of the distances to its landmarks after the one rotation and
translation that makes it least; a loop's is the distance from its end to its start. "inside 95 %" is the share of errors that
the stated sigmas allow with that probability. Needs nothing but Python.
"""

import argparse
import csv
import json
import math
import subprocess
import tempfile
from pathlib import Path


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(cell) if cell else math.nan for cell in row] for row in rows[1:]]


def track(inertial, log, *options, unit="m/s2"):
    """Rows of (time, x, y, z, sigma x, sigma y, sigma z)."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "path.csv"
        command = [inertial, "track", str(log), "-o", str(output), "--acceleration-unit", unit, *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(" ".join(command) + "\n" + done.stderr)
        header, rows = table(output)
    names = ["time", "positionX", "positionY", "positionZ", "positionSigmaX", "positionSigmaY", "positionSigmaZ"]
    places = [header.index(name) for name in names]
    picked = [[row[place] for place in places] for row in rows]
    return [row for row in picked if not math.isnan(row[1])]


def at(path, time):
    best = min(range(len(path)), key=lambda index: abs(path[index][0] - time))
    return path[best]


def fitted(found, truth):
    """Distances after the best rotation and translation, and the found points' sigmas with them."""
    n = len(found)
    mean = lambda points, axis: sum(point[axis] for point in points) / n
    fx, fy, tx, ty = mean(found, 1), mean(found, 2), mean(truth, 1), mean(truth, 2)
    along = sum((f[1] - fx) * (t[1] - tx) + (f[2] - fy) * (t[2] - ty) for f, t in zip(found, truth))
    across = sum((f[1] - fx) * (t[2] - ty) - (f[2] - fy) * (t[1] - tx) for f, t in zip(found, truth))
    angle = math.atan2(across, along)
    c, s = math.cos(angle), math.sin(angle)
    errors = []
    for f, t in zip(found, truth):
        x, y = f[1] - fx, f[2] - fy
        errors.append(math.hypot(c * x - s * y - (t[1] - tx), s * x + c * y - (t[2] - ty)))
    return errors


def inside(error, row):
    """Whether the sigmas allow an error over the ground with 95 %, taken as equal in all directions."""
    return error * error < 5.99 * (row[4] ** 2 + row[5] ** 2) / 2


def mean(values):
    return sum(values) / len(values) if values else math.nan


def median(values):
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2 if ordered else math.nan


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inertial")
    parser.add_argument("data")
    parser.add_argument("--online", action="store_true", help="as the path is known while it is walked")
    parser.add_argument("--details", action="store_true")
    arguments = parser.parse_args()
    data = Path(arguments.data)
    smooth = [] if arguments.online else ["--smooth"]

    loops = []
    for row in csv.DictReader(open(data / "position-foot/openshoe/truth.csv")):
        log = data / "position-foot/openshoe" / (row["recording"] + ".csv")
        if not log.exists():
            continue
        path = track(arguments.inertial, log, "--on", "foot", *smooth)
        (first, last) = (path[0], path[-1])
        level = math.hypot(last[1] - first[1], last[2] - first[2])
        loops.append((100 * level / float(row["path (m)"]), abs(last[3] - first[3]), inside(level, last)))
        if arguments.details:
            print(f"  loop {log.stem}: {level:.2f} m, {last[3] - first[3]:+.2f} m")
    print("| foot, loops: closure over the ground, % of the way | height, m | inside 95 % | loops |")
    print("|---|---|---|---|")
    print(f"| {mean([l[0] for l in loops]):.2f} | {mean([l[1] for l in loops]):.2f} | "
          f"{mean([l[2] for l in loops]):.2f} | {len(loops)} |\n")

    corridors = [(marks.with_name(marks.name.replace("_landmarks", "")), marks)
                 for marks in sorted((data / "position-foot/corridor").glob("*_landmarks.csv"))]
    judge("foot, corridors", "foot", corridors, arguments, smooth)
    hands = [(folder, folder / "landmarks.csv") for folder in sorted((data / "position-phone").iterdir())]
    judge("phone in the hand", "hand", [pair for pair in hands if pair[1].exists()], arguments, smooth)

    drive(arguments.inertial, data / "position-vehicle", smooth)


def judge(title, carried, walks, arguments, smooth):
    """Walks past landmarks: their logs and their files of time, x, y."""
    errors, shares = [], []
    for log, marks in walks:
        path = track(arguments.inertial, log, "--on", carried, *smooth)
        truth = table(marks)[1]
        for mark in truth:
            mark[0] = path[0][0] if math.isnan(mark[0]) else mark[0]
        found = [at(path, mark[0]) for mark in truth]
        distances = fitted(found, truth)
        errors.append(math.sqrt(mean([d * d for d in distances])))
        shares.append(mean([inside(d, f) for d, f in zip(distances, found)]))
        if arguments.details:
            print(f"  {title}, {log.name}: {errors[-1]:.2f} m, {shares[-1]:.2f} inside")
    print(f"| {title}: error, m, mean | median | worst | inside 95 % | walks |")
    print("|---|---|---|---|---|")
    print(f"| {mean(errors):.2f} | {median(errors):.2f} | {max(errors):.2f} | {mean(shares):.2f} | {len(errors)} |\n")


def drive(inertial, data, smooth):
    """The car's fixes are withheld for 15 s at a time, every ten seconds."""
    imu = table(data / "drive_imu.csv")[1]
    fixes = table(data / "drive_gnss.csv")[1][::4]
    begin, end = fixes[0][0], fixes[-1][0]
    origin = imu[0][0]
    results = []
    start = begin + 60
    while start + 15 < end:
        with tempfile.TemporaryDirectory() as name:
            log = Path(name) / "drive"
            log.mkdir()
            last = start + (25 if smooth else 15)
            with open(log / "Accelerometer.csv", "w") as a, open(log / "Gyroscope.csv", "w") as g:
                a.write("time (s),accelerationX (g),accelerationY (g),accelerationZ (g)\n")
                g.write("time (s),rotationRateX (deg/s),rotationRateY (deg/s),rotationRateZ (deg/s)\n")
                for row in imu:
                    if row[0] <= last:
                        a.write(f"{row[0] - origin:.4f},{row[1]},{row[2]},{row[3]}\n")
                        g.write(f"{row[0] - origin:.4f},{row[4]},{row[5]},{row[6]}\n")
            with open(log / "Location.csv", "w") as l:
                l.write("seconds_elapsed,latitude,longitude,locationAltitude,speed,course,horizontalAccuracy,verticalAccuracy,speedAccuracy\n")
                for f in fixes:
                    if origin <= f[0] <= last and not start < f[0] <= start + 15:
                        speed = math.hypot(f[8], f[9])
                        course = math.degrees(math.atan2(f[8], f[9])) % 360
                        l.write(f"{f[0] - origin:.4f},{f[11]:.8f},{f[12]:.8f},{f[13]},{speed},{course},1,2,0.1\n")
            path = track(inertial, log, "--on", "vehicle", "--acceleration-sign", "specific-force", *smooth, unit="g")
        truth = [f for f in fixes if f[0] >= origin][0]
        goal = min(fixes, key=lambda f: abs(f[0] - start - 15))
        found = at(path, goal[0] - origin)
        error = math.hypot(found[1] - (goal[2] - truth[2]), -found[2] - (goal[1] - truth[1]))
        results.append((error, inside(error, found)))
        start += 10
    print("| car, 15 s without fixes: error at the end, m, mean | median | inside 95 % | outages |")
    print("|---|---|---|---|")
    errors = [r[0] for r in results]
    print(f"| {mean(errors):.1f} | {median(errors):.1f} | {mean([r[1] for r in results]):.2f} | {len(results)} |")


if __name__ == "__main__":
    main()
