/// A buffer of auxiliary samples that holds them until the delayed motion reaches their time.
package struct AuxiliaryBuffer: Sendable, Codable {
  private var samples: [AuxiliarySample] = []
  private var isSorted = true

  package init() {}

  package mutating func add(_ block: [AuxiliarySample]) {
    guard !block.isEmpty else { return }
    samples += block
    isSorted = false
  }

  /// Removes and returns the samples up to and including a time, sorted by time; samples with equal times keep their
  /// order.
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
