# %% [markdown]
# # Robots
#
# A recording in the units and axes of ROS: written as MCAP, read again, fused, and compared with its true attitude.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

folder = Path(tempfile.mkdtemp())
inertial.simulate("car", folder, duration=60, seed=5)
truth = pd.read_csv(folder / "truth.csv")
inertial.convert(folder / "log.csv", folder / "drive.mcap", relative_time=True)
recording = inertial.read(folder / "drive.mcap")
recording

# %% [markdown]
# `convention="ros"` returns m/s² and rad/s, and attitudes from the body to east-north-up.

# %%
motion = inertial.fuse(folder / "drive.mcap", convention="ros", frame="xArbitraryZVertical")
figure, axis = plt.subplots(figsize=(8, 3), constrained_layout=True)
axis.plot(motion.time, motion.user_acceleration, linewidth=0.7, label=["x", "y", "z"])
axis.set_xlabel("s")
axis.set_ylabel("m/s²")
axis.legend(ncols=3)
plt.show()

# %% [markdown]
# `evaluate` compares filters with a reference; `tum` files are for evo.

# %%
found = inertial.evaluate(
    folder / "log.csv", reference=folder / "truth.csv", reference_frame="nwu", filters=["kalman", "vqf", "mekf"], skip=5)
table = found.to_pandas().set_index("filter")[["heading", "inclination"]]
table.round(2)

# %%
inertial.fuse_to(folder / "log.csv", folder / "fused.tum", frame="xArbitraryZVertical")
rows = np.loadtxt(folder / "fused.tum")
print(rows.shape, "time, position, quaternion x, y, z, w")

# %%
assert rows.shape == (len(motion), 8)
assert table.loc["kalman", "inclination"] < 3
