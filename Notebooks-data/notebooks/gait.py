# %% [markdown]
# # Gait
#
# Steps and cadence of a phone on a walk, the vertical acceleration for a gait package, and the path of a foot.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import numpy as np

folder = Path(tempfile.mkdtemp())
inertial.simulate("walk", folder / "walk", duration=40, seed=2)
steps = inertial.steps(folder / "walk" / "log.csv", height=1.75)
print(f"{steps.steps} steps, {steps.distance:.0f} m")
steps.to_pandas().head()

# %% [markdown]
# The vertical acceleration, positive upwards: gravity points down in the device's axes, and a device that is pushed upwards has a
# user acceleration that points down.

# %%
motion = inertial.fuse(folder / "walk" / "log.csv", smooth=True, recognitions=["steps"])
down = motion.gravity / np.linalg.norm(motion.gravity, axis=1, keepdims=True)
vertical = 9.80665 * np.sum(motion.user_acceleration * down, axis=1)
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(8, 4), constrained_layout=True)
axes[0].plot(motion.time, vertical, linewidth=0.8)
axes[0].set_ylabel("up, m/s²")
axes[1].plot(motion.time, motion["stepCount"])
axes[1].set_ylabel("steps")
axes[1].set_xlabel("s")
plt.show()

# %% [markdown]
# A sensor on a foot yields a path: sixty strides along a square of 78 m that end where they began.

# %%
inertial.simulate("strides", folder / "foot", duration=60, seed=1)
path = inertial.track(folder / "foot" / "log.csv", on="foot", closed=True)
figure, axis = plt.subplots(figsize=(5, 5), constrained_layout=True)
axis.plot(path["positionX"], path["positionY"])
axis.set_aspect("equal")
axis.set_xlabel("m")
axis.set_ylabel("m")
plt.show()

# %% [markdown]
# The length of each stride is the distance between the positions at consecutive stances.

# %%
count = np.asarray(path["step"])
first = np.flatnonzero(np.diff(count) > 0) + 1
places = np.stack([path["positionX"], path["positionY"]], axis=1)[first]
strides = np.linalg.norm(np.diff(places, axis=0), axis=1)
print(f"{len(strides)} strides, median {np.median(strides):.2f} m")

# %%
assert 65 < steps.steps < 85
assert 1.1 < np.median(strides) < 1.5
