"""Checks of a recording's reference and magnetic field, without a filter.

Both need the rotation from the sensor's axes to the reference's body and, on phones, the offset of the two clocks. They
are fitted to the angular rates of the gyroscope and of the reference.
"""

from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
from scipy.spatial.transform import Rotation, Slerp

# The maximum angle between the reference and the integrated gyroscope, in degrees, and the seconds to either side.
CONTRADICTION, WINDOW = 20.0, 10.0
# The maximum interval of the reference, in seconds; a longer one is a gap.
GAP = 0.1


@dataclass
class Recording:
    """A recording with times in seconds on each sensor's clock, and the reference as x, y, z, w."""

    rate_times: np.ndarray
    rates: np.ndarray
    field_times: np.ndarray
    field: np.ndarray
    times: np.ndarray
    reference: np.ndarray
    judged: np.ndarray


def read_broad(path):
    with h5py.File(path) as data:
        times = np.arange(len(data["imu_gyr"])) / float(data.attrs["sampling_rate"])
        w, x, y, z = np.asarray(data["opt_quat"], dtype=float).T
        movement = np.asarray(data["movement"]).astype(bool)
        return Recording(
            times, np.asarray(data["imu_gyr"], dtype=float), times, np.asarray(data["imu_mag"], dtype=float), times,
            np.column_stack([x, y, z, w]), movement)


def read_tyrex(folder):
    folder = Path(folder)
    table = lambda name: np.array([[float(x) for x in line.split()] for line in open(folder / name) if line.strip()])
    boot = next(float(line.split("=")[1]) for line in open(folder / "description.txt") if line.startswith("BootTime"))
    offset = boot - float((folder / "timeAlignment.txt").read_text())
    truth = np.genfromtxt(folder / "ground-truth.csv", delimiter=",", names=True)
    rates, field = (in_order(table(name)) for name in ("gyroscope.txt", "magnetometer-calibrated.txt"))
    reference = np.column_stack([truth[name] for name in ("qx", "qy", "qz", "qw")])
    return Recording(
        rates[:, 0], rates[:, 1:4], field[:, 0], field[:, 1:4], truth["t_s"] + offset, reference,
        np.ones(len(reference), bool))


def in_order(rows):
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    return rows[np.r_[True, np.diff(rows[:, 0]) > 0]]


def geometric_median(quaternions):
    """Returns the rotation with the minimum sum of distances, robust to fewer than half of outliers."""
    weights = np.ones(len(quaternions))
    for _ in range(20):
        _, vectors = np.linalg.eigh((quaternions * weights[:, None]).T @ quaternions)
        centre = vectors[:, -1]
        weights = 1 / np.maximum(np.sqrt(np.maximum(0, 1 - (quaternions @ centre) ** 2)), 1e-3)
    return centre


