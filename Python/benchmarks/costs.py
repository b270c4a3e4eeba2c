"""The costs of the Python package: its wheel, its import, a call, filters and peers in alternation, and the whole job.

Each figure is the median wall time of the turns, and the minimum processor time, which other processes affect less.

usage: costs.py WHEEL [--rows 1000000] [--turns 5]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

GRAVITY = 9.80665


def median(times):
    return statistics.median(times)


def by_turns(turns, **actions):
    """Returns the median wall time and the minimum processor time of each, in seconds; the first turn warms up."""
    times = {name: [] for name in actions}
    work = {name: [] for name in actions}
    for turn in range(turns + 1):
        for name, action in actions.items():
            start, begun = time.perf_counter(), time.process_time()
            action()
            if turn:
                times[name].append(time.perf_counter() - start)
                work[name].append(time.process_time() - begun)
    return {name: (median(values), min(work[name])) for name, values in times.items()}


def fresh(code):
    """Returns the last line that a new interpreter prints, as a number."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def table(title, rows):
    print(f"\n{title}")
    for name, value in rows:
        print(f"  {name:<58} {value}")


def motion(rows, rate=100.0):
    """Returns a device that rotates about changing axes, with noise: seconds, rad/s, m/s² of specific force, µT."""
    random = np.random.default_rng(1)
    time = np.arange(rows) / rate
    frequencies = np.array([0.7, 0.9, 1.1])[:, None]
    # Yaw, pitch and roll in this order, and their derivatives.
    roll, pitch, yaw = np.sin(frequencies * time)
    dr, dp, dy = frequencies * np.cos(frequencies * time)
    (sr, cr), (sp, cp), (sy, cy) = ((np.sin(angle), np.cos(angle)) for angle in (roll, pitch, yaw))
    gyr = np.stack([dr - dy * sp, dp * cr + dy * cp * sr, dy * cp * cr - dp * sr], axis=1)

    def in_device(north, up):
        x, y = cy * north, -sy * north
        along = sp * x + cp * up
        return np.stack([cp * x - sp * up, cr * y + sr * along, cr * along - sr * y], axis=1)

    acc = in_device(0, GRAVITY) + random.normal(0, 0.05, (rows, 3))
    mag = in_device(20.0, -40.0) + random.normal(0, 0.4, (rows, 3))
    return time, gyr + random.normal(0, 0.003, (rows, 3)), acc, mag


def call_overhead(inertial, turns):
    """Returns the fixed cost of a call: the intercept of a line through calls with few and with many rows."""
    time, gyr, acc, _ = motion(100_000)

    def call(rows):
        inertial.fuse(
            time=time[:rows], rotation_rate=gyr[:rows], acceleration=acc[:rows], acceleration_unit="m/s2",
            acceleration_sign="specific-force", filter="vqf")  # fmt: skip

    times = by_turns(turns, few=lambda: call(100), many=lambda: call(100_000))
    table("call overhead, vqf", [
        ("100 rows: the call itself, and little else", f"{times['few'][0] * 1e3:.2f} ms, {times['few'][1] * 1e3:.2f} of processor"),
        ("100,000 rows", f"{times['many'][0] * 1e3:.1f} ms, {times['many'][1] * 1e3:.1f} of processor"),
        ("fraction of the call at 100,000 rows", ", ".join(f"{100 * times['few'][i] / times['many'][i]:.2f} %" for i in (0, 1)))])  # fmt: skip


def filters(inertial, turns):
    import imufusion
    import vqf

    rows = 100_000
    time, gyr, acc, mag = motion(rows)
    arrays = dict(
        rotation_rate=gyr, acceleration=acc, magnetic_field=mag, sample_rate=100.0, acceleration_unit="m/s2",
        acceleration_sign="specific-force", frame="xMagneticNorthZVertical", field="calibrated",
        columns_out=["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"])  # fmt: skip
    degrees, gs = np.degrees(gyr), acc / GRAVITY

    def loop():
        settings = imufusion.AhrsSettings()
        settings.sample_rate = 100
        ahrs = imufusion.Ahrs()
        ahrs.set_settings(settings)
        out = np.empty((rows, 4))
        for index in range(rows):
            ahrs.update(degrees[index], gs[index], mag[index])
            out[index] = ahrs.get_quaternion()
        return out

    times = by_turns(
        turns,
        kalman=lambda: inertial.fuse(**arrays, filter="kalman"),
        vqf=lambda: inertial.fuse(**arrays, filter="vqf"),
        peer=lambda: vqf.VQF(0.01).updateBatch(gyr, acc, mag))
    times.update(by_turns(1, imufusion=loop))
    names = {"kalman": "inertial.fuse(filter='kalman')", "vqf": "inertial.fuse(filter='vqf')",
             "peer": "vqf.VQF.updateBatch", "imufusion": "imufusion, a loop in Python"}  # fmt: skip
    table("arrays to quaternions, nine axes, 100,000 rows", [
        (names[name], f"{clock / rows * 1e9:.0f} ns a row, {work / rows * 1e9:.0f} of processor")
        for name, (clock, work) in times.items()])  # fmt: skip


