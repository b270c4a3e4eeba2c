internal import Sensors

/// Samples of other channels until the motion, which the fusion holds back, has come to their time.
struct WaitingAuxiliary {
  private var samples: [AuxiliarySample] = []
  private var isSorted = true

  mutating func add(_ block: [AuxiliarySample]) {
    samples += block
    isSorted = false
  }

  /// Takes the samples up to a time, that time included, in order of time.
  mutating func take(until time: Double) -> [AuxiliarySample] {
    guard !samples.isEmpty else { return [] }
    if !isSorted {
      // Stable, so that samples of one time keep their order.
      samples = samples.indices.sorted { (samples[$0].time, $0) < (samples[$1].time, $1) }.map { samples[$0] }
      isSorted = true
    }
    let count = samples.firstIndex { $0.time > time } ?? samples.count
    guard count > 0 else { return [] }
    defer { samples.removeFirst(count) }
    return Array(samples[..<count])
  }
}
