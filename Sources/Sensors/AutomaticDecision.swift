internal import InertialSystem

/// A decision that an estimator takes by itself from the data.
package struct AutomaticDecision: Sendable, Codable, Equatable {
  /// The subject of the decision, such as "hard iron".
  package let subject: String
  /// The outcome, as a phrase that begins in lower case.
  package let outcome: String
  /// The time from which the outcome holds, in seconds on the log's clock, or `nil` if it holds for the whole log.
  package let since: Double?
  /// The observation on which the decision rests.
  package let basis: String
  /// The numbers of the outcome by name; may be empty. Units: µT, rad/s, s, g, m.
  package let values: [String: Double]

  package init(
    _ subject: String, _ outcome: String, since: Double? = nil, basis: String, values: [String: Double] = [:]
  ) {
    (self.subject, self.outcome, self.since) = (subject, outcome, since)
    (self.basis, self.values) = (basis, values)
  }

  /// The human-readable description.
  package var sentence: String { "\(subject): \(detail)" }
  /// The same without the subject.
  package var detail: String {
    let time = since.map { String(cFormat: " from %.1f s on", $0) } ?? ""
    return "\(outcome)\(time) (\(basis))"
  }
}
