"""Many recordings in one command: two jobs compared with one job, in alternation."""

import shutil
import sys
from pathlib import Path

from parts.flagship_parts import INERTIAL, note
from parts.whole_job import OPTIONS, timed

RECORDINGS = 64


def make_logs(folder, log, rows):
    """Makes different recordings: each starts at another row of one long log and wraps around its end."""
    note(f"making {RECORDINGS} logs of {rows} rows")
    lines = Path(log).read_bytes().split(b"\n")
    header, body = lines[0], [line.partition(b",")[2] for line in lines[1:] if line]
    logs = Path(folder, "recordings")
    logs.mkdir()
    for index in range(RECORDINGS):
        start = index * len(body) // RECORDINGS
        # The motion jumps at the wrap, as after a pause; the clock continues.
        part = [b"%.2f,%b" % (row / 100, body[(start + row) % len(body)]) for row in range(rows)]
        Path(logs, f"{index:02}.csv").write_bytes(b"\n".join([header, *part, b""]))
    return str(logs)


def run(folder, log, rows, turns):
    """Returns seconds and peak megabytes by number of jobs. The first turn warms the page cache and is not counted."""
    logs = make_logs(folder, log, rows)
    output = Path(folder, "fused")
    result = {jobs: dict(seconds=[], megabytes=[]) for jobs in (1, 2)}
    for turn in range(turns + 1):
        for jobs, figures in result.items():
            note(f"turn {turn} of {turns}: {RECORDINGS} recordings, --jobs {jobs}")
            try:
                seconds, megabytes, _ = timed(
                    [INERTIAL, "fuse", logs, "-o", str(output), "--jobs", str(jobs), *OPTIONS], folder)
                count = len(list(output.glob("*.csv")))
                if count != RECORDINGS:
                    sys.exit(f"{count} datasets of {RECORDINGS} recordings")
            finally:
                shutil.rmtree(output, ignore_errors=True)
            if turn > 0:
                figures["seconds"].append(seconds)
                figures["megabytes"].append(megabytes)
    shutil.rmtree(logs)
    return result
