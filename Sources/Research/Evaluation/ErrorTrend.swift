package import InertialRotations

/// The change of an estimate's error over a recording: the drift of its heading, and the number of its jumps.
public struct ErrorTrend: Sendable, Hashable, Codable {
  /// The change of the error from one sample to the next above which it counts as a jump, in degrees.
  package static let jumpAngle = 3.0
  /// The longest interval of compared samples, in seconds. Over longer intervals, the device rotates in the meantime.
  package static let maximumStepInterval = 0.1
  /// The shortest time for a meaningful drift, in seconds.
  package static let minimumDriftDuration = 30.0

  /// The least-squares slope of the heading error over time, in degrees per minute, or `nil` if the samples span less
  /// than `minimumDriftDuration`. It is positive if the estimate rotates counter-clockwise relative to the reference.
  public let headingDrift: Double?
  /// The number of changes of the error rotation by more than `jumpAngle` within `maximumStepInterval`: the estimate rotated,
  /// but the device did not.
  public let jumps: Int

  /// Creates the course of errors e = q_estimate ⊗ conj(q_reference), earth with Z up, at ascending times in seconds.
  package init(times: [Double], errors: [Quaternion]) {
    precondition(times.count == errors.count, "\(times.count) times for \(errors.count) errors")
    var jumps = 0
    var headings: [Double] = []
    headings.reserveCapacity(times.count)
    for (index, error) in errors.enumerated() {
      let heading = OrientationError.signedHeading(of: error)
      guard let last = headings.last else {
        headings.append(heading)
        continue
      }
      // Unwrap the heading at half turns.
      headings.append(last + (heading - last).remainder(dividingBy: 2 * .pi))
      let change = OrientationError.total(of: error * errors[index - 1].conjugate) * 180 / .pi
      if change > Self.jumpAngle, times[index] - times[index - 1] <= Self.maximumStepInterval { jumps += 1 }
    }
    self.jumps = jumps
    headingDrift = Self.slope(times, headings).map { $0 * 60 * 180 / .pi }
  }

  /// Returns the slope per second.
  private static func slope(_ times: [Double], _ values: [Double]) -> Double? {
    guard let first = times.first, let last = times.last, last - first >= minimumDriftDuration else { return nil }
    let count = Double(times.count)
    let (meanTime, mean) = (times.reduce(0, +) / count, values.reduce(0, +) / count)
    var (product, square) = (0.0, 0.0)
    for (time, value) in zip(times, values) {
      product += (time - meanTime) * (value - mean)
      square += (time - meanTime) * (time - meanTime)
    }
    return product / square
  }
}
