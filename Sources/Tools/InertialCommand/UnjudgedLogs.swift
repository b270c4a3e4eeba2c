import Inertial

/// What `evaluate` could not judge of its recordings, said as it happens.
struct UnjudgedLogs {
  private(set) var failures: [EvaluationJob.Failure] = []
  /// A line each.
  private(set) var lines: [String] = []

  /// Filters that could not be judged on a recording.
  mutating func add(_ filters: [EvaluationJob.Failure]) {
    failures += filters
    let told = filters.map { "\($0.filter): \($0.reason)" }
    told.forEach(Console.error)
    lines += told
  }

  /// A recording of several on which nothing could be judged.
  ///
  /// - Throws: the error where it is the only one, or not of this recording alone.
  mutating func add(_ error: FusionError, of input: String, filters: [String], inputs: [String]) throws(FusionError) {
    guard inputs.count > 1, error.isOfOneLog else { throw error }
    Console.error(error.description)
    lines.append(error.description)
    failures += filters.map { EvaluationJob.Failure(recording: input, filter: $0, reason: error.description) }
  }
}
