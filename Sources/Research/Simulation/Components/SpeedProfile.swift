/// A speed that changes in smooth steps, and the resulting distance.
///
/// The unit is the caller's: m/s and m along a path, rad/s and rad for a turntable. The speed has three continuous
/// derivatives.
public struct SpeedProfile: Sendable, Equatable {
  private struct Change: Sendable, Equatable {
    var start: Double
    var duration: Double
    var difference: Double
  }

  private let initial: Double
  private var changes: [Change] = []
  /// The speed after the last change.
  public private(set) var final: Double
  /// The end of the last change, in seconds.
  public private(set) var end = -Double.infinity

  /// Creates a constant speed.
  public init(initial: Double = 0) {
    self.initial = initial
    final = initial
  }

  /// Adds a smooth step to another speed.
  ///
  /// - Parameters:
  ///   - speed: The new speed.
  ///   - start: The start of the change, in seconds, not before the end of the last change.
  ///   - duration: The duration of the change, in seconds; more than 0.
  public mutating func change(to speed: Double, at start: Double, within duration: Double) {
    precondition(duration > 0, "a change of speed within \(duration) s")
    precondition(start >= end, "a change of speed at \(start) s, when the last one ends at \(end) s")
    changes.append(Change(start: start, duration: duration, difference: speed - final))
    final = speed
    end = start + duration
  }

  /// Adds a smooth step that begins some time after the last change.
  ///
  /// - Parameters:
  ///   - speed: The new speed.
  ///   - pause: The time at the previous speed, in seconds; from time 0 for the first change.
  ///   - duration: The duration of the change, in seconds; more than 0.
  public mutating func change(to speed: Double, after pause: Double, within duration: Double) {
    change(to: speed, at: max(end, 0) + pause, within: duration)
  }

  /// Returns the speed with its derivatives.
  func speed(at time: Double) -> Jet {
    changes.reduce(.constant(initial)) { sum, change in
      sum + change.difference * Jet.smoothStep(start: change.start, duration: change.duration, at: time)
    }
  }

  /// Returns the distance since time 0 with its derivatives, if no change is in progress at time 0.
  func distance(at time: Double) -> Jet {
    changes.reduce(.linear(rate: initial, at: time)) { sum, change in
      sum + change.difference * Jet.smoothStepIntegral(start: change.start, duration: change.duration, at: time)
    }
  }
}
