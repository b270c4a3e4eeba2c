import Inertial

/// The logs and filters that `evaluate` could not evaluate, reported immediately.
struct EvaluationFailures {
  private(set) var failures: [EvaluationJob.Failure] = []
  /// The messages, one per log or filter.
  private(set) var lines: [String] = []

  /// Adds the filters that could not be evaluated on a recording.
  mutating func add(_ filters: [EvaluationJob.Failure]) {
    failures += filters
    filters.map(\.message).forEach(Console.error)
    lines += filters.map(\.message)
  }

  /// Adds one of several recordings that could not be evaluated.
  ///
  /// - Throws: The error, if the recording is the only one or the error does not concern this recording alone.
  mutating func add(_ error: FusionError, of input: String, filters: [String], inputs: [String]) throws(FusionError) {
    guard inputs.count > 1, error.isOfOneLog else { throw error }
    Console.error(error.description)
    lines.append(error.description)
    failures += filters.map { EvaluationJob.Failure(recording: input, filter: $0, reason: error.description) }
  }
}
