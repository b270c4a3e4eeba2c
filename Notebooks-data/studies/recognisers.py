"""The detections of all recognisers on all labelled recordings, and their contradictions.

usage: recognisers.py DATA [--json FILE] [--only WORD] [--details]      (make study NAME=recognisers DATA=folder)
DATA contains the data sets; missing sets are skipped. Each recording is processed by `inertial activity` and
`inertial steps` with their defaults. Prints markdown: the fraction of time with the correct label, by set, participant and
label, and in an optical track while the participant moves and stands; the steps against foot switches, counts and the rise
and fall of the device in that track; and the contradictions: more than 10 s of walking or running without a step, steps
during a detected ride, five consecutive steps at rest, and running with the cadence of a walk.
"""

import argparse
import collections
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from parts import activity_sets
from parts.recorded_logs import ANDROID, SETS, join

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
# Seconds that a recogniser has at the beginning of a label.
BEGINNING = 10
# The maximum interval between two steps of a walk, in seconds.
LONGEST_HALT = 10
# The minimum cadence of a run, in steps per second.
SLOWEST_RUN = 2.0
# The minimum speed of a walk in the optical track over two seconds, in m/s, regardless of the label.
SLOWEST_WALK = 0.25
WORDS = {
    "sitting": "stationary", "standing": "stationary", "lying": "stationary", "kneeling": "stationary",
    "seated": "stationary", "turning": "walking", "stairs": "walking", "bus": "automotive", "train": "automotive",
    "metro": "automotive", "driving": "automotive",
}
JUDGED = ("stationary", "walking", "running", "cycling", "automotive")


@dataclass
class Recording:
    set: str
    name: str
    path: str
    options: list
    # Start and end in seconds on the log's clock (None: its beginning or end), the set's label, and the participant.
    labels: list = field(default_factory=list)
    # The counted steps and their source, between two times or in the whole recording.
    steps: int | None = None
    reference: str = ""
    between: tuple | None = None
    # By the optical track: segments in which the participant moves, and all visible segments of the label.
    moved: list = field(default_factory=list)
    seen: list = field(default_factory=list)
    activity: dict = field(default_factory=dict)
    stepped: dict = field(default_factory=dict)


def trained(folder, scratch):
    """Returns the training sets of the built-in model, with their labels."""
    work = activity_sets.Work(scratch)
    for part in (activity_sets.phyphox, activity_sets.tyrex, activity_sets.spsw, activity_sets.steps,
                 activity_sets.shake):
        part(folder, work)
    labels = collections.defaultdict(list)
    for name, start, end, word, person in work.labels:
        labels[name].append((float(start), float(end), word, person))
    for path in work.inputs:
        name = os.path.basename(path.rstrip("/")).removesuffix(".csv")
        of = labels[name]
        kind = of[0][3].split("-")[0] if of else "shake"
        recording = Recording(kind, name, path, [], of)
        if kind == "steps":
            count_steps(folder, recording)
        elif kind == "tyrex":
            follow(recording)
            count_bounces(recording)
        yield recording


def count_steps(folder, recording):
    here = Path(folder, "steps")
    switches = here / "footswitch" / recording.name / "stepcounter.csv"
    if switches.exists():
        rows = [[float(v) for v in row] for row in activity_sets.read(switches) if row[0][0].isdigit()]
        recording.reference = "foot switches"
        recording.steps = sum(
            before[foot] <= 0.5 < after[foot] for before, after in zip(rows, rows[1:]) for foot in (1, 2))
    else:
        rows = [row for row in activity_sets.read(here / "counted" / (recording.name + ".csv")) if row[0][0].isdigit()]
        recording.reference, recording.steps = "counted", int(rows[-1][5]) - int(rows[0][5])


