"""Reads the numbers of a report page, which Sources/Tools/Figures/Report/Traces writes."""

import base64
import json
import re
import zlib

import numpy as np

MISSING = -32768


class ReportPage:
    def __init__(self, path):
        self.text = open(path, encoding="utf-8").read()
        self.content = json.loads(self._element("facts"))["content"]
        self.names = [table["name"] for table in self.content["tables"]]

    def _element(self, name):
        return re.search(rf'id="{name}">(.*?)</script>', self.text, re.S).group(1)

    def _steps(self, table, block, planes):
        """Returns the zigzag-coded differences of a block, whose bytes are in planes from the lowest to the highest."""
        data = zlib.decompress(base64.b64decode(self._element(f"block-{table}-{block}")), -zlib.MAX_WBITS)
        columns = np.frombuffer(data, np.uint8).reshape(planes, -1).astype(np.int64)
        codes = sum(plane << (8 * place) for place, plane in enumerate(columns))
        return (codes >> 1) ^ -(codes & 1)

    def times(self, table):
        """Returns the times of a table in seconds."""
        facts = self.content["tables"][table]
        return facts["firstTime"] + np.cumsum(np.cumsum(self._steps(table, 0, 4))) * facts["tick"]

    def column(self, table, name):
        """Returns a column of a table, NaN without a value."""
        columns = self.content["tables"][table]["columns"]
        place = [column["name"] for column in columns].index(name)
        whole = ((np.cumsum(self._steps(table, place + 1, 2)) + 32768) & 0xFFFF) - 32768
        return np.where(whole == MISSING, np.nan, columns[place]["offset"] + columns[place]["step"] * whole)
