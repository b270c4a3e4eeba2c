"""The rows that measure the flagship filter, each with its required and its target figures.

usage: flagship.py DATA [--rows 1,2,3,4,5,6,7,8] [--json FILE] [--details]     (make study NAME=flagship DATA=folder)

DATA/broad: BROAD's .hdf5 trials. DATA/tyrex: the folders of the iPhone 5 recordings. Prints Markdown;
progress goes to standard error. Rows:
  1  BROAD: mean errors, online and offline, also with the sensors' delay of 2.5 ms compensated
  2  phones: medians against VQF and against Apple's attitude; constant frames and clock offset removed from all
  3  the largest heading error for recordings with a usable field
  4  recovery from a 90 degree fault of the attitude, and from six seconds without samples
  5  cost compared with VQF's C++, in alternation
  6  parameters fitted without the motions, or the person, of the evaluation
  7  six axes, yaw aligned by one constant: BROAD, the phones, and the phones without their gyroscope's bias
  8  BROAD with hard iron added
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from statistics import mean, median

import numpy as np

from parts.flagship_cost import cost_rows
from parts.flagship_hard_iron import hard_iron_rows
from parts.flagship_parts import (
    INERTIAL, PHONE, PHONE_FRAMES, PHONE_VQF, Row, evaluate, link, note, product, run, short, take)
from parts.flagship_tuning import tuning_rows
from parts.recording_checks import Checked, read_broad, read_tyrex

# The timestamps of BROAD's sensors are 2.5 ms later than its reference's.
LATENESS = ["--clock-shift=-0.0025"]
# The time to converge, in seconds, and the minimum fraction of time with the field near its median direction.
BROAD_SKIP, PHONE_SKIP, USABLE, STRICT = 10.0, 60.0, 0.8, 0.9
FORMS = (("online", []), ("smoothed", ["--smooth"]))


def broad_rows(broad, _):
    rows = []
    limits = {"online": ((1.27, 1.10), (0.57, 0.54)), "smoothed": ((1.00, 0.85), (0.51, 0.495))}
    for form, flags in FORMS:
        figures = evaluate(broad, "kalman,vqf", flags)
        late = evaluate(broad, "kalman,vqf", flags + LATENESS)
        peer = "VQF" if form == "online" else "offlineVQF"
        for error, (reach, beyond) in zip(("total", "inclination"), limits[form]):
            rows.append(Row(
                1, f"BROAD, {form}, mean {error}", take(figures, "kalman", error, mean), "°", reach, beyond,
                f"{peer} {short(take(figures, 'vqf', error, mean))}"))
        reach, beyond = (0.31, 0.28) if form == "smoothed" else (None, None)
        for error in ("total", "inclination"):
            rows.append(Row(
                1, f"BROAD, {form}, 2.5 ms compensated, mean {error}", take(late, "kalman", error, mean), "°",
                *((reach, beyond) if error == "inclination" else (None, None)),
                f"{peer} {short(take(late, 'vqf', error, mean))}"))
    return rows


def phone_rows(_, tyrex):
    rows = []
    online = evaluate(tyrex, "kalman,vqf", PHONE + PHONE_VQF + ["--device"])
    for form, flags in FORMS:
        figures = online if not flags else evaluate(tyrex, "kalman,vqf", PHONE + PHONE_VQF + flags)
        for name, error, statistic, select, peer, reach, beyond in (
            ("undisturbed, median total", "total", median, "_NoDist_", "vqf", 0.8, 0.6),
            ("disturbed, median total", "total", median, "_Dist_", "vqf", 0.85, 0.6),
            ("all, median inclination", "inclination", median, "", "vqf", 0.8, 0.6),
            ("undisturbed, median total", "total", median, "_NoDist_", "device", 1.0, 0.5),
            ("disturbed, median total", "total", median, "_Dist_", "device", 1.0, 0.5),
            ("all, median inclination", "inclination", median, "", "device", 1.0, 0.5),
            ("running, mean inclination", "inclination", mean, "Running", "vqf", 1.0, 0.7),
        ):
            ours = take(figures, "kalman", error, statistic, select)
            theirs = take(online, peer, error, statistic, select)
            label = "VQF" if peer == "vqf" else "Apple"
            text = f"{label} {short(theirs)}°" if ours is None else f"{short(ours)}°, {label} {short(theirs)}°"
            if flags and peer == "vqf":
                text += f", offlineVQF {short(take(figures, 'vqf', error, statistic, select))}°"
            rows.append(Row(
                2, f"phones, {form}, {name} / {label}", None if ours is None else ours / theirs, "×", reach, beyond,
                text))
        rows[-1].details = figures
    return rows


def heading_rows(broad, tyrex):
    """Returns the largest heading error of recordings with a usable field. The selection does not depend on a filter.

    A recording's field is usable if its horizontal direction, with the reference's attitude, is within 20° of its
    median for at least four fifths of the evaluated time. Samples of a phone's reference that the gyroscope contradicts
    are left out, because the optical system has lost the device for a moment."""
    shares, dropped = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for trial in sorted(Path(tyrex).iterdir()):
            if not (trial / "ground-truth.csv").exists():
                continue
            checked = Checked(read_tyrex(trial))
            rejected = checked.contradicted()
            shares[trial.name], dropped[trial.name] = checked.field_share(PHONE_SKIP, rejected), int(rejected.sum())
            copy = link(trial, folder, without="ground-truth.csv")
            header, *lines = (trial / "ground-truth.csv").read_text().splitlines()
            kept = [line for line, bad in zip(lines, rejected) if not bad]
            (copy / "ground-truth.csv").write_text("\n".join([header, *kept]) + "\n")
        for trial in sorted(Path(broad).glob("*.hdf5")):
            checked = Checked(read_broad(trial))
            nothing = np.zeros(len(checked.recording.times), bool)
            shares[trial.name], dropped[trial.name] = checked.field_share(BROAD_SKIP, nothing), 0
        rows = []
        for form, flags in FORMS:
            on_phones = evaluate(folder, "kalman,vqf", PHONE + PHONE_VQF + flags)
            on_broad = evaluate(broad, "kalman,vqf", ["--skip", str(BROAD_SKIP)] + flags)
            largest = {
                filter: sorted(
                    ((row["largestHeading"], Path(row["recording"].rstrip("/")).name)
                     for row in on_phones + on_broad if row["filter"] == filter), reverse=True)
                for filter in ("kalman", "vqf")}
            usable = {k: [e for e in v if shares[e[1]] >= USABLE] for k, v in largest.items()}
            named = lambda entries: f"{short(entries[0][0])}° ({entries[0][1]})"
            beside = f"VQF {named(usable['vqf'])}"
            if usable["kalman"]:
                strict = [entry for entry in largest["kalman"] if shares[entry[1]] >= STRICT]
                beside = f"{usable['kalman'][0][1]}; with a fraction of {STRICT}: {named(strict)}; {beside}"
            first = usable["kalman"][0][0] if usable["kalman"] else None
            rows.append(Row(
                3, f"largest heading error with a usable field, {form}", first, "°", 45, 25, beside))
            rows[-1].details = [
                dict(recording=name, largestHeading=error, fieldShare=round(shares[name], 3),
                     usable=shares[name] >= USABLE, referenceSamplesDropped=dropped[name])
                for error, name in largest["kalman"]]
    return rows


def fault_rows(broad, _):
    program = product("FaultsAndGaps")
    trials = sorted(str(path) for path in Path(broad).glob("*_undisturbed_*.hdf5"))
    header, *lines = run(program, "kalman,vqf", *trials).splitlines()
    cases = [dict(zip(header.split(","), line.split(","))) for line in lines]
    rows = []
    for kind, name, limit, after in (
        ("tilt", "90° tilt fault", (1, 0.5), "6 to 16 s after"),
        ("heading", "90° heading fault", (1, 0.5), "6 to 16 s after"),
        ("oblique", "90° oblique fault", (1, 0.5), "6 to 16 s after"),
        ("gap", "gap of 6 s", (3, 1), "10 to 20 s after"),
    ):
        for error in ("total", "inclination"):
            def values(filter, column):
                return [float(c[column]) for c in cases if c["filter"] == filter and c["case"] == kind]

            ours, vqf = values("kalman", error), values("vqf", error)
            control = values("kalman", "undisturbed" + error.capitalize())
            rows.append(Row(
                4, f"{name}, {after}, median {error}", median(ours), "°", *limit,
                f"worst {short(max(ours))} of {len(ours)}, within {limit[0]}° in {sum(v <= limit[0] for v in ours)}; "
                f"without it {short(median(control))}; VQF {short(median(vqf))}, worst {short(max(vqf))}"))
        rows[-1].details = [
            {key: value if key in ("recording", "filter", "case") else float(value) for key, value in case.items()}
            for case in cases if case["case"] == kind]
    return rows


def six_axis_rows(broad, tyrex):
    """Recordings of a phone's raw gyroscope with a bias of 5 °/s, and the same recordings with a bias of 0.4 °/s: a filter
    must serve both. The bias is estimated by the offline form with the field."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for trial in sorted(Path(tyrex).iterdir()):
            if (trial / "ground-truth.csv").exists():
                take_bias_out(trial, Path(folder))
        for form, flags in FORMS:
            six = ["--frame", "xArbitraryZVertical", *flags]
            on_broad = evaluate(broad, "kalman,vqf", six + ["--align", "yaw"])
            rows.append(Row(
                7, f"BROAD, six axes, {form}, mean total", take(on_broad, "kalman", "total", mean), "°", 1.4, 1.2,
                f"VQF {short(take(on_broad, 'vqf', 'total', mean))}"))
            for name, path in (("bias of 5 °/s", tyrex), ("bias of 0.4 °/s", folder)):
                figures = evaluate(path, "kalman,vqf", six + PHONE_FRAMES + PHONE_VQF)
                reach, beyond = (14, 8) if form == "online" else (10, 5)
                rows.append(Row(
                    7, f"phones, {name}, six axes, {form}, mean heading", take(figures, "kalman", "heading", mean), "°",
                    reach, beyond,
                    f"median {short(take(figures, 'kalman', 'heading', median))}; "
                    f"VQF {short(take(figures, 'vqf', 'heading', mean))}, "
                    f"median {short(take(figures, 'vqf', 'heading', median))}"))
                rows[-1].details = figures
    return rows


