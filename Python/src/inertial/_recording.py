"""Raw samples of a log: the result of `read`."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Union

import numpy as np

from ._library import Answer, Table
from ._motion import Frame


class Stream(Frame):
    """The samples of one sensor on its own clock."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        #: The name of the sensor.
        self.name = table.name

    @property
    def values(self) -> "np.ndarray[Any, Any]":
        """All columns except the time, (samples, components)."""
        return self._many(self.columns[1:])


class Recording:
    """The samples of a log in Core Motion's units and signs, each sensor on its own clock, sorted by time.

    Missing, impossible and repeated samples are left out. `fuse(recording)` reads the log again with the same options;
    `fuse(path)` does not hold the samples in memory.
    """

    def __init__(self, answer: Answer, path: Union[str, "os.PathLike[str]"], options: Mapping[str, Any]) -> None:
        self._options = dict(options)
        #: The path of the log.
        self.path = os.fsdecode(path)
        # It is read again, also from another working directory.
        self._absolute = os.path.abspath(self.path)
        #: The sensors that have samples, by name: "gyroscope", "accelerometer" and so on.
        self.streams: Dict[str, Stream] = {table.name: Stream(table) for table in answer.tables()}
        #: The properties of the log: format, notes on inferred properties, epoch.
        self.facts: Dict[str, Any] = json.loads(answer.document)

    @property
    def warnings(self) -> List[str]:
        """The warnings about the log, one line per warning."""
        return list(self.facts["warnings"])

    def __getitem__(self, name: str) -> Stream:
        """Returns the stream of a sensor."""
        try:
            return self.streams[name]
        except KeyError:
            raise KeyError(f"the log has no {name}; it has {', '.join(self.streams)}") from None

    @property
    def acceleration(self) -> Stream:
        """The accelerometer, g, Core Motion's sign: (0, 0, -1) at rest face up."""
        return self["accelerometer"]

    @property
    def rotation_rate(self) -> Stream:
        """The gyroscope, rad/s, bias included."""
        return self["gyroscope"]

    @property
    def magnetic_field(self) -> Stream:
        """The magnetometer, µT, hard iron included."""
        return self["magnetometer"]

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {len(stream)}" for name, stream in self.streams.items())
        return f"<Recording {self.path!r}: {counts}>"
