"""Row 5: the cost of the filter and of VQF's C++, in alternation within one run, on the same columns."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

import h5py
import numpy as np

from parts.flagship_parts import Row, note, product, run

TURNS = 15


class Timer:
    """A program that answers each line with the nanoseconds per sample of one run."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        try:
            return float(answer)
        except ValueError:
            raise RuntimeError(answer or "the program has ended") from None

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def compiled(folder, flags):
    """Builds VQF's C++ with Inertial's timer; None if the compiler or the package's sources are missing."""
    import vqf

    sources = Path(vqf.__file__).parent / "cpp"
    compiler = next((c for c in ("clang++", "c++", "g++") if shutil.which(c)), None)
    if compiler is None or not (sources / "offline_vqf.cpp").exists():
        return None
    program = str(Path(folder) / ("time_vqf" + "".join(flags)))
    run(compiler, "-std=c++11", *flags, "-I", str(sources), str(Path(__file__).with_name("time_vqf.cpp")),
        str(sources / "vqf.cpp"), str(sources / "offline_vqf.cpp"), "-o", program)
    return program


def cost_rows(broad, _):
    import vqf

    trial = sorted(Path(broad).glob("*.hdf5"))[0]
    with h5py.File(trial) as data:
        rate = float(data.attrs["sampling_rate"])
        columns = [np.ascontiguousarray(data[n][:], dtype=float) for n in ("imu_gyr", "imu_acc", "imu_mag")]
    count = len(columns[0])

    def timed(action):
        start = time.perf_counter()
        action()
        return (time.perf_counter() - start) / count * 1e9

    with tempfile.TemporaryDirectory() as folder:
        table = str(Path(folder) / "columns")
        np.hstack(columns).tofile(table)
        timers = {}
        program = product("TimeFilters")
        ours = Timer(program, str(trial))
        for label, flags in (("C++ -O3 -march=native", ["-O3", "-march=native"]), ("C++ -O3", ["-O3"])):
            path = compiled(folder, flags)
            if path:
                timers[label] = Timer(path, table, str(rate))
        online = {
            "ours": lambda: ours("kalman"), "our vqf": lambda: ours("vqf"),
            **{label: lambda timer=timer: timer("online") for label, timer in timers.items()},
            "pip package": lambda: timed(lambda: vqf.VQF(1 / rate).updateBatch(*columns))}
        offline = {
            "ours": lambda: ours("--smooth kalman"), "our vqf": lambda: ours("--smooth vqf"),
            **{label: lambda timer=timer: timer("offline") for label, timer in timers.items()},
            "pip package": lambda: timed(lambda: vqf.offlineVQF(*columns, 1 / rate))}
        rows = [
            row("cost online", online, "VQF", 1.2, 0.6, trial.stem),
            row("cost smoothed", offline, "offlineVQF", 2, 1, trial.stem)]
        for timer in [ours, *timers.values()]:
            timer.close()
    return rows


def row(name, timers, peer, reach, beyond, trial):
    times = {label: [] for label in timers}
    note(f"{name}: {TURNS} turns")
    for turn in range(TURNS + 1):
        for label, timer in timers.items():
            value = timer()
            # The first turn warms the caches.
            if turn > 0 and value is not None:
                times[label].append(value)
    # The peer is the fastest available build of VQF.
    label = next(label for label in ("C++ -O3 -march=native", "C++ -O3", "pip package") if times.get(label))
    ratios = [a / b for a, b in zip(times["ours"], times[label])]
    spread = lambda values, digits: "/".join(f"{f(values):.{digits}f}" for f in (min, median, max))
    details = [dict(system=k, least=min(v), median=median(v), largest=max(v)) for k, v in times.items() if v]
    system = lambda label: "kalman" if label == "ours" else label if label == "our vqf" else f"{peer} {label}"
    beside = f"ns/sample {trial}, {TURNS} turns, min/median/max: " + ", ".join(
        f"{system(k)} {spread(v, 0)}" for k, v in times.items() if v)
    if ratios:
        beside = f"ratio per turn {spread(ratios, 2)}; " + beside
    return Row(
        5, f"{name} / {peer} {label}", median(ratios) if ratios else None, "×", reach, beyond, beside, details)
