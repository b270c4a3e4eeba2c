internal import InertialSensors

/// A log's motion at the time of its rows, 40 of them in a second, if its clock makes it so slow or so short that no turn can
/// be compared with gravity; the turning then gives the clock's factor.
struct RowSketch {
  /// Rows a second, Hz.
  private static let rate = 40.0
  /// Rates below which a log has no means of 40 ms, Hz, and above which it may last too short a time.
  private static let usual = 8.0...150.0
  /// Rows that are kept of a fast log: with more it lasts long enough.
  private static let mostRows = 8192
  /// Rows that determine the rate.
  private static let head = 16

  private(set) var sketch = MotionSketch()
  private var waiting: [SensorSample] = []
  private var (firstTime, count) = (Double.nan, 0)
  private var isUsed = true

  /// Takes a good sample; times must not decrease.
  @inline(__always)
  mutating func add(_ sample: SensorSample) {
    if isUsed { take(sample) }
  }

  private mutating func take(_ sample: SensorSample) {
    if sample.channel == .gyroscope {
      if count == 0 { firstTime = sample.time }
      count += 1
      if count == Self.head { isUsed = !Self.usual.contains(Double(count - 1) / (sample.time - firstTime)) }
      if count > Self.mostRows, sample.time - firstTime < Double(count) / Self.usual.upperBound { isUsed = false }
    }
    guard isUsed, count > 0 else { return waiting.removeAll() }
    var moved = sample
    moved.time = Double(count) / Self.rate
    waiting.append(moved)
    guard count >= Self.head else { return }
    for sample in waiting { sketch.add(sample) }
    waiting.removeAll(keepingCapacity: true)
  }

  mutating func finish() { sketch.finish() }

  /// The factor of the true intervals to those of the log's clock, one of the usual mistakes; nil without evidence of one.
  ///
  /// - Parameter meanRate: the gyroscope's rate by the log's clock, Hz.
  func clockFactor(_ meanRate: Double) -> Double? {
    guard isUsed, meanRate > 0,
      let found = TurnTest(sketch, stepsOfBlock: TurnTest.stepsOfShortBlock).rowRate(read: Self.rate)
    else { return nil }
    let factor = meanRate / found.best
    let known = [10.0, 60, 100, 1000, 3600].flatMap { [$0, 1 / $0] }
    return known.first { (0.7...1.4).contains(factor / $0) }
  }
}
