internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The agreement of the raw sensors with the device's own estimates: of the gyroscope's rates with the attitude's
/// rotation, and of the acceleration with gravity, from the log or from the attitude.
struct DeviceConsistencyCheck {
  /// The durations, in seconds, over which rotations and means of the acceleration are compared.
  private static let (turnLength, meanLength) = (0.2, 1.0)
  /// The maximum rotation, in radians. Larger rotations cannot be treated as vectors.
  private static let maximumRotation = 1.0

  /// The rotations from the rates and from the attitude.
  private(set) var turns = AxesFit()
  /// The acceleration and the device's gravity, both in g.
  private(set) var gravity = AxesFit()
  /// The number of pairs with comparable directions, the number of those that are far apart, and the sum of the angles
  /// between them, in radians.
  private var (comparedCount, apartCount, angleSum) = (0, 0, 0.0)

  private var (integral, lastRate, lastRateTime) = (Vector3.zero, Vector3.zero, Double.nan)
  private var start: (time: Double, attitude: Quaternion, integral: Vector3)?
  private var hasGravity = false
  private var (accelerationSum, accelerationCount, meanStart) = (Vector3.zero, 0, Double.nan)
  private var (downSum, downCount) = (Vector3.zero, 0)
  /// The sum of the device's acceleration without gravity, which is subtracted: half a minute of chopping with a
  /// handheld device adds the arm's pull to every mean.
  private var (userSum, userCount) = (Vector3.zero, 0)

  /// Adds a valid sample. Samples must be sorted by time.
  mutating func add(_ sample: SensorSample) {
    switch sample.channel {
    case .gyroscope:
      let step = sample.time - lastRateTime
      // After a pause of either sensor, the integration restarts.
      if step < Self.turnLength { integral += 0.5 * step * (sample.vector + lastRate) } else { start = nil }
      (lastRate, lastRateTime) = (sample.vector, sample.time)
    case .accelerometer:
      accelerationSum += sample.vector
      accelerationCount += 1
    case .deviceUserAcceleration:
      userSum += sample.vector
      userCount += 1
    case .deviceGravity:
      hasGravity = true
      addDown(sample.vector, at: sample.time)
    case .deviceAttitude:
      addTurn(sample)
      if !hasGravity { addDown(sample.quaternion.rotateInverse(Vector3(0, 0, -1)), at: sample.time) }
    default: break
    }
  }

  private mutating func addTurn(_ sample: SensorSample) {
    guard let begin = start, sample.time - begin.time < 2 * Self.turnLength else {
      start = (sample.time, sample.quaternion, integral)
      return
    }
    guard sample.time - begin.time >= 0.99 * Self.turnLength else { return }
    start = (sample.time, sample.quaternion, integral)
    let turn = (begin.attitude.conjugate * sample.quaternion).rotationVector
    if turn.norm < Self.maximumRotation { turns.add(integral - begin.integral, turn) }
  }

  private mutating func addDown(_ down: Vector3, at time: Double) {
    downSum += down
    downCount += 1
    guard !(time - meanStart < Self.meanLength) else { return }
    if accelerationCount > 0, time - meanStart < 2 * Self.meanLength {
      let user = userCount > 0 ? userSum / Double(userCount) : .zero
      compare(accelerationSum / Double(accelerationCount) - user, downSum / Double(downCount))
    }
    (accelerationSum, accelerationCount, downSum, downCount, meanStart) = (.zero, 0, .zero, 0, time)
    (userSum, userCount) = (.zero, 0)
  }

  private mutating func compare(_ acceleration: Vector3, _ down: Vector3) {
    gravity.add(acceleration, down)
    guard acceleration.norm > 0.1, down.norm > 0.5 else { return }
    let angle = acceleration.angle(to: down)
    comparedCount += 1
    if angle > Self.apart { apartCount += 1 }
    angleSum += angle
  }

  // MARK: What they say

  /// The minimum angle between directions that are far apart, in radians (60°). The means of a run differ by less than
  /// 30°.
  private static let apart = Double.pi / 3

  /// The minimum number of rotations over a fifth of a second, and of means over a second.
  private static let (enoughTurns, enoughMeans) = (50, 5)
  /// The minimum mean squared rotation in a fifth of a second, in rad². Below it the device hardly rotates.
  private static let minimumSquaredRotation = 4e-4

  /// The result for the attitude's rotation, or `nil` if there is no attitude or too little rotation.
  ///
  /// If the rates match the rotation, `scale` is the factor to apply to them, 1 for the correct unit. Otherwise,
  /// `otherAxes` match it, or are empty if no axes do. In 160 correct recordings, the rates explain at least 19 % of the
  /// attitude's rotation, and other axes never explain more.
  var turning: (scale: Double?, otherAxes: [SignedAxes])? {
    guard turns.count >= Self.enoughTurns else { return nil }
    let squares = turns.meanSquares(hasOffset: true)
    let candidates = turns.candidates(hasOffset: true)
    guard squares.y > Self.minimumSquaredRotation, let best = candidates.first else { return nil }
    let asIs = candidates.first { $0.axes == .identity }
    if best.fraction >= 0.6, (asIs?.fraction ?? 0) < best.fraction - 0.4 {
      return (nil, candidates.filter { best.fraction - $0.fraction < 0.1 }.map(\.axes))
    }
    if let asIs, asIs.fraction >= 0.8 { return (asIs.scale, []) }
    return best.fraction < 0.1 && squares.x > Self.minimumSquaredRotation ? (nil, []) : nil
  }

  /// Whether the log's own gravity can be compared with the acceleration.
  var comparesGravity: Bool { gravity.count >= Self.enoughMeans }

  /// The mappings from the accelerometer's axes to those of the log's gravity, or `nil` if the axes match or are
  /// undetermined.
  var accelerometerAxes: [SignedAxes]? {
    guard comparesGravity else { return nil }
    let candidates = gravity.candidates(hasOffset: false)
    guard let best = candidates.first, best.fraction >= 0.9,
      (candidates.first { $0.axes == .identity }?.fraction ?? 0) < 0.5
    else { return nil }
    return candidates.filter { best.fraction - $0.fraction < 0.05 }.map(\.axes)
  }

  /// The problem and its remedy if the accelerometer contradicts the log's own gravity, or `nil` if it does not.
  ///
  /// Either other axes match gravity, or the two differ for most of the log with any axes because files or columns are
  /// exchanged.
  var contradiction: (problem: String, remedy: String)? {
    let axes = accelerometerAxes
    guard axes != nil || (comparedCount >= Self.enoughMeans && 2 * apartCount > comparedCount) else { return nil }
    let degrees = (angleSum / Double(max(comparedCount, 1)) * 180 / .pi).rounded()
    let exchange = "are the files or columns of accelerometer and gyroscope swapped?"
    return (
      "the accelerometer contradicts the log's own gravity, by \(Int(degrees))° on average",
      axes.map { "\(exchange) Or \(Diagnostic.accelerometerRemedy($0))" } ?? exchange
    )
  }
}
