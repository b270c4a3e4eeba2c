"""Trains the built-in model of activities on its recordings and simulated motions, and prints its accuracy on data sets
that are left out.

usage: activity_model.py DATA MODEL.json     (make study NAME=activity-model DATA=folder ARGUMENTS=model.json)
parts/activity_sets.py lists the folders that DATA holds. The same recordings yield the same model, bit for bit.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from parts.flagship_parts import INERTIAL, ROOT
from parts.activity_sets import prepare


def main(data, model):
    with tempfile.TemporaryDirectory() as work:
        prepare(data, work)
        inputs = Path(work, "inputs.txt").read_text().splitlines()
        command = [INERTIAL, "activity", "train", "--labels", str(Path(work, "labels.csv")), *inputs, "-o", model,
                   "--name", "inertial-activity-3", "--force"]
        return subprocess.run(command, cwd=ROOT, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}).returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], str(Path(sys.argv[2]).resolve())))
