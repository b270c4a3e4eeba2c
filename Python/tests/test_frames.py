"""Arrays and tables as people have them: rows with missing values, points in time, indices, sensors with their own rates."""

import decimal
import sys
import warnings

import numpy as np
import pytest

import inertial

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def arrays():
    """Three sensors with a sample in every row: a device that rotates about its vertical axis and nods."""
    time = np.arange(800) / 100
    yaw, pitch = 0.8 * time, 0.4 * np.sin(2 * time)
    rates = np.stack([0.8 * np.sin(pitch), 0.8 * np.cos(2 * time), 0.8 * np.cos(pitch)], axis=1)
    down = np.stack([np.sin(pitch), np.zeros(800), -np.cos(pitch)], axis=1)
    level = np.stack([20 * np.cos(yaw), -20 * np.sin(yaw), np.full(800, -40.0)], axis=1)
    field = np.stack(
        [
            level[:, 0] * np.cos(pitch) - level[:, 2] * np.sin(pitch),
            level[:, 1],
            level[:, 0] * np.sin(pitch) + level[:, 2] * np.cos(pitch),
        ],
        axis=1,
    )
    noise = np.random.default_rng(1).normal(0, 0.01, (3, 800, 3))
    return {
        "time": time,
        "acceleration": down + noise[0],
        "rotation_rate": rates + noise[1],
        "magnetic_field": field + 10 * noise[2],
    }


@pytest.fixture(scope="module")
def table(arrays):
    columns = {"time": arrays["time"]}
    for name, head in (("acceleration", "acceleration"), ("rotation_rate", "rotationRate"), ("magnetic_field", "magneticField")):
        columns.update({head + axis: arrays[name][:, place] for place, axis in enumerate("XYZ")})
    return columns


