import Testing

@Suite("Scenes for comparing filters") struct BenchmarkSceneTests {
  @Test("there are fourteen scenes, which are found by their names")
  func names() {
    #expect(
      BenchmarkScene.all.map(\.name) == [
        "winding-walk", "stop-and-go", "quick-turns", "steady-turn", "long-circle", "car", "sprint", "vibration",
        "magnetic-step", "saturation", "gap", "jitter", "moving-start", "cheap-phone",
      ])
    for scene in BenchmarkScene.all {
      #expect(BenchmarkScene.named(scene.name)?.summary == scene.summary && scene.window.upperBound <= scene.duration)
      // A name has only one meaning in the command.
      #expect(!Scenario.allNames.contains(scene.name))
    }
    #expect(BenchmarkScene.named("fly") == nil)
  }

  @Test("a scene's log depends only on its seed", arguments: BenchmarkScene.all.indices)
  func seeded(index: Int) {
    let scene = BenchmarkScene.all[index]
    let log = scene.simulation(seed: 4, duration: 6).samples()
    #expect(log == scene.simulation(seed: 4, duration: 6).samples())
    #expect(log != scene.simulation(seed: 5, duration: 6).samples())
    #expect(scene.trajectory(seed: 4).state(at: 20) != scene.trajectory(seed: 5).state(at: 20))
  }

  @Test("one seed is the same device in every scene of a population, but a different motion in each")
  func device() {
    let (walk, turn) = (BenchmarkScene.walk, BenchmarkScene.turn)
    #expect(walk.sensors(seed: 2) == turn.sensors(seed: 2) && walk.sensors(seed: 2) != walk.sensors(seed: 3))
    #expect(walk.trajectory(seed: 2).state(at: 20) != BenchmarkScene.jitter.trajectory(seed: 2).state(at: 20))
    #expect(walk.trajectory(seed: 2).state(at: 20) != BenchmarkScene.cheapPhone.trajectory(seed: 2).state(at: 20))
  }

  @Test("without errors the gyroscope integrates to the true attitude, the accelerometer to the true velocity")
  func truth() {
    var suite = SensorSuite.ideal
    (suite.gyroscope!.rate, suite.accelerometer!.rate) = (300, 300)
    (suite.magnetometer, suite.referenceRate) = (nil, nil)
    let dt = 1 / suite.gyroscope!.rate
    // A sample is the mean over the interval before its timestamp; for a smooth motion that is the value at its
    // midpoint.
    (suite.gyroscope!.delay, suite.accelerometer!.delay) = (dt / 2, dt / 2)
    for scene in BenchmarkScene.all {
      let trajectory = scene.trajectory(seed: 3)
      var (attitude, velocity) = (trajectory.state(at: -dt).attitude, trajectory.state(at: -dt).velocity)
      var (attitudeError, velocityError) = (0.0, 0.0)
      for sample in scene.simulation(seed: 3, sensors: suite, duration: 6.5) {
        if sample.channel == .gyroscope {
          attitude = attitude * Quaternion(rotationVector: dt * sample.vector)
        } else {
          let middle = trajectory.state(at: sample.time - dt / 2).attitude
          velocity += dt * (-9.80665 * middle.rotate(sample.vector) - Vector3(0, 0, 9.80665))
          let state = trajectory.state(at: sample.time)
          attitudeError = max(attitudeError, attitude.angle(to: state.attitude))
          velocityError = max(velocityError, (velocity - state.velocity).norm)
        }
      }
      // The error of the midpoint rule is dt²/24 of the derivative: for the fastest rotation 5e-5 rad, for the
      // vibration 0.0018 m/s.
      #expect(attitudeError < 2e-4 && velocityError < 3e-3, "\(scene.name)")
    }
  }

  @Test("the gap has no samples, the steps have their fields, and the spins exceed the stated range")
  func disturbances() {
    let gap = BenchmarkScene.gap.simulation(seed: 1).samples()
    #expect(!gap.contains { (40...46).contains($0.time) && $0.channel < .referenceAttitude })
    #expect(gap.contains { $0.time > 46 && $0.time < 46.1 && $0.channel == .magnetometer })

    let fields = BenchmarkScene.magneticStep.simulation(seed: 1).samples().filter { $0.channel == .magnetometer }
    func meanNorm(_ span: ClosedRange<Double>) -> Double {
      let norms = fields.filter { span.contains($0.time) }.map(\.vector.norm)
      return norms.reduce(0, +) / Double(norms.count)
    }
    #expect(abs(meanNorm(5...24) - 49) < 1 && abs(meanNorm(26...44) - 49) > 5 && abs(meanNorm(61...69) - 49) > 5)

    let scene = BenchmarkScene.saturation
    let limit = 2000 * Double.pi / 180
    #expect(scene.declaresRange && scene.sensors(seed: 1).gyroscope?.range == limit)
    let rates = scene.simulation(seed: 1).samples().filter { $0.channel == .gyroscope }.map(\.vector.maximumMagnitude)
    #expect(rates.max() == limit && scene.trajectory(seed: 1).state(at: 12.275).angularRate.norm > 1.15 * limit)
  }

  @Test("a device of a population has errors of the population's size")
  func population() {
    let devices = (1...300).map { DevicePopulation.cheapPhone.device(seed: $0) }
    func deviation(_ value: (SensorSuite) -> Double) -> Double {
      (devices.map { value($0) * value($0) }.reduce(0, +) / Double(devices.count)).squareRoot()
    }
    let cheap = DevicePopulation.cheapPhone
    // 300 draws: 4 % of the deviation is one standard error; 15 % is nearly four.
    #expect(abs(deviation { $0.gyroscope!.scale.y - 1 } / cheap.gyroscopeScale - 1) < 0.15)
    #expect(abs(deviation { $0.gyroscope!.misalignment.m21 } / cheap.misalignment - 1) < 0.15)
    #expect(abs(deviation { $0.accelerometer!.bias.z } / cheap.accelerationBias - 1) < 0.15)
    #expect(abs(deviation { $0.magnetometer!.sensor.bias.x } / cheap.fieldBias - 1) < 0.15)
    #expect(abs(deviation { $0.gyroscope!.bias.x } * 3.0.squareRoot() / cheap.gyroscopeBias - 1) < 0.15)
    #expect(devices.allSatisfy { $0.gyroscope!.bias.maximumMagnitude <= cheap.gyroscopeBias })
  }
}

