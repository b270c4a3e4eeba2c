import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: the magnetometer's bias")
struct HardIronTests {
  private static let trajectory = RandomSplineTrajectory(duration: 130, restDuration: 2, seed: 31)
  private static let samples = Simulation(
    trajectory: trajectory, sensors: SensorSuite.phone.forFilters(rates: (100, 100, 25)), duration: 120
  ).samples()

  /// Returns the recording with a hard iron, in µT, at some times.
  private static func run(
    _ bias: Vector3, parameters: MotionPriorKalman.Parameters = .init(), while isThere: (Double) -> Bool = { _ in true }
  ) -> (heading: Double, found: Vector3) {
    var filter = MotionPriorKalman(parameters: parameters)
    var errors = RunErrors()
    let biased = samples.map { sample in
      guard sample.channel == .calibratedMagneticField, isThere(sample.time) else { return sample }
      return SensorSample(time: sample.time, channel: sample.channel, sample.vector + bias)
    }
    filter.follow(biased, on: trajectory) { time, _, error in if time > 60 { errors.add(error) } }
    return (errors.headingRMS, filter.state.magnetometerBias)
  }

  /// Returns the window's measurements; empty if it is too short.
  private func components(of window: HardIronWindow) -> [HardIronWindow.Component] {
    window.measurements.map { [$0.0, $0.1, $0.2] } ?? []
  }

  @Test("a hard iron is found while the device rotates, and hardly changes the heading")
  func found() {
    var blind = MotionPriorKalman.Parameters()
    (blind.magnetometerBiasSigma, blind.minimumMagnetometerBiasSigma) = (0.001, 0.001)
    let clean = Self.run(.zero)
    #expect(clean.found.norm < 0.5 && clean.heading < 1.5, "\(clean)")
    for bias in [Vector3(3, 0, 0), Vector3(0, -4, 0), Vector3(2, 2, -5)] {
      let (known, without) = (Self.run(bias), Self.run(bias, parameters: blind))
      #expect((known.found - bias).norm < 0.25 * bias.norm, "\(known) \(bias)")
      #expect(known.heading < 0.5 * without.heading, "\(known) \(without)")
      #expect(without.found.norm < 0.1)
    }
  }

  @Test("a magnet attached to the device for a while is not a bias")
  func magnet() {
    let result = Self.run(Vector3(60, -40, 50)) { $0 > 20 && $0 < 60 }
    #expect(result.found.norm < 2, "\(result)")
  }

  @Test("with an exact field, a window finds a bias exactly, along the axes of the rotations")
  func window() throws {
    let (earth, bias) = (Vector3(20, 1, -44), Vector3(3, -2, 5))
    var random = SeededGenerator(seed: 5)
    for axes in [[Vector3.unitZ], [.unitX, .unitY, .unitZ]] {
      var window = HardIronWindow()
      for _ in 0..<200 {
        let q = axes.reduce(Quaternion.identity) {
          $0 * Quaternion(angle: Double.random(in: -2...2, using: &random), axis: $1)
        }
        window.add(earth + q.matrix * bias, rotation: q.matrix, over: 0.1)
      }
      #expect(isNear(window.duration, 20, within: 1e-9))
      let components = self.components(of: window)
      #expect(components.count == 3)
      // Lᵀ b of the bias, as far as the ridge permits.
      for component in components where component.direction.norm > 5 {
        let error = component.residual - component.direction.dot(bias)
        #expect(abs(error) < 0.01 * component.direction.norm * bias.norm, "\(component)")
      }
      if axes.count == 1 { #expect(components[2].direction.norm < 1) }
    }
  }

  @Test("a window without rotation has no information about the bias; one that is too short has no measurements")
  func noTurn() {
    var window = HardIronWindow()
    for index in 0..<200 {
      if index == 6 { #expect(components(of: window).isEmpty) }
      window.add(Vector3(20, 0, -44), rotation: .identity, over: 0.1)
    }
    for component in components(of: window) {
      // In sigmas of a bias of 6 µT.
      #expect(component.direction.norm * 6 < component.variance.squareRoot() && abs(component.residual) < 1e-6)
    }
  }
}
