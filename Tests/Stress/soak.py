#!/usr/bin/env python3
"""Runs every command on damaged logs of every format, seeded, in slices.

usage: soak.py INERTIAL SUBJECTS [--pairs N | --runs 1000] [--seconds S] [--slice K --of N] [--seed 1] [--keep FOLDER]

SUBJECTS is a folder with one log (a file or a folder) per name, as the tests write it (make stress
WHAT=soak). Slice K of N contains the
runs whose number modulo N is K, so that N slices together are one soak. Every run must end by itself within 20 seconds (of
processor time on a busy machine, and five minutes in all), with status 0, 1 or 2, within 400 MB, with a complete output or
one line with the reason. Numbers of an output must be finite, and no partial output may remain. Every fiftieth run is a
batch, whose inputs must all be listed in the manifest or in an error. The exit status is 1 after any other outcome; --keep
keeps the inputs of these runs. --pairs passes each of N damaged logs to every command instead, within 10 seconds each.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMANDS = [
    ["inspect", "{log}"],
    ["inspect", "{log}", "--json"],
    ["fuse", "{log}", "-o", "out.csv"],
    ["fuse", "{log}", "-o", "out.csv", "--filter", "vqf", "--rate", "50", "--gaps", "split"],
    ["fuse", "{log}", "-o", "out.csv", "--with", "shake,steps,activity,altitude", "--with-channels", "all"],
    ["fuse", "{log}", "-o", "out.npz", "--filter", "mahony"],
    ["fuse", "{log}", "-o", "out.h5", "--filter", "complementary"],
    ["fuse", "{log}", "-o", "out", "--format", "bids", "--filter", "madgwick"],
    ["fuse", "{log}", "-o", "out.csv", "--smooth", "--align"],
    ["fuse", "{log}", "-o", "out.parquet", "--smooth", "--filter", "vqf"],
    ["fuse", "{log}", "-o", "out.mcap", "--relative-time"],
    ["convert", "{log}", "-o", "out.csv"],
    ["convert", "{log}", "-o", "out", "--format", "euroc"],
    ["convert", "{log}", "-o", "out.mcap", "--relative-time"],
    ["steps", "{log}", "--json"],
    ["activity", "{log}"],
    ["shake", "{log}", "--json"],
    ["altitude", "{log}"],
    ["evaluate", "{log}", "--filters", "mahony", "--json"],
    ["fuse", "-", "-o", "out.csv"],
    ["fuse", "-", "--follow", "-o", "out.csv"],
]
# The other commands that read a log.
TORTURES = [
    ["track", "{log}", "-o", "out.csv", "--json"],
    ["track", "{log}", "-o", "out.csv", "--on", "hand"],
    ["report", "{log}", "-o", "out.html"],
    ["plot", "{log}", "-o", "out.svg"],
    ["calibrate", "{log}"],
    ["allan", "{log}"],
    ["inspect", "{log}", "--guess"],
    ["tune", "{log}", "--filter", "mahony"],
]
NUMBER = re.compile(rb"-?\d+\.?\d*(?:[eE][-+]?\d+)?")
WILD = [b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"1e15", b"1e-320", b"0", b"-1", b"", b"9223372036854775807",
        b"99999999999999999999", b"1,5", b"x", b"\x00", b"\xff\xfe", b"\"", b"\n", b"-99"]


def mutated(data, chance):
    """Returns the bytes of a file with some bytes, lines or numbers changed."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        kind = chance.randrange(8)
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice([1, 2, 4, 16, 64, 512]))
        if kind == 0 and data:
            place = chance.randrange(len(data))
            data = data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1:]
        elif kind == 1:
            data = data[:place] + data[end:]
        elif kind == 2:
            data = data[:place] + data[place:end] * chance.choice([2, 3, 50]) + data[end:]
        elif kind == 3:
            data = data[:place]
        elif kind == 4:
            data = data[:place] + chance.choice(WILD) + data[place:]
        elif kind in (5, 6):
            found = list(NUMBER.finditer(data[: 1 << 20]))
            if found:
                number = chance.choice(found)
                data = data[: number.start()] + chance.choice(WILD) + data[number.end():]
        else:
            lines = data.splitlines(keepends=True)
            if len(lines) > 1:
                one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                data = b"".join(lines)
    return data


