internal import Dispatch
internal import InertialLogs
internal import Synchronization

/// The fusion of many logs to one dataset per log, several at a time.
///
/// Every log is fused on one thread, so its dataset does not depend on the number of concurrent jobs.
package struct FusionBatch: Sendable {
  /// The result of a job: its report, or `nil` if the dataset of an earlier run is kept.
  package typealias Outcome = Result<FusionJob.Report?, FusionError>

  /// The result of a batch.
  package struct Report: Sendable, Encodable {
    /// The results of the fused logs.
    package var datasets: [FusionJob.Report] = []
    /// The datasets of an earlier run that were kept.
    package var kept: [String] = []
    /// The reasons that the other logs were not fused, as one message per log.
    package var failures: [String] = []

    fileprivate mutating func add(_ outcome: Outcome, of job: FusionJob) {
      switch outcome {
      case .success(let dataset?): datasets.append(dataset)
      case .success(nil): kept.append(job.output)
      case .failure(let error) where error.isOfOneLog: failures.append(error.description)
      case .failure: break
      }
    }
  }

  package var jobs: [FusionJob]
  /// The maximum number of logs that are fused at the same time.
  package var workerCount: Int
  private var journal: FusionJournal?

  /// - Parameter workerCount: The number of workers, at least 1.
  package init(jobs: [FusionJob], workerCount: Int) {
    precondition(workerCount >= 1, "\(workerCount) workers do nothing")
    (self.jobs, self.workerCount) = (jobs, workerCount)
  }

  /// Writes a manifest of the datasets and their inputs to the common output folder.
  ///
  /// - Parameter isResuming: Whether datasets of an earlier run with the same options and files (by size and time) are
  ///   kept. Incomplete datasets are created again.
  /// - Throws: ``FusionError`` if the folder is in use, or contains an interrupted run that is not to be resumed.
  package mutating func keepManifest(
    in folder: String, isResuming: Bool, isPartitioned: Bool = false
  ) throws(FusionError) {
    guard let options = jobs.first?.options else { return }
    journal = try FusionJournal(
      folder: folder, manifestName: FusionManifest.fileName(isPartitioned: isPartitioned),
      recipe: JSONValue(recipe: options), isResuming: isResuming, force: options.force)
  }

  /// Runs the jobs. The failure of one log does not affect the others. An invalid request (`FusionError.usage`), which
  /// would fail again, or a closed standard output prevents further jobs from starting.
  ///
  /// - Parameters:
  ///   - progress: Called periodically, on the caller's thread, with the completed fraction of all inputs, 0...1.
  ///   - done: Called on the caller's thread with the index and the outcome of each job, in the order of the jobs.
  /// - Returns: The outcomes.
  /// - Throws: ``FusionError`` if the manifest cannot be written, or an output would replace an input of any job.
  @discardableResult package func run(
    progress: (Double) -> Void = { _ in }, done: (Int, Outcome) -> Void
  ) throws(FusionError) -> Report {
    do throws(FusionError) {
      let inputs = InputGuard(jobs.flatMap(\.inputs))
      for job in jobs { try job.check(against: inputs) }
    } catch {
      try journal?.conclude()
      throw error
    }
    let board = BatchProgress(count: jobs.count)
    let threads = DispatchQueue(label: "inertial.batch", attributes: .concurrent)
    for _ in 0..<min(workerCount, jobs.count) {
      threads.async { work(on: board) }
    }
    var report = Report()
    var next = 0
    while let news = board.wait(from: next) {
      progress(news.fraction)
      for outcome in news.outcomes {
        report.add(outcome, of: jobs[next])
        done(next, outcome)
        next += 1
      }
    }
    try journal?.conclude()
    return report
  }

  private func work(on board: BatchProgress) {
    while let index = board.take() {
      board.finish(index, Outcome { () throws(FusionError) in try run(jobs[index]) { board.note($0, of: index) } })
    }
  }

  /// Runs a job, and returns its report, or `nil` if the dataset of an earlier run is kept.
  private func run(_ job: FusionJob, progress: (Double) -> Void) throws(FusionError) -> FusionJob.Report? {
    guard let journal else { return try job.run(progress: progress) }
    if journal.isResuming, journal.isFinished(job) { return nil }
    var job = job
    if journal.isOwn(job) {
      guard journal.isResuming || job.options.force else {
        throw .usage("\(job.output): already exists; use --resume to keep finished outputs, or --force to replace them")
      }
      job.options.force = true
    }
    // Checked before the output is recorded as this run's: a file of another program must not be replaced.
    for output in job.outputs { try output.check(force: job.options.force) }
    try journal.begin(job)
    do throws(FusionError) {
      let report = try job.run(progress: progress)
      try journal.end(job, report)
      return report
    } catch {
      if error.isOfOneLog { try journal.end(job, failure: error.description) }
      throw error
    }
  }
}

/// The state shared by the workers of a batch and the reporting thread.
private final class BatchProgress: Sendable {
  /// The completed fraction and the outcome of each job, the number of jobs that have begun, and the last reported
  /// percentage.
  private let state: Mutex<(fractions: [Double], outcomes: [FusionBatch.Outcome?], begun: Int, percent: Int)>
  /// Signalled if there is progress to report.
  private let news = DispatchSemaphore(value: 0)

  init(count: Int) {
    state = Mutex((Array(repeating: 0, count: count), Array(repeating: nil, count: count), 0, -1))
  }

  /// Returns the index of the next job, or `nil` if no job is left.
  func take() -> Int? {
    state.withLock { state in
      guard state.begun < state.outcomes.count, !Self.isStopped(state.outcomes) else { return nil }
      defer { state.begun += 1 }
      return state.begun
    }
  }

  func note(_ fraction: Double, of index: Int) {
    let isNews = state.withLock { state in
      state.fractions[index] = fraction
      let percent = Int(100 * Self.mean(state.fractions))
      defer { state.percent = percent }
      return percent != state.percent
    }
    if isNews { news.signal() }
  }

  func finish(_ index: Int, _ outcome: FusionBatch.Outcome) {
    state.withLock { state in
      state.fractions[index] = 1
      state.outcomes[index] = outcome
    }
    news.signal()
  }

  /// Waits for progress to report. Returns `nil` if everything has been reported.
  ///
  /// - Parameter next: The first job whose outcome has not been reported.
  func wait(from next: Int) -> (fraction: Double, outcomes: [FusionBatch.Outcome])? {
    let isOver = state.withLock { state in
      let last = Self.isStopped(state.outcomes) ? state.begun : state.outcomes.count
      return next == last && state.outcomes.count { $0 != nil } == state.begun
    }
    if isOver { return nil }
    news.wait()
    return state.withLock { state in
      (Self.mean(state.fractions), state.outcomes[next...].prefix { $0 != nil }.compactMap { $0 })
    }
  }

  private static func mean(_ fractions: [Double]) -> Double {
    fractions.reduce(0, +) / Double(max(1, fractions.count))
  }

  /// Returns whether the failure of a job prevents further jobs from starting.
  private static func isStopped(_ outcomes: [FusionBatch.Outcome?]) -> Bool {
    outcomes.contains { outcome in
      if case .failure(let error)? = outcome { !error.isOfOneLog } else { false }
    }
  }
}

extension FusionError {
  /// Whether the error concerns one log only, so that other logs may succeed.
  package var isOfOneLog: Bool {
    switch self {
    case .badData, .lacking: true
    case .usage, .readerHasGone, .stopped: false
    }
  }
}
