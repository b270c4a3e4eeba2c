"""The limits of VehicleRules and of the pedometer, each cross-validated.

usage: recogniser_limits.py DATA      (make study NAME=recogniser-limits DATA=folder)

The score is the mean of three kinds of figures: per label, the fraction of time with this detected label; for devices rotated
by hands, the fraction without a detected ride; for counted walks, 1 minus the error of the steps. Every participant, ride and
set is left out in turn: the limits get, one after the other, the value with the best score of the rest, and the left-out
recordings are evaluated with these limits. Prints markdown: the results for the left-out recordings next to the results with
the built-in limits, the score by each limit alone, and the distance of each rider's measures from each limit.
"""

import collections
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


from parts.flagship_parts import product
from recognisers import WORDS, others, rides, tell, trained

# The built-in value comes first.
VALUES = {
    "pedalPlanarity": [0.8, 0.7, 0.75, 0.85], "pedalRadius": [0.42, 0.3, 0.36, 0.5, 0.6],
    "pedalJolts": [0.09, 0.065, 0.125], "pedalBeats": [1.5, 1.25, 1.75], "pedalSwing": [0.5, 0.4, 0.45, 0.6], "rideLift": [0.5, 0.4, 0.6, 0.8],
    "pedalRegularity": [0.6, 0.5, 0.55, 0.65, 0.7],
    "carriedRatio": [0.35, 0.25, 0.3, 0.4, 0.5], "carriedLevel": [0.01, 0.006, 0.008, 0.012, 0.015],
    "rideTurning": [2, 1.2, 1.5, 2.7], "rideTilt": [0.2, 0.15, 0.25, 0.3, 0.45], "otherMotion": [0.4, 0.2, 0.3, 0.6, 1],
    "rideOther": [0.7, 0.25, 0.5, 1], "certainGait": [0.95, 0.9, 0.97], "roadCertainty": [0.45, 0.3, 0.6],
    "bicycleLevel": [0.06, 0.05, 0.075], "carTilt": [0.03, 0.02, 0.04], "steadyKurtosis": [5, 4, 6],
    "minimumVibration": [0.021, 0.015, 0.03], "minimumFastRatio": [0.5, 0.4, 0.6],
}
# Limits whose other values are not tried.
LIMITS = {"carLimit": [0.2]}
CARS = ("bus", "metro", "train", "driving")


def pedals(window):
    return window["strength"] > 0.6 and window["regularity"] > 0.6


def shaken(window):
    return window["fast"] > 0.03


# By limit: the measure, the side of a ride (1: above), whether the ratio counts, the labels, and the windows that it is for.
DISTANCES = {
    "minimumVibration": ("fast", 1, True, ("bus", "metro", "driving"), None),
    "minimumFastRatio": ("ratio", 1, True, CARS, shaken),
    "bicycleLevel": ("slow", 1, True, ("cycling",), shaken),
    "carLimit": ("level", -1, True, CARS, None),
    "carTilt": ("tilt", -1, True, CARS, None),
    "rideTilt": ("tilt", -1, True, ("cycling",), shaken),
    "rideTurning": ("strength", -1, True, ("cycling",), None),
    "steadyKurtosis": ("kurtosis", -1, False, (*CARS, "cycling"), shaken),
    "pedalPlanarity": ("planarity", 1, False, ("cycling",), pedals),
    "pedalRadius": ("radius", -1, True, ("cycling",), pedals),
    "pedalJolts": ("jolts", -1, True, ("cycling",), lambda window: pedals(window) and window["rate"] > 36),
    "pedalBeats": ("beats", -1, False, ("cycling",), lambda window: pedals(window) and window["rate"] < 36),
    "pedalSwing": ("swing", -1, True, ("cycling",), pedals),
    "rideLift": ("lift", 1, True, (*CARS, "cycling"), shaken),
    "pedalRegularity": ("regularity", 1, False, ("cycling",), lambda window: window["strength"] > 0.6),
    "carriedRatio": ("carried", 1, True, CARS, lambda window: window["slow"] > 0.01),
    "carriedLevel": ("slow", 1, True, CARS, None),
}
HANDS = ("broad", "iphone-xs")


def unit(recording, label, person):
    """Returns the unit that is left out: a ride, a participant, or a set without participants."""
    if WORDS.get(label, label) in ("cycling", "automotive"):
        return recording.name
    return person if recording.set in ("rides", "spsw", "phyphox", "tyrex", "steps", "shake") else recording.set


def figures(recordings):
    """Returns the correct and the total amount by unit and label."""
    result = collections.defaultdict(lambda: [0.0, 0.0])
    for recording in recordings:
        if recording.set in HANDS or recording.name.endswith("_AR") or recording.name == "iphone-rotation":
            for segment in recording.activity["segments"]:
                entry = result[recording.name, "hands"]
                seconds = segment["end"] - segment["start"]
                entry[0] += 0 if {"cycling", "automotive"} & set(segment["flags"]) else seconds
                entry[1] += seconds
            continue
        for (label, person), (seconds, told) in tell(recording).items():
            word = WORDS.get(label, label)
            entry = result[unit(recording, label, person), "stairs" if label == "stairs" else word]
            entry[0] += told[word]
            entry[1] += seconds
        if recording.steps:
            times = recording.stepped["stepTimes"]
            if recording.between:
                times = [t for t in times if recording.between[0] <= t <= recording.between[1]]
            entry = result[recording.labels[0][3], "steps"]
            entry[0] += max(0, recording.steps - abs(len(times) - recording.steps))
            entry[1] += recording.steps
    return {key: value for key, value in result.items() if value[1] > 5}


