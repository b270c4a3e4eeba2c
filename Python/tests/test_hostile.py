"""Hostile calls: any shapes, types, strides, numbers, requests and handles yield an answer or an error.

INERTIAL_HOSTILE_CALLS is the number of calls; the same seed makes the same calls.
"""

import ctypes
import os
import random
import threading
from ctypes import byref, c_char_p, c_double, c_int32, c_ssize_t, c_uint64, c_void_p

import numpy as np

import inertial
from inertial import _library

CALLS = int(os.environ.get("INERTIAL_HOSTILE_CALLS", "600"))
SEED = int(os.environ.get("INERTIAL_HOSTILE_SEED", "1"))
library = _library._library

NAMES = [facts["name"] for facts in inertial.filters()]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 9.81, 1e-320, 1e308, -1e308, float("nan"), float("inf"), float("-inf"), 1e17, 1.7e18]
DTYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "u1", "u8", "?", ">f8", ">i4", "c16", "M8[ns]", "m8[s]", "O", "S4", "U2"]
OPTIONS = [
    '"smooths": true', '"filter": "vqf"', '"filter": ""', '"filter": "\\udcff"', '"filter": "\\u0000"', '"filter": 7', '"rate": 1e999',
    '"rate": -1', '"rate": 0', '"rate": "NaN"', '"rate": null', '"log": {"sampleRate": 100}', '"log": {"sampleRate": 1e-6}',
    '"log": []', '"log": {"calibration": "/dev/null"}', '"log": {"calibration": {}}', '"log": {"axes": "x,x,x"}',
    '"log": {"axes": ["-y,x,z", 1]}', '"log": {"columns": "time,-,accelerationX"}', '"log": {"timeUnit": "ns"}',
    '"log": {"rotationUnit": "deg/s", "accelerationUnit": "m/s2"}', '"log": {"conditions": [{"column": "a"}]}',
    '"motion": {"frame": "xMagneticNorthZVertical"}', '"motion": {"frame": "xTrueNorthZVertical"}', '"motion": {"frame": 3}',
    '"motion": {"longestInterpolation": 60}', '"motion": {"limits": {"calibratedField": [9, 1]}}', '"gaps": "hold"', '"gaps": "x"',
    '"strict": true', '"aligns": true', '"recognitions": "shake,steps,activity,altitude"', '"recognitions": []', '"columns": []',
    '"columns": "time"', '"settings": {"x": 1}', '"settings": {"": "", ".": 1}', '"settings": {"vqf.tauAcc": "Infinity"}',
    '"location": {"latitude": 91, "longitude": 0}', '"location": {"latitude": 1}', '"date": "0000-00-00"', '"digits": 99',
    '"digits": 1.5', '"formats": "csv"', '"channels": "all"', '"writesUnits": true', '"startsAtZero": true', '"about": {"a": 1}',
    '"sound": {"path": "/dev/null"}', '"sound": {}', '"track": {"height": 0}', '"bids": {"subject": "-"}', '"x": "' + "x" * 5000 + '"',
    '"\u00fc\u202e\x1b[31m": 1', '"filter"', "[" * 2000, '"job": "filters"', '"names": ["vqf", ""]', '"input": ""',
]  # fmt: skip
RESTS = ([0, 0, 0.0], [0, 0, -1.0], [20.0, 0, -40])
JOBS = ["fuse", "read", "inspect", "evaluate", "shake", "activity", "steps", "altitude", "filters", "formats", "", "x"]
HEADERS = ["time", "pressure", "quaternionX", "", "Gyroscope X (deg/s)", "heading", "segment", "movement"] + [
    name + axis for name in ("acceleration", "rotationRate", "magneticField", "gravity", "userAcceleration") for axis in "XYZ"
]


