"""Fusion of many recordings on many machines, with Apache Spark: `pip install inertial[spark]`.

Each recording is fused by one task, which writes one Parquet file. The file's name depends on the recording only, and the file
appears when it is complete. So a task that runs twice, because its executor was lost or slow, leaves one file, and the files
are byte-identical to the files of a single core. A recording that cannot be fused is a row in the table of errors.

A second run does what is left: the folder `_fused` of the output has a note on each finished recording, and recordings whose
log and options are unchanged are not fused again. Each recording is fused in a child process of the executor, so one that takes
too long, or that ends the process, is an error and no more.

The paths must be the same on all machines: a shared file system, or URIs such as `s3://bucket/walk.csv` and `hdfs://...`,
which are read and written through pyarrow's file systems.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote

from ._api import check_options
from ._errors import UsageError
from ._library import version
from ._request import text

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Report", "fuse", "fuse_locally", "read"]

Recordings = Union[Iterable[Union[str, "os.PathLike[str]"]], "DataFrame", Any]

_FACTS = ("input", "output", "rows", "sha256", "seconds", "skipped", "error")
_TYPES = "input string, output string, rows long, sha256 string, seconds double, skipped boolean, error string"
_NOTES = "_fused"


class Report(NamedTuple):
    """The result of a run: one row per recording, in one of two tables."""

    #: The keys, `input`, `output`, `rows`, `sha256` of the file, `seconds` of the task, and whether it was finished before.
    done: "DataFrame"
    #: The keys, `input`, `error`: one line with the problem and its remedy.
    errors: "DataFrame"


class _Item(NamedTuple):
    """A recording: its keys in the order of the partitions, its log and its dataset."""

    keys: Dict[str, str]
    input: str
    output: str


def _rows(recordings: Recordings) -> List[Dict[str, Any]]:
    """Returns the columns of each recording: `path`, and its keys."""
    if hasattr(recordings, "toPandas"):
        recordings = recordings.toPandas()
    if hasattr(recordings, "to_dict") and hasattr(recordings, "columns"):
        return list(recordings.to_dict("records"))
    if hasattr(recordings, "to_dicts"):
        return list(recordings.to_dicts())
    return [dict(row) if isinstance(row, Mapping) else {"path": row} for row in recordings]


def _plan(recordings: Recordings, output: str) -> List[_Item]:
    """Returns the recordings, the longest first. Two recordings with the same keys are refused."""
    plan: Dict[str, _Item] = {}
    for row in _rows(recordings):
        if row.get("path") is None:
            raise UsageError(f"a recording has the columns path and its keys, such as person and day; not {row!r}")
        path = os.fspath(row["path"])
        keys = {str(name): _value(name, value) for name, value in row.items() if name not in ("path", "recording")}
        # The names match `inertial fuse --partition`.
        keys["recording"] = _value("recording", row["recording"]) if row.get("recording") is not None else _stem(path)
        folder = "/".join(f"{name}={_escaped(value)}" for name, value in keys.items())
        target = f"{output}/{folder}/data.parquet"
        if target in plan:
            if plan[target].input == path:
                continue
            raise UsageError(
                f"{plan[target].input} and {path} would both be {folder}; add a column that distinguishes them, such as person")
        plan[target] = _Item(keys, path, target)
    if not plan:
        raise UsageError("there are no recordings; give paths of logs")
    names = {tuple(item.keys) for item in plan.values()}
    if len(names) > 1:
        raise UsageError(f"the recordings have different keys: {' and '.join(map(', '.join, sorted(names)))}")
    return sorted(plan.values(), key=lambda item: (-_size(item.input), item.output))


def _value(name: Any, value: Any) -> str:
    text = "" if value is None or value != value else str(value)
    if not text:
        raise UsageError(f"a recording has no {name}; fill the column, or leave it out")
    return text


def _stem(path: str) -> str:
    name = posixpath.basename(path.rstrip("/"))
    stem = name.split(".")[0] if Path(name).suffix else name
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in stem)


def _escaped(value: str) -> str:
    """Returns a value for a folder's name, in which Spark decodes percent signs."""
    return quote(value, safe=" ,;@+-_.~()")


def _size(path: str) -> int:
    """Returns the size of a log in bytes; 0 if it is unknown on this machine."""
    try:
        if os.path.isdir(path):
            return sum(entry.stat().st_size for entry in os.scandir(path) if entry.is_file())
        return os.stat(path).st_size
    except OSError:
        return 0


