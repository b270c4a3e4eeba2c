"""Digests of a log's fused numbers for every filter, by the package and by its command: equal on every system.

usage: digests.py LOG      (by .ci/packaging/test-dist-in-root)
"""

import hashlib
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np

import inertial


def digest(data):
    return hashlib.sha256(data).hexdigest()[:24]


def main(log):
    warnings.simplefilter("ignore")
    for facts in inertial.filters():
        smooths = any("smooth" in trait or "offline" in trait for trait in facts["traits"])
        for smooth in (False, True) if smooths else (False,):
            motion = inertial.fuse(log, filter=facts["name"], smooth=smooth)
            rows = np.stack([motion[name] for name in motion.columns])
            print(facts["name"], "smoothed" if smooth else "online", rows.shape, digest(np.ascontiguousarray(rows).data))
            words = ["--smooth"] if smooth else []
            output = Path("fused.csv")
            subprocess.run(
                ["inertial", "fuse", log, "--filter", facts["name"], *words, "-o", str(output), "--force"],
                check=True, capture_output=True)  # fmt: skip
            print(facts["name"], "command", digest(output.read_bytes()))
            output.unlink()


if __name__ == "__main__":
    main(sys.argv[1])
