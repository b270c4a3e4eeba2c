internal import InertialCalibration
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The detection of rest within a log, second by second, without knowledge of the sensor's noise.
///
/// At rest the direction of gravity is constant, and a gyroscope's means over a second differ only by noise. The bounds
/// suit the worst phone sensors. For better sensors, each second is compared with the others.
extension AllanJob {
  /// The limits of a kind of sensor at rest, in its channel's unit: the maximum difference between the means of adjacent
  /// seconds; its minimum threshold for calm recordings, below which a difference is not motion; and the density of the
  /// white noise, per √Hz.
  private typealias Bounds = (change: Double, slightChange: Double, noise: Double)

  private static func bounds(_ channel: SensorChannel) -> Bounds? {
    switch channel {
    // 1 °/s, 0.05 °/s and 0.1 °/s/√Hz.
    case .gyroscope: (.pi / 180, 0.05 * .pi / 180, 0.1 * .pi / 180)
    // 20 mg correspond to a tilt of 1.1°; 2 mg; 1 mg/√Hz.
    case .accelerometer: (0.02, 0.002, 0.001)
    default: nil
    }
  }

  /// The number of median changes above which a change is motion; 12 are 8 standard deviations of a normal
  /// distribution.
  private static let maximumMedianMultiple = 12.0
  /// The minimum duration of a rest, in seconds, as a hand can hold a device still for several seconds.
  private static let minimumRestDuration = 60.0
  /// The fraction of outliers above which a second is motion.
  private static let maximumOutlierFraction = 0.1

  /// Returns the longest interval at rest, and a note about the motion.
  ///
  /// - Parameters:
  ///   - recording: The samples, with times in seconds since the log's first sample.
  ///   - outlying: The indices of each channel's outliers.
  /// - Returns: The interval in seconds since the log's first sample, or `nil` if it is shorter than a minute; without
  ///   motion, it is the whole log. The note in one line, or `nil` without motion.
  static func rest(
    in recording: Recording, outlying: [SensorChannel: Set<Int>]
  ) -> (span: ClosedRange<Double>?, note: String?) {
    let columns = recording.columns.filter { bounds($0.key) != nil && $0.value.count > 1 }
    let clocks = columns.values.map(\.times)
    guard let start = clocks.compactMap(\.first).min(), let end = clocks.compactMap(\.last).max() else {
      // A magnetometer alone cannot distinguish motion from changes of the field in a room.
      return (-.infinity ... .infinity, nil)
    }
    // The bins are one second wide, or four samples if these take longer.
    let width = clocks.reduce(1.0) { max($0, 4 * ($1.last! - $1[0]) / Double($1.count - 1)) }
    var isMoving = [Bool](repeating: false, count: Int((end - start) / width) + 1)
    for (channel, column) in columns {
      mark(column, outlying[channel] ?? [], bounds(channel)!, start, width, &isMoving)
    }
    var moving: [ClosedRange<Double>] = []
    var longest: Range<Int>?
    var index = 0
    while index < isMoving.count {
      let next = isMoving[index...].firstIndex { $0 != isMoving[index] } ?? isMoving.count
      if isMoving[index] {
        moving.append((start + Double(index) * width)...min(end, start + Double(next) * width))
      } else if next - index > longest?.count ?? 0 {
        longest = index..<next
      }
      index = next
    }
    var span: ClosedRange<Double>?
    if let longest, moving.isEmpty || Double(longest.count) * width >= minimumRestDuration {
      span = (start + Double(longest.lowerBound) * width)...min(end, start + Double(longest.upperBound) * width)
    }
    return (span, note(moving, span))
  }

  private static func mark(
    _ column: SensorColumn, _ outlying: Set<Int>, _ bounds: Bounds, _ start: Double, _ width: Double,
    _ isMoving: inout [Bool]
  ) {
    var seconds: [(index: Int, count: Double, outlying: Double, sums: [Double], squares: [Double])] = []
    let axes = column.axes
    let origins = axes.map { $0[0] }
    for (index, time) in column.times.enumerated() {
      let position = min(isMoving.count - 1, max(0, Int((time - start) / width)))
      if seconds.last?.index != position { seconds.append((position, 0, 0, [0, 0, 0], [0, 0, 0])) }
      let last = seconds.count - 1
      guard !outlying.contains(index) else {
        seconds[last].outlying += 1
        continue
      }
      seconds[last].count += 1
      for axis in 0..<3 {
        let value = axes[axis][index] - origins[axis]
        seconds[last].sums[axis] += value
        seconds[last].squares[axis] += value * value
      }
    }
    let resolution = axes.map(resolution).max()!
    let rate = Double(column.count) / max(width, Double(seconds.count) * width)
    let maximumSpread = bounds.noise * rate.squareRoot() + resolution
    for second in seconds {
      let spread = (0..<3).map { axis in
        let mean = second.sums[axis] / max(1, second.count)
        return max(0, second.squares[axis] / max(1, second.count) - mean * mean).squareRoot()
      }
      let isStrange = second.outlying > maximumOutlierFraction * (second.count + second.outlying)
      if isStrange || spread.contains(where: { $0 > maximumSpread }) { isMoving[second.index] = true }
    }
    let known = seconds.filter { $0.count > 0 }
    let changes = zip(known, known.dropFirst()).map { a, b in
      (0..<3).map { abs(b.sums[$0] / b.count - a.sums[$0] / a.count) }.max()!
    }
    guard let median = Statistics.median(changes) else { return }
    let maximum = min(bounds.change, max(bounds.slightChange, maximumMedianMultiple * median)) + resolution
    for (index, change) in changes.enumerated() where change > maximum {
      isMoving[known[index].index] = true
      isMoving[known[index + 1].index] = true
    }
  }

  /// Returns the resolution of rounded values, or nearly 0 for values that are not rounded.
  private static func resolution(_ values: [Double]) -> Double {
    let steps = zip(values, values.dropFirst()).lazy.map { abs($1 - $0) }.filter { $0 > 0 }
    return steps.min() ?? 0
  }

  private static func note(_ moving: [ClosedRange<Double>], _ rest: ClosedRange<Double>?) -> String? {
    guard let first = moving.first else { return nil }
    let total = moving.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let others = moving.count == 2 ? " and \(text(moving[1]))" : ", \(moving.count) times in total"
    let motion = "the device moves \(text(first))" + (moving.count == 1 ? "" : others)
    guard let rest else {
      return motion
        + " (\(seconds(total)) s) and never rests for a minute: these figures describe motion, not noise; "
        + "use a recording at rest, or select a part at rest with --start and --end"
    }
    return motion + ": the noise is from the longest rest, \(text(rest)); use --start and --end for another"
  }

  private static func text(_ span: ClosedRange<Double>) -> String {
    "from \(seconds(span.lowerBound)) to \(seconds(span.upperBound)) s"
  }
}

/// Returns a time for a message, without decimals for whole seconds, otherwise with hundredths of a second.
func seconds(_ time: Double) -> String {
  let hundredths = Int((100 * time).rounded())
  guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
  let rest = "\(hundredths % 100)"
  return "\(hundredths / 100)." + (rest.count == 1 ? "0" + rest : rest)
}
