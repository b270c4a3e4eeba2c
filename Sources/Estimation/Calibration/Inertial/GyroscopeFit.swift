public import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// The bias, scale and misalignment of a gyroscope, from its rests and from the rotations between them.
///
/// Between two poses, the integrated rate must rotate gravity from its direction in the first pose to its direction in
/// the second, as measured by the calibrated accelerometer. The fit determines the whole 3 by 3 matrix, in the
/// accelerometer's axes. The bias during a rotation is derived from the adjacent rests, as far as the rests differ by
/// more than their noise.
public struct GyroscopeFit: Sendable, Equatable {
  /// The bias in rad/s, and the whole matrix.
  public var result = CalibratedModel()
  /// The median angle between gravity predicted through a rotation and gravity measured after it, before the
  /// calibration, in rad, or `nil` without rotations.
  public var rawTurnError: Double?
  /// The same angle after the calibration, in rad.
  public var turnError: Double?
  /// The same angle for rotations held out in five-fold cross-validation, in rad.
  public var heldOutTurnError: Double?
  /// The standard deviation of the bias between rests beyond its noise, in rad/s.
  public var biasSpread = 0.0
  /// The change of the rate with acceleration, in rad/s per g: rate = … + matrix · acceleration; `nil` if it is not
  /// significant.
  public var accelerationSensitivity: Matrix3?
  /// The standard deviation of each of its elements.
  public var accelerationSensitivitySigma: Matrix3?

  /// The prior deviation: scales within 20 %, axes within 0.2 rad.
  private static let expectedSigma = 0.2
  /// The uncertainty above which a parameter keeps its expected value: factory calibrations are as precise.
  private static let observabilityThreshold = 0.005
  /// The longest rotation, in seconds, as longer ones drift too far; and the part of a rest that is integrated with the
  /// rotation, in seconds.
  private static let maximumRotationDuration = 60.0
  private static let margin = 0.2
  /// The typical deviation of rotations by hand beyond noise, in rad, for too few rotations to estimate it; measured
  /// with an MPU-9150.
  private static let usualExcess = 7e-4
  private static let minimumPosesForExcessVariance = 12
  /// The error of a quarter turn with the scale error of the worst data sheets, 3 %, in rad; after the fit, rotations
  /// have smaller errors.
  private static let maximumRotationError = 0.03 * 0.5 * Double.pi

  /// - Parameters:
  ///   - poses: The poses, with the gyroscope's means.
  ///   - gyroscope: The rates, in rad/s, device axes.
  ///   - accelerometer: The accelerometer's model from the same poses.
  ///   - errors: The remaining errors of the accelerometer.
  /// - Returns: `nil` if no pose has a rate.
  package init?(
    _ poses: [StillPose], gyroscope: SensorColumn, accelerometer: LinearModel, errors: GravityErrors = .none
  ) {
    let poses = poses.filter { $0.rotationRate != nil && $0.rotationRateCount > 1 }
    guard var bias = Self.bias(poses) else { return nil }
    let rounding = gyroscope.meanRounding(in: poses.map { gyroscope.places(from: $0.start, to: $0.end) })
    // Poses with one bias have the same rounding error.
    for axis in 0..<3 { bias.sigma[axis] = (bias.sigma[axis] * bias.sigma[axis] + rounding[axis]).squareRoot() }
    (result.model.bias, result.biasSigma, biasSpread) = (bias.mean, bias.sigma, bias.spread)
    result.observations = poses.count
    let turns = Self.turns(poses, gyroscope, accelerometer, errors, bias)
    guard turns.count >= 3, let solution = Self.solve(turns) else {
      result.unobservable = [
        "scale and misalignment not observable: \(turns.count) rotations between still poses, 3 needed"
      ]
      result.matrixSigma = CalibratedModel.uncalibratedGyroscope.matrixSigma
      return
    }
    result.model.matrix = Self.matrix(solution.parameters)
    result.matrixSigma = Self.matrix((0..<9).map(solution.sigma))
    result.observations = turns.count
    result.outliers = solution.weights.count { $0 < 0.1 } / 3
    rawTurnError = Self.median(turns, .identity)
    turnError = Self.median(turns, result.model.matrix)
    let contradiction = Self.contradiction(turns, solution)
    for (axis, name) in ["x", "y", "z"].enumerated() {
      // A column contains the effects of one of the sensor's axes.
      let unobservableCount = (0..<3).count { solution.unobservable.contains(3 * $0 + axis) }
      if unobservableCount > 0 {
        result.unobservable.append(
          "\(unobservableCount) of the 3 numbers of axis \(name) not observable: \(contradiction ?? "too few rotations about \(name)"); "
            + "not changed")
      }
    }
    holdOut(turns)
    findSensitivity(poses, accelerometer)
  }

