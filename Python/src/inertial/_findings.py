"""What is found in a log: judged filters, shakes, activities, steps, altitudes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List

if TYPE_CHECKING:
    import pandas


class Findings:
    """What a subcommand tells with `--json`: its members by name, as attributes too, in snake_case.

    `rows` is the list of what was found.
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

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """What was found, in order of time, or a row for each log and filter."""
        return list(self.facts.get(self._list, []))

    @property
    def warnings(self) -> List[str]:
        """What the log is to be watched for, a line each."""
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
    """Errors of filters against a reference: a row for each log and filter, `summaries` for each filter."""


class Shakes(Findings):
    """The shakes of a log (`start` and `end` in seconds, `score`, `axis`), and `phases` as a phone would have told them."""

    _list = "events"


class Activities(Findings):
    """What a person did from when to when (`start` and `end` in seconds, `flags`, `confidence`), and `falls`."""

    _list = "segments"


class Steps(Findings):
    """`steps`, `distance` in metres, `step_times` in seconds; rows are the counts so far, every 2.56 s of walking."""

    _list = "updates"


class Altitudes(Findings):
    """Altitudes in metres above the first, and vertical speeds in m/s, by time; `floors` that were gone up and down."""

    _list = "samples"


class Inspection(Findings):
    """What is in a log, and what looks wrong with it: `findings`, `channels`, `rest` and so on."""

    _list = "findings"
