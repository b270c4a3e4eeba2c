import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: prior of the gyroscope's bias")
struct BiasPriorTests {
  private static let degree = Double.pi / 180
  private static let precisions = MotionPriorKalman.Parameters().biasPrecisions

  /// Returns the prior if two level axes are known to a twentieth of a degree per second and the vertical is unknown.
  private static func sigma(ofLevelBias bias: Double) -> Double {
    var prior = BiasPrior(precisions)
    // The information of the measurements, without any prior.
    let known = Matrix3(diagonal: Vector3(1, 1, 0)) * (1 / (0.05 * degree * 0.05 * degree))
    let weighted = known * Vector3(bias, bias, 0)
    for _ in 0..<50 {
      let covariance = (known + Matrix3(diagonal: Vector3(repeating: prior.information))).inverse!
      _ = prior.change(bias: covariance * weighted, covariance: covariance, precisions)
    }
    return 1 / prior.information.squareRoot()
  }

  @Test("a bias that is small about two axes is expected to be small about the third, and likewise a large one")
  func scale() {
    let sigmas = [0.2, 1, 5].map { Self.sigma(ofLevelBias: $0 * Self.degree) / Self.degree }
    #expect(sigmas[0] < 0.5 && sigmas[0] < sigmas[1] && sigmas[1] < sigmas[2] && sigmas[2] > 2)
  }

  @Test("the prior's sigmas are from a tenth to three times the initial one, and the prior widens with the bias's walk")
  func grid() {
    let sigmas = Self.precisions.map { 1 / $0.squareRoot() }
    #expect(isNear(sigmas[0], 0.0044, within: 1e-4) && isNear(sigmas[5], 0.14, within: 1e-9))
    var prior = BiasPrior([1e4])
    let narrow = Matrix3(diagonal: Vector3(repeating: 1e-6))
    let change = prior.change(bias: Vector3(1, 1, 1), covariance: narrow, [1e4])
    let isTime = prior.pass(1, walk: 1e-4)
    #expect(change == nil && isTime)
    #expect(isNear(1 / prior.information, 2e-4, within: 1e-9))
  }

  /// Returns the heading error of a walk without a field, with a bias of the gyroscope about each axis.
  private static func heading(bias: Double, seconds: Double = 120) -> Double {
    var suite = SensorSuite.phone
    suite.gyroscope?.bias = Vector3(bias, -bias, 0.8 * bias)
    suite.magnetometer = nil
    let simulation = BenchmarkScene.named("winding-walk")!.simulation(seed: 3, sensors: suite, duration: seconds)
    var filter = MotionPriorKalman()
    var start: Double?
    var error = 0.0
    for sample in simulation {
      filter.take(sample)
      guard sample.time > 2, let estimate = filter.estimate else { continue }
      let turn = simulation.trajectory.state(at: sample.time).attitude * estimate.earthFromDevice.conjugate
      let yaw = 2 * (turn.w < 0 ? -turn.z : turn.z)
      if start == nil { start = yaw }
      error = abs(yaw - start!)
    }
    return error / degree
  }

  @Test("a walk of two minutes without a field does not increase a small bias about the vertical")
  func walk() {
    // The bias alone would cause a rotation of 24°.
    #expect(Self.heading(bias: 0.2 * Self.degree) < 30)
  }
}
