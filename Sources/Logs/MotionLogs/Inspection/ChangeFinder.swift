internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// Detects the time at which a sensor's unit, sign or axes change.
///
/// The criteria are physical. Rotated into one frame by the gyroscope, the acceleration averaged over a second has the
/// magnitude of gravity. Between two rests, gravity and the field keep their direction. The input is means over
/// `DownsampledMotion.step`.
struct ChangeFinder {
  private(set) var acceleration = Levels(minimumRatio: 1.9, right: 0.85...1.15)
  private(set) var field = Levels(minimumRatio: 4, right: 15...120)
  private(set) var rests = RestTurns()
  private(set) var following = FieldFollowing()

  private var attitude = Quaternion.identity

  mutating func add(_ step: DownsampledMotion.Step, field: Vector3?, isFieldNew: Bool, at time: Double) {
    attitude = attitude * Quaternion(rotationVector: DownsampledMotion.step * step.rate)
    acceleration.add(attitude.rotate(step.acceleration), at: time)
    rests.add(step.acceleration, field, attitude, at: time)
    guard let field else { return }
    let inEarth = attitude.rotate(field)
    self.field.add(inEarth, at: time)
    if isFieldNew { following.add(field, inEarth, attitude) }
  }

  /// Handles a pause, in which the device may rotate arbitrarily.
  mutating func pause() {
    attitude = .identity
    acceleration.pause()
    field.pause()
    rests.pause()
    following.pause()
  }

  mutating func finish() {
    acceleration.close()
    field.close()
  }
}

extension ChangeFinder {
  /// Segments of several seconds in which the mean over a second has a constant magnitude, and the first change between
  /// two of them.
  struct Levels {
    /// The number of steps of a mean: one second.
    private static let meanLength = 25
    /// The minimum duration of a segment, in seconds, and the maximum ratio of magnitudes within a segment.
    private static let (minimumCount, steadyRatio) = (4, 1.25)
    private let minimumRatio: Double
    /// The range that must contain the magnitude of one of the two segments.
    private let right: ClosedRange<Double>
    private var mean = (sum: Vector3.zero, count: 0)
    private var current: (sum: Double, count: Int, start: Double) = (0, 0, 0)
    private var last: Double?
    /// The first change: its time on the log's clock, and the ratio of the later magnitude to the earlier one.
    private(set) var change: (time: Double, ratio: Double)?

    init(minimumRatio: Double, right: ClosedRange<Double>) { (self.minimumRatio, self.right) = (minimumRatio, right) }

    /// Adds a step's vector in a frame that does not rotate.
    mutating func add(_ vector: Vector3, at time: Double) {
      mean.sum += vector
      mean.count += 1
      guard mean.count == Self.meanLength else { return }
      let length = (mean.sum / Double(mean.count)).norm
      pause()
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

    /// Discards the incomplete mean before a pause.
    mutating func pause() { mean = (.zero, 0) }

    /// Ends the current segment.
    mutating func close() {
      guard current.count >= Self.minimumCount else { return }
      let level = current.sum / Double(current.count)
      if let last, change == nil, right.contains(level) || right.contains(last) {
        let ratio = level / last
        // The first mean of a segment ends a second after its start.
        if max(ratio, 1 / ratio) >= minimumRatio { change = (current.start - 1, ratio) }
      }
      last = level
    }
  }

  /// The rotations of directions between consecutive rests, according to the sensors and to the gyroscope.
  struct RestTurns {
    /// The times of two rests, in seconds, the rotation of a direction in the device between them, and the part of it
    /// that the gyroscope's rotation does not explain, in radians.
    typealias Turn = (start: Double, end: Double, inDevice: Double, unexplained: Double)

    /// The number of steps of a rest (half a second), the maximum spread of its acceleration, in g, and the maximum
    /// time between rests, in seconds.
    private static let (length, spread, maximumTimeDifference) = (12, 0.03, 4.0)
    /// The minimum unexplained angles, in radians. A gyroscope's bias and scale errors are smaller.
    private static let (minimumGravityAngle, minimumFieldAngle) = (0.6, 1.2)
    private static let fields = 15.0...120.0
    /// The largest hard iron of a device, in µT, and the largest part of a field that no hard iron explains, as a
    /// fraction.
    private static let (maximumIron, unexplainedPart) = (300.0, 0.6)

