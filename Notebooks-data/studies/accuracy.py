"""Evaluates the peers and Inertial's filters on BROAD trials with one harness, `inertial evaluate`.

usage: accuracy.py DATA     (make study NAME=accuracy DATA=folder; DATA/broad holds BROAD's .hdf5 trials)
Prints one markdown table, sorted by total error; progress goes to standard error. A peer's orientations are kept in
the system's temporary folder under a hash of the trial, the peer, its settings and its package's version.
"""

import csv
import hashlib
import importlib.metadata
import io
import json
import os
import subprocess
import sys
import tempfile
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from parts.peers import NOT_RUN, PEERS, read_trial

ROOT = Path(__file__).resolve().parents[2]
INERTIAL = os.environ.get("INERTIAL", str(ROOT / ".build/release/inertial"))
CACHE = Path(tempfile.gettempdir()) / "inertial-study-accuracy"
FIGURES = ("total", "heading", "inclination")


def inertial(*arguments):
    result = subprocess.run([INERTIAL, *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip().splitlines()[-1])
    return result.stdout


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def orientations(trial, trial_hash, peer, axes):
    """Returns the peer's quaternions (w, x, y, z), computed once."""
    key = "|".join([trial_hash, peer.name, peer.settings, version(peer.package), axes])
    path = CACHE / (hashlib.sha256(key.encode()).hexdigest()[:32] + ".npy")
    if not path.exists():
        run = peer.nine if axes == "nine" else peer.six
        with tempfile.NamedTemporaryFile(dir=CACHE, suffix=".part", delete=False) as part:
            # Single precision is accurate to 1e-7 rad.
            np.save(part, np.asarray(run(read_trial(trial)), dtype=np.float32))
        os.replace(part.name, path)
    return np.load(path).astype(float)


def judge(task):
    """Returns the figures of one peer on one trial, or the reason for missing figures."""
    trial, trial_hash, index, axes = task
    peer = PEERS[index]
    try:
        quaternions = orientations(trial, trial_hash, peer, axes)
        times = np.arange(len(quaternions)) / read_trial(trial).rate
        with tempfile.TemporaryDirectory() as folder:
            estimate = os.path.join(folder, "estimate.csv")
            columns = np.column_stack([times, quaternions[:, [1, 2, 3, 0]]])
            np.savetxt(
                estimate, columns, delimiter=",", fmt=["%.17g"] + ["%.9g"] * 4, comments="",
                header="time,quaternionX,quaternionY,quaternionZ,quaternionW")
            frame = peer.frame if axes == "nine" else "ned" if peer.frame == "ned" else "nwu"
            text = inertial("evaluate", trial, "--estimate", estimate, "--estimate-frame", frame, "--csv")
        row = next(csv.DictReader(io.StringIO(text)))
        return task, {figure: float(row[figure]) for figure in FIGURES}, None
    except Exception as error:
        return task, None, f"{type(error).__name__}: {error}"


def judge_peers(trials):
    """Returns the means of every peer over the trials, and the reasons for missing means."""
    missing = {i for i, peer in enumerate(PEERS) if version(peer.package) is None}
    hashes = {trial: hashlib.sha256(Path(trial).read_bytes()).hexdigest() for trial in trials}
    tasks = [
        (trial, hashes[trial], i, axes)
        for i, peer in enumerate(PEERS) if i not in missing
        for axes in ("nine", "six") if getattr(peer, axes) is not None
        for trial in trials
    ]
    figures, reasons = {}, {i: f"{PEERS[i].package} is not installed" for i in missing}
    with Pool(2) as pool:
        for done, (task, result, reason) in enumerate(pool.imap_unordered(judge, tasks), 1):
            trial, _, i, axes = task
            print(f"peers {done}/{len(tasks)}: {PEERS[i].name}, {axes} axes, {Path(trial).stem}", file=sys.stderr)
            if reason:
                reasons.setdefault(i, f"{Path(trial).stem}: {reason}")
            else:
                figures.setdefault((i, axes), []).append(result)
    rows = []
    for i, peer in enumerate(PEERS):
        label = f"{peer.name} ({peer.package} {version(peer.package)})" if i not in missing else peer.name
        if i in reasons:
            rows.append((label, peer.settings, None, reasons[i]))
            continue
        mean = lambda axes, figure: (
            float(np.mean([r[figure] for r in figures[(i, axes)]])) if (i, axes) in figures else None)
        rows.append((label, peer.settings, [mean("nine", f) for f in FIGURES] + [mean("six", "inclination")], None))
    return rows


def judge_ours(trials):
    """Returns the means of all of Inertial's filters and offline forms, with and without the magnetometer."""
    rows = []
    for form in ([], ["--smooth"]):
        nine = json.loads(inertial("evaluate", *trials, *form, "--no-cost", "--json"))
        six = json.loads(
            inertial("evaluate", *trials, *form, "--no-cost", "--json", "--frame", "xArbitraryZVertical"))
        without_field = {s["filter"]: s["meanInclination"] for s in six["summaries"]}
        rows += [
            (f"**Inertial, `{' '.join([s['filter'], *form])}`**", "defaults",
             [s["mean" + f.capitalize()] for f in FIGURES] + [without_field.get(s["filter"])], None)
            for s in nine["summaries"]
        ]
    return rows


def main(folder):
    trials = sorted(str(path) for path in Path(folder).glob("*.hdf5"))
    if not trials:
        sys.exit(f"error: there is no .hdf5 file in {folder}; give the folder of BROAD's trials")
    CACHE.mkdir(exist_ok=True)
    print(f"ours: {len(trials)} trials with and without the magnetometer", file=sys.stderr)
    rows = judge_ours(trials) + judge_peers(trials)
    rows += [(name, settings, None, reason) for name, settings, reason in NOT_RUN]
    order = lambda row: (row[2] is None, row[2][0] if row[2] and row[2][0] is not None else float("inf"))
    print(f"Root mean square errors in degrees over the movement samples, mean of {len(trials)} trials; cold start.\n")
    print("| system | settings | total | heading | inclination (9-axis) | inclination (6-axis) |")
    print("|---|---|---|---|---|---|")
    for name, settings, values, reason in sorted(rows, key=order):
        cells = ["" if v is None else f"{v:.2f}" for v in values] if values else [f"not run: {reason}", "", "", ""]
        print(f"| {name} | {settings} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1], "broad"))
