internal import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// A comparison of an estimate with a reference: the error at every sample that counts, and the removed differences.
public struct OrientationComparison: Sendable {
  /// The options of a comparison.
  public struct Options: Sendable, Hashable, Codable {
    /// The constant differences that are fitted and removed. Default: none.
    public var alignment = AlignmentMode.none
    /// The search for a constant clock offset, or `nil` for no search. Default: `nil`.
    public var clockAlignment: ClockAlignment?
    /// A known constant difference of the clocks, which is added to the estimate's times first, in seconds. Default: 0.
    public var clockShift = 0.0
    /// The excluded time after the first time that both tracks cover, in seconds. Default: 0.
    public var skip = 0.0
    /// The longest gap of the estimate to interpolate across, in seconds. Default: 0.1 s.
    public var maximumGap = 0.1

    /// Creates the default options.
    public init() {}
  }

  /// The reference's times of the samples that count, in seconds.
  public let times: [Double]
  /// The errors at `times`.
  public let errors: [OrientationError]
  /// The number of reference samples excluded only because the estimate has no orientation there. If it is not zero,
  /// the figures cover only a part of the reference.
  public let missingCount: Int
  /// The alignment applied to the estimate.
  public let alignment: OrientationAlignment
  /// The offset added to the estimate's times, given or found, in seconds, or `nil` if no offset was applied.
  public let clockShift: Double?
  /// The figures, in degrees.
  public let summary: ErrorSummary
  /// The change of the error over the recording.
  public let course: ErrorTrend

  /// Compares an estimate with a reference at the reference's times.
  ///
  /// A sample counts if the reference is valid, `movement` is true and the skipped seconds are over. Both tracks are
  /// first converted to one earth frame with Z up; the estimate is interpolated by slerp.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - reference: The reference.
  ///   - movement: One flag per sample of the reference, or `nil` if all samples count.
  ///   - options: The options.
  /// - Throws: `countMismatch` or `noCommonSamples`.
  public init(
    estimate: OrientationTrack, reference: OrientationTrack, movement: [Bool]? = nil,
    options: Options = Options()
  ) throws(EvaluationError) {
    if let movement, movement.count != reference.times.count {
      throw .countMismatch(times: reference.times.count, values: movement.count)
    }
    let reference = reference.converted(to: .nwu)
    let given = options.clockShift
    let unshifted = estimate.converted(to: .nwu).shifted(by: given)
    let found = options.clockAlignment?.shift(of: unshifted, to: reference)
    clockShift = found.map { given + $0 } ?? (given == 0 ? nil : given)
    let estimate = found.map(unshifted.shifted(by:)) ?? unshifted
    guard let first = estimate.times.first, let firstReference = reference.times.first else {
      throw .noCommonSamples
    }
    let start = max(first, firstReference) + options.skip

    var times: [Double] = []
    var pairs: [(estimate: Quaternion, reference: Quaternion)] = []
    var missing = 0
    for (index, time) in reference.times.enumerated() {
      guard time >= start, reference.isValid(index), movement?[index] ?? true else { continue }
      guard let orientation = estimate.orientation(at: time, maximumGap: options.maximumGap) else {
        missing += 1
        continue
      }
      times.append(time)
      pairs.append((orientation, reference.quaternions[index]))
    }
    let alignment = OrientationAlignment.fit(options.alignment, to: pairs)
    let rotations = pairs.map { alignment.apply($0.estimate) * $0.reference.conjugate }
    let errors = rotations.map(OrientationError.init(error:))
    guard let summary = ErrorSummary(errors) else { throw .noCommonSamples }
    self.times = times
    self.errors = errors
    self.missingCount = missing
    self.alignment = alignment
    self.summary = summary
    course = ErrorTrend(times: times, errors: rotations)
  }

  /// Returns the movement flags of a recording at given times: the last flag at or before each time, or `false` before
  /// the first.
  /// - Parameters:
  ///   - column: The samples of `movement`, sorted by time.
  ///   - times: The times in seconds, never decreasing.
  public static func movement(_ column: SensorColumn, at times: [Double]) -> [Bool] {
    var next = 0
    return times.map { time in
      while next < column.count, column.times[next] <= time { next += 1 }
      return next > 0 && column.values[next - 1].x > 0.5
    }
  }
}