def copy_mutated(subject, target, chance):
    """Copies a log with one of its files damaged or missing."""
    if subject.is_dir():
        shutil.copytree(subject, target)
        files = sorted(path for path in target.rglob("*") if path.is_file())
        victim = chance.choice(files)
        if chance.random() < 0.05:
            victim.unlink()
            return
    else:
        shutil.copy(subject, target)
        victim = target
    victim.write_bytes(mutated(victim.read_bytes(), chance))


def processor_seconds(pid):
    """Returns the processor time of a process; if the system does not report it, the limit for a hang."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return float("inf")


def run(inertial, arguments, folder, stdin=None, limit=20):
    """Runs a command and returns its status (negative: a signal), streams and peak memory in MB."""
    with open(folder / ".out", "wb") as out, open(folder / ".err", "wb") as err:
        process = subprocess.Popen([inertial, *arguments], cwd=folder, stdin=stdin or subprocess.DEVNULL, stdout=out, stderr=err)
        start = time.monotonic()
        end = start + limit
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                # On a busy machine a working process may wait for the processor.
                if time.monotonic() < start + 300 and processor_seconds(process.pid) < limit:
                    end += limit
                    continue
                process.kill()
                os.wait4(process.pid, 0)
                return "hang", b"", b"", 0
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
    memory = usage.ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20)
    return process.returncode, (folder / ".out").read_bytes(), (folder / ".err").read_bytes(), memory


def complaints(folder, arguments, result, output):
    """Returns the violations of a run."""
    status, out, err, memory = result
    if status == "hang":
        return ["did not end in time"]
    found = []
    if status < 0:
        found.append(f"was ended by the signal {-status}")
    elif status not in (0, 1, 2):
        found.append(f"ended with the status {status}")
    errors = [line for line in err.decode("utf-8", "replace").splitlines() if line.lower().startswith("error:")]
    if status in (1, 2) and len(errors) != 1:
        found.append(f"ended with the status {status} and {len(errors)} lines of errors")
    if any(len(line) > 8000 for line in errors) or b"\x1b" in err:
        found.append("an error is too long, or has control characters")
    if memory > 400:
        found.append(f"took {memory:.0f} MB")
    left = [path.name for path in folder.rglob(".*partial*")]
    if left:
        found.append(f"left {left}")
    if output:
        is_there = (folder / output).exists()
        # The damage has made the folder a folder of logs.
        if (folder / output / "inertial-manifest.json").exists():
            return [text for text in found if "lines of errors" not in text]
        if status == 0 and not is_there:
            found.append("ended with the status 0 and no output")
        # Without a path, the rows of track have the attitude only.
        if status in (1, 2) and is_there and "--follow" not in arguments and not any(b": no path:" in line for line in err.splitlines()):
            found.append("ended with an error and an output")
        if is_there and output.endswith(".csv") and status == 0:
            # The rows after the header, whose names have letters.
            rows = (folder / output).read_bytes().lower().split(b"\n", 1)[-1]
            if re.search(rb"(^|,)-?(nan|inf)", rows):
                found.append("an output has an invalid number")
    return found


def batch(inertial, subjects, folder, chance):
    """Runs a folder of damaged logs at once: each must be in the manifest or in an error."""
    logs = folder / "logs"
    logs.mkdir()
    names = []
    for index in range(8):
        subject = chance.choice(subjects)
        name = f"{index}-{subject.name}"
        copy_mutated(subject, logs / name, chance)
        names.append(name)
    result = run(inertial, ["fuse", *[f"logs/{name}" for name in names], "-o", "sets", "--filter", "mahony", "--force"], folder)
    found = [text for text in complaints(folder, [], result, None) if "lines of errors" not in text]
    manifest = folder / "sets/inertial-manifest.json"
    recordings = json.loads(manifest.read_text())["recordings"] if manifest.exists() else []
    told = result[2].decode("utf-8", "replace") + json.dumps(recordings, ensure_ascii=False)
    # A refused request has no output.
    is_refused = result[0] == 2 and not recordings and not list((folder / "sets").glob("*.fused.*"))
    for name in names:
        if name not in told and not is_refused:
            found.append(f"{name} is in no output, manifest or error")
    for entry in recordings:
        if "failure" not in entry and not (folder / "sets" / entry["output"]).exists():
            found.append(f"{entry['output']} is in the manifest, and missing")
        if "failure" in entry and result[0] == 0:
            found.append(f"{entry['input']} failed, and the status is 0")
    return found


def pairs(inertial, subjects, options):
    """Passes each damaged log to every command. Returns the number of pairs and of those with violations."""
    done, bad, begin, slowest = 0, 0, time.monotonic(), (0, "")
    for number in range(options.pairs):
        if time.monotonic() > begin + options.seconds:
            break
        chance = random.Random(f"{options.seed} pair {number}")
        subject = chance.choice(subjects)
        origin = Path(tempfile.mkdtemp(prefix="soak-"))
        log = origin / f"log{subject.suffix}"
        copy_mutated(subject, log, chance)
        is_bad = False
        for command in COMMANDS + TORTURES:
            folder = Path(tempfile.mkdtemp(prefix="soak-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
            (shutil.copytree if log.is_dir() else shutil.copy)(log, folder / log.name)
            arguments = [argument.replace("{log}", log.name) for argument in command]
            output = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
            stdin = open(log, "rb") if "-" in arguments and log.is_file() else None
            start = time.monotonic()
            result = run(inertial, arguments, folder, stdin, limit=10)
            slowest = max(slowest, (time.monotonic() - start, f"{subject.name}: {' '.join(arguments)}"))
            if stdin:
                stdin.close()
            found = complaints(folder, arguments, result, output)
            done, bad, is_bad = done + 1, bad + bool(found), is_bad or bool(found)
            for text in found:
                print(f"pair {number}: {subject.name}: {' '.join(arguments)}: {text}", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
        if is_bad and options.keep:
            Path(options.keep).mkdir(parents=True, exist_ok=True)
            (shutil.copytree if log.is_dir() else shutil.copy)(log, Path(options.keep) / f"{number}-{log.name}")
        shutil.rmtree(origin, ignore_errors=True)
    print(f"{done} pairs of {number + 1} damaged logs and {len(COMMANDS + TORTURES)} commands, seed {options.seed}: {bad} with "
          f"complaints; slowest {slowest[0]:.1f} s: {slowest[1]}")
    sys.exit(1 if bad else 0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("inertial")
    parser.add_argument("subjects")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--slice", type=int, default=0)
    parser.add_argument("--of", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    inertial = str(Path(options.inertial).resolve())
    subjects = sorted(path for path in Path(options.subjects).iterdir() if not path.name.startswith("."))
    if not subjects:
        sys.exit(f"{options.subjects}: no logs to damage there")
    if options.pairs:
        return pairs(inertial, subjects, options)
    end = time.monotonic() + options.seconds
    counts, bad, done = {}, 0, 0
    for number in range(options.slice, options.runs, options.of):
        if time.monotonic() > end:
            break
        done += 1
        chance = random.Random(f"{options.seed} {number}")
        folder = Path(tempfile.mkdtemp(prefix="soak-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
        if number % 50 == 49:
            what, found = "a batch", batch(inertial, subjects, folder, chance)
        else:
            subject, command = chance.choice(subjects), chance.choice(COMMANDS)
            log = folder / f"log{subject.suffix}"
            copy_mutated(subject, log, chance)
            arguments = [argument.replace("{log}", log.name) for argument in command]
            output = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
            stdin = open(log, "rb") if "-" in arguments and log.is_file() else None
            result = run(inertial, arguments, folder, stdin)
            if stdin:
                stdin.close()
            what, found = f"{subject.name}: {' '.join(arguments)}", complaints(folder, arguments, result, output)
            counts[result[0]] = counts.get(result[0], 0) + 1
        for text in found:
            bad += 1
            print(f"run {number}: {what}: {text}", flush=True)
        if found and options.keep:
            shutil.copytree(folder, Path(options.keep) / f"run{number}", dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    statuses = ", ".join(f"{count} with {status}" for status, count in sorted(counts.items(), key=str))
    print(f"{done} runs on {len(subjects)} logs, seed {options.seed}: {statuses}; {bad} complaints")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
