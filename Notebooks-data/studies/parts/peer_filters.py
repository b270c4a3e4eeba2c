"""Times filters and peers: nanoseconds per sample over arrays in memory, in alternation.

A peer is timed over the call that converts arrays to quaternions. Inertial is timed over the equivalent loop, by the
program TimeFilters of this package. Peers that loop in Python over single samples get fewer samples.
"""

import time

import numpy as np

from parts.flagship_cost import Timer
from parts.flagship_parts import note

GRAVITY = 9.80665
SAMPLES = 100_000
# The package ahrs takes about 50 microseconds per sample.
SLOW_SAMPLES = 4_000

# The peer's name and settings in peers.py, and Inertial's equivalent; --smooth is the offline form.
PAIRS = [
    ("VQF, online", "defaults", "vqf"),
    ("offlineVQF", "defaults", "--smooth vqf"),
    ("BasicVQF", "defaults", "basic-vqf"),
    ("x-io Fusion, `imufusion`", "defaults", "revised-madgwick"),
    ("Mahony, `ahrs`", None, "mahony"),
    ("Madgwick, `ahrs`", None, "madgwick"),
]


def read_trial(log, trial_type):
    """Returns the first rows of a canonical raw CSV, in the peers' units."""
    values = np.loadtxt(log, delimiter=",", skiprows=1, max_rows=SAMPLES)
    rate = 1 / np.median(np.diff(values[:, 0]))
    parts = (np.ascontiguousarray(part) for part in (values[:, 4:7], -GRAVITY * values[:, 1:4], values[:, 7:10]))
    return trial_type(rate, *parts)


def cut(log, path):
    """Writes the same rows as a separate log."""
    with open(log) as source, open(path, "w") as target:
        for number, line in enumerate(source):
            if number > SAMPLES:
                break
            target.write(line)


def seconds(action, data):
    start = time.perf_counter()
    action(data)
    return time.perf_counter() - start


def best(measure):
    """Returns the minimum of three measurements: the first one after a pause often runs on a slower clock."""
    return min(measure() for _ in range(3))


def run(program, folder, log, turns, missing):
    if "h5py" in missing or "vqf" in missing:
        return [
            dict(peer=name, axes=axes, ours=ours, reason=missing.get("h5py") or missing["vqf"])
            for name, _, ours in PAIRS for axes in (9, 6)]
    from parts.peers import PEERS, Trial

    trial = read_trial(log, Trial)
    short = Trial(trial.rate, *(part[:SLOW_SAMPLES] for part in (trial.gyr, trial.acc, trial.mag)))
    cut(log, f"{folder}/short.csv")
    ours_timer = Timer(program, f"{folder}/short.csv")
    results, pairs = [], []
    for name, settings, ours in PAIRS:
        peer = next(p for p in PEERS if p.name == name and settings in (None, p.settings))
        for axes, action in ((9, peer.nine), (6, peer.six)):
            result = dict(peer=name, package=peer.package, axes=axes, ours=ours)
            results.append(result)
            if peer.package in missing:
                result["reason"] = missing[peer.package]
            else:
                result.update(peerNanoseconds=[], ourNanoseconds=[])
                pairs.append((result, action, short if peer.package == "ahrs" else trial))
    # All pairs in each turn: a shared machine is slower for a minute at a time. The first turn warms the caches.
    for turn in range(turns + 1):
        note(f"turn {turn} of {turns}: {len(pairs)} pairs of filters")
        for result, action, data in pairs:
            word = f"{'' if result['axes'] == 9 else '--six '}{result['ours']}"
            try:
                times = (best(lambda: seconds(action, data)) / len(data.gyr) * 1e9, best(lambda: ours_timer(word)))
            except Exception as error:
                result["reason"] = f"{type(error).__name__}: {error}"
                continue
            if turn > 0:
                result["peerNanoseconds"].append(times[0])
                result["ourNanoseconds"].append(times[1])
    ours_timer.close()
    return results
