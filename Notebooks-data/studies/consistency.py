#!/usr/bin/env python3
"""Errors inside the stated 95 % of kalman and of paths, and the measurement outcomes of filters: accepted and rejected by kind,
and the mean NIS. Writes docs/results/consistency.md.

usage: consistency.py DATA [--output FILE]     (make study NAME=consistency DATA=folder)

DATA is the folder of INERTIAL_DATA, with broad, tyrex, tum-vi, phone-optical and the sets that tracks.py reads. INERTIAL is the path of the
command, INERTIAL_BIN the folder of SyntheticSuite, which is built without it.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import tracks
from parts.flagship_parts import product, run

ROOT = Path(__file__).resolve().parents[2]
FILTERS = "kalman,mekf,ekf,ukf,eqf,vqf"
ARGUMENTS = ["--filters", FILTERS, "--innovations", "--no-cost"]
# The sets: title, description, extra options of the command, and recordings.
PHONE = ["--align", "frame", "--align-clock", "--skip", "60"]
REASONS = [("beyond the gate", 1), ("disturbed field", 2), ("motion", 3), ("clipped", 4), ("unusable", 5)]

HEADER = """# Consistency

    make study NAME=consistency DATA=FOLDER

This page is generated. It states which errors are inside the stated 95 %, and how the filters use their measurements.
"""

MEASUREMENTS = """## Measurements

The tables below are generated from `inertial evaluate FOLDER --filters {filters} --innovations`. For each
kind of measurement, the tables list the fractions that a filter accepted and rejected, with the reason, and the mean
normalised innovation squared (NIS) per component. A NIS of 1 means that the innovations are as large as the filter
expects; above 1, the filter assumes too little measurement noise, below 1 too much. "In 95" is the fraction of
innovations below the 95 % quantile of chi-squared. Measurements with less than a tenth of the weight of the sensor's
noise alone count as rejected and are excluded from the NIS. With simulated sensors whose noise the filter knows, every
NIS is near 1 (`ConsistencyTests`).

- `kalman` intentionally assumes much more noise for field, velocity and rest: their errors last for seconds, and with a
  NIS of 1 such an interval would rotate the heading or the tilt.
- `kalman` rejects most fields of phones by this definition: a field that differs by some µT from the learned one has
  less than a tenth of the full weight. The remaining weights hold the heading.
- `mekf`, `ekf`, `ukf` and `eqf` reject the force of a moving device. The accepted forces of a walk deviate more than
  expected (phones: NIS above 2), and so does the azimuth near magnets for `mekf` and `eqf`.
- `vqf` has no variance for the heading, so only the verdicts on its heading are listed.
"""


BESIDE = ["--reference", "truth.csv", "--si-units"]
# The sets with a reference attitude: title, folder, options of SyntheticSuite.
ATTITUDES = [
    ("TUM VI, six axes", "tum-vi/calib_imu1", ["--align", "--skip", "10", "--without-field", *BESIDE]),
    ("phone, optical, six axes", "phone-optical", ["--align", "--skip", "10", "--without-field", *BESIDE]),
    ("BROAD*", "broad", ["--skip", "10"]),
    ("BROAD*, six axes", "broad", ["--align", "--skip", "10", "--without-field"]),
    ("iPhone 5*", "tyrex", ["--align", "--skip", "60"]),
    ("iPhone 5*, six axes", "tyrex", ["--align", "--skip", "60", "--without-field"]),
]
STATED = """## Errors inside the stated 95 %

Within two sigmas, in per cent: tilt and heading of `kalman`, the position of paths; in brackets, the root mean square of the
error in sigmas. "\\*": the filter was fitted on this set. Constant differences of the frames and the clocks are removed, except
for BROAD with a field. Position: the two horizontal components within the ellipse of 95 %. Distance: that
of the steps, against the landmarks. Not listed: the number of steps, which has no sigma, and calibration
([calibration.md](calibration.md): 93 to 95 % of simulated devices).

Outside 85 to 99 %: the tilt of `kalman` online, whose terms for persistent errors (equation (24) of
[flagship.md](../theory/flagship.md)) were chosen for phones in motion; headings without a field, from which the alignment
removes the constant part that the sigma includes; seven loops; nine walks of one person; a car whose receiver has centimetres of error and states 1 m.

