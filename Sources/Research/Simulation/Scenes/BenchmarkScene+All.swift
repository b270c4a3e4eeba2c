internal import InertialNumerics
internal import InertialRotations

extension BenchmarkScene {
  /// All scenes.
  public static let all = [
    walk, stop, turn, steadyTurn, circle, car, sprint, vibration, magneticStep, saturation, gap, jitter, movingStart,
    cheapPhone,
  ]

  // MARK: On foot

  /// A walk with curves, with a handheld device.
  public static let walk = BenchmarkScene("winding-walk", "A walk with curves, handheld.") { draw, _ in
    Self.walk(&draw, handDegrees: 12)
  }

  /// Walks of some seconds, each ending with a quick stop and a pause.
  public static let stop = BenchmarkScene("stop-and-go", "Walks of some seconds, each with a quick stop and a pause.") {
    draw, duration in
    var speed = SpeedProfile()
    speed.change(to: 1.5, after: 4, within: 1.5)
    while speed.end < duration {
      speed.change(to: 0, after: draw.uniform(4...8), within: 0.8)
      speed.change(to: 1.5, after: draw.uniform(2...6), within: 1.5)
    }
    return TravelTrajectory(
      path: draw.path(length: 1.5 * duration, spacing: 2, bendDegrees: 25), speed: speed,
      gait: Gait(cadence: 1.9, bounce: 0.03, speed: 1.5), hand: draw.hand(degrees: 12), mount: draw.mount())
  }

  /// Sprints to 7 m/s, each ending with a full stop and a pause.
  public static let sprint = BenchmarkScene("sprint", "Sprints to 7 m/s, each with a full stop and a pause.") {
    draw, duration in
    var speed = SpeedProfile()
    speed.change(to: 7, after: 4, within: 2.5)
    while speed.end < duration {
      speed.change(to: 0, after: draw.uniform(3...6), within: 1.5)
      speed.change(to: 7, after: draw.uniform(3...6), within: 2.5)
    }
    return TravelTrajectory(
      path: draw.path(length: 7 * duration, spacing: 5, bendDegrees: 8), speed: speed,
      gait: Gait(cadence: 2.8, bounce: 0.04, sway: 0.35, speed: 7), hand: draw.hand(degrees: 12), mount: draw.mount())
  }

  /// A walk with a gap of 6 s in all sensors in the middle.
  public static let gap = BenchmarkScene(
    "gap", "A walk, with 6 s in the middle in which no sensor provides samples.", window: 51...90,
    adjust: { suite in
      let gap = 40.0...46.0
      suite.gyroscope?.gaps = [gap]
      suite.accelerometer?.gaps = [gap]
      suite.magnetometer?.sensor.gaps = [gap]
    },
    motion: { draw, _ in Self.walk(&draw, handDegrees: 20) })

  /// A walk with timestamp errors of 1.5 ms.
  public static let jitter = BenchmarkScene(
    "jitter", "A walk, with timestamps that are off by 1.5 ms.",
    adjust: { suite in
      suite.gyroscope?.clockJitter = 0.0015
      suite.accelerometer?.clockJitter = 0.0015
      suite.magnetometer?.sensor.clockJitter = 0.0015
    },
    motion: { draw, _ in Self.walk(&draw, handDegrees: 20) })

  /// A walk that is in progress when the log begins.
  public static let movingStart = BenchmarkScene(
    "moving-start", "A walk that is under way when the log begins; evaluated from 1 s on.", duration: 30, window: 1...30
  ) { draw, _ in
    Self.walk(&draw, handDegrees: 25, isUnderWay: true)
  }

  /// A walk with a cheap phone.
  public static let cheapPhone = BenchmarkScene(
    "cheap-phone", "A walk with a cheap phone.", devices: .cheapPhone
  ) { draw, _ in
    Self.walk(&draw, handDegrees: 12)
  }

  private static func walk(
    _ draw: inout SceneDraw, handDegrees: Double, isUnderWay: Bool = false
  ) -> any Trajectory {
    var speed = SpeedProfile(initial: isUnderWay ? 1.4 : 0)
    if !isUnderWay { speed.change(to: 1.4, after: 3, within: 2) }
    return TravelTrajectory(
      path: draw.path(length: 130, spacing: 2, bendDegrees: 25), speed: speed,
      gait: Gait(cadence: 1.9, bounce: 0.03, sway: 0.1, speed: 1.4),
      hand: draw.hand(degrees: handDegrees, start: isUnderWay ? nil : 3), mount: draw.mount())
  }

  // MARK: Vehicles and turntables

