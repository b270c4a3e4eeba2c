public import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// Over what the relative error of a path is taken.
public enum PathInterval: Sendable, Hashable {
  /// Seconds.
  case time(Double)
  /// m along the reference.
  case distance(Double)
}

/// An estimated path judged against a reference path or landmarks: the error at every point that counts, and what was
/// taken out.
///
/// The absolute trajectory error (ATE) is the root mean square of the distances between the aligned path and the reference
/// (Sturm, Engelhard, Endres, Burgard and Cremers, "A benchmark for the evaluation of RGB-D SLAM systems", IROS 2012, eq. (4);
/// `evo_ape` with the relation "translation part"). The relative error (RTE) is the root mean square of how much the
/// displacement over a time or a distance is off. Sturm et al. (eq. (2) and (5), RPE) turn each displacement into the body's axes;
/// landmarks and most reference paths know no attitude, so that it is taken here in the aligned frame, as by Herath, Yan and
/// Furukawa ("RoNIN", ICRA 2020): the same figure where the estimate's attitude is right but for what was taken out.
public struct PathComparison: Sendable {
  /// How a path is judged.
  public struct Options: Sendable, Hashable {
    /// What is fitted and taken out. Default: a turn about the vertical and a translation.
    public var alignment = AlignmentMode.yaw
    /// Seconds added to the estimate's times. Default: 0.
    public var clockShift = 0.0
    /// Seconds not judged after the first time that both tracks cover. Default: 0.
    public var skip = 0.0
    /// The longest gap of the estimate to interpolate across, seconds. Default: 2 s.
    public var maximumGap = 2.0
    /// Over what the relative error is. Default: 60 s, as RoNIN's.
    public var interval = PathInterval.time(60)

    /// The defaults.
    public init() {}
  }

  /// The error at one point of the reference.
  public struct Point: Sendable, Hashable {
    /// The reference's time, seconds.
    public var time: Double
    /// Aligned estimate minus reference, m, in the reference's frame; z is 0 where one of them has no heights.
    public var error: Vector3
    /// Whether the stated sigmas allow the error over the ground with 95 %; nil where none are stated.
    public var isInsideHorizontally: Bool?
    /// The same of the height; nil also without heights.
    public var isInsideVertically: Bool?
  }

  /// The points that count, in order of time.
  public let points: [Point]
  /// How many more would count, had the estimate a position there.
  public let missingCount: Int
  /// What was taken out of the estimate.
  public let alignment: PathAlignment
  /// The ATE's statistics, m: distances in space, or over the ground where one of the tracks has no heights.
  public let absolute: ErrorStatistics
  /// Distances over the ground, m.
  public let horizontal: ErrorStatistics
  /// Differences in height, m; nil without heights.
  public let vertical: ErrorStatistics?
  /// The RTE's statistics, m: of all pairs of points whose time or way apart is the interval give or take a tenth; nil where
  /// there is no such pair.
  public let relative: ErrorStatistics?
  /// The way along the reference's points that count, m.
  public let way: Double

  /// The share of the points whose error over the ground is inside the stated 95 %; nil where none is stated.
  public var insideHorizontally: Double? { Self.share(points.map(\.isInsideHorizontally)) }
  /// The same of heights.
  public var insideVertically: Double? { Self.share(points.map(\.isInsideVertically)) }

  /// Judges an estimate at the reference's times.
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
      // The sigmas are of the estimate's axes: the error is turned back to them.
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
    way = ways.last ?? 0
    switch options.interval {
    case .time(let seconds): relative = Self.relative(points, places: points.map(\.time), interval: seconds)
    case .distance(let metres): relative = Self.relative(points, places: ways, interval: metres)
    }
  }

  /// The sum of the distances up to each point.
  private static func ways(_ positions: [Vector3]) -> [Double] {
    var way = 0.0
    return positions.indices.map { index in
      if index > 0 { way += (positions[index] - positions[index - 1]).norm }
      return way
    }
  }

  /// All pairs as evo takes them with `--all_pairs`: to each point the later one whose place is nearest to the interval's end, if
  /// it is within a tenth of the interval of it.
  ///
  /// - Parameter places: times or ways of the points, never decreasing.
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

  private static func share(_ flags: [Bool?]) -> Double? {
    let known = flags.compactMap { $0 }
    return known.isEmpty ? nil : Double(known.count { $0 }) / Double(known.count)
  }
}
