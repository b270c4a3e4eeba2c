"""Evaluates every shake detector on labelled windows and on recordings without shakes, by `inertial evaluate-events`.

usage: shakes.py DATA     (make study NAME=shakes DATA=folder)

DATA/shake is a folder of labelled device motion (see shake_labels.py). DATA has recordings without a shake, in folders by
the names of the sets in SETS; missing sets are skipped and reported. Prints three tables in Markdown: the reference
detector by sensitivity, every detector, and the hours of each set. Windows of 3 s are evaluated one by one, each by a
new detector. The executed commands go to standard error.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from math import exp, lgamma, log
from pathlib import Path

from parts.shake_labels import make

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
SENSITIVITIES = "0,0.25,0.5,0.75,1"
WINDOWS = ("shake", "chop", "steering", "rest")
ANDROID = ["--acceleration-unit", "m/s2", "--acceleration-sign", "specific-force", "--rotation-unit", "rad/s"]
# Set, patterns of its recordings, and options for properties that the files do not specify.
SETS = [
    ("walking, running, pockets, swinging, AR", ["tyrex/person*"], []),
    ("activities and falls", ["activity/phyphox/*round*/"], []),
    ("sitting, standing, turning", ["activity/spsw-har/s*/*_sp.csv"], ["--time-unit", "ms", *ANDROID]),
    (
        "steps, seven positions",
        ["steps/counted/*.csv"],
        ["--columns", "time,accelerationX,accelerationY,accelerationZ,-,-,-", "--time-unit", "ns", *ANDROID],
    ),
    (
        "steps with foot switches",
        ["steps/footswitch/*/accelerometer.csv"],
        ["--columns", "time,-,accelerationX,accelerationY,accelerationZ", "--time-unit", "ns", *ANDROID],
    ),
    ("walks in malls", ["indoor-walks/*.txt"], []),
    ("skiing, rotated by hand", ["sensor-logger/*/"], []),
    ("hand-held walks", ["iphone-xs/rec_2019-06-10*/", "iphone-xs/rec_2019-06-11*/", "iphone-xs/rec_2019-06-21_arkit/"], []),
    ("cycling, driving", ["evaluation-only/cycling/*/", "evaluation-only/driving/"], []),
    ("stairs and lifts", ["evaluation-only/floors/*/*.json"], []),
]


def evaluate(logs, *options):
    """Returns the rows of one run, by detector and sensitivity."""
    command = [INERTIAL, "evaluate-events", "--task", "shake", *logs, "--sensitivities", SENSITIVITIES, *options, "--json"]
    shown = [word for word in command if word not in logs]
    shown.insert(4, f"({len(logs)} logs)")
    print("inertial " + " ".join(word if word[0] == "(" else shlex.quote(word) for word in shown[1:]), file=sys.stderr)
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr.strip().splitlines()[-1])
    return {(row["detector"], row.get("sensitivity")): row for row in json.loads(result.stdout)["detectors"]}


def poisson_bound(count):
    """Returns the mean for which at most `count` events have a probability of 5 % (Garwood 1936)."""
    low, high = 0.0, count + 10 + 5 * count**0.5
    for _ in range(60):
        mean = (low + high) / 2
        share = sum(exp(-mean + k * log(mean) - lgamma(k + 1)) for k in range(count + 1)) if mean > 0 else 1
        low, high = (mean, high) if share > 0.05 else (low, mean)
    return (low + high) / 2


def interval(count, total):
    """Returns the 95 % confidence interval of a fraction (Wilson 1927), in percent."""
    z, share = 1.959964, count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    return f"{100 * max(0, middle - half):.1f} to {100 * min(1, middle + half):.1f}"


def logs_of_sets(folder):
    """Returns the name, logs and options of each existing set."""
    for name, patterns, options in SETS:
        logs = sorted(str(path) for pattern in patterns for path in folder.glob(pattern)
                      if not path.name.startswith("SOURCE"))
        if logs:
            yield name, logs, options
        else:
            print(f"missing, left out: {name} ({', '.join(patterns)})", file=sys.stderr)


def others(folder):
    """Returns false alarms and hours by detector, over all existing sets, and the hours of each set."""
    total, hours = {}, []
    for name, logs, options in logs_of_sets(folder):
        rows = evaluate(logs, *options)
        for key, row in rows.items():
            sums = total.setdefault(key, {"alarms": 0, "hours": 0.0, "ns": 0.0, "samples": 0})
            sums["alarms"] += row["falseAlarms"]
            sums["hours"] += row["hours"]
            sums["ns"] += row["nanosecondsPerSample"] * row["samples"]
            sums["samples"] += row["samples"]
        found = [next(row for (detector, _), row in rows.items() if detector == wanted) for wanted in ("axis",)]
        reference = rows[("reference", 0.5)]
        hours.append((name, len(logs), reference["hours"], reference["falseAlarms"], found[0]["falseAlarms"]))
    return total, hours


def line(name, row, sums):
    windows = [row["windows"].get(label, {"count": 0, "touched": 0}) for label in WINDOWS]
    cells = [f"{w['touched']} of {w['count']}" for w in windows]
    cells += [interval(windows[0]["touched"], windows[0]["count"])]
    if sums:
        per_hour, bound = sums["alarms"] / sums["hours"], poisson_bound(sums["alarms"]) / sums["hours"]
        cells += [f"{sums['alarms']}", f"{per_hour:.2f} (below {bound:.2f})", f"{sums['ns'] / sums['samples']:.0f}"]
    return f"| {name} | " + " | ".join(cells) + " |"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().split("\n\n")[1])
    data = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as out:
        logs = make(data / "shake", Path(out))
        labels = ["--labels", str(Path(out) / "labels.csv"), "--windows-alone"]
        rows = evaluate([log for person in logs.values() for log in person], *labels)
        total, hours = others(data)
    head = [*(f"{label}" for label in WINDOWS), "shake, 95 %"] + (["alarms", "per hour", "ns"] if total else [])
    for first, keys in (
        ("sensitivity", [key for key in rows if key[1] is not None]),
        ("detector", [key for key in rows if key[1] in (None, 0.5)]),
    ):
        print(f"| {first} | " + " | ".join(head) + " |\n|" + "---|" * (len(head) + 1))
        for key in keys:
            print(line(key[1] if first == "sensitivity" else f"`{key[0]}`", rows[key], total.get(key)))
        print()
    if hours:
        print("| recordings | logs | hours | alarms | of the rule of 2.45 g |\n|---|---|---|---|---|")
        for name, count, length, alarms, axis in hours:
            print(f"| {name} | {count} | {length:.2f} | {alarms} | {axis} |")
        length, alarms, axis = (sum(row[place] for row in hours) for place in (2, 3, 4))
        print(f"| all | {sum(row[1] for row in hours)} | {length:.2f} | {alarms} | {axis} |")


if __name__ == "__main__":
    main()