def optical(recording):
    """Returns times on the log's clock, positions in m and whether the track sees the device."""
    import numpy as np
    table = np.genfromtxt(os.path.join(recording.path, "ground-truth.csv"), delimiter=",", names=True)
    places = np.stack([table[name] for name in ("x_mm", "y_mm", "z_mm")], 1) / 1000
    # The log's clock is ahead of the optical clock by the boot time, less the set's offset.
    with open(os.path.join(recording.path, "description.txt")) as file:
        boot = float(file.read().split("=")[1].split()[0])
    with open(os.path.join(recording.path, "timeAlignment.txt")) as file:
        shift = boot - float(file.read().split()[0])
    return table["t_s"] + shift, places, np.isfinite(places).all(1)


def follow(recording):
    """Returns the times at which the participant moves in the optical track, within the label."""
    import numpy as np
    if not recording.labels:
        return
    times, places, seen = optical(recording)
    start, end, _, _ = recording.labels[0]
    grid = np.arange(max(times[0] + 1, start), min(times[-1] - 1, end), 0.1)
    before, after = (
        np.stack([np.interp(grid + shift, times[seen], places[seen, axis]) for axis in (0, 1)], 1) for shift in (-1, 1))
    moves = np.linalg.norm(after - before, axis=1) / 2 >= SLOWEST_WALK
    recording.seen = [(float(t), float(t + 0.1)) for t in grid]
    recording.moved = [stretch for stretch, is_moving in zip(recording.seen, moves) if is_moving]


def count_bounces(recording):
    """Counts the rises of the device in the optical track: a body rises once per step, a swinging arm at both ends. A
    thigh lifts a pocket by more than the body rises, so pockets are left out except for running."""
    from scipy.signal import butter, filtfilt, find_peaks
    runs = "Running" in recording.name
    if "Pocket" in recording.name and not runs or not recording.labels:
        return
    import numpy as np
    times, places, seen = optical(recording)
    rate, height = 60, 1000 * np.interp(times, times[seen], places[seen, 2])
    height = filtfilt(*butter(2, [0.6 / rate * 2, (4.5 if runs else 3) / rate * 2], "band"), height)
    tops, _ = find_peaks(height, prominence=3, distance=12 if runs else 20)
    start, end, _, _ = recording.labels[0]
    if seen[(times >= start) & (times <= end)].mean() > 0.9:
        recording.reference, recording.between = "optical track", (start, end)
        recording.steps = sum(start <= times[top] <= end for top in tops)


def rides(folder, scratch):
    labels = Path(folder, "rides", "labels.csv")
    if not labels.exists():
        return
    for row in list(csv.reader(labels.open(newline="")))[1:]:
        path = Path(folder, "rides", row[0])
        if path.is_dir():
            output = Path(scratch) / (row[0] + ".csv")
            join(path, output)
            yield Recording("rides", row[0], str(output), [], [(None, None, row[1], row[2])])


def others(folder):
    """Returns the sets without training, and recordings that are only searched for contradictions."""
    words = {"cycling": "cycling", "driving": "driving", "climb": "stairs", "descend": "stairs"}
    for name, patterns, options in SETS:
        if name not in ("cycling, driving", "floors", "broad", "iphone-xs", "sensor-logger", "indoor-walks"):
            continue
        for path in sorted(p for pattern in patterns for p in Path(folder).glob(pattern)):
            if path.name.startswith("SOURCE"):
                continue
            place = path.parent.name
            word = words.get(path.name if path.name == "driving" else place, "")
            kind = place if name.startswith("cycling") and place == "cycling" else name
            yield Recording(kind, path.name, str(path), options, [(None, None, word, kind)] if word else [])


def ask(recording):
    for command in ("activity", "steps"):
        result = subprocess.run(
            [INERTIAL, command, recording.path, "--json", *recording.options], capture_output=True, text=True)
        if result.returncode != 0:
            lines = result.stderr.strip().splitlines()
            return f"{recording.name}: inertial {command}: {lines[-1] if lines else result.returncode}"
        setattr(recording, "activity" if command == "activity" else "stepped", json.loads(result.stdout))
    return None


