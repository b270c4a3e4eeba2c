"""Invalid arguments, and arguments without effect, are refused with a message."""

import math
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import command

import inertial

NUMBERS = ["0", "-1", "99", "inf", "nan", "1e300", "-1e300", "1e-300", "99999999999999999999", "", "x", "1,2"]

# Passes every value of each option to a call, which may raise only an error with one reason.
SWEEP = """
import sys, warnings
import inertial
warnings.simplefilter("ignore")
log, folder, name, values = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
calls = {
    "fuse": lambda **options: inertial.fuse(log, **options),
    "fuse_to": lambda **options: inertial.fuse_to(log, folder + "/o.csv", force=True, **options),
    "read": lambda **options: inertial.read(log, **options),
    "evaluate": lambda **options: inertial.evaluate(
        log, filters="vqf", reference=folder + "/truth.csv", reference_frame="nwu", **options),
    "shakes": lambda **options: inertial.shakes(log, **options),
    "activity": lambda **options: inertial.activity(log, **options),
    "steps": lambda **options: inertial.steps(log, **options),
    "altitude": lambda **options: inertial.altitude(log, **options),
    "inspect": lambda **options: inertial.inspect(log, **options),
    "Estimator": lambda **options: stream(inertial.Estimator(**options)),
    "write": lambda **options: motion.write(folder + "/w.csv", force=True, **options),
}
def stream(estimator):
    for index in range(150):
        estimator.update(index / 100, [0, 0, 0], [0, 0, -1])
    estimator.finish()
motion = inertial.fuse(log)
function, option = name.split(".")
for value in values:
    print(name, value, flush=True)
    try:
        calls[function](**{option: value})
    except (inertial.InertialError, TypeError) as error:
        assert str(error), (name, value)
"""

OPTIONS = {
    "fuse": "rate gap gaps height latitude longitude altitude date sample_rate jobs sound_start on placement parameters "
    "channels recognitions columns_out axes columns frame filter pointing calibration field relative_to hold_back longest_silence",
    "fuse_to": "digits format rate jobs gap bids_subject bids_run partition",
    "read": "sample_rate channels columns axes time_unit acceleration_unit calibration",
    "evaluate": "skip align align_clock clock_shift frame latitude date task height withhold over estimate_frame warm_up",
    "shakes": "sensitivity maximum_duration detector parameters sample_rate",
    "activity": "placement model sample_rate",
    "steps": "height sample_rate",
    "altitude": "rate barometer_lag floor_height sample_rate",
    "inspect": "sample_rate sound_start axes",
    "Estimator": "rate gap gaps height latitude date sample_rate channels recognitions columns_out axes filter frame",
    "write": "digits format",
}