@Suite("Components of scenes") struct SceneComponentTests {
  @Test("a speed profile ends at its last speed, after the distance that results from smooth steps")
  func speed() {
    var profile = SpeedProfile()
    profile.change(to: 2, after: 3, within: 2)
    profile.change(to: 0, at: 10, within: 4)
    #expect(profile.end == 14 && profile.final == 0)
    let path = LevelPath(length: 0, spacing: 1, bend: 0, seed: 1)
    let travel = TravelTrajectory(path: path, speed: profile)
    #expect(travel.state(at: 2.9).velocity == .zero && isNear(travel.state(at: 7).velocity.norm, 2, within: 1e-12))
    // A smooth step covers half of the distance at its final speed.
    #expect(isNear(travel.state(at: 5).position.norm, 2, within: 1e-12))
    #expect(isNear(travel.state(at: 10).position.norm, 2 + 5 * 2, within: 1e-12))
    #expect(isNear(travel.state(at: 20).position.norm, 2 + 5 * 2 + 4, within: 1e-12))
    #expect(!travel.state(at: 20).isMoving && travel.state(at: 7).isMoving)
  }

  @Test("the device's top points along the path, which has bends of the stated size and a straight continuation")
  func path() {
    let path = LevelPath(length: 100, spacing: 2, bend: 0.3, seed: 8)
    let travel = TravelTrajectory(path: path, speed: SpeedProfile(initial: 1))
    var squaredBends = 0.0
    for t in stride(from: -5.0, to: 110, by: 0.37) {
      let state = travel.state(at: t)
      #expect(isNear(state.velocity.angle(to: state.attitude.rotate(.unitY)), 0, within: 1e-7))
      #expect(state.velocity.norm <= 1 + 1e-12 && state.velocity.norm > 0.8)
    }
    for k in 1..<50 {
      let (a, b) = (travel.state(at: 2 * Double(k) - 1), travel.state(at: 2 * Double(k) + 1))
      let bend = a.velocity.angle(to: b.velocity)
      squaredBends += bend * bend / 49
    }
    // The spline averages the bends of three control points.
    #expect(squaredBends.squareRoot() > 0.15 && squaredBends.squareRoot() < 0.35)
    for t in [-3.0, 130, 1e6] { #expect(travel.state(at: t).acceleration.norm < 1e-6) }
  }

  @Test("the unsteadiness of a hand has its root mean squares, from its start on")
  func hand() {
    let hand = HandMotion(angle: 0.1, displacement: 0.05, start: 3, seed: 5)
    let held = HandheldTrajectory(hand: hand)
    #expect(held.state(at: 2.9) == HandheldTrajectory(hand: .still).state(at: 2.9))
    #expect(!held.state(at: 2.9).isMoving && held.state(at: 3.1).isMoving)
    var (angle, position) = (0.0, 0.0)
    let count = 20_000
    for k in 0..<count {
      let state = held.state(at: 10 + 0.1 * Double(k))
      angle += state.attitude.rotationVector.squaredNorm / Double(3 * count)
      position += state.position.squaredNorm / Double(3 * count)
    }
    #expect(isNear(angle.squareRoot(), 0.1, within: 0.003) && isNear(position.squareRoot(), 0.05, within: 0.001))
    #expect(HandMotion(angle: 0.1, seed: 1) != HandMotion(angle: 0.1, seed: 2))
    // A hand motion without a start.
    #expect(HandheldTrajectory(hand: HandMotion(angle: 0.1, start: nil, seed: 1)).state(at: -100).isMoving)
  }

  @Test("on a turntable the acceleration points to the axis and is ω² r; a vibration has its stated strength")
  func turntable() {
    var rate = SpeedProfile()
    rate.change(to: 1.2, after: 1, within: 1)
    let state = TurntableTrajectory(radius: 0.4, rate: rate).state(at: 7.3)
    #expect(isNear(state.acceleration, -1.44 * state.position, within: 1e-12))
    #expect(isNear(state.angularRate, Vector3(0, 0, 1.2), within: 1e-12))

    let shaken = HandheldTrajectory(
      hand: .still, vibration: HandheldTrajectory.Vibration(frequency: 10, acceleration: Vector3(3, 0, -4)))
    let peak = (0..<1000).map { shaken.state(at: 10 + 0.001 * Double($0)).acceleration.norm }.max()!
    #expect(isNear(peak, 5, within: 1e-3))
  }
}
