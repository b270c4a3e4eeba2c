internal import InertialNumerics
public import InertialSensors
internal import InertialSystem

/// The hard and soft iron of a magnetometer, and its rotation against the accelerometer.
///
/// The calibrated field has the same magnitude in every attitude, and the same component along gravity. The first
/// condition makes an ellipsoid a sphere, regardless of a rotation; the second determines the rotation, of any size:
/// only the correct rotation of the sphere keeps the dip constant. Both are independent of the heading's drift. Samples
/// near iron are downweighted. Compare M. Kok and T. B. Schön, "Magnetometer calibration using inertial sensors", IEEE
/// Sensors Journal 16 (2016).
public struct MagnetometerFit: Sendable, Equatable {
  /// The calibration: the bias is the hard iron in µT; the matrix keeps the mean scale (its determinant is 1) unless a
  /// strength was given.
  public var result = CalibratedModel()
  /// The strength of the earth's field at the location, in µT, in the sensor's mean scale.
  public var fieldStrength = 0.0
  /// The angle of the field below the horizontal, in rad, or `nil` without gravity.
  public var dip: Double?
  /// The standard deviation of the dip, in rad.
  public var dipSigma: Double?
  /// The median deviation of the magnitude before the calibration, about the sphere's mean, in µT.
  public var rawResidual = 0.0
  /// The median deviation of the magnitude from `fieldStrength` after the calibration, in µT.
  public var residual = 0.0
  /// The part of the sphere that the samples cover.
  public var coverage: SphereCoverage
  /// The standard deviation of the heading due to the calibration in the worst attitude, in rad, or `nil` without
  /// gravity.
  public var headingSigma: Double?

  /// The standard deviation of the field across its direction due to hard and soft iron in the worst attitude, in µT,
  /// regardless of the rotation against the accelerometer.
  public var ironSigma = 0.0

  /// The verdict from the coverage and the heading's standard deviation: good below 1°, poor above 3°.
  public var verdict: SphereCoverage.Verdict {
    guard let headingSigma else { return coverage.verdict }
    return verdict(of: headingSigma)
  }

  /// The verdict on hard and soft iron alone, from the heading error that their deviation causes.
  public var ironVerdict: SphereCoverage.Verdict {
    verdict(of: ironSigma / max(1e-9, fieldStrength * cos(dip ?? Self.usualDip)))
  }

  private func verdict(of headingSigma: Double) -> SphereCoverage.Verdict {
    let degrees = headingSigma * 180 / .pi
    if coverage.verdict == .poor || degrees > 3 { return .poor }
    return coverage.verdict == .good && degrees < 1 ? .good : .fair
  }

  /// The number of parameters: matrix by rows, bias, component of the field along gravity.
  private static let count = 13
  /// The prior deviation of the soft iron.
  private static let expectedSigma = 0.3
  /// The minimum number of samples for an ellipsoid.
  private static let minimumEllipsoidSampleCount = 30
  /// The possible strengths of the earth's field in a sensor's own scale, in µT: a smaller sphere is due to noise.
  private static let strengths = 10.0...150.0
  /// The maximum number of samples used.
  private static let maximumSampleCount = 5000
  /// The largest rotation of gravity by the errors for a linear model, in rad: its quadratic terms are ten times
  /// smaller than 0.02°.
  private static let maximumLinearRotation = 0.005
  /// The errors of accelerometer and gyroscope that rotate gravity by more, in units of their deviations.
  private var found: [Double]?
  /// A typical dip of middle latitudes, 60°.
  private static let usualDip = Double.pi / 3

  /// Fits the magnetometer to samples of a rotated device.
  ///
  /// - Parameters:
  ///   - magnetometer: The raw field, in µT, device axes.
  ///   - accelerometer: The calibrated accelerations, in g, or an empty series; then the rotation stays unknown.
  ///   - gyroscope: The calibrated rates, in rad/s, or an empty series.
  ///   - strength: The strength of the earth's field, in µT, or `nil` to keep the sensor's mean scale.
  /// - Returns: `nil` if there are too few samples, or they do not lie on an ellipsoid.
  public init?(
    _ magnetometer: SensorColumn, accelerometer: SensorColumn, gyroscope: SensorColumn, strength: Double? = nil
  ) {
    self.init(
      magnetometer, accelerometer: accelerometer, gyroscope: gyroscope, by: LinearModel(), leaving: .none,
      CalibratedModel(), strength: strength)
  }

