"""The errors of `kalman` without each of its mechanisms, on BROAD and on the phones.

usage: ablation.py DATA     (make study NAME=ablation DATA=folder)

DATA/broad: BROAD's .hdf5 trials. DATA/tyrex: the folders of the iPhone 5 recordings. A parameter switches a mechanism off; all
others keep their defaults. Prints Markdown: mean total errors in degrees and their changes in per cent; for the rows without a field,
mean heading errors.
"""

import sys
from pathlib import Path
from statistics import mean

from parts.flagship_parts import PHONE, PHONE_FRAMES, evaluate, note, take

# A mechanism, and the setting without it.
FIELD = (
    ("scale and misalignment of the gyroscope", "scaleSigma=0"),
    ("bias of the accelerometer", "accelerationBiasSigma=0"),
    ("random walk of the gyroscope bias", "biasNoise=0"),
    ("bias measured at rest", "restNoise=10"),
    ("motion prior that adapts to the speed", "motionWeight=0"),
    ("weight of a field by norm and dip", "disturbanceWeight=0"),
    ("dip in that weight", "dipWeight=0"),
    ("weight of an unexplained innovation", "innovationWeight=0"),
    ("delay of the magnetometer", "fieldDelaySigma=0"),
    ("random walk of the field", "fieldNoise=0"),
)
WITHOUT_FIELD = FIELD[:5]


def sets(data):
    """The columns of both tables: name, folder, flags of `evaluate`, error."""
    broad, tyrex = str(data / "broad"), str(data / "tyrex")
    six = ["--frame", "xArbitraryZVertical"]
    return (
        (FIELD, (("BROAD", broad, [], "total"), ("phones", tyrex, PHONE, "total"))),
        (WITHOUT_FIELD, (("BROAD without a field", broad, [*six, "--align", "yaw"], "heading"),
                         ("phones without a field", tyrex, [*six, *PHONE_FRAMES, "--skip", "5"], "heading"))),
    )


def print_table(mechanisms, columns):
    forms = [(*column, form) for column in columns for form in ([], ["--smooth"])]

    def errors(changes):
        return [take(evaluate(path, "kalman", flags + form + changes), "kalman", error, mean) for _, path, flags, error, form in forms]

    titles = [name + (", smoothed" if form else "") for name, _, _, _, form in forms]
    print("| without | " + " | ".join(titles) + " |\n|---|" + "---|" * len(forms))
    complete = errors([])
    print("| (complete) | " + " | ".join(f"{value:.2f}°" for value in complete) + " |", flush=True)
    for name, setting in mechanisms:
        note(name)
        cells = [f"{value:.2f}° ({100 * (value / whole - 1):+.0f} %)" for value, whole in zip(errors(["--set", setting]), complete)]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print()


def main(data):
    for folder, pattern in (("broad", "*.hdf5"), ("tyrex", "*/ground-truth.csv")):
        if not list((data / folder).glob(pattern)):
            sys.exit(f"error: there is no {pattern} in {data / folder}; give the folder of all data sets")
    for mechanisms, columns in sets(data):
        print_table(mechanisms, columns)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
