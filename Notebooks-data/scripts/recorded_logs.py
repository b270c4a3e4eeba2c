"""The recordings of a folder of data sets that have an accelerometer and a gyroscope, and how each is read.

What is not there is left out. A recording whose sensors lie in two CSV files that no logger's folder explains is joined
into the canonical raw CSV first (`join`).
"""

import csv
from pathlib import Path

STANDARD_GRAVITY = 9.80665
SPECIFIC = ["--acceleration-sign", "specific-force"]
ANDROID = ["--acceleration-unit", "m/s2", *SPECIFIC, "--rotation-unit", "rad/s"]
SIX = "accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"
METRIC = ["--columns", "time," + SIX, *ANDROID]
# Set, patterns of its logs, and what these cannot say themselves.
SETS = [
    ("broad", ["broad/*.hdf5"], []),
    ("tyrex", ["tyrex/person*"], []),
    ("iphone-xs", ["iphone-xs/rec_2019-06-1*", "iphone-xs/rec_2019-06-21_arkit", "iphone-xs/rec_early*"], []),
    ("sensor-logger", ["sensor-logger/*-*"], []),
    ("phyphox", ["activity/phyphox/*round*"], []),
    ("spsw-har", ["activity/spsw-har/s*/*_sp.csv"], ["--time-unit", "ms", *ANDROID]),
    ("shake", ["shake/*-data.csv"], ["--sample-rate", "25"]),
    ("indoor-walks", ["indoor-walks/*.txt"], []),
    ("calibration", ["calibration/calib_*"], []),
    ("cycling, driving", ["evaluation-only/cycling/*", "evaluation-only/driving"], []),
    ("floors", ["evaluation-only/floors/*/*.json"], []),
    ("foot", ["position-foot/openshoe/[0-9]*.csv", "position-foot/corridor/[0-9][0-9].csv",
              "position-foot/xio/*_walk.csv"], METRIC),
    ("phone walks", ["position-phone/1_*"], ["join"]),
    ("car", ["position-vehicle/drive_imu.csv"],
     ["--columns", "time," + SIX, "--acceleration-unit", "g", *SPECIFIC, "--rotation-unit", "deg/s"]),
    ("car", ["position-vehicle/comma/imu.csv"], ["--columns", "time," + SIX + ",-,-,-", *ANDROID]),
    ("rides", ["rides/*_*_*"], ["join"]),
    ("joints", ["joints/*_[0-9][0-9].csv"], ["--columns", "time," + SIX + ",-" * 6, *ANDROID]),
    ("body sensor", ["clocks/jointly/physilog.csv"],
     ["--columns", "time," + ",".join(SIX.split(",")[3:] + SIX.split(",")[:3]), "--acceleration-unit", "g", *SPECIFIC,
      "--rotation-unit", "deg/s"]),
    ("calibration-imu", ["calibration-imu/mpu9150-*.csv"], METRIC),
    ("calibration-imu", ["calibration-imu/ferraris.csv"],
     ["--columns", "-," + SIX, "--sample-rate", "102.4", "--acceleration-unit", "m/s2", *SPECIFIC, "--rotation-unit",
      "deg/s"]),
]


def recordings(folder, scratch):
    """Name of the set, name, path and options of each recording under a folder; joined ones are made in `scratch`."""
    folder = Path(folder)
    for name, patterns, options in SETS:
        for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
            if path.name.startswith("SOURCE"):
                continue
            title = str(path.relative_to(folder))
            if options == ["join"]:
                joined = Path(scratch) / (title.replace("/", "_") + ".csv")
                join(path, joined)
                yield name, title, str(joined), []
            else:
                yield name, title, str(path), options


def rows(path):
    """Times and vectors of a CSV with a header, of columns time, x, y, z."""
    with open(path, newline="") as file:
        lines = csv.reader(file)
        next(lines)
        for line in lines:
            yield [float(word) for word in line[:4]]


def join(folder, output):
    """Accelerometer.csv (m/s², specific force) and Gyroscope.csv (rad/s) of a folder as one canonical raw CSV."""
    files = {path.name.lower(): path for path in folder.iterdir()}
    lines = [(t, 1, f"{t!r},{-x / STANDARD_GRAVITY:.9g},{-y / STANDARD_GRAVITY:.9g},{-z / STANDARD_GRAVITY:.9g},,,\n")
             for t, x, y, z in rows(files["accelerometer.csv"])]
    lines += [(t, 0, f"{t!r},,,,{x!r},{y!r},{z!r}\n") for t, x, y, z in rows(files["gyroscope.csv"])]
    with open(output, "w") as file:
        file.write("time," + SIX + "\n")
        file.writelines(line for _, _, line in sorted(lines, key=lambda line: line[:2]))