def take_bias_out(trial, folder):
    """Copies a recording with a gyroscope bias of (0.3, -0.2, 0.1) °/s."""
    output = folder / "fused.csv"
    frame = ["--frame", "xMagneticNorthZVertical", "--field", "calibrated"]
    run(INERTIAL, "fuse", str(trial), *frame, "--smooth", "-o", str(output), "--force")
    fused = np.genfromtxt(output, delimiter=",", names=True, dtype=None, encoding=None)
    output.unlink()
    rows = np.array([[float(x) for x in line.split()] for line in open(trial / "gyroscope.txt") if line.strip()])
    rates = np.column_stack([fused[f"rotationRate{axis}"] for axis in "XYZ"])
    raw = np.column_stack([np.interp(fused["time"], rows[:, 0], rows[:, i]) for i in (1, 2, 3)])
    bias = np.median(raw - rates, axis=0) - np.radians([0.3, -0.2, 0.1])
    rows[:, 1:4] -= bias
    np.savetxt(link(trial, folder, without="gyroscope.txt") / "gyroscope.txt", rows, fmt="%.9f")


ROWS = {1: broad_rows, 2: phone_rows, 3: heading_rows, 4: fault_rows, 5: cost_rows, 6: tuning_rows, 7: six_axis_rows,
        8: hard_iron_rows}


