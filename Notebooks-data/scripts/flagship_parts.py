"""What the rows of compare_flagship have in common: rows, our programs, and figures taken from their answers."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))


@dataclass
class Row:
    """A figure: smaller is better; None where there is no offline form."""

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
    """Three digits or so."""
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]}: {(result.stderr.strip().splitlines() or ['failed'])[-1]}")
    return result.stdout


def product(name):
    """A program of Notebooks-data, built."""
    # The flags and the folder of the Makefile's builds: others would compile everything again.
    package = ["swift", "build", "--package-path", str(ROOT / "Notebooks-data"), "--scratch-path", str(ROOT / ".build"),
               "-c", "release", "--disable-build-manifest-caching", "-Xswiftc", "-enable-testing",
               "-debug-info-format", "none"]
    run(*package, "--product", name)
    return str(Path(run(*package, "--show-bin-path").strip()) / name)


def evaluate(path, filters, flags):
    """A row for each log and filter; without `kalman` where its offline form is asked for and there is none yet."""
    try:
        text = run(INERTIAL, "evaluate", path, "--filters", filters, "--no-cost", "--json", *flags)
    except RuntimeError as error:
        others = [name for name in filters.split(",") if name != "kalman"]
        if "no offline form" not in str(error) or others == filters.split(","):
            raise
        return evaluate(path, ",".join(others), flags)
    return json.loads(text)["rows"]


def take(rows, filter, figure, statistic, select=""):
    """A statistic over the recordings whose name has `select` in it; None where the filter was not judged."""
    values = [row[figure] for row in rows if row["filter"] == filter and select in row["recording"]]
    return statistic(values) if values else None
