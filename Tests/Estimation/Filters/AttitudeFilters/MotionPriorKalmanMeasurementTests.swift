import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialFilters

/// Equations (9), (11), (14), (15), (25) and (26) of docs/theory/flagship.md against dense updates.
@Suite("Kalman filter with a motion prior: measurements of an epoch")
struct MotionPriorKalmanMeasurementTests {
  /// Returns whether a filter's corrections and covariance equal the results of dense updates.
  private static func agree(_ filter: MotionPriorKalman, _ dense: DenseUpdates) -> Bool {
    let kalman = filter.state.kalman
    let areSame = (0..<24).allSatisfy { index in
      let sigma = dense.covariance[index, index].squareRoot()
      return isNear(kalman.correction(at: index) / sigma, dense.correction[index] / sigma, within: 1e-8)
    }
    return areSame && areNear(dense.covariance, kalman.matrix, within: 1e-8)
  }

  private static func row(_ entries: [(Int, Double)]) -> [Double] {
    entries.reduce(into: [Double](repeating: 0, count: 24)) { $0[$1.0] += $1.1 }
  }

  /// Returns a filter whose covariance has correlations, with a velocity, in an epoch.
  private static func moving(_ duration: Double, hasField: Bool) -> MotionPriorKalman {
    var filter = MotionPriorKalman.withErrors { ($0.velocityNoise, $0.motionWeight) = (0.1, 1.2) }
    filter.correlate(seed: 5)
    filter.state.field.isKnown = hasField
    filter.state.velocity = Vector3(1.5, -0.7, 0.4)
    filter.state.meanSquareVelocity.add(Vector3(1, 2, 0.5), over: 2, memory: 6)
    filter.pass(duration)
    return filter
  }

  @Test(
    "equation (9): the motion prior is a velocity of 0 with a noise that grows with motion", arguments: [0.1, 0.25])
  func motionPrior(duration: Double) {
    var filter = Self.moving(duration, hasField: true)
    var dense = DenseUpdates(filter.state.kalman)
    let speed = filter.state.meanSquareVelocity
    let squares = [speed.horizontal, speed.horizontal, speed.vertical]
    for axis in 0..<3 {
      dense.take(Self.row([(6 + axis, 1)]), residual: -filter.state.velocity[axis]) { _, _ in
        (0.1 * 0.1 + 1.2 * squares[axis]) / duration
      }
    }
    filter.takeMotionPrior()
    #expect(speed.horizontal > 2 * speed.vertical && Self.agree(filter, dense))
  }

  @Test(
    "equation (15): half of the gain of the heading, and what no motion reveals of the vertical bias, are omitted",
    arguments: [0.01, 1, 100])
  func partialGain(ratio: Double) {
    let duration = 0.1
    var filter = Self.moving(duration, hasField: false)
    let up = filter.state.northFromDevice.rotateInverse(.unitZ)
    filter.scaleBiasErrors(by: ratio * 0.005 / up.dot(filter.state.biasCovariance * up).squareRoot())
    var dense = DenseUpdates(filter.state.kalman)
    let share = 1 / (1 + ratio * ratio)
    let factor = with(Matrix.identity(24)) {
      $0[2, 2] = 0.5
      for row in 0..<3 { for column in 0..<3 { $0[3 + row, 3 + column] -= share * up[row] * up[column] } }
    }
    let (v, speed) = (filter.state.velocity, filter.state.meanSquareVelocity)
    let rows = [[(6, 1), (2, v.y)], [(7, 1), (2, -v.x)], [(8, 1)]]
    for axis in 0..<3 {
      dense.take(Self.row(rows[axis]), residual: -v[axis], factor: factor) { _, _ in
        (0.1 * 0.1 + 1.2 * (axis < 2 ? speed.horizontal : speed.vertical)) / duration
      }
    }
    filter.takeMotionPrior()
    #expect(Self.agree(filter, dense))
  }

  @Test(
    "equations (25) to (27): the constant errors of the sensors are measured by their priors, if they have one",
    arguments: [0, 0.0002, 0.05])
  func constantErrors(bias: Double) throws {
    let (biasSigma, scaleSigma) = bias > 0 ? (0.004, 0.002) : (0, 0)
    var filter = MotionPriorKalman.withErrors {
      ($0.accelerationBiasSigma, $0.scaleSigma) = (biasSigma, scaleSigma)
    }
    filter.correlate(seed: 8)
    filter.state.sinceConstantErrors = 0
    filter.state.accelerometerBias = bias * 9.80665 * Vector3(0.8, -1, 1.2)
    filter.state.kalman.isolate(MotionErrors.accelerometerBias.indices, variance: 1e-4)
    let precisions = filter.parameters.forceBiasPrecisions
    var prior = BiasPrior(precisions)
    let before = prior.information
    var dense = DenseUpdates(filter.state.kalman)
    filter.takeConstantErrors(after: 4.9)
    #expect(Self.agree(filter, dense))
    if bias > 0 {
      // After two periods of T_f, the prior was taken three times.
      filter.state.forceBiasPriorCount = 3
      let covariance = Matrix3(diagonal: Vector3(repeating: 3e-4))
      let evaluated = prior.change(bias: filter.state.accelerometerBias, covariance: covariance, precisions)
      let change = try #require(evaluated)
      #expect(bias < biasSigma ? change > 0.05 * before : change < -0.3 * before)
      for information in [3 * change, (before + change) * 5.2 / 30] {
        for axis in 0..<3 {
          dense.take(Self.row([(18 + axis, 1)]), residual: -filter.state.accelerometerBias[axis]) { _, _ in
            1 / information
          }
        }
      }
      for index in 0..<9 {
        let value = filter.state.gyroscopeScale.column(index / 3)[index % 3]
        dense.take(Self.row([(9 + index, 1)]), residual: -value) { _, _ in scaleSigma * scaleSigma * 3000 / 5.2 }
      }
    }
    filter.takeConstantErrors(after: 0.3)
    #expect(Self.agree(filter, dense))
    #expect(bias == 0 || isNear(filter.state.forceBiasPriorCount, 3 + 5.2 / 30, within: 1e-12))
  }

