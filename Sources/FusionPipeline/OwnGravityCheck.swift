internal import LinearAlgebra
internal import Sensors

/// Holds the accelerometer against the gravity that the device itself has told: where they contradict each other for most
/// of a log, files or columns are exchanged, and nothing that is made of it is right.
struct OwnGravityCheck {
  /// Seconds over which the acceleration is averaged: shorter than a turn, longer than a step.
  private static let timeConstant = 0.5
  /// Pairs that say something.
  private static let fewestPairs = 200
  /// Pairs are apart from here on, radians (60°): a run's averages are within 30°.
  private static let apart = Double.pi / 3

  private var average: Vector3?
  private var lastTime = Double.nan
  private var pairCount = 0
  private var apartCount = 0
  private var angleSum = 0.0

  /// Takes good samples in order of time.
  mutating func add(_ block: [SensorSample]) {
    for sample in block {
      switch sample.channel {
      case .accelerometer: addAcceleration(sample)
      case .deviceGravity: addGravity(sample)
      default: break
      }
    }
  }

  private mutating func addAcceleration(_ sample: SensorSample) {
    let step = sample.time - lastTime
    lastTime = sample.time
    guard let old = average, step < Self.timeConstant else {
      average = sample.vector
      return
    }
    average = old + (sample.vector - old) * (step / (Self.timeConstant + step))
  }

  private mutating func addGravity(_ sample: SensorSample) {
    guard let average, sample.time - lastTime < Self.timeConstant, average.norm > 0.1, sample.vector.norm > 0.5 else {
      return
    }
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
