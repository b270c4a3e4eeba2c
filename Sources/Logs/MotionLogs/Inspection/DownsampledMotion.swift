internal import InertialNumerics
internal import InertialSensors

/// A log's motion as means over 40 ms, in bounded memory, for checks that need several passes.
///
/// The motion is stored as segments of eight seconds without a pause. If a log has more segments than the maximum,
/// every second one is dropped and from then on every second one is stored, so that they stay evenly distributed over
/// the log.
struct DownsampledMotion {
  /// The duration of a step, in seconds.
  static let step = 0.04
  static let stepsOfStretch = 200
  static let maximumSegmentCount = 32
  /// The maximum number of steps for which the last value of a slower sensor is held.
  private static let maximumHoldCount = 5

  /// The mean acceleration of a step, in g, and its mean rate, in rad/s.
  typealias Step = (acceleration: Vector3, rate: Vector3)

  /// The segments of consecutive steps: eight seconds, or less before a pause or the end.
  private(set) var stretches: [[Step]] = []
  /// The start time of each segment.
  private(set) var starts: [Double] = []
  /// The magnitudes of the mean acceleration, in g, and of the mean rate, in rad/s, over all steps.
  private(set) var accelerationNorms = LogarithmicHistogram()
  private(set) var rateNorms = LogarithmicHistogram()
  private(set) var changes = ChangeFinder()

  private struct Mean {
    var sum = Vector3.zero
    var count = 0
    var last: Vector3?
    var age = 0

    mutating func add(_ v: Vector3) {
      sum += v
      count += 1
    }

    /// Returns the mean since the last call, else the previous mean, or `nil` if samples have been missing for too
    /// long.
    mutating func close() -> Vector3? {
      if count > 0 {
        last = sum / Double(count)
        (sum, count, age) = (.zero, 0, 0)
      } else {
        age += 1
      }
      return age <= DownsampledMotion.maximumHoldCount ? last : nil
    }
  }

  private var stepEnd = -Double.infinity
  private var acceleration = Mean()
  private var rate = Mean()
  private var field = Mean()
  private(set) var fieldChannel: SensorChannel?
  private var current: [Step] = []
  /// The interval of stored segments: one in `interval` segments is kept.
  private var interval = 1
  private var seen = 0

  /// Adds a valid sample of the gyroscope, the accelerometer or a field. Samples must be sorted by time. If there are
  /// two fields, only the first is used.
  @inline(__always)
  mutating func add(_ sample: SensorSample) {
    if sample.time >= stepEnd { close(at: sample.time) }
    switch sample.channel {
    case .gyroscope: rate.add(sample.vector)
    case .accelerometer: acceleration.add(sample.vector)
    default:
      if fieldChannel == nil { fieldChannel = sample.channel }
      if sample.channel == fieldChannel { field.add(sample.vector) }
    }
  }

  mutating func finish() {
    keep()
    changes.finish()
  }

  /// The median ratio of the mean vector's magnitude over two seconds to the mean magnitude for both sensors, or `nil`
  /// if the log is too short. The ratio is about 1 for gravity and small for oscillations.
  var steadiness: (acceleration: Double, rate: Double)? {
    guard !stretches.isEmpty else { return nil }
    var fractions = (acceleration: LogarithmicHistogram(), rate: LogarithmicHistogram())
    for stretch in stretches {
      for start in stride(
        from: 0, through: stretch.count - GravityRotationTest.stepsOfBlock, by: GravityRotationTest.stepsOfBlock)
      {
        let block = stretch[start..<start + GravityRotationTest.stepsOfBlock]
        let acceleration = block.reduce(Vector3.zero) { $0 + $1.acceleration }.norm
        let rate = block.reduce(Vector3.zero) { $0 + $1.rate }.norm
        fractions.acceleration.add(acceleration / max(block.reduce(0) { $0 + $1.acceleration.norm }, 1e-9))
        fractions.rate.add(rate / max(block.reduce(0) { $0 + $1.rate.norm }, 1e-9))
      }
    }
    return (fractions.acceleration.median, fractions.rate.median)
  }

  private mutating func close(at time: Double) {
    guard stepEnd > -.infinity, time - stepEnd < Double(Self.maximumHoldCount) * Self.step,
      // At times beyond 10¹⁴ s, a step is below the resolution, so the time would not advance.
      stepEnd + Self.step > stepEnd
    else {
      pause()
      (acceleration, rate, field, stepEnd) = (Mean(), Mean(), Mean(), time + Self.step)
      return
    }
    repeat {
      if let a = acceleration.close(), let r = rate.close() {
        accelerationNorms.add(a.norm)
        rateNorms.add(r.norm)
        let step = (acceleration: a, rate: r)
        current.append(step)
        if current.count == Self.stepsOfStretch { keep() }
        let isFieldNew = field.count > 0
        changes.add(step, field: field.close(), isFieldNew: isFieldNew, at: stepEnd)
      } else {
        pause()
      }
      stepEnd += Self.step
    } while time >= stepEnd
  }

  private mutating func pause() {
    keep()
    changes.pause()
  }

  private mutating func keep() {
    defer { current.removeAll(keepingCapacity: true) }
    // A turn test requires at least two blocks.
    guard current.count >= 2 * GravityRotationTest.stepsOfBlock else { return }
    defer { seen += 1 }
    guard seen % interval == 0 else { return }
    if stretches.count == Self.maximumSegmentCount {
      stretches = stretches.indices.filter { $0 % 2 == 0 }.map { stretches[$0] }
      starts = starts.indices.filter { $0 % 2 == 0 }.map { starts[$0] }
      interval *= 2
      guard seen % interval == 0 else { return }
    }
    stretches.append(current)
    starts.append(stepEnd - Double(current.count) * Self.step)
  }
}
