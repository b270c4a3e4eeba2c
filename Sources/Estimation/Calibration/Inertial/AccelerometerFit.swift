internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The bias, scale and misalignment of an accelerometer, from poses in which only gravity acts.
///
/// The magnitude of the calibrated acceleration is 1 g in every pose. A common rotation of all axes does not change it:
/// among the matrices that fit, the symmetric one is used, which rotates none of the sensor's axes more than another.
/// All other sensors are calibrated to these axes. Method: D. Tedaldi, A. Pretto and E. Menegatti, "A robust and easy
/// to implement method for IMU calibration without external equipments", ICRA 2014, with added weights and covariance,
/// and with a bias that drifts over the log if the poses show a drift.
public struct AccelerometerFit: Sendable, Equatable {
  /// The bias in g, and the symmetric matrix.
  public var result = CalibratedModel()
  /// The root mean square of the magnitude's deviation from 1 g over the poses before the calibration, weighted by
  /// their numbers of samples, as a fraction of g.
  public var rawResidual = 0.0
  /// The same deviation after the calibration, as a fraction of g.
  public var residual = 0.0
  /// The same deviation in poses held out in five-fold cross-validation, as a fraction of g, or `nil` for fewer than
  /// ten poses.
  public var heldOutResidual: Double?
  /// The median absolute deviation over held-out poses.
  public var heldOutMedian: Double?
  /// The standard deviation of a pose beyond the samples' noise, in g: temperature, nonlinearity, hands.
  public var poseSigma = 0.0
  /// The drift of the bias about its mean over the log, or `nil` if the poses do not show it.
  public var drift: BiasDrift?
  /// Same as `heldOutResidual`, with the drift between the poses in the fit subtracted, or `nil` without a drift.
  public var heldOutDriftResidual: Double?

  /// The remaining errors of gravity's direction.
  package var gravityErrors = GravityErrors.uncalibrated

  /// The prior deviation: biases of 0.2 g, scales within 20 %, axes within 0.2 rad.
  private static let expectedSigma = 0.2
  /// The uncertainty above which a parameter keeps its expected value, in g, 1 and rad: factory calibrations are as
  /// precise.
  static let observabilityThreshold = 0.005
  /// The typical deviation of handheld poses beyond noise, in g, for too few poses to estimate it; measured with an
  /// MPU-9150.
  private static let usualExcess = 3e-4
  private static let minimumPosesForExcessVariance = 12
  /// The number of samples of a pose beyond which drift outweighs noise.
  private static let maximumSampleCount = 1000

  /// Fits the accelerometer to poses.
  ///
  /// - Parameter poses: The poses, three or more.
  /// - Returns: `nil` if there are fewer poses, or no model fits.
  public init?(_ poses: [StillPose]) {
    guard poses.count >= 3 else { return nil }
    let pooled = Self.sampleVariance(poses)
    var excess = poses.count < Self.minimumPosesForExcessVariance ? Self.usualExcess : 0
    guard var solution = Self.solve(poses, pooled, excess) else { return nil }
    // If the poses deviate by more than their noise, their weights become more equal.
    if solution.scales[0] > 1.2 {
      var (low, high) = (excess, 0.1)
      for _ in 0..<20 {
        excess = 0.5 * (low + high)
        guard let next = Self.solve(poses, pooled, excess) else { return nil }
        solution = next
        if solution.scales[0] > 1 { low = excess } else { high = excess }
      }
    }
    guard let fitted = Self.solve(poses, pooled, excess, keeping: solution) else { return nil }
    solution = fitted
    poseSigma = excess
    if let drifting = DriftingPoses(poses, Self.sigmas(poses, pooled, 0), fitted, excess: excess, Self.priors(fitted)) {
      (solution, drift, poseSigma) = (drifting.solution, drifting.drift, drifting.excess)
    }
    let model = Self.model(solution.parameters)
    result.model = model
    gravityErrors = GravityErrors(solution.covariance, poseSigma: poseSigma)
    result.biasSigma = Vector3(solution.sigma(6), solution.sigma(7), solution.sigma(8))
    result.matrixSigma = Self.symmetric((0..<6).map(solution.sigma))
    result.observations = poses.count
    result.outliers = solution.weights.count { $0 < 0.1 }
    result.unobservable = Self.unobservable(solution, poses.map { model.calibrated($0.acceleration) })
    rawResidual = Self.residual(poses, LinearModel())
    residual = Self.residual(poses, model)
    holdOut(poses, pooled, excess)
  }

