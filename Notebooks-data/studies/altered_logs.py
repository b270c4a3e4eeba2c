"""The reports of `inertial fuse` and `inertial inspect` on altered and unaltered logs.

usage: altered_logs.py DATA [--only SET_OR_ALTERATION] [--json FILE] [--skip-correct]     (make study NAME=altered-logs)

DATA is a folder of data sets, as in recorded_logs.py. Each log of LOGS is converted to a canonical raw CSV and altered by
each alteration of ALTERATIONS. A cell of the table is the outcome:

  refused   fuse ended with an error
  told      fuse warned of it
  noted     fuse printed a note about it, without a warning
  inspect   only inspect reported it
  -         neither reported it
  .         the log lacks the altered channel

Then every recording of DATA is fused unchanged: a warning about one of these alterations is a false alarm. --json writes
the messages for each recording to a file.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from parts.recorded_logs import recordings

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
LOGS = [
    "broad/06_undisturbed_fast_rotation_A.hdf5",
    "tyrex/personA_iPhone5_NoDist_AR",
    "tyrex/personB_iPhone5_NoDist_FrontPocket",
    "iphone-xs/rec_2019-06-21_arkit",
    "activity/phyphox/2023-06-09_13-48-25-round3-subj2",
    "rides/walking_w2_1",
    "joints/3D_02.csv",
]
ACCELERATION, RATE, FIELD = 0, 1, 2


class Log:
    """Returns rows of the time and three vectors, each with its values or none."""

    def __init__(self, path):
        with open(path) as file:
            names = file.readline().strip().split(",")
            places = [[names.index(name + axis) if name + axis in names else None for axis in "XYZ"]
                      for name in ("acceleration", "rotationRate", "magneticField")]
            self.rows = [(float(words[0]), [vector(words, place) for place in places])
                         for words in (line.rstrip("\n").split(",") for line in file)]

    def has(self, sensor):
        return any(vectors[sensor] for _, vectors in self.rows)

    def write(self, path):
        with open(path, "w") as file:
            file.write("time," + ",".join(name + axis for name in ("acceleration", "rotationRate", "magneticField")
                                          for axis in "XYZ") + "\n")
            for time, vectors in self.rows:
                file.write(f"{time!r}," + ",".join(
                    ",".join(map(repr, v)) if v else ",," for v in vectors) + "\n")


def vector(words, places):
    if None in places or not words[places[0]]:
        return None
    return [float(words[place]) for place in places]


def changed(rows, sensor, change):
    """Returns the rows with one sensor's vectors changed by change(vector, elapsed fraction of the log)."""
    start, end = rows[0][0], rows[-1][0]
    return [(t, [change(v, (t - start) / (end - start)) if place == sensor and v else v for place, v in enumerate(vectors)])
            for t, vectors in rows]


def scaled(sensor, factor):
    return sensor, lambda rows: changed(rows, sensor, lambda v, _: [factor * x for x in v])


def axes(sensor, order, signs):
    return sensor, lambda rows: changed(rows, sensor, lambda v, _: [s * v[place] for place, s in zip(order, signs)])


def some(sensor, share, value):
    def change(rows):
        dice = random.Random(7)
        return changed(rows, sensor, lambda v, _: [value] * 3 if dice.random() < share else v)
    return sensor, change


def stuck(sensor, places):
    """Freezes these axes from the middle of the log."""
    def change(rows):
        held = {}
        def hold(v, share):
            if share < 0.5:
                return v
            for place in places:
                held.setdefault(place, v[place])
            return [held.get(place, x) for place, x in enumerate(v)]
        return changed(rows, sensor, hold)
    return sensor, change


def exchanged(rows):
    return [(t, [v[RATE], v[ACCELERATION], v[FIELD]]) for t, v in rows]


def of_another(rows):
    """Reverses the rates in time."""
    rates = [v[RATE] for _, v in rows if v[RATE]]
    return changed(rows, RATE, lambda v, _: rates.pop())


