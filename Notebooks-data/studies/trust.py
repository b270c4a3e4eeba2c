#!/usr/bin/env python3
"""Errors of kalman in trusted, doubtful and other seconds, as report pages show them.

usage: trust.py DATA     (make study NAME=trust DATA=folder; DATA holds broad and tyrex)

Prints for each set and level the fraction of seconds, and of each second's largest error the median, the 95 % quantile, and how
often it exceeds the limits of a trusted and of a doubtful second. The limits were chosen before these recordings were read.
"""

import collections
import sys
import tempfile
from pathlib import Path

import numpy as np

from parts.flagship_parts import INERTIAL, run
from parts.report_page import ReportPage

LEVELS = ["trusted", "doubtful", "not trusted"]
NORTH = ["--frame", "xMagneticNorthZVertical"]
SETS = {
    "`broad`": ("broad/*.hdf5", NORTH),
    "`tyrex`": ("tyrex/person*", [*NORTH, "--align", "frame", "--align-clock", "--skip", "5"]),
}


def seconds(log, options, folder):
    """Yields the level, the largest inclination and heading error in degrees, and the reasons of each second."""
    page_path = f"{folder}/page.html"
    run(INERTIAL, "report", str(log), "-o", page_path, "--force", "--detail", "full", "--no-cost", "--with", "none", *options)
    page = ReportPage(page_path)
    table = page.names.index("error of kalman")
    times, errors = page.times(table), [np.abs(page.column(table, name)) for name in ("inclination", "heading")]
    trust = page.content["answers"]["trust"]
    for (start, end), level, reasons in zip(np.reshape(trust["times"], (-1, 2)), trust["levels"], trust["texts"]):
        for second in np.arange(start, end - 1e-6):
            inside = (times >= second) & (times < min(end, second + 1))
            if np.isfinite(errors[0][inside]).any():
                yield level, *(np.nanmax(error[inside]) for error in errors), reasons


def main(data):
    print("| set | seconds | fraction | inclination: median / 95 % | above 2° / 5° | heading: median / 95 % | above 10° / 30° |")
    print("|---|---|---|---|---|---|---|")
    causes = {}
    for name, (pattern, options) in SETS.items():
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            for log in sorted(data.glob(pattern)):
                rows += seconds(log, options, folder)
        if not rows:
            sys.exit(f"error: there is no {pattern} in {data}")
        for level, word in enumerate(LEVELS):
            found = np.array([row[1:3] for row in rows if row[0] == level])
            if len(found) == 0:
                continue
            cells = [name, f"{len(found)} {word}", f"{100 * len(found) / len(rows):.1f} %"]
            for error, limits in zip(found.T, [(2, 5), (10, 30)]):
                cells.append(f"{np.median(error):.2f}° / {np.quantile(error, 0.95):.1f}°")
                cells.append(" / ".join(f"{100 * np.mean(error > limit):.1f} %" for limit in limits))
            print(f"| {' | '.join(cells)} |", flush=True)
        causes[name] = collections.Counter(reason for row in rows if row[0] > 0 for reason in row[3].split(", "))
    for name, counter in causes.items():
        print(f"\n{name}: " + ", ".join(f"{reason} {count} s" for reason, count in counter.most_common()))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
