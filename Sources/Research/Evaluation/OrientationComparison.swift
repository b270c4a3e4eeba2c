internal import InertialRotations
public import InertialSensors

/// An estimate judged against a reference: the error at every sample that counts, and what was taken out.
public struct OrientationComparison: Sendable {
  /// How an estimate is judged.
  public struct Options: Sendable, Hashable, Codable {
    /// Which constant differences are fitted and taken out. Default: none.
    public var alignment = AlignmentMode.none
    /// The search for a constant clock offset, where there is to be one. Default: none.
    public var clockAlignment: ClockAlignment?
    /// Seconds added to the estimate's times before all else: a constant difference of the clocks that is known.
    /// Default: 0.
    public var clockShift = 0.0
    /// Seconds not judged after the first time that both tracks cover. Default: 0.
    public var skip = 0.0
    /// The longest gap of the estimate to interpolate across, seconds. Default: 0.1 s.
    public var maximumGap = 0.1

    /// The defaults.
    public init() {}
  }

  /// The reference's times of the samples that count, seconds.
  public let times: [Double]
  /// The error at each of them.
  public let errors: [OrientationError]
  /// How many more samples would count, had the estimate an orientation there. Not zero: the figures are
  /// those of the part that the estimate covers.
  public let missingCount: Int
  /// What was taken out of the estimate.
  public let alignment: OrientationAlignment
  /// The seconds that were added to the estimate's times, given or found; nil where there are none.
  public let clockShift: Double?
  /// The figures in degrees.
  public let summary: ErrorSummary
  /// How the error changes over the recording.
  public let course: ErrorCourse

  /// Judges an estimate at the reference's times.
  ///
  /// A sample counts where the reference is valid, `movement` is true and the skipped seconds are over. Both
  /// tracks are brought to one earth frame with Z up first; the estimate is interpolated by slerp.
  /// - `movement`: one flag for each sample of the reference; all count where absent.
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
    course = ErrorCourse(times: times, errors: rotations)
  }

  /// The movement flags of a recording at given times: each the last one marked at or before the time; before
  /// the first mark, false.
  /// - Parameters:
  ///   - stream: a `movement` stream in order of time.
  ///   - times: seconds, never decreasing.
  public static func movement(_ stream: SensorStream, at times: [Double]) -> [Bool] {
    precondition(stream.channel == .movement, "a \(stream.channel.name) stream does not mark movement")
    var next = 0
    return times.map { time in
      while next < stream.count, stream.times[next] <= time { next += 1 }
      return next > 0 && stream.x[next - 1] > 0.5
    }
  }
}
