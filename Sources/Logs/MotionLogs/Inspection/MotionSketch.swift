internal import InertialNumerics
internal import InertialSensors

/// A log's motion as means over 40 ms, in bounded memory, for checks that go over it more than once.
///
/// Held as stretches of eight seconds without a pause. Where a log has more than are kept, every second one is dropped and
/// from then on every second one is taken, so that they stay spread evenly over the whole log.
struct MotionSketch {
  /// Seconds.
  static let step = 0.04
  static let stepsOfStretch = 200
  static let mostStretches = 32
  /// How many steps a sensor that is slower than them holds its last value.
  private static let longestHold = 5

  struct Step {
    var acceleration: Vector3
    var rate: Vector3
  }

  /// Steps next to one another: eight seconds' worth, or fewer before a pause or the end.
  private(set) var stretches: [[Step]] = []
  /// The time of each stretch's begin.
  private(set) var starts: [Double] = []
  /// Lengths of the mean acceleration, g, and of the mean rate, rad/s, over all steps.
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

    /// The mean since the last call, or the one before where nothing came; nil where nothing has come for too long.
    mutating func close() -> Vector3? {
      if count > 0 {
        last = sum / Double(count)
        (sum, count, age) = (.zero, 0, 0)
      } else {
        age += 1
      }
      return age <= MotionSketch.longestHold ? last : nil
    }
  }

  private var stepEnd = -Double.infinity
  private var acceleration = Mean()
  private var rate = Mean()
  private var field = Mean()
  private(set) var fieldChannel: SensorChannel?
  private var current: [Step] = []
  /// Of the stretches that come, every so manieth is kept.
  private var interval = 1
  private var seen = 0

  /// Takes a good sample of the gyroscope, the accelerometer or a field, in order of time. Of two fields the first counts.
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

  /// The median length of the rates, and of both sensors the length of the mean vector over two seconds as a share of the
  /// mean length, which is about 1 for gravity and small for what goes to and fro.
  struct Means {
    var accelerationSteadiness: Double
    var rateNorm: Double
    var rateSteadiness: Double
  }

  /// nil where the log is too short.
  var means: Means? {
    var shares = (acceleration: LogarithmicHistogram(), rate: LogarithmicHistogram())
    for stretch in stretches {
      for start in stride(from: 0, through: stretch.count - TurnTest.stepsOfBlock, by: TurnTest.stepsOfBlock) {
        let block = stretch[start..<start + TurnTest.stepsOfBlock]
        let acceleration = block.reduce(Vector3.zero) { $0 + $1.acceleration }.norm
        let rate = block.reduce(Vector3.zero) { $0 + $1.rate }.norm
        shares.acceleration.add(acceleration / max(block.reduce(0) { $0 + $1.acceleration.norm }, 1e-9))
        shares.rate.add(rate / max(block.reduce(0) { $0 + $1.rate.norm }, 1e-9))
      }
    }
    guard !stretches.isEmpty else { return nil }
    return Means(
      accelerationSteadiness: shares.acceleration.median, rateNorm: rateNorms.median,
      rateSteadiness: shares.rate.median)
  }

  private mutating func close(at time: Double) {
    guard stepEnd > -.infinity, time - stepEnd < Double(Self.longestHold) * Self.step,
      // Beside times beyond 10¹⁴ s a step is nothing, and would never get there.
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
        let step = Step(acceleration: a, rate: r)
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
    // Two blocks of a turn test are the least that tells anything.
    guard current.count >= 2 * TurnTest.stepsOfBlock else { return }
    defer { seen += 1 }
    guard seen % interval == 0 else { return }
    if stretches.count == Self.mostStretches {
      stretches = stretches.indices.filter { $0 % 2 == 0 }.map { stretches[$0] }
      starts = starts.indices.filter { $0 % 2 == 0 }.map { starts[$0] }
      interval *= 2
      guard seen % interval == 0 else { return }
    }
    stretches.append(current)
    starts.append(stepEnd - Double(current.count) * Self.step)
  }
}
