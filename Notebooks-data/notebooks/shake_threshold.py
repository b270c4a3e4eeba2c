# %% [markdown]
# # Study of a shake threshold
#
# The number of shakes that a simple rule detects in a shaken phone and in a walk, as a function of its threshold.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import numpy as np

folder = Path(tempfile.mkdtemp())
for scenario in ("shake", "walk"):
    inertial.simulate(scenario, folder / scenario, duration=60)

# %%
thresholds = np.round(np.arange(0.4, 3.3, 0.2), 2)


def count(scenario, threshold):
    log = folder / scenario / "log.csv"
    return len(inertial.shakes(log, detector="axis", parameters={"threshold": threshold}, continuous=True))


counts = {name: [count(name, float(threshold)) for threshold in thresholds] for name in ("shake", "walk")}

# %%
figure, axis = plt.subplots(figsize=(7, 4), constrained_layout=True)
for name, values in counts.items():
    axis.plot(thresholds, values, marker="o", label=f"{name}n" if name == "shake" else "walked with")
axis.set_xlabel("threshold, g")
axis.set_ylabel("shakes found in a minute")
axis.legend()
plt.show()

# %% [markdown]
# A good threshold detects the shakes and nothing in the walk; the reference detector requires no threshold.

# %%
reference = {name: len(inertial.shakes(folder / name / "log.csv")) for name in counts}
print(reference)
assert counts["walk"][0] >= counts["walk"][-1]
assert reference["shake"] >= 1 and reference["walk"] == 0
