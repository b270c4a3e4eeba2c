"""Draws the input and the output: a simulated log next to its dataset, with the simulated ground truth.

usage: python3 .ci/docs/draw_sample.py INERTIAL OUTPUT.svg    (make update WHAT=drawings; INERTIAL is the command)

The log is Notebooks-data/logs/outing.csv: rest, a walk, a lift to the third floor, a walk, rest.
"""

import csv
import math
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

LOGS = Path(__file__).resolve().parents[2] / "Notebooks-data/logs"
OPTIONS = ["--frame", "xMagneticNorthZVertical", "--with", "activity,steps", "--with-channels", "barometer", "--digits", "6"]
FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"
INK, GREY, GRID = "#1f2933", "#5b6875", "#e3e7eb"
COLOURS = ["#c8443c", "#2f8a4e", "#2d6cc0"]
ACTIVITIES = {"1": "unknown", "2": "stationary", "3": "walking"}
WIDTH, HEIGHT, LEFT, TOP, STEP, COLUMN, GAP = 360, 92, 56, 58, 132, 424, 10


def columns(path, *names):
    """Returns the time and each column as lists of points; empty cells are left out."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [[(float(r["time"]), float(r[n])) for r in rows if r[n] not in ("", "nan")] for n in names]


def thinned(points, step):
    """Returns at most one point per time step, so that the drawing stays small."""
    kept, last = [], None
    for time, value in points:
        cell = math.floor(time / step)
        if cell != last:
            kept.append((time, value))
            last = cell
    return kept


def true_angles(path):
    """Returns roll, pitch and the heading of the top edge in degrees, from the true attitude (device to north-west-up)."""
    roll, pitch, heading = [], [], []
    for (t, x), (_, y), (_, z), (_, w) in zip(*columns(path, "quaternionX", "quaternionY", "quaternionZ", "quaternionW")):
        gravity = (2 * (w * y - x * z), -2 * (y * z + w * x), -(1 - 2 * (x * x + y * y)))
        roll.append((t, math.degrees(math.atan2(gravity[0], -gravity[2]))))
        pitch.append((t, math.degrees(math.asin(max(-1, min(1, -gravity[1]))))))
        if abs(gravity[1]) <= abs(gravity[2]):
            pointing = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z))
        else:
            pointing = (-2 * (x * z + w * y), -2 * (y * z - w * x))
        heading.append((t, math.degrees(math.atan2(-pointing[1], pointing[0])) % 360))
    return roll, pitch, heading


class Panel:
    """A diagram: its position, its title, and lines over a common time axis."""

    def __init__(self, column, row, title, unit, low, high, end):
        self.x, self.y = LEFT + column * COLUMN, TOP + row * STEP
        self.low, self.high, self.end = low, high, end
        self.parts = [
            f"<text x='{self.x}' y='{self.y - 8}' font-size='13' font-weight='600' fill='{INK}'>{escape(title)}"
            f"<tspan font-weight='400' fill='{GREY}'>  {escape(unit)}</tspan></text>",
            f"<rect x='{self.x}' y='{self.y}' width='{WIDTH}' height='{HEIGHT}' fill='white' stroke='{GRID}'/>",
        ]
        for value in (low, (low + high) / 2, high):
            y = self.place(0, value)[1]
            self.parts.append(f"<path d='M{self.x} {y:.1f} h{WIDTH}' stroke='{GRID}'/>")
            self.parts.append(f"<text x='{self.x - 6}' y='{y + 4:.1f}' text-anchor='end' font-size='11' fill='{GREY}'>{value:g}</text>")

    def place(self, time, value):
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.x + time / self.end * WIDTH, self.y + HEIGHT * (1 - share)

    def line(self, points, colour, step=0.2, jump=math.inf):
        path, last = [], None
        for time, value in thinned(points, step):
            x, y = self.place(time, value)
            path.append(f"{'M' if last is None or abs(value - last) > jump else 'L'}{x:.1f} {y:.1f}")
            last = value
        self.parts.append(f"<path d='{''.join(path)}' fill='none' stroke='{colour}' stroke-width='1.2'/>")
        return self

    def dots(self, points, step=2):
        for x, y in (self.place(*point) for point in thinned(points, step)):
            self.parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='1.8' fill='{INK}'/>")
        return self

    def names(self, named):
        x = self.x + WIDTH
        for text, colour in reversed(named):
            self.parts.append(f"<text x='{x}' y='{self.y - 8}' text-anchor='end' font-size='12' fill='{colour}'>{text}</text>")
            x -= 7 * len(text) + 10
        return self

    def band(self, spans):
        """Draws named times along the lower edge."""
        for start, end, word in spans:
            x, width = self.place(start, 0)[0], (end - start) / self.end * WIDTH
            fill = "#cfe3c8" if word == "walking" else "#eceff2"
            self.parts.append(f"<rect x='{x:.1f}' y='{self.y + HEIGHT - 18}' width='{width:.1f}' height='18' fill='{fill}'/>")
            if width > 7 * len(word):
                self.parts.append(
                    f"<text x='{x + width / 2:.1f}' y='{self.y + HEIGHT - 5}' text-anchor='middle' font-size='11' fill='{INK}'>{word}</text>"
                )
        return self


def activity_spans(path):
    spans = []
    for time, value in columns(path, "motionActivity")[0]:
        word = ACTIVITIES.get(f"{value:g}", "other")
        if spans and spans[-1][2] == word:
            spans[-1][1] = time
        else:
            spans.append([time, time, word])
    return [span for span in spans if span[2] != "unknown"]


def vector(panel, path, prefix, suffix="", step=0.2):
    for axis, colour, points in zip("XYZ", COLOURS, columns(path, *(f"{prefix}{a}{suffix}" for a in "XYZ"))):
        panel.line(points, colour, step)
    return panel.names(list(zip("xyz", COLOURS)))


def degrees(points):
    return [(t, math.degrees(v)) for t, v in points]


def panels(log, fused, truth, end):
    violet = "#7a5ab8"
    yield vector(Panel(0, 0, "acceleration", "g", -1.5, 0.5, end), log, "acceleration")
    yield vector(Panel(0, 1, "rotation rate", "rad/s", -0.8, 0.8, end), log, "rotationRate")
    yield vector(Panel(0, 2, "raw magnetic field", "µT", -200, 100, end), log, "magneticField")
    yield Panel(0, 3, "air pressure", "kPa", 96.3, 96.6, end).line(columns(log, "pressure")[0], violet)

    roll, pitch, heading = true_angles(truth)
    attitude = Panel(1, 0, "roll, pitch", "°", -20, 60, end)
    for name, true, colour in (("roll", roll, COLOURS[0]), ("pitch", pitch, COLOURS[1])):
        attitude.line(degrees(columns(fused, name)[0]), colour).dots(true)
    yield attitude.names([("roll", COLOURS[0]), ("pitch", COLOURS[1]), ("dots: truth", INK)])
    yield vector(Panel(1, 1, "user acceleration", "g", -0.6, 0.6, end), fused, "userAcceleration")
    bearing = Panel(1, 2, "heading", "° from magnetic north", 180, 360, end)
    bearing.line(columns(fused, "heading")[0], COLOURS[2], jump=180).dots(heading)
    yield bearing.names([("dots: truth", INK)])
    altitude, steps = columns(fused, "relativeAltitude", "stepCount")
    floors = Panel(1, 3, f"altitude, activity and {steps[-1][1]:g} steps", "m", -8, 16, end)
    yield floors.line(altitude, violet).band(activity_spans(fused))


def draw(inertial, output):
    log, truth = LOGS / "outing.csv", LOGS / "outing.truth.csv"
    with tempfile.TemporaryDirectory() as folder:
        fused = Path(folder) / "outing.fused.csv"
        subprocess.run([inertial, "fuse", log, "-o", fused, *OPTIONS], check=True, stdout=subprocess.DEVNULL)
        end = columns(log, "accelerationX")[0][-1][0]
        drawn = list(panels(log, fused, truth, end))
    width, height = LEFT + COLUMN + WIDTH + 20, TOP + 3 * STEP + HEIGHT + 34
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' {FONT}>",
        "<title>A simulated outing: the raw log on the left, the fused dataset on the right</title>",
        "<rect width='100%' height='100%' fill='white'/>",
    ]
    for column, text in enumerate(("in: what the phone records", "out: what inertial fuse writes")):
        lines.append(f"<text x='{LEFT + column * COLUMN}' y='24' font-size='16' font-weight='700' fill='{INK}'>{text}</text>")
        for seconds in range(0, int(end) + 1, 20):
            x = LEFT + column * COLUMN + seconds / end * WIDTH
            lines.append(f"<text x='{x:.1f}' y='{height - 16}' text-anchor='middle' font-size='11' fill='{GREY}'>{seconds} s</text>")
    for panel in drawn:
        lines += panel.parts
    Path(output).write_text("\n".join(lines + ["</svg>"]) + "\n")
    print(f"wrote {output}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    draw(sys.argv[1], sys.argv[2])
