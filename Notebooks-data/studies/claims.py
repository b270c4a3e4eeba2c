"""Compares the figures of README.md and docs/results with those that their commands give now.

usage: claims.py DATA [--write] [--only NAME[,NAME]] [--slice] [--record FILE]      (make claims DATA=folder)
       claims.py --draw FILE

docs/results/claims.json lists the figures: a command, its tolerance, and for each figure its document, its row and cell there,
and its row and cell in the output of the command, or its path in the command's JSON. An entry of `tables` is a whole table: each
row whose label the output has too. `copies` names documents with all tables of the output, word for word. A tolerance of 0
means equal to all digits of the document; 0.15 that the ratio of both is at most 1.15. --write replaces the figures in the
documents that differ. --slice leaves out commands of more than a minute. --record appends a line of all measured figures to a
file (Benchmarks/results/claims.jsonl), and --draw draws the lines of such a file as SVG, next to it. Exit status 1 if a figure
differs, 2 if one cannot be found. A command whose data or packages are missing is reported as not run.
"""

import argparse
import datetime
import json
import math
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ROOT / "docs" / "results" / "claims.json"
NUMBER = re.compile(r"[-−+]?\d[\d,]*(?:\.\d+)?")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def plain(label):
    return re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", label or "")


def rows(text, heading=None):
    """Yields the number and the cells of each row of a table: the first one from a line with a heading on, or all tables."""
    is_after, is_body = heading is None, False
    for number, line in enumerate(text.splitlines()):
        is_after = is_after or heading in line
        is_row = is_after and line.lstrip().startswith("|")
        if not is_row:
            if is_body and heading is not None:
                return
            is_body = False
        elif is_body:
            yield number, cells(line)
        else:
            # The head of a table ends with a row of dashes.
            is_body = set(line) <= set("|-: ")


def table_row(text, label, heading=None):
    """Returns the number and the cells of the only row that begins with a label."""
    found = [(number, row) for number, row in rows(text, heading) if plain(row[0]).startswith(label)]
    exact = [(number, row) for number, row in found if plain(row[0]) == label]
    found = exact or found
    if len(found) != 1:
        sys.exit(f"error: {len(found)} rows begin with '{label}'")
    return found[0]


def figure(cell, index):
    """Returns the match of a number in a cell."""
    numbers = list(NUMBER.finditer(cell))
    if index >= len(numbers):
        sys.exit(f"error: the cell '{cell}' has no number {index}")
    return numbers[index]


def value(match):
    return Decimal(match[0].replace(",", "").replace("−", "-"))


def measured(source, output):
    """Returns the number that a claim refers to in the output of its command: a path in JSON, or a row and a cell."""
    if isinstance(source, str):
        place = json.loads(output)
        for part in source.split("."):
            if "=" in part:
                key, wanted = part.split("=")
                place = next(one for one in place if one[key] == wanted)
            else:
                place = place[int(part) if isinstance(place, list) else part]
        return Decimal(repr(float(place)))
    label, cell, index, *heading = source
    _, row = table_row(output, label, *heading)
    return value(figure(row[cell], index))


def run(words, data):
    """Returns the output of a command, or None with the reason."""
    folder = os.environ.get("INERTIAL_BIN", str(ROOT / ".build" / "release"))
    if words[0] == "study":
        words = [sys.executable, str(ROOT / "Notebooks-data" / "studies" / "study"), "--data", data, *words[1:]]
    else:
        words = [os.path.join(folder, words[0]), *(word.replace("{data}", data) for word in words[1:])]
    result = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        return None, (result.stderr.strip().splitlines() or ["no output"])[-1]
    return result.stdout, None


def agrees(stated, now, tolerance):
    if tolerance == 0:
        return now.quantize(stated) == stated
    return stated != 0 and now != 0 and max(stated / now, now / stated) <= 1 + Decimal(str(tolerance))


def replaced(text, claim, now):
    """Returns a document with another number in the cell of a claim, with as many decimals."""
    number, row = table_row(text, claim["row"], claim.get("after"))
    lines = text.splitlines(keepends=True)
    match = figure(row[claim["cell"]], claim.get("number", 0))
    cell = row[claim["cell"]]
    new = str(now.quantize(value(match)))
    row[claim["cell"]] = cell[: match.start()] + new + cell[match.end():]
    lines[number] = "| " + " | ".join(row) + " |\n"
    return "".join(lines)


def expanded(entry, output, document):
    """Yields the claims of an entry, with one claim per row and cell of its tables."""
    yield from entry.get("figures", [])
    for table in entry.get("tables", []):
        for _, row in rows(document(table["document"]), table["after"]):
            match = re.fullmatch(table.get("label", "(.+)"), plain(row[0]))
            if not match:
                continue
            for cell, number, source in table["cells"]:
                if isinstance(source, str):
                    source = source.replace("{label}", match[1])
                elif any(plain(other[0]) == match[1] for _, other in rows(output, table["source"])):
                    source = [match[1], *source, table["source"]]
                else:
                    continue
                yield {"document": table["document"], "row": plain(row[0]), "after": table["after"], "cell": cell,
                       "number": number, "source": source}


def heads(text):
    """Returns the heads of the tables, which a row of dashes follows."""
    lines = text.splitlines()
    return [line for line, after in zip(lines, lines[1:]) if after.startswith("|-") and set(after) <= set("|-: ")]