def shares(result, without=None):
    sums = collections.defaultdict(lambda: [0.0, 0.0])
    for (name, label), (right, whole) in result.items():
        if name != without:
            sums[label][0] += right
            sums[label][1] += whole
    return {label: right / whole for label, (right, whole) in sums.items()}


def score(result, without=None):
    values = shares(result, without)
    return sum(values.values()) / len(values)


class Recognisers:
    """The program that answers limits with the detections for all recordings."""

    def __init__(self, recordings, scratch):
        self.recordings = recordings
        listed = Path(scratch) / "paths.txt"
        listed.write_text("".join(recording.path + "\n" for recording in recordings))
        # The previous answers.
        self.known = {}
        self.process = subprocess.Popen(
            [product("RecogniserLimits"), str(listed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def windows(self):
        """Returns the measures of the windows by label and person."""
        self.process.stdin.write('{"windows":1}\n')
        self.process.stdin.flush()
        result = collections.defaultdict(list)
        for recording, windows in zip(self.recordings, json.loads(self.process.stdout.readline()), strict=True):
            for start, end, label, person in recording.labels:
                low, high = (-math.inf if start is None else start), (math.inf if end is None else end)
                result[label, person] += [w for w in windows if low <= w["start"] and w["end"] <= high]
        return result

    def judge(self, limits):
        key = json.dumps(limits, sort_keys=True)
        if key not in self.known:
            self.process.stdin.write(key + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            if not answer:
                sys.exit(f"RecogniserLimits ended with status {self.process.wait()}")
            for recording, told in zip(self.recordings, json.loads(answer), strict=True):
                recording.activity = recording.stepped = told
            self.known[key] = figures(self.recordings)
        return self.known[key]

    def choose(self, left):
        """Returns the limits that differ from the built-in ones, chosen without the left-out recordings."""
        limits = {}
        for name, values in VALUES.items():
            def of(value):
                return limits if value == values[0] else {**limits, name: value}
            limits = of(max(values, key=lambda value: round(score(self.judge(of(value)), left), 5)))
        return limits


def distances(windows):
    """Returns, by limit, the distance of each person's mean from the limit, in that person's standard deviations."""
    result = {}
    for name, (measure, side, is_ratio, labels, condition) in DISTANCES.items():
        scale = (lambda value: math.log(max(value, 1e-4))) if is_ratio else (lambda value: value)
        persons = collections.defaultdict(list)
        for (label, person), of in windows.items():
            if label in labels:
                persons[person] += [scale(w[measure]) for w in of if measure in w and (condition is None or condition(w))]
        result[name] = {
            person: side * (statistics.mean(values) - scale(VALUES.get(name, LIMITS.get(name))[0])) / statistics.stdev(values)
            for person, values in persons.items() if len(values) >= 15}
    return result


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().split("\n\n")[1])
    folder = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        recordings = [*trained(folder, scratch), *rides(folder, scratch), *others(folder)]
        recordings = [r for r in recordings if r.labels or r.set in HANDS or r.name in ("iphone-rotation",) or r.name.endswith("_AR")]
        if not recordings:
            sys.exit(f"{folder}: no labelled recordings; see recognisers.py for the sets")
        recognisers = Recognisers(recordings, scratch)
        built_in, windows = recognisers.judge({}), recognisers.windows()
        held = collections.defaultdict(lambda: [0.0, 0.0])
        left_out = sorted({name for name, _ in built_in})
        choices = collections.Counter()
        for left in left_out:
            limits = recognisers.choose(left)
            choices[json.dumps(limits)] += 1
            for (name, label), (right, whole) in recognisers.judge(limits).items():
                if name == left:
                    held[label][0] += right
                    held[label][1] += whole
        alone = {
            name: {value: score(recognisers.judge({} if value == values[0] else {name: value})) for value in values}
            for name, values in VALUES.items()
        }
    print("| fraction of the time classified correctly (steps: 1 minus the relative error) | limits fitted without the set | built-in limits |\n|---|---|---|")
    for label, share in sorted(shares(built_in).items()):
        print(f"| {label} | {100 * held[label][0] / held[label][1]:.1f} % | {100 * share:.1f} % |")
    print(f"\n{len(left_out)} persons, rides and sets were left out; chosen were, so often:\n")
    for limits, count in choices.most_common():
        print(f"- {count}: {limits}")
    print("\n| limit | score by value, the others as they are built in |\n|---|---|")
    for name, of in alone.items():
        row = (f"{'**' * (value == VALUES[name][0])}{value:g}{'**' * (value == VALUES[name][0])}: {100 * share:.1f}"
               for value, share in sorted(of.items()))
        print(f"| `{name}` | {', '.join(row)} |")
    print("\n| limit | distance of each rider's mean from it, in standard deviations of that rider |\n|---|---|")
    for name, of in distances(windows).items():
        print(f"| `{name}` | {', '.join(f'{person} {value:+.1f}' for person, value in sorted(of.items(), key=lambda x: x[1]))} |")


if __name__ == "__main__":
    main()