  private mutating func holdOut(_ poses: [StillPose], _ pooled: Double, _ excess: Double) {
    guard poses.count >= 10 else { return }
    var (sum, driftSum, weight) = (0.0, 0.0, 0.0)
    var sizes: [Double] = []
    for turn in 0..<5 {
      let rest = poses.enumerated().filter { $0.offset % 5 != turn }.map(\.element)
      guard let free = Self.solve(rest, pooled, excess),
        let solution = Self.solve(rest, pooled, excess, keeping: free)
      else { return }
      let drifting = DriftingPoses(rest, Self.sigmas(rest, pooled, 0), solution, excess: excess, Self.priors(solution))
      let model = Self.model(drifting?.solution.parameters ?? solution.parameters)
      for (index, pose) in poses.enumerated() where index % 5 == turn {
        let deviation = model.calibrated(pose.acceleration).norm - 1
        let samples = Double(min(Self.maximumSampleCount, pose.accelerationCount))
        sum += samples * deviation * deviation
        let unexplained = deviation - (drifting?.expectedDeviation(of: pose) ?? 0)
        driftSum += samples * unexplained * unexplained
        weight += samples
        sizes.append(abs(deviation))
      }
    }
    heldOutResidual = (sum / weight).squareRoot()
    if drift != nil { heldOutDriftResidual = (driftSum / weight).squareRoot() }
    heldOutMedian = Statistics.median(sizes)
  }

  private static func sampleVariance(_ poses: [StillPose]) -> Double {
    var (sum, count) = (0.0, 0.0)
    for pose in poses {
      sum += pose.accelerationVariance * Double(pose.accelerationCount)
      count += Double(pose.accelerationCount)
    }
    return max(sum / count, 1e-16)
  }

