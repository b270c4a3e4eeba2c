"""Fusion on Spark of 200 simulated recordings, 3 of them damaged, while an executor is killed.

`INERTIAL_SPARK_RECORDINGS` sets another count; one in a hundred is damaged, and at least 3.
"""

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
DAMAGED = {(2 * number + 1) * COUNT // (2 * max(3, COUNT // 100)) for number in range(max(3, COUNT // 100))}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    subprocess.run(
        [sys.executable, "-m", "inertial", "simulate", "random-spline", "-o", folder / "one", "--duration", "30"], check=True)
    lines = (folder / "one" / "log.csv").read_text().splitlines()
    paths = []
    for index in range(COUNT):
        path = folder / f"r{index:03}.csv"
        # Each segment has its own length.
        rows = lines[1 : 1 + 700 + index]
        if index in DAMAGED:
            # A few such rows would be skipped.
            rows[300:] = [row.replace(",", ",broken", 1) for row in rows[300:]]
        path.write_text("\n".join([lines[0], *rows]) + "\n")
        paths.append(path)
    return paths


def session():
    # Executors in separate processes, so that one can be killed.
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["INERTIAL_TEST_CRASH"] = "1"
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    started = (
        SparkSession.builder.master("local-cluster[2,1,1024]").appName("inertial-tests")
        .config("spark.ui.enabled", "false").config("spark.executor.memory", "1g")
        .config("spark.task.maxFailures", "8").getOrCreate())
    started.sparkContext.setLogLevel("ERROR")
    return started


@pytest.fixture(scope="module")
def spark():
    started = session()
    yield started
    started.stop()


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
    files = [path for path in (tmp_path / "spark").rglob("*") if path.is_file() and path.parent.name != "_fused"]
    assert len(files) == len(done) and len(list((tmp_path / "spark" / "_fused").iterdir())) == len(done)
    table = inertial.spark.read(spark, tmp_path / "spark")
    assert table.count() == sum(row["rows"] for row in local if row["rows"])
    assert table.select("recording").distinct().count() == len(done)


def test_two_recordings_of_one_name_are_refused(spark, tmp_path):
    with pytest.raises(inertial.UsageError, match="both"):
        inertial.spark.fuse(spark, [tmp_path / "a/x.csv", tmp_path / "b/x.csv"], tmp_path / "out")


DRIVER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_spark import cohort, session
import inertial.spark
spark = session()
inertial.spark.fuse(spark, cohort(Path(sys.argv[2])), sys.argv[3], filter="vqf", limit=60)
"""


def cohort(folder):
    """Returns the recordings of participants whose names are digits: two differ in zeros only, and one recording ends its process."""
    names = [f"{number:03}" for number in range(1, COUNT // 10)] + ["1"]
    rows = []
    for path in sorted(folder.glob("r*.csv")):
        number = int(path.stem[1:])
        rows.append({"path": str(path), "person": names[number % len(names)], "day": f"{number // len(names):02}"})
    rows.append({"path": str(folder / "crash.csv"), "person": "1", "day": "99"})
    return rows


def test_a_second_run_does_what_a_killed_driver_left(spark, recordings, tmp_path):
    folder = recordings[0].parent
    (folder / "crash.csv").write_bytes(recordings[0].read_bytes())
    output = tmp_path / "fused"
    words = [sys.executable, "-c", DRIVER, str(Path(__file__).parent), str(folder), str(output)]
    driver = subprocess.Popen(words, start_new_session=True)
    end = time.monotonic() + 300
    while len(list(output.rglob("data.parquet"))) < min(20, COUNT // 4) and driver.poll() is None:
        assert time.monotonic() < end, "the driver fuses nothing"
        time.sleep(0.05)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    report = inertial.spark.fuse(spark, cohort(folder), output, filter="vqf", limit=60)
    done, errors = report.done.collect(), report.errors.collect()
    finished = [row for row in done if row["skipped"]]
    assert len(done) == COUNT - len(DAMAGED) and len(errors) == len(DAMAGED) + 1
    assert min(20, COUNT // 4) - 2 <= len(finished) < len(done)
    crashed = [row for row in errors if "crash" in row["input"]]
    assert len(crashed) == 1 and "signal 6" in crashed[0]["error"]
    # Each recording is there once, under its own name.
    keys = {(row["person"], row["day"], row["recording"]) for row in done}
    assert len(keys) == len(done) and {"001", "1"} <= {row["person"] for row in done}
    table = inertial.spark.read(spark, output)
    counts = {
        (row["person"], row["day"], row["recording"]): row["count"]
        for row in table.groupBy("person", "day", "recording").count().collect()}
    assert counts == {(row["person"], row["day"], row["recording"]): row["rows"] for row in done}
    again = inertial.spark.fuse(spark, cohort(folder), output, filter="vqf", limit=60)
    assert all(row["skipped"] for row in again.done.collect())
    # Other options need other rows.
    other = inertial.spark.fuse_locally(cohort(folder)[:3], output, filter="mahony")
    assert not any(row["skipped"] for row in other)


def test_wrong_options_and_times_are_refused_before_the_first_task(spark, recordings, tmp_path):
    with pytest.raises(inertial.UsageError, match="there is no filter 'none'"):
        inertial.spark.fuse(spark, recordings, tmp_path / "out", filter="none")
    with pytest.raises(inertial.UsageError, match="takes no nothing"):
        inertial.spark.fuse(spark, recordings, tmp_path / "out", nothing=1)
    with pytest.raises(inertial.UsageError, match="limit is a number of seconds"):
        inertial.spark.fuse(spark, recordings, tmp_path / "out", limit=0)
    assert not (tmp_path / "out").exists()


def test_a_recording_that_takes_too_long_is_an_error(recordings, tmp_path):
    rows = inertial.spark.fuse_locally(recordings[:1], tmp_path / "out", limit=1e-6)
    assert "took more than" in rows[0]["error"] and not list((tmp_path / "out").rglob("data.parquet"))


def test_addresses_are_read_and_written_by_their_file_system(recordings, tmp_path):
    address = f"file://{tmp_path}/fused"
    rows = inertial.spark.fuse_locally([f"file://{recordings[0]}"], address, filter="vqf")
    assert rows[0]["error"] is None and (tmp_path / "fused" / f"recording={recordings[0].stem}" / "data.parquet").exists()
    assert inertial.spark.fuse_locally([f"file://{recordings[0]}"], address, filter="vqf")[0]["skipped"]


def test_a_recording_without_a_key_is_refused(recordings, tmp_path):
    with pytest.raises(inertial.UsageError, match="has no person"):
        inertial.spark.fuse_locally([{"path": recordings[0], "person": None}], tmp_path)
    with pytest.raises(inertial.UsageError, match="different keys"):
        inertial.spark.fuse_locally(
            [{"path": recordings[0], "person": "1"}, {"path": recordings[1], "day": "1"}], tmp_path)
