/// Puts batches that a network has mixed up in the order in which they were sent, by their numbers.
///
/// A batch whose turn it is waits for nothing; one that came too early waits for those before it, at most for a while.
struct BatchSequencer<Batch> {
  /// Seconds that an early batch waits for those before it.
  let patience: Double
  /// Batches that came when later ones had been handed on.
  private(set) var lateCount = 0
  /// Numbers that never came while others waited for them.
  private(set) var missingCount = 0

  private var expected: Int?
  private var early: [Int: (batch: Batch, time: Double)] = [:]
  private static var most: Int { 256 }

  init(patience: Double) { self.patience = patience }

  var waitingCount: Int { early.count }

  /// When the batch that waits longest has waited enough; nil where none waits.
  var deadline: Double? { early.values.map(\.time).min().map { $0 + patience } }

  /// Takes a batch and gives those whose turn it is now; one without a number is handed on as it comes.
  mutating func take(_ batch: Batch, number: Int?, now: Double) -> [Batch] {
    guard let number else { return [batch] }
    guard let next = expected else {
      expected = number &+ 1
      return [batch]
    }
    if number < next {
      lateCount += 1
      return [batch]
    }
    early[number] = (batch, now)
    var ready = inTurn()
    while early.count > Self.most { ready += skip() }
    return ready
  }

  /// Those that have waited enough for what does not come.
  mutating func release(now: Double) -> [Batch] {
    var ready: [Batch] = []
    while let deadline, deadline <= now { ready += skip() }
    return ready
  }

  /// Nothing more will come.
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
      ready.append(found.batch)
      expected = next &+ 1
    }
    return ready
  }
}
