internal import InertialCalibration
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// Where a device rests within a log, second by second, as far as physics tells without knowing the sensor.
///
/// At rest gravity's direction stays, and means of a gyroscope over a second differ by its noise. The bounds are those of
/// the worst sensors that phones had; what a better one tells is told by how far a second is from the others.
struct AllanRest {
  /// Seconds since the log's first sample, in order.
  var moving: [ClosedRange<Double>] = []
  /// The longest time without motion; the whole log where nothing moves; nil where none lasts a minute.
  var rest: ClosedRange<Double>?

  /// What one kind of sensor does not do at rest, in its channel's unit.
  private struct Bounds {
    /// By how much means of neighbouring seconds differ at most.
    var change: Double
    /// The same where the other seconds are far calmer: less moves nothing that can be seen.
    var slightChange: Double
    /// White noise, for the root of a hertz.
    var noise: Double

    init?(_ channel: SensorChannel) {
      switch channel {
      case .gyroscope:
        // 1 °/s, 0.05 °/s and 0.1 °/s/√Hz.
        (change, slightChange, noise) = (.pi / 180, 0.05 * .pi / 180, 0.1 * .pi / 180)
      case .accelerometer:
        // 20 mg are 1.1° of tilt; 2 mg; 1 mg/√Hz.
        (change, slightChange, noise) = (0.02, 0.002, 0.001)
      default: return nil
      }
    }
  }

  /// How far from the others a change is motion, in medians: of normal numbers 12 are 8 deviations.
  private static let mostMedians = 12.0
  /// A hand holds a device still for seconds.
  private static let shortestRest = 60.0
  /// Shares of samples that stick out by which a second is motion.
  private static let mostOutlying = 0.1

  /// Samples of one sensor.
  struct Source {
    var channel: SensorChannel
    /// Seconds since the log's first sample.
    var times: [Double]
    /// Of each axis.
    var values: [[Double]]
    /// Indices of samples that stick out.
    var outlying: Set<Int>
  }

  init(_ sources: [Source]) {
    let sources = sources.filter { Bounds($0.channel) != nil && $0.times.count > 1 }
    guard let start = sources.compactMap(\.times.first).min(), let end = sources.compactMap(\.times.last).max() else {
      // A magnetometer tells nothing of motion that a room's field does not.
      rest = -.infinity ... .infinity
      return
    }
    // A second, or four samples.
    let width = sources.reduce(1.0) { max($0, 4 * ($1.times.last! - $1.times[0]) / Double($1.times.count - 1)) }
    var isMoving = [Bool](repeating: false, count: Int((end - start) / width) + 1)
    for source in sources { Self.mark(source, Bounds(source.channel)!, start, width, &isMoving) }
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
    guard let longest, moving.isEmpty || Double(longest.count) * width >= Self.shortestRest else { return }
    rest = (start + Double(longest.lowerBound) * width)...min(end, start + Double(longest.upperBound) * width)
  }

  private struct Second {
    var index: Int
    var count = 0.0
    var outlying = 0.0
    var sums = [0.0, 0.0, 0.0]
    var squares = [0.0, 0.0, 0.0]
  }

  private static func mark(
    _ source: Source, _ bounds: Bounds, _ start: Double, _ width: Double, _ isMoving: inout [Bool]
  ) {
    var seconds: [Second] = []
    let origins = source.values.map { $0[0] }
    for (index, time) in source.times.enumerated() {
      let place = min(isMoving.count - 1, max(0, Int((time - start) / width)))
      if seconds.last?.index != place { seconds.append(Second(index: place)) }
      let last = seconds.count - 1
      guard !source.outlying.contains(index) else {
        seconds[last].outlying += 1
        continue
      }
      seconds[last].count += 1
      for axis in 0..<3 {
        let value = source.values[axis][index] - origins[axis]
        seconds[last].sums[axis] += value
        seconds[last].squares[axis] += value * value
      }
    }
    let resolution = source.values.map(Self.resolution).max()!
    let rate = Double(source.times.count) / max(width, Double(seconds.count) * width)
    let mostSpread = bounds.noise * rate.squareRoot() + resolution
    for second in seconds {
      let spread = (0..<3).map { axis in
        let mean = second.sums[axis] / max(1, second.count)
        return max(0, second.squares[axis] / max(1, second.count) - mean * mean).squareRoot()
      }
      let isStrange = second.outlying > mostOutlying * (second.count + second.outlying)
      if isStrange || spread.contains(where: { $0 > mostSpread }) { isMoving[second.index] = true }
    }
    let known = seconds.filter { $0.count > 0 }
    let changes = zip(known, known.dropFirst()).map { a, b in
      (0..<3).map { abs(b.sums[$0] / b.count - a.sums[$0] / a.count) }.max()!
    }
    guard let median = Statistics.median(changes) else { return }
    let most = min(bounds.change, max(bounds.slightChange, mostMedians * median)) + resolution
    for (index, change) in changes.enumerated() where change > most {
      isMoving[known[index].index] = true
      isMoving[known[index + 1].index] = true
    }
  }

  /// The smallest step of values that are rounded; next to nothing of those that are not.
  private static func resolution(_ values: [Double]) -> Double {
    let steps = zip(values, values.dropFirst()).lazy.map { abs($1 - $0) }.filter { $0 > 0 }
    return steps.min() ?? 0
  }

  /// A line about motion; nil where there is none.
  var note: String? {
    guard let first = moving.first else { return nil }
    let total = moving.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let others = moving.count == 2 ? " and \(Self.words(moving[1]))" : ", \(moving.count) times in all"
    let motion = "the device moves \(Self.words(first))" + (moving.count == 1 ? "" : others)
    guard let rest else {
      return motion
        + " (\(seconds(total)) s), and never rests for a minute: these figures are of motion, not of noise; "
        + "give a recording at rest, or the part of it with --start and --end"
    }
    return motion + ": noise is told of its longest rest, \(Self.words(rest)); --start and --end choose another"
  }

  private static func words(_ span: ClosedRange<Double>) -> String {
    "from \(seconds(span.lowerBound)) to \(seconds(span.upperBound)) s"
  }
}

/// A time in a sentence: to a second where it is long, to a hundredth where it is one sample's.
func seconds(_ time: Double) -> String {
  let hundredths = Int((100 * time).rounded())
  guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
  let rest = "\(hundredths % 100)"
  return "\(hundredths / 100)." + (rest.count == 1 ? "0" + rest : rest)
}