  static func residual(_ poses: [StillPose], _ model: LinearModel) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for pose in poses {
      let deviation = model.calibrated(pose.acceleration).norm - 1
      let samples = Double(min(maximumSampleCount, pose.accelerationCount))
      sum += samples * deviation * deviation
      weight += samples
    }
    return (sum / weight).squareRoot()
  }

  private static func symmetric(_ p: [Double]) -> Matrix3 {
    Matrix3(rows: Vector3(p[0], p[3], p[4]), Vector3(p[3], p[1], p[5]), Vector3(p[4], p[5], p[2]))
  }

  static func model(_ p: [Double]) -> LinearModel {
    LinearModel(bias: Vector3(p[6], p[7], p[8]), matrix: symmetric(p))
  }

  static let expected: [Double] = [1, 1, 1, 0, 0, 0, 0, 0, 0]

  /// Returns the inverse prior variance 1 / σ² of each parameter.
  private static func priors(_ fitted: RobustLeastSquares.Solution) -> [Double] {
    expected.indices.map { index in
      let sigma = fitted.unobservable.contains(index) ? observabilityThreshold : expectedSigma
      return 1 / (sigma * sigma)
    }
  }

  /// Returns the standard deviation of each pose, in g, from the samples' noise and the excess.
  private static func sigmas(_ poses: [StillPose], _ pooled: Double, _ excess: Double) -> [Double] {
    poses.map { (pooled / Double(min(maximumSampleCount, $0.accelerationCount)) + excess * excess).squareRoot() }
  }

  /// Returns a pose's deviation of the magnitude from 1, with its derivatives by the parameters and by the
  /// acceleration.
  static func row(_ value: Vector3, _ model: LinearModel) -> (residual: Double, derivatives: [Double], slope: Vector3) {
    let d = value - model.bias
    let v = model.matrix * d
    let norm = max(v.norm, 1e-9)
    let n = v / norm
    let slope = model.matrix * n
    let derivatives = [
      n.x * d.x, n.y * d.y, n.z * d.z, n.x * d.y + n.y * d.x, n.x * d.z + n.z * d.x, n.y * d.z + n.z * d.y,
      -slope.x, -slope.y, -slope.z,
    ]
    return (norm - 1, derivatives, slope)
  }

  /// Returns the solution, with the scales of residuals in standard deviations; parameters: xx, yy, zz, xy, xz, yz of
  /// the matrix, bias.
  ///
  /// - Parameter free: The free solution for the same poses, whose undetermined parameters are kept at their expected
  ///   values, or `nil` to solve freely.
  private static func solve(
    _ poses: [StillPose], _ pooled: Double, _ excess: Double, keeping free: RobustLeastSquares.Solution? = nil
  ) -> RobustLeastSquares.Solution? {
    let values = poses.map(\.acceleration)
    let sigmas = sigmas(poses, pooled, excess)
    let start = EllipsoidFit.fit(values).flatMap { isPlausible($0) ? $0 : nil } ?? LinearModel()
    let m = start.matrix
    let parameters = [m.m11, m.m22, m.m33, m.m12, m.m13, m.m23, start.bias.x, start.bias.y, start.bias.z]
    let problem = RobustLeastSquares(
      groups: [.init(rows: 0..<values.count, minimumScale: 1)], expected: expected,
      expectedSigmas: [Double](repeating: expectedSigma, count: 9))
    func linearize(_ p: [Double]) -> RobustLeastSquares.Linearization {
      let model = model(p)
      var residuals: [Double] = []
      var jacobian = Matrix(rowCount: values.count, columnCount: 9)
      for (row, value) in values.enumerated() {
        let (residual, derivatives, _) = Self.row(value, model)
        let weight = 1 / sigmas[row]
        residuals.append(weight * residual)
        for column in 0..<9 { jacobian[row, column] = weight * derivatives[column] }
      }
      return .init(residuals: residuals, jacobian: jacobian)
    }
    guard let free else { return problem.solve(from: parameters, linearize) }
    return problem.keeping(free, beyond: observabilityThreshold, linearize)
  }

  /// Returns whether a model is plausible: too few poses can result in an arbitrary ellipsoid.
  private static func isPlausible(_ model: LinearModel) -> Bool {
    model.bias.norm < 0.5 && (model.matrix - .identity).maximumMagnitude < 0.5
  }

  private static func unobservable(_ solution: RobustLeastSquares.Solution, _ directions: [Vector3]) -> [String] {
    var sentences: [String] = []
    for (axis, name) in ["x", "y", "z"].enumerated() {
      let lacks = [(1.0, "up"), (-1.0, "down")].filter { sign, _ in
        // With Core Motion's sign, the axis that points up reads −1.
        !directions.contains { -sign * $0[axis] > 0.8 }
      }.map { "no pose with \(name) \($0.1)" }
      let reason = lacks.isEmpty ? "the poses are too few" : lacks.joined(separator: ", ")
      if solution.unobservable.contains(axis) {
        sentences.append("\(name) scale not observable: \(reason)")
      }
      if solution.unobservable.contains(6 + axis) {
        sentences.append("\(name) bias not observable: \(reason)")
      }
    }
    for (index, pair) in ["x and y", "x and z", "y and z"].enumerated()
    where solution.unobservable.contains(3 + index) {
      sentences.append("misalignment of \(pair) not observable: no pose between the two")
    }
    return sentences
  }
}