def print_table(rows):
    print("| row | measured | reach | beyond | is | beside |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        limit = lambda value: "" if value is None else f"{value:g} {row.unit}"
        value = "no offline form yet" if row.value is None else f"{short(row.value)} {row.unit}"
        print(f"| {row.name} | {value} | {limit(row.reach)} | {limit(row.beyond)} | {row.verdict} | {row.beside} |")


def cell(value):
    if isinstance(value, str):
        return Path(value.rstrip("/")).name
    return short(value) if isinstance(value, float) or value is None else str(value)


def print_details(rows):
    for row in rows:
        if not row.details:
            continue
        print(f"\nBehind '{row.name}':\n")
        keys = list(row.details[0])
        print("| " + " | ".join(keys) + " |\n|" + "---|" * len(keys))
        for entry in row.details:
            print("| " + " | ".join(cell(entry.get(key)) for key in keys) + " |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("data")
    parser.add_argument("--rows", default="1,2,3,4,5,6,7,8")
    parser.add_argument("--json")
    parser.add_argument("--details", action="store_true")
    options = parser.parse_args()
    broad, tyrex = Path(options.data, "broad"), Path(options.data, "tyrex")
    if not sorted(broad.glob("*.hdf5")):
        sys.exit(f"error: there is no .hdf5 file in {broad}; give the folder of BROAD's trials")
    if not list(tyrex.glob("*/ground-truth.csv")):
        sys.exit(f"error: there is no trial in {tyrex}; give the folder of the Tyrex trials")
    if not re.fullmatch(r"[1-8](,[1-8])*", options.rows):
        sys.exit(f"error: --rows takes numbers from 1 to 8 with commas, not {options.rows}")
    rows = []
    for number in sorted({int(word) for word in options.rows.split(",")}):
        note(f"rows {number}: {ROWS[number].__name__}")
        rows += ROWS[number](str(broad), str(tyrex))
    print_table(rows)
    if 3 in {row.number for row in rows}:
        for row in rows:
            if row.number == 3 and row.details:
                print(f"\nThe ten largest heading errors of {row.name.split(', ')[-1]}:\n")
                print("| recording | largest heading error | fraction of time with the field near its median | usable |")
                print("|---|---|---|---|")
                for entry in row.details[:10]:
                    print(f"| {entry['recording']} | {short(entry['largestHeading'])}° | {entry['fieldShare']:.2f} "
                          f"| {'yes' if entry['usable'] else 'no'} |")
    if options.details:
        print_details(rows)
    if options.json:
        Path(options.json).write_text(json.dumps([row.document() for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
