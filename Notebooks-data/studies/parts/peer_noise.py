"""Times Allan deviations and allantools, with the same six series and averaging times, in alternation within one run."""

import time

import numpy as np

from parts.flagship_cost import Timer
from parts.flagship_parts import note

SERIES = 6
TIMES = 100


def factors(rows):
    """Returns averaging factors as StabilityCurve.factors does: logarithmic, from 1 to a quarter of the series."""
    steps = np.exp(np.log(rows // 4) / (TIMES - 1) * np.arange(TIMES))
    return np.unique(np.minimum(rows // 4, np.floor(steps + 0.5))).astype(int)


def run(program, folder, rows, turns, missing):
    result = dict(peer="allantools", series=SERIES, rows=rows, times=len(factors(rows)))
    if "allantools" in missing:
        return dict(result, reason=missing["allantools"])
    import allantools

    generator = np.random.default_rng(1)
    values = generator.normal(size=(SERIES, rows)) + np.cumsum(1e-3 * generator.normal(size=(SERIES, rows)), axis=1)
    values.tofile(f"{folder}/series.f64")
    ours = Timer(program, f"{folder}/series.f64", str(rows), str(TIMES))
    theirs, own, wall = [], [], []
    # The first turn warms the caches.
    for turn in range(turns + 1):
        note(f"allantools, turn {turn}")
        start = time.process_time()
        deviations = [allantools.oadev(part, rate=1, data_type="freq", taus=factors(rows))[1] for part in values]
        seconds = time.process_time() - start
        elapsed = ours("run")
        if turn > 0:
            theirs.append(seconds)
            own.append(ours("processor"))
            wall.append(elapsed)
    total = ours("sum")
    ours.close()
    expected = float(np.sum(deviations))
    if not abs(total - expected) < 1e-6 * expected:
        return dict(result, reason=f"the deviations differ: their sums are {total} and {expected}")
    return dict(result, peerSeconds=theirs, ourSeconds=own, ourElapsed=wall)