class Hostile:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.handles = [0, 1, 2**64 - 1]
        self.outcomes = {}

    def array(self, *shape):
        kind = self.random.randrange(6)
        values = self.numbers.normal(size=shape) * self.random.choice([1, 1e-9, 100, 1e300])
        if kind == 0:
            values = np.full(shape, self.random.choice(NUMBERS))
        elif kind == 1 and values.size:
            for _ in range(3):
                values.flat[self.random.randrange(values.size)] = self.random.choice(NUMBERS)
        elif kind == 2:
            values = np.cumsum(np.full(shape, self.random.choice([0.01, 0, -0.01, 1e6])), axis=0) if values.size else values
        with np.errstate(all="ignore"):
            try:
                values = values.astype(self.random.choice(DTYPES)) if self.random.random() < 0.4 else values
            except (ValueError, TypeError, OverflowError):
                pass
        view = self.random.randrange(5)
        if view == 0:
            return values[::-1]
        if view == 1:
            return values[::2]
        if view == 2 and values.ndim == 2:
            return values.T
        if view == 3 and len(shape) and shape[0]:
            return np.broadcast_to(values[:1], shape)
        return values

    def rows(self):
        return self.random.choice([0, 1, 2, 3, 7, 50, 200, 1500])

    def options(self):
        """Returns an object with a few members, in JSON or not quite."""
        members = [self.random.choice(OPTIONS) for _ in range(self.random.randrange(4))]
        return "{" + ", ".join(members) + self.mostly("}", "", "}}")

    # Each is one call, which may raise only exceptions of Python or of the package.

    def mostly(self, good, *bad):
        return good if self.random.random() < 0.93 else self.random.choice(bad)

    def sensor(self, rows, rest):
        """Returns a sensor at rest with noise and a few damaged numbers; occasionally arbitrary data."""
        if self.random.random() < 0.2:
            return self.array(rows, self.mostly(3, 2, 0))
        values = np.tile(rest, (rows, 1)) + self.numbers.normal(0, 0.01, (rows, 3))
        for _ in range(self.random.randrange(3) if values.size else 0):
            values.flat[self.random.randrange(values.size)] = self.random.choice(NUMBERS)
        return self.random.choice([values, values[:, ::-1][:, ::-1], np.asfortranarray(values), values.astype("f4")])

    def arrays(self):
        rows = self.rows()
        other = self.mostly(rows, self.rows())
        options = {
            "acceleration": self.sensor(other, [0, 0, -1.0]),
            "rotation_rate": self.mostly(self.sensor(rows, [0, 0, 0.0]), None),
            "magnetic_field": self.sensor(rows, [20.0, 0, -40]) if self.random.random() < 0.4 else None,
        }
        if self.random.random() < 0.5:
            options["time"] = self.mostly(np.arange(rows) * 0.01, self.array(rows))
        else:
            options["sample_rate"] = self.mostly(100, 1, 1e6, 0, -5, float("nan"))
        motion = inertial.fuse(
            **options, filter=self.mostly(self.random.choice(NAMES), "none", ""), smooth=self.random.random() < 0.2,
            frame=self.mostly(self.random.choice([None, "xMagneticNorthZVertical"]), "nothing"),
            order=self.mostly(self.random.choice(["xyzw", "wxyz"]), "zyx"))  # fmt: skip
        for name in motion.columns:
            motion[name].sum()
        self.handles.append(motion._fused().handle)

    def table(self):
        rows = self.rows()
        table = {name: self.array(rows) for name in self.random.sample(HEADERS, self.random.randrange(1, 12))}
        table["time"] = np.arange(rows) * 0.01
        if self.random.random() < 0.6:
            for name, rest in (("acceleration", [0, 0, -1.0]), ("rotationRate", [0, 0, 0.0])):
                table.update(zip([name + axis for axis in "XYZ"], self.sensor(rows, rest).T))
        function = self.random.choice(
            [inertial.fuse, inertial.shakes, inertial.activity, inertial.steps, inertial.altitude, inertial.inspect,
             inertial.evaluate])  # fmt: skip
        function(table)

    def stream(self):
        estimator = inertial.Estimator(filter=self.random.choice(NAMES), rate=self.mostly(None, 50, -1, 1e9))
        for index in range(self.random.randrange(60)):
            time = index * 0.01 if self.random.random() < 0.95 else self.random.choice(NUMBERS)
            estimator.update(time, *(self.sensor(1, rest).ravel() if self.random.random() < 0.9 else None for rest in RESTS))
        estimator.finish()
        self.handles.append(estimator._stream.handle)

    def raw_request(self):
        """Calls the C function directly, with NULL pointers, negative counts and strides within the memory."""
        rows = self.rows()
        memory = np.zeros(rows * 8 + 64)
        memory[:] = self.numbers.normal(size=memory.size)
        names = self.random.sample(HEADERS, self.random.randrange(8))
        count = len(names)
        strides = [self.random.choice([0, 1, 3, 8, 24, 64]) for _ in names]
        values = [memory.ctypes.data + self.random.randrange(8) for _ in names]
        if rows > 1 and count and self.random.random() < 0.3:
            values[0], strides[0] = memory.ctypes.data + (rows - 1) * 8, -8
        if count and self.random.random() < 0.1:
            values[self.random.randrange(count)] = None
        types = [self.random.choice([0, 0, 0, 1, 2, 3, -1, 77]) for _ in names]
        job = '"job": "' + self.random.choice(JOBS) + '"'
        request = self.mostly("{" + job + ', "options": ' + self.options() + "}", "{" + job + "," + self.options()[1:])
        request = self.mostly(request.encode(), b"", b"\xff", b"null")
        answer = c_uint64()
        size = self.random.choice([0, 1, 2, 17, 4096])
        message = ctypes.create_string_buffer(b"\xff" * (size + 8), size + 8)

        def null(value):
            return None if self.random.random() < 0.05 else value

        code = library.inertial_request(
            null(request), null((c_char_p * count)(*[n.encode() for n in names])), null((c_void_p * count)(*values)),
            null((c_int32 * count)(*types)), null((c_ssize_t * count)(*strides)),
            self.random.choice([count] * 8 + [0, -1]), self.random.choice([rows] * 8 + [0, -1, -(2**63)]),
            _library._Progress(lambda _, share: int(self.random.random() < 0.05)), None, null(byref(answer)),
            null(message), size)  # fmt: skip
        assert code in (0, 1, 2, 3)
        assert message.raw[size : size + 8] == b"\xff" * 8, "written beyond the room"
        if answer.value:
            self.handles.append(answer.value)

    def raw_answer(self):
        handle = self.random.choice(self.handles)
        text, unit, n, m, address = c_char_p(), c_char_p(), c_ssize_t(), c_ssize_t(), c_void_p()
        place = self.random.choice([0, 0, 1, 2, -1, 2**62, -(2**63)])
        column = self.random.choice([0, 1, 21, 22, -1, 2**62])
        message = ctypes.create_string_buffer(100)
        codes = [
            library.inertial_answer_document(handle, byref(text), message, 100),
            library.inertial_answer_table_count(handle, byref(n), message, 100),
            library.inertial_answer_table(
                handle, place, byref(text), byref(n), byref(m), byref(address), None, None, 0),
            library.inertial_answer_column(handle, place, column, byref(text), byref(unit), message, 100),
            library.inertial_answer_write(handle, self.mostly(b'{"output": 1}', b"{", None), message, 100),
            library.inertial_stream_column(handle, column, byref(n), byref(text), byref(unit), message, 100),
        ]
        assert set(codes) <= {0, 1, 2}

    def raw_stream(self):
        stream = c_uint64()
        names = [self.random.choice(HEADERS).encode() for _ in range(self.random.randrange(12))]
        library.inertial_stream_begin(
            self.options().encode(), (c_char_p * len(names))(*names), len(names), byref(stream),
            None, 0)
        handle = stream.value or self.random.choice(self.handles)
        rows = (c_double * 4096)()
        count = c_ssize_t()
        for _ in range(self.random.randrange(20)):
            width = len(names) if self.random.random() < 0.8 else self.random.randrange(40)
            numbers = (c_double * max(width, 1))(*[self.random.choice(NUMBERS) for _ in range(width)])
            capacity = self.random.choice([0, 1, 16, 64, -1, -(2**63)])
            code = library.inertial_stream_update(handle, numbers, width, rows, capacity, byref(count), None, 0)
            assert code in (0, 1, 2) and 0 <= count.value <= max(capacity, 0)
        library.inertial_stream_finish(handle, None, 0, None, None, 0)
        if stream.value:
            self.handles.append(stream.value)

    def release(self):
        """Calls with released handles, handles of Python objects, and invented handles."""
        handle = self.random.choice(self.handles + [self.random.randrange(2**64)])
        library.inertial_release(handle, None, 0)
        assert library.inertial_release(handle, None, 0) == 2

    def call(self):
        action = self.random.choice(
            [self.arrays] * 5 + [self.table] * 3 + [self.stream, self.raw_request, self.raw_request, self.raw_request]
            + [self.raw_answer, self.raw_stream, self.release])  # fmt: skip
        try:
            action()
            outcome = "answer"
        except (inertial.InertialError, ValueError, TypeError, UnicodeError) as error:
            outcome = type(error).__name__
            assert str(error)
        self.outcomes[(action.__name__, outcome)] = self.outcomes.get((action.__name__, outcome), 0) + 1
        del self.handles[3 : max(3, len(self.handles) - 50)]


def run(seed, calls):
    hostile = Hostile(seed)
    for _ in range(calls):
        hostile.call()
    return hostile.outcomes


def test_a_hostile_caller_gets_an_answer_or_an_error(recwarn):
    outcomes = run(SEED, CALLS)
    print({f"{action} {outcome}": count for (action, outcome), count in sorted(outcomes.items())})
    # Some calls are refused and some are accepted.
    taken = sum(count for (action, outcome), count in outcomes.items() if action == "arrays" and outcome == "answer")
    refused = sum(count for (action, outcome), count in outcomes.items() if action == "arrays" and outcome != "answer")
    assert taken > CALLS // 50 and refused > CALLS // 50


def test_hostile_threads_get_answers_or_errors(recwarn):
    failures = []

    def work(seed):
        try:
            run(seed, CALLS // 8)
        except BaseException as error:  # An assertion in another thread would be lost.
            failures.append(repr(error))

    threads = [threading.Thread(target=work, args=(SEED + 100 + index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