  /// A car that starts, bends, brakes and waits.
  public static let car = BenchmarkScene("car", "A car that starts, turns, brakes and waits.") { draw, duration in
    var speed = SpeedProfile()
    while speed.end < duration {
      speed.change(to: draw.uniform(6...18), after: speed.end < 0 ? 4 : 3, within: draw.uniform(4...8))
      speed.change(to: draw.uniform(8...16), after: draw.uniform(1...6), within: draw.uniform(3...8))
      speed.change(to: 0, after: draw.uniform(1...6), within: 4)
    }
    return TravelTrajectory(
      path: draw.path(length: 18 * duration, spacing: 15, bendDegrees: 9), speed: speed,
      gait: Gait(cadence: 11, bounce: 2e-4, speed: 15), hand: draw.hand(degrees: 1), mount: draw.mount())
  }

  /// A circle of 2.5 m radius at 1.5 m/s, for the whole log.
  public static let circle = BenchmarkScene(
    "long-circle", "A circle of 2.5 m radius at 1.5 m/s, for as long as the log lasts."
  ) { draw, _ in
    var rate = SpeedProfile()
    rate.change(to: 0.6 * draw.sign(), after: 3, within: 2)
    return TurntableTrajectory(
      radius: 2.5, rate: rate, hand: draw.hand(degrees: 12), mount: draw.mount())
  }

  /// A turntable that rotates at 40 °/s for more than a minute, with the device 10 cm from the axis.
  public static let steadyTurn = BenchmarkScene(
    "steady-turn", "On a turntable, 40 °/s for more than a minute, 10 cm from the axis."
  ) { draw, _ in
    var rate = SpeedProfile()
    rate.change(to: 40 * .pi / 180 * draw.sign(), after: 3, within: 2)
    rate.change(to: 0, after: 65, within: 2)
    return TurntableTrajectory(radius: 0.1, rate: rate, mount: draw.mount())
  }

  // MARK: On the spot

  /// A standing person, with quick turns by 60° to 180°.
  public static let turn = BenchmarkScene("quick-turns", "Standing, with quick turns by 60° to 180°.") {
    draw, duration in
    var turns: [HandheldTrajectory.Turn] = []
    var start = 5.0
    while start < duration {
      let turn = HandheldTrajectory.Turn(
        start: start, duration: draw.uniform(0.5...1.2), angle: draw.sign() * draw.uniform(60...180) * .pi / 180)
      turns.append(turn)
      start += turn.duration + draw.uniform(1...4)
    }
    return HandheldTrajectory(hand: draw.hand(degrees: 12, metres: 0.05), turns: turns, mount: draw.mount())
  }

  /// A slowly moving hand on a machine that shakes with 23 Hz and 2 g.
  public static let vibration = BenchmarkScene(
    "vibration", "Handheld and slow, on a machine that shakes with 23 Hz and 2 g."
  ) { draw, _ in
    HandheldTrajectory(
      hand: draw.hand(degrees: 30, metres: 0.1),
      vibration: HandheldTrajectory.Vibration(frequency: 23, acceleration: 20 * Vector3(1, 0.5, 0.8)),
      mount: draw.mount())
  }

  /// A device rotated by hand, with an additional field of 20 to 28 µT for 20 s and another for 10 s.
  public static let magneticStep = BenchmarkScene(
    "magnetic-step", "Turned by hand, with a field disturbance of 20 to 28 µT for 20 s and another for 10 s.",
    adjust: { suite in
      suite.disturbances = [
        MagneticDisturbance(start: 25, end: 45, field: Vector3(-8, -15, 10), ramp: 0.3),
        MagneticDisturbance(start: 60, end: 70, field: Vector3(-8, 25, -10), ramp: 0.3),
      ]
    },
    motion: { draw, _ in
      HandheldTrajectory(hand: draw.hand(degrees: 40, metres: 0.15, frequencies: 0.05...0.6), mount: draw.mount())
    })

  /// Spins of 630° in half a second, beyond the gyroscope's declared range of 2000 °/s.
  public static let saturation = BenchmarkScene(
    "saturation", "Spins of 630° in half a second, beyond the gyroscope's declared range of 2000 °/s.",
    declaresRange: true, adjust: { $0.gyroscope?.range = 2000 * .pi / 180 },
    motion: { draw, duration in
      let turns = stride(from: 12, to: duration - 8, by: 10).map {
        HandheldTrajectory.Turn(start: $0, duration: 0.55, angle: draw.sign() * 3.5 * .pi)
      }
      return HandheldTrajectory(
        hand: draw.hand(degrees: 25, metres: 0.1, frequencies: 0.05...0.6), turns: turns, mount: draw.mount())
    })
}
