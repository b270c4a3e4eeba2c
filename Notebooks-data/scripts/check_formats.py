#!/usr/bin/env python3
"""Datasets of one walk, read by the tools of those who use them, and every number compared with the CSV's.

usage: check_formats.py INERTIAL      (by check-formats, which brings the tools)

The exit status is 1 where a tool finds anything wrong, or a number is another.
"""

import csv
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

GRAVITY = 9.80665
FAILURES = []


def check(what, holds):
    if not holds:
        FAILURES.append(what)
        print(f"  WRONG: {what}", flush=True)


def same(a, b):
    return np.array_equal(np.asarray(a, float), np.asarray(b, float), equal_nan=True)


def read_csv(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    numbers = np.array([[float(cell) if cell else math.nan for cell in row] for row in rows[1:]])
    return {name: numbers[:, index] for index, name in enumerate(rows[0])}


def vector(columns, name, axes="XYZ"):
    return np.stack([columns[name + axis] for axis in axes], axis=1)


def numpy_reads(work, columns):
    arrays = np.load(work / "walk.npz", allow_pickle=False)
    check("NPZ: time", same(arrays["time"], columns["time"]))
    check("NPZ: quaternion", same(arrays["quaternion"], vector(columns, "quaternion", "XYZW")))
    for name in ("gravity", "userAcceleration", "rotationRate", "magneticField"):
        check(f"NPZ: {name}", same(arrays[name], vector(columns, name)))
    json.loads(str(arrays["metadata"]))
    return f"{len(arrays.files)} arrays"


def parquet_reads(work, columns):
    import polars
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(work / "walk.parquet")
    frame = polars.read_parquet(work / "walk.parquet")
    for name, numbers in columns.items():
        check(f"Parquet, pyarrow: {name}", same(table[name].to_numpy(zero_copy_only=False), numbers))
        check(f"Parquet, polars: {name}", same(frame[name].to_numpy(), numbers))
    check("Parquet: as many columns as the CSV", set(table.column_names) == set(columns))
    group = pyarrow.parquet.ParquetFile(work / "walk.parquet").metadata.row_group(0)
    units = {group.column(i).path_in_schema: group.column(i).metadata[b"unit"] for i in range(group.num_columns)}
    check("Parquet: units", units["rotationRateX"] == b"rad/s" and units["heading"] == b"deg")
    lists = polars.read_parquet(work / "lists.parquet")
    check("Parquet: lists", same(lists["quaternion"].to_list(), vector(columns, "quaternion", "XYZW")))
    return f"{table.num_rows} rows, {table.num_columns} columns"


def croissant_reads(work, columns):
    import mlcroissant

    description = work / "cohort/_croissant.json"
    dataset = mlcroissant.Dataset(jsonld=str(description))
    issues = dataset.metadata.ctx.issues
    check(f"Croissant: {issues.report()}", not issues.errors and not issues.warnings)
    rows = sum(1 for _ in dataset.records("rows"))
    check(f"Croissant: {rows} records", rows == 2 * len(columns["time"]))
    return f"{rows} records, {len(issues.errors)} errors, {len(issues.warnings)} warnings"


# What only a dataset's owner knows, and validators ask for.
ABOUT = {
    "name": "walks", "authors": ["A. Walker", "B. Runner"], "license": "CC0-1.0", "citation": "Walker, Runner: Walks",
    "date": "2026-11-23", "version": "1.0.0", "url": "https://example.org/walks",
    "sources": ["https://example.org/raw-walks"], "bids": {"HEDVersion": "8.3.0"},
}


def bids_validates(work, _):
    found = []
    for folder in ("walk.bids", "raw.bids"):
        run = subprocess.run(
            ["bids-validator-deno", str(work / folder), "--format", "json"], capture_output=True, text=True)
        result = json.loads(run.stdout[run.stdout.index("{"):])
        said = [(issue["severity"], issue.get("code"), issue.get("subCode")) for issue in result["issues"]["issues"]]
        check(f"BIDS: {folder}: {said}", not said)
        errors = sum(issue[0] == "error" for issue in said)
        found.append(f"{folder} {errors} errors, {len(said) - errors} warnings")
    return "; ".join(found)


def evo_reads(work, columns):
    from evo.tools import file_interface

    trajectory = file_interface.read_tum_trajectory_file(str(work / "walk.tum"))
    valid, details = trajectory.check()
    check(f"TUM: {details}", valid)
    check("TUM: timestamps", same(trajectory.timestamps, columns["time"]))
    check("TUM: quaternions", same(trajectory.orientations_quat_wxyz, vector(columns, "quaternion", "WXYZ")))
    return f"{trajectory.num_poses} poses"


def turned_to_east(quaternions):
    """From north, west, up to ROS's east, north, up: x, y, z, w."""
    x, y, z, w = quaternions.T
    root = math.sqrt(0.5)
    return root * np.stack([x - y, x + y, z + w, w - z], axis=1)


def compare_messages(tool, columns, messages):
    """Messages by topic: times in nanoseconds and messages, held against the columns of the fused CSV."""
    times = np.round(columns["time"] * 1e9).astype(np.int64)
    imu = messages["/imu"]
    check(f"{tool}: times of /imu", [stamp for stamp, _ in imu] == times.tolist())

    def numbers(topic, *path, axes="xyz"):
        rows = []
        for _, message in messages[topic]:
            value = message
            for part in path:
                value = getattr(value, part)
            rows.append([getattr(value, axis) for axis in axes])
        return np.array(rows)

    check(f"{tool}: rates", same(numbers("/imu", "angular_velocity"), vector(columns, "rotationRate")))
    force = -GRAVITY * (vector(columns, "gravity") + vector(columns, "userAcceleration"))
    lacking = np.isnan(force).any(axis=1)
    marked = [message.linear_acceleration_covariance[0] == -1 for _, message in imu]
    check(f"{tool}: accelerations that are not there", lacking.tolist() == marked)
    force = np.where(lacking[:, None], 0, force)
    check(f"{tool}: forces", np.allclose(numbers("/imu", "linear_acceleration"), force, rtol=1e-14, atol=1e-14))
    attitudes = turned_to_east(vector(columns, "quaternion", "XYZW"))
    for topic, path in (("/imu", ["orientation"]), ("/imu/pose", ["pose", "orientation"])):
        check(f"{tool}: attitudes of {topic}", np.allclose(numbers(topic, *path, axes="xyzw"), attitudes, atol=1e-14))
    field = vector(columns, "magneticField")
    field = field[~np.isnan(field).any(axis=1)]
    check(f"{tool}: fields", np.allclose(numbers("/imu/mag", "magnetic_field"), 1e-6 * field, rtol=1e-14, atol=0))
    headers = {(message.header.stamp.sec * 10**9 + message.header.stamp.nanosec) == stamp for stamp, message in imu}
    check(f"{tool}: stamps of the headers", headers == {True})
    return ", ".join(f"{len(rows)} of {topic}" for topic, rows in sorted(messages.items()))


def mcap_reads(work, columns):
    from mcap.reader import make_reader
    from mcap.stream_reader import StreamReader
    from mcap_ros2.decoder import DecoderFactory

    messages = {}
    with open(work / "walk.mcap", "rb") as stream:
        reader = make_reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])
        check("MCAP: profile", reader.get_header().profile == "ros2")
        for _, channel, message, decoded in reader.iter_decoded_messages():
            messages.setdefault(channel.topic, []).append((message.log_time, decoded))
        summary = reader.get_summary()
        count = sum(map(len, messages.values()))
        check("MCAP: statistics", summary.statistics.message_count == count)
        check("MCAP: index of chunks", len(summary.chunk_indexes) == summary.statistics.chunk_count > 0)
        middle = 10**9 * int(columns["time"][len(columns["time"]) // 2])
        late = [m.log_time for _, _, m in reader.iter_messages(topics=["/imu"], starting_at=middle)]
        check("MCAP: from the middle on", late == [stamp for stamp, _ in messages["/imu"] if stamp >= middle])
        facts = {record.name: record.metadata for record in reader.iter_metadata()}
        json.loads(facts["inertial"]["inertial"])
    with open(work / "walk.mcap", "rb") as stream:
        # Every record as it stands, the checksums of chunks included.
        records = sum(1 for _ in StreamReader(stream, validate_crcs=True).records)
    return compare_messages("mcap", columns, messages) + f"; {records} records"


def rosbags_read(work, columns):
    from rosbags.highlevel import AnyReader
    from rosbags.typesys import Stores, get_typestore

    messages = {}
    with AnyReader([work / "walk.mcap"], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
        for connection, stamp, data in reader.messages():
            decoded = reader.deserialize(data, connection.msgtype)
            messages.setdefault(connection.topic, []).append((stamp, decoded))
    return compare_messages("rosbags", columns, messages)


def main():
    inertial = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="formats-") as folder:
        work = Path(folder)

        def run(*arguments):
            done = subprocess.run([inertial, *arguments], cwd=work, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")

        run("simulate", "walk", "-o", "sim", "--duration", "40")
        (work / "about.json").write_text(json.dumps(ABOUT))
        about = ["--about", "about.json"]
        fuse = ["fuse", "sim/log.csv", *about, "--frame", "xMagneticNorthZVertical", "--field", "calibrated"]
        run(*fuse, "-o", "walk.csv", "--format", "csv,npz,parquet,tum,bids,mcap")
        run(*fuse, "-o", "lists.parquet", "--lists")
        run("convert", "sim/log.csv", "-o", "raw.bids", *about)
        for person in ("ann", "bob"):
            (work / "logs" / person).mkdir(parents=True)
            shutil.copy(work / "sim/log.csv", work / "logs" / person / "walk.csv")
        run("fuse", "logs", *fuse[2:], "-o", "cohort", "--format", "parquet", "--partition", "person")
        columns = read_csv(work / "walk.csv")
        for tool in (numpy_reads, parquet_reads, croissant_reads, bids_validates, evo_reads, mcap_reads, rosbags_read):
            begin = time.monotonic()
            try:
                said = tool(work, columns)
            except Exception as error:  # A tool that breaks off has found something.
                said = ""
                check(f"{tool.__name__}: {type(error).__name__}: {error}", False)
            print(f"{tool.__name__}: {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
