/// A regular back and forth rotation of the device in the last 5.12 s, by the gyroscope: a leg or an arm swings once per
/// stride, two steps, whereas an accelerometer on it can sense one or two beats per swing.
struct LimbSwing: Sendable, Codable, Equatable {
  /// The period, in seconds; the measure can miss every second swing.
  var period: Double
  /// The autocorrelation of the rotation at a lag of one period, 0.5...1.
  var regularity: Double
  /// The fraction of the rotation about its main axis in the device, 1/3...1.
  var planarity: Double

  /// Creates the swing of a rotation, or `nil` if it is too weak or irregular.
  init?(_ rotation: RotationMeasure?) {
    guard let rotation, let period = rotation.period, rotation.strength > Self.minimumStrength,
      rotation.regularity > Self.minimumRegularity
    else { return nil }
    (self.period, regularity, planarity) = (period, rotation.regularity, rotation.planarity)
  }

  /// The minimum root mean square of the rotation rate, in rad/s: a limb that swings by 5 degrees to each side in a
  /// second. From 0.3 to 0.8 rad/s the counts hardly change.
  private static let minimumStrength = 0.5
  /// The minimum regularity of a swing that confirms the period of the acceleration.
  private static let minimumRegularity = 0.5
  /// The minimum regularity of a swing that contradicts the acceleration.
  private static let firmRegularity = 0.7
  /// The maximum difference between equal periods, as a fraction: one cell of a step, and the change of a gait in 5 s.
  private static let tolerance = 0.12
  /// The periods of strides, in seconds: 1.4 to 3.3 steps per second. Slower arms exercise or gesture.
  static let strides = 0.6...1.4
  /// The minimum period of a walker's stride, in seconds: at most 2.5 steps per second.
  private static let shortestWalkingStride = 0.8
  /// The maximum planarity of a leg or a forearm of a walker, which also rotates about its length with the pelvis:
  /// 0.5 to 0.78. Cranks, exercises and gestures rotate about one axis: 0.74 to 0.95.
  private static let maximumPlanarity = 0.8
  /// The maximum regularity of the rotation of a hand that is moved on purpose.
  private static let gestureRegularity = 0.5
  /// The maximum root mean squares of the rotation rate of a walker's and a runner's limb, in rad/s.
  private static let fastestLimbs = (walking: 4.5, running: 7.5)
  /// The maximum root mean square of the rotation rate of a device that nods about one axis at each step, in rad/s: 7
  /// degrees to each side at 2 Hz. From 0.9 to 1.2 rad/s the counts hardly change.
  private static let strongestNod = 1.0
  /// The minimum cadence of a run, in steps per second.
  static let slowestRun = 2.1

  /// Whether the swing is regular enough to contradict the acceleration.
  var isFirm: Bool { regularity > Self.firmRegularity }

  /// Whether the period can be the period of a stride.
  var isStride: Bool { Self.strides.contains(period) }

  /// Whether the device rotates about several axes, like the limb of a walker.
  var hasManyAxes: Bool { planarity < Self.maximumPlanarity }

  /// Whether a period in seconds is the period of the swing.
  func agrees(with other: Double) -> Bool { abs(other - period) <= Self.tolerance * period }

  /// Whether a stride in seconds is the period of the swing or half of it.
  ///
  /// - Parameter isStrong: Whether the motion is as strong as running. Otherwise a quick rotation is not a stride, but
  ///   the nod of a device at each step of a slow walk.
  func confirms(stride: Double, isStrong: Bool) -> Bool {
    (isStrong || stride > Self.shortestWalkingStride) && (agrees(with: stride) || agrees(with: 2 * stride))
  }

  /// Whether a hand or a crank rotates the device, and not a limb that steps: faster than a limb, or about one axis
  /// once per beat. A limb swings once per two steps.
  ///
  /// - Parameter cadence: The cadence in steps per second, or `nil` if there are no steps.
  static func isGesture(_ rotation: RotationMeasure?, cadence: Double?) -> Bool {
    guard let rotation, rotation.regularity > gestureRegularity else { return false }
    if rotation.strength > ((cadence ?? 0) < slowestRun ? fastestLimbs.walking : fastestLimbs.running) { return true }
    guard let cadence, let period = rotation.period else { return false }
    return rotation.strength > strongestNod && rotation.planarity > maximumPlanarity
      && abs(period * cadence - 1) <= tolerance
  }
}
