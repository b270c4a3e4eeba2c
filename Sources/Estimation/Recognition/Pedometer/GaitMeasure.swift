/// What the last 2.56 s look like, as far as it tells steps from other motion.
struct GaitMeasure: Sendable, Codable, Equatable {
  /// In whose cells it was measured.
  var pace: GaitPace
  /// From step to step, in cells.
  var period: Double
  /// Correlation of the signal with itself one step and two steps before, −1 to 1.
  var stepCorrelation: Double
  var strideCorrelation: Double
  /// Root mean square of the acceleration's magnitude around the frequency of steps, g.
  var amplitude: Double
  /// Standard deviation of the magnitude, g.
  var strength: Double
  /// The magnitude's share of the acceleration's standard deviation, 0 to 1: small where the device turns and little
  /// else happens.
  var share: Double
  /// Length of the mean acceleration, g: 1 where the device keeps its direction, less the more it turns.
  var steadiness: Double
  /// Third standardised moment of the magnitude.
  var skewness: Double

  /// Two legs need not do the same: a device in a pocket sees its own leg's steps better.
  var regularity: Double { max(stepCorrelation, strideCorrelation) }

  /// Seconds.
  var periodInSeconds: Double { period * pace.cell }

  /// g s²: proportional to how far the body goes up and down at each step, if steps are what this is.
  var bob: Double { amplitude * periodInSeconds * periodInSeconds }
}

/// Limits between steps and other motion.
///
/// Each is where walking and running end in the recordings of development (`steps`, `tyrex`, `activity`, `indoor-walks`),
/// with a margin; only of shaking, steering and gestures (`shake`) other motion was looked at, too.
enum GaitRule {
  /// Whether this can be a step's motion. A bout's beginning has to be clearer than its going on.
  ///
  /// - Parameters:
  ///   - isWalking: whether a bout is under way.
  ///   - goesOn: the same, or something else says that somebody walks: the motion need not repeat itself as well then, but
  ///     still has to be a step's.
  static func holds(
    _ measure: GaitMeasure, isWalking: Bool, goesOn: Bool, _ parameters: Pedometer.Parameters
  ) -> Bool {
    guard isPossible(measure, isWalking: isWalking, parameters) else { return false }
    if measure.pace == .slow { return isSlow(measure, goesOn: goesOn) }
    if isGentle(measure, goesOn: goesOn) { return true }
    return measure.amplitude > parameters.minimumAmplitude
      && measure.regularity > (goesOn ? parameters.keptRegularity : parameters.startRegularity)
      && measure.stepCorrelation > -0.1
      && bobs.contains(measure.bob) && !isFastAndWeak(measure)
  }

  /// What of it does not need the period.
  static func isPossible(_ measure: GaitMeasure, isWalking: Bool, _ parameters: Pedometer.Parameters) -> Bool {
    let isSlow = measure.pace == .slow
    return measure.amplitude > (isSlow ? leastAmplitude : min(parameters.minimumAmplitude, gentleAmplitude))
      && measure.skewness > minimumSkewness && measure.share > (isSlow ? 0.4 : isWalking ? 0.36 : 0.45)
      && measure.steadiness > (isWalking && !isSlow ? 0.82 : 0.9)
  }

  /// Whether there is enough motion, and not all of it turning, for a period to be looked for.
  static func isConceivable(_ measure: GaitMeasure) -> Bool {
    measure.amplitude > (measure.pace == .slow ? leastAmplitude : gentleAmplitude) && measure.skewness > -0.9
      && measure.share > 0.36
  }

  /// How well a motion repeats itself, 0 where it cannot be a gait.
  static func repetition(_ measure: GaitMeasure) -> Double {
    guard isConceivable(measure), measure.stepCorrelation > -0.1,
      measure.pace == .ordinary || slowPeriods.contains(measure.periodInSeconds)
    else { return 0 }
    return measure.regularity
  }

  /// g s². A centre of mass that goes up and down by 5 cm, as a sine, has 0.046 (9.81 m/s² a g); gestures of the arm go far
  /// beyond.
  private static let bobs = 0.01...0.3

  /// Feet that meet the ground push up for a short time, so that the magnitude is not skewed downwards; pedals turn.
  private static let minimumSkewness = -0.65

  /// A slow walk with the device held before the eyes, which takes up half of the body's rise and fall: it is weaker than
  /// much other motion, but slow, every step is like the last, and the device keeps its direction.
  private static func isGentle(_ measure: GaitMeasure, goesOn: Bool) -> Bool {
    measure.amplitude > gentleAmplitude && measure.periodInSeconds >= slowestOrdinary
      && gentleBobs.contains(measure.bob) && measure.steadiness > 0.95 && measure.share > 0.45
      && measure.stepCorrelation > 0.4 && measure.regularity > (goesOn ? 0.6 : 0.7)
  }

  /// A slow walk: over twice the time less of a repetition is as sure. Nothing quicker, as other motion is, can be one.
  private static func isSlow(_ measure: GaitMeasure, goesOn: Bool) -> Bool {
    slowPeriods.contains(measure.periodInSeconds) && gentleBobs.contains(measure.bob)
      && measure.stepCorrelation > (goesOn ? 0.1 : 0.3) && measure.regularity > (goesOn ? 0.38 : 0.6)
  }

  /// Seconds: 0.71 to 1.67 steps a second.
  private static let slowPeriods = slowestOrdinary...1.4
  /// g, root mean square, of a slow walk: some six times what a phone's noise has there.
  static let leastAmplitude = 0.008
  /// g, root mean square: ten times what a phone's noise has around the frequency of steps.
  static let gentleAmplitude = 0.012
  /// Seconds: 1.67 steps a second and less.
  private static let slowestOrdinary = 0.6
  /// g s², from 2 mm of rise and fall on, as a sine.
  private static let gentleBobs = 0.006...0.3

  /// Quick steps are strong steps: 2.15 steps a second with less than 0.1 g are vibration, or pedals.
  private static func isFastAndWeak(_ measure: GaitMeasure) -> Bool {
    measure.periodInSeconds < 1 / 2.15 && measure.amplitude < 0.1
  }
}
