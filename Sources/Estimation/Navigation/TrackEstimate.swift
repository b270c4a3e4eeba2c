public import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// The position and velocity of a device at a time, with standard deviations.
public struct TrackEstimate: Sendable, Equatable, Codable {
  /// The time in seconds on the log's clock.
  public var time: Double
  /// The position in metres from the start, earth axes (Z up).
  public var position: Vector3
  /// The velocity in m/s, earth axes.
  public var velocity: Vector3
  /// The standard deviation of the position by component, in metres.
  public var positionSigma: Vector3
  /// The standard deviation of the velocity by component, in m/s.
  public var velocitySigma: Vector3
  /// Whether the foot, the body or the vehicle stands still.
  public var isStanding = false
  /// The number of steps, or of strides of the foot that wears the sensor, since the start.
  public var stepCount = 0

  /// Creates an estimate.
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

  /// Returns the linear interpolation to another estimate.
  ///
  /// - Parameter time: A time between the two.
  package func interpolated(to other: TrackEstimate, at time: Double) -> TrackEstimate {
    let fraction = other.time > self.time ? (time - self.time) / (other.time - self.time) : 0
    func mix(_ a: Vector3, _ b: Vector3) -> Vector3 { a + (b - a) * fraction }
    return TrackEstimate(
      time: time, position: mix(position, other.position), velocity: mix(velocity, other.velocity),
      positionSigma: mix(positionSigma, other.positionSigma), velocitySigma: mix(velocitySigma, other.velocitySigma),
      isStanding: fraction < 0.5 ? isStanding : other.isStanding, stepCount: fraction < 1 ? stepCount : other.stepCount)
  }
}

/// A sample of the motion sensors, as input of trackers.
public struct TrackSample: Sendable, Equatable, Codable {
  /// The time in seconds on the log's clock; ascending.
  public var time: Double
  /// The measured rate in rad/s, device axes, including the bias.
  public var rate: Vector3
  /// The measured specific force in m/s², device axes; up at rest.
  public var force: Vector3
  /// The unit vector opposite to gravity from an attitude filter, device axes.
  public var up: Vector3
  /// The heading from an attitude filter: the angle from the frame's X to the direction in which the device points, in
  /// radians. Its first value is the direction in which a path begins; afterwards, only the rates are used.
  public var heading: Double

  /// Creates a sample.
  public init(time: Double, rate: Vector3, force: Vector3, up: Vector3, heading: Double) {
    self.time = time
    self.rate = rate
    self.force = force
    self.up = up
    self.heading = heading
  }

  /// Whether all numbers are finite, and the rate and the force are within the ranges of sensors. Trackers skip other
  /// samples.
  var isPossible: Bool {
    let limits = SensorLimits.standard
    return abs(time + heading + up.x + up.y + up.z) < .infinity && limits.allowsRotationRate(rate)
      && limits.allowsAcceleration(force / InertialNavigator.gravity)
  }

  /// Returns the heading of a device in radians: that of `PointingAxis.automatic`.
  ///
  /// - Parameters:
  ///   - attitude: The rotation from the device to the frame.
  ///   - up: The direction opposite to gravity, device axes.
  public static func heading(of attitude: Quaternion, up: Vector3) -> Double {
    let ahead = attitude.rotate(PointingAxis.automatic.vector(gravity: -up))
    return atan2(ahead.y, ahead.x)
  }
}
