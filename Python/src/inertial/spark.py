"""Many recordings on many machines, with Apache Spark: `pip install inertial[spark]`.

Each recording is a task of its own: an executor reads it, fuses it and writes one Parquet file, under a name that only the
recording decides, which appears when it is whole. So a task that is done twice, because its executor was lost or was slow,
leaves one file, and the files are those that one core writes, byte for byte. A recording that cannot be fused is a row in
the table of errors.

The paths must be the same on all machines: a shared file system, or a mounted object store.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Union

from ._api import fuse_to
from ._errors import InertialError, UsageError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Report", "fuse", "fuse_locally"]

_SCHEMA = "recording string, input string, output string, rows long, sha256 string, seconds double, error string"


class Report(NamedTuple):
    """What came of a run: a row for each recording, in one of two tables."""

    #: `recording`, `input`, `output`, `rows`, `sha256` of the file, `seconds` that it took.
    done: "DataFrame"
    #: `recording`, `input`, `error`: one line that says what is wrong and what to do.
    errors: "DataFrame"


def _plan(paths: Iterable[Union[str, "os.PathLike[str]"]], output: str) -> List[Dict[str, str]]:
    """Which recording goes where; two that would have one name are refused."""
    plan: Dict[str, Dict[str, str]] = {}
    for path in sorted({os.fspath(path) for path in paths}):
        # As `inertial fuse --partition` names them; "=" and "/" mean something in a partition's name.
        stem = Path(path).name.split(".")[0] if Path(path).suffix else Path(path).name
        name = "".join(c if c.isalnum() or c in "-_." else "_" for c in stem)
        target = f"{output}/recording={name}/data.parquet"
        if name in plan:
            raise UsageError(f"{plan[name]['input']} and {path} would both be recording={name}; fuse them apart")
        plan[name] = {"recording": name, "input": path, "output": target}
    if not plan:
        raise UsageError("there are no recordings; give paths of logs")
    return list(plan.values())


def _fused(item: Dict[str, str], options: Dict[str, Any]) -> Dict[str, Any]:
    """Fuses one recording to its file; what is wrong with it is told and not raised."""
    start = time.perf_counter()
    row: Dict[str, Any] = {**item, "rows": None, "sha256": None, "seconds": None, "error": None}
    try:
        Path(item["output"]).parent.mkdir(parents=True, exist_ok=True)
        facts = fuse_to(item["input"], item["output"], format="parquet", force=True, **options)
        row.update(rows=facts["rows"], sha256=hashlib.sha256(Path(item["output"]).read_bytes()).hexdigest())
    except (InertialError, OSError) as error:
        row["error"] = str(error)
    row["seconds"] = time.perf_counter() - start
    return row


def fuse_locally(
    paths: Iterable[Union[str, "os.PathLike[str]"]], output: Union[str, "os.PathLike[str]"], **options: Any
) -> List[Dict[str, Any]]:
    """What `fuse` does, one recording after the other in this process: for a look at a few, and to compare."""
    return [_fused(item, options) for item in _plan(paths, os.fspath(output))]


def fuse(
    spark: "SparkSession",
    paths: Iterable[Union[str, "os.PathLike[str]"]],
    output: Union[str, "os.PathLike[str]"],
    *,
    tasks: Optional[int] = None,
    **options: Any,
) -> Report:
    """Fuses recordings in Spark's executors into a table partitioned by `recording`.

    Args:
        spark: the session.
        paths: of the recordings, as the executors see them.
        output: the table's folder: `recording=NAME/data.parquet` in it.
        tasks: how many; default: one for each recording, so that a lost executor loses little.
        options: of `inertial.fuse`: `filter`, `smooth`, `frame`, `parameters`, `rate` ...

    Returns:
        Tables of what was done, and of what could not be. Both are small and in the driver already.
    """
    import pyarrow

    if tasks is not None and tasks < 1:
        raise UsageError(f"tasks is a number of tasks, 1 or more, not {tasks}")
    plan = _plan(paths, os.fspath(output))

    def work(batches: "Iterator[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
        for batch in batches:
            for item in batch.to_pylist():
                row = _fused(item, options)
                types = [pyarrow.string()] * 3 + [
                    pyarrow.int64(), pyarrow.string(), pyarrow.float64(), pyarrow.string()]  # fmt: skip
                arrays = [pyarrow.array([value], type) for value, type in zip(row.values(), types)]
                yield pyarrow.RecordBatch.from_arrays(arrays, names=list(row))

    # A range of numbers spreads evenly; a table of a few rows would be one task.
    numbers = spark.sparkContext.parallelize(range(len(plan)), min(tasks or len(plan), len(plan)))
    listed = spark.createDataFrame(numbers.map(lambda index: tuple(plan[index].values())), "recording string, input string, output string")
    # Collected once: a second look at the table would fuse everything again.
    rows = [row.asDict() for row in listed.mapInArrow(work, _SCHEMA).collect()]
    done = [row for row in rows if row["error"] is None]
    errors = [{name: row[name] for name in ("recording", "input", "error")} for row in rows if row["error"] is not None]
    return Report(
        spark.createDataFrame([tuple(row.values())[:-1] for row in done], _SCHEMA.rsplit(",", 1)[0]),
        spark.createDataFrame([tuple(row.values()) for row in errors], "recording string, input string, error string"),
    )
