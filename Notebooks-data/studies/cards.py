"""The figures of the detectors' cards (docs/results/cards.md), with intervals at 95 %.

usage: cards.py DATA [--only activities,steps,falls,posture,floors]      (make study NAME=cards DATA=folder)
DATA contains the data sets, as for recognisers.py; missing sets are skipped. Means and fractions of time have
bootstrap intervals: whole recordings are resampled 4000 times (seed 26), percentiles 2.5 and 97.5. Counts have Wilson
intervals. `make study NAME=shakes` prints the shakes of the cards, with Wilson and Garwood intervals.
"""

import argparse
import collections
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import recognisers as study
from parts import activity_sets
from parts.recorded_logs import STANDARD_GRAVITY

INERTIAL = study.INERTIAL
DRAWS, SEED = 4000, 26


def wilson(count, total):
    """Returns the 95 % confidence interval of a fraction, in percent."""
    if not total:
        return "-"
    z, share = 1.959964, count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    return f"{100 * max(0, middle - half):.1f} to {100 * min(1, middle + half):.1f} %"


def bootstrap(parts, statistic):
    """Returns the bootstrap interval of a statistic of parts, one part per recording."""
    if len(parts) < 3:
        return None
    generator = random.Random(SEED)
    values = sorted(statistic(generator.choices(parts, k=len(parts))) for _ in range(DRAWS))
    return values[int(0.025 * DRAWS)], values[int(0.975 * DRAWS) - 1]


def mean(parts):
    return sum(parts) / len(parts)


def ratio(parts):
    """Returns the sum of the pairs' first elements over the sum of their second elements."""
    total = sum(part[1] for part in parts)
    return sum(part[0] for part in parts) / total if total else 0


def percent(value, interval, digits=1):
    text = f"{100 * value:.{digits}f} %"
    return text if interval is None else text + f" ({100 * interval[0]:.{digits}f} to {100 * interval[1]:.{digits}f})"


