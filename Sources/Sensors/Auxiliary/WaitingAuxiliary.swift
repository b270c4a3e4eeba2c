/// Samples of other channels that wait for the motion, which is held back, to come to their time.
package struct WaitingAuxiliary: Sendable {
  private var samples: [AuxiliarySample] = []
  private var isSorted = true

  package init() {}

  package mutating func add(_ block: [AuxiliarySample]) {
    samples += block
    isSorted = false
  }

  /// Takes the samples up to a time, that time included, in order of time; those of one time in the order they came.
  package mutating func take(until time: Double) -> [AuxiliarySample] {
    guard !samples.isEmpty else { return [] }
    if !isSorted {
      samples = samples.inTimeOrder()
      isSorted = true
    }
    let count = samples.firstIndex { $0.time > time } ?? samples.count
    guard count > 0 else { return [] }
    defer { samples.removeFirst(count) }
    return Array(samples[..<count])
  }
}