def overlap(a, b):
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0]))


def tell(recording):
    """Returns the seconds of each flag by label, without the beginning of long labels."""
    log = recording.activity
    result = collections.defaultdict(lambda: [0.0, collections.Counter()])
    for start, end, label, person in recording.labels:
        word = WORDS.get(label, label)
        if word not in JUDGED:
            continue
        start = log["firstTime"] if start is None else start
        end = log["lastTime"] if end is None else end
        if recording.set in ("rides", "cycling", "cycling, driving"):
            start += BEGINNING
        entry = result[label, person]
        entry[0] += max(end - start, 0)
        for segment in log["segments"]:
            shared = overlap((start, end), (segment["start"], segment["end"]))
            if shared:
                flags = [flag for flag in segment["flags"] if not flag.startswith("stairs")] or ["none"]
                entry[1][word if word in flags else flags[0]] += shared
    return result


def joined(segments, flags):
    """Returns segments with any of the flags; consecutive segments are merged."""
    stretches = []
    for segment in segments:
        if flags & set(segment["flags"]):
            if stretches and segment["start"] - stretches[-1][1] < 0.01:
                stretches[-1][1] = segment["end"]
            else:
                stretches.append([segment["start"], segment["end"]])
    return stretches


def contradictions(recording):
    """Returns the kinds of contradictions, each with its amount."""
    segments, times = recording.activity["segments"], recording.stepped["stepTimes"]
    found = []
    halts = []
    for start, end in joined(segments, {"walking", "running"}):
        inside = [start] + [t for t in times if start < t < end] + [end]
        halts += [b - a for a, b in zip(inside, inside[1:]) if b - a > LONGEST_HALT]
    if halts:
        found.append(("walks without steps", round(sum(halts), 1)))
    ridden = sum(
        start <= t <= end for start, end in joined(segments, {"cycling", "automotive"}) for t in times)
    if ridden:
        found.append(("steps in a ride", ridden))
    # Five consecutive steps, more than the possible error of the edge, about one second, from an adjacent walk.
    rested = sum(
        start + 1.28 <= times[i] and times[i + 4] <= end - 1.28 and times[i + 4] - times[i] < 8
        for start, end in joined(segments, {"stationary"}) for i in range(len(times) - 4))
    if rested:
        found.append(("steps in a rest", rested + 4))
    for start, end in joined(segments, {"running"}):
        inside = [t for t in times if start <= t <= end]
        gaps = sorted(b - a for a, b in zip(inside, inside[1:]))
        if len(gaps) >= 10 and 1 / max(gaps[len(gaps) // 2], 1e-3) < SLOWEST_RUN:
            found.append(("runs with the cadence of a walk", round(end - start, 1)))
    return found


def show_moves(recordings):
    """Prints how often a walk or run is detected while the participant moves in the optical track, and while standing."""
    sums = collections.Counter()
    for recording in recordings:
        moved = set(recording.moved)
        walks = joined(recording.activity["segments"], {"walking", "running"})
        for stretch in recording.seen:
            what = "moves" if stretch in moved else "stands"
            sums[what] += 1
            sums[what, "walks"] += any(start <= stretch[0] < end for start, end in walks)
    if sums["moves"] and sums["stands"]:
        print("\nWalks and runs of tyrex by the optical track\n\n| the person | s | walking or running detected |\n|---|---|---|")
        for what in ("moves", "stands"):
            print(f"| {what} | {sums[what] / 10:.0f} | {100 * sums[what, 'walks'] / sums[what]:.1f} % |")


def show(recordings, details):
    print("Fraction of the labelled time with the correct label\n")
    rows = collections.defaultdict(lambda: [0.0, collections.Counter(), 0])
    for recording in recordings:
        for (label, person), (seconds, told) in tell(recording).items():
            rows[recording.set, label, person][2] += 1
            entries = [(recording.set, label, person)]
            if recording.set in ("rides", "cycling"):
                entries.append((recording.set, label, recording.name))
            entries.append((recording.set, label, "all"))
            for entry in entries:
                rows[entry][0] += seconds
                rows[entry][1].update(told)
    print("| set | label | person or ride | s | correct | other answers |")
    print("|---|---|---|---|---|---|")
    for (kind, label, person), (seconds, told, count) in sorted(rows.items()):
        if seconds < 1 or (person != "all" and not details and kind not in ("rides", "cycling")):
            continue
        word = WORDS.get(label, label)
        rest = ", ".join(f"{flag} {100 * s / seconds:.0f}" for flag, s in told.most_common() if flag != word and s > 0.005 * seconds)
        print(f"| {kind} | {label} | {person} | {seconds:.0f} | {100 * told[word] / seconds:.1f} % | {rest} |")
    show_moves(recordings)
    print("\nSteps\n\n| reference | recordings | mean error | median | worst | lose more than half |")
    print("|---|---|---|---|---|---|")
    errors = collections.defaultdict(list)
    for recording in recordings:
        if recording.steps:
            times = recording.stepped["stepTimes"]
            if recording.between:
                times = [t for t in times if recording.between[0] <= t <= recording.between[1]]
            counted = len(times)
            error = (counted - recording.steps) / recording.steps
            errors[recording.reference].append((abs(error), error, recording.name, counted, recording.steps))
    for reference, values in errors.items():
        values.sort()
        plain = [value[0] for value in values]
        print(f"| {reference} | {len(values)} | {100 * sum(plain) / len(plain):.2f} % | "
              f"{100 * plain[len(plain) // 2]:.1f} % | {100 * plain[-1]:.1f} % | {sum(v[1] < -0.5 for v in values)} |")
    for reference, values in errors.items():
        for value in values:
            if details or value[0] > 0.05:
                print(f"- {value[2]}: {value[3]} of {value[4]}")
    idle, minutes = collections.Counter(), collections.Counter()
    for recording in recordings:
        for start, end, label, person in recording.labels:
            if WORDS.get(label, label) in ("stationary", "cycling", "automotive"):
                log = recording.activity
                start, end = (log["firstTime"] if start is None else start, log["lastTime"] if end is None else end)
                idle[label] += sum(start <= t <= end for t in recording.stepped["stepTimes"])
                minutes[label] += (end - start) / 60
    print("\nSteps without walking\n\n| label | minutes | steps | a minute |\n|---|---|---|---|")
    for label in sorted(minutes):
        print(f"| {label} | {minutes[label]:.1f} | {idle[label]} | {idle[label] / minutes[label]:.2f} |")
    print("\nContradictions\n\n| recording | what | s, or steps |\n|---|---|---|")
    count = collections.Counter()
    for recording in recordings:
        found = contradictions(recording)
        count["recordings"] += bool(found)
        for what, amount in found:
            count[what] += 1
            print(f"| {recording.set} {recording.name} | {what} | {amount} |")
    print(f"\n{count['recordings']} of {len(recordings)} recordings contradict themselves:",
          ", ".join(f"{what} {n}" for what, n in count.items() if what != "recordings") or "none")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("data")
    parser.add_argument("--json", default=None)
    parser.add_argument("--only", default="")
    parser.add_argument("--details", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        recordings = [r for r in (*trained(arguments.data, scratch), *rides(arguments.data, scratch),
                                  *others(arguments.data)) if arguments.only in f"{r.set} {r.name}"]
        if not recordings:
            sys.exit(f"{arguments.data}: no labelled recordings; see activity_sets.py and recorded_logs.py for the sets")
        with ThreadPoolExecutor(2) as pool:
            for complaint in pool.map(ask, recordings):
                if complaint:
                    print(complaint, file=sys.stderr)
        recordings = [r for r in recordings if r.activity and r.stepped]
    show(recordings, arguments.details)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump([vars(recording) for recording in recordings], file, default=lambda value: value.tolist())


if __name__ == "__main__":
    main()
