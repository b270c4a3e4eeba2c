#!/usr/bin/env python3
"""Interrupts a batch at random times and resumes it with --resume, in every format.

usage: kills.py INERTIAL [--runs 1000] [--seconds S] [--seed 1]

Two threads fuse twelve logs into every format. Each run is interrupted at a time drawn uniformly from the duration of a
complete run: half of the runs by SIGKILL, the others by SIGINT, SIGTERM or SIGHUP. After each interruption, files with
their final names must be byte-identical to the files of an undisturbed run, and other files must still exist. After a
signal that allows a cleanup no other file may remain. After every tenth interruption the batch runs to its end, with the
same bytes as the undisturbed run. The exit status is 1 after any other outcome.
"""

import argparse
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEADER = "time," + ",".join(
    f"{name}{axis}" for name in ("acceleration", "rotationRate", "magneticField") for axis in "XYZ")
ENDS = [signal.SIGKILL] * 3 + [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
# Files of others: a file, and the unfinished output of a living process (process 1).
STRANGERS = ["notes.txt", ".1.csv.fused.csv.partial-1"]
OURS = ["inertial-manifest.json", ".inertial-journal"]


def log(index):
    rows = (
        f"{row / 100:g},{0.05 * math.sin(row / 20 + index):.6f},0.02,-1,0.01,{0.5 * math.cos(row / 30):.6f},0.02,20,5,-40"
        for row in range(200 + 40 * index))
    return "\n".join([HEADER, *rows]) + "\n"


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def complaints(now, whole, left):
    """Returns the problems of an interrupted run's files. Names that contain `left` must not remain."""
    found = [f"{name} is gone" for name in STRANGERS if name not in now]
    for name, data in now.items():
        if name in STRANGERS or name in OURS:
            continue
        if ".partial-" in name:
            if left and left in name:
                found.append(f"{name} is left")
        elif name not in whole:
            found.append(f"{name} is of no output")
        elif data != whole[name]:
            found.append(f"{name} is neither gone nor whole")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("inertial")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="kills-") as base:
        base = Path(base)
        (base / "logs").mkdir()
        for index in range(12):
            (base / f"logs/{index}.csv").write_text(log(index))
        command = [
            str(Path(options.inertial).resolve()), "fuse", "logs", "--format", "csv,bids,npz,hdf5,parquet,mcap,tum,euroc", "--metadata",
            "--jobs", "2", "--filter", "mahony", "-o"]
        quiet = {"cwd": base, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        begin = time.monotonic()
        subprocess.run([*command, "whole"], check=True, **quiet)
        span = time.monotonic() - begin
        whole = tree(base / "whole")

        def start_again():
            shutil.rmtree(base / "out", ignore_errors=True)
            (base / "out").mkdir()
            for name in STRANGERS:
                (base / "out" / name).write_text("not of inertial\n")

        start_again()
        counts, bad, done, faster, finished = {}, 0, 0, 0, 0
        while done < options.runs and time.monotonic() < end:
            number = chance.choice(ENDS)
            begin = time.monotonic()
            process = subprocess.Popen([*command, "out", "--resume"], **quiet)
            try:
                process.wait(max(0, chance.uniform(0, span) - (time.monotonic() - begin)))
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            errors = process.communicate()[1].decode("utf-8", "replace")
            how = process.returncode
            if how == 0:
                faster += 1
            else:
                done += 1
                counts[how] = counts.get(how, 0) + 1
            # The remains of a killed run stay until its output is made again.
            left = None if how == -signal.SIGKILL else f".partial-{process.pid}"
            found = complaints(tree(base / "out"), whole, left)
            if how not in (0, -number) or how > 0 or "error: " in errors:
                found.append(f"status {how}: {errors[-300:]}")
            if done % 10 == 0 or how == 0:
                last = subprocess.run([*command, "out", "--resume"], **quiet)
                now = {name: data for name, data in tree(base / "out").items() if name not in STRANGERS}
                finished += 1
                if last.returncode or now != whole:
                    differing = sorted(name for name in now.keys() | whole.keys() if now.get(name) != whole.get(name))
                    found.append(f"resumed: status {last.returncode}, {differing[:5]}, {last.stderr.decode()[-300:]}")
                start_again()
            for text in found:
                bad += 1
                print(f"end {done} by {signal.Signals(number).name}: {text}", flush=True)
    ended = ", ".join(
        f"{count} {'by ' + signal.Signals(-how).name if how < 0 else f'with {how}'}"
        for how, count in sorted(counts.items()))
    print(f"{done} ends ({ended}), {faster} runs that were faster, {finished} batches resumed to their end, "
          f"seed {options.seed}; {bad} complaints")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
