"""Simulated motions: rides, gestures and machines, which train the class "other" of the activity model, and the gait of a
hand that swings, which few recordings contain.

They are rigid-body motions: a position and an attitude, from which the user acceleration, gravity and the rotation rate
follow, plus vibration with a given spectrum. The ranges describe legs, arms, vehicles and machines; they are not fitted to recordings.
"""

import numpy as np
from scipy.signal import butter, sosfilt
from scipy.spatial.transform import Rotation

GRAVITY = 9.80665
RATE = 100
DURATION = 60
COPIES = 8


class Motion:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.time = np.arange(0, DURATION, 1 / RATE)
        self.position = np.zeros((len(self.time), 3))
        self.angles = np.zeros((len(self.time), 3))
        self.shaking = np.zeros((len(self.time), 3))

    def uniform(self, low, high):
        return self.random.uniform(low, high)

    def logarithmic(self, low, high):
        return float(np.exp(self.uniform(np.log(low), np.log(high))))

    def noise(self, low, high, size=1):
        """Returns noise of a standard deviation of 1 between two frequencies in Hz."""
        noise = self.random.normal(size=(len(self.time) + 500, size))
        band = butter(2, [low, min(high, 0.45 * RATE)], "band", fs=RATE, output="sos")
        noise = sosfilt(band, noise, axis=0)[500:]
        return noise / noise.std(0)

    def phase(self, frequency, jitter=0.03):
        """Returns the phase of an oscillation whose frequency wanders by a fraction."""
        wander = 1 + jitter * self.noise(0.05, 0.3)[:, 0]
        return np.cumsum(2 * np.pi * frequency * wander) / RATE

    def vibrate(self, level, low, high, vertical=2):
        """Adds vibration of a root mean square in g, larger along the vertical by a factor."""
        shape = np.array([1, 1, vertical])
        # Roads and rails are uneven: the level changes within seconds.
        swell = np.exp(0.4 * self.noise(0.05, 0.3))
        self.shaking += level * swell * self.noise(low, high, 3) * shape / np.linalg.norm(shape)

    def samples(self):
        """Returns times, gravity (g), rotation rate (rad/s) and user acceleration (g) in the axes and signs of Core Motion."""
        placement = Rotation.from_rotvec(self.random.normal(size=3) * 1.5)
        attitude = Rotation.from_rotvec(self.angles) * placement
        acceleration = np.gradient(np.gradient(self.position, 1 / RATE, axis=0), 1 / RATE, axis=0) / GRAVITY + self.shaking
        gravity = attitude.inv().apply(np.tile([0, 0, -1.0], (len(self.time), 1)))
        steps = (attitude[:-1].inv() * attitude[1:]).as_rotvec() * RATE
        rates = np.vstack([steps, steps[-1:]])
        user = -attitude.inv().apply(acceleration)
        return (self.time, gravity, rates + 0.003 * self.random.normal(size=rates.shape),
                user + 0.003 * self.random.normal(size=user.shape))


def pedalling_pocket(motion):
    """The thigh rotates about the hip on the saddle and carries the phone."""
    radius, swing = motion.uniform(0.1, 0.35), np.radians(motion.uniform(14, 30))
    phase = motion.phase(motion.uniform(0.7, 1.75))
    angle = swing * (np.sin(phase) + motion.uniform(0, 0.2) * np.sin(2 * phase + motion.uniform(0, 6)))
    if motion.uniform(0, 1) < 0.4:
        # Pedalling pauses.
        angle *= motion.noise(0.03, 0.1)[:, 0] > -0.5
        angle = np.convolve(angle, np.ones(30) / 30, "same")
    lean = np.radians(motion.uniform(10, 50))
    motion.position += radius * np.stack([np.cos(angle + lean), 0 * angle, -np.sin(angle + lean)], 1)
    motion.angles[:, 1] = angle
    motion.angles[:, 0] = np.radians(motion.uniform(0.5, 4)) * np.sin(phase + motion.uniform(0, 6))
    motion.vibrate(motion.logarithmic(0.01, 0.15), 3, 25)
    motion.shaking[:, 2] -= motion.logarithmic(0.01, 0.2) * np.sin(2 * phase + motion.uniform(-1, 1))
    motion.position += 0.01 * motion.uniform(0, 1) * motion.noise(0.2, 1, 3)


def pedalling_body(motion):
    """A phone in a jacket: the body rises and falls with each pedal stroke, without the jolt of a heel."""
    phase = motion.phase(motion.uniform(0.7, 1.75))
    strength = motion.logarithmic(0.03, 0.3)
    motion.shaking[:, 2] -= strength * (np.sin(2 * phase) + motion.uniform(0, 0.3) * np.sin(4 * phase + motion.uniform(0, 6)))
    motion.shaking[:, 2] += motion.uniform(0, 0.4) * strength * np.sin(phase)
    motion.shaking[:, 1] += motion.uniform(0, 0.6) * strength * np.sin(phase + motion.uniform(0, 6))
    motion.shaking[:, 0] += motion.uniform(0, 0.6) * strength * np.sin(2 * phase + motion.uniform(0, 6))
    motion.angles[:, 0] = np.radians(motion.uniform(0.5, 4)) * np.sin(phase)
    motion.angles += np.radians(motion.uniform(0.5, 3)) * motion.noise(0.1, 1, 3)
    motion.vibrate(motion.logarithmic(0.02, 0.2), 3, 25)