PEER = """
import sys, time
import numpy as np, polars as pl
from vqf import VQF
start = time.perf_counter()
table = pl.read_csv(sys.argv[1])
def vectors(name): return np.ascontiguousarray(table.select([name + a for a in "XYZ"]).to_numpy())
gyr, acc, mag = vectors("rotationRate"), -9.80665 * vectors("acceleration"), vectors("magneticField")
out = VQF(0.01).updateBatch(gyr, acc, mag)
q = out["quat9D"]
w, x, y, z = q.T
gravity = np.stack([-2 * (x * z - w * y), -2 * (y * z + w * x), -(w * w - x * x - y * y + z * z)], axis=1)
user = vectors("acceleration") - gravity
columns = {"time": table["time"], "quaternionX": x, "quaternionY": y, "quaternionZ": z, "quaternionW": w}
columns |= {"gravity" + a: gravity[:, i] for i, a in enumerate("XYZ")}
columns |= {"userAcceleration" + a: user[:, i] for i, a in enumerate("XYZ")}
pl.DataFrame(columns).write_parquet(sys.argv[2], compression="zstd")
print(time.perf_counter() - start)
"""
COLUMNS = ["time"] + ["quaternion" + a for a in "XYZW"] + [n + a for n in ("gravity", "userAcceleration") for a in "XYZ"]
OURS = f"""
import sys, time
import numpy, inertial
start = time.perf_counter()
inertial.fuse(sys.argv[1], filter="vqf", frame="xMagneticNorthZVertical", field="calibrated",
    columns_out={COLUMNS!r}).to_parquet(sys.argv[2], force=True)
print(time.perf_counter() - start)
"""
DIRECT = OURS.replace("inertial.fuse(sys", "inertial.fuse_to(sys").replace('argv[1], filter', 'argv[1], sys.argv[2], force=True, filter').replace(
    ".to_parquet(sys.argv[2], force=True)", "")


def whole_job(rows, turns):
    time, gyr, acc, mag = motion(rows)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.csv"
        names = ["time"] + [n + a for n in ("acceleration", "rotationRate", "magneticField") for a in "XYZ"]
        np.savetxt(
            log, np.column_stack([time, -acc / GRAVITY, gyr, mag]), delimiter=",", fmt="%.9g", header=",".join(names),
            comments="")  # fmt: skip
        seconds = {name: [] for name in ("ours", "direct", "peer")}
        work = {name: [] for name in seconds}
        for turn in range(turns + 1):
            for name, code in (("ours", OURS), ("direct", DIRECT), ("peer", PEER)):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                done = subprocess.run(
                    [sys.executable, "-c", code, str(log), f"{folder}/{name}.parquet"], capture_output=True, text=True,
                    check=True)  # fmt: skip
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                if turn:
                    seconds[name].append(float(done.stdout.split()[-1]))
                    work[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        ours, direct, peer = (median(seconds[name]) for name in ("ours", "direct", "peer"))
        spent = {name: min(values) for name, values in work.items()}
        sizes = {name: os.path.getsize(f"{folder}/{name}.parquet") / 1e6 for name in seconds}
        start = __import__("time").perf_counter()
        import inertial

        fused = inertial.fuse(log, filter="vqf", frame="xMagneticNorthZVertical", field="calibrated", columns_out=COLUMNS)
        started = __import__("time").perf_counter()
        fused.to_csv(f"{folder}/ours.csv")
        csv = __import__("time").perf_counter() - started
        started = __import__("time").perf_counter()
        fused.to_parquet(f"{folder}/again.parquet")
        parquet = __import__("time").perf_counter() - started
        table(f"the whole job, {rows:,} rows, CSV to Parquet of {len(COLUMNS)} columns", [
            ("inertial.fuse(path).to_parquet()", f"{ours:.2f} s, {sizes['ours']:.0f} MB"),
            ("inertial.fuse_to(path, parquet)", f"{direct:.2f} s, {sizes['direct']:.0f} MB"),
            ("polars + vqf + write_parquet", f"{peer:.2f} s, {sizes['peer']:.0f} MB"),
            ("ours is quicker by", f"{peer / ours:.2f}, file to file {peer / direct:.2f}"),
            ("processor time, imports included, of the three", ", ".join(f"{spent[n]:.2f} s" for n in ("ours", "direct", "peer"))),
            ("writing alone: to_csv and to_parquet", f"{csv:.2f} s, {parquet:.2f} s"),
            ("their sizes", f"{os.path.getsize(folder + '/ours.csv') / 1e6:.0f} MB, {sizes['ours']:.0f} MB"),
            ("an hour at 100 Hz, file to file", f"{direct / rows * 360_000:.2f} s"),
        ])  # fmt: skip
        del start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("wheel")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    import inertial

    alone = "import numpy, time; s = time.perf_counter(); import inertial; print(time.perf_counter() - s)"
    table("the package", [
        ("wheel", f"{os.path.getsize(arguments.wheel) / 1e6:.2f} MB"),
        ("import inertial, beside NumPy's own time", f"{1e3 * median(fresh(alone) for _ in range(9)):.0f} ms"),
    ])  # fmt: skip
    call_overhead(inertial, arguments.turns * 3)
    filters(inertial, arguments.turns)
    whole_job(arguments.rows, arguments.turns)


if __name__ == "__main__":
    main()
