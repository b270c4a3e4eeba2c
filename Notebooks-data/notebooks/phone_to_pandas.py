# %% [markdown]
# # From a phone export to a pandas data frame
#
# This notebook reads, inspects, fuses and plots a log. The log is simulated (`inertial.simulate`); replace its path with
# your own export: a Sensor Logger folder or zip, phyphox, SensorLog, or any of `inertial.formats()`.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt

folder = Path(tempfile.mkdtemp())
inertial.simulate("walk", folder / "walk", duration=30, seed=3)
log = folder / "walk" / "log.csv"

# %% [markdown]
# Inspect the log for problems first.

# %%
inspection = inertial.inspect(log)
print(inspection.facts["findings"] or "nothing looks wrong")

# %%
motion = inertial.fuse(log)
frame = motion.to_pandas().set_index("time")
frame.filter(like="userAcceleration").describe().round(3)

# %%
figure, axes = plt.subplots(3, 1, sharex=True, figsize=(8, 7), constrained_layout=True)
axes[0].plot(motion.time, motion.euler * 57.29578, label=["roll", "pitch", "yaw"])
axes[0].set_ylabel("degrees")
axes[1].plot(motion.time, motion.gravity, label=["x", "y", "z"])
axes[1].set_ylabel("gravity, g")
axes[2].plot(motion.time, motion.user_acceleration, label=["x", "y", "z"], linewidth=0.7)
axes[2].set_ylabel("user acceleration, g")
axes[2].set_xlabel("s")
for axis in axes:
    axis.legend(ncols=3, loc="upper right")
plt.show()

# %% [markdown]
# Count the steps in the same log.

# %%
steps = inertial.steps(log)
print(f"{steps.steps} steps, {steps.distance:.0f} m")
assert 35 < steps.steps < 75