  @Test("equation (11): a rest measures the bias like its single rates, each with the noise of its interval")
  func rest() {
    var filter = MotionPriorKalman.withErrors { $0.restNoise = 2e-3 }
    let (dt, count) = (MotionPriorKalman.interval, 13)
    for step in 1...300 {
      filter.update(
        MotionPriorKalman.lastOfStart + step, rate: Vector3(0.01, -0.02, 0.03), force: Vector3(0.1, -0.2, -0.95))
    }
    filter.state.epoch = MotionEpoch()
    filter.correlate(seed: 6)
    let variance = filter.state.kalman[3, 3]
    var dense = DenseUpdates(filter.state.kalman)
    for step in 1...count {
      let rate = Vector3(0.012, -0.02, 0.031) + Double(step % 5) * Vector3(1e-3, -2e-3, 1e-3)
      filter.pass(dt, measured: rate)
      for axis in 0..<3 {
        dense.take(Self.row([(3 + axis, 1)]), residual: rate[axis] - filter.state.gyroscopeBias[axis]) { _, _ in
          2e-3 * 2e-3 / dt
        }
      }
    }
    filter.takeRest()
    #expect(filter.isResting && filter.state.kalman[3, 3] < 0.9 * variance)
    #expect(Self.agree(filter, dense))
  }

  /// The measurement of a field by its definition: the derivatives of B + τ w × B − exp(θ) f by the errors.
  private static func fieldRow(_ axis: Int, _ f: Vector3, _ model: EarthFieldModel, _ w: Vector3) -> [Double] {
    let unit = with(Vector3.zero) { $0[axis] = 1 }
    func part(_ b: Vector3) -> Double { (b + model.delay * w.cross(b)).dot(unit) }
    let tilt = (0..<3).map { index in -with(Vector3.zero) { $0[index] = 1 }.cross(f).dot(unit) }
    return row([
      (0, tilt[0]), (1, tilt[1]), (2, tilt[2]), (21, part(.unitX)), (22, part(Vector3(0, 0, -1))),
      (23, w.cross(Vector3(model.horizontal, 0, -model.down)).dot(unit)),
    ])
  }

  @Test(
    "equation (14): a field that deviates, or that the covariance does not explain, has more noise",
    arguments: [0.0, 1.5], [0.08, 0.5])
  func field(innovationWeight: Double, pause: Double) {
    for offset in [Vector3(0.3, -0.2, 0.4), Vector3(-9, 12, 5)] {
      var filter = MotionPriorKalman.withErrors {
        ($0.magneticNoise, $0.disturbanceWeight, $0.dipWeight, $0.disturbanceMemory, $0.innovationWeight) = (
          1.3, 0.9, 1.7, 0.4, innovationWeight
        )
      }
      filter.correlate(seed: 7)
      filter.state.field.delay = 0.02
      filter.state.field.time = filter.state.time! - pause
      let rate = Vector3(1, -2, 0.5)
      filter.pass(0.1, rate: rate)
      let (model, w) = (filter.state.field, filter.state.rotation * rate)
      let field = model.vector + offset
      let interval = min(0.2, pause)
      let away = hypot(field.norm - model.vector.norm, 1.7 * offset.z)
      let deviation = model.deviation + (1 - exp(-interval / 0.4)) * (away - model.deviation)

      var dense = DenseUpdates(filter.state.kalman)
      let residual = field - model.vector - model.delay * w.cross(model.vector)
      for axis in [1, 0, 2] {
        dense.take(Self.fieldRow(axis, field, model, w), residual: residual[axis]) { y, explained in
          let disturbance = 0.9 * deviation
          let unexplained = innovationWeight * innovationWeight * max(0, y * y - 4 * explained)
          return (1.3 * 1.3 + disturbance * disturbance + unexplained) / interval
        }
      }
      _ = filter.takeField(field)
      #expect(isNear(filter.state.field.deviation, deviation, within: 1e-12))
      #expect(Self.agree(filter, dense), "\(offset)")
    }
  }
}

extension MotionPriorKalman {
  /// Multiplies the errors of the gyroscope bias by a factor, with their correlations.
  fileprivate mutating func scaleBiasErrors(by factor: Double) {
    let bias = MotionErrors.gyroscopeBias.indices
    for index in bias {
      for other in 0..<MotionErrors.layout.count where !(bias.lowerBound..<index).contains(other) {
        state.kalman[index, other] *= bias.contains(other) ? factor * factor : factor
      }
    }
  }
}