def compare_copy(document, output, text, is_written):
    """Prints the rows of a document that differ from those of the output's tables of the same heads. Returns the numbers of rows
    and of differences, and the document with the output's rows if they are written."""
    count, differing = 0, 0
    for head in heads(output):
        now, stated = list(rows(output, head)), list(rows(text, head))
        if head not in heads(text) or not stated:
            sys.exit(f"error: {document} has no table with the head {head}")
        new, old = ([f"| {' | '.join(row)} |" for _, row in table] for table in (now, stated))
        count += len(new)
        for row in [row for row in new if row not in old] or [row for row in old if row not in new]:
            differing += 1
            print(f"{document}: not as measured: {row}")
        if is_written:
            lines = text.splitlines()
            lines[stated[0][0]:stated[-1][0] + 1] = new
            text = "\n".join(lines) + "\n"
    return count, differing, text


def compare(entry, output, arguments, texts, record):
    """Prints the figures of a command that differ, and returns the numbers of figures and of differences."""
    count, differing = 0, 0

    def document(name):
        return texts.setdefault(name, (ROOT / name).read_text(encoding="utf-8"))

    for claim in list(expanded(entry, output, document)):
        count += 1
        name = claim["document"]
        text = document(name)
        _, row = table_row(text, claim["row"], claim.get("after"))
        stated = value(figure(row[claim["cell"]], claim.get("number", 0)))
        now = measured(claim["source"], output)
        place = f"{claim['row']} {claim['cell']}.{claim.get('number', 0)}"
        record.setdefault(entry["name"], {})[f"{name}: {place}"] = float(now)
        if agrees(stated, now, entry["tolerance"]):
            continue
        differing += 1
        shown = now.quantize(stated) if now.quantize(stated) != stated else now
        print(f"{name}: {claim['row']}, cell {claim['cell']}: {stated} is stated, and {shown} is measured")
        if arguments.write:
            texts[name] = replaced(text, claim, now)
    for name in entry.get("copies", []):
        rows_of_copy, wrong, texts[name] = compare_copy(name, output, document(name), arguments.write)
        count, differing = count + rows_of_copy, differing + wrong
    if not count:
        sys.exit(f"error: {entry['name']} has no figure: a document or the output has changed")
    return count, differing


def draw(path):
    """Draws the figures of all lines of a record, relative to the first line that has them, with a panel for each command."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    panels = {}
    for index, line in enumerate(lines):
        for command, figures in line["figures"].items():
            for name, number in figures.items():
                if number > 0:
                    panels.setdefault(command, {}).setdefault(name, []).append((index, number))
    width, height, left, step = 720, 90, 120, (720 - 140) / max(1, len(lines) - 1)
    parts = []
    for row, (command, figures) in enumerate(panels.items()):
        top = row * height + 10
        # A factor of 2 up and down.
        def y(ratio, top=top):
            return top + (height - 20) * (0.5 - 0.5 * max(-1.0, min(1.0, math.log2(ratio))))
        parts.append(f'<text x="4" y="{y(1):.1f}">{command}</text>')
        for ratio in (0.5, 1, 2):
            parts.append(f'<path d="M{left},{y(ratio):.1f}H{width - 20}" stroke="#ccc"/>')
            parts.append(f'<text x="{left - 6}" y="{y(ratio) + 3:.1f}" text-anchor="end">{ratio}</text>')
        for points in figures.values():
            places = " ".join(f"{left + step * index:.1f},{y(number / points[0][1]):.1f}" for index, number in points)
            parts.append(f'<polyline points="{places}" fill="none" stroke="#888" stroke-linecap="round" stroke-width="1.5"/>')
    foot = len(panels) * height + 14
    for index, line in enumerate(lines):
        label = f"{line['date']} {line['commit']}"
        anchor = "start" if index == 0 else "end" if index == len(lines) - 1 else "middle"
        if index in (0, len(lines) - 1) or len(lines) <= 5:
            parts.append(f'<text x="{left + step * index:.1f}" y="{foot}" text-anchor="{anchor}">{label}</text>')
    path.with_suffix(".svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {foot + 8}" font-family="sans-serif" font-size="10">\n'
        '<title>Published figures over commits, relative to the first measurement</title>\n'
        + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


def main():
    if sys.argv[1:2] == ["--draw"] and len(sys.argv) == 3:
        return draw(Path(sys.argv[2]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--slice", action="store_true")
    parser.add_argument("--record")
    arguments = parser.parse_args()
    chosen = [name for name in arguments.only.split(",") if name]
    texts, record, checked, differing, left = {}, {}, 0, 0, 0
    for entry in json.loads(CLAIMS.read_text(encoding="utf-8")):
        if chosen and entry["name"] not in chosen or arguments.slice and entry["minutes"] > 1:
            continue
        output, reason = run(entry["command"], arguments.data)
        if output is None:
            left += 1
            print(f"not run: {entry['name']}: {reason}")
            continue
        count, wrong = compare(entry, output, arguments, texts, record)
        checked, differing = checked + count, differing + wrong
        print(f"{entry['name']}: {count} figures, {wrong} differ", flush=True)
    if arguments.write:
        for name, text in texts.items():
            (ROOT / name).write_text(text, encoding="utf-8")
    if arguments.record:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()
        line = {"date": datetime.date.today().isoformat(), "commit": commit, "figures": record}
        with open(arguments.record, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(f"{checked} figures compared, {differing} differ, {left} commands not run")
    sys.exit(differing > 0 and not arguments.write)


if __name__ == "__main__":
    main()
