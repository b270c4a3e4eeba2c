"""Fusion of many recordings on many machines, with Apache Spark: `pip install inertial[spark]`.

Each recording is a separate task: an executor reads it, fuses it and writes one Parquet file. The file's name depends on
the recording only, and the file appears when it is complete. So a task that runs twice, because its executor was lost or
slow, leaves one file, and the files are byte-identical to the files of a single core. A recording that cannot be fused is a
row in the table of errors.

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
    """The result of a run: one row per recording, in one of two tables."""

    #: `recording`, `input`, `output`, `rows`, `sha256` of the file, `seconds` of the task.
    done: "DataFrame"
    #: `recording`, `input`, `error`: one line with the problem and its remedy.
    errors: "DataFrame"


def _plan(paths: Iterable[Union[str, "os.PathLike[str]"]], output: str) -> List[Dict[str, str]]:
    """Returns the output path of each recording. Two recordings with the same name are refused."""
    plan: Dict[str, Dict[str, str]] = {}
    for path in sorted({os.fspath(path) for path in paths}):
        # The names match `inertial fuse --partition`; "=" and "/" are special in partition names.
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
    """Fuses one recording to its file. Errors are reported in the row and not raised."""
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
    """Fuses recordings one after the other in this process, for small sets and comparisons."""
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
        paths: the paths of the recordings on the executors.
        output: the table's folder, which gets `recording=NAME/data.parquet`.
        tasks: the number of tasks. Default: one per recording, so that a lost executor loses little.
        options: the options of `inertial.fuse`: `filter`, `smooth`, `frame`, `parameters`, `rate` ...

    Returns:
        The tables of fused recordings and of errors. Both are small and already in the driver.
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

    # A range is distributed evenly; a table of a few rows would be one task.
    numbers = spark.sparkContext.parallelize(range(len(plan)), min(tasks or len(plan), len(plan)))
    listed = spark.createDataFrame(numbers.map(lambda index: tuple(plan[index].values())), "recording string, input string, output string")
    # Collected once, because a second evaluation of the table would fuse everything again.
    rows = [row.asDict() for row in listed.mapInArrow(work, _SCHEMA).collect()]
    done = [row for row in rows if row["error"] is None]
    errors = [{name: row[name] for name in ("recording", "input", "error")} for row in rows if row["error"] is not None]
    return Report(
        spark.createDataFrame([tuple(row.values())[:-1] for row in done], _SCHEMA.rsplit(",", 1)[0]),
        spark.createDataFrame([tuple(row.values()) for row in errors], "recording string, input string, error string"),
    )
