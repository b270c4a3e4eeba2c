import Testing

@Suite("Trajectories") struct TrajectoryTests {
  static let trajectories: [(name: String, trajectory: any Trajectory)] =
    Scenario.all.map { ($0.name, try! $0.trajectory(duration: 30, seed: 5)) } + [
      ("rotation about a slanted axis", TurnTrajectory(axis: Vector3(1, -2, 3), angle: 12, start: 1, duration: 20)),
      ("a lift", RisingTrajectory(WalkTrajectory(), climb: .lift(speed: 1.2))),
      ("random spline, quick", RandomSplineTrajectory(duration: 30, knotInterval: 0.2, seed: 77)),
    ] + BenchmarkScene.all.map { ("scene " + $0.name, $0.trajectory(seed: 3)) }

  /// Times away from the joints of a spline's pieces.
  static let times: [Double] = (0..<300).map { -1 + 0.1137 * Double($0) }

  @Test(
    "the angular rate is the derivative of the attitude; velocity and acceleration are the derivatives of the position",
    arguments: trajectories.indices)
  func derivatives(index: Int) {
    let (name, trajectory) = Self.trajectories[index]
    let h = 1e-4
    for t in Self.times {
      let (before, state, after) = (trajectory.state(at: t - h), trajectory.state(at: t), trajectory.state(at: t + h))
      let turn = (before.attitude.conjugate * after.attitude).rotationVector
      // The error of a central difference is h²/6 of the third derivative: up to 1e4 rad/s³ here.
      #expect(isNear(turn / (2 * h), state.angularRate, within: 1e-4), "\(name) at \(t)")
      #expect(abs(state.attitude.norm - 1) < 1e-14)
      #expect(isNear((after.position - before.position) / (2 * h), state.velocity, within: 2e-4), "\(name) at \(t)")
      #expect(isNear((after.velocity - before.velocity) / (2 * h), state.acceleration, within: 5e-3), "\(name) at \(t)")
    }
  }

  @Test("attitude, rate and acceleration are continuous", arguments: trajectories.indices)
  func continuity(index: Int) {
    let trajectory = Self.trajectories[index].trajectory
    // The vibration's acceleration changes by 0.0008 m/s² in two steps.
    let step = 1e-7
    for k in 0..<600 {
      // Every 0.05 s, including the joints of splines and ramps.
      let t = 0.05 * Double(k)
      let (a, b) = (trajectory.state(at: t - step), trajectory.state(at: t + step))
      #expect(isSameRotation(a.attitude, b.attitude, within: 1e-4))
      #expect(isNear(a.angularRate, b.angularRate, within: 1e-3))
      #expect(isNear(a.acceleration, b.acceleration, within: 5e-3))
    }
  }

  @Test("coning has the textbook's angular rate")
  func coning() {
    let (phi, frequency) = (0.3, 2.0)
    let omega = 2 * Double.pi * frequency
    let trajectory = ConingTrajectory(halfAngle: phi, frequency: frequency)
    for t in Self.times {
      let expected = omega * Vector3(-sin(phi) * sin(omega * t), sin(phi) * cos(omega * t), cos(phi) - 1)
      #expect(isNear(trajectory.state(at: t).angularRate, expected, within: 1e-11))
      #expect(isNear(trajectory.state(at: t).attitude.rotate(.unitZ).angle(to: .unitZ), phi, within: 1e-12))
    }
  }

  @Test("a turn rests, rotates by its angle about its axis, and rests again")
  func turn() {
    let axis = Vector3(0, 3, 4)
    let start = Quaternion(angle: 0.4, axis: Vector3(1, 1, 0))
    let turn = TurnTrajectory(initialAttitude: start, axis: axis, angle: 1.2, start: 2, duration: 3)
    #expect(isSameRotation(turn.state(at: 2).attitude, start, within: 1e-15))
    #expect(!turn.state(at: 2).isMoving && turn.state(at: 2.1).isMoving)
    let end = start * Quaternion(angle: 1.2, axis: axis)
    for t in [5.0, 6, 1e9] {
      #expect(isSameRotation(turn.state(at: t).attitude, end, within: 1e-14))
      #expect(turn.state(at: t).angularRate == .zero && !turn.state(at: t).isMoving)
    }
    // The stated peak of the rate, at the midpoint.
    #expect(isNear(turn.state(at: 3.5).angularRate.norm, 2.1875 * 1.2 / 3, within: 1e-12))
  }

