/// The properties of the last window (2.56 s at the ordinary pace) that distinguish steps from other motion.
struct GaitMeasure: Sendable, Codable, Equatable {
  /// The pace whose cells were measured.
  var pace: GaitPace
  /// The step period, in cells.
  var period: Double
  /// The autocorrelation at a lag of one step and of two steps, −1...1.
  var stepCorrelation: Double
  var strideCorrelation: Double
  /// The root mean square of the magnitude of the acceleration around the step frequency, in g.
  var amplitude: Double
  /// The standard deviation of the magnitude, in g.
  var strength: Double
  /// The magnitude's fraction of the standard deviation of the acceleration, 0...1: small if the device mainly
  /// rotates.
  var fraction: Double
  /// The norm of the mean acceleration, in g: 1 if the orientation is constant, less if the device rotates.
  var steadiness: Double
  /// The third standardised moment of the magnitude.
  var skewness: Double
  /// The swing of the limb that carries the device, or `nil` if it does not swing.
  var swing: LimbSwing?

  /// The larger of both correlations. The two legs can differ: a device in a pocket senses the steps of its own leg
  /// better.
  var regularity: Double { max(stepCorrelation, strideCorrelation) }

  /// The step period, in seconds.
  var periodInSeconds: Double { period * pace.cell }

  /// Whether the magnitude is as strong as that of running.
  var isStrong: Bool { strength > 0.35 }

  /// Whether the gyroscope confirms the period.
  var isConfirmed: Bool { swing?.confirms(stride: 2 * periodInSeconds, isStrong: isStrong) ?? false }

  /// A value proportional to the vertical movement of the body per step, if the motion is gait, in g s².
  var bob: Double { amplitude * periodInSeconds * periodInSeconds }

  /// The keys of saved values, which keep their names.
  private enum CodingKeys: String, CodingKey {
    case pace, period, stepCorrelation, strideCorrelation, amplitude, strength, fraction = "share", steadiness
    case skewness, swing
  }
}

/// The limits between steps and other motion.
///
/// Each limit encloses walking and running in the development recordings (`steps`, `tyrex`, `activity`,
/// `indoor-walks`) with a margin. The only other motions considered were shaking, steering and gestures (`shake`).
enum GaitRule {
  /// Whether a measure can be gait. The start of a bout has to be clearer than its continuation.
  ///
  /// - Parameters:
  ///   - isWalking: Whether a bout is in progress.
  ///   - goesOn: Whether a bout is in progress or has ended recently. The motion then needs less regularity, but must
  ///     still be possible as a step.
  static func holds(
    _ measure: GaitMeasure, isWalking: Bool, goesOn: Bool, _ parameters: Pedometer.Parameters
  ) -> Bool {
    guard isPossible(measure, isWalking: isWalking, parameters), !isWholeStride(measure) else { return false }
    if measure.pace == .slow { return isSlow(measure, goesOn: goesOn) }
    if isGentle(measure, goesOn: goesOn) { return true }
    return measure.amplitude > parameters.minimumAmplitude
      && measure.regularity > (goesOn ? parameters.keptRegularity : parameters.startRegularity)
      && (measure.stepCorrelation > -0.1 || isLimb(measure))
      && bobs.contains(measure.bob) && !isFastAndWeak(measure)
  }

  /// Whether a measure can be gait according to the criteria that do not need the period.
  static func isPossible(_ measure: GaitMeasure, isWalking: Bool, _ parameters: Pedometer.Parameters) -> Bool {
    let isSlow = measure.pace == .slow
    return measure.amplitude > (isSlow ? minimumAmplitude : min(parameters.minimumAmplitude, gentleAmplitude))
      && (measure.skewness > minimumSkewness || hangs(measure))
      && (isLimb(measure)
        || measure.fraction > (isSlow ? 0.4 : isWalking ? 0.36 : 0.45)
          && measure.steadiness > (isWalking && !isSlow ? 0.82 : 0.9))
  }

  /// Whether there is enough motion other than rotation to search for a period.
  static func isConceivable(_ measure: GaitMeasure) -> Bool {
    measure.amplitude > (measure.pace == .slow ? minimumAmplitude : gentleAmplitude)
      && (measure.skewness > -0.9 || hangs(measure)) && (measure.fraction > 0.36 || measure.swing != nil)
  }

  /// Whether the device is on a swinging limb of a walker, by the gyroscope. The limb's rotation may then exceed its
  /// steps, and one of two beats per swing may be missing.
  private static func isLimb(_ measure: GaitMeasure) -> Bool {
    guard let swing = measure.swing, measure.isConfirmed, LimbSwing.strides.contains(2 * measure.periodInSeconds)
    else { return false }
    return swing.hasManyAxes && measure.stepCorrelation > minimumLimbCorrelation || hangs(measure)
  }

  /// Whether the device hangs on an arm that swings about several axes, as a walker's does: however fast, it is no
  /// gesture.
  static func isOnArm(_ measure: GaitMeasure) -> Bool { hangs(measure) && measure.swing?.hasManyAxes ?? false }

