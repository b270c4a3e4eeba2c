internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// Bias, scale and misalignment of an accelerometer from poses in which it feels gravity alone.
///
/// The length of the calibrated acceleration is 1 g in every pose. A turn of all axes together does not change it: of the
/// matrices that fit, the symmetric one is taken, which turns none of the sensor's axes more than another. All other
/// sensors are calibrated to these axes. Method: D. Tedaldi, A. Pretto and E. Menegatti, "A robust and easy to implement
/// method for IMU calibration without external equipments", ICRA 2014, with weights and covariance added, and with a bias
/// that drifts over the log where the poses say that it does.
public struct AccelerometerFit: Sendable, Equatable {
  /// Bias in g, and the symmetric matrix.
  public var result = CalibratedModel()
  /// Root mean square of the length's deviation from 1 g over the poses, weighted by their lengths, before and after, and in
  /// poses that were held out in turns of five; as shares of g.
  public var rawResidual = 0.0
  /// After the calibration, as a share of g.
  public var residual = 0.0
  /// In poses that were held out, as a share of g; nil for fewer than ten poses.
  public var heldOutResidual: Double?
  /// The middle absolute deviation over held-out poses.
  public var heldOutMedian: Double?
  /// Deviation of a pose beyond what the samples' noise explains, g: temperature, curvature, hands.
  public var poseSigma = 0.0
  /// How the bias wanders about its mean over the log; nil where the poses do not show it.
  public var drift: BiasDrift?
  /// As `heldOutResidual`, with the drift between the poses that were not held out taken off; nil without a drift.
  public var heldOutDriftResidual: Double?

  /// What it leaves of gravity's direction.
  package var gravityErrors = GravityErrors.uncalibrated

  /// What is expected before: biases of 0.2 g, scales within 20 %, axes within 0.2 rad.
  private static let expectedSigma = 0.2
  /// A number that the log does not tell to this is kept as it is to this: makers calibrate as well. g, 1 and rad.
  static let worthwhileSigma = 0.005
  /// Poses of hands deviate by this beyond noise, g, where they are too few to tell: as those of an MPU-9150.
  private static let usualExcess = 3e-4
  private static let fewestToTell = 12
  /// Samples of a pose beyond which drift outweighs noise.
  private static let mostSamples = 1000

  /// - Parameter poses: three or more.
  /// - Returns: nil where there are fewer, or nothing fits.
  public init?(_ poses: [StillPose]) {
    guard poses.count >= 3 else { return nil }
    let pooled = Self.sampleVariance(poses)
    var excess = poses.count < Self.fewestToTell ? Self.usualExcess : 0
    guard var solution = Self.solve(poses, pooled, excess) else { return nil }
    // Poses that deviate by more than their noise: all then have a say that is as large.
    if solution.scales[0] > 1.2 {
      var (low, high) = (excess, 0.1)
      for _ in 0..<20 {
        excess = 0.5 * (low + high)
        guard let next = Self.solve(poses, pooled, excess) else { return nil }
        solution = next
        if solution.scales[0] > 1 { low = excess } else { high = excess }
      }
    }
    guard let told = Self.solve(poses, pooled, excess, keeping: solution) else { return nil }
    solution = told
    poseSigma = excess
    if let drifting = DriftingPoses(poses, Self.sigmas(poses, pooled, 0), told, excess: excess, Self.priors(told)) {
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
        let samples = Double(min(Self.mostSamples, pose.accelerationCount))
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
      let samples = Double(min(mostSamples, pose.accelerationCount))
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

  /// 1 / σ² of what is expected of each parameter.
  private static func priors(_ told: RobustLeastSquares.Solution) -> [Double] {
    expected.indices.map { index in
      let sigma = told.untold.contains(index) ? worthwhileSigma : expectedSigma
      return 1 / (sigma * sigma)
    }
  }

  /// The deviation of each pose, g: by the samples' noise, and by what is in excess of it.
  private static func sigmas(_ poses: [StillPose], _ pooled: Double, _ excess: Double) -> [Double] {
    poses.map { (pooled / Double(min(mostSamples, $0.accelerationCount)) + excess * excess).squareRoot() }
  }

  /// A pose's deviation of the length from 1, its derivatives by the parameters, and by what is added to the acceleration.
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

  /// Scales of residuals in standard deviations, parameters: xx, yy, zz, xy, xz, yz of the matrix, bias.
  ///
  /// - Parameter free: the solution of the same poses of which what they do not tell is kept as it is; nil: solve freely.
  private static func solve(
    _ poses: [StillPose], _ pooled: Double, _ excess: Double, keeping free: RobustLeastSquares.Solution? = nil
  ) -> RobustLeastSquares.Solution? {
    let values = poses.map(\.acceleration)
    let sigmas = sigmas(poses, pooled, excess)
    let start = EllipsoidFit.fit(values).flatMap { isPlausible($0) ? $0 : nil } ?? LinearModel()
    let m = start.matrix
    let parameters = [m.m11, m.m22, m.m33, m.m12, m.m13, m.m23, start.bias.x, start.bias.y, start.bias.z]
    let problem = RobustLeastSquares(
      groups: [.init(rows: 0..<values.count, leastScale: 1)], expected: expected,
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
    return problem.keeping(free, beyond: worthwhileSigma, linearize)
  }

  /// Few poses can make any ellipsoid.
  private static func isPlausible(_ model: LinearModel) -> Bool {
    model.bias.norm < 0.5 && (model.matrix - .identity).maximumMagnitude < 0.5
  }

  private static func unobservable(_ solution: RobustLeastSquares.Solution, _ directions: [Vector3]) -> [String] {
    var sentences: [String] = []
    for (axis, name) in ["x", "y", "z"].enumerated() {
      let lacks = [(1.0, "up"), (-1.0, "down")].filter { sign, _ in
        // Core Motion's sign: the axis that points up reads −1.
        !directions.contains { -sign * $0[axis] > 0.8 }
      }.map { "no pose with \(name) \($0.1)" }
      let reason = lacks.isEmpty ? "the poses are too few" : lacks.joined(separator: ", ")
      if solution.untold.contains(axis) {
        sentences.append("\(name) scale not observable: \(reason)")
      }
      if solution.untold.contains(6 + axis) {
        sentences.append("\(name) bias not observable: \(reason)")
      }
    }
    for (index, pair) in ["x and y", "x and z", "y and z"].enumerated()
    where solution.untold.contains(3 + index) {
      sentences.append("misalignment of \(pair) not observable: no pose between the two")
    }
    return sentences
  }
}