  @Test("on a circle the top of the device follows the velocity, and the acceleration points inwards")
  func circle() {
    let circle = CircleTrajectory(radius: 3, speed: 2)
    for t in Self.times {
      let state = circle.state(at: t)
      #expect(isNear(state.velocity, 2 * state.attitude.rotate(.unitY), within: 1e-12))
      #expect(isNear(state.acceleration, -4.0 / 9 * state.position, within: 1e-12))
      #expect(isNear(state.angularRate, Vector3(0, 0, 2.0 / 3), within: 1e-12))
    }
  }

  @Test("a walk has its mean speed along its course, and no mean acceleration")
  func walk() {
    let walk = WalkTrajectory(cadence: 2, speed: 1.5, course: 1.1)
    var (velocity, acceleration) = (Vector3.zero, Vector3.zero)
    // Complete strides.
    let count = 4000
    for k in 0..<count {
      let state = walk.state(at: Double(k) * 10 / Double(count))
      velocity += state.velocity / Double(count)
      acceleration += state.acceleration / Double(count)
    }
    #expect(isNear(velocity, 1.5 * Vector3(cos(1.1), sin(1.1), 0), within: 1e-10))
    #expect(isNear(acceleration, .zero, within: 1e-10))
    let top = walk.state(at: 0.1).attitude.rotate(.unitY)
    #expect(Vector3(top.x, top.y, 0).angle(to: Vector3(cos(1.1), sin(1.1), 0)) < 0.15)
  }

  @Test("a walk's largest acceleration is upwards and about twice the largest one downwards")
  func heelStrike() {
    let walk = WalkTrajectory()
    let vertical = (0..<2000).map { walk.state(at: Double($0) * 0.001).acceleration.z }
    let (up, down) = (vertical.max() ?? 0, -(vertical.min() ?? 0))
    // In m/s², for a person who walks with a handheld device.
    #expect((4...8).contains(up) && (1.8...2.4).contains(up / down))
  }

  @Test("shaking has bouts of the stated strength and true rests between them", arguments: [3.0, 4, 5])
  func shake(frequency: Double) {
    let shake = ShakeTrajectory(frequency: frequency, peakAcceleration: 3, pauseDuration: 2, boutDuration: 3)
    var peak = 0.0
    for k in 0..<1000 {
      let t = Double(k) * 0.01
      let state = shake.state(at: t)
      let inCycle = t.truncatingRemainder(dividingBy: 5)
      if inCycle < 2 {
        #expect(state.acceleration == .zero && state.angularRate == .zero && !state.isMoving)
      } else if inCycle > 2.05, inCycle < 4.95 {
        #expect(state.isMoving)
      }
      peak = max(peak, state.acceleration.norm / 9.80665)
    }
    #expect(peak > 2.8 && peak < 5)
  }

  @Test("a random spline rests at both ends, visits many attitudes, and depends only on its seed")
  func randomSpline() {
    let spline = RandomSplineTrajectory(duration: 60, restDuration: 4, seed: 9)
    #expect(spline.state(at: 0).angularRate == .zero && !spline.state(at: 3.99).isMoving)
    #expect(spline.state(at: 4.01).isMoving && !spline.state(at: 60).isMoving)
    #expect(!spline.state(at: 1e300).isMoving && !spline.state(at: -1e300).isMoving)
    #expect(spline.state(at: 1e300).attitude == spline.state(at: 61).attitude)
    let tilts = (0..<600).map { spline.state(at: Double($0) * 0.1).attitude.rotate(.unitZ).angle(to: .unitZ) }
    #expect(tilts.max()! > 2)
    let again = RandomSplineTrajectory(duration: 60, restDuration: 4, seed: 9)
    let other = RandomSplineTrajectory(duration: 60, restDuration: 4, seed: 10)
    #expect(again.state(at: 20.3) == spline.state(at: 20.3) && other.state(at: 20.3) != spline.state(at: 20.3))
    #expect(!RandomSplineTrajectory(duration: 1, restDuration: 4, seed: 9).state(at: 0.5).isMoving, "too short to move")
  }

