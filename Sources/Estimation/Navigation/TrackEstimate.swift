public import InertialRotations
internal import InertialSystem

/// Where a device was at a time, with standard deviations that are meant.
public struct TrackEstimate: Sendable, Equatable {
  /// Seconds on the log's clock.
  public var time: Double
  /// m from the start, earth axes (Z up).
  public var position: Vector3
  /// m/s, earth axes.
  public var velocity: Vector3
  /// Standard deviation of the position by component, m.
  public var positionSigma: Vector3
  /// Standard deviation of the velocity by component, m/s.
  public var velocitySigma: Vector3
  /// Whether the foot, the body or the vehicle stood still.
  public var isStanding = false
  /// Steps, or strides of the foot that wears the sensor, since the start.
  public var stepCount = 0

  /// An estimate from its parts.
  public init(
    time: Double, position: Vector3, velocity: Vector3, positionSigma: Vector3, velocitySigma: Vector3,
    isStanding: Bool = false, stepCount: Int = 0
  ) {
    self.time = time
    self.position = position
    self.velocity = velocity
    self.positionSigma = positionSigma
    self.velocitySigma = velocitySigma
    self.isStanding = isStanding
    self.stepCount = stepCount
  }

  /// On the straight line to another estimate.
  ///
  /// - Parameter time: between the two.
  package func interpolated(to other: TrackEstimate, at time: Double) -> TrackEstimate {
    let share = other.time > self.time ? (time - self.time) / (other.time - self.time) : 0
    func mix(_ a: Vector3, _ b: Vector3) -> Vector3 { a + (b - a) * share }
    return TrackEstimate(
      time: time, position: mix(position, other.position), velocity: mix(velocity, other.velocity),
      positionSigma: mix(positionSigma, other.positionSigma), velocitySigma: mix(velocitySigma, other.velocitySigma),
      isStanding: share < 0.5 ? isStanding : other.isStanding, stepCount: share < 1 ? stepCount : other.stepCount)
  }
}

/// One moment of the motion sensors, as trackers take it.
public struct TrackSample: Sendable, Equatable {
  /// Seconds on the log's clock; rising.
  public var time: Double
  /// Measured rate, rad/s, device axes, bias included.
  public var rate: Vector3
  /// Measured specific force, m/s², device axes: up at rest.
  public var force: Vector3
  /// Gravity's opposite, a unit vector, device axes: an attitude filter's.
  public var up: Vector3
  /// The device's heading by an attitude filter: the angle from the frame's X to the device's axis that is most level, rad;
  /// only its changes count.
  public var heading: Double

  /// A sample from its parts.
  public init(time: Double, rate: Vector3, force: Vector3, up: Vector3, heading: Double) {
    self.time = time
    self.rate = rate
    self.force = force
    self.up = up
    self.heading = heading
  }

  /// The heading of a device at an attitude, rad: that of the one of its axes X and Y which is more level.
  ///
  /// - Parameters:
  ///   - attitude: from the device to the frame.
  ///   - up: gravity's opposite, device axes.
  public static func heading(of attitude: Quaternion, up: Vector3) -> Double {
    let ahead = attitude.rotate(abs(up.x) <= abs(up.y) ? Vector3.unitX : .unitY)
    return atan2(ahead.y, ahead.x)
  }
}