def set_back(rows):
    middle = rows[len(rows) // 2][0]
    return [(t - 1 if t > middle else t, v) for t, v in rows]


def heavy_rest(rows):
    """Appends two minutes at rest with 3 g to the log."""
    dice, end = random.Random(8), rows[-1][0]
    return rows + [(end + place / 50, [[dice.gauss(0, 0.003), dice.gauss(0, 0.003), dice.gauss(-3, 0.003)],
                                       [dice.gauss(0, 0.003) for _ in range(3)], None]) for place in range(1, 6000)]


X, Y, Z = 0, 1, 2
ALTERATIONS = {
    "accelerometer and gyroscope exchanged": (ACCELERATION, exchanged),
    "acceleration times 2": scaled(ACCELERATION, 2),
    "acceleration times 3": scaled(ACCELERATION, 3),
    "acceleration times 1/2": scaled(ACCELERATION, 1 / 2),
    "acceleration times 1/3": scaled(ACCELERATION, 1 / 3),
    "acceleration's sign turned": scaled(ACCELERATION, -1),
    "acceleration's x and y exchanged": axes(ACCELERATION, (Y, X, Z), (1, 1, 1)),
    "acceleration's x flipped": axes(ACCELERATION, (X, Y, Z), (-1, 1, 1)),
    "acceleration turned about x": axes(ACCELERATION, (X, Y, Z), (1, -1, -1)),
    "acceleration's axes turned on": axes(ACCELERATION, (Y, Z, X), (1, 1, 1)),
    "acceleration's z zero": axes(ACCELERATION, (X, Y, Z), (1, 1, 0)),
    "10 g in 5 % of the acceleration": some(ACCELERATION, 0.05, 10.0),
    "acceleration stuck in the second half": stuck(ACCELERATION, (X, Y, Z)),
    "two minutes of 3 g at rest": (ACCELERATION, heavy_rest),
    "rates times 0.06": scaled(RATE, 0.06),
    "rates times 1/2": scaled(RATE, 1 / 2),
    "rates times 2": scaled(RATE, 2),
    "rates times 5": scaled(RATE, 5),
    "rates times 17": scaled(RATE, 17),
    "degrees read as radians": scaled(RATE, 180 / math.pi),
    "radians read as degrees": scaled(RATE, math.pi / 180),
    "gyroscope turned round": scaled(RATE, -1),
    "rates' x and y exchanged": axes(RATE, (Y, X, Z), (1, 1, 1)),
    "rates' x flipped": axes(RATE, (X, Y, Z), (-1, 1, 1)),
    "rates turned about z": axes(RATE, (X, Y, Z), (-1, -1, 1)),
    "rates' axes turned on": axes(RATE, (Y, Z, X), (1, 1, 1)),
    "rates' y zero": axes(RATE, (X, Y, Z), (1, 0, 1)),
    "rates' x stuck in the second half": stuck(RATE, (X,)),
    "gyroscope stuck in the second half": stuck(RATE, (X, Y, Z)),
    "-99 rad/s in 2 % of the rates": some(RATE, 0.02, -99.0),
    "gyroscope of another recording": (RATE, of_another),
    "rate ten times too low": (RATE, lambda rows: [(10 * t, v) for t, v in rows]),
    "time steps back by a second": (RATE, set_back),
    "field in gauss": scaled(FIELD, 0.01),
    "field in nT": scaled(FIELD, 1000),
    "field's sign turned": scaled(FIELD, -1),
    "field's x and y exchanged": axes(FIELD, (Y, X, Z), (1, 1, 1)),
    "field's x flipped": axes(FIELD, (X, Y, Z), (-1, 1, 1)),
    "field's z zero": axes(FIELD, (X, Y, Z), (1, 1, 0)),
}
# Messages of fuse about the log's clock and gaps, which correct recordings have as well.
ORDINARY = re.compile(
    r"gaps? longer than|begins .* after|ends .* before|NaN, treated|infinite or impossible, skipped|repeated with the same"
    r"|at the time of other values|: 1 sample out of order|north is unknown|have no row|could not be read|pause")


def run(*words):
    return subprocess.run([INERTIAL, *map(str, words)], capture_output=True, text=True)


def of_inspect(path, options):
    result = run("inspect", path, "--json", *options)
    if result.returncode:
        return [result.stderr.strip()]
    return json.loads(result.stdout)["findings"]


def of_fuse(path, options, output):
    """Returns 'refused', 'told', 'noted' or 'silent', and the lines."""
    result = run("fuse", path, "-o", output, "--force", "--columns-out", "time", *options)
    lines = [line for line in result.stderr.splitlines() if line.startswith(("warning:", "error:", "note:"))]
    if result.returncode:
        return "refused", lines
    told = [line for line in lines if line.startswith("warning:") and not ORDINARY.search(line)]
    if told:
        return "told", told
    noted = [line for line in lines if line.startswith("note:")]
    return ("noted", noted) if noted else ("silent", [])


def altered(logs, only, scratch, said):
    print("| alteration | " + " | ".join(str(place + 1) for place in range(len(logs))) + " |")
    print("|---" * (len(logs) + 1) + "|")
    counts, before, read = {}, {}, {}
    for place, (_, title, path, options) in enumerate(logs):
        canonical = Path(scratch) / f"{place}.csv"
        result = run("convert", path, "-o", canonical, *options)
        if result.returncode:
            sys.exit(result.stderr.strip())
        read[title] = Log(canonical)
        before[title] = set(map(shape, of_inspect(canonical, [])))
    for name, (sensor, change) in ALTERATIONS.items():
        if only and only not in name:
            continue
        cells = []
        for _, title, _, _ in logs:
            log = read[title]
            if not log.has(sensor):
                cells.append(".")
                continue
            rows, path = log.rows, Path(scratch) / "altered.csv"
            log.rows = change(rows)
            log.write(path)
            log.rows = rows
            word, lines = of_fuse(path, [], Path(scratch) / "fused.csv")
            found = [text for text in of_inspect(path, []) if shape(text) not in before[title]]
            said.append({"log": title, "alteration": name, "fuse": word, "lines": lines, "inspect": found})
            counts[word] = counts.get(word, 0) + 1
            counts["inspect"] = counts.get("inspect", 0) + bool(found)
            cells.append(("inspect" if found else "-") if word == "silent" else word)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    total = sum(counts.get(word, 0) for word in ("refused", "told", "noted", "silent"))
    print()
    for place, (_, title, _, _) in enumerate(logs):
        print(f"{place + 1} is {title}")
    if total:
        shares = ", ".join(f"{word} {100 * counts.get(word, 0) / total:.0f} %" for word in ("refused", "told", "noted", "silent"))
        print(f"\nfuse, of {total}: {shares}; inspect told of {100 * counts['inspect'] / total:.0f} %")


def shape(text):
    """Returns a sentence without its numbers."""
    return re.sub(r"[-\d.]+", "#", text)


def correct(logs, scratch, said):
    alarms = {"fuse": 0, "inspect": 0}
    for name, title, path, options in logs:
        word, lines = of_fuse(path, options, Path(scratch) / "fused")
        found = of_inspect(path, options)
        said.append({"log": title, "alteration": None, "fuse": word, "lines": lines, "inspect": found})
        if word in ("told", "refused"):
            alarms["fuse"] += 1
            print(f"{title}: {word}: {' '.join(lines)}", flush=True)
        alarms["inspect"] += any("--axes" in text or "rates" in text for text in found)
    print(f"\nfalse alarms on {len(logs)} recordings: fuse {alarms['fuse']} ({100 * alarms['fuse'] / max(len(logs), 1):.1f} %), "
          f"inspect, of axes and rates, {alarms['inspect']}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip().split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("data")
    parser.add_argument("--only")
    parser.add_argument("--json")
    parser.add_argument("--skip-correct", action="store_true")
    arguments = parser.parse_args()
    said = []
    with tempfile.TemporaryDirectory() as scratch:
        logs = list(recordings(arguments.data, scratch))
        if not logs:
            sys.exit(f"{arguments.data}: none of the recordings that recorded_logs.py knows is there")
        altered([log for title in LOGS for log in logs if log[1] == title], arguments.only, scratch, said)
        if not arguments.skip_correct:
            correct(logs, scratch, said)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(said, indent=1))


if __name__ == "__main__":
    main()
