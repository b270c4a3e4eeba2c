internal import Signals

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
  private static let strength = 1.0
  /// m/s²: so much is a body's own, whether or not it repeats; a lift's start and stop are below 0.7.
  private static let certainStrength = 2.0
  /// Correlation of the window with itself a period later.
  private static let periodicity = 0.3
  /// Periods in cells: 0.3 to 1.3 s, steps of a run to strides of a slow climb.
  private static let periods = 6...26
  /// Seconds between samples that are a gap.
  private static let gap = 0.5

  private var last: (time: Double, value: Double)?
  private var cellEnd = 0.0
  private var sum = 0.0
  private var cells: [Double] = []
  private var nextHop = Self.window

  /// Takes the vertical acceleration, m/s², of a time in seconds. Twice a second, gives whether there were steps in
  /// the 2.56 s before.
  mutating func update(_ value: Double, at time: Double) -> Bool? {
    guard let last, time - last.time <= Self.gap else {
      (self.last, cellEnd, sum) = ((time, value), time + Self.cell, 0)
      cells.removeAll(keepingCapacity: true)
      nextHop = Self.window
      return nil
    }
    guard time > last.time else { return nil }
    self.last = (time, value)
    var from = last
    let slope = (value - last.value) / (time - last.time)
    while cellEnd <= time {
      let atEnd = last.value + slope * (cellEnd - last.time)
      sum += 0.5 * (cellEnd - from.time) * (from.value + atEnd)
      from = (cellEnd, atEnd)
      cells.append(sum / Self.cell)
      (sum, cellEnd) = (0, cellEnd + Self.cell)
    }
    sum += 0.5 * (time - from.time) * (from.value + value)
    guard cells.count >= nextHop else { return nil }
    defer { makeRoom() }
    return hasSteps(cells[(nextHop - Self.window)..<nextHop])
  }

  private mutating func makeRoom() {
    nextHop += Self.hop
    guard nextHop > 8 * Self.window else { return }
    cells.removeFirst(nextHop - Self.window)
    nextHop = Self.window
  }

  private func hasSteps(_ cells: ArraySlice<Double>) -> Bool {
    let mean = cells.reduce(0, +) / Double(cells.count)
    let signal = cells.map { $0 - mean }
    let power = signal.reduce(0) { $0 + $1 * $1 }
    let rms = (power / Double(signal.count)).squareRoot()
    guard rms >= Self.strength, rms < Self.certainStrength else { return rms >= Self.certainStrength }
    return Self.periods.contains { Self.correlation(signal, lag: $0) >= Self.periodicity }
  }

  private static func correlation(_ signal: [Double], lag: Int) -> Double {
    var (product, early, late) = (0.0, 0.0, 0.0)
    for index in lag..<signal.count {
      product += signal[index] * signal[index - lag]
      early += signal[index - lag] * signal[index - lag]
      late += signal[index] * signal[index]
    }
    return product / max((early * late).squareRoot(), .leastNonzeroMagnitude)
  }
}