  /// Same as `init(_:accelerometer:gyroscope:strength:)`, with an accelerometer and a gyroscope calibrated by models
  /// with remaining errors.
  package init?(
    _ magnetometer: SensorColumn, accelerometer: SensorColumn, gyroscope: SensorColumn, by model: LinearModel,
    leaving errors: GravityErrors, _ rate: CalibratedModel, strength: Double? = nil
  ) {
    let isGuess = errors.isGuess
    let errors = TrackErrors(errors, of: model, rate)
    self.init(magnetometer, accelerometer, gyroscope, errors, found: nil, strength)
    // Repeat the fit if the estimated errors are too large for their linearized effects.
    if let found {
      let moved = errors.moved(by: found)
      let (forces, rates) = (
        SensorColumn(times: accelerometer.times, values: accelerometer.values.map { moved.force($0, of: errors) }),
        SensorColumn(times: gyroscope.times, values: gyroscope.values.map { moved.rate($0, of: errors) })
      )
      if let second = MagnetometerFit(magnetometer, forces, rates, moved, found: found, strength) { self = second }
    }
    // A hand's accelerations have effects like the errors of an uncalibrated accelerometer: then no errors are
    // subtracted, and their effect is added to the uncertainty.
    if isGuess, headingSigma != nil,
      let plain = MagnetometerFit(
        magnetometer, accelerometer, gyroscope, TrackErrors(.none, of: model, CalibratedModel()), found: nil, strength)
    {
      let free = self
      self = plain
      widen(by: free)
    }
  }

