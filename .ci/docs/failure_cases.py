"""Simulated logs in which detectors fail, for the figures of their cards (docs/results/cards.md).

usage: failure_cases.py FOLDER
Writes canonical CSV logs at 50 Hz (accelerations in g with gravity and Core Motion's sign, rotation rates in rad/s, a
pressure in kPa once per second), made of sines, jolts and seeded noise, without recorded data.
"""

import math
import random
import sys
from pathlib import Path

RATE = 50


class Log:
    """A log that grows sample by sample."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rows = []
        self.time = 0.0

    def go(self, seconds, moment, noise=0.004):
        """Appends samples: `moment` returns the acceleration with gravity and the rotation rate, by seconds since the call."""
        for index in range(round(seconds * RATE)):
            acceleration, rotation = moment(index / RATE)
            self.rows.append((
                self.time,
                *(value + self.random.gauss(0, noise) for value in acceleration),
                *(value + self.random.gauss(0, 0.01) for value in rotation)))
            self.time += 1 / RATE

    def rest(self, seconds, down=(0, -1, 0)):
        self.go(seconds, lambda _: (down, (0, 0, 0)))

    def write(self, path, pressure=None):
        """Writes the log; `pressure` returns the pressure at a time, in kPa."""
        names = "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"
        lines = [names + (",pressure" if pressure else "")]
        for index, row in enumerate(self.rows):
            text = f"{row[0]:.2f}," + ",".join(f"{value:.5f}" for value in row[1:])
            if pressure:
                text += f",{pressure(row[0]):.5f}" if index % RATE == 0 else ","
            lines.append(text)
        path.write_text("\n".join(lines) + "\n")


def walk(cadence=1.8, strength=0.25):
    def moment(t):
        phase = 2 * math.pi * cadence * t
        vertical = strength * (math.cos(phase) + 0.3 * math.cos(2 * phase))
        angle = 0.15 * math.sin(phase / 2)
        return ((0.3 * strength * math.sin(phase / 2), -(1 + vertical) * math.cos(angle), -(1 + vertical) * math.sin(angle)),
                (-0.15 * math.pi * cadence * math.cos(phase / 2), 0, 0))
    return moment


def shaking(frequency, peak):
    def moment(t):
        phase = 2 * math.pi * frequency * t
        return (peak * math.sin(phase), -1, 0), (0, 0, 0.25 * 2 * math.pi * frequency * math.cos(phase))
    return moment


def shakes(folder):
    """Makes a strong shake, and a gentle one that the default sensitivity misses."""
    log = Log(1)
    log.rest(4)
    log.go(3, shaking(4, 2.5))
    log.rest(4)
    log.go(3, shaking(3.2, 1.2))
    log.rest(4)
    log.write(folder / "shakes.csv")


def steps(folder):
    """Makes pairs of steps between halts, which are not counted; a walk; and a device that moves up and down evenly."""
    log = Log(2)
    log.rest(3)
    for _ in range(4):
        log.go(1.3 / 1.8, walk())
        log.rest(3)
    log.go(10, walk())
    log.rest(5)

    def pumping(t):
        phase = 2 * math.pi * 1.7 * t
        return (0, -1 - 0.3 * math.cos(phase) - 0.1 * math.cos(2 * phase), 0), (0, 0, 0)
    log.go(10, pumping)
    log.rest(3)
    log.write(folder / "steps.csv")


def activities(folder):
    """Makes a walk to a train and a smooth ride in it, with the device in a bag."""
    log = Log(3)
    log.go(30, walk())

    def ride(t):
        ahead = 0.05 * math.sin(math.pi * t / 25) if t < 25 else 0
        return (0.004 * math.sin(2 * math.pi * 0.4 * t), -1, ahead), (0, 0, 0)
    log.go(60, ride, noise=0.002)
    log.write(folder / "activities.csv")


def falls(folder):
    """Makes a fall; a fall after which the device lies as before; and a box that topples over."""
    log = Log(4)

    def turning(seconds, norm, start, end):
        """Tilts from one angle off upright to another, in rad."""
        def moment(t):
            angle = start + (end - start) * t / seconds
            return (0, -norm(t) * math.cos(angle), -norm(t) * math.sin(angle)), ((start - end) / seconds, 0, 0)
        log.go(seconds, moment, noise=0.02)

    def fall(end):
        log.rest(5)
        turning(0.5, lambda _: 0.55, 0, end / 2)
        turning(0.12, lambda t: 1 + 5 * max(0, math.sin(math.pi * t / 0.12)), end / 2, 0.8 * end)
        turning(0.5, lambda _: 1.1, 0.8 * end, end)
        log.rest(4, (0, -math.cos(end), -math.sin(end)))

    fall(1.4)
    fall(0.25)
    log.rest(4)
    # A body that topples about its edge: the force decreases until the impact.
    turning(0.7, lambda t: 1 - 0.85 * (t / 0.7) ** 2, 0, 1.3)
    turning(0.1, lambda t: 1 + 6 * math.sin(math.pi * t / 0.1), 1.3, 1.5)
    log.rest(5, (0, -math.cos(1.5), -math.sin(1.5)))
    log.write(folder / "falls.csv")


def posture(folder):
    """Makes sitting before any walk, a walk, sitting, and sitting with the pocket rotated."""
    log = Log(5)
    log.rest(20, (0, -0.1, -0.995))
    log.go(15, walk())
    log.rest(15, (0, -0.1, -0.995))
    log.rest(15, (0.7, -0.7, -0.1))
    log.write(folder / "posture.csv")


def altitude(folder):
    """Makes a flight of stairs, and a door that opens in wind."""
    log = Log(6)
    log.rest(15)
    log.go(14, walk())
    log.rest(90)

    def pressure(t):
        climbed = 3.2 * min(max(t - 15, 0), 14) / 14
        gust = 0.025 * (1 - math.exp(-(t - 60) / 3)) if 60 < t < 85 else 0.025 * math.exp(-(t - 85) / 3) if t >= 85 else 0
        return 101.325 - 0.01201 * climbed - gust + log.random.gauss(0, 0.0008)
    log.write(folder / "altitude.csv", pressure)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (shakes, steps, activities, falls, posture, altitude):
        make(folder)


if __name__ == "__main__":
    main()
