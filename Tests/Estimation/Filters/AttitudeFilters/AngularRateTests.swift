import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Angular rate")
struct AngularRateTests {
  private func parameters(order: Double = 0, bias: Vector3 = .zero) -> AngularRate.Parameters {
    with(.init()) { ($0.seriesOrder, $0.bias) = (order, bias) }
  }

  @Test("the closed form follows a constant rate exactly, with steps of any length")
  func closedForm() {
    let axis = Vector3(1, -2, 0.5).normalized!
    let algorithm = AngularRate()
    for steps in [1, 7, 1000] {
      var state = AngularRate.State(earthFromDevice: Quaternion.random(1, seed: 4)[0])
      let start = state.earthFromDevice
      for _ in 0..<steps { algorithm.advance(&state, by: MotionStep(rate: 2.5 / Double(steps) * axis, duration: 1)) }
      #expect(isSameRotation(state.earthFromDevice, start * Quaternion(angle: 2.5, axis: axis), within: 1e-12))
    }
  }

  @Test("the series is the sum of the powers of the rate's matrix", arguments: 0...12)
  func series(order: Int) {
    // The matrix of q ↦ q ⊗ (0, ½ θ) for q as (x, y, z, w).
    let theta = Vector3(0.7, -1.1, 0.4)
    let (x, y, z) = (theta.x / 2, theta.y / 2, theta.z / 2)
    let omega = Matrix(rows: [[0, z, -y, x], [-z, 0, x, y], [y, -x, 0, z], [-x, -y, -z, 0]])
    var (sum, term) = (Matrix.identity(4), Matrix.identity(4))
    for power in 0..<order {
      term = term * omega * (1 / Double(power + 1))
      sum = sum + term
    }
    let q = AngularRate.exponentialSeries(of: theta, order: order)
    for (found, expected) in zip([q.x, q.y, q.z, q.w], sum.column(3)) {
      #expect(isNear(found, expected, within: 1e-15))
    }
  }

  @Test("the error of a series of order n is at most its first missing term", arguments: 1...6)
  func seriesError(order: Int) {
    for angle in [0.01, 0.2, 1] {
      let step = MotionStep(rate: Vector3(angle, 0, 0), duration: 1)
      var exact = AngularRate.State(earthFromDevice: .identity)
      var series = exact
      AngularRate().advance(&exact, by: step)
      AngularRate(parameters: parameters(order: Double(order))).advance(&series, by: step)
      var bound = 2.0
      for power in 1...(order + 1) { bound *= angle / 2 / Double(power) }
      let error = exact.earthFromDevice.angle(to: series.earthFromDevice)
      #expect(error <= 1.1 * bound + 1e-15)
      if angle == 1, order < 5 { #expect(error > 1e-6) }
    }
  }

  @Test("a constant bias causes a drift of its size times the time, and a given bias causes none")
  func bias() {
    let bias = Vector3(0.004, -0.003, 0.002)
    var suite = SensorSuite.ideal.forFilters()
    suite.gyroscope!.bias = bias
    let samples = Simulation(trajectory: RestTrajectory(), sensors: suite, duration: 31).samples()
    for known in [Vector3.zero, bias] {
      var filter = AngularRateFilter(parameters: parameters(bias: known))
      filter.take(samples)
      // The start-up holds the tilt for its second, and the field the heading.
      let expected = (bias - known).norm * (30.99 - 1)
      #expect(isNear(filter.estimate!.earthFromDevice.angle, expected, within: 0.1 * expected + 0.005))
      #expect(filter.estimate!.gyroscopeBias == known)
    }
  }

  @Test("after the start-up neither acceleration nor field has an effect, until a gap restarts it")
  func vectorsInStartUpOnly() {
    var (honest, fooled) = (AngularRateFilter(), AngularRateFilter())
    for sample in Simulation(trajectory: RestTrajectory(), sensors: .ideal.forFilters(), duration: 10) {
      // Without samples between 6 and 7 s.
      guard !(6..<7).contains(sample.time) else { continue }
      honest.take(sample)
      var other = sample
      if (2..<6).contains(sample.time), sample.channel != .gyroscope {
        other = SensorSample(time: sample.time, channel: sample.channel, Vector3(20, -8, 15))
      }
      if sample.time >= 7, sample.channel == .accelerometer {
        other = SensorSample(time: sample.time, channel: sample.channel, Vector3(0, -1, 0))
      }
      fooled.take(other)
      guard let a = honest.estimate, let b = fooled.estimate else { continue }
      let angle = a.earthFromDevice.angle(to: b.earthFromDevice)
      if sample.time < 6 { #expect(angle == 0) }
      if sample.time > 7.1 { #expect(angle > 1) }
    }
  }
}
