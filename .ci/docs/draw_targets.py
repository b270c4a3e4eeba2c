"""Draws the targets of the package, in layers, and the data flow of a sample through them.

usage: swift package dump-package | python3 .ci/docs/draw_targets.py DOCS    (make update WHAT=drawings)

targets.svg is made from the manifest alone: every target that a product needs, one row per layer, with an arrow to each
direct dependency that is not also an indirect one. data-flow.svg shows the types of DATA_FLOW; a type that its target does
not declare is an error, so that the drawing matches the code.
"""

import json
import re
import sys
from html import escape
from pathlib import Path

# Target, type, and its processing of a sample, from the log to the row.
DATA_FLOW = [
    ("InertialLogs", "LogFormat", "recognises the log by its content"),
    ("InertialLogs", "LogReader", "reads samples in Core Motion's units and signs"),
    ("InertialLogs", "LogFeed", "opens, rotates axes, validates, merges channels by time"),
    ("InertialSensors", "SampleConditioner", "sorts, drops invalid samples, counts"),
    ("InertialFusion", "DeviceMotionEstimator", "interpolates to the gyroscope, calibrates the field"),
    ("InertialFilters", "AttitudeFilter", "estimates attitude, bias and status"),
    ("InertialSensors", "DeviceMotion", "gravity, user acceleration, rotation rate, field, heading"),
    ("InertialJobs", "FusedColumn", "the columns of the dataset"),
]

FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"
INK, LINE, FILL, SHIM, PRODUCT = "#1f2933", "#8a97a5", "#e8f0fb", "#f1f1ee", "#cfe3c8"


def products_for_callers(package):
    """Returns the products without those that only `Serve/` uses."""
    return [p for p in package["products"] if p["name"] not in ("InertialCommand", "InertialTestSupport")]


def targets(package):
    """Maps each target that products need to the names of the package's targets that it depends on."""
    declared = {t["name"]: t for t in package["targets"]}

    def needs(name):
        named = (list(dependency.values())[0][0] for dependency in declared[name]["dependencies"])
        return {other for other in named if other in declared}

    reached, waiting = set(), [t for product in products_for_callers(package) for t in product["targets"]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += needs(name)
    return {t["name"]: needs(t["name"]) for t in package["targets"] if t["name"] in reached}


def layers(graph):
    """Returns the layers: each target is one layer above its highest dependency."""
    height = {}

    def level(name):
        if name not in height:
            height[name] = 1 + max((level(other) for other in graph[name]), default=-1)
        return height[name]

    rows = [[] for _ in range(1 + max(level(name) for name in graph))]
    for name in graph:
        rows[height[name]].append(name)
    return rows


def direct(graph):
    """Returns the dependencies without the indirect ones."""
    everything = {}

    def below(name):
        if name not in everything:
            everything[name] = set().union(graph[name], *(below(other) for other in graph[name]))
        return everything[name]

    return {name: {o for o in need if not any(o in below(p) for p in need if p != o)} for name, need in graph.items()}


def box(x, y, width, height, text, fill, note=None):
    middle = y + height / 2
    lines = [f"<rect x='{x:.0f}' y='{y:.0f}' width='{width:.0f}' height='{height}' rx='6' fill='{fill}' stroke='{LINE}'/>"]
    lines.append(
        f"<text x='{x + width / 2:.0f}' y='{middle + 5:.0f}' text-anchor='middle' font-size='14' fill='{INK}'>{escape(text)}</text>"
    )
    if note:
        lines.append(f"<text x='{x + width + 16:.0f}' y='{middle + 5:.0f}' font-size='14' fill='{INK}'>{escape(note)}</text>")
    return lines


def svg(width, height, title, lines):
    arrow = (
        f"<marker id='arrow' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
        f"<path d='M0 0 L8 4 L0 8 z' fill='{LINE}'/></marker>"
    )
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' height='{height:.0f}' {FONT}>"
    body = [head, f"<title>{title}</title>", f"<defs>{arrow}</defs>", "<rect width='100%' height='100%' fill='white'/>"]
    return "\n".join(body + lines + ["</svg>"]) + "\n"


def draw_targets(package):
    graph = targets(package)
    rows, arrows = layers(graph), direct(graph)
    products = {target for product in products_for_callers(package) for target in product["targets"]}
    width_of = {name: 8.4 * len(name) + 22 for name in graph}
    gap, row_height, box_height, margin = 26, 92, 34, 24
    widths = [sum(width_of[name] for name in row) + gap * (len(row) - 1) for row in rows]
    width = max(widths) + 2 * margin
    centre = {name: index for row in rows for index, name in enumerate(row)}

    def place(row):
        x = (width - sum(width_of[name] for name in row) - gap * (len(row) - 1)) / 2
        for name in row:
            centre[name] = x + width_of[name] / 2
            x += width_of[name] + gap

    # Upwards from the lowest row, and back, to shorten the arrows.
    for order in [rows, rows[::-1], rows, rows[::-1], rows]:
        for row in order:
            def wanted(name):
                near = [centre[o] for o in arrows[name]] + [centre[o] for o in graph if name in arrows[o]]
                return sum(near) / len(near) if near else width / 2
            row.sort(key=wanted)
            place(row)
    top = {name: margin + (len(rows) - 1 - level) * row_height for level, row in enumerate(rows) for name in row}
    lines = []
    for name, others in arrows.items():
        for other in sorted(others):
            x1, y1, x2, y2 = centre[name], top[name] + box_height, centre[other], top[other]
            bend = (y2 - y1) / 2
            lines.append(
                f"<path d='M{x1:.0f} {y1:.0f} C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2 - 2:.0f}' "
                f"fill='none' stroke='{LINE}' marker-end='url(#arrow)'/>"
            )
    for name in graph:
        fill = PRODUCT if name in products else SHIM if re.match("CInertial[A-Z]", name) else FILL
        lines += box(centre[name] - width_of[name] / 2, top[name], width_of[name], box_height, name, fill)
    return svg(width, margin * 2 + (len(rows) - 1) * row_height + box_height, "The targets of the package", lines)


def draw_data_flow(package, root):
    paths = {t["name"]: t["path"] for t in package["targets"] if t.get("path")}
    for target, kind, _ in DATA_FLOW:
        declaration = re.compile(rf"\b(struct|class|enum|protocol|actor) {kind}\b")
        files = (root / paths[target]).rglob("*.swift") if target in paths else []
        if not any(declaration.search(path.read_text()) for path in files):
            sys.exit(f"error: the target {target} declares no {kind}: change DATA_FLOW in {Path(__file__).name}")
    lines, y, step, height, left, width = [], 24, 62, 36, 210, 230
    for index, (target, kind, note) in enumerate(DATA_FLOW):
        if index:
            lines.append(
                f"<path d='M{left + width / 2:.0f} {y - step + height} V{y - 2}' fill='none' stroke='{LINE}' marker-end='url(#arrow)'/>"
            )
        lines.append(f"<text x='{left - 14}' y='{y + 23}' text-anchor='end' font-size='13' fill='#5b6875'>{target}</text>")
        lines += box(left, y, width, height, kind, FILL, note)
        y += step
    return svg(900, y - step + height + 24, "The path of a sample, from the log to the row", lines)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    manifest, folder = json.load(sys.stdin), Path(sys.argv[1])
    (folder / "targets.svg").write_text(draw_targets(manifest))
    (folder / "data-flow.svg").write_text(draw_data_flow(manifest, Path(__file__).resolve().parents[2]))
    print(f"wrote {folder}/targets.svg and {folder}/data-flow.svg")
