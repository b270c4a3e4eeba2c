"""The results for a log: filter errors, shakes, activities, steps, altitudes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List

if TYPE_CHECKING:
    import pandas


class Findings:
    """The result of a subcommand with `--json`. Its members are also attributes, in snake_case.

    `rows` is the list of results.
    """

    _list = "rows"

    def __init__(self, facts: Dict[str, Any]) -> None:
        #: The document as the command prints it.
        self.facts = facts

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "facts":
            raise AttributeError(name)
        head, *tail = name.split("_")
        key = head + "".join(word.capitalize() for word in tail)
        try:
            return self.facts[key]
        except KeyError:
            raise AttributeError(f"there is no {name}; there are {', '.join(self.facts)}") from None

    def _replace(self, text: str, other: str) -> None:
        """Replaces a string in all members of the document."""

        def replaced(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: replaced(member) for name, member in value.items()}
            if isinstance(value, list):
                return [replaced(member) for member in value]
            return value.replace(text, other) if isinstance(value, str) else value

        self.facts = replaced(self.facts)

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """The results in chronological order, or one row per log and filter."""
        return list(self.facts.get(self._list, []))

    @property
    def warnings(self) -> List[str]:
        """The warnings about the log, one line per warning."""
        return list(self.facts.get("warnings", []))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a DataFrame of pandas."""
        import pandas

        return pandas.json_normalize(self.rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} {self._list}>"


class Evaluation(Findings):
    """The errors of filters against a reference: one row per log and filter, and `summaries` per filter."""


class Shakes(Findings):
    """The shakes of a log (`start` and `end` in seconds, `score`, `axis`), and `phases` as a phone would report them."""

    _list = "events"


class Activities(Findings):
    """The activities of a log (`start` and `end` in seconds, `flags`, `confidence`), and `falls`."""

    _list = "segments"


class Steps(Findings):
    """`steps`, `distance` in metres, `step_times` in seconds; rows are cumulative counts, every 2.56 s of walking."""

    _list = "updates"


class Altitudes(Findings):
    """Altitudes in metres above the first, and vertical speeds in m/s, by time; `floors` ascended and descended."""

    _list = "samples"


class Inspection(Findings):
    """The contents and problems of a log: `findings`, `channels`, `rest` and so on."""

    _list = "findings"


class Calibration(Findings):
    """The calibration of a device: `calibration`, the document that `output` writes to a file for `fuse(calibration=PATH)`,
    and `quality`."""

    _list = "notes"


class Noise(Findings):
    """The noise of sensors at rest: one row per sensor, with the terms of each axis and the points of the curves."""

    _list = "sensors"


class EventEvaluation(Findings):
    """The scores of detectors, one row per detector and sensitivity, or of steps, one row per recording.

    The scores of activities are members such as `live` and `smoothed`.
    """

    @property
    def _list(self) -> str:  # type: ignore[override]
        return "recordings" if "recordings" in self.facts else "detectors"


class Simulated(Findings):
    """A simulated log: the paths `log` and `truth`, and the number of `samples`. It has no rows."""

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Simulated: {self.samples} samples in {self.log}>"


class Conversion(Findings):
    """A converted log: `channels` with their numbers of samples, and `remarks` about data that the format lacks."""

    _list = "channels"