  @Test("a foot is stationary between strides, and returns to its start after a square, up and down the stairs")
  func strides() {
    let foot = StridesTrajectory(side: 3, length: 1.2, rise: 0.17)
    #expect(foot.strideCount == 12)
    for stride in 0...foot.strideCount {
      let state = foot.state(at: foot.rest + Double(stride) * (foot.swing + foot.stance) - 0.01)
      #expect(!state.isMoving && state.velocity == .zero && state.angularRate == .zero)
      let (x, y) = (min(stride, 3) - max(0, min(stride - 6, 3)), max(0, min(stride - 3, 3)) - max(0, stride - 9))
      #expect(isNear(state.position, Vector3(1.2 * Double(x), 1.2 * Double(y), 0.17 * Double(x + y)), within: 1e-12))
    }
    #expect(foot.state(at: foot.rest + 0.25).isMoving && foot.state(at: foot.rest + 0.25).position.z > 0.1)
    #expect(isNear(foot.state(at: 1e6).position, .zero, within: 1e-12) && foot.state(at: -5) == foot.state(at: 0))
  }
}

@Suite("Scenarios") struct ScenarioTests {
  @Test("the eleven scenarios are found by their names, and their parameters change the motion")
  func names() throws {
    #expect(
      Scenario.allNames == [
        "rest", "turn", "coning", "circle", "walk", "strides", "shake", "random-spline", "poses", "tumbling",
        "figure-eight",
      ])
    for name in Scenario.allNames {
      let scenario = try Scenario.named(name)
      #expect(scenario.name == name && !scenario.parameters.isEmpty)
      let plain = try scenario.trajectory(duration: 20, seed: 1)
      for parameter in scenario.parameters {
        #expect(parameter.range.contains(parameter.defaultValue))
        // A parameter without an effect would make the help text wrong.
        let moved = parameter.defaultValue == 0 ? parameter.range.upperBound / 3 : parameter.defaultValue / 2
        let changed = try scenario.trajectory(parameters: [parameter.name: moved], duration: 20, seed: 1)
        let differs = stride(from: 0.0, to: 20, by: 0.05).contains { changed.state(at: $0) != plain.state(at: $0) }
        // The axis' length has no effect; twelve attitudes are more than fit into 20 s.
        let isExempt = ["turn axisZ", "poses count"].contains("\(name) \(parameter.name)")
        #expect(differs || isExempt, "\(name) \(parameter.name)")
      }
    }
  }

  @Test("the rest scenario has Core Motion's Euler angles")
  func restAttitude() throws {
    let parameters = ["yaw": 0.3, "pitch": -0.4, "roll": 1.2]
    let q = try Scenario.rest.trajectory(parameters: parameters, duration: 1, seed: 1).state(at: 0).attitude
    // core-motion.md, section 1: pitch, roll and yaw of the matrix device to reference.
    let r = q.matrix
    #expect(isNear(asin(r.m32), -0.4, within: 1e-14) && isNear(atan2(-r.m31, r.m33), 1.2, within: 1e-14))
    #expect(isNear(atan2(-r.m12, r.m22), 0.3, within: 1e-14))
  }

  @Test("an unknown name or a value out of range is an error that lists the valid ones")
  func errors() {
    #expect(throws: ScenarioError.unknownScenario(name: "fly", known: Scenario.allNames)) { try Scenario.named("fly") }
    #expect(
      throws: ScenarioError.unknownParameter(name: "speed", scenario: "coning", known: ["halfAngle", "frequency"])
    ) { try Scenario.coning.trajectory(parameters: ["speed": 1], duration: 1, seed: 1) }
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: ScenarioError.self) {
        try Scenario.circle.trajectory(parameters: ["radius": bad], duration: 1, seed: 1)
      }
    }
    let message = "\(ScenarioError.unknownScenario(name: "fly", known: ["rest", "turn"]))"
    #expect(message == "there is no scenario 'fly'; choose one of rest, turn")
  }
}

extension SpeedProfile {
  /// A speed from 5 s to 15 s, with ramps of 2 s.
  static func lift(speed: Double) -> SpeedProfile {
    var profile = SpeedProfile()
    profile.change(to: speed, at: 5, within: 2)
    profile.change(to: 0, at: 15, within: 2)
    return profile
  }
}
