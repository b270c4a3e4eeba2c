/// A constant delay of a stream's timestamps relative to those of the gyroscope in the same log.
package struct StreamOffset: Sendable, Equatable, Codable {
  /// The offset, in seconds: a sample with timestamp t was measured at t − `seconds` on the gyroscope's clock. A
  /// negative offset means that the timestamps are early.
  package var seconds: Double
  /// The standard deviation of `seconds`, from the disagreement of single segments of the log, in seconds.
  package var uncertainty: Double
  /// The ratio of the residual at the offset to the residual at distant lags, 0...1: 0 is a sharp peak of the
  /// agreement, 1 no peak.
  package var residualRatio: Double
  /// The number of motion segments used.
  package var stretchCount: Int

  package init(seconds: Double, uncertainty: Double, residualRatio: Double, stretchCount: Int) {
    self.seconds = seconds
    self.uncertainty = uncertainty
    self.residualRatio = residualRatio
    self.stretchCount = stretchCount
  }

  /// Whether the offset differs from zero: it is above two standard deviations.
  package var isSignificant: Bool { abs(seconds) > 2 * uncertainty }

  /// The channels with an estimable offset: vectors that are constant in the earth's frame, except for disturbances.
  package static let channels: [SensorChannel] = [.accelerometer, .magnetometer, .calibratedMagneticField]
}

/// The result of the search for a stream's offset.
package typealias StreamOffsetResult = Result<StreamOffset, StreamOffsetError>

extension StreamOffsetResult {
  /// The offset, or `nil` if it is undecided.
  package var offset: StreamOffset? { try? get() }
}

/// The reason an offset cannot be determined.
package enum StreamOffsetError: Error, Equatable, CustomStringConvertible {
  /// Too few motion segments with samples of both streams and without gaps: the number found, and the number needed.
  case tooLittleMotion(found: Int, needed: Int)
  /// The fit at the best lag is not clearly better than at others far from it: the motion repeats itself or rotates
  /// only about the vector, accelerations other than gravity or a disturbed field dominate, or the streams disagree
  /// in axes, signs or units.
  case noClearPeak
  /// The best lag is the largest lag searched, in seconds.
  case beyondReach(Double)
  /// The peak determines the offset only to this standard deviation, in seconds.
  case tooUncertain(Double)

  package var description: String {
    switch self {
    case .tooLittleMotion(let found, let needed):
      "too little rotation: \(found) of the \(needed) segments of motion that are needed"
    case .noClearPeak:
      "no lag fits clearly better than others: the motion repeats itself or hardly rotates the vector, other "
        + "accelerations or a disturbed field outweigh it, or axes, signs or units differ"
    case .beyondReach(let reach): "the best lag is the largest searched, \(reach) s"
    case .tooUncertain(let deviation):
      "the precision is no better than \((deviation * 1000).rounded()) ms"
    }
  }
}
