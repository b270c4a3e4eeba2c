# %% [markdown]
# # Parameter tuning with validation
#
# The accelerometer time constant of vqf is tuned on three logs and evaluated on three held-out logs. The error on the
# held-out logs is the relevant estimate, not the error on the training logs.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import numpy as np

folder = Path(tempfile.mkdtemp())
for seed in range(1, 7):
    inertial.simulate("random-spline", folder / f"trial{seed}", duration=30, seed=seed)
fitted, held_out = (1, 2, 3), (4, 5, 6)
values = np.geomspace(0.3, 30, 9)


def error(seed, value):
    trial = folder / f"trial{seed}"
    found = inertial.evaluate(
        trial / "log.csv", filters="vqf", parameters={"tauAcc": value}, reference=trial / "truth.csv",
        reference_frame="nwu", skip=5)
    return found.rows[0]["inclination"]


# %%
errors = {group: np.array([[error(seed, float(value)) for value in values] for seed in group]) for group in (fitted, held_out)}
means = {group: table.mean(axis=0) for group, table in errors.items()}
best = int(np.argmin(means[fitted]))
print(f"tauAcc = {values[best]:.2f} s: {means[fitted][best]:.3f} degrees on the recordings it was chosen on, "
      f"{means[held_out][best]:.3f} on the others")

# %%
figure, axis = plt.subplots(figsize=(7, 4), constrained_layout=True)
for (group, mean), name in zip(means.items(), ("chosen on", "held out")):
    axis.semilogx(values, mean, marker="o", label=name)
axis.axvline(values[best], color="grey", linestyle=":")
axis.set_xlabel("tauAcc, s")
axis.set_ylabel("inclination error, degrees")
axis.legend()
plt.show()

# %%
assert means[held_out][best] < 2 * means[held_out].min() + 0.5
