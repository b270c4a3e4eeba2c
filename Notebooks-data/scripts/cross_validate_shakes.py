"""The weights of the reference shake detector, fitted on one person and judged on the other.

usage: cross_validate_shakes.py SHAKE OTHERS

SHAKE is a folder of labelled device motion (see shake_labels.py), OTHERS has recordings without a shake (see
compare_shakes.py), of which every second one is fitted with one person and the rest judged with the other. Writes the
list of them for the script ShakeWeights, which prints the weights of each fit and what each finds where it was not
fitted.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from compare_shakes import ROOT, logs_of_sets
from flagship_parts import product
from shake_labels import make

NAMES = {
    "--columns": "columns",
    "--time-unit": "timeUnit",
    "--acceleration-unit": "accelerationUnit",
    "--acceleration-sign": "accelerationSign",
    "--rotation-unit": "rotationUnit",
}


def fields(options):
    """The options of the command by the names that the script gives them."""
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
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().split("\n\n")[1])
    with tempfile.TemporaryDirectory() as out:
        listed = Path(out) / "recordings.json"
        listed.write_text(json.dumps(list(recordings(Path(sys.argv[1]), Path(sys.argv[2]).resolve(), Path(out)))))
        command = [product("ShakeWeights"), str(listed)]
        # One thread for BLAS: the matrices have seven rows.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        sys.exit(subprocess.run(command, cwd=ROOT, env=environment).returncode)


if __name__ == "__main__":
    main()
