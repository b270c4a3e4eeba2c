"""The activities of each data set by a model that was trained without it.

usage: activity_left_out.py DATA [--edge S] [--json FILE]      (make study NAME=activity-left-out DATA=folder)
parts/activity_sets.py lists the folders that DATA holds; only sets with an open licence are used. For each set, a model is
trained on the other sets and on simulated motions, and `inertial activity --model` classifies the recordings of the set, with
its tracking and its limits. Prints markdown: the fraction of the time of each activity by label, F1 by activity and its mean,
and the fraction of correct answers by confidence. --edge leaves out that many seconds at both ends of a label, in which a
window of 2.56 s (an edge of 1.28) also contains other motion. Of the device that a hand moves ("handling"), the
time at rest is left out.
"""

import argparse
import collections
import csv
import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from parts.activity_sets import prepare
from parts.flagship_parts import INERTIAL, run
from recognisers import WORDS, overlap

# The limits of rest in `PhysicalLimits`, in g and rad/s, and the length of a window, in seconds.
REST_LEVEL, REST_RATE, WINDOW = 0.1, 0.5, 2.56
CLASSES = ("stationary", "walking", "running", "other")
Label = collections.namedtuple("Label", "start end word set")


def data_set(person):
    """The data set of a participant, with whose name the participant's begins."""
    return person.split("-")[0]


def name(path):
    """The name of a recording in the labels."""
    file = os.path.basename(path.rstrip("/"))
    return file.removesuffix(".csv").removesuffix(".txt")


def train(left_out, rows, logs, folder):
    """Writes the model without a set, and returns its path."""
    labels, model = Path(folder, left_out + ".csv"), Path(folder, left_out + ".json")
    with labels.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["recording", "start", "end", "label", "person"])
        writer.writerows(row for row in rows if data_set(row[4]) != left_out)
    run(INERTIAL, "activity", "train", "--labels", str(labels), *logs, "-o", str(model))
    return str(model)


def rests(path, folder):
    """The windows in which the device is at rest, as pairs of times."""
    table = Path(folder, "motion-" + name(path) + ".csv")
    run(INERTIAL, "fuse", path, "-o", str(table), "--frame", "xArbitraryZVertical",
        "--columns", "userAcceleration,rotationRate")
    rows = np.genfromtxt(table, delimiter=",", names=True)
    levels, rates = (sum(rows[quantity + axis] ** 2 for axis in "XYZ") for quantity in ("userAcceleration", "rotationRate"))
    found = []
    for start in np.arange(rows["time"][0], rows["time"][-1], WINDOW):
        inside = (rows["time"] >= start) & (rows["time"] < start + WINDOW)
        if inside.any() and levels[inside].mean() < REST_LEVEL ** 2 and rates[inside].mean() < REST_RATE ** 2:
            found.append((start, start + WINDOW))
    table.unlink()
    return found


def activity(word):
    """The activity of a label's word."""
    named = WORDS.get(word, word)
    return named if named in CLASSES else "other"


def answer(flags):
    if {"cycling", "automotive"} & set(flags):
        return "ride"
    return next((flag for flag in flags if flag in CLASSES), "other")


def judge(path, labels, model, folder, edge):
    """Returns the seconds by set, label, answer and confidence."""
    log = json.loads(run(INERTIAL, "activity", path, "--json", "--model", model))
    resting = rests(path, folder) if any(label.word == "handling" for label in labels) else []
    seconds = collections.Counter()
    for label in labels:
        inside = (max(label.start, log["firstTime"]) + edge, min(label.end, log["lastTime"]) - edge)
        for segment in log["segments"]:
            part = (max(inside[0], segment["start"]), min(inside[1], segment["end"]))
            duration = part[1] - part[0] - sum(overlap(part, rest) for rest in resting)
            if duration > 0:
                seconds[label.set, activity(label.word), answer(segment["flags"]), segment["confidence"]] += duration
    return seconds


def report(seconds):
    """Prints the tables, and returns F1 by activity."""
    tables = collections.defaultdict(collections.Counter)
    confidences = collections.defaultdict(collections.Counter)
    for (left_out, label, word, confidence), duration in seconds.items():
        tables[left_out, label][word] += duration
        if word != "other":
            confidences[confidence][word == label] += duration
    print("| set | label | s | correct | other answers |\n|---|---|---|---|---|")
    for (left_out, label), words in sorted(tables.items()):
        total = sum(words.values())
        wrong = ", ".join(
            f"{word} {100 * duration / total:.1f} %" for word, duration in words.most_common()
            if word != label and duration > 0.001 * total)
        print(f"| {left_out} | {label} | {total:.0f} | {100 * words[label] / total:.1f} % | {wrong} |")
    print("\n| activity | F1 | recall | precision |\n|---|---|---|---|")
    f1 = {}
    for kind in CLASSES:
        correct = sum(words[kind] for (_, label), words in tables.items() if label == kind)
        labelled = sum(sum(words.values()) for (_, label), words in tables.items() if label == kind)
        answered = sum(words[kind] for words in tables.values())
        f1[kind] = 2 * correct / (labelled + answered)
        print(f"| {kind} | {f1[kind]:.3f} | {correct / labelled:.3f} | {correct / answered:.3f} |")
    print(f"| mean | {np.mean(list(f1.values())):.3f} | | |")
    print("\n| confidence | s | correct |\n|---|---|---|")
    for confidence in ("high", "medium", "low"):
        total = sum(confidences[confidence].values())
        print(f"| {confidence} | {total:.0f} | {100 * confidences[confidence][True] / max(total, 1):.1f} % |")
    return f1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("data")
    parser.add_argument("--edge", type=float, default=0)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    # One thread: the sums have the same order on every machine.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(2) as pool:
        prepare(arguments.data, work)
        with open(Path(work, "labels.csv"), newline="") as file:
            rows = list(csv.reader(file))[1:]
        labels = collections.defaultdict(list)
        for recording, start, end, word, person in rows:
            labels[recording].append(Label(float(start), float(end), word, data_set(person)))
        paths = Path(work, "inputs.txt").read_text().splitlines()
        found = {path: labels[name(path)] or labels[os.path.basename(path)] for path in paths}
        sets = sorted({label.set for own in found.values() for label in own} - {"simulated"})
        models = dict(zip(sets, pool.map(
            lambda left_out: train(left_out, rows, [p for p in paths if not any(l.set == left_out for l in found[p])], work),
            sets)))
        evaluated = [path for path in paths if found[path] and found[path][0].set in models]
        seconds = collections.Counter()
        for part in pool.map(
                lambda path: judge(path, found[path], models[found[path][0].set], work, arguments.edge), evaluated):
            seconds += part
    f1 = report(seconds)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"f1": f1, "mean": float(np.mean(list(f1.values())))}, indent=1) + "\n")


if __name__ == "__main__":
    main()
