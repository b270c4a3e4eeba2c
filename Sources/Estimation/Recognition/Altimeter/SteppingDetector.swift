internal import InertialNumerics

/// Determines twice per second whether the person takes steps: whether the vertical acceleration is strong and
/// repeats with the period of steps. It does not count steps; that is the task of a pedometer.
struct SteppingDetector: Sendable, Codable {
  /// The duration of the cells over which samples are averaged, in seconds.
  private static let cell = 0.05
  /// The number of cells in a window: 2.56 s, which contain three steps of the slowest walk.
  private static let window = 51
  private static let hop = 10
  /// The minimum root mean square of stepping, in m/s². Walking shows 1.9 and more in a hand or pocket, standing and
  /// lying 0.1 and less. A rough ride may exceed the limit, but does not repeat.
  private static let strength: Float = 1
  /// The root mean square, in m/s², above which the motion is the person's own, whether or not it repeats. Start and
  /// stop of a lift are below 0.7.
  private static let certainStrength: Float = 2
  /// The minimum autocorrelation at the period.
  private static let periodicity: Float = 0.3
  /// The possible periods, in cells: 0.3 to 1.3 s, from the steps of a run to the strides of a slow climb.
  private static let periods = 6...26
  /// The minimum interval between samples that counts as a gap, in seconds.
  private static let gap = 0.5

  /// The time of the newest sample in seconds, and its value in m/s².
  private var lastTime = -Double.infinity
  private var last = 0.0
  private var cellEnd = 0.0
  private var sum = 0.0
  private var cells: [Float] = []
  private var nextHop = Self.window

  /// Adds a sample to the current cell, the usual case. Returns `true` if `update` has to process the sample instead.
  @inline(__always)
  mutating func extend(_ value: Double, at time: Double) -> Bool {
    let interval = time - lastTime
    guard time < cellEnd, interval > 0, interval <= Self.gap else { return true }
    sum += 0.5 * interval * (last + value)
    (lastTime, last) = (time, value)
    return false
  }

  /// Adds the vertical acceleration, in m/s², at a time in seconds. Returns whether the last 2.56 s contained steps,
  /// twice per second, otherwise `nil`.
  mutating func update(_ value: Double, at time: Double) -> Bool? {
    guard time - lastTime <= Self.gap else {
      (lastTime, last, cellEnd, sum) = (time, value, time + Self.cell, 0)
      cells.removeAll(keepingCapacity: true)
      nextHop = Self.window
      return nil
    }
    // The resolution of later times is coarser than a cell.
    guard time > lastTime, time < 1e12 else { return nil }
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
    // Zeros after the window, so that sums and products need no bounds.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * lanes + window + periods.upperBound) { signal in
      signal.initialize(repeating: 0)
      _ = UnsafeMutableBufferPointer(rebasing: signal[..<window]).update(fromContentsOf: cells)
      let mean = sum(signal, of: { $0 }) / Float(window)
      for index in 0..<window { signal[index] -= mean }
      let power = sum(signal, of: { $0 * $0 })
      let rms = (power / Float(window)).squareRoot()
      guard rms >= strength, rms < certainStrength else { return rms >= certainStrength }
      return repeats(signal, power)
    }
  }

  private static let lanes = 8

  private static func values(_ signal: UnsafeMutableBufferPointer<Float>, _ index: Int) -> SIMD8<Float> {
    UnsafeRawBufferPointer(signal).loadUnaligned(
      fromByteOffset: MemoryLayout<Float>.size * index, as: SIMD8<Float>.self)
  }

  @inline(__always)
  private static func sum(
    _ signal: UnsafeMutableBufferPointer<Float>, of value: (SIMD8<Float>) -> SIMD8<Float>
  ) -> Float {
    var sum = SIMD8<Float>.zero
    for index in stride(from: 0, to: window, by: lanes) { sum += value(values(signal, index)) }
    return sum.sum()
  }

  /// Whether the signal correlates with itself at one of the periods.
  private static func repeats(_ signal: UnsafeMutableBufferPointer<Float>, _ power: Float) -> Bool {
    var (early, late) = (power, power)
    for lag in 1...periods.upperBound {
      early -= signal[window - lag] * signal[window - lag]
      late -= signal[lag - 1] * signal[lag - 1]
      guard lag >= periods.lowerBound else { continue }
      var product = SIMD8<Float>.zero
      for index in stride(from: 0, to: window - lag, by: lanes) {
        product += values(signal, index) * values(signal, index + lag)
      }
      let energy = max(early, 0) * max(late, 0)
      if product.sum() >= periodicity * max(energy.squareRoot(), .leastNonzeroMagnitude) { return true }
    }
    return false
  }
}
