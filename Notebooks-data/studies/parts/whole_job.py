"""Times the whole job and the peers: a raw CSV to a fused dataset of 12 columns, in separate processes, in alternation.

Inertial is timed as a whole process; the peers' clock starts after their imports. Peak memory refers to the whole process
on both sides.
"""

import json
import os
import sys
from pathlib import Path

import numpy as np

from parts.flagship_parts import INERTIAL, note, run as run_program

COLUMNS = [
    "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "gravityX", "gravityY", "gravityZ",
    "userAccelerationX", "userAccelerationY", "userAccelerationZ", "heading",
]
# Name, extension of the output, job of peer_job.py, packages.
PEER_JOBS = [
    ("polars + vqf, CSV", "csv", "polars-csv", ["polars", "vqf"]),
    ("polars + vqf, Parquet", "parquet", "polars-parquet", ["polars", "vqf"]),
    ("pandas + vqf, CSV", "csv", "pandas-csv", ["pandas", "vqf"]),
]
OPTIONS = [
    "--filter", "vqf", "--frame", "xMagneticNorthZVertical", "--field", "calibrated", "--columns-out",
    ",".join(COLUMNS)]
OUR_JOBS = [("**`inertial fuse --filter vqf`, CSV**", "csv"), ("**`inertial fuse --filter vqf`, HDF5**", "h5")]
# Standard deviations of white noise and written decimals, by the prefix of a column's name.
NOISE = {"acceleration": (0.004, 9), "rotationRate": (0.003, 9), "magneticField": (0.4, 6)}


def make_log(folder, rows):
    """Makes a simulated walk at 100 Hz with nine axes per row and a phone's noise: 114 MB for 1,000,000 rows."""
    note(f"making a log of {rows} rows")
    sensors = ["--sensors", "ideal", "--duration", str(rows / 100)]
    run_program(INERTIAL, "simulate", "walk", *sensors, "-o", f"{folder}/walk")
    generator = np.random.default_rng(1)
    log = f"{folder}/log.csv"
    with open(f"{folder}/walk/log.csv") as source, open(log, "w") as target:
        header = source.readline()
        target.write(header)
        names = header.strip().split(",")
        noise = [next((n for prefix, n in NOISE.items() if name.startswith(prefix)), (0, 2)) for name in names]
        sigmas = np.array([sigma for sigma, _ in noise])
        line = ",".join(f"%.{decimals}f" for _, decimals in noise) + "\n"
        done = 0
        while done < rows:
            # In blocks, because the whole table as text is large.
            values = np.loadtxt(source, delimiter=",", max_rows=min(50_000, rows - done), ndmin=2)
            if len(values) == 0:
                raise RuntimeError(f"the simulated log ends after {done} rows of {rows}")
            values += sigmas * generator.standard_normal(values.shape)
            target.writelines(line % tuple(row) for row in values)
            done += len(values)
    for path in Path(folder, "walk").iterdir():
        path.unlink()
    return log


def timed(command, folder):
    """Returns the seconds, peak megabytes and output of a process."""
    figures = Path(folder, "figures")
    # Flushes the disk, so that no process waits for the output of another.
    os.sync()
    launcher = [sys.executable, "-S", "-E", str(Path(__file__).with_name("launch.py"))]
    output = run_program(*launcher, str(figures), *command)
    seconds, megabytes = map(float, figures.read_text().split())
    return seconds, megabytes, output


def our_job(log, output):
    seconds, megabytes, _ = timed([INERTIAL, "fuse", log, "-o", output, "--force", *OPTIONS], Path(log).parent)
    return dict(seconds=seconds, megabytes=megabytes)


def peer_job(kind, log, output):
    command = [sys.executable, str(Path(__file__).with_name("peer_job.py")), kind, log, output]
    _, megabytes, text = timed(command, Path(log).parent)
    parts = json.loads(text)
    return dict(seconds=sum(parts.values()), megabytes=megabytes, **parts)


def run(folder, log, turns, missing):
    jobs = []
    actions = []
    for name, suffix in OUR_JOBS:
        jobs.append(dict(name=name, output=suffix, isOurs=True))
        actions.append(lambda path: our_job(log, path))
    for name, suffix, kind, packages in PEER_JOBS:
        job = dict(name=name, output=suffix, isOurs=False)
        reasons = [missing[package] for package in packages if package in missing]
        if reasons:
            job["reason"] = reasons[0]
        jobs.append(job)
        actions.append(lambda path, kind=kind: peer_job(kind, log, path))
    # The first turn warms the page cache, and compares the outputs.
    for turn in range(turns + 1):
        for job, action in zip(jobs, actions):
            if "reason" in job:
                continue
            note(f"turn {turn} of {turns}: {job['name'].strip('*')}")
            path = f"{folder}/fused.{job['output']}"
            try:
                figures = action(path)
                if turn == 0:
                    job["megabytesWritten"] = os.path.getsize(path) / 1e6
                    job["check"] = check(path)
            except Exception as error:
                job["reason"] = f"{type(error).__name__}: {error}"
                continue
            finally:
                Path(path).unlink(missing_ok=True)
            if turn > 0:
                for key, value in figures.items():
                    job.setdefault(key, []).append(value)
    same_work(jobs)
    return jobs


def check(path):
    """Returns the row count and a few values of an output; gravity does not depend on the earth frame's X and Y."""
    if path.endswith(".h5"):
        import h5py

        with h5py.File(path) as file:
            group = file["log"]
            return dict(rows=len(group["time"]), last=[float(group[name][-1]) for name in COLUMNS])
    if path.endswith(".parquet"):
        import polars

        table = polars.read_parquet(path)
        return dict(rows=len(table), last=[float(table[name][-1]) for name in COLUMNS])
    with open(path, "rb") as file:
        names = file.readline().decode().strip().split(",")
        rows = 0
        for line in file:
            rows += 1
    last = dict(zip(names, (float(field or "nan") for field in line.decode().strip().split(","))))
    return dict(rows=rows, last=[last[name] for name in COLUMNS])


def same_work(jobs):
    """Reports outputs that differ in rows, gravity or heading: then the times are not comparable."""
    done = [job for job in jobs if "check" in job]
    for job in done[1:]:
        first, other = done[0]["check"], job["check"]
        gravity = max(abs(a - b) for a, b in zip(first["last"][5:8], other["last"][5:8]))
        heading = abs((first["last"][11] - other["last"][11] + 180) % 360 - 180)
        if first["rows"] != other["rows"] or gravity > 1e-3 or heading > 0.1:
            note(
                f"warning: {job['name']} gives {other['rows']} rows for {first['rows']}, and in the last one a gravity "
                f"that differs by {gravity:.2g} g and a heading that differs by {heading:.2g} degrees")
