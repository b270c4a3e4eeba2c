public import InertialRotations
public import InertialSensors

/// Why orientations cannot be compared.
public enum EvaluationError: Error, Equatable, CustomStringConvertible {
  /// Not one orientation or one movement flag a time.
  case countMismatch(times: Int, values: Int)
  /// A time is NaN, infinite or before the one before it; the index counts from 0.
  case timesNotIncreasing(index: Int)
  /// No reference sample counts: valid, moving, after the skipped seconds and with an estimate at its time.
  case noCommonSamples
  /// A position is NaN or infinite; the index counts from 0.
  case notAPosition(index: Int)
  /// No position of the reference counts: after the skipped seconds none is at a time of the estimate. Seconds from first to
  /// last; nil for a track without samples.
  case noCommonPositions(estimate: ClosedRange<Double>?, reference: ClosedRange<Double>?)
  /// The points do not tell what the alignment takes out.
  case alignmentUndetermined(AlignmentMode, points: Int)

  public var description: String {
    switch self {
    case .countMismatch(let times, let values): "there are \(times) times and \(values) values"
    case .timesNotIncreasing(let index):
      "the time of sample \(index) is not a number or before the one before"
    case .noCommonSamples:
      "no reference sample counts: none is valid, moving, after the skipped seconds and covered by the estimate"
    case .notAPosition(let index): "the position of sample \(index) is not a number"
    case .noCommonPositions(let estimate, let reference):
      "the path is known \(Self.words(estimate)), the reference \(Self.words(reference)): no point of it counts"
    case .alignmentUndetermined(let mode, let points):
      "\(points) common point\(points == 1 ? "" : "s") "
        + (mode == .frame ? "on one line do not tell a rotation" : "at one place do not tell a turn about the vertical")
    }
  }

  private static func words(_ span: ClosedRange<Double>?) -> String {
    span.map { "from \($0.lowerBound) to \($0.upperBound) s" } ?? "nowhere"
  }
}

/// Orientations over time, as columns: sensor to an earth frame.
public struct OrientationTrack: Sendable, Equatable {
  /// Seconds, never decreasing.
  public let times: [Double]
  /// Sensor to earth, of norm 1 where valid.
  public let quaternions: [Quaternion]
  /// The earth frame the orientations map to.
  public let frame: EarthFrame

  /// A track from its columns. Quaternions are normalised; a zero one or one that is not finite stays, and
  /// counts as no orientation.
  /// - Throws: `countMismatch` or `timesNotIncreasing`.
  public init(times: [Double], quaternions: [Quaternion], frame: EarthFrame) throws(EvaluationError) {
    guard times.count == quaternions.count else {
      throw .countMismatch(times: times.count, values: quaternions.count)
    }
    for (index, time) in times.enumerated() where !time.isFinite || (index > 0 && time < times[index - 1]) {
      throw .timesNotIncreasing(index: index)
    }
    self.times = times
    self.quaternions = quaternions.map { $0.normalized ?? $0 }
    self.frame = frame
  }

  /// The orientations of a stream of `deviceAttitude` or `referenceAttitude` samples.
  /// - Throws: `timesNotIncreasing` where the stream is not in order.
  public init(_ stream: SensorStream, frame: EarthFrame) throws(EvaluationError) {
    precondition(stream.channel.componentCount == 4, "a \(stream.channel.name) stream has no orientations")
    try self.init(
      times: stream.times, quaternions: (0..<stream.count).map { stream[$0].quaternion }, frame: frame)
  }

  private init(uncheckedTimes times: [Double], quaternions: [Quaternion], frame: EarthFrame) {
    self.times = times
    self.quaternions = quaternions
    self.frame = frame
  }

  /// Whether sample `index` is an orientation at all.
  public func isValid(_ index: Int) -> Bool {
    // Normalised, or else zero or not finite.
    quaternions[index].squaredNorm > 0.5
  }

  /// The same orientations in another earth frame; the sensor's axes stay what they are.
  public func converted(to target: EarthFrame) -> OrientationTrack {
    guard target != frame else { return self }
    return OrientationTrack(
      uncheckedTimes: times,
      quaternions: quaternions.map { EarthFrame.quaternion($0, from: frame, to: target) }, frame: target)
  }

  /// The same orientations, each `seconds` later.
  public func shifted(by seconds: Double) -> OrientationTrack {
    guard seconds != 0 else { return self }
    return OrientationTrack(uncheckedTimes: times.map { $0 + seconds }, quaternions: quaternions, frame: frame)
  }

  /// The orientation at a time: that of the sample itself where there is one, otherwise slerp between the
  /// samples around it. Nil outside the track, where the neighbours are more than `maximumGap` seconds apart
  /// and where one of them is no orientation.
  public func orientation(at time: Double, maximumGap: Double) -> Quaternion? {
    let after = times.firstIndex(notBefore: time)
    guard after < times.count else { return nil }
    if times[after] == time { return isValid(after) ? quaternions[after] : nil }
    guard after > 0, isValid(after - 1), isValid(after) else { return nil }
    let gap = times[after] - times[after - 1]
    guard gap <= maximumGap else { return nil }
    let fraction = (time - times[after - 1]) / gap
    return quaternions[after - 1].slerp(to: quaternions[after], fraction: fraction)
  }
}