def bicycle_frame(motion):
    """A phone in a bag or on the handlebar."""
    phase = motion.phase(motion.uniform(0.7, 1.75))
    motion.shaking[:, 1] += motion.uniform(0.003, 0.03) * np.sin(phase)
    motion.shaking[:, 2] += motion.uniform(0.003, 0.03) * np.sin(2 * phase + motion.uniform(0, 6))
    motion.angles[:, 0] = np.radians(motion.uniform(0.5, 5)) * np.sin(phase)
    motion.vibrate(motion.logarithmic(0.04, 0.5), 2, 30)
    motion.angles += np.radians(motion.uniform(0.5, 4)) * motion.noise(0.1, 1, 3)


def road(motion):
    """A phone in a car or a bus: a holder, a seat, or the pocket of a passenger."""
    motion.vibrate(motion.logarithmic(0.008, 0.09), motion.uniform(1, 4), 25)
    motion.vibrate(motion.logarithmic(0.005, 0.04), 0.8, 2.5)
    motion.shaking[:, :2] += motion.uniform(0.02, 0.12) * motion.noise(0.03, 0.15, 2)
    motion.angles += np.radians(motion.uniform(0.1, 2)) * motion.noise(0.1, 1.5, 3)


def rails(motion):
    motion.vibrate(motion.logarithmic(0.003, 0.03), 1, 12, 1)
    motion.shaking[:, 1] += motion.logarithmic(0.003, 0.02) * motion.noise(0.5, 1.6)[:, 0]
    motion.angles += np.radians(motion.uniform(0.05, 1)) * motion.noise(0.1, 1.5, 3)


def shaken(motion):
    """A hand moves a device back and forth."""
    frequency = motion.uniform(1.2, 6)
    phase = motion.phase(frequency, 0.05)
    size = motion.logarithmic(0.25, 3) * GRAVITY / (2 * np.pi * frequency) ** 2
    direction = motion.random.normal(size=3)
    motion.position += size * np.outer(np.sin(phase), direction / np.linalg.norm(direction))
    motion.angles += motion.uniform(0, 0.5) * np.outer(np.sin(phase + motion.uniform(0, 1)), motion.random.normal(size=3) / 2)
    motion.position += 0.02 * motion.noise(0.3, 2, 3)


def waved(motion):
    """A forearm rotates about the elbow."""
    frequency = motion.uniform(0.5, 2.6)
    phase = motion.phase(frequency, 0.06)
    swing, radius = np.radians(motion.uniform(20, 70)), motion.uniform(0.2, 0.4)
    # An arm accelerates a hand by at most a few g.
    swing = min(swing, 3 * GRAVITY / (radius * (2 * np.pi * frequency) ** 2))
    angle, lean = swing * np.sin(phase), motion.uniform(-1.5, 1.5)
    # About a horizontal axis or the vertical one.
    if motion.uniform(0, 1) < 0.5:
        motion.position += radius * np.stack([np.cos(angle + lean), 0 * angle, -np.sin(angle + lean)], 1)
        motion.angles[:, 1] = angle
    else:
        motion.position += radius * np.stack([np.cos(angle + lean), np.sin(angle + lean), 0 * angle], 1)
        motion.angles[:, 2] = angle
    motion.angles += motion.uniform(0, 0.2) * motion.noise(0.3, 3, 3)
    motion.position += motion.uniform(0.005, 0.02) * motion.noise(0.3, 2, 3)


def machine(motion):
    """A washing machine, a drill or a pump: one line with harmonics, and noise."""
    phase = motion.phase(motion.uniform(4, 24), 0.01)
    level = motion.logarithmic(0.03, 0.6)
    for axis in range(3):
        motion.shaking[:, axis] += level * motion.uniform(0.2, 1) * np.sin(phase + motion.uniform(0, 6))
        motion.shaking[:, axis] += 0.3 * level * motion.uniform(0, 1) * np.sin(2 * phase + motion.uniform(0, 6))
    motion.vibrate(0.2 * level, 2, 40, 1)


def rocked(motion):
    """A device that swings on a string, a rocking chair, a boat or a pram."""
    phase = motion.phase(motion.uniform(0.15, 1.6), 0.02)
    swing = np.radians(motion.uniform(3, 40))
    angle, length = swing * np.sin(phase), motion.uniform(0.1, 1.5)
    motion.position += length * np.stack([np.sin(angle), 0 * angle, 1 - np.cos(angle)], 1)
    motion.angles[:, 1] = -angle
    motion.vibrate(motion.logarithmic(0.002, 0.02), 1, 20)