  /// Widens the standard deviations to those of another fit, plus the difference from it.
  private mutating func widen(by other: MagnetometerFit) {
    func both(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    let heading = Self.headingChange(self, other)
    for row in 0..<3 {
      result.biasSigma[row] = both(other.result.biasSigma[row], other.result.bias[row] - result.bias[row])
      for column in 0..<3 {
        result.matrixSigma[row, column] = both(
          other.result.matrixSigma[row, column], other.result.matrix[row, column] - result.matrix[row, column])
      }
    }
    headingSigma = other.headingSigma.map { both($0, heading) }
    if let one = dip, let two = other.dip { dipSigma = other.dipSigma.map { both($0, two - one) } }
    ironSigma = max(ironSigma, other.ironSigma)
    result.unobservable = other.result.unobservable
  }

  /// Returns the difference of two fits in heading in the worst of many attitudes, in rad.
  private static func headingChange(_ one: MagnetometerFit, _ other: MagnetometerFit) -> Double {
    guard let inverse = one.result.matrix.inverse, let dip = one.dip else { return .infinity }
    let (along, level) = (one.fieldStrength * sin(dip), max(0.05, cos(dip)) * one.fieldStrength)
    var worst = 0.0
    for (down, east) in attitudes {
      let raw = inverse * (along * down + level * east.cross(down)) + one.result.bias
      worst = max(worst, abs(other.result.model.calibrated(raw).dot(east)) / level)
    }
    return worst
  }

  /// - Parameter known: The errors that have been subtracted already, in units of their deviations.
  private init?(
    _ magnetometer: SensorColumn, _ accelerometer: SensorColumn, _ gyroscope: SensorColumn, _ errors: TrackErrors,
    found known: [Double]?, _ strength: Double?
  ) {
    let stride = max(1, magnetometer.values.count / Self.maximumSampleCount)
    let wanted = Swift.stride(from: 0, to: magnetometer.values.count, by: stride).map { magnetometer.times[$0] }
    let gravity = GravityTrack(
      accelerometer: accelerometer, gyroscope: gyroscope, errors: errors, at: wanted)
    var (fields, downs, changes): ([Vector3], [Vector3], [[Vector3]]) = ([], [], [])
    for index in Swift.stride(from: 0, to: magnetometer.values.count, by: stride) {
      let down = gravity.direction(at: magnetometer.times[index])
      guard accelerometer.isEmpty || down != nil else { continue }
      fields.append(magnetometer.values[index])
      guard let down else { continue }
      downs.append(down)
      changes.append(gravity.changes(at: magnetometer.times[index]) ?? [])
    }
    guard fields.count >= Self.minimumEllipsoidSampleCount, let sphere = Self.ellipsoid(fields) else { return nil }
    let radius = 1 / cbrt(sphere.matrix.determinant)
    guard Self.strengths.contains(radius) else { return nil }
    let scale = strength.map { $0 / radius } ?? 1
    let goal = strength ?? radius
    coverage = SphereCoverage(fields.map(sphere.calibrated))
    let start = LinearModel(bias: sphere.bias, matrix: sphere.matrix * goal)
    let hasGravity = downs.count == fields.count
    let turn = hasGravity ? Self.turn(fields.map(start.calibrated), downs) : nil
    let first = LinearModel(bias: start.bias, matrix: (turn ?? .identity) * start.matrix)
    guard
      let solution = Self.solve(fields, turn == nil ? [] : downs, turn == nil ? [] : changes, known, goal, first, scale)
    else { return nil }
    let p = solution.parameters
    let errors = Array(p.dropFirst(Self.count))
    let isFar = changes.contains { change in
      zip(change, errors).reduce(Vector3.zero) { $0 + $1.1 * $1.0 }.norm > Self.maximumLinearRotation
    }
    if turn != nil, isFar { found = errors }
    // The mean scale is the sensor's own if no strength was given.
    let free = strength == nil ? 1 / cbrt(Self.matrix(p).determinant) : 1
    result.model = LinearModel(bias: Self.model(p).bias, matrix: free * Self.matrix(p))
    result.biasSigma = Vector3(solution.sigma(9), solution.sigma(10), solution.sigma(11))
    result.matrixSigma = Self.matrix((0..<9).map(solution.sigma))
    result.observations = fields.count
    result.outliers = solution.weights.prefix(fields.count).count { $0 < 0.1 }
    fieldStrength = free * goal
    // Logs with different iron result in a sphere of arbitrary size.
    guard Self.strengths.contains(fieldStrength) else { return nil }
    let calibrated = fields.map(result.model.calibrated)
    residual = Self.middleDeviation(calibrated, fieldStrength)
    rawResidual = Self.middleDeviation(fields.map { $0 - Self.mean(fields) }, nil)
    ironSigma = Self.ironSigma(solution, goal)
    reportUnobservable(solution, hasTurn: turn != nil)
    guard turn != nil else { return }
    let sine = min(1, max(-1, p[12] / goal))
    dip = asin(sine)
    dipSigma = solution.sigma(12) / (goal * max(0.05, (1 - sine * sine).squareRoot()))
    headingSigma = Self.headingSigma(solution, goal, along: p[12])
  }

  private mutating func reportUnobservable(_ solution: RobustLeastSquares.Solution, hasTurn: Bool) {
    if !hasTurn {
      result.unobservable.append("rotation relative to the accelerometer not observable: no acceleration")
    }
    for (axis, name) in ["x", "y", "z"].enumerated()
    where solution.sigma(9 + axis) > 0.05 * fieldStrength || solution.sigma(4 * axis) > 0.05 {
      let halves = coverage.missing.filter { $0.hasSuffix(name) }
      let reason = halves.isEmpty ? "too small a part of the sphere" : "no field " + halves.joined(separator: " or ")
      result.unobservable.append("\(name) bias and scale hardly observable: \(reason)")
    }
  }

  /// Returns the ellipsoid, or a sphere if too little of it is covered for an ellipsoid.
  private static func ellipsoid(_ fields: [Vector3]) -> LinearModel? {
    if let fit = EllipsoidFit.fit(fields), let eigen = try? SymmetricEigen(Matrix(fit.matrix)),
      eigen.eigenvalues[2] < 2 * eigen.eigenvalues[0]
    {
      return fit
    }
    let center = mean(fields)
    let design = Matrix(rowCount: fields.count, columnCount: 4) { row, column in
      column == 3 ? 1 : 2 * (fields[row] - center)[column]
    }
    guard let fit = try? design.leastSquares(fields.map { ($0 - center).squaredNorm }), fit.rank == 4 else {
      return nil
    }
    let offset = Vector3(fit.solution)
    let squared = fit.solution[3] + offset.squaredNorm
    guard squared > 0 else { return nil }
    return LinearModel(bias: center + offset, matrix: Matrix3.identity * (1 / squared.squareRoot()))
  }

  /// Returns the rotation that keeps the field's component along gravity constant, or `nil` if the attitudes do not
  /// determine it.
  ///
  /// gᵀ R v = s is linear in R and s: their ratio is the singular vector of the smallest singular value.
  private static func turn(_ fields: [Vector3], _ downs: [Vector3]) -> Matrix3? {
    let size = fields.reduce(0) { $0 + $1.norm } / Double(fields.count)
    let design = Matrix(rowCount: fields.count, columnCount: 10) { row, column in
      column == 9 ? -1 : downs[row][column / 3] * fields[row][column % 3] / size
    }
    guard let eigen = try? SymmetricEigen(design.ownTransposeTimes) else { return nil }
    let q = eigen.eigenvectors.column(0)
    guard let rotation = EllipsoidFit.nearestRotation(matrix(Array(q.prefix(9)))) else { return nil }
    return rotation
  }

  private static func matrix(_ p: [Double]) -> Matrix3 {
    Matrix3(rows: Vector3(p[0], p[1], p[2]), Vector3(p[3], p[4], p[5]), Vector3(p[6], p[7], p[8]))
  }

  private static func model(_ p: [Double]) -> LinearModel {
    LinearModel(bias: Vector3(p[9], p[10], p[11]), matrix: matrix(p))
  }

  /// Returns the solution. The parameters are listed at `count`, followed by the errors of accelerometer and gyroscope
  /// in units of their deviations.
  ///
  /// A sample's noise affects its magnitude and its component along gravity. Their correlation equals the fraction of
  /// the field along gravity, and this fraction of the first residual is subtracted from the second. The derivatives
  /// contain the noise as well, so the last derivatives are taken at the point that has the field's magnitude and
  /// component along gravity: the sample's noise enters it only in the direction that affects neither.
  private static func solve(
    _ fields: [Vector3], _ downs: [Vector3], _ changes: [[Vector3]], _ known: [Double]?, _ strength: Double,
    _ first: LinearModel,
    _ scale: Double
  ) -> RobustLeastSquares.Solution? {
    let n = fields.count
    let m = first.matrix
    let nuisances = changes.isEmpty ? 0 : TrackErrors.count
    var start = [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
    start += [first.bias.x, first.bias.y, first.bias.z]
    start.append(Statistics.median(zip(fields, downs).map { first.calibrated($0).dot($1) }) ?? 0)
    start += [Double](repeating: 0, count: nuisances)
    var expected = start
    if let known, nuisances > 0 { expected.replaceSubrange(count..., with: known.map { -$0 }) }
    var groups = [RobustLeastSquares.Group(rows: 0..<n, minimumScale: 1e-3, isSeries: true)]
    if !downs.isEmpty { groups.append(.init(rows: n..<(2 * n), minimumScale: 1e-3, isSeries: true)) }
    // Without gravity, only this prior determines the rotation.
    let sigmas =
      [Double](repeating: expectedSigma * scale, count: 9) + [Double](repeating: 1000, count: 4)
      + [Double](repeating: 1, count: nuisances)
    let problem = RobustLeastSquares(
      groups: groups, expected: expected, expectedSigmas: sigmas, nuisanceCount: nuisances)
    func linearize(_ p: [Double], shared: Double, isLast: Bool) -> RobustLeastSquares.Linearization {
      let model = model(p)
      let inverse = isLast ? model.matrix.inverse : nil
      let own = 1 / (1 - shared * shared).squareRoot()
      var residuals = [Double](repeating: 0, count: n + downs.count)
      var jacobian = Matrix(rowCount: residuals.count, columnCount: p.count)
      for (row, field) in fields.enumerated() {
        let v = model.matrix * (field - model.bias)
        let norm = max(v.norm, 1e-9)
        residuals[row] = norm - strength
        var point = strength * (v / norm)
        var down = Vector3.zero
        if !downs.isEmpty {
          down = downs[row]
          for (position, change) in changes[row].enumerated() { down += p[count + position] * change }
          let along = v.dot(down) - p[12]
          residuals[n + row] = own * (along - shared * residuals[row])
          let level = v - v.dot(down) * down
          let size = max(0, strength * strength - p[12] * p[12]).squareRoot()
          if level.norm > 0.1 * size { point = p[12] * down + (size / level.norm) * level }
        }
        if !isLast { point = v }
        let d = inverse.map { $0 * point } ?? field - model.bias
        let length = (1 / max(point.norm, 1e-9)) * point
        fill(&jacobian, row, length, d, model.matrix)
        guard !downs.isEmpty else { continue }
        fill(&jacobian, n + row, own * (down - shared * length), d, model.matrix)
        jacobian[n + row, 12] = -own
        for (position, change) in changes[row].enumerated() {
          jacobian[n + row, count + position] = own * point.dot(change)
        }
      }
      return .init(residuals: residuals, jacobian: jacobian)
    }
    func shared(_ p: [Double]) -> Double { downs.isEmpty ? 0 : max(-0.95, min(0.95, p[12] / strength)) }
    let before = shared(start)
    guard let found = problem.solve(from: start, { linearize($0, shared: before, isLast: false) }) else { return nil }
    let after = shared(found.parameters)
    return problem.refine(found) { linearize($0, shared: after, isLast: true) }
  }

  /// Fills a row with the derivatives of a direction's dot product with the calibrated field.
  private static func fill(_ jacobian: inout Matrix, _ row: Int, _ n: Vector3, _ d: Vector3, _ matrix: Matrix3) {
    for i in 0..<3 {
      for j in 0..<3 { jacobian[row, 3 * i + j] = n[i] * d[j] }
    }
    let slope = matrix.transpose * n
    for j in 0..<3 { jacobian[row, 9 + j] = -slope[j] }
  }

  /// Returns the standard deviation of the heading in the worst of many attitudes: that of the field's east component,
  /// from the parameters' covariance, divided by the horizontal field.
  private static func headingSigma(_ solution: RobustLeastSquares.Solution, _ strength: Double, along: Double) -> Double
  {
    let model = model(solution.parameters)
    let horizontal = max(0.05 * strength, max(0, strength * strength - along * along).squareRoot())
    guard let inverse = model.matrix.inverse else { return .infinity }
    var worst = 0.0
    for (down, east) in attitudes {
      let d = inverse * (along * down + horizontal * east.cross(down))
      var gradient = [Double](repeating: 0, count: solution.parameters.count)
      for i in 0..<3 {
        for j in 0..<3 { gradient[3 * i + j] = east[i] * d[j] }
      }
      let slope = model.matrix.transpose * east
      for j in 0..<3 { gradient[9 + j] = -slope[j] }
      let variance = zip(gradient, solution.covariance * gradient).reduce(0) { $0 + $1.0 * $1.1 }
      worst = max(worst, variance.standardDeviation / horizontal)
    }
    return worst
  }

  /// Returns the standard deviation of the field in the sensor's own axes in the worst of many directions.
  private static func ironSigma(_ solution: RobustLeastSquares.Solution, _ strength: Double) -> Double {
    let matrix = model(solution.parameters).matrix
    guard let parts = SoftIronDecomposition(matrix), let inverse = parts.iron.inverse else { return .infinity }
    // The change of the iron's part with each element of the matrix.
    let changes = (0..<9).map { index in
      var change = Matrix3.zero
      change[index / 3, index % 3] = 1
      return parts.ironChange(change)
    }
    var worst = 0.0
    for index in 0..<100 {
      let direction = direction(index)
      let d = inverse * (strength * direction)
      let first = direction.cross(abs(direction.x) < 0.6 ? .unitX : .unitY).normalized ?? .unitZ
      for across in [first, direction.cross(first)] {
        var gradient = [Double](repeating: 0, count: solution.parameters.count)
        for element in 0..<9 { gradient[element] = across.dot(changes[element] * d) }
        let slope = parts.iron * across
        for axis in 0..<3 { gradient[9 + axis] = -slope[axis] }
        worst = max(worst, zip(gradient, solution.covariance * gradient).reduce(0) { $0 + $1.0 * $1.1 })
      }
    }
    return worst.squareRoot()
  }

  /// The vectors down and east in the device's axes, for four headings of each of a hundred directions of gravity.
  private static let attitudes = (0..<100).flatMap { index -> [(down: Vector3, east: Vector3)] in
    let down = direction(index)
    let east = down.cross(abs(down.x) < 0.6 ? .unitX : .unitY).normalized ?? .unitZ
    return (0..<4).map { quarter in
      let angle = Double(quarter) * .pi / 2
      return (down, cos(angle) * east + sin(angle) * down.cross(east))
    }
  }

  /// Returns one of a hundred directions, by the golden angle.
  private static func direction(_ index: Int) -> Vector3 {
    let z = 1 - 2 * (Double(index) + 0.5) / 100
    let turn = Double(index) * .pi * (3 - 5.0.squareRoot())
    let r = (1 - z * z).squareRoot()
    return Vector3(r * cos(turn), r * sin(turn), z)
  }

  private static func mean(_ values: [Vector3]) -> Vector3 { values.reduce(.zero, +) / Double(values.count) }

  private static func middleDeviation(_ values: [Vector3], _ length: Double?) -> Double {
    let norms = values.map(\.norm)
    let center = length ?? Statistics.median(norms) ?? 0
    return Statistics.median(norms.map { abs($0 - center) }) ?? 0
  }
}
