internal import LinearAlgebra
internal import Sensors

/// Holds the accelerometer against the gravity that the device itself has told: where they contradict each other for most
/// of a log, files or columns are exchanged, and nothing that is made of it is right.
///
/// Where the device tells its own acceleration without gravity, that is taken off first: who chops with it for half a minute
/// has the arm's pull in every average.
struct OwnGravityCheck {
  /// Seconds over which the acceleration is averaged: shorter than a turn, longer than a step.
  private static let timeConstant = 0.5
  /// Pairs that say something.
  private static let fewestPairs = 200
  /// Pairs are apart from here on, radians (60°): a run's averages are within 30°.
  private static let apart = Double.pi / 3

  private var raw = Average()
  private var user = Average()
  private var pairCount = 0
  private var apartCount = 0
  private var angleSum = 0.0

  /// Takes good samples in order of time.
  mutating func add(_ block: [SensorSample]) {
    for sample in block {
      switch sample.channel {
      case .accelerometer: raw.add(sample)
      case .deviceUserAcceleration: user.add(sample)
      case .deviceGravity: addGravity(sample)
      default: break
      }
    }
  }

  /// A stream's average over the time constant.
  private struct Average {
    private var value: Vector3?
    private var lastTime = Double.nan

    mutating func add(_ sample: SensorSample) {
      let step = sample.time - lastTime
      lastTime = sample.time
      guard let old = value, step < OwnGravityCheck.timeConstant else {
        value = sample.vector
        return
      }
      value = old + (sample.vector - old) * (step / (OwnGravityCheck.timeConstant + step))
    }

    /// nil where the stream has not come so far, or pauses.
    func value(at time: Double) -> Vector3? { time - lastTime < OwnGravityCheck.timeConstant ? value : nil }
  }

  private mutating func addGravity(_ sample: SensorSample) {
    guard let raw = raw.value(at: sample.time), sample.vector.norm > 0.5 else { return }
    let average = raw - (user.value(at: sample.time) ?? .zero)
    guard average.norm > 0.1 else { return }
    let angle = average.angle(to: sample.vector)
    pairCount += 1
    if angle > Self.apart { apartCount += 1 }
    angleSum += angle
  }

  /// What is wrong, and what to do; nil where nothing is.
  var contradiction: String? {
    guard pairCount >= Self.fewestPairs, 2 * apartCount > pairCount else { return nil }
    let degrees = (angleSum / Double(pairCount) * 180 / .pi).rounded()
    return
      "the accelerometer contradicts the log's own gravity, by \(Int(degrees))° on average; are the files or columns of "
      + "accelerometer and gyroscope exchanged? --axes accelerometer=... turns a sensor that is mounted otherwise"
  }
}
