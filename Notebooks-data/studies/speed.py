"""Times Inertial's filters and command and the peers, in alternation on the same data.

usage: speed.py [--turns N] [--rows N] [--only filters|jobs|many|noise] [--folder FOLDER] [--json FILE]
                                                            (make study NAME=speed)
Four tables in markdown: nanoseconds per sample of filters over arrays in memory; seconds and peak memory of the whole
job from a raw CSV to a fused dataset; 64 recordings in one command, which has no peer; and the processor time for Allan
deviations of six series. A ratio is the peer's time over Inertial's within a turn: above 1 Inertial is faster. On a shared
machine the ratio of the minimum times is the most reliable. Packages that cannot be installed are listed as not run. The log
is made in a separate folder inside FOLDER (default: the system's temporary folder), which needs 1.6 GB, and is removed at
the end.
"""

import argparse
import importlib
import json
import sys
import tempfile
from statistics import median

from parts.flagship_parts import product

# pandas reads CSVs fastest with pyarrow.
PACKAGES = ["h5py", "vqf", "imufusion", "ahrs", "pandas", "polars", "pyarrow", "allantools"]


def missing_packages():
    """Returns the reason for each missing package."""
    missing = {}
    for package in PACKAGES:
        try:
            importlib.import_module(package)
        except ImportError as error:
            missing[package] = str(error)
    return missing


def spread(values, digits):
    return " / ".join(f"{statistic(values):.{digits}f}" for statistic in (min, median, max))


def ratio_cells(theirs, ours):
    """Returns the ratios turn by turn, and the ratio of the minimum times."""
    return spread([a / b for a, b in zip(theirs, ours)], 2), f"{min(theirs) / min(ours):.2f}"


def print_table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["filters", "jobs", "many", "noise"])
    parser.add_argument("--folder")
    parser.add_argument("--json")
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args()
    if options.help:
        sys.exit(__doc__)
    if options.turns < 1 or options.rows < 1000:
        parser.error("--turns takes 1 or more, --rows 1000 or more")
    missing = missing_packages()
    # Imported here, as they need packages that may be missing.
    from parts import many_recordings
    from parts import peer_filters
    from parts import peer_noise
    from parts import whole_job

    document = dict(turns=options.turns, rows=options.rows, notInstalled=missing)
    with tempfile.TemporaryDirectory(prefix="inertial-study-speed-", dir=options.folder) as folder:
        log = None if options.only == "noise" else whole_job.make_log(folder, options.rows)
        if options.only in (None, "filters"):
            timer = product("TimeFilters")
            results = peer_filters.run(timer, folder, log, options.turns, missing)
            document["filters"] = results
            print_table(
                "Filters, ns a sample over arrays in memory, one thread; "
                f"{options.turns} turns, least / median / largest.",
                ["peer", "ours", "peer's ns", "our ns", "peer / ours", "of the least"],
                [filter_row(result) for result in results])
        if options.only in (None, "jobs"):
            jobs = whole_job.run(folder, log, options.turns, missing)
            document["jobs"] = jobs
            print_table(
                f"The whole job, {options.rows} rows of nine axes to a fused dataset of 12 columns; "
                f"{options.turns} turns, least / median / largest.",
                [
                    "job", "seconds", "peak MB", "times ours to CSV", "of the least", "times ours to HDF5",
                    "of the least",
                ],
                [job_row(job, jobs) for job in jobs])
        if options.only in (None, "many"):
            rows = min(60_000, options.rows)
            many = many_recordings.run(folder, log, rows, options.turns)
            document["many"] = many
            print_table(
                f"{many_recordings.RECORDINGS} recordings of {rows} rows, CSV to CSV; {options.turns} turns, "
                "least / median / largest.",
                ["", "seconds", "peak MB", "one after the other / this", "of the least"],
                [many_row(jobs, many) for jobs in many])
        if options.only in (None, "noise"):
            timer = product("TimeDeviations")
            noise = peer_noise.run(timer, folder, options.rows, options.turns, missing)
            document["noise"] = noise
            print_table(
                f"Overlapping Allan deviations of {noise['series']} series of {noise['rows']} values at {noise['times']} times, "
                f"the processor's seconds; {options.turns} turns, least / median / largest.",
                ["peer", "peer's s", "our s", "peer / ours", "of the least", "ours on all cores, s"], [noise_row(noise)])
    if options.json:
        with open(options.json, "w") as file:
            json.dump(document, file, indent=1)


def filter_row(result):
    head = [f"{result['peer']}, {result['axes']} axes", f"`{result['ours']}`"]
    if "reason" in result:
        return head + [f"not run: {result['reason']}", "", "", ""]
    theirs, own = result["peerNanoseconds"], result["ourNanoseconds"]
    return head + [spread(theirs, 0), spread(own, 0), *ratio_cells(theirs, own)]


def job_row(job, jobs):
    if "reason" in job:
        return [job["name"], f"not run: {job['reason']}", "", "", "", "", ""]
    own = {j["output"]: j.get("seconds") for j in jobs if j["isOurs"]}
    cells = []
    for output in ("csv", "h5"):
        cells += ratio_cells(job["seconds"], own[output]) if own.get(output) else ["", ""]
    return [job["name"], spread(job["seconds"], 2), f"{max(job['megabytes']):.0f}", *cells]


def many_row(jobs, many):
    own = many[jobs]
    return [
        f"`--jobs {jobs}`", spread(own["seconds"], 1), f"{max(own['megabytes']):.0f}",
        *ratio_cells(many[1]["seconds"], own["seconds"])]


def noise_row(noise):
    if "reason" in noise:
        return [noise["peer"], f"not run: {noise['reason']}", "", "", "", ""]
    theirs, own = noise["peerSeconds"], noise["ourSeconds"]
    return [
        noise["peer"], spread(theirs, 2), spread(own, 3), *ratio_cells(theirs, own), spread(noise["ourElapsed"], 3)]


if __name__ == "__main__":
    main()
