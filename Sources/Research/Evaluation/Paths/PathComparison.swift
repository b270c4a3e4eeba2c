public import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The interval of the relative error of a path.
public enum PathInterval: Sendable, Hashable {
  /// A time, in seconds.
  case time(Double)
  /// A distance along the reference, in m.
  case distance(Double)

  /// Creates an interval from a time such as `60s` or a distance such as `100m`, or `nil` for other texts.
  package init?(_ text: String) {
    guard let unit = text.last, let value = Double(text.dropLast()), value > 0, value.isFinite else { return nil }
    switch unit {
    case "s": self = .time(value)
    case "m": self = .distance(value)
    default: return nil
    }
  }
}

/// A comparison of an estimated path with a reference path or landmarks: the error at every point that counts, and the
/// removed differences.
///
/// The absolute trajectory error (ATE) is the root mean square of the distances between the aligned path and the
/// reference (Sturm, Engelhard, Endres, Burgard and Cremers, "A benchmark for the evaluation of RGB-D SLAM systems",
/// IROS 2012, eq. (4); `evo_ape` with the relation "translation part"). The relative error (RTE) is the root mean
/// square of the displacement error over a time or a distance. Sturm et al. (eq. (2) and (5), RPE) rotate each
/// displacement into the body's axes; as landmarks and most reference paths have no attitude, it is computed here in
/// the aligned frame, as by Herath, Yan and Furukawa ("RoNIN", ICRA 2020). The figures are equal if the estimate's
/// attitude is correct except for the removed differences.
public struct PathComparison: Sendable {
  /// The options of a comparison.
  public struct Options: Sendable, Hashable {
    /// The alignment that is fitted and applied. Default: a rotation about the vertical and a translation.
    public var alignment = AlignmentMode.yaw
    /// The offset added to the estimate's times, in seconds. Default: 0.
    public var clockShift = 0.0
    /// The excluded time after the first time that both tracks cover, in seconds. Default: 0.
    public var skip = 0.0
    /// The longest gap of the estimate to interpolate across, in seconds. Default: 2 s.
    public var maximumGap = 2.0
    /// The interval of the relative error. Default: 60 s, as in RoNIN.
    public var interval = PathInterval.time(60)

    /// Creates the default options.
    public init() {}
  }

  /// The error at one point of the reference.
  public struct Point: Sendable, Hashable {
    /// The reference's time, in seconds.
    public var time: Double
    /// The aligned estimate minus the reference, in m, in the reference's frame; z is 0 if one of them has no heights.
    public var error: Vector3
    /// Whether the stated sigmas allow the horizontal error with 95 % probability, or `nil` without sigmas.
    public var isInsideHorizontally: Bool?
    /// Whether the stated sigmas allow the height error, or `nil` without sigmas or heights.
    public var isInsideVertically: Bool?
  }

  /// The points that count, sorted by time.
  public let points: [Point]
  /// The number of reference points excluded because the estimate has no position there.
  public let missingCount: Int
  /// The alignment applied to the estimate.
  public let alignment: PathAlignment
  /// The ATE's statistics, in m: distances in space, or horizontal distances if one of the tracks has no heights.
  public let absolute: ErrorStatistics
  /// The horizontal distances, in m.
  public let horizontal: ErrorStatistics
  /// The height differences, in m, or `nil` without heights.
  public let vertical: ErrorStatistics?
  /// The RTE's statistics, in m, over all pairs of points separated by the interval within a tenth, in time or path
  /// length, or `nil` without such a pair.
  public let relative: ErrorStatistics?
  /// The length of the path along the reference's points that count, in m.
  public let referenceLength: Double

  /// The fraction of points whose horizontal error is inside the stated 95 %, or `nil` without sigmas.
  public var horizontalCoverage: Double? { Self.fraction(points.map(\.isInsideHorizontally)) }
  /// The fraction of points whose height error is inside the stated 95 %.
  public var verticalCoverage: Double? { Self.fraction(points.map(\.isInsideVertically)) }

