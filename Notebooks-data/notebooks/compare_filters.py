# %% [markdown]
# # Comparison of filters with a reference
#
# All filters on three simulated logs with ground truth, evaluated by `inertial evaluate`.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import pandas as pd

folder = Path(tempfile.mkdtemp())
results = []
for seed in (1, 2, 3):
    trial = folder / f"trial{seed}"
    inertial.simulate("random-spline", trial, duration=60, seed=seed)
    found = inertial.evaluate(trial / "log.csv", reference=trial / "truth.csv", reference_frame="nwu", skip=5)
    results.append(found.to_pandas().assign(seed=seed))
table = pd.concat(results)

# %%
ranking = table.groupby("filter")["total"].mean().sort_values()
ranking.round(2)

# %%
figure, axis = plt.subplots(figsize=(8, 5), constrained_layout=True)
axis.barh(ranking.index[::-1], ranking.values[::-1])
axis.set_xlabel("error of the attitude, degrees, mean of three trials")
plt.show()

# %% [markdown]
# Pure integration of the gyroscope drifts; the default filter must not.

# %%
assert ranking["kalman"] < min(5, ranking.max())
