"""Prints the output of the published VQF for a synthetic motion, as Swift, for VQFPublishedTests.swift.

usage: vqf_fixture.py     (make study NAME=vqf-fixture)
Rest for 4 s, then a rotating and rocking motion; a disturbing field from 14 to 18 s; 30 s at 50 Hz. The test has the same
formulas. Quaternions are x, y, z, w, device to north-west-up.
"""

import numpy as np
from vqf import VQF, BasicVQF, offlineVQF

RATE = 50.0
time = np.arange(1500) / RATE
s = np.maximum(0, time - 4)
moving = time >= 4
yaw, rock = 1.5 * np.sin(0.6 * s) + 0.8 * s, 0.7 * np.sin(0.9 * s)
yaw_rate, rock_rate = moving * (0.9 * np.cos(0.6 * s) + 0.8), moving * 0.63 * np.cos(0.9 * s)
# Device to north-west-up is a rotation by `yaw` about Z after a rotation by `rock` about X.
gyr = np.column_stack([rock_rate, yaw_rate * np.sin(rock), yaw_rate * np.cos(rock)]) + [0.01, -0.02, 0.015]
acc = 9.80665 * np.column_stack([0 * time, np.sin(rock), np.cos(rock)])
north, down = 20.0, 44.0
flat = north * np.column_stack([np.cos(yaw), -np.sin(yaw), 0 * time]) - [0, 0, down]
mag = np.column_stack([
    flat[:, 0], np.cos(rock) * flat[:, 1] + np.sin(rock) * flat[:, 2],
    -np.sin(rock) * flat[:, 1] + np.cos(rock) * flat[:, 2]])
mag += np.where(((time >= 14) & (time < 18))[:, None], [0, 30.0, 10.0], 0)


def north_west_up(q):
    """Converts from east-north-up: rotates by −90° about Z."""
    w, x, y, z = q
    h = np.sqrt(0.5)
    return h * np.array([x + y, y - x, z - w, w + z])


rows = np.arange(99, 1500, 200)
results = {
    "full": VQF(1 / RATE).updateBatch(gyr, acc, mag),
    "basic": BasicVQF(1 / RATE).updateBatch(gyr, acc, mag),
    "offline": offlineVQF(gyr, acc, mag, 1 / RATE),
}
for name, result in results.items():
    print(f"  static let {name}: [Row] = [")
    for row in rows:
        q = ", ".join(f"{k}: {v:.12f}" for k, v in zip("xyzw", north_west_up(result["quat9D"][row])))
        bias = ", ".join(f"{v:.12f}" for v in (result["bias"][row] if "bias" in result else [0, 0, 0]))
        print(f"    Row({row}, Quaternion({q}), Vector3({bias})),")
    print("  ]")
    if "restDetected" in result:
        for key, title in (("restDetected", "Rest"), ("magDistDetected", "Disturbance")):
            edges = (np.flatnonzero(np.diff(result[key].astype(int))) + 1).tolist()
            print(f"  /// Rows where the flag changes; it begins as {str(bool(result[key][0])).lower()}.")
            print(f"  static let {name}{title}Changes = {edges}")
