"""The rows of the package are bitwise equal to the rows of the command."""

import csv
import json
import os

import numpy as np
import pytest
from conftest import HOME, command, skip

import inertial

FILTERS = inertial.filters()
FRAME = "xMagneticNorthZVertical"


def smooths(facts):
    return any("smooth" in trait or "offline" in trait for trait in facts["traits"])


def read_csv(text):
    rows = list(csv.reader(text.splitlines()))
    return rows[0], np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]])


def assert_same(motion, log, *words):
    # 17 digits restore the same number.
    names, rows = read_csv(command("fuse", log, "-o", "-", "--digits", "17", *words).stdout)
    assert motion.columns == names
    ours = np.stack([motion[name] for name in names], axis=1)
    assert ours.shape == rows.shape
    assert np.array_equal(ours, rows, equal_nan=True)
    assert np.isfinite(motion.quaternion).all()


@pytest.mark.parametrize("name", [facts["name"] for facts in FILTERS])
def test_every_filter_gives_the_rows_of_the_command_from_a_path_and_from_arrays(name, log, arrays):
    assert_same(inertial.fuse(log, filter=name, frame=FRAME), log, "--filter", name, "--frame", FRAME)
    assert_same(inertial.fuse(**arrays, filter=name, frame=FRAME, rows="fused"), log, "--filter", name, "--frame", FRAME)


@pytest.mark.parametrize("name", [facts["name"] for facts in FILTERS])
def test_every_smoother_gives_the_rows_of_the_command(name, log, arrays):
    done = command("fuse", log, "-o", "-", "--smooth", "--filter", name, "--frame", FRAME, check=False)
    if done.returncode:
        # Both refuse a filter without an offline form, with the same message except for the option's name.
        with pytest.raises(inertial.UsageError) as error:
            inertial.fuse(log, filter=name, smooth=True, frame=FRAME)
        assert done.stderr.strip() == f"error: {error.value}".replace("for smooth;", "for --smooth;")
        return
    words = ("--smooth", "--filter", name, "--frame", FRAME)
    assert_same(inertial.fuse(log, filter=name, smooth=True, frame=FRAME, rows="fused"), log, *words)
    assert_same(inertial.fuse(**arrays, filter=name, smooth=True, frame=FRAME, rows="fused"), log, *words)


def test_some_filter_has_an_offline_form(log):
    assert len(inertial.fuse(log, smooth=True)) == len(inertial.fuse(log))


@pytest.mark.parametrize(
    "options, words",
    [
        ({"rate": 50}, ["--rate", "50"]),
        ({"parameters": {"tauAcc": 1.5}, "filter": "vqf"}, ["--set", "tauAcc=1.5", "--filter", "vqf"]),
        ({"recognitions": ["shake", "steps"]}, ["--with", "shake,steps"]),
        ({"columns_out": ["time", "quaternionW", "attitudeSigmaZ"]}, ["--columns-out", "time,quaternionW,attitudeSigmaZ"]),
        ({"relative_to": "first"}, ["--relative-to", "first"]),
        ({"relative_to": 1.5}, ["--relative-to", "1.5"]),
        ({"gaps": "split", "gap": 0.004}, ["--gaps", "split", "--gap", "0.004"]),
        ({"axes": ["-y,x,z"]}, ["--axes", "-y,x,z"]),
        ({"relative_time": True}, ["--relative-time"]),
        (
            {"frame": "xTrueNorthZVertical", "latitude": -33.9, "longitude": 151.2, "date": "2024-05-17"},
            ["--frame", "xTrueNorthZVertical", "--latitude", "-33.9", "--longitude", "151.2", "--date", "2024-05-17"],
        ),
    ],
)
def test_options_mean_what_they_mean_to_the_command(options, words, log, table):
    for source in (log, table):
        motion = inertial.fuse(source, **options)
        names, rows = read_csv(command("fuse", log, "-o", "-", "--digits", "17", *words).stdout)
        assert motion.columns == names
        ours = np.stack([motion[name] for name in names], axis=1)
        assert np.array_equal(ours, rows, equal_nan=True)