  /// Returns the reason that rotations disagree with gravity for any matrix and any accelerometer error, or `nil` if
  /// they agree.
  private static func contradiction(_ turns: [Turn], _ solution: RobustLeastSquares.Solution) -> String? {
    let angles = turns.enumerated().map { index, turn in
      let (first, second) = (solution.residuals[2 * index], solution.residuals[2 * index + 1])
      return turn.sigma * (first * first + second * second).squareRoot()
    }
    guard let angle = Statistics.median(angles), angle > maximumRotationError else { return nil }
    return "the rotations contradict gravity, which is \((angle * 1800 / .pi).rounded() / 10)° off after them; check "
      + "the gyroscope's axes, signs, unit and range"
  }

  private mutating func holdOut(_ turns: [Turn]) {
    guard turns.count >= 10 else { return }
    var errors: [Double] = []
    for part in 0..<5 {
      let rest = turns.enumerated().filter { $0.offset % 5 != part }.map(\.element)
      guard let solution = Self.solve(rest) else { return }
      let matrix = Self.matrix(solution.parameters)
      errors += turns.enumerated().filter { $0.offset % 5 == part }.map { $0.element.error(matrix).norm }
    }
    heldOutTurnError = Statistics.median(errors)
  }

  // MARK: Bias

  private struct Bias {
    var mean: Vector3
    var sigma: Vector3
    var spread: Double
    /// The bias of each pose, shrunk towards the mean according to its noise.
    var ofPoses: [Vector3]
  }

  private static func bias(_ poses: [StillPose]) -> Bias? {
    guard !poses.isEmpty else { return nil }
    let rates = poses.map { $0.rotationRate! }
    let variances = poses.map { max($0.rotationRateVariance, 1e-18) / Double($0.rotationRateCount) }
    let weights = variances.map { 1 / $0 }
    let total = weights.reduce(0, +)
    let mean = zip(rates, weights).reduce(Vector3.zero) { $0 + $1.1 * $1.0 } / total
    guard poses.count > 1 else {
      return Bias(
        mean: mean, sigma: Vector3(repeating: variances[0].squareRoot()), spread: 0, ofPoses: rates)
    }
    // DerSimonian and Laird's estimate of the variance beyond noise, over the three axes.
    let deviation = zip(rates, weights).reduce(0.0) { $0 + $1.1 * ($1.0 - mean).squaredNorm }
    let squares = weights.reduce(0) { $0 + $1 * $1 }
    let between = max(0, (deviation / 3 - Double(poses.count - 1)) / (total - squares / total))
    let shrunk = zip(rates, variances).map { rate, variance in
      between > 0 ? mean + (between / (between + variance)) * (rate - mean) : mean
    }
    // With a spread, all poses have similar weights in the mean bias.
    let combined = variances.map { 1 / ($0 + between) }
    let sum = combined.reduce(0, +)
    let center = zip(rates, combined).reduce(Vector3.zero) { $0 + $1.1 * $1.0 } / sum
    return Bias(
      mean: center, sigma: Vector3(repeating: (1 / sum).squareRoot()), spread: between.squareRoot(), ofPoses: shrunk)
  }

  // MARK: Turns

  /// The rates from one pose to the next, and gravity before and after.
  private struct Turn {
    var intervals: [Double] = []
    /// The rates without the bias, in rad/s; one more than intervals.
    var rates: [Vector3] = []
    var before: Vector3
    var after: Vector3
    /// The effects of the accelerometer's errors on gravity before and after.
    var beforeChanges: [Vector3]
    var afterChanges: [Vector3]
    /// The standard deviation of the bias, in rad/s.
    var biasSigma: Vector3
    /// The standard deviation of the prediction due to the noise of both sensors, in rad.
    var sigma = 1.0

    /// Returns gravity's predicted direction minus the measured one, in the axes after the rotation.
    func error(_ matrix: Matrix3) -> Vector3 { integrate(matrix).end.rotateInverse(before) - after }

