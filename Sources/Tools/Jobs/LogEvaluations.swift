/// The results of an evaluation of several logs, added log by log.
package struct LogEvaluations<Score> {
  /// The scores of all logs, in order.
  package private(set) var scores: [Score] = []
  /// The filters that could not be evaluated on a log.
  package private(set) var unjudged: [EvaluationJob.Failure] = []
  /// A message for each log or filter that could not be evaluated.
  package private(set) var messages: [String]
  private let logCount: Int
  private let filters: [String]

  /// Creates results without a log.
  ///
  /// - Parameters:
  ///   - logCount: The number of logs.
  ///   - filters: The names of the evaluated filters, or the path of the estimate.
  ///   - messages: The messages about logs that are not evaluated.
  package init(logCount: Int, filters: [String], messages: [String] = []) {
    (self.logCount, self.filters, self.messages) = (logCount, filters, messages)
  }

  /// Adds the result of a log.
  ///
  /// - Returns: The messages about the log and its filters.
  /// - Throws: The error of the log, if the log is the only one or the error does not concern this log alone.
  package mutating func add(
    _ result: Result<(scores: [Score], failures: [EvaluationJob.Failure]), FusionError>, of input: String
  ) throws(FusionError) -> [String] {
    let new: [String]
    switch result {
    case .success(let (own, failures)):
      scores += own
      unjudged += failures
      new = failures.map(\.message)
    case .failure(let error):
      guard logCount > 1, error.isOfOneLog else { throw error }
      unjudged += filters.map { EvaluationJob.Failure(recording: input, filter: $0, reason: error.description) }
      new = [error.description]
    }
    messages += new
    return new
  }
}