    private typealias Rest = (time: Double, acceleration: Vector3, field: Vector3?, attitude: Quaternion)

    private var recent: [(acceleration: Vector3, field: Vector3?)] = []
    private var last: Rest?
    /// The first rotation that the gyroscope contradicts.
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
      // Sensors have noise. Equal means are a value that the recorder repeats, while the device may rotate.
      let equal = zip(recent.dropFirst(), recent).count { $0.acceleration == $1.acceleration }
      guard 2 * equal < Self.length else { return }
      let fields = recent.compactMap(\.field)
      let meanField = fields.isEmpty ? nil : fields.reduce(.zero, +) / Double(fields.count)
      // A change within the half second shows in the differences from the mean.
      if let meanField, fields.contains(where: { ($0 - meanField).norm > 0.3 * meanField.norm }) { return }
      let rest = (time: time, acceleration: mean, field: meanField, attitude: attitude)
      if let last, time - last.time <= Self.maximumTimeDifference { compare(last, rest) }
      last = rest
    }

    mutating func pause() {
      last = nil
      recent.removeAll(keepingCapacity: true)
    }

    private mutating func compare(_ a: Rest, _ b: Rest) {
      func turn(_ x: Vector3, _ y: Vector3) -> Turn {
        (a.time, b.time, x.angle(to: y), a.attitude.rotate(x).angle(to: b.attitude.rotate(y)))
      }
      let gravity = turn(a.acceleration, b.acceleration)
      if self.gravity == nil, gravity.unexplained > Self.minimumGravityAngle { self.gravity = gravity }
      guard field == nil, let x = a.field, let y = b.field, Self.fields.contains(x.norm), Self.fields.contains(y.norm),
        (0.8...1.25).contains(y.norm / x.norm)
      else { return }
      let field = turn(x, y)
      if field.unexplained > Self.minimumFieldAngle, !Self.ironExplains((a.attitude, x), (b.attitude, y)) {
        self.field = field
      }
    }

    /// Returns whether a hard iron o explains the difference between two raw fields in the frame of the attitudes,
    /// A x − B y = (A − B) o: it is perpendicular to the axis of the rotation between the attitudes.
    private static func ironExplains(
      _ a: (attitude: Quaternion, field: Vector3), _ b: (attitude: Quaternion, field: Vector3)
    ) -> Bool {
      let difference = a.attitude.rotate(a.field) - b.attitude.rotate(b.field)
      let turn = (a.attitude * b.attitude.conjugate).rotationVector
      let angle = turn.norm
      guard angle > 0 else { return false }
      let along = abs(difference.dot(turn)) / angle
      let across = max(0, difference.squaredNorm - along * along).squareRoot()
      return across < 2 * sin(0.5 * angle) * maximumIron && along < unexplainedPart * a.field.norm
    }
  }

  /// The agreement of the field's rotation with the device's, over half seconds with large rotations.
  struct FieldFollowing {
    /// The minimum rotation of a fixed direction in the device, in radians.
    private static let minimumRotation = 0.5
    private static let interval = 12
    private var last: (field: Vector3, inEarth: Vector3)?
    private var previous: Vector3?
    private var sinceLast = 0
    /// The number of pairs with an expected rotation, and the number of them that rotated by less than a fifth of it.
    private(set) var (turnedCount, stillCount) = (0, 0)
    /// The sum and the number of cosines between consecutive fields in the earth frame.
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
      if expected > Self.minimumRotation {
        turnedCount += 1
        if field.angle(to: start.field) < 0.2 * expected { stillCount += 1 }
      }
      last = (field, inEarth)
      sinceLast = 0
    }

    mutating func pause() { (last, previous, sinceLast) = (nil, nil, 0) }

    /// Whether consecutive fields are unrelated, as for noise.
    var isNoise: Bool { cosineCount >= 50 && cosineSum < 0.5 * Double(cosineCount) }
    /// Whether the field does not change while the device rotates.
    var isStill: Bool { turnedCount >= 4 && 10 * stillCount >= 9 * turnedCount }
  }
}
