internal import InertialSensors

/// A log's motion with times from its row numbers, at 40 rows per second, for a log whose clock makes it too slow or
/// too short to compare rotations with gravity. The rotation then determines the clock's factor.
struct RowSketch {
  /// The assumed rate of the rows, in Hz.
  private static let rate = 40.0
  /// The usual rates, in Hz. At lower rates a log has no means over 40 ms, and at higher rates it may be too short.
  private static let usual = 8.0...150.0
  /// The maximum number of rows of a fast log. A log with more rows is long enough.
  private static let maximumRowCount = 8192
  /// The number of rows that determine the rate.
  private static let head = 16

  private(set) var sketch = DownsampledMotion()
  private var pending: [SensorSample] = []
  private var (firstTime, count) = (Double.nan, 0)
  private var isUsed = true

  /// Adds a valid sample. Times must not decrease.
  @inline(__always)
  mutating func add(_ sample: SensorSample) {
    if isUsed { take(sample) }
  }

  private mutating func take(_ sample: SensorSample) {
    if sample.channel == .gyroscope {
      if count == 0 { firstTime = sample.time }
      count += 1
      if count == Self.head { isUsed = !Self.usual.contains(Double(count - 1) / (sample.time - firstTime)) }
      if count > Self.maximumRowCount, sample.time - firstTime < Double(count) / Self.usual.upperBound {
        isUsed = false
      }
    }
    guard isUsed, count > 0 else { return pending.removeAll() }
    var moved = sample
    moved.time = Double(count) / Self.rate
    pending.append(moved)
    guard count >= Self.head else { return }
    for sample in pending { sketch.add(sample) }
    pending.removeAll(keepingCapacity: true)
  }

  mutating func finish() { sketch.finish() }

  /// Returns the ratio of the true intervals to those of the log's clock, if it is a usual mistake, or `nil` without
  /// evidence.
  ///
  /// - Parameter meanRate: The gyroscope's rate according to the log's clock, in Hz.
  func clockFactor(_ meanRate: Double) -> Double? {
    guard isUsed, meanRate > 0,
      let found = GravityRotationTest(sketch, stepsOfBlock: GravityRotationTest.stepsOfShortBlock).rowRate(
        read: Self.rate)
    else { return nil }
    let factor = meanRate / found.best
    let known = [10.0, 60, 100, 1000, 3600].flatMap { [$0, 1 / $0] }
    return known.first { (0.7...1.4).contains(factor / $0) }
  }
}