class _Worker:
    """A child process that fuses recordings one by one, and is replaced when it ends or takes too long."""

    def __init__(self) -> None:
        words = [sys.executable, "-c", "from inertial.spark import _serve; _serve()"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request: Dict[str, Any], limit: Optional[float]) -> Dict[str, Any]:
        """Returns the answer to a request, or its error."""
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None and sink is not None
        try:
            sink.write(json.dumps(request).encode() + b"\n")
            sink.flush()
            if not select.select([source], [], [], limit)[0]:
                self.end()
                return {"error": f"{request['input']}: took more than {limit:g} s; raise limit, or look at the log"}
            line = source.readline()
        except OSError:
            line = b""
        if line.endswith(b"\n"):
            answer: Dict[str, Any] = json.loads(line)
            return answer
        status = self.end()
        reason = f"signal {-status}" if status < 0 else f"status {status}"
        return {"error": f"{request['input']}: its process ended with {reason}; report it, with the log"}

    def end(self) -> int:
        if not self.has_ended:
            self._process.kill()
        return self._process.wait()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None


_worker: Optional[_Worker] = None


def _serve() -> None:
    """Answers the requests in standard input, one per line, until it ends."""
    import warnings

    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    # Other output must not look like an answer.
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(_answer(json.loads(line))) + "\n")
        answers.flush()


def _answer(request: Dict[str, Any]) -> Dict[str, Any]:
    """Fuses a recording, in this process."""
    from ._api import fuse_to
    from ._errors import InertialError

    try:
        with _local(request["input"], request["output"]) as (source, target):
            facts = fuse_to(source, target, format="parquet", force=True, **request["options"])
            return {"rows": facts["rows"], "sha256": hashlib.sha256(Path(target).read_bytes()).hexdigest()}
    except (InertialError, OSError) as error:
        return {"error": str(error)}


class _local:
    """A log and its dataset as local files: URIs are copied, the dataset when it is complete."""

    def __init__(self, source: str, target: str) -> None:
        self._paths = (source, target)
        self._folder = tempfile.TemporaryDirectory(prefix="inertial-")

    def __enter__(self) -> Tuple[str, str]:
        source, target = self._paths
        if "://" in source:
            system, path = _file_system(source)
            source = os.path.join(self._folder.name, posixpath.basename(path))
            with system.open_input_stream(path) as remote, open(source, "wb") as file:
                while block := remote.read(1 << 20):
                    file.write(block)
        self._made = os.path.join(self._folder.name, "data.parquet") if "://" in target else target
        if "://" not in target:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        return source, self._made

    def __exit__(self, kind: Any, *_: Any) -> None:
        target = self._paths[1]
        if kind is None and "://" in target:
            system, path = _file_system(target)
            system.create_dir(posixpath.dirname(path), recursive=True)
            # The rename makes the file appear when it is complete; an object store has no partial objects.
            with open(self._made, "rb") as file, system.open_output_stream(path + ".part") as remote:
                while block := file.read(1 << 20):
                    remote.write(block)
            system.move(path + ".part", path)
        self._folder.cleanup()


def _file_system(uri: str) -> Tuple[Any, str]:
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(uri.replace("s3a://", "s3://"))
    return system, path


def _stamp(path: str) -> Optional[List[int]]:
    """Returns the size and the time of the last change of a log, or `None` if they are unknown."""
    try:
        if "://" in path:
            system, local = _file_system(path)
            info = system.get_file_info(local)
            return None if info.size is None else [info.size, info.mtime_ns or 0]
        facts = os.stat(path)
        return [_size(path), facts.st_mtime_ns]
    except OSError:
        return None


def _note(item: _Item) -> str:
    """Returns the path of the note on a finished recording. Spark ignores names that begin with a line."""
    root = item.output[: -len("/data.parquet")]
    for _ in item.keys:
        root = posixpath.dirname(root)
    name = hashlib.sha256(json.dumps(item.keys).encode()).hexdigest()[:32]
    return f"{root}/{_NOTES}/{name}.json"


def _read_note(path: str) -> Dict[str, Any]:
    try:
        if "://" in path:
            system, local = _file_system(path)
            with system.open_input_stream(local) as file:
                note: Dict[str, Any] = json.loads(file.read())
        else:
            note = json.loads(Path(path).read_text())
        return note
    except (OSError, ValueError):
        return {}


def _write_note(path: str, note: Dict[str, Any]) -> None:
    content = json.dumps(note).encode()
    if "://" in path:
        system, local = _file_system(path)
        system.create_dir(posixpath.dirname(local), recursive=True)
        with system.open_output_stream(local) as file:
            file.write(content)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}.{os.getpid()}"
    Path(part).write_bytes(content)
    os.replace(part, path)


def _exists(path: str) -> bool:
    if "://" not in path:
        return os.path.exists(path)
    system, local = _file_system(path)
    return bool(system.get_file_info(local).is_file)


