internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Whether the raw sensors say what the device itself made of them: its attitude's turns against the gyroscope's rates, and
/// its gravity, or its attitude's, against the acceleration.
struct DeviceAgreement {
  /// Seconds over which turns, and means of the acceleration, are compared.
  private static let (turnLength, meanLength) = (0.2, 1.0)
  /// Radians: longer turns are no vectors any more.
  private static let longestTurn = 1.0

  /// Turns by the rates, and by the attitude.
  private(set) var turns = AxesFit()
  /// The acceleration, and the device's gravity, both in g.
  private(set) var gravity = AxesFit()
  /// Of these pairs those whose directions can be compared, those that are far apart, and the sum of the angles between
  /// them, radians.
  private var (comparedCount, apartCount, angleSum) = (0, 0, 0.0)

  private var (integral, lastRate, lastRateTime) = (Vector3.zero, Vector3.zero, Double.nan)
  private var start: (time: Double, attitude: Quaternion, integral: Vector3)?
  private var hasGravity = false
  private var (accelerationSum, accelerationCount, meanStart) = (Vector3.zero, 0, Double.nan)
  private var (downSum, downCount) = (Vector3.zero, 0)
  /// Of the device's own acceleration without gravity, which is subtracted: who chops with a device for half a minute has
  /// the arm's pull in every mean.
  private var (userSum, userCount) = (Vector3.zero, 0)

  /// Takes a good sample, in order of time.
  mutating func add(_ sample: SensorSample) {
    switch sample.channel {
    case .gyroscope:
      let step = sample.time - lastRateTime
      // A pause of one of the two begins anew.
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
    if turn.norm < Self.longestTurn { turns.add(integral - begin.integral, turn) }
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

  /// Directions are apart from here on, radians (60°): a run's means are within 30°.
  private static let apart = Double.pi / 3

  /// Turns of a fifth of a second, or means of a second, that are enough to tell.
  private static let (enoughTurns, enoughMeans) = (50, 5)
  /// Radians squared in a fifth of a second: below, the device hardly turned.
  private static let leastTurning = 4e-4

  enum Turning {
    /// The rates are the attitude's, and are to be multiplied by the number, 1 for the right unit.
    case agrees(scale: Double)
    /// Other axes are those of the attitude.
    case contradicts([SignedAxes])
    /// The attitude turns otherwise than the rates, whatever their axes.
    case unrelated
  }

  /// nil where there is no attitude, or too little turning. Of 160 right recordings the rates explain 19 % or more of what
  /// the attitude does, and other axes never more.
  var turning: Turning? {
    guard turns.count >= Self.enoughTurns else { return nil }
    let squares = turns.meanSquares(hasOffset: true)
    let candidates = turns.candidates(hasOffset: true)
    guard squares.y > Self.leastTurning, let best = candidates.first else { return nil }
    let asIs = candidates.first { $0.axes == .identity }
    if best.share >= 0.6, (asIs?.share ?? 0) < best.share - 0.4 {
      return .contradicts(candidates.filter { best.share - $0.share < 0.1 }.map(\.axes))
    }
    if let asIs, asIs.share >= 0.8 { return .agrees(scale: asIs.scale) }
    return best.share < 0.1 && squares.x > Self.leastTurning ? .unrelated : nil
  }

  /// Whether the log's own gravity can be compared with the acceleration.
  var comparesGravity: Bool { gravity.count >= Self.enoughMeans }

  /// How the accelerometer's axes are to be read to be those of the log's own gravity; nil where they are, or nothing tells.
  var accelerometerAxes: [SignedAxes]? {
    guard comparesGravity else { return nil }
    let candidates = gravity.candidates(hasOffset: false)
    guard let best = candidates.first, best.share >= 0.9,
      (candidates.first { $0.axes == .identity }?.share ?? 0) < 0.5
    else { return nil }
    return candidates.filter { best.share - $0.share < 0.05 }.map(\.axes)
  }

  /// Why the log is unfit, as its accelerometer contradicts its own gravity, and what to do; nil where it does not.
  ///
  /// Either other axes are those of gravity, or the two are apart for most of the log whatever the axes: files or columns
  /// are exchanged.
  var contradiction: (problem: String, remedy: String)? {
    let axes = accelerometerAxes
    guard axes != nil || (comparedCount >= Self.enoughMeans && 2 * apartCount > comparedCount) else { return nil }
    let degrees = (angleSum / Double(max(comparedCount, 1)) * 180 / .pi).rounded()
    let exchange = "are the files or columns of accelerometer and gyroscope exchanged?"
    return (
      "the accelerometer contradicts the log's own gravity, by \(Int(degrees))° on average",
      axes.map { "\(exchange) Or \(AxesFinding.accelerometerRemedy($0))" } ?? exchange
    )
  }
}