@pytest.mark.parametrize("function", OPTIONS)
def test_no_value_of_an_option_ends_the_interpreter(function, folder, tmp_path):
    (tmp_path / "truth.csv").write_bytes((folder / "truth.csv").read_bytes())
    for option in OPTIONS[function].split():
        name = f"{function}.{option}"
        done = subprocess.run(
            [sys.executable, "-c", SWEEP, str(folder / "log.csv"), str(tmp_path), name, *NUMBERS],
            capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, (done.stdout.strip().splitlines()[-1:], done.returncode, done.stderr[-400:])


def test_messages_name_keyword_arguments_in_place_of_options(log):
    for call, message in (
        (lambda: inertial.fuse(log, rate=-1), "rate takes a number of Hz"),
        (lambda: inertial.fuse(log, relative_to="last"), "relative_to takes first or a number of seconds"),
        (lambda: inertial.fuse(log, height=1.8), "height applies to the path; add recognitions track"),
        (lambda: inertial.altitude(log, floor_height=0), "floor_height takes 1 to 100 meters"),
        (lambda: inertial.evaluate(log, withhold=10), "withhold applies to paths; add task track"),
    ):
        with pytest.raises(inertial.UsageError, match=f"^{message}"):
            call()


def test_an_argument_that_would_be_ignored_is_refused(log, arrays, tmp_path):
    motion = inertial.fuse(log, filter="vqf")
    path = tmp_path / "rows.csv"
    for options in (
        {"rate": 10}, {"metadata": True}, {"columns_out": "time"}, {"jobs": 1}, {"partition": "a"}, {"resume": True},
        {"json": True}, {"filter": "vqf"}, {"output": "x"}, {"nonsense": 1},
    ):
        with pytest.raises(TypeError, match=next(iter(options))):
            motion.write(path, **options)
        assert not path.exists()
    for digits in (0, -1, 18, 99, 1.5, math.nan, math.inf, 1e300, "x"):
        with pytest.raises(inertial.UsageError, match="digits"):
            motion.write(path, digits=digits)
        with pytest.raises(inertial.UsageError, match="digits"):
            motion.to_csv(path, digits=digits)
        assert not path.exists()
    with pytest.raises(inertial.UsageError, match="digits"):
        motion.write(tmp_path / "rows.npz", digits=6)
    for options in (
        {"output": path}, {"digits": 6}, {"format": "csv"}, {"force": True}, {"lists": True}, {"metadata": True},
        {"header_units": True}, {"json": True}, {"resume": True}, {"partition": "a"}, {"follow": True},
    ):
        with pytest.raises(inertial.UsageError, match=next(iter(options)).replace("_", "[-_]")):
            inertial.fuse(log, **options)
    for options in ({"output": "x"}, {"digits": 6}, {"jobs": 2}, {"metadata": True}, {"json": True}, {"align": True}):
        with pytest.raises(inertial.UsageError):
            inertial.Estimator(**options)
    for call in (
        lambda: inertial.shakes(log, csv=True),
        lambda: inertial.steps(log, json=True),
        lambda: inertial.evaluate(log, csv=True),
        lambda: inertial.evaluate(log, details=True),
        lambda: inertial.evaluate(log, no_cost=True),
        lambda: inertial.evaluate(log, order="zyx"),
        lambda: inertial.fuse(log, channels="barometer", with_channels="location"),
        lambda: inertial.fuse(log, recognitions="shake", **{"with": "steps"}),
        lambda: inertial.fuse(log, time=arrays["time"]),
        lambda: inertial.fuse(log, filter=["vqf", "mahony"]),
        lambda: inertial.fuse(**{**arrays, "acceleration": arrays["acceleration"][:-1]}),
        lambda: inertial.fuse(**{**arrays, "acceleration": np.empty((0, 3))}),
        lambda: inertial.fuse(**{name: values[:0] for name, values in arrays.items()}),
        lambda: inertial.fuse(**{**arrays, "acceleration": [["a", "b", "c"]]}),
        lambda: inertial.fuse({}),
        lambda: inertial.fuse(7),
        lambda: inertial.fuse(),
        lambda: inertial.fuse(""),
    ):
        with pytest.raises(inertial.InertialError):
            call()


def test_a_message_names_the_keyword_argument(log):
    for call, expected in [
        (lambda: inertial.fuse(log, rat=50), "fuse takes no rat; it takes about, "),
        (lambda: inertial.Estimator(digits=6), "Estimator takes no digits; "),
        (lambda: inertial.fuse(log, rate="fast"), "rate takes a number"),
        (lambda: inertial.fuse(log, gaps="cut"), "gaps takes split, hold, nan, not 'cut'"),
        (lambda: inertial.fuse(log, gap="wide"), "gap has an invalid value"),
        (lambda: inertial.fuse(log, sample_rate=[]), "sample_rate takes a number"),
        (lambda: inertial.evaluate(log, over="60"), "over takes a time such as 60s"),
        (lambda: inertial.altitude(log, all="no"), "all takes true or false"),
        (lambda: inertial.fuse(log, jobs=0), "jobs is a number of cores"),
    ]:
        with pytest.raises(inertial.UsageError) as error:
            call()
        assert str(error.value).startswith(expected)


def test_one_core_gives_the_same_rows(log, tmp_path):
    assert np.array_equal(inertial.fuse(log, jobs=1).quaternion, inertial.fuse(log).quaternion)
    for jobs in (1, 2):
        inertial.fuse_to(log, tmp_path / f"{jobs}.csv", jobs=jobs)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_flags_and_paths_may_be_of_numpy_and_of_bytes(log):
    whole = inertial.fuse(log, smooth=True)
    assert np.array_equal(inertial.fuse(str(log).encode(), smooth=np.True_).quaternion, whole.quaternion)
    assert np.array_equal(inertial.fuse(log, smooth=np.False_).quaternion, inertial.fuse(log).quaternion)


def test_what_is_masked_or_missing_is_no_sample(arrays):
    import pandas

    holes = {name: values.copy() for name, values in arrays.items()}
    holes["acceleration"][100:110] = np.nan
    expected = inertial.fuse(**holes).quaternion
    fused = inertial.fuse(**holes, rows="fused").quaternion
    mask = np.zeros(arrays["acceleration"].shape, dtype=bool)
    mask[100:110] = True
    spoilt = np.where(mask, 0.5, arrays["acceleration"])
    masked = {**arrays, "acceleration": np.ma.masked_array(spoilt, mask)}
    assert np.array_equal(inertial.fuse(**masked).quaternion, expected, equal_nan=True)
    table = {"time": arrays["time"]}
    for name, column in (("acceleration", "acceleration"), ("rotation_rate", "rotationRate"), ("magnetic_field", "magneticField")):
        for place, axis in enumerate("XYZ"):
            table[column + axis] = pandas.array(holes[name][:, place], dtype="Float64")
    frame = pandas.DataFrame(table)
    assert frame["accelerationX"].isna().sum() >= 10
    assert np.array_equal(inertial.fuse(frame).quaternion, fused)


def test_points_in_time_out_of_range_are_refused(arrays):
    far = np.array("3000-01-01", dtype="M8[us]") + (arrays["time"] * 1e6).astype("m8[us]")
    with pytest.raises(inertial.UsageError, match="1678"):
        inertial.fuse(**{**arrays, "time": far})
    near = np.array("2024-01-01", dtype="M8[us]") + np.round(arrays["time"] * 1e6).astype("m8[us]")
    missing = near.copy()
    missing[50] = np.datetime64("NaT")
    counts = [np.isfinite(inertial.fuse(**{**arrays, "time": times}).heading).sum() for times in (missing, near)]
    assert counts[0] == counts[1] - 1


def test_a_damaged_dataset_is_made_again(log, tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(log.read_bytes())
    words = ["fuse", tmp_path / "in", "-o", tmp_path / "out", "--format", "npz"]
    command(*words)
    (dataset,) = tmp_path.glob("out/a*.npz")
    content = dataset.read_bytes()
    dataset.write_bytes(content[:-200] + bytes(100) + content[-100:])
    command(*words, "--resume")
    assert dataset.read_bytes() == content
    import json

    facts = json.loads(str(np.load(dataset)["metadata"]))
    (line,) = facts["inputCRC32"]
    import zlib

    assert line == f"a.csv {zlib.crc32(log.read_bytes()):08x}"


def test_types_of_options_name_every_keyword_argument_and_no_other():
    import inspect
    import typing

    from inertial import _api, _options, _request

    functions = {name: getattr(_api, name) for name in _request._MEMBERS if hasattr(_api, name)}
    functions["Estimator"] = inertial.Estimator.__init__
    assert len(functions) == len(_request._MEMBERS) - 1, "only `write` belongs to a method of Motion"
    for name, function in functions.items():
        parameters = inspect.signature(function).parameters
        kind = re.fullmatch(r"Unpack\[(\w+)\]", parameters["options"].annotation)[1]
        typed = set(typing.get_type_hints(getattr(_options, kind)))
        named = set(parameters) - {"options"}
        assert not typed & named, name
        arrays = {"time", "acceleration", "rotation_rate", "magnetic_field", "pressure"}
        # `with` is a word of Python, and these are given by position or by another name.
        given = {"with", "with_channels", "inputs", "outputs"}
        assert set(_request._MEMBERS[name]) - given - named == typed - arrays - given, name
