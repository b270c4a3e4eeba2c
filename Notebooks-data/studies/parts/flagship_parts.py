"""Common parts of the study flagship: rows, Inertial's programs, and figures from their results."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[3]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
# VQF's bias limit, 2 °/s, is below the bias of a phone's raw gyroscope.
PHONE_VQF = ["--set", "vqf.biasClip=10"]
PHONE_FRAMES = ["--align", "frame", "--align-clock"]
PHONE = [*PHONE_FRAMES, "--skip", "60"]


@dataclass
class Row:
    """A figure; smaller is better. None if there is no offline form."""

    number: int
    name: str
    value: Optional[float]
    unit: str
    reach: Optional[float]
    beyond: Optional[float]
    beside: str = ""
    details: list = field(default_factory=list)

    @property
    def verdict(self):
        if self.value is None or self.reach is None:
            return ""
        return "beyond" if self.value <= self.beyond else "reached" if self.value <= self.reach else "**missed**"

    def document(self):
        return dict(
            row=self.number, name=self.name, value=self.value, unit=self.unit, reach=self.reach, beyond=self.beyond,
            verdict=self.verdict.strip("*"), beside=self.beside, details=self.details)


def note(text):
    print(text, file=sys.stderr, flush=True)


def short(value):
    """Formats a number with about three digits."""
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]}: {(result.stderr.strip().splitlines() or ['failed'])[-1]}")
    return result.stdout


def product(name):
    """Returns the path of a program of Notebooks-data: in the folder INERTIAL_BIN if it is set, otherwise built first."""
    if os.environ.get("INERTIAL_BIN"):
        return str(Path(os.environ["INERTIAL_BIN"], name))
    # The flags and folder match the Makefile's builds; other ones would recompile everything.
    package = ["swift", "build", "--package-path", str(ROOT / "Notebooks-data"), "--scratch-path", str(ROOT / ".build"),
               *run(str(ROOT / ".ci/gate/build-flags")).split()]
    run(*package, "--product", name)
    return str(Path(run(*package, "--show-bin-path").strip()) / name)


def evaluate(path, filters, flags):
    """Returns one row per log and filter; without `kalman` if its offline form is requested and does not exist."""
    try:
        text = run(INERTIAL, "evaluate", path, "--filters", filters, "--no-cost", "--json", *flags)
    except RuntimeError as error:
        others = [name for name in filters.split(",") if name != "kalman"]
        if "no offline form" not in str(error) or others == filters.split(","):
            raise
        return evaluate(path, ",".join(others), flags)
    return json.loads(text)["rows"]


def link(trial, folder, without):
    """Makes a folder with links to a recording's files except for one, and returns it."""
    copy = Path(folder) / trial.name
    copy.mkdir()
    for file in trial.iterdir():
        if file.name != without:
            os.symlink(file.resolve(), copy / file.name)
    return copy


def take(rows, filter, figure, statistic, select=""):
    """Returns a statistic over the recordings whose name contains `select`; None if the filter was not evaluated."""
    values = [row[figure] for row in rows if row["filter"] == filter and select in row["recording"]]
    return statistic(values) if values else None
