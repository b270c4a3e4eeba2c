/// The steps, distance and floors between two times, like Core Motion's `CMPedometerData`.
public struct PedometerData: Sendable, Codable, Equatable {
  /// The start, in seconds on the log's clock.
  public var start: Double
  /// The end, in seconds on the log's clock.
  public var end: Double
  /// The number of steps from start to end.
  public var numberOfSteps: Int
  /// The distance according to the step length model, in metres.
  public var distance: Double
  /// The number of floors of about 3 m walked up, or `nil` without a barometer.
  public var floorsAscended: Int?
  /// The number of floors walked down, or `nil` without a barometer.
  public var floorsDescended: Int?
  /// The pace over the last steps, in seconds per metre, or `nil` if there are no steps at the end, and in queries.
  public var currentPace: Double?
  /// The cadence over the last steps, in steps per second, or `nil` under the same conditions as `currentPace`.
  public var currentCadence: Double?
  /// The pace over the time of stepping, in seconds per metre, or `nil` if there was no step.
  public var averageActivePace: Double?

  /// The standard deviation of a person's step length according to the model, as a fraction.
  private static let lengthSigma = 0.1
  /// The length of a step that may be missed or added, in metres.
  private static let missedLength = 0.7
  /// The standard deviation of the distance, in metres: a common relative error of all steps, and a step more or less.
  public var distanceSigma: Double {
    let common = Self.lengthSigma * distance
    return (common * common + Self.missedLength * Self.missedLength).squareRoot()
  }

  package init(start: Double, end: Double, numberOfSteps: Int = 0, distance: Double = 0) {
    self.start = start
    self.end = end
    self.numberOfSteps = numberOfSteps
    self.distance = distance
  }
}

/// A detected step.
public struct PedometerStep: Sendable, Codable, Equatable {
  /// The approximate time of foot contact, in seconds on the log's clock.
  public var time: Double
  /// The length of the step, in metres.
  public var length: Double
  /// The time since the previous step, or the period of the gait if the previous step was not adjacent, in seconds.
  public var duration: Double

  package init(time: Double, length: Double, duration: Double) {
    self.time = time
    self.length = length
    self.duration = duration
  }
}

/// A pause or resumption of walking, like Core Motion's `CMPedometerEvent`.
public struct PedometerEvent: Sendable, Codable, Equatable {
  /// The kind of a pedometer event.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// A pause of walking, at the last step before it.
    case pause
    /// A resumption, at the first step or the first step after a pause.
    case resume
  }

  /// The time, in seconds on the log's clock.
  public var time: Double
  /// The kind of the event.
  public var type: Kind

  package init(time: Double, type: Kind) {
    self.time = time
    self.type = type
  }
}

/// An output of a pedometer.
public enum PedometerOutput: Sendable, Equatable {
  /// A counted step.
  case step(PedometerStep)
  /// A pause or resumption of walking.
  case event(PedometerEvent)
  /// The totals since the start.
  case update(PedometerData)
}
