/// The activities that the classifier distinguishes.
package enum ActivityClass: String, Sendable, Codable, CaseIterable {
  case stationary
  case walking
  case running
  case cycling
  case automotive
  /// Any other motion, for instance gestures, machines, swimming and skiing.
  case other

  /// The activities that have a flag.
  package static let flagged: [ActivityClass] = [.stationary, .walking, .running, .cycling, .automotive]
}

/// The probabilities of the activities, 0...1; their sum is 1.
package struct ActivityProbabilities: Sendable, Hashable {
  package var stationary: Double
  package var walking: Double
  package var running: Double
  package var cycling: Double
  package var automotive: Double
  package var other: Double

  /// Creates equal probabilities.
  package init() {
    let fraction = 1 / Double(ActivityClass.allCases.count)
    (stationary, walking, running) = (fraction, fraction, fraction)
    (cycling, automotive, other) = (fraction, fraction, fraction)
  }

  package subscript(activity: ActivityClass) -> Double {
    get {
      switch activity {
      case .stationary: stationary
      case .walking: walking
      case .running: running
      case .cycling: cycling
      case .automotive: automotive
      case .other: other
      }
    }
    set {
      switch activity {
      case .stationary: stationary = newValue
      case .walking: walking = newValue
      case .running: running = newValue
      case .cycling: cycling = newValue
      case .automotive: automotive = newValue
      case .other: other = newValue
      }
    }
  }

  /// The most probable activity.
  package var best: ActivityClass { ActivityClass.allCases.max { self[$0] < self[$1] } ?? .stationary }
}

extension ActivityProbabilities: Codable {}
