import Testing

@Suite("Simulation") struct SimulationTests {
  @Test("at rest face up the accelerometer reads (0, 0, −1) g and the gyroscope zero")
  func restFaceUp() {
    let recording = Simulation(trajectory: RestTrajectory(), sensors: .ideal, duration: 1).recording()
    #expect(recording[.accelerometer]?.count == 100)
    for index in 0..<100 {
      #expect(recording[.accelerometer]!.values[index] == Vector3(0, 0, -1))
      #expect(recording[.gyroscope]!.values[index] == .zero && recording[.movement]!.values[index].x == 0)
      #expect(recording[.gyroscope]!.times[index] == Double(index) / 100)
    }
  }

  @Test("in any attitude at rest the accelerometer points down and the magnetometer has the field's dip")
  func restAnywhere() {
    var suite = SensorSuite.ideal
    suite.earthField = EarthField(strength: 50, dip: 1)
    for q in Quaternion.random(20, seed: 3) + Quaternion.nastyCases {
      let recording = Simulation(trajectory: RestTrajectory(attitude: q), sensors: suite, duration: 0.02).recording()
      let (down, field) = (recording[.accelerometer]!.values[0], recording[.magnetometer]!.values[0])
      #expect(isNear(down, q.rotateInverse(Vector3(0, 0, -1)), within: 1e-14) && isNear(field.norm, 50, within: 1e-12))
      #expect(isNear(field.angle(to: down), .pi / 2 - 1, within: 1e-12))
      #expect(isNear(q.rotate(field), Vector3(50 * cos(1), 0, -50 * sin(1)), within: 1e-12))
      #expect(isSameRotation(recording[.referenceAttitude]!.quaternions[0], q, within: 1e-15))
    }
  }

  @Test("accelerating to the right reads negative on x: Core Motion's sign")
  func accelerationSign() {
    let state = KinematicState(attitude: .identity, acceleration: Vector3(9.80665, 0, 0), isMoving: true)
    #expect(isNear(state.accelerometerReading, Vector3(-1, 0, -1), within: 1e-15))
  }

  @Test("integrating a perfect gyroscope and accelerometer yields the true attitude and velocity")
  func strapdown() {
    var suite = SensorSuite.ideal
    (suite.gyroscope!.rate, suite.accelerometer!.rate) = (1000, 1000)
    (suite.magnetometer, suite.referenceRate) = (nil, nil)
    let trajectory = RandomSplineTrajectory(duration: 10, restDuration: 0.5, seed: 4)
    // Half a period late, every sample is the midpoint of the interval that ends at its timestamp plus half a period.
    (suite.gyroscope!.startOffset, suite.accelerometer!.startOffset) = (0.0005, 0.0005)
    var attitude = trajectory.state(at: 0).attitude
    var (velocity, rate) = (Vector3.zero, Vector3.zero)
    for sample in Simulation(trajectory: trajectory, sensors: suite, duration: 8) {
      if sample.channel == .gyroscope {
        rate = sample.vector
        attitude = attitude * Quaternion(rotationVector: rate * 0.001)
      } else {
        let middle = attitude * Quaternion(rotationVector: rate * -0.0005)
        velocity += 0.001 * (-9.80665 * middle.rotate(sample.vector) - Vector3(0, 0, 9.80665))
      }
    }
    #expect(isSameRotation(attitude, trajectory.state(at: 8).attitude, within: 1e-5))
    #expect(isNear(velocity, trajectory.state(at: 8).velocity, within: 1e-4))
  }