class Checked:
    """The valid reference samples of a recording, the sensor's mounting, and the clock offset."""

    def __init__(self, recording):
        self.recording = recording
        norms = np.linalg.norm(recording.reference, axis=1)
        rows = np.flatnonzero(np.isfinite(norms) & (norms > 0.5))
        rows = rows[np.r_[True, np.diff(recording.times[rows]) > 0]]
        self.rows, self.times = rows, recording.times[rows]
        self.rotation = Rotation.from_quat(recording.reference[rows])
        self._fit()

    def _fit(self):
        r, times = self.recording, self.times
        step = np.diff(times)
        turn = (self.rotation[:-1].inv() * self.rotation[1:]).as_rotvec() / step[:, None]
        middle = (times[1:] + times[:-1]) / 2
        smooth = lambda x, n: np.column_stack([np.convolve(column, np.ones(n) / n, "same") for column in x.T])
        width = lambda t: max(1, int(round(0.05 / np.median(np.diff(t)))))
        good = (step < 0.5 * GAP) & (np.linalg.norm(turn, axis=1) < 20)
        turn, rates = smooth(turn, width(times)), smooth(r.rates, width(r.rate_times))
        # Magnitudes do not depend on the mounting.
        grid = np.arange(max(times[0], r.rate_times[0]) + 1, min(times[-1], r.rate_times[-1]) - 1, 0.01)
        target = np.interp(grid, middle[good], np.linalg.norm(turn[good], axis=1))
        norms = np.linalg.norm(rates, axis=1)
        shifts = np.arange(-0.3, 0.3, 0.0025)
        costs = [np.abs(target - np.interp(grid - shift, r.rate_times, norms)).mean() for shift in shifts]
        self.shift = shifts[np.argmin(costs)]
        at = lambda t, x: np.column_stack([np.interp(t - self.shift, r.rate_times, column) for column in x.T])
        measured = at(middle, rates)
        good &= np.linalg.norm(measured, axis=1) > 0.3
        weights = np.ones(good.sum())
        for _ in range(5):
            self.body_from_sensor, _ = Rotation.align_vectors(turn[good], measured[good], weights=weights)
            errors = np.linalg.norm(turn[good] - self.body_from_sensor.apply(measured[good]), axis=1)
            weights = 1 / np.maximum(errors, np.median(errors))
        # The bias is the median of the residuals.
        self.bias = np.median(measured[good] - self.body_from_sensor.inv().apply(turn[good]), axis=0)

    def contradicted(self):
        """Whether the gyroscope briefly contradicts the reference, for each reference sample.

        The rotation between the gyroscope's integral and the reference changes slowly. The reference has jumped if this
        rotation differs by more than CONTRADICTION from its typical value in the surrounding seconds.
        """
        r = self.recording
        rates = self.body_from_sensor.apply(r.rates - self.bias)
        # The attitude of the gyroscope alone, at its own times, and then at the reference's.
        clock = r.rate_times + self.shift
        steps = Rotation.from_rotvec(0.5 * (rates[1:] + rates[:-1]) * np.diff(clock)[:, None]).as_quat()
        attitude = np.empty((len(clock), 4))
        attitude[0] = 0, 0, 0, 1
        for i, b in enumerate(steps):
            a = attitude[i]
            attitude[i + 1] = np.r_[a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3]]
        carried = Slerp(clock, Rotation.from_quat(attitude))(np.clip(self.times, clock[0], clock[-1]))
        # Constant if the two agree, except for slow drift; its typical value within ten seconds to either side.
        difference = (self.rotation * carried.inv()).as_quat()
        result = np.zeros(len(r.times), bool)
        for second in np.arange(np.floor(self.times[0]), self.times[-1] + 1):
            here = np.abs(self.times - second) <= 0.5
            around = difference[np.abs(self.times - second) <= WINDOW][::5]
            if here.any():
                typical = geometric_median(around if len(around) else difference[here])
                angles = 2 * np.degrees(np.arccos(np.minimum(1, np.abs(difference[here] @ typical))))
                result[self.rows[here]] |= angles > CONTRADICTION
        return result

    def field_share(self, skip, rejected):
        """Returns the fraction of the evaluated time with the horizontal field direction within 20° of its median."""
        r = self.recording
        usable = (r.judged & ~rejected)[self.rows] & (self.times > self.times[0] + skip)
        times = r.field_times + self.shift
        inside = (times > self.times[0]) & (times < self.times[-1])
        after = np.searchsorted(self.times, times[inside])
        counts = (self.times[after] - self.times[after - 1] < GAP) & usable[after] & usable[after - 1]
        earth_from_sensor = Slerp(self.times, self.rotation)(times[inside][counts]) * self.body_from_sensor
        east, north, _ = earth_from_sensor.apply(r.field[inside][counts]).T
        direction = np.exp(1j * np.arctan2(north, east))
        turned = np.angle(direction / np.exp(1j * np.angle(direction.mean())), deg=True)
        return float(np.mean(np.abs((turned - np.median(turned) + 180) % 360 - 180) < 20))
