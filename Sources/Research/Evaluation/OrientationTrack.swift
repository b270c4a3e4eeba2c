public import InertialRotations
public import InertialSensors

/// The reason tracks cannot be compared.
public enum EvaluationError: Error, Equatable, CustomStringConvertible {
  /// The numbers of times and of orientations, movement flags or other values differ.
  case countMismatch(times: Int, values: Int)
  /// A time is NaN, infinite or less than the previous one; the index counts from 0.
  case timesNotIncreasing(index: Int)
  /// The reference has no sample that counts: valid, moving, after the skipped seconds and with an estimate at its
  /// time.
  case noCommonSamples
  /// A position is NaN or infinite; the index counts from 0.
  case notAPosition(index: Int)
  /// The reference has no position that counts: after the skipped seconds, none is at a time of the estimate. The
  /// ranges are the first and last times in seconds, or `nil` for a track without samples.
  case noCommonPositions(estimate: ClosedRange<Double>?, reference: ClosedRange<Double>?)
  /// The points do not determine the alignment.
  case alignmentUndetermined(AlignmentMode, points: Int)

  public var description: String {
    switch self {
    case .countMismatch(let times, let values): "there are \(times) times and \(values) values"
    case .timesNotIncreasing(let index):
      "the time of sample \(index) is not a number, or is earlier than the previous one"
    case .noCommonSamples:
      "no reference sample can be used: none is valid, moving, after the skipped seconds and covered by the estimate"
    case .notAPosition(let index): "the position of sample \(index) is not a number"
    case .noCommonPositions(let estimate, let reference):
      "the path is known \(Self.text(estimate)), the reference \(Self.text(reference)): no point can be compared"
    case .alignmentUndetermined(let mode, let points):
      "\(points) common point\(points == 1 ? "" : "s") "
        + (mode == .frame ? "on one line do not determine a rotation" : "at one position do not determine the yaw")
    }
  }

  private static func text(_ span: ClosedRange<Double>?) -> String {
    span.map { "from \($0.lowerBound) to \($0.upperBound) s" } ?? "nowhere"
  }
}

/// Orientations over time, as columns, from the sensor to an earth frame.
public struct OrientationTrack: Sendable, Equatable {
  /// The times, in seconds, never decreasing.
  public let times: [Double]
  /// The quaternions, sensor to earth, of norm 1 if valid.
  public let quaternions: [Quaternion]
  /// The earth frame of the orientations.
  public let frame: EarthFrame

  /// Creates a track from its columns. Quaternions are normalised; a zero or non-finite quaternion is kept, and does
  /// not count as an orientation.
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

  /// Creates a track from the samples of `deviceAttitude` or `referenceAttitude`.
  /// - Throws: `timesNotIncreasing` if the column is not in order, `countMismatch` if it has no quaternions.
  public init(_ column: SensorColumn, frame: EarthFrame) throws(EvaluationError) {
    try self.init(times: column.times, quaternions: column.quaternions, frame: frame)
  }

  private init(uncheckedTimes times: [Double], quaternions: [Quaternion], frame: EarthFrame) {
    self.times = times
    self.quaternions = quaternions
    self.frame = frame
  }

  /// Returns whether sample `index` is a valid orientation.
  public func isValid(_ index: Int) -> Bool {
    // Valid quaternions are normalised; others are zero or not finite.
    quaternions[index].squaredNorm > 0.5
  }

  /// Returns the same orientations in another earth frame; the sensor's axes are unchanged.
  public func converted(to target: EarthFrame) -> OrientationTrack {
    guard target != frame else { return self }
    return OrientationTrack(
      uncheckedTimes: times,
      quaternions: quaternions.map { EarthFrame.quaternion($0, from: frame, to: target) }, frame: target)
  }

  /// Returns the same orientations, `seconds` later.
  public func shifted(by seconds: Double) -> OrientationTrack {
    guard seconds != 0 else { return self }
    return OrientationTrack(uncheckedTimes: times.map { $0 + seconds }, quaternions: quaternions, frame: frame)
  }

  /// Returns the orientation at a time: the sample with that time if it exists, otherwise slerp between the adjacent
  /// samples. The result is `nil` outside the track, if the adjacent samples are more than `maximumGap` seconds apart,
  /// or if one of them is not valid.
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
