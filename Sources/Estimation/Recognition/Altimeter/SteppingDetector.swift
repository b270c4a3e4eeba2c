internal import InertialNumerics

/// Tells twice a second whether the device's carrier steps: whether the vertical acceleration is strong and repeats
/// with the period of steps. Does not count them; a pedometer does.
struct SteppingDetector: Sendable {
  /// Seconds, of the means that the samples are turned into.
  private static let cell = 0.05
  /// Cells that are looked at together: 2.56 s, in which there are three steps of the slowest walk.
  private static let window = 51
  private static let hop = 10
  /// m/s², root mean square. Walking in the hand or pocket shows 1.9 and more, standing and lying 0.1 and less; a rough
  /// ride may show more, but does not repeat.
  private static let strength: Float = 1
  /// m/s²: so much is a body's own, whether or not it repeats; a lift's start and stop are below 0.7.
  private static let certainStrength: Float = 2
  /// Correlation of the window with itself a period later.
  private static let periodicity: Float = 0.3
  /// Periods in cells: 0.3 to 1.3 s, steps of a run to strides of a slow climb.
  private static let periods = 6...26
  /// Seconds between samples that are a gap.
  private static let gap = 0.5

  /// Of the newest sample: seconds, m/s².
  private var lastTime = -Double.infinity
  private var last = 0.0
  private var cellEnd = 0.0
  private var sum = 0.0
  private var cells: [Float] = []
  private var nextHop = Self.window

  /// Takes a sample within the cell that is filled, as most are; true for one that `update` has to take.
  @inline(__always)
  mutating func extend(_ value: Double, at time: Double) -> Bool {
    let interval = time - lastTime
    guard time < cellEnd, interval > 0, interval <= Self.gap else { return true }
    sum += 0.5 * interval * (last + value)
    (lastTime, last) = (time, value)
    return false
  }

  /// Takes the vertical acceleration, m/s², of a time in seconds. Twice a second, gives whether there were steps in
  /// the 2.56 s before.
  mutating func update(_ value: Double, at time: Double) -> Bool? {
    guard time - lastTime <= Self.gap else {
      (lastTime, last, cellEnd, sum) = (time, value, time + Self.cell, 0)
      cells.removeAll(keepingCapacity: true)
      nextHop = Self.window
      return nil
    }
    guard time > lastTime else { return nil }
    var from = (time: lastTime, value: last)
    let slope = (value - last) / (time - lastTime)
    while cellEnd <= time {
      let atEnd = last + slope * (cellEnd - lastTime)
      sum += 0.5 * (cellEnd - from.time) * (from.value + atEnd)
      from = (cellEnd, atEnd)
      cells.append(Float(sum / Self.cell))
      (sum, cellEnd) = (0, cellEnd + Self.cell)
    }
    sum += 0.5 * (time - from.time) * (from.value + value)
    (lastTime, last) = (time, value)
    guard cells.count >= nextHop else { return nil }
    defer { makeRoom() }
    return cells.withUnsafeBufferPointer { Self.hasSteps($0[(nextHop - Self.window)..<nextHop]) }
  }

  private mutating func makeRoom() {
    nextHop += Self.hop
    guard nextHop > 8 * Self.window else { return }
    cells.removeFirst(nextHop - Self.window)
    nextHop = Self.window
  }

  private static func hasSteps(_ cells: Slice<UnsafeBufferPointer<Float>>) -> Bool {
    // Zeros behind the window, so that sums and products need no bounds.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * lanes + window + periods.upperBound) { signal in
      signal.initialize(repeating: 0)
      _ = UnsafeMutableBufferPointer(rebasing: signal[..<window]).update(fromContentsOf: cells)
      let mean = sum(signal, of: { $0 }) / Float(window)
      for place in 0..<window { signal[place] -= mean }
      let power = sum(signal, of: { $0 * $0 })
      let rms = (power / Float(window)).squareRoot()
      guard rms >= strength, rms < certainStrength else { return rms >= certainStrength }
      return repeats(signal, power)
    }
  }

  private static let lanes = 8

  private static func values(_ signal: UnsafeMutableBufferPointer<Float>, _ place: Int) -> SIMD8<Float> {
    UnsafeRawBufferPointer(signal).loadUnaligned(
      fromByteOffset: MemoryLayout<Float>.size * place, as: SIMD8<Float>.self)
  }

  @inline(__always)
  private static func sum(
    _ signal: UnsafeMutableBufferPointer<Float>, of value: (SIMD8<Float>) -> SIMD8<Float>
  ) -> Float {
    var sum = SIMD8<Float>.zero
    for place in stride(from: 0, to: window, by: lanes) { sum += value(values(signal, place)) }
    return sum.sum()
  }

  /// Whether the signal is like itself one of the periods later.
  private static func repeats(_ signal: UnsafeMutableBufferPointer<Float>, _ power: Float) -> Bool {
    var (early, late) = (power, power)
    for lag in 1...periods.upperBound {
      early -= signal[window - lag] * signal[window - lag]
      late -= signal[lag - 1] * signal[lag - 1]
      guard lag >= periods.lowerBound else { continue }
      var product = SIMD8<Float>.zero
      for place in stride(from: 0, to: window - lag, by: lanes) {
        product += values(signal, place) * values(signal, place + lag)
      }
      let energy = max(early, 0) * max(late, 0)
      if product.sum() >= periodicity * max(energy.squareRoot(), .leastNonzeroMagnitude) { return true }
    }
    return false
  }
}
