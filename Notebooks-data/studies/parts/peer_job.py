"""Runs one job of a peer in its own process: a canonical raw CSV to a fused dataset of 12 columns.

usage: peer_job.py pandas-csv|polars-csv|polars-parquet LOG OUTPUT
Prints the seconds of reading, fusing and writing as JSON, without imports.
"""

import json
import sys
import time

import numpy as np
import vqf

GRAVITY = 9.80665


def fuse(times, acceleration, rate, field):
    """Returns the 12 columns of `inertial fuse --columns-out` by name, in VQF's earth frame ENU."""
    period = float(np.median(np.diff(times)))
    force = -GRAVITY * acceleration
    w, x, y, z = vqf.VQF(period).updateBatch(rate, force, field)["quat9D"].T
    # The downward direction in device axes, and the compass bearing of the device's Y axis.
    gravity = (2 * (w * y - x * z), -2 * (w * x + y * z), 2 * (x * x + y * y) - 1)
    heading = np.degrees(np.arctan2(2 * (x * y - w * z), 1 - 2 * (x * x + z * z))) % 360
    columns = dict(time=times, quaternionX=x, quaternionY=y, quaternionZ=z, quaternionW=w)
    for axis, name in enumerate("XYZ"):
        columns["gravity" + name] = gravity[axis]
    for axis, name in enumerate("XYZ"):
        columns["userAcceleration" + name] = acceleration[:, axis] - gravity[axis]
    columns["heading"] = heading
    # Contiguous, as table writers require.
    return {name: np.ascontiguousarray(values) for name, values in columns.items()}


def groups(columns):
    """Returns acceleration, rotation rate and field, each with three columns."""
    return (
        np.ascontiguousarray(np.column_stack([columns(name + axis) for axis in "XYZ"]))
        for name in ("acceleration", "rotationRate", "magneticField"))


def main(kind, log, output):
    if kind == "pandas-csv":
        import pandas

        try:
            import pyarrow  # noqa: F401

            engine = dict(engine="pyarrow")
        except ImportError:
            engine = {}
        start = time.perf_counter()
        table = pandas.read_csv(log, **engine)
        column = lambda name: table[name].to_numpy()
        write = lambda columns: pandas.DataFrame(columns).to_csv(output, index=False)
    else:
        import polars

        start = time.perf_counter()
        table = polars.read_csv(log)
        column = lambda name: table[name].to_numpy()
        if kind == "polars-csv":
            write = lambda columns: polars.DataFrame(columns).write_csv(output)
        else:
            write = lambda columns: polars.DataFrame(columns).write_parquet(output)
    times = np.ascontiguousarray(column("time"), dtype=float)
    acceleration, rate, field = groups(column)
    read = time.perf_counter()
    columns = fuse(times, acceleration, rate, field)
    fused = time.perf_counter()
    write(columns)
    written = time.perf_counter()
    print(json.dumps(dict(read=read - start, fuse=fused - read, write=written - fused)))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pandas-csv", "polars-csv", "polars-parquet"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