  @Test("samples are sorted by time, and by channel at equal times")
  func order() {
    var suite = SensorSuite.phone
    (suite.gyroscope!.clockJitter, suite.gyroscope!.intervalJitter) = (0.01, 0.01)
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 20).samples()
    #expect(samples == Recording(samples).samplesInTimeOrder())
    #expect(samples.count > 2000 + 2000 + 1000 + 4000 - 10)
  }

  @Test("the same seed yields identical samples, another seed other noise")
  func seeds() {
    func run(_ seed: UInt64) -> [SensorSample] {
      Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 3, seed: seed).samples()
    }
    #expect(run(7) == run(7) && run(7) != run(8))
  }

  @Test("sensors have separate random numbers: changing one leaves the others unchanged")
  func independence() {
    let all = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 3).recording()
    var suite = SensorSuite.phone
    (suite.accelerometer, suite.magnetometer!.sensor.noiseDensity) = (nil, 9)
    let fewer = Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 3).recording()
    #expect(all[.gyroscope] == fewer[.gyroscope] && all[.magnetometer] != fewer[.magnetometer])
    #expect(all[.gyroscope]!.values.map(\.x) != all[.accelerometer]!.values.map(\.x))
  }

  @Test("presets are found by name, and scenario simulations by parameters")
  func presets() throws {
    for preset in SensorSuite.presets {
      #expect(SensorSuite.preset(named: preset.name) == preset.suite)
      let data = try JSONEncoder().encode(preset.suite)
      #expect(try JSONDecoder().decode(SensorSuite.self, from: data) == preset.suite)
    }
    #expect(SensorSuite.preset(named: "toaster") == nil)
    let simulation = try Simulation(
      scenario: .circle, parameters: ["speed": 3, "radius": 2], sensors: .researchIMU, duration: 1)
    let recording = simulation.recording()
    #expect(recording[.gyroscope]?.count == 200 && isNear(recording[.gyroscope]!.values[50].z, 1.5, within: 0.01))
  }

  @Test("a device that calibrates its field logs it without hard and soft iron, with the raw field's noise")
  func calibratedField() {
    var suite = SensorSuite.ideal
    suite.magnetometer!.hardIron = Vector3(100, -50, 20)
    suite.magnetometer!.softIron = Matrix3(diagonal: Vector3(1.2, 0.9, 1))
    (suite.magnetometer!.sensor.noiseDensity, suite.magnetometer!.output) = (0.1, .both)
    let recording = Simulation(trajectory: RestTrajectory(), sensors: suite, duration: 2).recording()
    let (raw, calibrated) = (recording[.magnetometer]!, recording[.calibratedMagneticField]!)
    #expect(raw.count == 200 && calibrated.count == 200)
    let earth = suite.earthField.vector
    for index in 0..<200 {
      let noise = calibrated.values[index] - earth
      let distorted = Vector3(1.2 * earth.x, 0.9 * earth.y, earth.z) + Vector3(100, -50, 20)
      #expect(isNear(raw.values[index], distorted + noise, within: 1e-12) && noise != .zero && calibrated.w[index] == 2)
    }
    suite.magnetometer!.output = .calibrated
    let only = Simulation(trajectory: RestTrajectory(), sensors: suite, duration: 2).recording()
    #expect(only[.magnetometer] == nil && only[.calibratedMagneticField] == calibrated)
  }

  @Test("a disturbance adds its field in its own frame and time interval")
  func disturbances() {
    let q = Quaternion(angle: 1, axis: Vector3(1, 2, 3))
    var suite = SensorSuite.ideal
    suite.disturbances = [
      MagneticDisturbance(start: 1, end: 3, field: Vector3(10, 0, 0), frame: .earth),
      MagneticDisturbance(start: 2, end: 6, field: Vector3(0, 20, 0), frame: .device, ramp: 1),
    ]
    let recording = Simulation(trajectory: RestTrajectory(attitude: q), sensors: suite, duration: 7).recording()
    let (undisturbed, room) = (q.rotateInverse(suite.earthField.vector), q.rotateInverse(Vector3(10, 0, 0)))
    for (index, added) in [
      (50, .zero), (150, room), (250, room + Vector3(0, 10, 0)), (400, Vector3(0, 20, 0)), (575, Vector3(0, 5, 0)),
      (650, .zero),
    ] { #expect(isNear(recording[.magnetometer]!.values[index], undisturbed + added, within: 1e-12), "\(index)") }
  }
}
