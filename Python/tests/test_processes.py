"""Results and calls in other processes: pickles, copies, forked children and pools."""

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import inertial
from inertial import _library

METHODS = multiprocessing.get_all_start_methods()
# The parent has background threads in these tests.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture(scope="module")
def shaken(tmp_path_factory):
    """A recording other than `log`, with another length."""
    from conftest import command

    path = tmp_path_factory.mktemp("logs") / "other"
    command("simulate", "random-spline", "-o", path, "--duration", "5", "--seed", "8")
    return path / "log.csv"


def fused_rows(path):
    return inertial.fuse(path, filter="vqf")


def written(motion, path):
    motion.write(path, force=True)
    return path.read_bytes()


def in_child(work, seconds=60):
    """Whether a forked child does the work. A child that hangs is terminated."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def test_a_pickled_result_writes_its_own_rows_in_another_process(log, shaken, tmp_path, monkeypatch):
    # In the other process's working directory, another log has this name.
    (tmp_path / "log.csv").write_bytes(shaken.read_bytes())
    monkeypatch.chdir(log.parent)
    motion = inertial.fuse("log.csv", relative_time=True)
    (tmp_path / "motion.pickle").write_bytes(pickle.dumps(motion))
    code = (
        "import inertial, pickle, sys; other = inertial.fuse(sys.argv[1]); "
        "motion = pickle.load(open('motion.pickle', 'rb')); "
        "[motion.write('there.' + ending) for ending in ('csv', 'npz', 'parquet', 'tum')]; "
        "print(len(other), motion.facts['rows'])"
    )
    subprocess.run([sys.executable, "-c", code, str(shaken)], check=True, cwd=tmp_path)
    for ending in ("csv", "npz", "parquet", "tum"):
        here = written(motion, tmp_path / f"here.{ending}")
        assert (tmp_path / f"there.{ending}").read_bytes() == here, ending


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda motion: pickle.loads(pickle.dumps(motion))])
def test_a_copy_outlives_its_original(twin, log, tmp_path):
    motion = inertial.fuse(log, filter="vqf")
    expected = written(motion, tmp_path / "motion.csv")
    values = {name: motion[name].copy() for name in motion.columns}
    same = twin(motion)
    del motion
    for _ in range(3):
        inertial.fuse(log, filter="mahony")
    for name, numbers in values.items():
        assert np.array_equal(same[name], numbers, equal_nan=True)
    assert not same.quaternion.flags.writeable
    assert same.with_order("wxyz").quaternion.shape == (len(same), 4)
    assert written(same, tmp_path / "same.csv") == expected


@pytest.mark.parametrize(
    "options",
    [
        {"frame": "xTrueNorthZVertical", "latitude": 48, "longitude": 11, "date": "2024-05-17"},
        {"recognitions": "shake,steps", "rate": 50, "gaps": "split"},
        {"smooth": True, "columns_out": "time,attitudeSigmaX,quaternionW"},
        {"channels": ["barometer", "location"]},
    ],
)
def test_a_pickle_keeps_what_was_asked_for(options, tmp_path):
    from conftest import HOME

    motion = inertial.fuse(HOME / "Notebooks-data" / "logs" / "outing.csv", **options)
    same = pickle.loads(pickle.dumps(motion))
    assert same.facts == motion.facts
    for ending in ("csv", "npz"):
        assert written(same, tmp_path / f"same.{ending}") == written(motion, tmp_path / f"motion.{ending}"), ending


def test_a_pickle_of_arrays_writes_as_they_do(arrays, tmp_path):
    motion = inertial.fuse(**arrays)
    same = pickle.loads(pickle.dumps(motion))
    assert written(same, tmp_path / "same.npz") == written(motion, tmp_path / "motion.npz")


def test_every_result_can_be_pickled(log):
    recording = inertial.read(log)
    same = pickle.loads(pickle.dumps(recording))
    assert np.array_equal(same.rotation_rate.values, recording.rotation_rate.values)
    assert len(inertial.fuse(same)) == len(inertial.fuse(log))
    found = inertial.inspect(log)
    assert pickle.loads(pickle.dumps(found)).facts == found.facts == copy.deepcopy(found).facts
    estimator = inertial.Estimator(filter="vqf")
    for index in range(200):
        samples = estimator.update(index / 100, [0, 0, 0], [0, 0, -1])
    assert repr(pickle.loads(pickle.dumps(samples[-1])).to_dict()) == repr(samples[-1].to_dict())
    error = pickle.loads(pickle.dumps(inertial.DataError("a line")))
    assert isinstance(error, inertial.DataError) and str(error) == "a line"
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            attempt(inertial.fuse(log)._answer)


def rows_of(estimator, times):
    """Feeds samples of a device that rotates and is shaken, and returns the rows as numbers."""
    rows = []
    for index in times:
        time = index / 100
        shake = 3 * np.sin(30 * time) if 400 <= index < 700 else 0.0
        field = [20, 0, -40] if index % 4 == 0 else None
        rows += estimator.update(time, [0.1, 0.2 * np.cos(time), 0.5], [shake, 0, -1], field)
    return [list(row.to_dict().values()) for row in rows]


def in_another_process(state):
    estimator = inertial.Estimator(filter="mahony")
    estimator.state = state
    return rows_of(estimator, range(500, 1200)) + [list(row.to_dict().values()) for row in estimator.finish()]


def test_an_estimator_continues_from_its_state_in_another_process_and_as_a_copy():
    options = {"filter": "vqf", "recognitions": ["shake", "steps"], "order": "wxyz"}
    whole = inertial.Estimator(**options)
    expected = rows_of(whole, range(1200)) + [list(row.to_dict().values()) for row in whole.finish()]
    begun = inertial.Estimator(**options)
    first = rows_of(begun, range(500))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = first + pool.apply(in_another_process, (begun.state,))
    assert np.array_equal(found, expected, equal_nan=True) and len(found) == 1200
    first += rows_of(begun, range(500, 600))
    next_rows = expected[len(first) : len(first) + 100]
    for same in (copy.copy(begun), copy.deepcopy(begun), pickle.loads(pickle.dumps(begun))):
        assert same.columns == begun.columns and same._order == "wxyz"
        assert np.array_equal(rows_of(same, range(600, 700)), next_rows, equal_nan=True)
    assert np.array_equal(first, expected[: len(first)], equal_nan=True)
    with pytest.raises(inertial.UsageError, match="not the state"):
        begun.state = b"{}"
    with pytest.raises(TypeError):
        begun.state = "a text"
    assert np.array_equal(rows_of(begun, range(600, 700)), next_rows, equal_nan=True)


@pytest.mark.skipif("fork" not in METHODS, reason="this system does not fork")
def test_a_forked_child_calls_as_its_parent_does(log, arrays, tmp_path):
    motion = inertial.fuse(log)
    endings = ["csv", "npz", "parquet", "tum"]
    try:
        motion.write(tmp_path / "parent.h5")
        endings.append("h5")
    except inertial.DataError:
        pass  # A build without HDF5.
    expected = {ending: written(motion, tmp_path / f"parent.{ending}") for ending in endings}
    inertial.fuse_to(log, tmp_path / "parent.mcap", relative_time=True)
    inertial.fuse_to(log, tmp_path / "parent.euroc")
    estimator = inertial.Estimator(filter="vqf")

    def work():
        for ending, content in expected.items():
            assert written(motion, tmp_path / f"held.{ending}") == content
            assert written(inertial.fuse(log), tmp_path / f"child.{ending}") == content
            inertial.fuse_to(log, tmp_path / f"direct.{ending}", force=True)
            assert (tmp_path / f"direct.{ending}").read_bytes() == content
        inertial.fuse_to(log, tmp_path / "child.mcap", relative_time=True)
        assert (tmp_path / "child.mcap").read_bytes() == (tmp_path / "parent.mcap").read_bytes()
        inertial.fuse_to(log, tmp_path / "child.euroc")
        assert np.array_equal(inertial.fuse(**arrays, smooth=True).quaternion, smoothed, equal_nan=True)
        for function in (inertial.shakes, inertial.activity, inertial.steps, inertial.inspect, inertial.read):
            function(log)
        inertial.evaluate(log, filters=["vqf", "mekf"], reference=log.parent / "truth.csv", reference_frame="nwu")
        for index in range(200):
            estimator.update(index / 100, [0, 0, 0], [0, 0, -1])
        with pytest.raises(inertial.DataError):
            inertial.fuse("none.csv")
        # Also a child of the child.
        assert in_child(lambda: inertial.fuse(log))

    smoothed = inertial.fuse(**arrays, smooth=True).quaternion.copy()
    assert in_child(work)
    # The parent still works.
    assert written(motion, tmp_path / "parent.csv") == expected["csv"]


@pytest.mark.skipif("fork" not in METHODS, reason="this system does not fork")
def test_threads_of_a_forked_child_call_beside_one_another(log):
    inertial.fuse(log)

    def work():
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            rows = list(pool.map(lambda _: len(inertial.fuse(log)), range(40)))
        assert len(set(rows)) == 1
        # Only the library's own lock, by the thread that forked and by others.
        def hammer():
            for _ in range(300_000):
                _library._library.inertial_release(0, None, 0)

        threads = [threading.Thread(target=hammer) for _ in range(4)]
        for thread in threads:
            thread.start()
        hammer()
        for thread in threads:
            thread.join()

    assert in_child(work)


@pytest.mark.parametrize("method", METHODS)
def test_pools_of_processes_give_results_back(method, log, shaken, tmp_path):
    expected = [fused_rows(path) for path in (log, shaken)]
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        # A worker that hangs ends the test, and not the whole run.
        rows = pool.map_async(fused_rows, [log, shaken] * 2).get(120)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        rows += list(pool.map(fused_rows, [log, shaken], timeout=120))
    for index, motion in enumerate(rows):
        whole = expected[index % 2]
        assert np.array_equal(motion.quaternion, whole.quaternion)
        assert written(motion, tmp_path / "worker.csv") == written(whole, tmp_path / "parent.csv")
