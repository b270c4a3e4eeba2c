"""Fusion on Spark of 200 simulated recordings, 3 of them damaged, while an executor is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import pyspark
from pyspark.sql import SparkSession

import inertial.spark

COUNT = int(os.environ.get("INERTIAL_SPARK_RECORDINGS", "200"))
DAMAGED = {17, 101, 150} if COUNT > 150 else {1, 3, 5}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    subprocess.run(
        [sys.executable, "-m", "inertial", "simulate", "random-spline", "-o", folder / "one", "--duration", "20"], check=True)
    lines = (folder / "one" / "log.csv").read_text().splitlines()
    paths = []
    for index in range(COUNT):
        path = folder / f"r{index:03}.csv"
        # Each segment has its own length.
        rows = lines[1 : 1 + 700 + 5 * index]
        if index in DAMAGED:
            # A few such rows would be skipped.
            rows[300:] = [row.replace(",", ",broken", 1) for row in rows[300:]]
        path.write_text("\n".join([lines[0], *rows]) + "\n")
        paths.append(path)
    return paths


@pytest.fixture(scope="module")
def spark():
    # Executors in separate processes, so that one can be killed.
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]").appName("inertial-tests")
        .config("spark.ui.enabled", "false").config("spark.executor.memory", "1g")
        .config("spark.task.maxFailures", "8").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def children(pid):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(path.parent.name)
            found += [child, *children(child)]
    return found


def executors():
    """Returns the executors that Spark has started from this process."""
    result = []
    for pid in children(os.getpid()):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words:
            result.append(pid)
    return result


def test_a_killed_executor_and_damaged_recordings_lose_and_double_nothing(spark, recordings, tmp_path):
    killed = []

    def kill_one_when_some_are_done():
        end = time.monotonic() + 300
        while not killed and time.monotonic() < end:
            if len(list((tmp_path / "spark").glob("*/data.parquet"))) >= min(20, COUNT // 4):
                running = executors()
                if running:
                    os.kill(running[0], signal.SIGKILL)
                    killed.append(running[0])
            time.sleep(0.05)

    watcher = threading.Thread(target=kill_one_when_some_are_done)
    watcher.start()
    report = inertial.spark.fuse(spark, recordings, tmp_path / "spark", filter="vqf")
    watcher.join()
    assert killed, "no executor was found to be killed"

    local = inertial.spark.fuse_locally(recordings, tmp_path / "local", filter="vqf")
    done, errors = report.done.collect(), report.errors.collect()
    assert len(done) == COUNT - len(DAMAGED)
    assert {row["recording"] for row in errors} == {f"r{index:03}" for index in DAMAGED}
    assert all("broken" in row["error"] for row in errors)
    # Each file exists once and is byte-identical to the file of the local run.
    assert {row["recording"]: row["sha256"] for row in done} == {
        row["recording"]: row["sha256"] for row in local if row["error"] is None}
    assert len(list((tmp_path / "spark").rglob("*"))) == 2 * len(done) + len(
        [row for row in errors if (tmp_path / "spark" / f"recording={row['recording']}").exists()])
    table = spark.read.parquet(str(tmp_path / "spark"))
    assert table.count() == sum(row["rows"] for row in local if row["rows"])
    assert table.select("recording").distinct().count() == len(done)


def test_two_recordings_of_one_name_are_refused(spark, tmp_path):
    with pytest.raises(inertial.UsageError, match="both"):
        inertial.spark.fuse(spark, [tmp_path / "a/x.csv", tmp_path / "b/x.csv"], tmp_path / "out")
