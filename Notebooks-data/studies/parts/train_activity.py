"""Makes labels, and logs that need no option, from the training recordings of the built-in activity model.

usage: train_activity.py RECORDINGS WORK
RECORDINGS contains the folders activity/phyphox (MIT), activity/spsw-har (CC BY 4.0), tyrex (CeCILL 2.1), steps (CC BY 4.0)
and shake (Apache 2.0). WORK gets labels.csv, logs/ and inputs.txt (one log per line), for `inertial activity train`.
Needs Python's standard library only.
"""

import csv
import glob
import os
import sys

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


def shake(root, work):
    """Converts device motion at 25 Hz without a clock; the label "nothing" is a handheld device."""
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
                    if float(rows[begun][1]) == 0:
                        work.label(name, begun / 25, (place - 1) / 25, "stationary", "shake-" + name[:4])
                    begun = place


def prepare(recordings, folder):
    """Writes the labels, the logs and their list to a folder."""
    work = Work(folder)
    for part in (phyphox, tyrex, spsw, steps, shake):
        part(recordings, work)
    work.finish()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    prepare(*sys.argv[1:])
