import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: priors of the biases")
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

  @Test(
    "equation (16): the prior has the mean precision, weighted by the likelihood of the measured bias",
    arguments: [0.1, 4])
  func meanPrecision(size: Double) throws {
    // A measured bias with the information J has the variance J⁻¹ + I/λ about 0.
    let measured = size * Self.degree * Vector3(1, -2, 1.5)
    let factor = Matrix3(rows: Vector3(3, 0.5, -0.4), Vector3(0.2, 2, 0.7), Vector3(0.1, -0.3, 0.8))
    let information = 1e5 * (factor * factor.transpose)
    var (sum, mean) = (0.0, 0.0)
    for precision in Self.precisions {
      let variance = try #require(information.inverse) + Matrix3(diagonal: Vector3(repeating: 1 / precision))
      let square = measured.dot(try #require(variance.inverse) * measured)
      let likelihood = exp(-0.5 * square) / variance.determinant.squareRoot()
      sum += likelihood
      mean += precision * likelihood
    }
    mean /= sum

    var filter = MotionPriorKalman.withErrors()
    filter.state.field.isKnown = false
    filter.pass(0.3)
    filter.state.biasPrior = BiasPrior(Self.precisions)
    let walked = filter.parameters.biasNoise * filter.parameters.biasNoise * 0.3
    let before = 1 / (1 / BiasPrior(Self.precisions).information + walked)
    /// The covariance and the estimate of the bias with a prior.
    func posterior(_ precision: Double) throws -> (covariance: Matrix3, bias: Vector3) {
      let covariance = try #require((information + Matrix3(diagonal: Vector3(repeating: precision))).inverse)
      return (covariance, covariance * (information * measured))
    }
    let (old, new) = try (posterior(before), posterior(mean))
    filter.state.gyroscopeBias = old.bias
    filter.state.kalman.isolate(MotionErrors.gyroscopeBias, covariance: old.covariance)
    filter.considerBiasPrior()
    #expect(abs(mean - before) > 0.2 * before)
    #expect(try isNear(#require(filter.state.biasPrior).information / mean, 1, within: 1e-9))
    let correction = filter.state.kalman.close()
    #expect(isNear(old.bias + correction[MotionErrors.gyroscopeBias], new.bias, within: 1e-9 * new.bias.norm))
    let found = filter.state.biasCovariance
    for axis in 0..<3 {
      #expect(
        isNear(found.column(axis), new.covariance.column(axis), within: 1e-9 * new.covariance.maximumMagnitude))
    }
  }

  @Test("a bias that is small about two axes is expected to be small about the third, and likewise a large one")
  func scale() {
    let sigmas = [0.2, 1, 5].map { Self.sigma(ofLevelBias: $0 * Self.degree) / Self.degree }
    #expect(sigmas[0] < 0.5 && sigmas[0] < sigmas[1] && sigmas[1] < sigmas[2] && sigmas[2] > 2)
  }

  @Test(
    "equation (16): sigmas are from a tenth to three times the initial one, and the prior widens with the bias's walk")
  func grid() {
    let sigmas = Self.precisions.map { 1 / $0.squareRoot() }
    #expect(isNear(sigmas[0], 0.0044, within: 1e-4) && isNear(sigmas[5], 0.14, within: 1e-9))
    var prior = BiasPrior([1e4])
    let narrow = Matrix3(diagonal: Vector3(repeating: 1e-6))
    let change = prior.change(bias: Vector3(1, 1, 1), covariance: narrow, [1e4])
    let isTime = prior.advance(by: 1, walk: 1e-4)
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