    /// Returns the rotation from the axes at the end to those at the start; for each axis of the sensor, the integral
    /// of the rotation to the start axes times its rate; and the integral of the rotation alone.
    func integrate(_ matrix: Matrix3) -> (end: Quaternion, integrals: [Matrix3], time: Matrix3) {
      var rotation = Quaternion.identity
      var time = Matrix3.zero
      var integrals = [Matrix3](repeating: .zero, count: 3)
      var last = matrix * rates[0]
      for (index, interval) in intervals.enumerated() {
        let next = matrix * rates[index + 1]
        // The rate is linear between two samples: the second term corrects for coning.
        let turn = 0.5 * interval * (last + next) + (interval * interval / 12) * last.cross(next)
        let half = rotation * Quaternion(rotationVector: 0.5 * turn)
        let frame = Matrix3(
          columns: half.rotate(Vector3(1, 0, 0)), half.rotate(Vector3(0, 1, 0)), half.rotate(Vector3(0, 0, 1)))
        let raw = 0.5 * interval * (rates[index] + rates[index + 1])
        for axis in 0..<3 { integrals[axis].add(frame, scaledBy: raw[axis]) }
        time.add(frame, scaledBy: interval)
        rotation = (rotation * Quaternion(rotationVector: turn)).normalized ?? .identity
        last = next
      }
      return (rotation, integrals, time)
    }
  }

  private static func turns(
    _ poses: [StillPose], _ gyroscope: SensorColumn, _ accelerometer: LinearModel, _ errors: GravityErrors, _ bias: Bias
  ) -> [Turn] {
    var turns: [Turn] = []
    let excess = poses.count <= minimumPosesForExcessVariance ? usualExcess : 0
    let quantum = gyroscope.quantum
    let rounding = quantum.squaredNorm / 36
    for index in poses.indices.dropLast() {
      let (first, second) = (poses[index], poses[index + 1])
      let start = max(first.end - margin, 0.5 * (first.start + first.end))
      let end = min(second.start + margin, 0.5 * (second.start + second.end))
      guard end - start <= maximumRotationDuration,
        let before = accelerometer.calibrated(first.acceleration).normalized,
        let after = accelerometer.calibrated(second.acceleration).normalized
      else { continue }
      let places = gyroscope.places(from: start, to: end)
      guard places.count >= 3 else { continue }
      let times = places.map { gyroscope.times[$0] }
      let intervals = zip(times, times.dropFirst()).map { $1 - $0 }
      // A rotation with a gap in its samples is unknown.
      guard let usual = Statistics.median(intervals), intervals.allSatisfy({ $0 < max(4 * usual, 0.05) }) else {
        continue
      }
      let own = 0.5 * (bias.ofPoses[index] + bias.ofPoses[index + 1])
      var turn = Turn(
        intervals: intervals, rates: places.map { gyroscope.values[$0] - own }, before: before, after: after,
        beforeChanges: errors.changes(of: first.acceleration, accelerometer),
        afterChanges: errors.changes(of: second.acceleration, accelerometer), biasSigma: bias.sigma)
      let span = end - start
      let noise =
        max(0.5 * (first.rotationRateVariance + second.rotationRateVariance), rounding) * usual * span
      let drift = bias.spread * bias.spread * span * span * 0.5
      let directions =
        first.accelerationVariance / Double(first.accelerationCount)
        + second.accelerationVariance / Double(second.accelerationCount)
      let beyond = 2 * errors.poseSigma * errors.poseSigma + excess * excess
      turn.sigma = max(noise + drift + directions + beyond, 1e-12).squareRoot()
      turns.append(turn)
    }
    return turns
  }

  private static func matrix(_ p: [Double]) -> Matrix3 {
    Matrix3(rows: Vector3(p[0], p[1], p[2]), Vector3(p[3], p[4], p[5]), Vector3(p[6], p[7], p[8]))
  }

  private static func median(_ turns: [Turn], _ matrix: Matrix3) -> Double? {
    Statistics.median(turns.map { $0.error(matrix).norm })
  }