def _fused(item: _Item, options: Dict[str, Any], limit: Optional[float] = None, again: bool = True) -> Dict[str, Any]:
    """Fuses one recording to its file in the child process. Errors are reported in the row and not raised."""
    global _worker
    start = time.perf_counter()
    row: Dict[str, Any] = {**dict.fromkeys(_FACTS), **item.keys, "input": item.input, "output": item.output, "skipped": False}
    request = {"input": item.input, "output": item.output, "options": options}
    described = {"options": text(options), "input": item.input, "stamp": _stamp(item.input), "version": version()}
    note = _read_note(_note(item))
    if not again and described["stamp"] and note.get("described") == described and _exists(item.output):
        row.update(rows=note["rows"], sha256=note["sha256"], skipped=True)
    else:
        if _worker is None or _worker.has_ended:
            _worker = _Worker()
        answer = _worker.ask(request, limit)
        row.update(answer)
        if "error" not in answer:
            _write_note(_note(item), {"described": described, **answer})
    row["seconds"] = time.perf_counter() - start
    return row


def fuse_locally(
    recordings: Recordings, output: Union[str, "os.PathLike[str]"], *, limit: Optional[float] = None, again: bool = False,
    **options: Any,
) -> List[Dict[str, Any]]:  # fmt: skip
    """Fuses recordings one after the other on this machine, for small sets and comparisons, with the arguments of `fuse`."""
    check_options(options)
    return [_fused(item, options, limit, again) for item in _plan(recordings, os.fspath(output))]


def fuse(
    spark: "SparkSession",
    recordings: Recordings,
    output: Union[str, "os.PathLike[str]"],
    *,
    tasks: Optional[int] = None,
    limit: Optional[float] = None,
    again: bool = False,
    **options: Any,
) -> Report:
    """Fuses recordings in Spark's executors into a table partitioned by the recordings' keys.

    Args:
        spark: the session.
        recordings: the paths of the recordings on the executors; or a DataFrame of Spark, pandas or polars, or a list of
            mappings, with the column `path` and the keys, such as `person`, `session`, `recording` and `day`. All keys are
            strings, so that `001` and `1` differ. Default of `recording`: the name of the log.
        output: the table's folder, which gets `person=001/recording=NAME/data.parquet`.
        tasks: the number of tasks. Default: one per recording, so that a lost executor loses little.
        limit: the longest time for one recording, in seconds. Default: no limit.
        again: whether recordings that were finished by an earlier run are fused again.
        options: the options of `inertial.fuse`: `filter`, `smooth`, `frame`, `parameters`, `rate` ... They are checked before
            the first task.

    Returns:
        The tables of fused recordings and of errors. Both are small and already in the driver.
    """
    if tasks is not None and tasks < 1:
        raise UsageError(f"tasks is a number of tasks, 1 or more, not {tasks}")
    if limit is not None and not limit > 0:
        raise UsageError(f"limit is a number of seconds above 0, not {limit}")
    check_options(options)
    plan = _plan(recordings, os.fspath(output))
    names = list(plan[0].keys)
    schema = ", ".join([*(f"`{name}` string" for name in names), _TYPES])

    def work(batches: "Iterator[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
        import pyarrow

        types = [pyarrow.string()] * (len(names) + 2) + [
            pyarrow.int64(), pyarrow.string(), pyarrow.float64(), pyarrow.bool_(), pyarrow.string()]  # fmt: skip
        for batch in batches:
            for given in batch.to_pylist():
                item = _Item({name: given[name] for name in names}, given["input"], given["output"])
                row = _fused(item, options, limit, again)
                values = [row[name] for name in (*names, *_FACTS)]
                arrays = [pyarrow.array([value], type) for value, type in zip(values, types)]
                yield pyarrow.RecordBatch.from_arrays(arrays, names=[*names, *_FACTS])

    # A range is distributed evenly; a table of a few rows would be one task.
    numbers = spark.sparkContext.parallelize(range(len(plan)), min(tasks or len(plan), len(plan)))
    columns = ", ".join([*(f"`{name}` string" for name in names), "input string", "output string"])
    rows = [(*item.keys.values(), item.input, item.output) for item in plan]
    listed = spark.createDataFrame(numbers.map(lambda index: rows[index]), columns)
    # Collected once, because a second evaluation of the table would fuse everything again.
    found = [tuple(row) for row in listed.mapInArrow(work, schema).collect()]
    done = [row[:-1] for row in found if row[-1] is None]
    errors = [(*row[: len(names) + 1], row[-1]) for row in found if row[-1] is not None]
    failed = ", ".join([*(f"`{name}` string" for name in names), "input string", "error string"])
    return Report(spark.createDataFrame(done, schema.rsplit(",", 1)[0]), spark.createDataFrame(errors, failed))


def read(spark: "SparkSession", output: Union[str, "os.PathLike[str]"]) -> "DataFrame":
    """Reads a table that `fuse` wrote, with all keys as strings: Spark by itself reads `001` and `1` as the same number."""
    name = "spark.sql.sources.partitionColumnTypeInference.enabled"
    before = spark.conf.get(name, "true")
    spark.conf.set(name, "false")
    try:
        return spark.read.parquet(os.fspath(output))
    finally:
        spark.conf.set(name, str(before))
