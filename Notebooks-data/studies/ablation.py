"""The errors without each mechanism and each automatic decision, on sets that were not used to choose it first.

usage: ablation.py DATA     (make study NAME=ablation DATA=folder)

DATA is the folder of INERTIAL_DATA, with phone-optical, tum-vi, broad, tyrex and the sets that tracks.py reads. A parameter or an
option switches a mechanism off; all others keep their defaults. Prints Markdown: mean errors and their changes in per cent.
INERTIAL_BIN is the folder of SyntheticSuite, which is built without it.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import mean

import numpy as np

import tracks
from parts.flagship_parts import PHONE, PHONE_FRAMES, evaluate, link, note, product, run, take
from parts.recording_checks import in_order

CALIBRATED = "magnetometer-calibrated.txt"

# A mechanism, and the setting without it.
FIELD = (
    ("scale and misalignment of the gyroscope", "scaleSigma=0"),
    ("bias of the accelerometer", "accelerationBiasSigma=0"),
    ("random walk of the gyroscope bias", "biasNoise=0"),
    ("bias measured at rest", "restNoise=10"),
    ("motion prior that adapts to the speed", "motionWeight=0"),
    ("range of the gyroscope", "gyroscopeRange=1000"),
    ("weight of a field by norm and dip", "disturbanceWeight=0"),
    ("dip in that weight", "dipWeight=0"),
    ("weight of an unexplained innovation", "innovationWeight=0"),
    ("delay of the magnetometer", "fieldDelaySigma=0"),
)
WITHOUT_FIELD = FIELD[:6]


def print_table(mechanisms, columns):
    """Prints the figures of each column, a title and a function of the settings, complete and without each mechanism."""
    print("| without | " + " | ".join(title for title, _ in columns) + " |\n|---|" + "---|" * len(columns))
    complete = [figure([]) for _, figure in columns]
    print("| (complete) | " + " | ".join(f"{value:.2f}" for value in complete) + " |", flush=True)
    for name, setting in mechanisms:
        note(name)
        values = [figure(setting) for _, figure in columns]
        cells = [f"{value:.2f} ({100 * (value / whole - 1):+.0f} %)" for value, whole in zip(values, complete)]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print()


def both(title, figure):
    """Returns the columns of the online and the offline form."""
    return [(title, lambda changes: figure(changes, [])), (title + ", smoothed", lambda changes: figure(changes, ["--smooth"]))]


def recorded(paths, flags, error):
    """Returns a figure of the recordings at some paths."""
    def figure(changes, form):
        rows = [row for path in paths for row in evaluate(str(path), "kalman", flags + form + changes)]
        return take(rows, "kalman", error, mean)
    return figure


def suite(*options):
    """Returns a figure of the simulated scenes: the geometric mean of their errors."""
    def figure(changes, form):
        # The suite declares the range of each scene, unless it is set.
        changes = changes if "gyroscopeRange=1000" in changes else [*changes, "--set", "gyroscopeRange=0"]
        settings = [word if word == "--set" else f"kalman.{word}" for word in changes]
        table = [line.split("|") for line in run(product("SyntheticSuite"), "--filters", "kalman", *options, *settings).splitlines()]
        row = next(cells for cells in table if cells[1:] and cells[1].strip() == "geometric mean")
        return float(row[2 + bool(form)].split("/")[0])
    return figure


def attitudes(data):
    settings = lambda rows: [(name, ["--set", setting]) for name, setting in rows]
    six = ["--frame", "xArbitraryZVertical"]
    units = ["--acceleration-unit", "m/s2", "--rotation-unit", "rad/s", "--field-unit", "uT"]
    beside = ["--reference", "truth.csv", "--reference-frame", "nwu", *units, *PHONE_FRAMES, "--skip", "10"]
    optical = sorted(truth.parent for truth in (data / "phone-optical").glob("*/truth.csv"))
    print("Left-out sets: mean total errors in degrees after the best constant rotation of the frames; an Android phone indoors.\n")
    print_table(settings(FIELD), both("optical phone", recorded(optical, beside, "total")))
    print("The same without a field, and a research unit.\n")
    print_table(settings(WITHOUT_FIELD), [
        *both("optical phone", recorded(optical, [*beside, *six], "total")),
        *both("TUM VI", recorded([data / "tum-vi"], [*beside, *six], "total"))])
    print("Simulated scenes, whose gyroscope range is not declared: geometric means of the total errors in degrees.\n")
    print_table(settings(FIELD), both("scenes", suite("--seeds", "2")))
    print("The sets of the fit: mean total errors in degrees, on the phones with `--field calibrated`.\n")
    print_table(settings(FIELD), [
        *both("BROAD", recorded([data / "broad"], [], "total")), *both("phones", recorded([data / "tyrex"], [*PHONE, "--field", "calibrated"], "total"))])
    print("The same without a field, a constant yaw removed: mean heading errors in degrees.\n")
    print_table(settings(WITHOUT_FIELD), [
        *both("BROAD", recorded([data / "broad"], [*six, "--align", "yaw"], "heading")),
        *both("phones", recorded([data / "tyrex"], [*six, *PHONE_FRAMES, "--skip", "5"], "heading"))])


def hard_iron(data):
    """Prints the errors with and without the decision, for raw fields and for calibrated ones whose calibration is not declared."""
    print("Hard iron, subtracted if the evidence suffices, or never (`--field calibrated`): mean total errors in degrees.\n")
    with tempfile.TemporaryDirectory() as raw, tempfile.TemporaryDirectory() as undeclared:
        for truth in sorted((data / "tyrex").glob("*/ground-truth.csv")):
            link(truth.parent, raw, without=CALIBRATED)
            # The device's calibrated field in the place of the raw one.
            copy = link(truth.parent, undeclared, without=CALIBRATED)
            (copy / "magnetometer.txt").unlink()
            rows = in_order(np.loadtxt(truth.parent / CALIBRATED))
            np.savetxt(copy / "magnetometer.txt", rows[:, :4], fmt="%.9g")
        print_table([("hard iron", ["--field", "calibrated"])], [
            *both("phones, raw field", recorded([raw], PHONE, "total")),
            *both("phones, calibrated field", recorded([undeclared], PHONE, "total"))])
    print("The field of logs with both, chosen automatically (`--smooth`; online it is the calibrated one), or by `--field`.\n")
    print_table([("raw field", ["--field", "calibrated"]), ("calibrated field", ["--field", "raw"])], [
        *both("phones", recorded([data / "tyrex"], PHONE, "total")),
        *both("phones, from 5 s on", recorded([data / "tyrex"], [*PHONE_FRAMES, "--skip", "5"], "total"))])


def paths(data):
    """Prints the errors of paths with and without each constraint."""
    def form(changes, *options, key, logs):
        arguments = argparse.Namespace(online="--online" in changes, smooth=False, details=False)
        row = tracks.evaluate(arguments, logs, *options, *[word for word in changes if word != "--online"])["summaries"][0]
        return row[key]["mean"]

    found, corridors, hand = tracks.recordings(data)
    unit = ["--acceleration-unit", "m/s2"]
    closed = ["--on", "foot", "--closed", *unit]
    marked = lambda on, file: ["--on", on, "--reference", file, *unit]

    def columns(title, logs, options, key):
        return [(f"{title}, {name}", lambda changes, words=words: form(changes + words, *options, key=key, logs=logs))
                for name, words in (("online", ["--online"]), ("whole log", []))]

    print("Paths: mean errors in metres.\n")
    print_table([("floors", ["--without", "floors"])], [
        *columns("loops, height of the end", found, closed, "closureVertical")[1:],
        *columns("loops, closure", found, closed, "closure")[1:],
        *columns("corridors, ATE", corridors, marked("foot", "*_landmarks.csv"), "ate")])
    print_table([("right angles", ["--without", "right-angles"])],
                columns("handheld, ATE", hand, marked("hand", "landmarks.csv"), "ate"))

    def car(changes, seconds):
        arguments = argparse.Namespace(online="--online" in changes, smooth=False, details=False)
        words = [word for word in changes if word != "--online"]
        return tracks.drive_row(arguments, data / "position-vehicle", seconds, words)["outageMean"]

    print_table([("wheels", ["--without", "wheels"])], [
        (f"car, after {seconds} s without fixes, {name}", lambda changes, seconds=seconds, words=words: car(changes + words, seconds))
        for seconds in (5, 15) for name, words in (("online", ["--online"]), ("whole log", []))])
    print("| set | recordings | placed as they were carried |\n|---|---|---|")
    for title, logs, on in (("foot, loops", found, "foot"), ("foot, corridors", corridors, "foot"), ("handheld", hand, "hand")):
        with tempfile.TemporaryDirectory() as folder:
            right = 0
            for log in logs:
                text = run(tracks.INERTIAL, "track", str(log), "-o", f"{folder}/path.csv", "--force", "--json", *unit)
                right += f'"on" : "{on}"' in text
        print(f"| {title} | {len(logs)} | {right} |")


def main(data):
    for folder, pattern in (("broad", "*.hdf5"), ("tyrex", "*/ground-truth.csv"), ("phone-optical", "*"), ("tum-vi", "*")):
        if not list((data / folder).glob(pattern)):
            sys.exit(f"error: there is no {pattern} in {data / folder}; give the folder of all data sets")
    attitudes(data)
    hard_iron(data)
    paths(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
