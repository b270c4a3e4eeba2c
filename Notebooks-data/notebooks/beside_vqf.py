# %% [markdown]
# # Beside vqf
#
# The same arrays in the package `vqf` and here: the same attitude from the same filter, the default filter for comparison, and
# the other columns of the rows.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import vqf

folder = Path(tempfile.mkdtemp())
inertial.simulate("random-spline", folder, duration=60, seed=7)
truth = pd.read_csv(folder / "truth.csv")
log = inertial.read(folder / "log.csv")
log

# %% [markdown]
# `vqf` takes specific force in m/s², rad/s and µT, and returns quaternions w, x, y, z in ENU. `convention="vqf"` takes and returns
# the same. The log's field has a sample for every second row, so both get the six-axis sensors.

# %%
gyroscope = np.ascontiguousarray(log.rotation_rate.values)
force = np.ascontiguousarray(-9.80665 * log.acceleration.values)
peer = vqf.VQF(0.01).updateBatch(gyroscope, force)["quat6D"]
same = inertial.fuse(
    rotation_rate=gyroscope, acceleration=force, sample_rate=100, convention="vqf", filter="vqf", frame="xArbitraryZVertical")
kalman = inertial.fuse(
    rotation_rate=gyroscope, acceleration=force, sample_rate=100, convention="vqf", frame="xArbitraryZVertical")


def inclination(quaternions):
    """Returns the angle between the estimated and the true vertical, in degrees."""
    w, x, y, z = np.asarray(quaternions).T
    estimated = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
    w, x, y, z = (truth[f"quaternion{axis}"].to_numpy() for axis in "WXYZ")
    true = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
    return np.degrees(np.arccos(np.clip(np.sum(estimated * true, axis=1), -1, 1)))


errors = {"vqf package": inclination(peer), "vqf here": inclination(same.quaternion), "kalman": inclination(kalman.quaternion)}
pd.DataFrame(errors).iloc[500:].describe().loc[["mean", "max"]].round(3)

# %%
figure, axis = plt.subplots(figsize=(8, 3), constrained_layout=True)
for name, error in errors.items():
    axis.plot(kalman.time, error, label=name, linewidth=0.8)
axis.set_xlabel("s")
axis.set_ylabel("error of the vertical, degrees")
axis.legend()
plt.show()

# %% [markdown]
# The rows also contain gravity, user acceleration and the rotation rate without bias.

# %%
kalman.to_pandas().filter(like="userAcceleration").describe().round(3)

# %%
assert np.nanmax(np.abs(errors["vqf here"][500:] - errors["vqf package"][500:])) < 0.2
assert np.nanmean(errors["kalman"][500:]) < 2
