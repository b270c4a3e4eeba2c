package import InertialSensors

/// Classifies activities and counts steps in a stream, using its shakes, air pressure and speed.
///
/// All activity and step outputs come from this type, so that they agree with each other.
package struct ActivityPass: Sendable, Codable {
  /// The interval at which a shake is declared to the classifier, in seconds.
  private static let shakeInterval = 0.05

  private var walker: RideAwarePedometer
  /// The detector of shakes, or `nil` if the caller adds them.
  private var shakes: ShakeDetector<ReferenceRule>?
  private var isShaking = false
  private var reportedShake = -Double.infinity
  /// The activities of the past.
  package private(set) var history: ActivityHistory

  /// The auxiliary channels that are used in addition to the motion, if present.
  package static let channels: Set<AuxiliaryChannel> = [.barometer, .location]

  /// - Parameters:
  ///   - countsInRides: Whether steps are also found in rides, to be removed once all rides are known.
  ///   - detectsShakes: Whether shakes are detected here, and not added by the caller with the samples.
  package init(
    _ classifier: ActivityClassifier = ActivityClassifier(), pedometer: Pedometer.Parameters = Pedometer.Parameters(),
    countsInRides: Bool = true, detectsShakes: Bool = true
  ) {
    walker = RideAwarePedometer(parameters: pedometer, classifier: classifier, countsInRides: countsInRides)
    history = ActivityHistory(parameters: classifier.parameters, hasPedometer: true)
    shakes = detectsShakes ? ShakeDetector() : nil
  }

  package var classifier: ActivityClassifier { walker.classifier }

  package var pedometer: Pedometer { walker.pedometer }

  /// Adds a sample and returns the activity if it has changed, and every 2.56 s.
  package mutating func update(_ sample: MotionSample) -> MotionActivity? { take(sample).activity }

  /// Adds a sample and returns the activity if it has changed, and every 2.56 s, and the outputs of the pedometer,
  /// usually none.
  ///
  /// - Parameter shake: The event of the reference detector at this sample, if shakes are not detected here.
  package mutating func take(
    _ sample: MotionSample, shake: GestureEvent? = nil
  ) -> (activity: MotionActivity?, steps: [PedometerOutput]) {
    if let event = shakes?.update(sample) ?? shake {
      note(event, at: sample.time)
    } else if isShaking {
      reportShake(from: sample.time, to: sample.time)
    }
    let result = walker.take(sample)
    history.lastTime = sample.time
    keep(result.steps)
    if walker.classifier.hasEvidence, let evidence = walker.classifier.evidence { history.append(evidence) }
    return result
  }

  /// Adds an event of the reference detector at a time in seconds.
  package mutating func note(_ shake: GestureEvent, at time: Double) {
    isShaking = shake.phase == .began
    // A shake is detected half a second after its start.
    if isShaking { reportShake(from: shake.start, to: time) }
  }

  private mutating func reportShake(from start: Double, to end: Double) {
    var time = max(start, reportedShake + Self.shakeInterval)
    while time <= end {
      walker.noteOtherMotion(at: time)
      reportedShake = time
      time += Self.shakeInterval
    }
  }

  private mutating func keep(_ outputs: [PedometerOutput]) {
    for case .step(let step) in outputs { history.append(step: step.time) }
  }

  package mutating func add(_ sample: AuxiliarySample) {
    switch sample.channel {
    case .barometer: walker.update(pressure: sample["pressure"], at: sample.time)
    case .location: walker.update(speed: sample["speed"], at: sample.time)
    default: break
    }
  }

  /// Adds walked floors, detected by an altimeter; see `Pedometer`.
  package mutating func addFloors(ascended: Int, descended: Int) {
    walker.addFloors(ascended: ascended, descended: descended)
  }

  /// Ends the input and returns the last outputs of the pedometer.
  package mutating func finish() -> [PedometerOutput] {
    let outputs = walker.finish()
    keep(outputs)
    return outputs
  }
}
