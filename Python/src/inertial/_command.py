"""Functions that draw or search, which run the package's command in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings as _warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import DataError, InertialError, InertialWarning, UsageError
from ._findings import Findings
from ._request import as_keywords
from ._sources import listed

_Path = Union[str, "os.PathLike[str]"]


class Drawing(Findings):
    """A page or figure: `output` is its path, and the rows are the panels of a figure or the findings of a page."""

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """The panels of a figure, or the findings of a page."""
        return list(self.facts.get("panels", self.facts.get("findings", [])))


class Tuning(Findings):
    """Tuned parameters of a filter, one row per parameter, and the mean errors before and after, in degrees."""

    _list = "fitted"


def _words(options: Mapping[str, Any]) -> List[str]:
    """Returns the options of the command for keyword arguments: `smooth=True` is `--smooth`."""
    words: List[str] = []
    for name, value in options.items():
        option = "--" + ("with" if name == "recognitions" else name.rstrip("_").replace("_", "-"))
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            # The parameters of a filter.
            words += [word for key, number in value.items() for word in ("--set", f"{key}={number}")]
        elif isinstance(value, (list, tuple)):
            words += [option, ",".join(os.fsdecode(part) if isinstance(part, os.PathLike) else str(part) for part in value)]
        else:
            words += [option, os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)]
    return words


def run(words: Sequence[str]) -> str:
    """Runs the command, and returns what it prints. Warnings and errors are Python's.

    Raises:
        DataError: the command cannot process the data; the message is one line.
        UsageError: an option is not valid.
    """
    done = subprocess.run([sys.executable, "-m", "inertial", *words], capture_output=True, text=True, errors="replace")
    errors: List[str] = []
    for line in done.stderr.splitlines():
        if line.lower().startswith("warning: "):
            _warnings.warn(as_keywords(line[9:]), InertialWarning, stacklevel=4)
        elif line.lower().startswith("error: "):
            errors.append(as_keywords(line[7:]))
    if done.returncode:
        message = errors[0] if errors else f"the command ended with status {done.returncode}: {done.stderr.strip()[-500:]}"
        raise {1: DataError, 2: UsageError, 64: UsageError}.get(done.returncode, InertialError)(message)
    return done.stdout


def report(path: _Path, output: Optional[_Path] = None, **options: Any) -> Drawing:
    """Writes the page of a log, as `inertial report` does: one HTML file with everything that was recognised.

    Args:
        path: the log, or a folder of logs.
        output: the page. Default: next to the log.
        options: the options of the command with underscores, such as `filter`, `smooth`, `frame`, `force`, and
            `recognitions` for `--with`.
    """
    return Drawing(_answer("report", [path], {"output": output, **options}))


def plot(path: _Path, output: Optional[_Path] = None, **options: Any) -> Drawing:
    """Draws quantities of a log, as `inertial plot` does.

    Args:
        path: the log.
        output: the figure, `.svg`, `.pdf` or `.png`. Default: next to the log.
        options: the options of the command with underscores, such as `filter`, `frame`, `force`.
    """
    return Drawing(_answer("plot", [path], {"output": output, **options}))


def tune(paths: Union[_Path, Sequence[_Path]], **options: Any) -> Tuning:
    """Searches the parameters of a filter that give the smallest errors, as `inertial tune` does.

    Args:
        paths: logs with a reference, or folders of such logs.
        options: the options of the command with underscores, such as `filter`, `parameters` (names), `budget`, `seed`.
    """
    return Tuning(_answer("tune", listed(paths), options))


def _answer(subcommand: str, paths: Sequence[_Path], options: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the JSON document of a subcommand."""
    document: Dict[str, Any] = json.loads(run([subcommand, *listed(paths), *_words(options), "--json"]))
    return document
