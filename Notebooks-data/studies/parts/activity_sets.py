"""Makes labels, and logs that need no option, from recordings of activities.

usage: activity_sets.py RECORDINGS WORK [open]
RECORDINGS contains the data sets of `OPEN` and `CLOSED`; missing sets are skipped. Only sets with an open licence (`OPEN`)
train a model; the others (`CLOSED`) evaluate it, and `open` leaves them out. WORK gets labels.csv, logs/ and inputs.txt (one
log per line), for `inertial activity train`. Needs NumPy and SciPy.
"""

import csv
import glob
import os
import sys

from parts import simulated_motions

GRAVITY = 9.80665
AXES = ("X", "Y", "Z")


def columns(quantity):
    return [quantity + axis for axis in AXES]


class Work:
    def __init__(self, folder):
        self.folder = folder
        self.labels = []
        self.inputs = []
        os.makedirs(os.path.join(folder, "logs"), exist_ok=True)

    def label(self, recording, start, end, word, person):
        if end > start:
            self.labels.append((recording, f"{start:.3f}", f"{end:.3f}", word, person))

    def log(self, name, header, rows):
        """Writes a canonical CSV, named after the recording."""
        path = os.path.join(self.folder, "logs", name + ".csv")
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["time"] + header)
            writer.writerows(rows)
        self.inputs.append(path)

    def finish(self):
        with open(os.path.join(self.folder, "labels.csv"), "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["recording", "start", "end", "label", "person"])
            writer.writerows(self.labels)
        with open(os.path.join(self.folder, "inputs.txt"), "w") as file:
            file.write("\n".join(self.inputs) + "\n")


def read(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def paused(marks, time):
    """Returns the seconds of pauses before a time of phyphox's experiment clock, which stops in pauses, unlike the log's."""
    pairs = zip(marks, marks[1:])
    return sum(float(b[2]) - float(a[2]) for a, b in pairs if a[0] == "PAUSE" and float(a[1]) <= time)


def phyphox(root, work):
    here = os.path.join(root, "activity", "phyphox")
    for row in read(os.path.join(here, "labels_derived.csv"))[1:]:
        recording, _, start, end, word = row
        if os.path.isdir(os.path.join(here, recording)) and word not in ("Falling", "Error"):
            offset = paused(read(os.path.join(here, recording, "meta", "time.csv"))[1:], float(start))
            label = (recording, float(start) + offset, float(end) + offset)
            work.label(*label, word.lower(), "phyphox-" + recording[-1])
    work.inputs += sorted(path for path in glob.glob(os.path.join(here, "*")) if os.path.isdir(path))


def tyrex(root, work):
    """Labels two minutes of one motion each; in the first and last seconds the phone enters and leaves the pocket."""
    for path in sorted(glob.glob(os.path.join(root, "tyrex", "person*"))):
        name = os.path.basename(path)
        if name.endswith("_AR"):
            continue  # Standing, turning and slow steps alternate without labels.
        with open(os.path.join(path, "accelerometer.txt")) as file:
            times = [float(line.split()[0]) for line in file if line.strip()]
        margin = (11, 10) if "Pocket" in name else (6, 6)
        word = "running" if "Running" in name else "walking"
        work.label(name, times[0] + margin[0], times[-1] - margin[1], word, "tyrex-" + name[6])
        work.inputs.append(path)


def spsw(root, work):
    for path in sorted(glob.glob(os.path.join(root, "activity", "spsw-har", "s*", "*_sp.csv"))):
        name = os.path.basename(path)[: -len(".csv")]
        rows = sorted(read(path)[1:], key=lambda row: float(row[6]))
        start = float(rows[0][6])
        times = [(float(row[6]) - start) / 1000 for row in rows]
        numbers = [[-float(value) / GRAVITY for value in row[:3]] + row[3:6] for row in rows]
        work.log(
            name,
            columns("acceleration") + columns("rotationRate"),
            [[f"{time:.3f}"] + number for time, number in zip(times, numbers)],
        )
        begun = 0
        for place in range(1, len(rows) + 1):
            if place == len(rows) or rows[place][7] != rows[begun][7]:
                end = times[min(place, len(rows) - 1)]
                work.label(name, times[begun], end, rows[begun][7].lower(), "spsw-" + name[:3])
                begun = place


def steps(root, work):
    def walk(name, rows, first):
        start = float(rows[0][0])
        times = [(float(row[0]) - start) / 1e9 for row in rows]
        work.log(
            name,
            columns("acceleration"),
            [[f"{time:.4f}"] + [-float(v) / GRAVITY for v in row[first : first + 3]] for time, row in zip(times, rows)],
        )
        return start, times

    for path in sorted(glob.glob(os.path.join(root, "steps", "counted", "*.csv"))):
        name = os.path.basename(path)[: -len(".csv")]
        rows = [row for row in read(path) if row[0][0].isdigit()]
        _, times = walk(name, rows, 1)
        work.label(name, times[0] + 3, times[-1] - 3, "walking", "steps-" + name.split("_")[0])
    for folder in sorted(glob.glob(os.path.join(root, "steps", "footswitch", "*", ""))):
        name = os.path.basename(folder[:-1])
        rows = [row for row in read(folder + "accelerometer.csv") if row[0][0].isdigit()]
        start, _ = walk(name, rows, 2)
        feet = [[float(v) for v in row] for row in read(folder + "stepcounter.csv") if row[0][0].isdigit()]
        steps = sorted(
            (after[0] - start) / 1e9
            for before, after in zip(feet, feet[1:])
            for foot in (1, 2)
            if before[foot] <= 0.5 < after[foot]
        )
        begun = 0
        for place in range(1, len(steps) + 1):
            if place == len(steps) or steps[place] - steps[place - 1] > 1.3:
                work.label(name, steps[begun], steps[place - 1], "walking", "steps-" + name.split("_")[1])
                begun = place


def numbers(path):
    return [[float(value) if value else 0 for value in row] for row in read(path)[1:]]


def device_motion(root, work):
    """Converts `motionsense`: Core Motion's values at 50 Hz in the trouser pocket."""
    words = {"dws": "stairs", "ups": "stairs", "sit": "sitting", "std": "standing", "wlk": "walking", "jog": "running"}
    for path in sorted(glob.glob(os.path.join(root, "motionsense", "*_*_*.csv"))):
        name = "motionsense-" + os.path.basename(path)[: -len(".csv")]
        rows = read(path)[1:]
        work.log(
            name,
            columns("gravity") + columns("rotationRate") + columns("userAcceleration"),
            [[f"{place / 50:.2f}"] + row[3:12] for place, row in enumerate(rows)],
        )
        person, kind = name.split("-")[1].split("_")[:2]
        work.label(name, 0, len(rows) / 50, words[kind], "motionsense-" + person)


def watch(root, work):
    """Converts `watch-arm`: exercises of the arm with a watch at 50 Hz."""
    for path in sorted(glob.glob(os.path.join(root, "watch-arm", "*_*_*.csv"))):
        name = "watch-" + os.path.basename(path)[: -len(".csv")]
        rows = read(path)[1:]
        work.log(
            name,
            columns("acceleration") + columns("rotationRate"),
            [[f"{place / 50:.2f}"] + [-float(value) for value in row[:3]] + row[3:6] for place, row in enumerate(rows)],
        )
        work.label(name, 0, len(rows) / 50, "exercise", "watch-" + name.split("-")[1][:2])


def merged(name, acceleration, rotation, work):
    """Writes a log from accelerations in m/s², specific force, and rotation rates in rad/s at times of their own."""
    rows = [(row[0], 1, [-value / GRAVITY for value in row[1:4]] + [""] * 3) for row in acceleration]
    rows += [(row[0], 0, [""] * 3 + row[1:4]) for row in rotation]
    rows.sort(key=lambda row: row[:2])
    work.log(name, columns("acceleration") + columns("rotationRate"), [[f"{time:.4f}"] + row for time, _, row in rows])


def landmarks(root, work):
    """Converts `position-phone`: walks with the phone before the body."""
    for folder in sorted(glob.glob(os.path.join(root, "position-phone", "1_*"))):
        name = "landmarks-" + os.path.basename(folder)
        files = {file.lower(): os.path.join(folder, file) for file in os.listdir(folder)}
        acceleration, rotation = numbers(files["accelerometer.csv"]), numbers(files["gyroscope.csv"])
        merged(name, acceleration, rotation, work)
        work.label(name, acceleration[0][0] + 5, acceleration[-1][0] - 5, "walking", "landmarks-1")


def malls(root, work):
    """Labels `indoor-walks`: walks with the phone before the body; halts at the ends are left out."""
    for path in sorted(glob.glob(os.path.join(root, "indoor-walks", "5*.txt"))):
        with open(path) as file:
            times = [float(line.split()[0]) / 1000 for line in file if "TYPE_ACCELEROMETER\t" in line]
        name = os.path.basename(path)[: -len(".txt")]
        work.inputs.append(path)
        work.label(name, 5, times[-1] - times[0] - 5, "walking", "malls-" + name[:8])


def shake(root, work):
    """Converts device motion at 25 Hz without a clock: shaking, chopping and steering."""
    for path in sorted(glob.glob(os.path.join(root, "shake", "u_*.csv"))):
        sessions = {}
        for row in read(path):
            sessions.setdefault(row[0], []).append(row)
        for number, rows in enumerate(sessions.values()):
            name = f"{os.path.basename(path)[:-4]}-{number}"
            work.log(
                name,
                columns("rotationRate") + columns("gravity") + columns("userAcceleration"),
                [[f"{place / 25:.2f}"] + row[5:14] for place, row in enumerate(rows)],
            )
            begun = 0
            for place in range(1, len(rows) + 1):
                if place == len(rows) or rows[place][1] != rows[begun][1]:
                    if float(rows[begun][1]) != 0:
                        work.label(name, begun / 25, (place - 1) / 25, "gesture", "shake-" + name[:4])
                    begun = place


def handled(root, work):
    """Labels recordings in which a hand rotates a device."""
    for pattern, person in (("calibration/calib_[am]*", "hand-calibration"), ("sensor-logger/iphone-rotation", "hand-rotation")):
        for path in sorted(glob.glob(os.path.join(root, pattern))):
            work.inputs.append(path)
            work.label(os.path.basename(path), 0, 1e12, "handling", person)


def skis(root, work):
    for path in sorted(glob.glob(os.path.join(root, "sensor-logger", "*-ski"))):
        work.inputs.append(path)
        work.label(os.path.basename(path), 0, 1e12, "skiing", "ski-" + os.path.basename(path).split("-")[0])


def benchmark(root, work):
    """Labels `broad`: a board that hands move."""
    for path in sorted(glob.glob(os.path.join(root, "broad", "*.hdf5"))):
        work.inputs.append(path)
        work.label(os.path.basename(path), 0, 1e12, "handling", "broad")


def rides(root, work):
    labels = os.path.join(root, "rides", "labels.csv")
    for row in read(labels)[1:] if os.path.exists(labels) else []:
        folder = os.path.join(root, "rides", row[0])
        if os.path.isdir(folder):
            acceleration, rotation = (numbers(os.path.join(folder, f)) for f in ("Accelerometer.csv", "Gyroscope.csv"))
            merged(row[0], acceleration, rotation, work)
            work.label(row[0], 0, 1e12, row[1], "rides-" + row[2])


def cycling(root, work):
    for kind in ("cycling/*", "driving"):
        for path in sorted(glob.glob(os.path.join(root, "evaluation-only", kind))):
            work.inputs.append(path)
            work.label(os.path.basename(path), 0, 1e12, kind.split("/")[0], kind.split("/")[0])


def backs(root, work):
    """Converts the lower back of `gait`; the walk is between the first and the last packet of the trial."""
    trials = {row[0]: row for row in read(os.path.join(root, "gait", "trials.csv"))[1:]}
    for path in sorted(glob.glob(os.path.join(root, "gait", "*_lb.csv"))):
        trial = os.path.basename(path)[: -len("_lb.csv")]
        rows = numbers(path)
        work.log(
            "gait-" + trial,
            columns("acceleration") + columns("rotationRate"),
            [[f"{row[0] / 100:.2f}"] + [-value / GRAVITY for value in row[1:4]] + row[4:7] for row in rows],
        )
        start, end = (int(value) / 100 for value in trials[trial][1:3])
        work.label("gait-" + trial, rows[0][0] / 100, start - 1, "standing", "gait-" + trial[:2])
        work.label("gait-" + trial, start, end, "walking", "gait-" + trial[:2])


def daily(root, work):
    """Converts `wisdm`, one log per activity."""
    words = dict(A="walking", B="running", C="stairs", D="sitting", E="standing", O="catch", P="dribbling", M="kicking")
    for path in sorted(glob.glob(os.path.join(root, "wisdm", "*_accel.csv"))):
        person, device = os.path.basename(path).split("_")[:2]
        streams = {}
        for number, file in enumerate((path, path.replace("_accel", "_gyro"))):
            for row in read(file)[1:]:
                streams.setdefault(row[1], ([], []))[number].append([float(row[0])] + [float(v) for v in row[2:5]])
        for letter, (acceleration, rotation) in streams.items():
            if acceleration and rotation:
                name = f"wisdm-{person}-{device}-{letter}"
                merged(name, acceleration, rotation, work)
                word = words.get(letter, "hands" if device == "watch" else "seated")
                work.label(name, acceleration[0][0], acceleration[-1][0], word, f"wisdm-{device}-{person}")


def simulated(root, work):
    """Writes simulated motions that are no gait."""
    for kind, copy, (times, gravity, rates, user) in simulated_motions.motions():
        name = f"simulated-{kind}-{copy}"
        rows = [[f"{time:.2f}"] + [f"{value:.5f}" for values in row for value in values]
                for time, *row in zip(times, gravity, rates, user)]
        work.log(name, columns("gravity") + columns("rotationRate") + columns("userAcceleration"), rows)
        work.label(name, 0, times[-1], kind if kind in ("walking", "running") else "other", "simulated-" + kind)


# The sets with an open licence, which train the built-in model; a set's name is the start of its persons' names.
OPEN = {
    "phyphox": phyphox, "tyrex": tyrex, "spsw": spsw, "steps": steps, "shake": shake,
    "motionsense": device_motion, "watch": watch, "landmarks": landmarks, "malls": malls, "handled": handled, "skis": skis,
    "broad": benchmark, "simulated": simulated,
}
# The sets without one, and `gait` (AGPL), which only evaluate.
CLOSED = {"rides": rides, "evaluation-only": cycling, "gait": backs, "wisdm": daily}


def prepare(recordings, folder, only_open=True):
    """Writes the labels, the logs and their list to a folder."""
    work = Work(folder)
    for part in (*OPEN.values(), *([] if only_open else CLOSED.values())):
        part(recordings, work)
    work.finish()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    prepare(*sys.argv[1:3], only_open=len(sys.argv) == 4)