def handled(motion):
    """A hand that turns and moves a device: games, tools, cooking."""
    band = motion.uniform(0.5, 3)
    motion.angles += motion.uniform(0.1, 1) * motion.noise(0.15, band, 3)
    motion.position += motion.uniform(0.01, 0.1) * motion.noise(0.15, band, 3)


def jumping(motion):
    """Jumps on both legs: flight, landing and push-off in turn."""
    period = motion.uniform(0.45, 1.1)
    flight = motion.uniform(0.35, 0.6)
    phase = (motion.phase(1 / period, 0.04) / (2 * np.pi)) % 1
    ground = phase > flight
    # The mean acceleration of a cycle is zero, so the ground carries more than the weight.
    push = np.sin(np.pi * (phase - flight) / (1 - flight)) * ground
    motion.shaking[:, 2] += push / push.mean() - 1
    motion.vibrate(motion.uniform(0.05, 0.2), 3, 20)
    motion.angles += motion.uniform(0.05, 0.4) * motion.noise(0.3, 3, 3)
    motion.angles[:, 1] += motion.uniform(0, 0.5) * np.sin(2 * np.pi * phase)


def swimming(motion):
    """An arm that circles, or a body that rolls."""
    phase = motion.phase(motion.uniform(0.35, 1.0), 0.04)
    if motion.uniform(0, 1) < 0.6:
        radius = motion.uniform(0.4, 0.7)
        angle = phase + motion.uniform(0.1, 0.5) * np.sin(phase)
        motion.position += radius * np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], 1)
        motion.angles[:, 1] = angle
    else:
        motion.angles[:, 0] = np.radians(motion.uniform(15, 50)) * np.sin(phase)
        motion.position[:, 0] += motion.uniform(0.02, 0.08) * np.sin(2 * phase)
    motion.angles += motion.uniform(0, 0.3) * motion.noise(0.3, 2, 3)
    motion.position += 0.02 * motion.noise(0.3, 2, 3)


def drone(motion):
    motion.vibrate(motion.logarithmic(0.03, 0.4), 8, 45, 1)
    motion.angles += np.radians(motion.uniform(1, 12)) * motion.noise(0.1, 1.5, 3)
    motion.shaking[:, 2] += motion.uniform(0.01, 0.1) * motion.noise(0.1, 1)[:, 0]


def strides(motion, frequency, bounce, swing, lift):
    """A hand that swings with the arm about a shoulder, which rises and falls with each step and jolts at each contact."""
    phase = motion.phase(frequency, 0.03)
    radius = motion.uniform(0.45, 0.75)
    angle = lift + swing * np.sin(phase)
    motion.position += radius * np.stack([np.sin(angle), 0 * angle, -np.cos(angle)], 1)
    motion.angles[:, 1] = -angle
    motion.position[:, 2] += bounce * np.cos(2 * phase + motion.uniform(-0.6, 0.6)) + 0.3 * bounce * np.cos(phase)
    motion.position[:, 0] += 0.5 * bounce * np.cos(2 * phase + motion.uniform(0, 6))
    motion.position[:, 1] += 0.5 * bounce * np.sin(phase + motion.uniform(0, 6))
    # The contact jolts the body for about 50 ms, and the arm damps it.
    contact = np.exp(-((((phase / np.pi) % 1) - 0.5) / 0.07) ** 2)
    jolt = (contact - contact.mean()) * (2 * np.pi * frequency * 2) ** 2 * bounce / GRAVITY
    motion.shaking[:, 2] += motion.uniform(0.1, 0.8) * jolt
    motion.shaking[:, 0] += motion.uniform(-0.4, 0.4) * jolt
    motion.angles += np.radians(motion.uniform(1, 6)) * motion.noise(0.2, 2, 3)
    motion.angles[:, 2] += motion.uniform(0, 0.3) * np.sin(phase)
    motion.vibrate(motion.logarithmic(0.01, 0.06), 3, 20, 1)


def walking(motion):
    strides(motion, motion.uniform(0.65, 1.15), motion.uniform(0.012, 0.03), np.radians(motion.uniform(8, 40)),
            motion.uniform(-0.2, 0.3))


def running(motion):
    strides(motion, motion.uniform(1.15, 1.6), motion.uniform(0.025, 0.05), np.radians(motion.uniform(10, 45)),
            motion.uniform(0.3, 1.4))


KINDS = (pedalling_pocket, bicycle_frame, road, rails, shaken, waved, machine, rocked, handled, jumping, swimming, drone,
         pedalling_body, walking, running)


def motions():
    """Returns the kind and the samples of each motion."""
    for kind_number, kind in enumerate(KINDS):
        for copy in range(COPIES):
            motion = Motion([kind_number, copy])
            kind(motion)
            yield kind.__name__, copy, motion.samples()
