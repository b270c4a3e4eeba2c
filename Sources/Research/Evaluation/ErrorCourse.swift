package import InertialRotations

/// How the error of an estimate changes over a recording: how fast its heading drifts, and how often it jumps.
public struct ErrorCourse: Sendable, Hashable, Codable {
  /// A change of the error by more than this from one sample to the next is a jump, degrees.
  package static let jumpAngle = 3.0
  /// Samples that are farther apart than this are not compared: a device turns meanwhile, seconds.
  package static let longestStep = 0.1
  /// A drift over less time than this says nothing, seconds.
  package static let shortestDrift = 30.0

  /// The slope of the heading error over time by least squares, degrees per minute, positive where the estimate turns
  /// counter-clockwise against the reference. Nil where the samples span less than `shortestDrift`.
  public let headingDrift: Double?
  /// How often the error rotation changed by more than `jumpAngle` within `longestStep`: the estimate turned, and the
  /// device did not.
  public let jumps: Int

  /// The course of errors e = q_estimate ⊗ conj(q_reference), earth with Z up, at times in seconds that rise.
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
      // Heading goes on past a half turn.
      headings.append(last + (heading - last).remainder(dividingBy: 2 * .pi))
      let change = OrientationError.total(of: error * errors[index - 1].conjugate) * 180 / .pi
      if change > Self.jumpAngle, times[index] - times[index - 1] <= Self.longestStep { jumps += 1 }
    }
    self.jumps = jumps
    headingDrift = Self.slope(times, headings).map { $0 * 60 * 180 / .pi }
  }

  /// Per second.
  private static func slope(_ times: [Double], _ values: [Double]) -> Double? {
    guard let first = times.first, let last = times.last, last - first >= shortestDrift else { return nil }
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