def run(*arguments):
    result = subprocess.run([INERTIAL, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(" ".join(map(str, arguments[:3])) + ": " + (result.stderr.strip().splitlines() or [""])[-1])
    return json.loads(result.stdout)


def ask_all(recordings):
    with ThreadPoolExecutor(2) as pool:
        for complaint in pool.map(study.ask, recordings):
            if complaint:
                print(complaint, file=sys.stderr)
    return [recording for recording in recordings if recording.activity and recording.stepped]


def canonical(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", "accelerationX", "accelerationY", "accelerationZ"])
        writer.writerows(rows)


def activities(recordings):
    print("\n## Activities\n\nFraction of the labelled time with the correct label, offline (rides: after 10 s)\n")
    print("| set, label | participants | recordings | minutes | correct (95 %) |\n|---|---|---|---|---|")
    groups = collections.defaultdict(lambda: ([], set()))
    for recording in recordings:
        for (label, person), (seconds, told) in study.tell(recording).items():
            if seconds >= 1:
                parts, persons = groups[recording.set, label]
                parts.append((told[study.WORDS.get(label, label)], seconds))
                persons.add(person)
    for (kind, label), (parts, persons) in sorted(groups.items()):
        print(f"| `{kind}` {label} | {len(persons)} | {len(parts)} | {sum(p[1] for p in parts) / 60:.1f} | "
              f"{percent(ratio(parts), bootstrap(parts, ratio))} |")


def categories(recordings, scratch):
    """Prints Ward's categories, by evaluate-events, for the sets with labelled parts of recordings."""
    print("\nSegments by the kind of error, and percent of the time, offline\n")
    print("| set, activity | labelled | correct | deleted | fragmented | merged | both | detected | inserted | deletion | "
          "fragmenting | underfill | insertion | merge | overfill |\n|" + "---|" * 15)
    for kind in ("phyphox", "spsw", "steps"):
        chosen = [r for r in recordings if r.set == kind]
        if not chosen:
            continue
        labels = Path(scratch, f"labels-{kind}.csv")
        with open(labels, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["recording", "start", "end", "label"])
            for recording in chosen:
                for start, end, word, _ in recording.labels:
                    writer.writerow([os.path.basename(recording.path.rstrip("/")), start, end, word])
        found = run("evaluate-events", "--task", "activity", *[r.path for r in chosen], "--labels", labels, "--json")
        for word in found["activities"]:
            part = found["categories"]["smoothed"].get(word)
            if not part or part["events"]["correct"] + part["events"]["deleted"] + part["returns"]["inserted"] == 0:
                continue
            events, returns, shares = part["events"], part["returns"], part["shares"]
            kinds = ("correct", "deleted", "fragmented", "merged", "fragmentedAndMerged")
            told = sum(returns[k] for k in ("correct", "inserted", "fragmenting", "merging", "fragmentingAndMerging"))
            times = [shares["deletion"], shares["fragmenting"], shares["startUnderfill"] + shares["endUnderfill"],
                     shares["insertion"], shares["merge"], shares["startOverfill"] + shares["endOverfill"]]
            cells = [sum(events[k] for k in kinds), *[events[k] for k in kinds], told, returns["inserted"]]
            print(f"| `{kind}` {word} | " + " | ".join(map(str, cells)) + " | " + " | ".join(f"{100 * t:.1f}" for t in times) + " |")


def switch_times(folder, recording):
    """Returns the time of each step on the log's clock. The switches are sampled at 10 Hz."""
    here = Path(folder, "steps", "footswitch", recording.name)
    if not here.is_dir():
        return []
    first = next(row for row in activity_sets.read(here / "accelerometer.csv") if row[0][0].isdigit())
    feet = [[float(v) for v in row] for row in activity_sets.read(here / "stepcounter.csv") if row[0][0].isdigit()]
    return sorted((after[0] - float(first[0])) / 1e9 for before, after in zip(feet, feet[1:]) for foot in (1, 2)
                  if before[foot] <= 0.5 < after[foot])


def steps(folder, recordings, scratch):
    print("\n## Steps\n\n| reference | recordings | mean absolute error (95 %) | mean error (95 %) | worst |\n|---|---|---|---|---|")
    groups = collections.defaultdict(list)
    for recording in recordings:
        if recording.steps:
            times = recording.stepped["stepTimes"]
            if recording.between:
                times = [t for t in times if recording.between[0] <= t <= recording.between[1]]
            error = (len(times) - recording.steps) / recording.steps
            groups[recording.reference].append(error)
            if recording.reference == "foot switches":
                # The names have the form Device_person_floor_position_number.
                groups["foot switches: " + recording.name.split("_")[3].lower()].append(error)
    for reference, errors in groups.items():
        plain = [abs(error) for error in errors]
        print(f"| {reference} | {len(errors)} | {percent(mean(plain), bootstrap(plain, mean), 2)} | "
              f"{percent(mean(errors), bootstrap(errors, mean), 2)} | {100 * max(plain):.1f} % |")
    print("\nStep by step against foot switches, which are read ten times a second\n")
    print("| tolerance | precision (95 %) | recall (95 %) | F1 | mean timing error (95 %) | mean absolute |\n|---|---|---|---|---|---|")
    walks = [(r, switch_times(folder, r)) for r in recordings if r.set == "steps"]
    for tolerance in (0.1, 0.2, 0.3):
        found = []
        for recording, times in walks:
            if times:
                labels = Path(scratch, "times.csv")
                labels.write_text("time\n" + "".join(f"{t}\n" for t in times))
                found.append(run("evaluate-events", "--task", "steps", recording.path, "--labels", labels, "--json",
                                 "--tolerance", tolerance)["matches"])
        if not found:
            return
        precision = [(m["matched"], m["detected"]) for m in found]
        recall = [(m["matched"], m["labelled"]) for m in found]
        f1 = [(2 * m["matched"], m["detected"] + m["labelled"]) for m in found]
        late = [(m.get("meanError", 0) * m["matched"], m["matched"]) for m in found]
        absolute = [(m.get("meanAbsoluteError", 0) * m["matched"], m["matched"]) for m in found]
        low, high = bootstrap(late, ratio)
        print(f"| {tolerance} s | {percent(ratio(precision), bootstrap(precision, ratio))} | "
              f"{percent(ratio(recall), bootstrap(recall, ratio))} | {100 * ratio(f1):.1f} % | "
              f"{1000 * ratio(late):.0f} ms ({1000 * low:.0f} to {1000 * high:.0f}) | {1000 * ratio(absolute):.0f} ms |")
    print("\n| label without walking | recordings | minutes | steps per minute (95 %) |\n|---|---|---|---|")
    idle = collections.defaultdict(list)
    for recording in recordings:
        for start, end, label, _ in recording.labels:
            if study.WORDS.get(label, label) in ("stationary", "cycling", "automotive"):
                start = recording.activity["firstTime"] if start is None else start
                end = recording.activity["lastTime"] if end is None else end
                idle[label].append((sum(start <= t <= end for t in recording.stepped["stepTimes"]), (end - start) / 60))
    for label, parts in sorted(idle.items()):
        interval = bootstrap(parts, ratio)
        text = "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
        print(f"| {label} | {len(parts)} | {sum(p[1] for p in parts):.1f} | {ratio(parts):.2f} ({text}) |")


def phyphox_pieces(folder):
    """Yields each labelled segment of each recording: its samples in g with Core Motion's sign, on the experiment's clock,
    which stops during pauses; the label; the recording."""
    here = Path(folder, "activity", "phyphox")
    for path in sorted(here.glob("*round*")):
        rows = [[float(v) for v in row] for row in activity_sets.read(path / "Accelerometer.csv")[1:]]
        samples = [(row[0], *(-v / STANDARD_GRAVITY for v in row[1:4])) for row in rows]
        for row in activity_sets.read(here / "labels_derived.csv")[1:]:
            if row[0] == path.name:
                start, end = float(row[2]), float(row[3])
                piece = [sample for sample in samples if start <= sample[0] < end]
                if len(piece) > 20:
                    yield piece, row[4].lower(), path.name


def thin(samples, rate, average):
    """Resamples to a lower rate, by the nearest sample or by the mean of an interval."""
    own = (len(samples) - 1) / (samples[-1][0] - samples[0][0])
    step = max(1, round(own / rate))
    if not average:
        return samples[::step]
    return [tuple(sum(column) / step for column in zip(*samples[place:place + step]))
            for place in range(0, len(samples) - step + 1, step)]


def falls(folder, recordings, scratch):
    pieces = list(phyphox_pieces(folder))
    print(f"\n## Falls\n\n{sum(label == 'falling' for _, label, _ in pieces)} falls of "
          f"{len({name for _, label, name in pieces if label == 'falling'})} recordings; each by itself\n")
    print("| rate | found (95 %) | false alarms in the other segments |\n|---|---|---|")
    for rate, average in ((100, False), (50, False), (25, False), (25, True), (15, False), (15, True)):
        paths, labels = [], ["recording,start,end,label"]
        for index, (samples, label, _) in enumerate(pieces):
            path = Path(scratch, f"piece{index}.csv")
            part = thin(samples, rate, average)
            canonical(path, part)
            paths.append(path)
            labels.append(f"piece{index},{part[0][0]},{part[-1][0]},{'fall' if label == 'falling' else 'other'}")
        file = Path(scratch, "falls.csv")
        file.write_text("\n".join(labels) + "\n")
        row = run("evaluate-events", "--task", "falls", *paths, "--labels", file, "--json")["detectors"][0]
        what = f"{rate} Hz" + (", averaged" if average else "")
        print(f"| {what} | {row['found']} of {row['stretches']} ({wilson(row['found'], row['stretches'])}) | {row['falseAlarms']} |")
    others = [r for r in recordings if r.set != "phyphox"]
    alarms = [(r.name, fall) for r in others for fall in r.activity["falls"]]
    hours = sum(r.activity["lastTime"] - r.activity["firstTime"] for r in others) / 3600
    print(f"\n{len(alarms)} false alarms in {hours:.1f} h of {len(others)} recordings without falls, at their own rates")
    for name, fall in alarms:
        print(f"- {name}: {fall['impact']:.1f} s, score {fall['score']:.2f}")


def posture(folder, recordings, scratch):
    print("\n## Posture in the trouser pocket\n\n| set, label | recordings | minutes | known (95 %) | correct if known (95 %) |")
    print("|---|---|---|---|---|")
    logs = [(r.set, r.path, [(s, e, label) for s, e, label, _ in r.labels]) for r in recordings if r.set == "spsw"]
    here = Path(folder, "activity", "phyphox")
    for path in sorted(here.glob("*round*")):
        rows = [[float(v) for v in row] for row in activity_sets.read(path / "Accelerometer.csv")[1:]]
        log = Path(scratch, path.name + ".csv")
        canonical(log, [[row[0], *(-v / STANDARD_GRAVITY for v in row[1:4])] for row in rows])
        labels = [(float(row[2]), float(row[3]), row[4].lower())
                  for row in activity_sets.read(here / "labels_derived.csv")[1:] if row[0] == path.name]
        # On the experiment's clock, which stops during pauses.
        logs.append(("phyphox", str(log), labels))
    right = {"walking": "standing", "running": "standing", "standing": "standing", "sitting": "sittingOrLying",
             "seated": "sittingOrLying", "lying": "sittingOrLying"}
    groups = collections.defaultdict(list)
    for kind, path, labels in logs:
        segments = run("activity", path, "--placement", "thigh", "--json").get("posture") or []
        sums = collections.defaultdict(lambda: [0.0, 0.0, 0.0])
        for start, end, label in labels:
            if label in right:
                entry = sums[label]
                entry[2] += end - start
                for segment in segments:
                    shared = study.overlap((start, end), (segment["start"], segment["end"]))
                    entry[1] += shared * (segment["posture"] != "unknown")
                    entry[0] += shared * (segment["posture"] == right[label])
        for label, entry in sums.items():
            groups[kind, label].append(entry)
    for (kind, label), parts in sorted(groups.items()):
        known, correct = [(p[1], p[2]) for p in parts], [(p[0], p[1]) for p in parts]
        print(f"| `{kind}` {label} | {len(parts)} | {sum(p[2] for p in parts) / 60:.1f} | "
              f"{percent(ratio(known), bootstrap(known, ratio))} | {percent(ratio(correct), bootstrap(correct, ratio))} |")


def floors(folder):
    print("\n## Floors\n\n| clips | number | direction correct (95 %) | stairs or lift correct (95 %) | mean height, m (95 %) |\n|---|---|---|---|---|")
    kinds = {"climb": ("up", "stairs"), "descend": ("down", "stairs"), "elevator_up": ("up", "lift"),
             "elevator_down": ("down", "lift"), "stay": None}
    for name, truth in kinds.items():
        clips = sorted(Path(folder, "evaluation-only", "floors", name).glob("*.json"))
        if not clips:
            continue
        found = [run("altitude", clip, "--json")["floors"] for clip in clips]
        direction = sum(not f if truth is None else [w["direction"] for w in f] == [truth[0]] for f in found)
        kind = sum(truth is not None and [w["kind"] for w in f] == [truth[1]] for f in found)
        heights = [f[0]["height"] for f in found if f]
        height = "-"
        if heights:
            low, high = bootstrap(heights, mean) or (mean(heights), mean(heights))
            height = f"{mean(heights):.2f} ({low:.2f} to {high:.2f})"
        print(f"| {name} | {len(clips)} | {direction} ({wilson(direction, len(clips))}) | "
              + ("-" if truth is None else f"{kind} ({wilson(kind, len(clips))})") + f" | {height} |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("data")
    parser.add_argument("--only", default="activities,steps,falls,posture,floors")
    arguments = parser.parse_args()
    only = arguments.only.split(",")
    folder = arguments.data
    with tempfile.TemporaryDirectory() as scratch:
        recordings = []
        if set(only) - {"floors"}:
            recordings = [*study.trained(folder, scratch), *study.rides(folder, scratch), *study.others(folder)]
        if set(only) & {"activities", "steps", "falls"}:
            recordings = ask_all(recordings)
        if "activities" in only:
            activities(recordings)
            categories(recordings, scratch)
        if "steps" in only:
            steps(folder, recordings, scratch)
        if "falls" in only:
            falls(folder, recordings, scratch)
        if "posture" in only:
            posture(folder, recordings, scratch)
        if "floors" in only:
            floors(folder)


if __name__ == "__main__":
    main()
