"""The recordings of a folder of data sets with an accelerometer and a gyroscope, and the options to read each.

Missing sets are skipped. If a recording has its sensors in two CSV files of an unknown logger, they are joined into the
canonical raw CSV first (`join`).
"""

import csv
from pathlib import Path

STANDARD_GRAVITY = 9.80665
SPECIFIC = ["--acceleration-sign", "specific-force"]
ANDROID = ["--acceleration-unit", "m/s2", *SPECIFIC, "--rotation-unit", "rad/s"]
SIX = "accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"
METRIC = ["--columns", "time," + SIX, *ANDROID]
# Set, patterns of its logs, and options for properties that the logs do not specify.
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
    """Returns the set, name, path and options of each recording in a folder; joined logs are made in `scratch`."""
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
    """Returns times and vectors of a CSV with a header and the columns time, x, y, z."""
    with open(path, newline="") as file:
        lines = csv.reader(file)
        next(lines)
        for line in lines:
            yield [float(word) for word in line[:4]]


def join(folder, output):
    """Joins Accelerometer.csv (m/s², specific force) and Gyroscope.csv (rad/s) of a folder into a canonical raw CSV."""
    files = {path.name.lower(): path for path in folder.iterdir()}
    lines = [(t, 1, f"{t!r},{-x / STANDARD_GRAVITY:.9g},{-y / STANDARD_GRAVITY:.9g},{-z / STANDARD_GRAVITY:.9g},,,\n")
             for t, x, y, z in rows(files["accelerometer.csv"])]
    lines += [(t, 0, f"{t!r},,,,{x!r},{y!r},{z!r}\n") for t, x, y, z in rows(files["gyroscope.csv"])]
    with open(output, "w") as file:
        file.write("time," + SIX + "\n")
        file.writelines(line for _, _, line in sorted(lines, key=lambda line: line[:2]))
