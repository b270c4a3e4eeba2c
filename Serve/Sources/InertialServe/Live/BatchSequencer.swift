/// Restores the order in which batches were sent, using their numbers, if a network has reordered them.
///
/// A batch that is next in order is not delayed; one that arrives early waits for the missing batches, for a limited
/// time.
struct BatchSequencer<Batch> {
  /// The maximum time that an early batch waits for the missing batches, in seconds.
  let patience: Double
  /// The number of batches that arrived after later ones had been released.
  private(set) var lateCount = 0
  /// The number of batches that never arrived while later ones waited for them.
  private(set) var missingCount = 0

  private var expected: Int?
  private var early: [Int: (batch: Batch, time: Double)] = [:]
  private let size: (Batch) -> Int
  private var pendingSize = 0
  private static var maximumPending: Int { 256 }
  private static var maximumPendingSize: Int { 50_000 }

  /// - Parameter size: The number of values in a batch: only a limited number waits.
  init(patience: Double, size: @escaping (Batch) -> Int = { _ in 1 }) { (self.patience, self.size) = (patience, size) }

  var pendingCount: Int { early.count }

  /// The time at which the oldest waiting batch is released, or `nil` if no batch waits.
  var deadline: Double? { early.values.map(\.time).min().map { $0 + patience } }

  /// Adds a batch and returns the batches that are next in order; a batch without a number is returned immediately.
  mutating func add(_ batch: Batch, number: Int?, now: Double) -> [Batch] {
    guard let number else { return [batch] }
    guard let next = expected else {
      expected = number &+ 1
      return [batch]
    }
    if number < next {
      lateCount += 1
      return [batch]
    }
    pendingSize += size(batch)
    if let same = early.updateValue((batch, now), forKey: number) { pendingSize -= size(same.batch) }
    var ready = inTurn()
    while early.count > Self.maximumPending || pendingSize > Self.maximumPendingSize { ready += skip() }
    return ready
  }

  /// Returns the batches whose waiting time has expired.
  mutating func release(now: Double) -> [Batch] {
    var ready: [Batch] = []
    while let deadline, deadline <= now { ready += skip() }
    return ready
  }

  /// Finishes the input and returns the waiting batches.
  mutating func finish() -> [Batch] {
    var ready: [Batch] = []
    while !early.isEmpty { ready += skip() }
    return ready
  }

  private mutating func skip() -> [Batch] {
    guard let first = early.keys.min(), let next = expected else { return [] }
    let (gap, isHuge) = first.subtractingReportingOverflow(next)
    missingCount += isHuge ? 0 : min(gap, 1_000_000)
    expected = first
    return inTurn()
  }

  private mutating func inTurn() -> [Batch] {
    var ready: [Batch] = []
    while let next = expected, let found = early.removeValue(forKey: next) {
      pendingSize -= size(found.batch)
      ready.append(found.batch)
      expected = next &+ 1
    }
    return ready
  }
}
