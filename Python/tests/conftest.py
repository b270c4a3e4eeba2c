"""Logs for the tests, made by the toolkit's simulator."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HOME = Path(__file__).resolve().parents[2]


def skip(kind, reason):
    """Skips a test without what it needs, or fails it when INERTIAL_REQUIRE lists that, as .ci/gate/checks does for scripts."""
    required = os.environ.get("INERTIAL_REQUIRE", "").split(",")
    if os.environ.get("CI") == "true":
        required += ["browser", "python", "data", "java"]
    if kind in required:
        pytest.fail(f"{kind} is required, and {reason}")
    pytest.skip(f"{kind}: {reason}")


def command(*words, check=True):
    """Runs the command that comes with the package."""
    return subprocess.run(
        [sys.executable, "-m", "inertial", *map(str, words)], capture_output=True, text=True, check=check
    )


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with a simulated log, log.csv, and its ground truth, truth.csv."""
    path = tmp_path_factory.mktemp("logs") / "spline"
    command("simulate", "random-spline", "-o", path, "--duration", "20", "--seed", "7")
    return path


@pytest.fixture(scope="session")
def log(folder):
    return folder / "log.csv"


@pytest.fixture(scope="session")
def table(log):
    """The log's columns as arrays."""
    names = log.open().readline().strip().split(",")
    rows = np.genfromtxt(log, delimiter=",", skip_header=1)
    return {name: rows[:, place] for place, name in enumerate(names)}


@pytest.fixture(scope="session")
def arrays(table):
    def vector(name):
        return np.stack([table[name + axis] for axis in "XYZ"], axis=1)

    return {
        "time": table["time"],
        "acceleration": vector("acceleration"),
        "rotation_rate": vector("rotationRate"),
        "magnetic_field": vector("magneticField"),
    }
