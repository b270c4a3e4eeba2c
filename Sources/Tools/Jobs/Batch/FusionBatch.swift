internal import Dispatch
internal import InertialLogs
internal import Synchronization

/// Many logs to as many datasets, several at a time.
///
/// Every log is fused on one thread, as it is alone: its dataset does not depend on how many are done at a time.
package struct FusionBatch: Sendable {
  /// What became of a log.
  package enum Outcome: Sendable {
    case done(FusionJob.Report)
    /// An earlier run has made the dataset.
    case kept(FusionManifest.Entry)
    case failed(FusionError)
  }

  package var jobs: [FusionJob]
  /// How many logs are fused at the same time, at most.
  package var workerCount: Int
  private var journal: FusionJournal?

  /// - `workerCount`: 1 or more.
  package init(jobs: [FusionJob], workerCount: Int) {
    precondition(workerCount >= 1, "\(workerCount) workers do nothing")
    self.jobs = jobs
    self.workerCount = workerCount
  }

  /// Keeps a manifest of what is made from what, in the folder that all datasets go to.
  ///
  /// - `isResuming`: whether datasets that an earlier run has made by the same options from the same files, as
  ///   far as sizes and times tell, are kept; what it had begun is made anew.
  /// - Throws: where the folder is in use, or an interrupted run has left work there that is not to be gone on with.
  package mutating func keepManifest(
    in folder: String, isResuming: Bool, isPartitioned: Bool = false
  ) throws(FusionError) {
    guard let options = jobs.first?.options else { return }
    journal = try FusionJournal(
      folder: folder, manifestName: FusionManifest.fileName(isPartitioned: isPartitioned),
      recipe: FusionRecipe(options), isResuming: isResuming, force: options.force)
  }

  /// Does the jobs. A log that fails does not keep the others from being done, except where the request is at fault
  /// (`FusionError.usage`), which would be the same again, or nobody reads the output any more: then no further one is
  /// begun.
  ///
  /// - Parameters:
  ///   - progress: called now and then, on the caller's thread, with the share of all that was read, 0 to 1.
  ///   - done: called on the caller's thread with each job's place and outcome, in the order of the jobs.
  /// - Throws: where the manifest cannot be written, or an output would take the place of an input of any job.
  package func run(
    progress: (Double) -> Void = { _ in }, done: (Int, Outcome) -> Void
  ) throws(FusionError) {
    do throws(FusionError) {
      let inputs = InputGuard(jobs.flatMap(\.inputs))
      for job in jobs { try job.check(against: inputs) }
    } catch {
      try journal?.conclude()
      throw error
    }
    let board = BatchBoard(count: jobs.count)
    let threads = DispatchQueue(label: "inertial.batch", attributes: .concurrent)
    for _ in 0..<min(workerCount, jobs.count) {
      threads.async { work(on: board) }
    }
    var next = 0
    while let news = board.wait(from: next) {
      progress(news.share)
      for outcome in news.outcomes {
        done(next, outcome)
        next += 1
      }
    }
    try journal?.conclude()
  }

  private func work(on board: BatchBoard) {
    while let index = board.take() {
      do throws(FusionError) {
        board.finish(index, try outcome(of: jobs[index]) { board.note($0, of: index) })
      } catch {
        board.finish(index, .failed(error))
      }
    }
  }

  private func outcome(of job: FusionJob, progress: (Double) -> Void) throws(FusionError) -> Outcome {
    guard let journal else { return .done(try job.run(progress: progress)) }
    if journal.isResuming, let entry = journal.finished(job) { return .kept(entry) }
    var job = job
    if journal.isOwn(job) {
      guard journal.isResuming || job.options.force else {
        throw .usage("\(job.output): exists already; --resume keeps what is done, --force replaces it")
      }
      job.options.force = true
    }
    // Before it is noted down as ours: what somebody else has put there is not to be replaced.
    for output in job.outputs { try output.check(force: job.options.force) }
    try journal.begin(job)
    do throws(FusionError) {
      let report = try job.run(progress: progress)
      try journal.end(job, report)
      return .done(report)
    } catch {
      if error.isOfOneLog { try journal.end(job, failure: error.description) }
      throw error
    }
  }
}

/// What the workers of a batch and the thread that tells of it share.
private final class BatchBoard: Sendable {
  private struct State {
    var shares: [Double]
    var outcomes: [FusionBatch.Outcome?]
    var begun = 0
    var finished = 0
    var isStopped = false
    var shownPercent = -1

    var share: Double { shares.reduce(0, +) / Double(max(1, shares.count)) }
  }

  private let state: Mutex<State>
  /// Signalled where there is something to tell.
  private let news = DispatchSemaphore(value: 0)

  init(count: Int) {
    state = Mutex(
      State(shares: Array(repeating: 0, count: count), outcomes: Array(repeating: nil, count: count)))
  }

  /// The next job to do; nil where there is none.
  func take() -> Int? {
    state.withLock { state in
      guard !state.isStopped, state.begun < state.outcomes.count else { return nil }
      defer { state.begun += 1 }
      return state.begun
    }
  }

  func note(_ share: Double, of index: Int) {
    let isNews = state.withLock { state in
      state.shares[index] = share
      let percent = Int(100 * state.share)
      defer { state.shownPercent = percent }
      return percent != state.shownPercent
    }
    if isNews { news.signal() }
  }

  func finish(_ index: Int, _ outcome: FusionBatch.Outcome) {
    state.withLock { state in
      state.shares[index] = 1
      state.outcomes[index] = outcome
      state.finished += 1
      if case .failed(let error) = outcome, !error.isOfOneLog { state.isStopped = true }
    }
    news.signal()
  }

  /// Waits for something to tell; nil where all has been told.
  ///
  /// - Parameter next: the first job whose outcome has not been told.
  func wait(from next: Int) -> (share: Double, outcomes: [FusionBatch.Outcome])? {
    let isOver = state.withLock { state in
      let last = state.isStopped ? state.begun : state.outcomes.count
      return next == last && state.finished == state.begun
    }
    if isOver { return nil }
    news.wait()
    return state.withLock { state in
      (state.share, state.outcomes[next...].prefix { $0 != nil }.compactMap { $0 })
    }
  }
}

extension FusionError {
  /// Whether the log is at fault, and others may be better.
  package var isOfOneLog: Bool {
    switch self {
    case .badData, .lacking: true
    case .usage, .readerHasGone: false
    }
  }
}
