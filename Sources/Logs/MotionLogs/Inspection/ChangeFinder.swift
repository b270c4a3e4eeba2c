internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Finds the moment from which one sensor is read otherwise than before: in another unit, with another sign or other axes.
///
/// Physics gives the criteria: turned into one frame by the gyroscope, the acceleration's mean over a second keeps gravity's
/// length, and from one rest to the next gravity and the field keep their direction. Fed with means over
/// `MotionSketch.step`.
struct ChangeFinder {
  /// A change: the time on the log's clock, and the later size divided by the earlier one.
  struct Change {
    var time: Double
    var ratio: Double
  }

  private(set) var acceleration = Levels(leastRatio: 1.9, right: 0.85...1.15)
  private(set) var field = Levels(leastRatio: 4, right: 15...120)
  private(set) var rests = RestTurns()
  private(set) var following = FieldFollowing()

  private var attitude = Quaternion.identity
  private var (accelerationMean, fieldMean) = (SecondMean(), SecondMean())

  mutating func add(_ step: MotionSketch.Step, field: Vector3?, isFieldNew: Bool, at time: Double) {
    attitude = attitude * TurnTest.turn(MotionSketch.step * step.rate)
    if let mean = accelerationMean.add(attitude.rotate(step.acceleration)) { acceleration.add(mean.norm, at: time) }
    rests.add(step.acceleration, field, attitude, at: time)
    guard let field else { return }
    let inEarth = attitude.rotate(field)
    if let mean = fieldMean.add(inEarth) { self.field.add(mean.norm, at: time) }
    if isFieldNew { following.add(field, inEarth, attitude) }
  }

  /// A pause, in which the device may turn in any way.
  mutating func pause() {
    (accelerationMean, fieldMean, attitude) = (SecondMean(), SecondMean(), .identity)
    rests.pause()
    following.pause()
  }

  mutating func finish() {
    acceleration.finish()
    field.finish()
  }

  private struct SecondMean {
    private static let length = 25
    private var (sum, count) = (Vector3.zero, 0)

    /// The mean once a second.
    mutating func add(_ value: Vector3) -> Vector3? {
      sum += value
      count += 1
      guard count == Self.length else { return nil }
      defer { (sum, count) = (.zero, 0) }
      return sum / Double(count)
    }
  }
}

extension ChangeFinder {
  /// Stretches of some seconds in which a length stays the same, and the first change from one to the next.
  struct Levels {
    /// Seconds that a piece has at least, and the ratio up to which lengths are alike.
    private static let (leastCount, steadyRatio) = (4, 1.25)
    private let leastRatio: Double
    /// Lengths of which one of the two pieces must be.
    private let right: ClosedRange<Double>
    private var current: (sum: Double, count: Int, start: Double) = (0, 0, 0)
    private var last: Double?
    private(set) var change: Change?

    init(leastRatio: Double, right: ClosedRange<Double>) { (self.leastRatio, self.right) = (leastRatio, right) }

    mutating func add(_ length: Double, at time: Double) {
      guard length > 0, length.isFinite else { return }
      let level = current.sum / Double(max(current.count, 1))
      if current.count > 0, (level / Self.steadyRatio...level * Self.steadyRatio).contains(length) {
        current.sum += length
        current.count += 1
      } else {
        close()
        current = (length, 1, time)
      }
    }

    mutating func finish() { close() }

    private mutating func close() {
      guard current.count >= Self.leastCount else { return }
      let level = current.sum / Double(current.count)
      if let last, change == nil, right.contains(level) || right.contains(last) {
        let ratio = level / last
        // The first mean of a piece ends a second after its beginning.
        if max(ratio, 1 / ratio) >= leastRatio { change = Change(time: current.start - 1, ratio: ratio) }
      }
      last = level
    }
  }

  /// Turns of directions from one rest to the next, by the sensors and by the gyroscope.
  struct RestTurns {
    /// A turn between two rests; angles in radians.
    struct Turn {
      var start: Double
      var end: Double
      /// The direction's turn in the device, and the part that the gyroscope's turn does not explain.
      var inDevice: Double
      var unexplained: Double
    }

    /// Steps of a rest, half a second; the spread of its acceleration, g; seconds between rests.
    private static let (length, spread, longest) = (12, 0.03, 4.0)
    /// Radians: a gyroscope's bias and scale explain less.
    private static let (leastOfGravity, leastOfField) = (0.6, 1.2)
    private static let fields = 15.0...120.0

