"""The public behaviour of the package."""

import gc
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import HOME, command

import inertial


def test_the_examples_of_the_documents_run():
    import doctest

    from inertial import _api, _stream

    for module in (inertial, _api, _stream):
        failed, attempted = doctest.testmod(module)
        assert attempted > 0 and failed == 0


def test_the_command_comes_with_the_package():
    done = subprocess.run(["inertial", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == inertial.__version__
    refused = command("fuse", "nothing.csv", check=False)
    assert refused.returncode == 1 and refused.stderr.startswith("error: nothing.csv")


def test_errors_are_the_lines_of_the_command(tmp_path, log):
    for words, call in [
        (["fuse", "none.csv"], lambda: inertial.fuse("none.csv")),
        (["fuse", log, "--filter", "best"], lambda: inertial.fuse(log, filter="best")),
    ]:
        with pytest.raises(inertial.InertialError) as error:
            call()
        assert command(*words, check=False).stderr.strip().splitlines()[0] == f"error: {error.value}"
    with pytest.raises(inertial.UsageError, match="rate"):
        inertial.fuse(log, rate=-1)
    broken = tmp_path / "broken.csv"
    broken.write_text("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.01,0,zero,-1\n")
    with pytest.raises(inertial.DataError, match="broken.csv:3:3"):
        inertial.read(broken)


def test_arrays_of_any_numbers_and_strides_are_taken(arrays):
    whole = inertial.fuse(**arrays)
    doubled = {name: np.repeat(values, 2, axis=0)[::2] for name, values in arrays.items()}
    assert np.array_equal(inertial.fuse(**doubled).quaternion, whole.quaternion, equal_nan=True)
    fortran = {name: np.asfortranarray(values) for name, values in arrays.items()}
    assert np.array_equal(inertial.fuse(**fortran).quaternion, whole.quaternion, equal_nan=True)
    backwards = {name: values[::-1].copy()[::-1] for name, values in arrays.items()}
    assert np.array_equal(inertial.fuse(**backwards).quaternion, whole.quaternion, equal_nan=True)
    swapped = {name: values.astype(">f8") for name, values in arrays.items()}
    assert np.array_equal(inertial.fuse(**swapped).quaternion, whole.quaternion, equal_nan=True)
    single = {name: values if name == "time" else values.astype("f4") for name, values in arrays.items()}
    wide = {name: values if name == "time" else values.astype("f4").astype("f8") for name, values in arrays.items()}
    assert np.array_equal(inertial.fuse(**single).quaternion, inertial.fuse(**wide).quaternion, equal_nan=True)


def test_nothing_of_the_caller_is_changed(arrays):
    before = {name: values.copy() for name, values in arrays.items()}
    for values in arrays.values():
        values.flags.writeable = False
    inertial.fuse(**arrays)
    for name, values in arrays.items():
        values.flags.writeable = True
        assert np.array_equal(values, before[name], equal_nan=True)


def test_nanoseconds_and_points_in_time_are_exact(arrays):
    stamps = 1_700_000_000_123_456_789 + np.round(arrays["time"] * 1e9).astype("i8")
    rest = {name: values for name, values in arrays.items() if name != "time"}
    by_number = inertial.fuse(time=stamps, **rest, rows="fused")
    by_date = inertial.fuse(time=stamps.view("M8[ns]"), **rest, rows="fused")
    assert by_number.facts["epoch"] == pytest.approx(1_700_000_000.123456789)
    turned = np.isfinite(arrays["rotation_rate"][:, 0])
    assert np.array_equal(by_number.time, (stamps - stamps[0])[turned] / 1e9)
    assert np.array_equal(by_number.quaternion, by_date.quaternion)


def test_tables_of_all_kinds_are_logs(table, log):
    import pandas
    import polars
    import pyarrow

    expected = inertial.fuse(log).quaternion
    for source in (table, pandas.DataFrame(table), polars.DataFrame(table), pyarrow.table(table)):
        assert np.array_equal(inertial.fuse(source).quaternion, expected)


def test_units_are_said_or_refused(arrays):
    specific = {**arrays, "acceleration": arrays["acceleration"] * -9.80665}
    motion = inertial.fuse(**specific, acceleration_unit="m/s2", acceleration_sign="specific-force")
    assert np.allclose(motion.gravity, inertial.fuse(**arrays).gravity, atol=1e-9, equal_nan=True)
    with pytest.raises(inertial.DataError, match="m/s"):
        inertial.fuse(**specific)


def test_the_order_of_quaternions_is_explicit(log):
    xyzw = inertial.fuse(log)
    wxyz = inertial.fuse(log, order="wxyz")
    assert np.array_equal(xyzw.quaternion[:, 3], wxyz.quaternion[:, 0])
    assert np.array_equal(xyzw.with_order("wxyz").quaternion, wxyz.quaternion)
    assert np.allclose(xyzw.rotation.as_quat(), xyzw.quaternion) or np.allclose(-xyzw.rotation.as_quat(), xyzw.quaternion)
    with pytest.raises(inertial.UsageError, match="order"):
        inertial.fuse(log, order="xwyz")


def test_gravity_is_the_attitude_s(log):
    motion = inertial.fuse(log)
    down = motion.rotation.inv().apply([0, 0, -1])
    assert np.allclose(down, motion.gravity, atol=1e-12)


def test_tables_share_the_memory_of_the_rows(log):
    motion = inertial.fuse(log)
    arrow = motion.to_arrow()
    assert arrow.column("quaternionX").chunk(0).buffers()[1].address == motion["quaternionX"].ctypes.data
    assert arrow.schema.field("rotationRateX").metadata == {b"unit": b"rad/s"}
    assert not motion.quaternion.flags.owndata and not motion.quaternion.flags.writeable
    pandas, polars = motion.to_pandas(), motion.to_polars()
    assert list(pandas.columns) == polars.columns == motion.columns
    for name in motion.columns:
        assert np.array_equal(pandas[name], motion[name], equal_nan=True)
        assert np.array_equal(polars[name].to_numpy(), motion[name], equal_nan=True)


def test_rows_live_as_long_as_an_array_looks_at_them(log):
    gravity, copy = None, None
    for _ in range(20):
        motion = inertial.fuse(log)
        gravity, copy = motion.gravity, motion.gravity.copy()
        arrow = motion.to_arrow()
        del motion
        gc.collect()
        inertial.fuse(log, filter="mahony")
        assert np.array_equal(gravity, copy)
        assert np.array_equal(arrow.column("gravityZ").to_numpy(), copy[:, 2])


def test_rows_are_written_as_the_command_writes_them(log, tmp_path):
    import pyarrow.parquet

    motion = inertial.fuse(log)
    for ending in ("csv", "npz", "parquet", "tum"):
        ours, theirs = tmp_path / f"ours.{ending}", tmp_path / f"theirs.{ending}"
        motion.write(ours)
        command("fuse", log, "-o", theirs)
        assert ours.read_bytes() == theirs.read_bytes(), ending
    with pytest.raises(inertial.UsageError, match="exists"):
        motion.write(tmp_path / "ours.csv")
    motion.to_csv(tmp_path / "ours.csv", digits=17, force=True)
    command("fuse", log, "-o", tmp_path / "theirs.csv", "--digits", "17", "--force")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    motion.to_csv(tmp_path / "ours.csv", digits=6, force=True)
    motion.to_parquet(tmp_path / "lists.parquet", lists=True)
    assert "quaternion" in pyarrow.parquet.read_table(tmp_path / "lists.parquet").column_names
    facts = inertial.fuse_to(log, tmp_path / "direct.parquet")
    assert facts["rows"] == len(motion)
    assert (tmp_path / "direct.parquet").read_bytes() == (tmp_path / "ours.parquet").read_bytes()


def test_logs_of_every_format_of_ours_are_read(log, tmp_path):
    command("convert", log, "-o", tmp_path / "log.npz")
    recording, again = inertial.read(log), inertial.read(tmp_path / "log.npz")
    assert list(recording.streams) == ["gyroscope", "accelerometer", "magnetometer"]
    for name, stream in recording.streams.items():
        assert np.array_equal(stream.values, again[name].values)
    assert recording.rotation_rate.units["rotationRateX"] == "rad/s"
    assert np.array_equal(inertial.fuse(recording).quaternion, inertial.fuse(log).quaternion)
    outing = inertial.read(HOME / "Notebooks-data" / "logs" / "outing.csv", channels="all")
    assert len(outing["barometer"]["pressure"]) > 0


def test_altitude_is_told_of_arrays_with_a_pressure(arrays):
    rows = len(arrays["time"])
    pressure = 101.325 - 0.012 * np.linspace(0, 5, rows)
    found = inertial.altitude(**arrays, pressure=pressure)
    assert found.rows[-1]["relativeAltitude"] == pytest.approx(5, abs=0.1)


def test_a_reference_may_be_arrays_or_a_rotation(folder):
    from scipy.spatial.transform import Rotation

    names = (folder / "truth.csv").open().readline().strip().split(",")
    truth = np.genfromtxt(folder / "truth.csv", delimiter=",", skip_header=1)
    times, xyzw = truth[:, 0], truth[:, 1:5]
    assert names[:5] == ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
    options = {"filters": "vqf", "reference_frame": "nwu", "align": "yaw"}
    by_array = inertial.evaluate(folder / "log.csv", reference=(times, xyzw), **options)
    by_order = inertial.evaluate(
        folder / "log.csv", reference=(times, xyzw[:, [3, 0, 1, 2]]), order="wxyz", **options)
    by_rotation = inertial.evaluate(folder / "log.csv", reference=(times, Rotation.from_quat(xyzw)), **options)
    assert by_array.rows[0]["total"] == by_order.rows[0]["total"] > 0
    # A Rotation normalises its quaternions again.
    assert by_rotation.rows[0]["total"] == pytest.approx(by_array.rows[0]["total"], rel=1e-9)
    assert by_array.summaries[0]["filter"] == "vqf"
    motion = inertial.fuse(folder / "log.csv", filter="vqf", frame="xMagneticNorthZVertical")
    judged = inertial.evaluate(
        folder / "log.csv", reference=(times, xyzw), estimate=(motion.time, motion.rotation), estimate_frame="nwu",
        reference_frame="nwu", align="yaw")
    assert len(judged) == 1
    assert judged.rows[0]["total"] == pytest.approx(by_array.rows[0]["total"], rel=1e-6)
    assert len(by_array.to_pandas()) == 1


def test_progress_is_told_and_may_end_the_work(log):
    shares = []
    inertial.fuse(log, progress=shares.append)
    assert shares and shares == sorted(shares) and 0 <= shares[0] <= shares[-1] <= 1

    class Enough(Exception):
        pass

    def stop(share):
        raise Enough

    with pytest.raises(Enough):
        inertial.fuse(log, progress=stop)
    with pytest.raises(Enough):
        inertial.steps(log, progress=stop)


def test_warnings_are_python_s(tmp_path, log):
    lines = log.read_text().splitlines()
    lines[500] = ",".join([lines[500].split(",")[0], "999", *lines[500].split(",")[2:]])
    damaged = tmp_path / "damaged.csv"
    damaged.write_text("\n".join(lines) + "\n")
    with pytest.warns(inertial.InertialWarning):
        motion = inertial.fuse(damaged)
    assert motion.warnings


def test_threads_do_not_disturb_one_another(arrays):
    names = ["vqf", "mahony", "kalman", "madgwick"]
    expected = {name: inertial.fuse(**arrays, filter=name, rows="fused").quaternion.copy() for name in names}
    wrong = []

    def work(name):
        for _ in range(5):
            if not np.array_equal(inertial.fuse(**arrays, filter=name, rows="fused").quaternion, expected[name]):
                wrong.append(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_finished_stream_says_so():
    estimator = inertial.Estimator(filter="vqf")
    estimator.update(0.0, [0, 0, 0], [0, 0, -1])
    estimator.finish()
    with pytest.raises(inertial.UsageError, match="finished"):
        estimator.update(0.01, [0, 0, 0], [0, 0, -1])
    with pytest.raises(inertial.UsageError, match="smooth"):
        inertial.Estimator(smooth=True)


def test_types_are_checked_by_mypy():
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "-p", "inertial"],
        capture_output=True, text=True, cwd=HOME / "Python" / "tests")
    assert done.returncode == 0, done.stdout


def test_the_import_is_quick():
    code = "import numpy, time; start = time.perf_counter(); import inertial; print(time.perf_counter() - start)"
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    # 30 ms on an idle machine; the rest is for a busy one.
    assert min(runs) < 0.5
    assert time.perf_counter() > 0


def test_messages_about_arrays_name_their_rows_from_0(arrays):
    rate, time = arrays["rotation_rate"].copy(), arrays["time"].copy()
    rate[5:8] = np.inf
    with pytest.warns(inertial.InertialWarning):
        motion = inertial.fuse(**{**arrays, "rotation_rate": rate})
    assert any("3 samples infinite or impossible, skipped (first in row 5)" in line for line in motion.warnings)
    rate[5:] = np.inf
    with pytest.raises(inertial.DataError, match=r"^<arrays>: row 5: .* % of the gyroscope samples are infinite"):
        inertial.fuse(**{**arrays, "rotation_rate": rate})
    time[201:] -= 1.5
    with pytest.warns(inertial.InertialWarning, match="clock is set back by 1.5 s in row 201:"):
        assert any("in row 201:" in line for line in inertial.fuse(**{**arrays, "time": time}).warnings)
    estimator = inertial.Estimator()
    with pytest.raises(inertial.DataError, match="^<arrays>: row 0: the acceleration is 9.8"):
        for index in range(100):
            estimator.update(index / 100, [0, 0, 0], [0, 0, -9.80665])
