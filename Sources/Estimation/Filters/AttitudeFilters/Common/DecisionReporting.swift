package import InertialSensors

/// A filter or its offline form that takes decisions by itself and states them.
package protocol DecisionReporting {
  /// The decisions up to the latest sample.
  var decisions: [AutomaticDecision] { get }
}
