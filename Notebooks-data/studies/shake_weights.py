"""The weights of the reference shake detector, fitted on one participant and evaluated on the other.

usage: shake_weights.py DATA     (make study NAME=shake-weights DATA=folder)

DATA/shake is a folder of labelled device motion (see shake_labels.py), DATA has recordings without a shake (see
shakes.py): every second one is used for fitting with one participant, the rest for evaluation with the other.
Writes their list for the script ShakeWeights, which prints the weights of each fit and its results on the data left out.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from shakes import ROOT, logs_of_sets
from parts.flagship_parts import product
from parts.shake_labels import make

NAMES = {
    "--columns": "columns",
    "--time-unit": "timeUnit",
    "--acceleration-unit": "accelerationUnit",
    "--acceleration-sign": "accelerationSign",
    "--rotation-unit": "rotationUnit",
}


def fields(options):
    """Returns the command's options under the script's names."""
    values = {NAMES[name]: value for name, value in zip(options[::2], options[1::2])}
    if "columns" in values:
        values["columns"] = values["columns"].split(",")
    return values


def recordings(shake, others, out):
    logs = make(shake, out)
    stretches = {}
    with open(out / "labels.csv", newline="") as file:
        for row in csv.DictReader(file):
            stretch = {"start": float(row["start"]), "end": float(row["end"]), "label": row["label"]}
            stretches.setdefault(row["recording"], []).append(stretch)
    for person, paths in logs.items():
        for path in paths:
            yield {"path": path, "person": person, "stretches": stretches[Path(path).stem]}
    for _, paths, options in logs_of_sets(others):
        for path in paths:
            yield {"path": path, "stretches": [], **fields(options)}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().split("\n\n")[1])
    data = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as out:
        listed = Path(out) / "recordings.json"
        listed.write_text(json.dumps(list(recordings(data / "shake", data, Path(out)))))
        command = [product("ShakeWeights"), str(listed)]
        # One thread for BLAS: the matrices have seven rows.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        sys.exit(subprocess.run(command, cwd=ROOT, env=environment).returncode)


if __name__ == "__main__":
    main()
