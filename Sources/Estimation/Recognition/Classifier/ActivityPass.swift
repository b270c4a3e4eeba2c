package import InertialSensors

/// Activities and steps over a stream, with what else the stream tells: shakes, air pressure, speed.
///
/// Everything that tells of a person's activity or steps goes through here, so that all of it is one story.
package struct ActivityPass: Sendable {
  /// Seconds between two moments of a shake that the classifier is told of.
  private static let shakeInterval = 0.05

  private var walker: RideAwarePedometer
  private var shakes: ShakeDetector<ReferenceRule>
  private var isShaking = false
  private var toldShake = -Double.infinity
  /// What is known of the past.
  package private(set) var history: ActivityHistory

  /// What an activity is helped by, where the stream has it.
  package static let channels: Set<AuxiliaryChannel> = [.barometer, .location]

  /// - Parameter countsInRides: whether steps are found in rides, too, to be left out when all is known.
  package init(
    _ classifier: ActivityClassifier = ActivityClassifier(), pedometer: Pedometer.Parameters = Pedometer.Parameters(),
    countsInRides: Bool = true
  ) {
    walker = RideAwarePedometer(parameters: pedometer, classifier: classifier, countsInRides: countsInRides)
    history = ActivityHistory(parameters: classifier.parameters, hasPedometer: true)
    var options = GestureOptions()
    options.isOneShot = false
    shakes = ShakeDetector(options: options)
  }

  package var classifier: ActivityClassifier { walker.classifier }

  package var pedometer: Pedometer { walker.pedometer }

  /// The activity where it has changed, and each 2.56 s.
  package mutating func update(_ sample: MotionSample) -> MotionActivity? { take(sample).activity }

  /// The activity where it has changed, and each 2.56 s; what the pedometer tells, mostly nothing.
  package mutating func take(_ sample: MotionSample) -> (activity: MotionActivity?, steps: [PedometerOutput]) {
    if let event = shakes.update(sample) {
      isShaking = event.phase == .began
      // A shake is told of half a second after it has begun.
      if isShaking { tellShake(from: event.start, to: sample.time) }
    } else if isShaking {
      tellShake(from: sample.time, to: sample.time)
    }
    let result = walker.take(sample)
    keep(result.steps)
    if let evidence = walker.classifier.evidence { history.append(evidence) }
    return result
  }

  private mutating func tellShake(from start: Double, to end: Double) {
    var time = max(start, toldShake + Self.shakeInterval)
    while time <= end {
      walker.noteOtherMotion(at: time)
      toldShake = time
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

  /// Floors that were walked, from an altimeter: see `Pedometer`.
  package mutating func addFloors(ascended: Int, descended: Int) {
    walker.addFloors(ascended: ascended, descended: descended)
  }

  /// No more samples: what the pedometer tells at last.
  package mutating func finish() -> [PedometerOutput] {
    let outputs = walker.finish()
    keep(outputs)
    return outputs
  }
}