@pytest.fixture(scope="module")
def log(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("frames") / "log.csv"
    rows = np.stack(list(table.values()), axis=1)
    np.savetxt(path, rows, delimiter=",", header=",".join(table), comments="", fmt="%.17g")
    return path


def with_missing(arrays, rows):
    """Returns the arrays with NaN in some rows of the gyroscope."""
    rates = arrays["rotation_rate"].copy()
    rates[rows] = np.nan
    return {**arrays, "rotation_rate": rates}


def test_each_row_of_the_arrays_has_a_row_and_missing_ones_are_nan(arrays):
    missing = [0, 5, 6, 700, len(arrays["time"]) - 1]
    with pytest.warns(inertial.InertialWarning, match=f"{len(missing)} of {len(arrays['time'])} rows are NaN"):
        motion = inertial.fuse(**with_missing(arrays, missing))
    assert len(motion) == len(arrays["time"]) and np.array_equal(motion.index, np.arange(len(motion)))
    assert np.array_equal(np.flatnonzero(np.isnan(motion.heading)), missing)
    np.testing.assert_allclose(motion.time, arrays["time"], rtol=0, atol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fused = inertial.fuse(**with_missing(arrays, missing), rows="fused")
    assert np.array_equal(fused.index, np.setdiff1d(np.arange(len(motion)), missing))
    assert np.array_equal(motion.quaternion[fused.index], fused.quaternion)


def test_masked_and_nullable_values_and_missing_points_in_time_are_missing(arrays):
    masked = np.ma.masked_array(arrays["rotation_rate"], mask=np.zeros(arrays["rotation_rate"].shape, dtype=bool))
    masked[3] = np.ma.masked
    times = (arrays["time"] * 1e9).round().astype("i8").view("M8[ns]").copy()
    times[10] = "NaT"
    with pytest.warns(inertial.InertialWarning, match="2 of"):
        motion = inertial.fuse(**{**arrays, "rotation_rate": masked, "time": times})
    assert np.array_equal(np.flatnonzero(np.isnan(motion.heading)), [3, 10]) and np.isnan(motion.time[10])
    whole = np.ma.masked_array(times, mask=np.isnat(times))
    with pytest.warns(inertial.InertialWarning, match="1 of"):
        again = inertial.fuse(**{**arrays, "time": whole})
    assert np.array_equal(np.flatnonzero(np.isnan(again.heading)), [10])


def test_missing_points_in_time_of_pandas_in_a_list_are_missing(arrays):
    stamps = pandas.Timestamp("2026-03-01 12:00") + pandas.to_timedelta(arrays["time"], unit="s")
    for missing in (pandas.NaT, pandas.NA, None):
        times = [missing if row == 10 else stamp for row, stamp in enumerate(stamps)]
        for values in (times, pandas.Series(times, dtype=object)):
            with pytest.warns(inertial.InertialWarning, match="1 of"):
                motion = inertial.fuse(**{**arrays, "time": values})
            assert np.array_equal(np.flatnonzero(np.isnan(motion.heading)), [10])
    moments = list((arrays["time"] * 1e9).round().astype("i8").view("M8[ns]"))
    assert np.array_equal(inertial.fuse(**{**arrays, "time": moments}).heading, inertial.fuse(**arrays).heading)


def test_a_sensor_of_words_is_an_error_and_other_words_are_not(table):
    with pytest.raises(inertial.UsageError, match="magneticFieldX is of type"):
        inertial.fuse({**table, "magneticFieldX": table["magneticFieldX"].astype(str)})
    with pytest.raises(inertial.UsageError, match="magnetic_field is of type"):
        inertial.fuse({**table, "magnetic_field": np.array([[1.0]] * len(table["time"]) + [None], dtype=object)[:-1]})
    assert len(inertial.fuse({**table, "label": np.array(["walk"] * len(table["time"]))})) == len(table["time"])


def test_an_array_can_be_a_nullable_frame(arrays):
    rates = pandas.DataFrame(arrays["rotation_rate"]).convert_dtypes()
    rates.iloc[3, 1] = pandas.NA
    with pytest.warns(inertial.InertialWarning, match="1 of"):
        motion = inertial.fuse(**{**arrays, "rotation_rate": rates})
    assert np.array_equal(np.flatnonzero(np.isnan(motion.heading)), [3])


def test_an_option_of_the_call_precedes_that_of_the_recording(tmp_path, table):
    path = tmp_path / "log.csv"
    pandas.DataFrame(table).to_csv(path, index=False)
    recording = inertial.read(path, rotation_unit="rad/s")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = inertial.fuse(path, rotation_unit="deg/s")
        assert np.array_equal(inertial.fuse(recording, rotation_unit="deg/s").quaternion, expected.quaternion)
        assert not np.array_equal(inertial.fuse(recording).quaternion, expected.quaternion)


def test_an_error_in_the_orientations_names_their_row(arrays):
    motion = inertial.fuse(**arrays)
    order = np.random.default_rng(1).permutation(len(motion))
    reference = (motion.time[order], motion.quaternion[order])
    with pytest.raises(inertial.InertialError, match="^<reference>: row [0-9]+: ") as raised:
        inertial.evaluate(arrays, reference=reference, reference_frame="nwu", filters="vqf")
    assert "/tmp" not in str(raised.value)


def test_unsigned_nanoseconds_are_exact(arrays):
    stamps = (1_700_000_000_000_000_009 + (arrays["time"] * 1e9).round()).astype("i8")
    unsigned = inertial.fuse(**{**arrays, "time": stamps.astype("u8")}, time_unit="ns")
    assert np.array_equal(unsigned.datetime, inertial.fuse(**{**arrays, "time": stamps}, time_unit="ns").datetime)


def test_a_stop_without_an_exception_of_the_callback_is_an_interrupt(monkeypatch, arrays):
    from inertial import _library

    def stopped(*_, **__):
        raise inertial.InertialError("stopped by the caller")

    monkeypatch.setattr(_library, "_call", stopped)
    with pytest.raises(KeyboardInterrupt):
        inertial.fuse(**arrays)


def test_complete_arrays_share_the_memory_of_the_library(arrays):
    motion = inertial.fuse(**arrays)
    assert len(motion) == len(arrays["time"]) and motion["time"].base is not None
    assert not motion["time"].flags.writeable and "line" not in motion.columns
    assert motion.facts["columns"] == motion.columns


def test_a_table_has_rows_with_an_estimate_and_their_numbers(table):
    rates = {name: values.copy() for name, values in table.items()}
    rates["rotationRateX"][5:7] = np.nan
    motion = inertial.fuse(rates)
    assert np.array_equal(motion.index, np.setdiff1d(np.arange(800), [5, 6]))
    with pytest.warns(inertial.InertialWarning, match="2 of 800"):
        assert len(inertial.fuse(rates, rows="all")) == 800


def test_the_lines_of_rows_are_a_column_on_request(arrays, log, tmp_path):
    motion = inertial.fuse(**arrays, columns_out="time,line")
    assert motion.columns == ["time", "line"] and np.array_equal(motion["line"], np.arange(1, 801))
    motion.write(tmp_path / "lines.csv")
    assert (tmp_path / "lines.csv").read_text().splitlines()[1] == "0,1"
    # The first row of the file follows the header.
    assert np.array_equal(inertial.fuse(log, columns_out=["standard", "line"])["line"], np.arange(2, 802))
    assert np.isnan(inertial.fuse(log, columns_out=["time", "line"], rate=10)["line"]).all()
    assert np.array_equal(inertial.fuse(log, columns_out=["line"], smooth=True)["line"], np.arange(2, 802))


def test_rows_all_needs_arrays(log, arrays):
    with pytest.raises(inertial.UsageError, match="rows='all' needs arrays"):
        inertial.fuse(log, rows="all")
    with pytest.raises(inertial.UsageError, match="rows='all' needs arrays"):
        inertial.fuse(**arrays, rate=50, rows="all")
    with pytest.raises(inertial.UsageError, match="rows is 'all' or 'fused'"):
        inertial.fuse(**arrays, rows="some")
    assert len(inertial.fuse(**arrays, rate=10)) < len(arrays["time"])


@pytest.mark.parametrize("smooth", [False, True])
def test_the_rows_of_arrays_equal_those_of_the_log(log, arrays, smooth):
    motion, expected = inertial.fuse(**arrays, smooth=smooth), inertial.fuse(log, smooth=smooth)
    assert motion.columns == expected.columns
    assert np.array_equal(np.asarray(motion), np.asarray(expected), equal_nan=True)


def test_points_in_time_mean_what_their_type_says(arrays):
    seconds = arrays["time"] - arrays["time"][0]
    expected = inertial.fuse(**{**arrays, "time": seconds})
    # Points in time of 1970 look like seconds, and durations have no epoch.
    nanoseconds = (seconds * 1e9).round().astype("i8")
    for times in (nanoseconds.view("M8[ns]"), nanoseconds.view("m8[ns]"), pandas.to_datetime(nanoseconds)):
        motion = inertial.fuse(**{**arrays, "time": times})
        np.testing.assert_allclose(motion.time - motion.time[0], seconds, atol=1e-9)
        np.testing.assert_allclose(motion.quaternion, expected.quaternion, atol=1e-6)
    with pytest.raises(inertial.UsageError, match="the times are points in time"):
        inertial.fuse(**{**arrays, "time": nanoseconds.view("M8[ns]")}, time_unit="ms")


def test_dates_zones_and_texts_are_points_in_time(arrays):
    start = np.datetime64("2026-03-01T12:00:00", "ns")
    times = start + (arrays["time"] * 1e9).round().astype("m8[ns]")
    expected = inertial.fuse(**{**arrays, "time": times})
    assert expected.datetime[0] == times[0] and abs(expected.datetime - times).max() < np.timedelta64(1000, "ns")
    zoned = pandas.DatetimeIndex(times, tz="UTC").tz_convert("Europe/Berlin")
    texts = [str(time) + "Z" for time in times.astype("M8[us]")]
    for other in (zoned, pandas.Series(zoned), texts, np.array(texts)):
        motion = inertial.fuse(**{**arrays, "time": other})
        np.testing.assert_allclose(motion.time, expected.time, atol=2e-6)
    with pytest.raises(inertial.UsageError, match="'noon' is no time"):
        inertial.fuse(**{**arrays, "time": ["noon"] * len(texts)})


def test_the_index_of_a_frame_is_its_time(table, arrays):
    expected = inertial.fuse(**arrays)
    frame = pandas.DataFrame(table).set_index("time")
    assert np.array_equal(inertial.fuse(frame).quaternion, expected.quaternion)
    moments = pandas.to_datetime("2026-03-01") + pandas.to_timedelta(table["time"], unit="s")
    indexed = pandas.DataFrame(table).drop(columns="time").set_index(moments)
    np.testing.assert_allclose(inertial.fuse(indexed).quaternion, expected.quaternion, atol=1e-6)
    # A column of times precedes an index.
    numbered = pandas.DataFrame(table)
    assert np.array_equal(inertial.fuse(numbered).quaternion, expected.quaternion)


def test_lazy_frames_arrow_streams_and_vectors_in_mappings_are_tables(table, arrays):
    polars = pytest.importorskip("polars")
    expected = inertial.fuse(**arrays)

    class Relation:
        """A table that has an Arrow stream and nothing else, as a DuckDB relation."""

        def __arrow_c_stream__(self, requested_schema=None):
            return polars.DataFrame(table).__arrow_c_stream__(requested_schema)

    mapping = {name: arrays[name] for name in ("time", "acceleration", "rotation_rate", "magnetic_field") if name in arrays}
    for source in (polars.DataFrame(table).lazy(), Relation(), mapping):
        assert np.array_equal(inertial.fuse(source).quaternion, expected.quaternion)


def test_datasets_of_xarray_are_tables(arrays):
    xarray = pytest.importorskip("xarray")
    dataset = xarray.Dataset(
        {name: (("time", "axis"), arrays[name]) for name in ("acceleration", "rotation_rate", "magnetic_field")},
        coords={"time": arrays["time"]},
    )
    assert np.array_equal(inertial.fuse(dataset).quaternion, inertial.fuse(**arrays).quaternion)


def test_sensors_may_have_their_own_times(arrays):
    time = arrays["time"]
    apart = {
        "rotation_rate": (time, arrays["rotation_rate"]),
        "acceleration": (time, arrays["acceleration"]),
        "magnetic_field": (time[::2], arrays["magnetic_field"][::2]),
    }
    rows = {name: values for name, values in arrays.items() if name not in ("time", *apart)}
    motion = inertial.fuse(**apart, **rows)
    slower = arrays["magnetic_field"].copy()
    slower[1::2] = np.nan
    expected = inertial.fuse(**{**arrays, "magnetic_field": slower})
    assert len(motion) == len(time) and np.array_equal(motion.quaternion, expected.quaternion)
    with pytest.raises(inertial.UsageError, match="3 times"):
        inertial.fuse(rotation_rate=(time[:3], arrays["rotation_rate"]), acceleration=(time, arrays["acceleration"]))
    with pytest.raises(inertial.UsageError, match="has no times"):
        inertial.fuse(rotation_rate=arrays["rotation_rate"], acceleration=(time, arrays["acceleration"]))


def test_frames_are_sequences_of_rows(arrays):
    motion = inertial.fuse(**arrays)
    assert motion[7].time == motion.time[7] and motion[-1].heading == motion.heading[-1]
    part = motion[10:20]
    assert len(part) == 10 and np.array_equal(part.index, np.arange(10, 20))
    assert np.array_equal(part.quaternion, motion.quaternion[10:20])
    assert [row.time for row in part] == list(motion.time[10:20])
    assert np.asarray(part).shape == (10, len(motion.columns))
    assert np.asarray(motion, dtype=np.float32).dtype == np.float32
    assert pandas.DataFrame(part).equals(part.to_pandas())
    assert "roll" in motion and "rolls" not in motion
    pyarrow = pytest.importorskip("pyarrow")
    for step in (slice(None, None, 2), slice(None, None, -1), slice(700, 10, -7)):
        part = motion[step]
        for table in (part.to_arrow(), pyarrow.table(part)):
            assert all(np.array_equal(table[name].to_numpy(), part[name], equal_nan=True) for name in part.columns)
    assert "<th>time<br>s</th>" in motion._repr_html_() and "…" in motion._repr_html_()


def test_a_slice_is_written_and_pickled_as_its_rows(tmp_path, arrays):
    import pickle

    motion = inertial.fuse(**arrays)[100:200]
    motion.write(tmp_path / "part.csv")
    again = pickle.loads(pickle.dumps(motion))
    again.write(tmp_path / "again.csv")
    lines = (tmp_path / "part.csv").read_text().splitlines()
    assert len(lines) == 101 and (tmp_path / "again.csv").read_text().splitlines() == lines
    assert lines[0].split(",") == motion.columns


def test_pandas_and_arrow_know_units_and_frame(arrays):
    motion = inertial.fuse(**arrays)
    frame = motion.to_pandas()
    frame["roll"] = 0.0
    assert frame.attrs["units"]["rotationRateX"] == "rad/s" and frame.attrs["frame"] == motion.facts["frame"]
    pyarrow = pytest.importorskip("pyarrow")
    metadata = motion.to_arrow().schema.metadata
    assert metadata[b"filter"].decode() == motion.facts["filter"]
    times = np.datetime64("2026-03-01", "ns") + (arrays["time"] * 1e9).round().astype("m8[ns]")
    moments = inertial.fuse(**{**arrays, "time": times}).to_arrow()["datetime"]
    assert moments.type == pyarrow.timestamp("ns", tz="UTC")
    with pytest.raises(AttributeError, match="does not state when"):
        motion.datetime


def test_conventions_change_units_signs_frames_and_quaternions(arrays):
    north = {"frame": "xMagneticNorthZVertical", "field": "calibrated"}
    motion = inertial.fuse(**arrays, **north)
    forces = {**arrays, "acceleration": -9.80665 * arrays["acceleration"]}
    for name in ("acceleration_unit", "acceleration_sign"):
        forces.pop(name, None)
    si = inertial.fuse(**forces, **north, convention="si")
    np.testing.assert_allclose(si.gravity, -9.80665 * motion.gravity, atol=1e-6)
    np.testing.assert_allclose(si.user_acceleration, -9.80665 * motion.user_acceleration, atol=1e-6)
    assert si.units["gravityX"] == "m/s2" and si.convention == "si"
    ros, vqf = (inertial.fuse(**forces, **north, convention=name) for name in ("ros", "vqf"))
    assert vqf.order == "wxyz" and np.array_equal(vqf.quaternion, ros.quaternion[:, [3, 0, 1, 2]])
    forward = motion.rotation.apply([1, 0, 0])
    # x north, y west becomes x east, y north.
    turned = np.stack([-forward[:, 1], forward[:, 0], forward[:, 2]], axis=1)
    np.testing.assert_allclose(ros.rotation.apply([1, 0, 0]), turned, atol=1e-6)
    np.testing.assert_allclose(
        ros.rotation.as_euler("xyz"), np.stack([ros["roll"], ros["pitch"], ros["yaw"]], axis=1), atol=1e-6)
    with pytest.raises(inertial.UsageError, match="convention is one of"):
        inertial.fuse(**arrays, convention="ned")


def test_a_convention_does_not_turn_a_frame_without_north(arrays):
    motion, ros = (
        inertial.fuse(**arrays, acceleration_unit="g", acceleration_sign="gravity", convention=name)
        for name in ("core-motion", "ros")
    )
    assert np.array_equal(motion.quaternion, ros.quaternion)
    assert np.array_equal(ros.gravity, -9.80665 * motion.gravity)


def test_hdf5_is_read_by_h5py_and_gives_the_rows_of_its_arrays(arrays, tmp_path, monkeypatch):
    h5py = pytest.importorskip("h5py")
    trial, dataset, other = (str(tmp_path / name) for name in ("trial.hdf5", "dataset.h5", "other.h5"))
    with h5py.File(trial, "w") as file:
        file["imu_acc"] = -9.80665 * arrays["acceleration"]
        file["imu_gyr"], file["imu_mag"] = arrays["rotation_rate"], arrays["magnetic_field"]
        file.attrs["sampling_rate"] = 100.0
    direct = inertial.fuse(
        acceleration=-9.80665 * arrays["acceleration"], rotation_rate=arrays["rotation_rate"],
        magnetic_field=arrays["magnetic_field"], sample_rate=100, acceleration_unit="m/s2",
        acceleration_sign="specific-force", field="calibrated", filter="vqf")
    found = inertial.fuse(trial, filter="vqf")
    for name in ("time", "quaternionX", "quaternionW", "gravityZ", "rotationRateY", "magneticFieldX"):
        assert np.array_equal(np.asarray(found[name]), np.asarray(direct[name]), equal_nan=True), name
    assert len(inertial.read(trial).acceleration) == 800
    assert inertial.fuse(trial, filter="vqf", field="raw").quaternion.shape == (800, 4)

    with h5py.File(dataset, "w") as file:
        for name in found.columns:
            file[f"walk/{name}"] = np.asarray(found[name])
    again = inertial.fuse(dataset, filter="vqf")
    same = inertial.fuse({name: np.asarray(found[name]) for name in found.columns}, filter="vqf")
    assert len(again) == 800 and np.array_equal(again.quaternion, same.quaternion)

    with h5py.File(other, "w") as file:
        file["numbers"] = np.arange(9)
    with pytest.raises(inertial.DataError, match="HDF5|group"):
        inertial.fuse(other)
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(inertial.DataError, match="pip install h5py|HDF5"):
        inertial.fuse(other)


def test_a_sensor_with_its_own_times_keeps_its_order(arrays):
    times = arrays["time"].copy()
    times[400:] -= 2
    options = {"filter": "vqf", "frame": "xMagneticNorthZVertical", "field": "calibrated"}
    with pytest.warns(inertial.InertialWarning, match="clock is set back"):
        shared = inertial.fuse(**{**arrays, "time": times}, **options)
    own = {name: (times, values) for name, values in arrays.items() if name != "time"}
    with pytest.warns(inertial.InertialWarning, match="clock is set back"):
        separate = inertial.fuse(**own, **options)
    assert np.array_equal(shared.quaternion, separate.quaternion)


def test_missing_rows_after_a_corrected_clock_have_times_between_their_neighbours(arrays):
    given = with_missing(arrays, [100, 700])
    given["time"] = given["time"].copy()
    given["time"][400:] -= 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        time = inertial.fuse(**given).time
    assert np.allclose(np.diff(time), 0.01, atol=1e-6)


def test_a_column_named_time_precedes_other_points_in_time(table, arrays):
    frame = pandas.DataFrame(table)
    frame.insert(0, "uploaded", pandas.date_range("2024-05-17", periods=len(frame), freq="25ms"))
    assert np.array_equal(inertial.fuse(frame).quaternion, inertial.fuse(pandas.DataFrame(table)).quaternion)


def test_points_in_time_are_exact(arrays):
    times = np.datetime64("2024-05-17T10:00:00.100", "ms") + 10 * np.arange(len(arrays["time"]))
    motion = inertial.fuse(**{**arrays, "time": times})
    assert np.array_equal(motion.datetime, times)
    assert np.array_equal(motion[5:9].datetime, times[5:9])
    assert np.array_equal(motion.to_arrow()["datetime"].to_numpy(), times.astype("M8[ns]"))


def test_dataset_of_xarray_with_numbered_axes_or_transposed(arrays):
    xarray = pytest.importorskip("xarray")
    vectors = {name: arrays[name] for name in ("acceleration", "rotation_rate", "magnetic_field")}
    expected = inertial.fuse(**arrays).quaternion
    numbered = xarray.Dataset(
        {name: (("time", "axis"), values) for name, values in vectors.items()},
        coords={"time": arrays["time"], "axis": [0, 1, 2]})
    turned = xarray.Dataset(
        {name: (("axis", "time"), values.T) for name, values in vectors.items()}, coords={"time": arrays["time"]})
    assert np.array_equal(inertial.fuse(numbered).quaternion, expected)
    assert np.array_equal(inertial.fuse(turned).quaternion, expected)


def test_a_rotation_needs_every_attitude(arrays):
    with pytest.warns(inertial.InertialWarning, match="NaN"):
        motion = inertial.fuse(**with_missing(arrays, [300]))
    with pytest.raises(inertial.UsageError, match="the first is row 300"):
        motion.rotation
    fused = inertial.fuse(**with_missing(arrays, [300]), rows="fused")
    assert len(fused.rotation) == len(fused)


def test_rows_are_found_by_one_number_and_the_index_is_read_only(arrays):
    motion = inertial.fuse(**arrays)
    with pytest.raises(TypeError):
        motion[[1, 2]]
    with pytest.raises(ValueError):
        motion.index[0] = 7
    lacking = inertial.fuse(**arrays, columns_out="gravityX,time")
    with pytest.raises(AttributeError, match=r"columns_out=\['gravityX', 'time', 'gravityY', 'gravityZ'\]"):
        lacking.gravity


def test_warnings_name_the_line_of_the_caller(arrays, log):
    with pytest.warns(inertial.InertialWarning) as caught:
        inertial.fuse(**with_missing(arrays, [10]))
    assert {warning.filename for warning in caught} == {__file__}


def test_decimal_numbers_are_read(table):
    expected = pandas.DataFrame(table)
    expected.loc[5, "rotationRateX"] = np.nan
    decimals = expected.copy()
    decimals["rotationRateX"] = [None if np.isnan(value) else decimal.Decimal(repr(value)) for value in expected["rotationRateX"].tolist()]
    assert np.array_equal(inertial.fuse(decimals).quaternion, inertial.fuse(expected).quaternion, equal_nan=True)
