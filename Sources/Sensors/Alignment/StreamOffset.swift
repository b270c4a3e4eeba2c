/// A constant time by which the stamps of a stream lie behind those of the gyroscope of the same log.
package struct StreamOffset: Sendable, Equatable, Codable {
  /// Seconds: what the stream stamps t took place at t − `seconds` on the gyroscope's clock. Negative: stamped early.
  package var seconds: Double
  /// Standard deviation of `seconds`, from how far single stretches of the log disagree, in seconds.
  package var uncertainty: Double
  /// The residual at the offset over that at lags far from it, 0 to 1: 0 is a sharp peak of the agreement, 1 none.
  package var residualRatio: Double
  /// How many stretches of motion decided.
  package var stretchCount: Int

  package init(seconds: Double, uncertainty: Double, residualRatio: Double, stretchCount: Int) {
    self.seconds = seconds
    self.uncertainty = uncertainty
    self.residualRatio = residualRatio
    self.stretchCount = stretchCount
  }

  /// Whether the offset is told from none: it is above two of its standard deviations.
  package var isSignificant: Bool { abs(seconds) > 2 * uncertainty }

  /// The channels whose offset can be estimated: vectors that stand still in the earth's frame, but for disturbances.
  package static let channels: [SensorChannel] = [.accelerometer, .magnetometer, .calibratedMagneticField]
}

/// What the search for a stream's offset came to.
package enum StreamOffsetFinding: Sendable, Equatable {
  case decided(StreamOffset)
  case undecided(Reason)

  /// Why an offset cannot be told.
  package enum Reason: Sendable, Equatable {
    /// Stretches of motion with samples of both streams and without gaps: how many there are, how many it takes.
    case tooLittleMotion(found: Int, needed: Int)
    /// No lag fits clearly better than others far from it: motion that repeats itself or turns about the vector only,
    /// other accelerations than gravity, a disturbed field, or streams that disagree in axes, signs or units.
    case noClearPeak
    /// The best lag is the largest searched, seconds.
    case beyondReach(Double)
    /// There is a peak, and it tells the offset no better than this standard deviation, seconds.
    case tooUncertain(Double)
  }

  /// The offset, where there is one.
  package var offset: StreamOffset? { if case .decided(let offset) = self { offset } else { nil } }
}

extension StreamOffsetFinding.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLittleMotion(let found, let needed):
      "too little rotation to tell: \(found) of the \(needed) stretches of motion it takes"
    case .noClearPeak:
      "no lag fits clearly better than others: the motion repeats itself or hardly turns the vector, other "
        + "accelerations or a disturbed field outweigh it, or axes, signs or units differ"
    case .beyondReach(let reach): "the best lag is the largest searched, \(reach) s"
    case .tooUncertain(let deviation):
      "told no better than to \((deviation * 1000).rounded()) ms"
    }
  }
}