| set | quantity | online | whole log |
|---|---|---|---|
"""


def stated(data):
    """Returns the table of the errors inside the stated 95 %."""
    suite, lines = product("SyntheticSuite"), []
    for title, folder, options in ATTITUDES:
        rows = run(suite, "--filters", "kalman", "--recordings", str(Path(data, folder)), *options).splitlines()
        found = {row[0]: row[2:] for row in (line.split(",") for line in rows[1:]) if row[1] == "all"}
        for quantity, place in (("tilt", 0), ("heading", 3)):
            cells = [found[name] for name in ("kalman", "kalman --smooth") if name in found]
            shown = [f"{100 * float(cell[place + 1]):.0f} ({float(cell[place + 2]):.1f})" for cell in cells]
            lines.append(f"| {title} | {quantity} | " + " | ".join(shown) + " |")
    for title, numbers in positions(Path(data)):
        lines.append(f"| {title} | position | " + " | ".join(f"{100 * number:.0f}" for number in numbers) + " |")
    lines.append(f"| handheld phone | distance | - | {100 * distance_inside(tracks.recordings(Path(data))[2]):.0f} |")
    return STATED + "\n".join(lines) + "\n"


def distance_inside(logs):
    """Returns the fraction of logs whose distance by steps is within its 95 %."""
    inside = 0
    for log in logs:
        marks = [[float(row[name]) for name in ("x (m)", "y (m)")] for row in csv.DictReader(open(log / "landmarks.csv"))]
        truth = sum(math.dist(a, b) for a, b in zip(marks, marks[1:]))
        steps = json.loads(run(tracks.INERTIAL, "steps", str(log), "--json", "--acceleration-unit", "m/s2"))
        inside += abs(steps["distance"] - truth) < 1.96 * steps["distanceSigma"]
    return inside / len(logs)


def positions(data):
    """Yields each set of paths with its fractions inside, online and from the whole log."""
    forms = [argparse.Namespace(online=online, smooth=False, details=False) for online in (True, False)]
    loops, corridors, hand = tracks.recordings(data)
    unit = ["--acceleration-unit", "m/s2"]
    for title, logs, options, key in [
        ("foot, loops", loops, ["--on", "foot", "--closed", *unit], "closureInside"),
        ("foot, corridors", corridors, ["--on", "foot", "--reference", "*_landmarks.csv", *unit], "insideHorizontally"),
        ("handheld phone", hand, ["--on", "hand", "--reference", "landmarks.csv", *unit], "insideHorizontally"),
    ]:
        yield title, [tracks.evaluate(form, logs, *options)["summaries"][0][key] for form in forms]
    yield "car, after 15 s without fixes", [
        tracks.drive_row(form, data / "position-vehicle", 15)["outageInside"] for form in forms]
    for persistence in (5, 30):
        yield f"car, errors of fixes persist for {persistence} s", [
            tracks.persistent(form, data / "position-vehicle", 3, persistence)[1] for form in forms]


def evaluate(command, inputs, arguments):
    result = subprocess.run([command, "evaluate", *inputs, *ARGUMENTS, *arguments, "--json"], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"error: {result.stderr.strip()}")
    return json.loads(result.stdout)


def table(title, document, count):
    lines = [
        f"## {title}", "", f"{count} recordings.", "",
        "| filter | kind | measurements | accepted | " + " | ".join(name for name, _ in REASONS) + " | NIS | in 95 |",
        "|---|---|---|---|" + "---|" * (len(REASONS) + 2),
    ]
    for summary in document["summaries"]:
        for tally in summary["measurements"]:
            verdicts, consistency = tally["verdicts"], tally["consistency"]
            total = sum(verdicts)

            def share(number):
                return f"{100 * number / total:.1f} %" if number else "-"

            nis, within = consistency.get("meanNIS"), consistency.get("shareWithin")
            lines.append(
                f"| `{summary['filter']}` | {tally['kind']} | {total:,} | {100 * verdicts[0] / total:.1f} % | "
                + " | ".join(share(verdicts[place]) for _, place in REASONS)
                + f" | {'-' if nis is None else f'{nis:.2f}'} | {'-' if within is None else f'{100 * within:.1f} %'} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("--output", default=str(ROOT / "docs/results/consistency.md"))
    options = parser.parse_args()
    command = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
    broad, tyrex = Path(options.data, "broad"), Path(options.data, "tyrex")
    trials = sorted(str(path) for path in broad.glob("*.hdf5"))
    phones = sorted(str(path.parent) for path in tyrex.glob("*/ground-truth.csv"))
    if not trials:
        sys.exit(f"error: there is no .hdf5 file in {broad}; give the folder of the BROAD trials")
    if not phones:
        sys.exit(f"error: there is no trial in {tyrex}; give the folder of the Tyrex trials")
    sets = [
        ("BROAD, undisturbed", [path for path in trials if "_undisturbed_" in path], []),
        ("BROAD, disturbed", [path for path in trials if "_disturbed_" in path], []),
        ("Phones, undisturbed", [path for path in phones if "_NoDist_" in path], PHONE),
        ("Phones near magnets", [path for path in phones if "_Dist_" in path], PHONE),
    ]
    page = [HEADER, stated(options.data), MEASUREMENTS.format(filters=FILTERS)]
    for title, inputs, arguments in sets:
        if inputs:
            page.append(table(title, evaluate(command, inputs, arguments), len(inputs)))
    Path(options.output).write_text("\n".join(page), encoding="utf-8")
    print(f"wrote {options.output}")


if __name__ == "__main__":
    main()
