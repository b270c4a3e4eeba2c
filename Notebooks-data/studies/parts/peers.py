"""The peers of the study `accuracy`: each converts a BROAD trial to orientations of the sensor in an earth frame.

A peer has a name, its settings for the table, the earth frame of its 9-axis orientations, and two functions
of a trial: with and without the magnetometer, None for a missing mode. Quaternions are w, x, y, z, sensor to
earth. Only this file handles the conventions of the packages:

- `vqf` takes specific force and returns ENU.
- `ahrs` Madgwick takes specific force; its field lies in the XZ plane of the earth, which makes it NWU.
- `ahrs` Mahony takes specific force; its field lies in the YZ plane, which makes it ENU.
- `ahrs` EKF in its frame NED takes an acceleration that points down at rest, the negative of specific force. Its
  default field is Munich's with Munich's declination. It interprets a number as the dip in degrees, which needs no
  declination. The dip of Berlin, where BROAD was recorded, is 67 degrees.
- `imufusion` takes degrees per second and specific force in g; the convention NWU is set.
- `riann` takes specific force and returns an arbitrary heading: only its inclination can be evaluated.
"""

import os
from dataclasses import dataclass
from typing import Callable, Optional

import h5py
import numpy as np

GRAVITY = 9.80665


@dataclass
class Trial:
    rate: float
    gyr: np.ndarray
    acc: np.ndarray
    mag: np.ndarray


@dataclass
class Peer:
    name: str
    settings: str
    package: str
    frame: str
    nine: Optional[Callable[[Trial], np.ndarray]]
    six: Optional[Callable[[Trial], np.ndarray]]


def read_trial(path):
    with h5py.File(path) as data:
        gyr, acc, mag = (np.ascontiguousarray(data[name][:], dtype=float) for name in ("imu_gyr", "imu_acc", "imu_mag"))
        return Trial(float(data.attrs["sampling_rate"]), gyr, acc, mag)


def _vqf(kind, axes):
    def run(trial):
        import vqf

        period = 1 / trial.rate
        # Six axes without the field, which changes only the time.
        field = trial.mag if axes == "quat9D" else None
        if kind == "offlineVQF":
            return vqf.offlineVQF(trial.gyr, trial.acc, field, period)[axes]
        return getattr(vqf, kind)(period).updateBatch(trial.gyr, trial.acc, field)[axes]

    return run


def _ahrs(kind, uses_field, acceleration_sign=1.0, **settings):
    def run(trial):
        import ahrs

        field = {"mag": trial.mag} if uses_field else {}
        estimator = getattr(ahrs.filters, kind)(
            gyr=trial.gyr, acc=acceleration_sign * trial.acc, frequency=trial.rate, **field, **settings)
        return np.asarray(estimator.Q)

    return run


def _imufusion(uses_field, recommended):
    def run(trial):
        import imufusion

        settings = imufusion.AhrsSettings()
        settings.sample_rate = trial.rate
        settings.convention = imufusion.CONVENTION_NWU
        if recommended:
            settings.gain = 0.5
            settings.gyroscope_range = 2000
            settings.acceleration_rejection = 10
            settings.magnetic_rejection = 10
            settings.rejection_timeout = 5
        filter = imufusion.Ahrs()
        filter.set_settings(settings)
        degrees, acceleration = np.degrees(trial.gyr), trial.acc / GRAVITY
        if recommended:
            bias_settings = imufusion.BiasSettings()
            bias_settings.sample_rate = trial.rate
            bias = imufusion.Bias()
            bias.set_settings(bias_settings)
            degrees = np.array([bias.update(rate) for rate in degrees])
        orientations = np.empty((len(degrees), 4))
        for i in range(len(degrees)):
            if uses_field:
                filter.update(degrees[i], acceleration[i], trial.mag[i])
            else:
                filter.update_no_magnetometer(degrees[i], acceleration[i])
            orientations[i] = filter.get_quaternion()
        return orientations

    return run


def _riann(trial):
    import riann
    from riann.riann import RIANN

    # The path is passed because newer Pythons refuse the name under which the package looks for its network.
    network = RIANN(os.path.join(os.path.dirname(riann.__file__), "riann.onnx"))
    return network.predict(trial.acc, trial.gyr, trial.rate)


PEERS = [
    Peer("VQF, online", "defaults", "vqf", "enu", _vqf("VQF", "quat9D"), _vqf("VQF", "quat6D")),
    Peer("offlineVQF", "defaults", "vqf", "enu", _vqf("offlineVQF", "quat9D"), _vqf("offlineVQF", "quat6D")),
    Peer("BasicVQF", "defaults", "vqf", "enu", _vqf("BasicVQF", "quat9D"), _vqf("BasicVQF", "quat6D")),
    Peer("Madgwick, `ahrs`", "defaults (gain 0.041, 6-axis 0.033)", "ahrs", "nwu",
         _ahrs("Madgwick", True), _ahrs("Madgwick", False)),
    Peer("Mahony, `ahrs`", "defaults (k_P 1, k_I 0.3)", "ahrs", "enu", _ahrs("Mahony", True), _ahrs("Mahony", False)),
    Peer("EKF, `ahrs`", "NED, acceleration negated, dip 67°, else defaults", "ahrs", "ned",
         _ahrs("EKF", True, -1.0, frame="NED", magnetic_ref=67.0), _ahrs("EKF", False, -1.0, frame="NED")),
    Peer("x-io Fusion, `imufusion`", "README: bias correction, gain 0.5, 2000 °/s, rejections 10°, 5 s", "imufusion", "nwu",
         _imufusion(True, True), _imufusion(False, True)),
    Peer("x-io Fusion, `imufusion`", "defaults", "imufusion", "nwu", _imufusion(True, False), _imufusion(False, False)),
    Peer("RIANN, neural", "6-axis only", "riann", "nwu", None, _riann),
]

# Peers without a Python package, which are not run.
NOT_RUN = [
    ("Madgwick, x-io C code", "gain of the BROAD paper", "C source, no package"),
    ("Mahony, x-io C code", "gains of the BROAD paper", "C source, no package"),
]