  /// Whether the device hangs on a swinging arm: the centripetal acceleration adds to gravity in every swing. It also
  /// skews the magnitude downwards. Exercises and gestures have changing directions.
  private static func hangs(_ measure: GaitMeasure) -> Bool {
    guard let swing = measure.swing else { return false }
    return swing.isFirm && swing.isStride && measure.steadiness > minimumCentripetal
  }

  /// Whether the apparent slow step is a whole stride, with one beat per swing.
  private static func isWholeStride(_ measure: GaitMeasure) -> Bool {
    measure.pace == .slow && measure.swing?.agrees(with: measure.periodInSeconds) ?? false
  }

  /// Whether the device keeps its orientation and no hand moves it: the acceleration varies by less than 0.4 g in all
  /// directions together. From 0.3 to 0.5 g the counts hardly change.
  static func isSteady(_ measure: GaitMeasure) -> Bool {
    measure.steadiness > 0.97 && measure.strength < 0.4 * measure.fraction
  }

  /// Replaces the period of the acceleration with the period of the swing if the acceleration has another period or
  /// none: at a low sample rate, jolts alias to slower motion.
  static func followSwing(_ measure: inout GaitMeasure, _ parameters: Pedometer.Parameters) {
    guard let swing = measure.swing, measure.pace == .ordinary, swing.isFirm, swing.isStride, swing.hasManyAxes,
      swing.confirms(stride: swing.period, isStrong: measure.isStrong), measure.strength > minimumJolts,
      measure.regularity < parameters.keptRegularity || !measure.isConfirmed
    else { return }
    measure.period = swing.period / (2 * measure.pace.cell)
    (measure.stepCorrelation, measure.strideCorrelation) = (0, swing.regularity)
  }

  /// The range of `bob`, in g s². A centre of mass that moves up and down by 5 cm, as a sine, has 0.046 (9.81 m/s²
  /// per g). Arm gestures are far above the range.
  private static let bobs = 0.01...0.3

  /// The minimum skewness. Feet push upwards for a short time at contact, so the magnitude is not skewed downwards;
  /// it can be with pedalling.
  private static let minimumSkewness = -0.65

  /// The minimum correlation at a lag of one step on a swinging limb. A pure swing, without steps, has −1.
  private static let minimumLimbCorrelation = -0.6
  /// The minimum norm of the mean acceleration on a hanging, swinging arm, in g: 0.1 g are 1.4 rad/s at 0.5 m. A
  /// factory calibration is within 3 %.
  private static let minimumCentripetal = 1.1
  /// The minimum standard deviation of the magnitude on a limb that steps, in g.
  private static let minimumJolts = 0.25

  /// Whether a measure is a slow walk with the device held before the eyes. The arm absorbs half of the body's
  /// vertical movement, so the motion is weaker than much other motion. But it is slow, every step resembles the
  /// last, and the device keeps its orientation.
  private static func isGentle(_ measure: GaitMeasure, goesOn: Bool) -> Bool {
    measure.amplitude > gentleAmplitude && measure.periodInSeconds >= slowestOrdinary
      && gentleBobs.contains(measure.bob) && measure.steadiness > 0.95 && measure.fraction > 0.45
      && measure.stepCorrelation > 0.4 && measure.regularity > (goesOn ? 0.6 : 0.7)
  }

  /// Whether a measure is a slow walk. Over twice the duration, a lower regularity is as certain. Quicker motion,
  /// which includes most other motion, is excluded.
  private static func isSlow(_ measure: GaitMeasure, goesOn: Bool) -> Bool {
    slowPeriods.contains(measure.periodInSeconds) && gentleBobs.contains(measure.bob)
      && measure.stepCorrelation > (goesOn ? 0.1 : 0.3) && measure.regularity > (goesOn ? 0.38 : 0.6)
  }

  /// The step periods of a slow walk, in seconds: 0.71 to 1.67 steps per second.
  private static let slowPeriods = slowestOrdinary...1.4
  /// The minimum root mean square of a slow walk, in g: about six times a phone's noise in this band.
  static let minimumAmplitude = 0.008
  /// The minimum root mean square of a gentle walk, in g: ten times a phone's noise around the step frequency.
  static let gentleAmplitude = 0.012
  /// The minimum step period of a slow or gentle walk, in seconds: at most 1.67 steps per second.
  private static let slowestOrdinary = 0.6
  /// The range of `bob` of a slow or gentle walk, in g s², from 2 mm of vertical movement, as a sine.
  private static let gentleBobs = 0.006...0.3

  /// Whether a motion is too weak for its cadence. Quick steps are strong: more than 2.15 steps per second with less
  /// than 0.1 g are vibration or pedalling.
  private static func isFastAndWeak(_ measure: GaitMeasure) -> Bool {
    measure.periodInSeconds < 1 / 2.15 && measure.amplitude < 0.1
  }
}
