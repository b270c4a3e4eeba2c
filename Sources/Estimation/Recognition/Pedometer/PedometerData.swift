/// What was walked between two times; Core Motion's CMPedometerData.
public struct PedometerData: Sendable, Codable, Equatable {
  /// Seconds on the log's clock.
  public var start: Double
  /// Last moment, seconds on the log's clock.
  public var end: Double
  /// Steps from start to end.
  public var numberOfSteps: Int
  /// Metres, as the step lengths' model has it.
  public var distance: Double
  /// Floors walked up and down, of about 3 m; nil without a barometer.
  public var floorsAscended: Int?
  /// Floors down; nil without a barometer.
  public var floorsDescended: Int?
  /// Seconds a metre and steps a second, over the last steps; nil where nobody steps at the end, and in queries.
  public var currentPace: Double?
  /// Steps a second, over the last steps; nil as `currentPace`.
  public var currentCadence: Double?
  /// Seconds a metre over the time of stepping; nil where there was no step.
  public var averageActivePace: Double?

  package init(start: Double, end: Double, numberOfSteps: Int = 0, distance: Double = 0) {
    self.start = start
    self.end = end
    self.numberOfSteps = numberOfSteps
    self.distance = distance
  }
}

/// A step.
public struct PedometerStep: Sendable, Codable, Equatable {
  /// About when the foot was set down: seconds on the log's clock.
  public var time: Double
  /// Metres.
  public var length: Double
  /// Seconds since the step before, or a period of the gait where that one was not just before.
  public var duration: Double

  package init(time: Double, length: Double, duration: Double) {
    self.time = time
    self.length = length
    self.duration = duration
  }
}

/// Walking that has begun again or stopped; Core Motion's CMPedometerEvent.
public struct PedometerEvent: Sendable, Codable, Equatable {
  /// Whether steps stop or begin again.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The last step before a pause.
    case pause
    /// The first step, and the first one after a pause.
    case resume
  }

  /// Seconds on the log's clock.
  public var time: Double
  /// Whether walking pauses or goes on.
  public var type: Kind

  package init(time: Double, type: Kind) {
    self.time = time
    self.type = type
  }
}

/// What a pedometer tells.
public enum PedometerOutput: Sendable, Equatable {
  /// A step was counted.
  case step(PedometerStep)
  /// Walking pauses, or goes on.
  case event(PedometerEvent)
  /// Everything since the start.
  case update(PedometerData)
}
