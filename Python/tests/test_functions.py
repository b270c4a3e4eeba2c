"""The functions of the command that write files, measure a device or compare detectors."""

import json
import subprocess
import sys
import warnings

import numpy as np
import pytest

import inertial


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """Two simulated logs, in folders of one folder."""
    folder = tmp_path_factory.mktemp("simulated")
    for seed in (1, 2):
        inertial.simulate("random-spline", folder / str(seed), duration=20, seed=seed)
    return folder


def command(*words):
    done = subprocess.run([sys.executable, "-m", "inertial", *map(str, words)], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_simulation_is_that_of_the_command(tmp_path):
    found = inertial.simulate("random-spline", tmp_path / "own", duration=5, seed=3, sensors="phone")
    command("simulate", "random-spline", "-o", tmp_path / "theirs", "--duration", 5, "--seed", 3, "--sensors", "phone")
    for name in ("log.csv", "truth.csv"):
        assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert found.scenario == "random-spline" and found.log == str(tmp_path / "own" / "log.csv")
    with pytest.raises(inertial.UsageError, match="there is no scenario 'x'"):
        inertial.simulate("x", tmp_path / "none")
    with pytest.raises(inertial.UsageError, match="duration takes seconds above 0"):
        inertial.simulate("random-spline", tmp_path / "none", duration=-1)
    with pytest.raises(inertial.UsageError, match="exists already"):
        inertial.simulate("random-spline", tmp_path / "own", duration=5)


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet", "mcap"])
def test_a_conversion_is_that_of_the_command(simulated, tmp_path, ending):
    log = simulated / "1" / "log.csv"
    found = inertial.convert(log, tmp_path / f"own.{ending}")
    command("convert", log, "-o", tmp_path / f"theirs.{ending}")
    assert (tmp_path / f"own.{ending}").read_bytes() == (tmp_path / f"theirs.{ending}").read_bytes()
    assert {channel["name"] for channel in found} >= {"gyroscope", "accelerometer"}
    with pytest.raises(inertial.InertialError):
        inertial.convert(log, tmp_path / f"own.{ending}")
    inertial.convert(log, tmp_path / f"own.{ending}", force=True)


def test_arrays_are_converted_and_their_path_is_estimated(simulated, tmp_path):
    recording = inertial.read(simulated / "1" / "log.csv")
    sensors = {
        name: (stream.time, stream.values)
        for name, stream in (
            ("acceleration", recording.acceleration),
            ("rotation_rate", recording.rotation_rate),
            ("magnetic_field", recording.magnetic_field),
        )
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = inertial.track(**sensors, on="foot")
    assert path.position.shape == (len(path), 3) and path.facts["on"] == "foot" and path.lack is None
    table = {"time": recording.rotation_rate.time}
    table.update({f"rotationRate{axis}": recording.rotation_rate.values[:, place] for place, axis in enumerate("XYZ")})
    inertial.convert(table, tmp_path / "rates.csv")
    assert (tmp_path / "rates.csv").read_text().startswith("time,rotationRateX")


def test_a_path_is_that_of_the_command(simulated, tmp_path):
    log = simulated / "1" / "log.csv"
    facts = json.loads(command("track", log, "--on", "foot", "-o", tmp_path / "theirs.csv", "--json"))
    path = inertial.track(log, tmp_path / "own.csv", on="foot")
    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes() and len(path) == 0
    rows = inertial.track(log, on="foot")
    assert rows.facts["length"] == facts["length"] and len(rows) == facts["rows"]
    lines = (tmp_path / "own.csv").read_text().splitlines()
    assert lines[0].split(",") == rows.columns and len(lines) == len(rows) + 1
    with pytest.warns(inertial.InertialWarning, match="no path: "):
        assert inertial.track(log).lack
    with pytest.raises(inertial.UsageError, match="map needs a dataset"):
        inertial.track(log, on="foot", map="path.gpx")


def test_noise_is_that_of_the_command(tmp_path):
    random = np.random.default_rng(1)
    rows = 9000
    arrays = {
        "time": np.arange(rows) / 100,
        "acceleration": np.tile([0.0, 0.0, -1.0], (rows, 1)) + random.normal(0, 1e-3, (rows, 3)),
        "rotation_rate": random.normal(0, 1e-3, (rows, 3)),
    }
    noise = inertial.allan(**arrays, output=tmp_path / "noise.json", deviations="allan", times=20)
    assert [sensor["sensor"] for sensor in noise] == ["gyroscope", "accelerometer"] and noise.is_at_rest
    walk = noise.rows[0]["axes"][0]
    assert walk["axis"] == "x"
    log = tmp_path / "rest.csv"
    columns = [arrays["time"], *arrays["acceleration"].T, *arrays["rotation_rate"].T]
    names = "time," + ",".join(name + axis for name in ("acceleration", "rotationRate") for axis in "XYZ")
    np.savetxt(log, np.column_stack(columns), delimiter=",", header=names, comments="", fmt="%.17g")
    command("allan", log, "-o", tmp_path / "theirs.json", "--deviations", "allan", "--times", 20)
    own, theirs = (json.loads((tmp_path / name).read_text()) for name in ("noise.json", "theirs.json"))
    assert own.pop("source") == "<arrays>" and theirs.pop("source") == str(log) and own == theirs
    # A moving device has no noise to state.
    moving = {**arrays, "rotation_rate": arrays["rotation_rate"] + np.sin(arrays["time"])[:, None]}
    with pytest.raises(inertial.DataError, match="the device is moving"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            inertial.allan(**moving, output=tmp_path / "moving.json")
    assert not (tmp_path / "moving.json").exists()
    with pytest.raises(inertial.UsageError, match="times"):
        inertial.allan(**arrays, times=0)


def test_a_calibration_is_that_of_the_command_and_is_used(simulated, tmp_path):
    logs = [simulated / "1" / "log.csv", simulated / "2" / "log.csv"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = inertial.calibrate(logs, output=[tmp_path / "own.json", tmp_path / "own.yaml"], device="left wrist")
    command("calibrate", *logs, "-o", tmp_path / "theirs.json", "--device", "left wrist")
    assert json.loads((tmp_path / "own.json").read_text()) == json.loads((tmp_path / "theirs.json").read_text())
    assert found.calibration["device"] == "left wrist" and (tmp_path / "own.yaml").exists()
    assert len(inertial.fuse(logs[0], calibration=tmp_path / "own.json")) > 0
    with pytest.raises(inertial.InertialError):
        inertial.calibrate(logs, output=tmp_path / "own.json")
    with pytest.raises(inertial.UsageError, match="gravity"):
        inertial.calibrate(logs, gravity=1.6)
    with pytest.raises(inertial.DataError):
        inertial.calibrate([tmp_path / "none.csv"])


def test_events_are_evaluated_as_by_the_command(simulated):
    found = inertial.evaluate_events(simulated, "shake", detectors="reference", sensitivities=[0.5, 1])
    facts = json.loads(
        command(
            "evaluate-events", simulated, "--task", "shake", "--detectors", "reference", "--sensitivities", "0.5,1", "--json"
        )
    )
    for rows in (found.facts["detectors"], facts["detectors"]):
        for row in rows:
            del row["nanosecondsPerSample"]
    assert found.facts == facts and len(found) == 2
    steps = inertial.evaluate_events([simulated / "1" / "log.csv"], "steps")
    assert steps.facts["task"] == "steps"
    with pytest.raises(inertial.UsageError, match="labels"):
        inertial.evaluate_events(simulated, "activity")
    with pytest.raises(inertial.UsageError, match="shake, activity, steps or falls"):
        inertial.evaluate_events(simulated, "dance")


def test_pages_figures_and_tunings_are_those_of_the_command(simulated, tmp_path):
    log = simulated / "1" / "log.csv"
    page = inertial.report(log, tmp_path / "page.html", no_cost=True)
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>") and page.output == str(tmp_path / "page.html")
    figure = inertial.plot(log, tmp_path / "figure.svg", quantity=["roll", "pitch"])
    assert len(figure) == 2 and (tmp_path / "figure.svg").exists()
    tuned = inertial.tune(
        simulated, filter="mahony", reference="truth.csv", reference_frame="nwu", budget=12, parameters=["timeConstant"])
    assert [row["name"] for row in tuned] == ["timeConstant"] and tuned.recordings == 2
    with pytest.raises(inertial.UsageError, match="exists already"):
        inertial.report(log, tmp_path / "page.html")
    with pytest.raises(inertial.UsageError):
        inertial.plot(log, tmp_path / "other.svg", quantity="unknown")


def test_a_simulation_can_be_displayed(tmp_path):
    found = inertial.simulate("random-spline", tmp_path / "log", duration=5)
    assert repr(found) == f"<Simulated: {found.samples} samples in {found.log}>" and found
    assert list(found) == [] and found.to_pandas().empty


def test_a_reference_has_seconds_for_any_unit_of_the_log(simulated):
    recording = inertial.read(simulated / "1" / "log.csv")
    truth = np.genfromtxt(simulated / "1" / "truth.csv", delimiter=",", names=True)
    attitudes = np.stack([truth["quaternion" + axis] for axis in "XYZW"], axis=1)
    time = recording.rotation_rate.time
    log = {"rotation_rate": recording.rotation_rate.values, "acceleration": recording.acceleration.values}
    options = {"reference_frame": "nwu", "filters": "vqf", "frame": "xArbitraryZVertical"}

    def error(times, reference, **unit):
        found = inertial.evaluate({"time": times, **log}, reference=(reference, attitudes), **options, **unit)
        return found.rows[0]["total"]

    moments = np.datetime64("2024-05-17T10:00:00", "ns") + np.round(time * 1e9).astype("m8[ns]")
    reference = np.datetime64("2024-05-17T10:00:00", "ns") + np.round(truth["time"] * 1e9).astype("m8[ns]")
    expected = error(time, truth["time"])
    # Orientations in arrays are written to a temporary file, whose name means nothing.
    pair = (truth["time"], attitudes)
    found = inertial.evaluate({"time": time, **log}, reference=pair, estimate=pair, reference_frame="nwu")
    document = json.dumps(found.facts)
    assert "<estimate>" in document and "/inertial-" not in document
    assert error(time * 1000, truth["time"], time_unit="ms") == pytest.approx(expected, abs=0.01)
    assert error(moments, reference) == pytest.approx(expected, abs=0.01)
    assert error(moments, reference.astype("i8") / 1e9) == pytest.approx(expected, abs=0.01)


def test_positions_have_the_frame_of_the_attitudes(tmp_path):
    log = inertial.simulate("strides", tmp_path / "log", duration=30).log
    options = {"recognitions": "track", "on": "foot", "frame": "xMagneticNorthZVertical", "filter": "vqf"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        north, east = inertial.fuse(log, **options), inertial.fuse(log, convention="ros", **options)
    for head in ("position", "velocity"):
        assert np.array_equal(east[head + "X"], -north[head + "Y"], equal_nan=True)
        assert np.array_equal(east[head + "Y"], north[head + "X"], equal_nan=True)
        assert np.array_equal(east[head + "Z"], north[head + "Z"], equal_nan=True)


def test_a_recording_is_a_log_for_every_function(simulated, tmp_path, monkeypatch):
    path = simulated / "1" / "log.csv"
    monkeypatch.chdir(path.parent)
    recording = inertial.read("log.csv")
    monkeypatch.chdir(tmp_path)
    assert len(inertial.fuse(recording)) == len(inertial.fuse(path))
    assert inertial.evaluate_events(recording, "steps").facts["steps"] == inertial.evaluate_events(path, "steps").facts["steps"]
    assert len(inertial.evaluate_events(path, "steps")) == 1


def test_a_row_of_a_stream_without_an_attitude_can_be_displayed():
    estimator = inertial.Estimator(filter="vqf", columns_out="time,heading")
    rows = [row for index in range(300) for row in estimator.update(index / 100, np.zeros(3), np.array([0, 0, -1]))]
    assert repr(rows[0]).startswith("<Sample: time 0, heading ")
    with pytest.raises(AttributeError, match="lack quaternionX"):
        rows[0].quaternion


def test_recognitions_of_a_page_have_the_name_of_the_other_functions(simulated, tmp_path):
    page = inertial.report(simulated / "1" / "log.csv", tmp_path / "page.html", recognitions="shake")
    assert (tmp_path / "page.html").exists() and page.output