    private struct Rest {
      var time: Double
      var acceleration: Vector3
      var field: Vector3?
      var attitude: Quaternion
    }

    private var recent: [(acceleration: Vector3, field: Vector3?)] = []
    private var last: Rest?
    /// The first turn that the gyroscope contradicts.
    private(set) var gravity: Turn?
    private(set) var field: Turn?

    mutating func add(_ acceleration: Vector3, _ field: Vector3?, _ attitude: Quaternion, at time: Double) {
      recent.append((acceleration, field))
      guard recent.count == Self.length else { return }
      defer { recent.removeAll(keepingCapacity: true) }
      let mean = recent.reduce(Vector3.zero) { $0 + $1.acceleration } / Double(Self.length)
      guard (0.9...1.1).contains(mean.norm), recent.allSatisfy({ ($0.acceleration - mean).norm < Self.spread }) else {
        return
      }
      // A sensor has noise: equal means are a value that its recorder repeats, while the device may turn.
      let equal = zip(recent.dropFirst(), recent).count { $0.acceleration == $1.acceleration }
      guard 2 * equal < Self.length else { return }
      let fields = recent.compactMap(\.field)
      let meanField = fields.isEmpty ? nil : fields.reduce(.zero, +) / Double(fields.count)
      // What changes within the half second shows between its neighbours.
      if let meanField, fields.contains(where: { ($0 - meanField).norm > 0.3 * meanField.norm }) { return }
      let rest = Rest(time: time, acceleration: mean, field: meanField, attitude: attitude)
      if let last, time - last.time <= Self.longest { compare(last, rest) }
      last = rest
    }

    mutating func pause() {
      last = nil
      recent.removeAll(keepingCapacity: true)
    }

    private mutating func compare(_ a: Rest, _ b: Rest) {
      func turn(_ x: Vector3, _ y: Vector3) -> Turn {
        Turn(
          start: a.time, end: b.time, inDevice: x.angle(to: y),
          unexplained: a.attitude.rotate(x).angle(to: b.attitude.rotate(y)))
      }
      let gravity = turn(a.acceleration, b.acceleration)
      if self.gravity == nil, gravity.unexplained > Self.leastOfGravity { self.gravity = gravity }
      guard field == nil, let x = a.field, let y = b.field, Self.fields.contains(x.norm), Self.fields.contains(y.norm),
        (0.8...1.25).contains(y.norm / x.norm)
      else { return }
      let field = turn(x, y)
      if field.unexplained > Self.leastOfField { self.field = field }
    }
  }

  /// Whether the field turns as the device does, over half seconds in which it must turn by much.
  struct FieldFollowing {
    /// Radians that a fixed direction must turn by in the device.
    private static let leastTurn = 0.5
    private static let interval = 12
    private var last: (field: Vector3, inEarth: Vector3)?
    private var previous: Vector3?
    private var sinceLast = 0
    /// Pairs that must have turned, and those of them that turned by less than a fifth of that.
    private(set) var (turnedCount, stillCount) = (0, 0)
    /// The sum of the cosines between neighbours in the earth, and their number.
    private var (cosineSum, cosineCount) = (0.0, 0)

    mutating func add(_ field: Vector3, _ inEarth: Vector3, _ attitude: Quaternion) {
      if let previous, previous.norm > 0, inEarth.norm > 0 {
        cosineSum += previous.dot(inEarth) / (previous.norm * inEarth.norm)
        cosineCount += 1
      }
      previous = inEarth
      sinceLast += 1
      guard let start = last else {
        last = (field, inEarth)
        return
      }
      guard sinceLast >= Self.interval else { return }
      let expected = attitude.rotateInverse(start.inEarth).angle(to: start.field)
      if expected > Self.leastTurn {
        turnedCount += 1
        if field.angle(to: start.field) < 0.2 * expected { stillCount += 1 }
      }
      last = (field, inEarth)
      sinceLast = 0
    }

    mutating func pause() { (last, previous, sinceLast) = (nil, nil, 0) }

    /// Whether neighbours have nothing in common, as noise.
    var isNoise: Bool { cosineCount >= 50 && cosineSum < 0.5 * Double(cosineCount) }
    /// Whether the field does not change while the device turns.
    var isStill: Bool { turnedCount >= 4 && 10 * stillCount >= 9 * turnedCount }
  }
}
