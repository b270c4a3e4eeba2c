/// A speed that changes in smooth steps, and the distance that it makes.
///
/// The unit is the user's: m/s and m along a path, rad/s and rad of a turntable. Speed has three continuous derivatives.
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
  /// When the last change is over, seconds.
  public private(set) var end = -Double.infinity

  /// A constant speed.
  public init(initial: Double = 0) {
    self.initial = initial
    final = initial
  }

  /// A smooth step to another speed.
  ///
  /// - `start`: seconds; not before the last change is over.
  /// - `duration`: seconds; more than 0.
  public mutating func change(to speed: Double, at start: Double, within duration: Double) {
    precondition(duration > 0, "a change of speed within \(duration) s")
    precondition(start >= end, "a change of speed at \(start) s, when the last one ends at \(end) s")
    changes.append(Change(start: start, duration: duration, difference: speed - final))
    final = speed
    end = start + duration
  }

  /// A smooth step that begins a while after the last change is over.
  ///
  /// - `pause`: seconds at the speed before; from time 0 for the first change.
  public mutating func change(to speed: Double, after pause: Double, within duration: Double) {
    change(to: speed, at: max(end, 0) + pause, within: duration)
  }

  /// Speed with its derivatives.
  func speed(at time: Double) -> Jet {
    changes.reduce(.constant(initial)) { sum, change in
      sum + change.difference * Jet.smoothStep(start: change.start, duration: change.duration, at: time)
    }
  }

  /// Distance since time 0, where no change is under way then, with its derivatives.
  func distance(at time: Double) -> Jet {
    changes.reduce(.linear(rate: initial, at: time)) { sum, change in
      sum + change.difference * Jet.smoothStepIntegral(start: change.start, duration: change.duration, at: time)
    }
  }
}
