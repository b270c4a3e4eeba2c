# %% [markdown]
# # A cohort, fused and summarised
#
# Nine simulated recordings of three participants are fused into one table, partitioned by person, and read with polars.

# %%
import tempfile
from pathlib import Path

import inertial
import matplotlib.pyplot as plt
import polars as pl

folder = Path(tempfile.mkdtemp())
for number, person in enumerate(["ann", "bea", "cai"]):
    for day in range(3):
        made = folder / "made" / f"{person}{day}"
        made.parent.mkdir(exist_ok=True)
        inertial.simulate("walk", made, duration=20 + 5 * day, seed=10 * number + day)
        (folder / "recordings" / person).mkdir(parents=True, exist_ok=True)
        (made / "log.csv").rename(folder / "recordings" / person / f"day{day}.csv")

# %% [markdown]
# Each log becomes a file of its person's partition. For many recordings, `inertial fuse RECORDINGS -o FUSED --format parquet
# --partition person --resume` does the same on all cores and continues an interrupted run; `inertial.spark` uses a cluster.

# %%
for log in sorted((folder / "recordings").glob("*/*.csv")):
    part = folder / "fused" / f"person={log.parent.name}"
    part.mkdir(parents=True, exist_ok=True)
    inertial.fuse_to(log, part / f"{log.stem}.parquet")
table = pl.scan_parquet(folder / "fused" / "**" / "*.parquet", hive_partitioning=True)

# %%
summary = (
    table.with_columns(
        strength=(pl.col("userAccelerationX") ** 2 + pl.col("userAccelerationY") ** 2 + pl.col("userAccelerationZ") ** 2).sqrt())
    .group_by("person")
    .agg(rows=pl.len(), mean_g=pl.col("strength").mean(), p95_g=pl.col("strength").quantile(0.95))
    .sort("person")
    .collect())
summary

# %%
figure, axis = plt.subplots(figsize=(6, 3.5), constrained_layout=True)
axis.bar(summary["person"], summary["p95_g"], label="95th percentile")
axis.bar(summary["person"], summary["mean_g"], label="mean")
axis.set_ylabel("user acceleration, g")
axis.legend()
plt.show()

# %%
assert summary["person"].to_list() == ["ann", "bea", "cai"]