  /// Compares an estimate with a reference at the reference's times.
  ///
  /// - Throws: `noCommonPositions` or `alignmentUndetermined`.
  public init(
    estimate: PositionTrack, reference: PositionTrack, options: Options = Options()
  ) throws(EvaluationError) {
    let estimate = estimate.shifted(by: options.clockShift)
    guard let own = estimate.span, let others = reference.span else {
      throw .noCommonPositions(estimate: estimate.span, reference: reference.span)
    }
    let hasHeights = estimate.hasHeights && reference.hasHeights
    let start = max(own.lowerBound - PositionTrack.endTolerance, others.lowerBound) + options.skip
    var found: [(time: Double, estimate: Vector3, reference: Vector3, sigma: Vector3?)] = []
    var missing = 0
    for (time, position) in zip(reference.times, reference.positions) where options.skip == 0 || time >= start {
      guard let sample = estimate.sample(at: time, maximumGap: options.maximumGap) else {
        missing += 1
        continue
      }
      func known(_ v: Vector3) -> Vector3 { hasHeights ? v : Vector3(v.x, v.y, 0) }
      found.append((time, known(sample.position), known(position), sample.sigma))
    }
    guard !found.isEmpty else { throw .noCommonPositions(estimate: own, reference: others) }
    let alignment = try PathAlignment.fit(options.alignment, to: found.map { ($0.estimate, $0.reference) })
    let points = found.map { one in
      let error = alignment.apply(one.estimate) - one.reference
      // The sigmas refer to the estimate's axes, so the error is rotated back to them.
      let bound = one.sigma.flatMap { PositionBound(error: alignment.rotation.rotateInverse(error), sigma: $0) }
      return Point(
        time: one.time, error: error, isInsideHorizontally: bound?.isInsideHorizontally,
        isInsideVertically: hasHeights ? bound?.isInsideVertically : nil)
    }
    guard let absolute = ErrorStatistics(points.map(\.error.norm)),
      let horizontal = ErrorStatistics(points.map { hypot($0.error.x, $0.error.y) })
    else { throw .noCommonPositions(estimate: own, reference: others) }
    self.points = points
    self.missingCount = missing
    self.alignment = alignment
    self.absolute = absolute
    self.horizontal = horizontal
    vertical = hasHeights ? ErrorStatistics(points.map { abs($0.error.z) }) : nil
    let ways = Self.ways(found.map(\.reference))
    referenceLength = ways.last ?? 0
    switch options.interval {
    case .time(let seconds): relative = Self.relative(points, places: points.map(\.time), interval: seconds)
    case .distance(let metres): relative = Self.relative(points, places: ways, interval: metres)
    }
  }

  /// Returns the path length up to each point.
  private static func ways(_ positions: [Vector3]) -> [Double] {
    var sum = 0.0
    return positions.indices.map { index in
      if index > 0 { sum += (positions[index] - positions[index - 1]).norm }
      return sum
    }
  }

  /// Returns the relative errors of all pairs, as evo with `--all_pairs`: each point is paired with the later point
  /// nearest to the interval's end, if it is within a tenth of the interval from it.
  ///
  /// - Parameter places: The times or path lengths of the points, never decreasing.
  private static func relative(_ points: [Point], places: [Double], interval: Double) -> ErrorStatistics? {
    var errors: [Double] = []
    for index in points.indices.dropLast() {
      let goal = places[index] + interval
      var end = places.firstIndex(notBefore: goal)
      if end == places.count || goal - places[end - 1] <= places[end] - goal { end -= 1 }
      guard end > index, abs(places[end] - goal) <= 0.1 * interval else { continue }
      errors.append((points[end].error - points[index].error).norm)
    }
    return ErrorStatistics(errors)
  }

  private static func fraction(_ flags: [Bool?]) -> Double? {
    let known = flags.compactMap { $0 }
    return known.isEmpty ? nil : Double(known.count { $0 }) / Double(known.count)
  }
}