def test_other_logs_give_the_rows_of_the_command():
    for name in ("walk", "car", "outing"):
        log = HOME / "Notebooks-data" / "logs" / f"{name}.csv"
        assert_same(inertial.fuse(log), log)


def test_recordings_of_broad_give_the_rows_of_the_command(tmp_path):
    """The wheel cannot read HDF5, so both get the arrays of a recording, the command as NPZ."""
    data = os.environ.get("INERTIAL_DATA")
    if not data:
        skip("data", "INERTIAL_DATA is not set, which names the folder of recordings")
    from pathlib import Path

    import h5py

    files = sorted(Path(data).rglob("*broad*/*.hdf5"))[:2] or sorted(Path(data).rglob("*.hdf5"))[:2]
    if not files:
        skip("data", f"{data} has no .hdf5 file")
    for path in files:
        with h5py.File(path) as file:
            acc, gyr, mag = (np.asarray(file[name]) for name in ("imu_acc", "imu_gyr", "imu_mag"))
            rate = float(file.attrs["sampling_rate"])
        rows = slice(0, 20000)
        log = tmp_path / f"{path.stem}.csv"
        columns = [f"{name}{axis}" for name in ("acceleration", "rotationRate", "magneticField") for axis in "XYZ"]
        with log.open("w") as file:
            file.write(",".join(columns) + "\n")
            for row in np.hstack([acc, gyr, mag])[rows].tolist():
                file.write(",".join("" if value != value else repr(value) for value in row) + "\n")
        units = {"acceleration_unit": "m/s2", "acceleration_sign": "specific-force", "sample_rate": rate}
        words = ["--acceleration-unit", "m/s2", "--acceleration-sign", "specific-force", "--sample-rate", repr(rate)]
        for facts in FILTERS:
            for smooth in (False, True):
                try:
                    motion = inertial.fuse(
                        acceleration=acc[rows], rotation_rate=gyr[rows], magnetic_field=mag[rows],
                        filter=facts["name"], smooth=smooth, frame=FRAME, **units)
                except inertial.UsageError:
                    assert smooth
                    continue
                assert_same(
                    motion, log, *words, "--frame", FRAME, "--filter", facts["name"], *(["--smooth"] if smooth else []))


def test_a_stream_gives_the_rows_of_the_log(log, arrays):
    whole = inertial.fuse(log, filter="mekf")
    estimator = inertial.Estimator(filter="mekf")
    rows = []
    for time, acc, gyr, mag in zip(*(arrays[n] for n in ("time", "acceleration", "rotation_rate", "magnetic_field"))):
        rows += estimator.update(time, gyr, acc, mag)
    rows += estimator.finish()
    assert [row.time for row in rows] == whole.time.tolist()
    assert np.array_equal([row.quaternion for row in rows], whole.quaternion)
    assert np.array_equal([row.user_acceleration for row in rows], whole.user_acceleration, equal_nan=True)


@pytest.mark.parametrize(
    "function, name, words",
    [
        (inertial.shakes, "shake", ["shake"]),
        (inertial.activity, "walk", ["activity"]),
        (inertial.steps, "walk", ["steps"]),
        (inertial.altitude, "outing", ["altitude"]),
        (inertial.inspect, "car", ["inspect"]),
    ],
)
def test_findings_are_the_documents_of_the_command(function, name, words):
    log = HOME / "Notebooks-data" / "logs" / f"{name}.csv"
    found = function(log)
    assert found.facts == json.loads(command(*words, log, "--json").stdout)
    assert found.facts
    if function is not inertial.inspect:
        assert len(found) > 0


def test_an_evaluation_is_that_of_the_command(folder):
    found = inertial.evaluate(
        folder / "log.csv", reference=folder / "truth.csv", reference_frame="nwu", align="yaw", filters=["vqf", "kalman"])
    done = command(
        "evaluate", folder / "log.csv", "--reference", folder / "truth.csv", "--reference-frame", "nwu", "--align", "yaw",
        "--filters", "vqf,kalman", "--no-cost", "--json")
    assert found.facts == json.loads(done.stdout)
    assert {row["filter"] for row in found} == {"vqf", "kalman"}