  /// Returns the solution. The parameters are the matrix by rows, then the accelerometer's errors and those of the
  /// bias, in units of their deviations.
  private static func solve(_ turns: [Turn]) -> RobustLeastSquares.Solution? {
    let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    let nuisances = GravityErrors.count + 3
    let start = identity + [Double](repeating: 0, count: nuisances)
    let problem = RobustLeastSquares(
      groups: [.init(rows: 0..<(2 * turns.count), blockSize: 2, minimumScale: 1)], expected: start,
      expectedSigmas: [Double](repeating: expectedSigma, count: 9) + [Double](repeating: 1, count: nuisances),
      nuisanceCount: nuisances)
    func linearize(_ p: [Double]) -> RobustLeastSquares.Linearization {
      let matrix = matrix(p)
      var residuals: [Double] = []
      var jacobian = Matrix(rowCount: 2 * turns.count, columnCount: start.count)
      for (index, turn) in turns.enumerated() {
        let (end, integrals, time) = turn.integrate(matrix)
        var error = end.rotateInverse(turn.before) - turn.after
        let weight = 1 / turn.sigma
        // Directions differ only orthogonally to gravity.
        let (first, second) = Self.across(turn.after)
        func fill(_ column: Int, _ change: Vector3) {
          jacobian[2 * index, column] = weight * change.dot(first)
          jacobian[2 * index + 1, column] = weight * change.dot(second)
        }
        for row in 0..<3 {
          for column in 0..<3 {
            // A small rotation d in the axes before changes R⁻¹ g by R⁻¹ (g × d).
            fill(3 * row + column, end.rotateInverse(turn.before.cross(integrals[column].column(row))))
          }
        }
        for position in 0..<nuisances {
          let change: Vector3
          if position < GravityErrors.count {
            change = end.rotateInverse(turn.beforeChanges[position]) - turn.afterChanges[position]
          } else {
            let axis = position - GravityErrors.count
            let turned = time * (-turn.biasSigma[axis] * matrix.column(axis))
            change = end.rotateInverse(turn.before.cross(turned))
          }
          error += p[9 + position] * change
          fill(9 + position, change)
        }
        residuals += [weight * error.dot(first), weight * error.dot(second)]
      }
      return .init(residuals: residuals, jacobian: jacobian)
    }
    return problem.solve(from: start, linearize).flatMap {
      problem.keeping($0, beyond: observabilityThreshold, linearize)
    }
  }

  /// Returns two unit vectors orthogonal to a third.
  private static func across(_ v: Vector3) -> (Vector3, Vector3) {
    let other = abs(v.x) < 0.6 ? Vector3.unitX : Vector3.unitY
    let first = v.cross(other).normalized ?? .unitZ
    return (first, v.cross(first))
  }

  // MARK: Sensitivity to acceleration

  /// Estimates the sensitivity from the biases in different poses, if it is significant.
  private mutating func findSensitivity(_ poses: [StillPose], _ accelerometer: LinearModel) {
    guard poses.count >= 12 else { return }
    let design = Matrix(rowCount: poses.count, columnCount: 4) { row, column in
      column == 3 ? 1 : accelerometer.calibrated(poses[row].acceleration)[column]
    }
    guard let inverse = try? Cholesky(design.ownTransposeTimes) else { return }
    let covariance = inverse.inverse
    var (rows, sigmas): ([Vector3], [Vector3]) = ([], [])
    var (explained, left) = (0.0, 0.0)
    for axis in 0..<3 {
      let rates = poses.map { $0.rotationRate![axis] }
      let solution = inverse.solve(design.transposeTimes(rates))
      let residual = zip(rates, design * solution).reduce(0.0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      let mean = Statistics.mean(rates)!
      explained += rates.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) } - residual
      left += residual
      let variance = residual / Double(poses.count - 4)
      rows.append(Vector3(solution))
      sigmas.append(
        Vector3(
          (variance * covariance[0, 0]).squareRoot(), (variance * covariance[1, 1]).squareRoot(),
          (variance * covariance[2, 2]).squareRoot()))
    }
    // The ratio of variances with 9 and 3 (n − 4) degrees of freedom: 5 is beyond chance for a dozen poses.
    let ratio = (explained / 9) / (left / Double(3 * (poses.count - 4)))
    guard ratio > 5 else { return }
    accelerationSensitivity = Matrix3(rows: rows[0], rows[1], rows[2])
    accelerationSensitivitySigma = Matrix3(rows: sigmas[0], sigmas[1], sigmas[2])
  }
}

extension CalibratedModel {
  /// The prior of an uncalibrated gyroscope.
  ///
  /// Data sheets: zero-rate output ±3 °/s (Bosch BMI160) to ±10 °/s (ST LSM6DS3), scale ±3 %, axes to 2 %.
  package static var uncalibratedGyroscope: CalibratedModel {
    var model = CalibratedModel()
    model.biasSigma = Vector3(repeating: 5 * .pi / 180)
    model.matrixSigma = Matrix3(rows: Vector3(0.02, 0.01, 0.01), Vector3(0.01, 0.02, 0.01), Vector3(0.01, 0.01, 0.02))
    return model
  }
}
