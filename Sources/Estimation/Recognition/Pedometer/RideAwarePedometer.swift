public import InertialSensors

/// The pedometer beside the activity classifier: each tells the other what it sees.
///
/// The classifier learns whether there is a gait: nobody walks without steps. The pedometer learns of rides: no steps are
/// counted while somebody cycles or is in a vehicle, as CMPedometer does. Pedals turn as regularly as feet step; see
/// `VehicleRules` for what tells them apart. The classifier needs some seconds, in which the first turns may be counted; what
/// has been told stays.
public struct RideAwarePedometer: Sendable {
  /// Of cycling and being in a vehicle together, from which live nothing is counted: the classifier's high confidence. A walk
  /// that is taken for a ride would lose everything, a ride that is not seen gains some steps.
  private static let ridingProbability = 0.95
  /// Hz, from which a ride can be seen live.
  private static let leastRate = 20.0

  /// The pedometer inside, with what it has counted.
  public private(set) var pedometer: Pedometer
  package private(set) var classifier: ActivityClassifier
  /// Whether steps are found in rides, too, to be left out when all is known; see `PedometerHistory.leavingOut`.
  private let countsInRides: Bool
  private var revision = 0
  private var isRiding = false
  /// Whether a hand turns the device faster than steps do.
  private var isGesture = false
  /// Samples since the last activity, and its time in seconds.
  private var sampleCount = 0
  private var activityTime = -Double.infinity
  /// The last window's end and period, where a limb swung in it; seconds.
  private var lastSwing: (end: Double, period: Double)?

  /// A pedometer that has counted nothing yet.
  public init(parameters: Pedometer.Parameters = Pedometer.Parameters()) {
    self.init(parameters: parameters, classifier: ActivityClassifier())
  }

  package init(
    parameters: Pedometer.Parameters = Pedometer.Parameters(), classifier: ActivityClassifier,
    countsInRides: Bool = false
  ) {
    pedometer = Pedometer(parameters: parameters)
    self.classifier = classifier
    self.countsInRides = countsInRides
  }

  /// Takes a sample; what it leads to, mostly nothing. See `Pedometer` and `ActivityClassifier` for what they need of it.
  public mutating func update(_ sample: MotionSample) -> [PedometerOutput] { take(sample).steps }

  /// Takes a sample: the activity where it has changed, each 2.56 s, and what the pedometer tells.
  package mutating func take(_ sample: MotionSample) -> (activity: MotionActivity?, steps: [PedometerOutput]) {
    var outputs = pedometer.update(sample)
    if pedometer.revision != revision {
      revision = pedometer.revision
      classifier.note(pedometer.gait)
    }
    sampleCount += 1
    let activity = classifier.update(sample)
    if let activity {
      listen(to: activity, at: sample.time)
      // Live the beginning of a ride may be told as a walk.
      pedometer.isSupported =
        countsInRides && activity.confidence != .low && !activity.flags.isDisjoint(with: [.walking, .running])
    }
    if let evidence = classifier.evidence {
      isGesture = evidence.isGesture
      outputs += swing(evidence)
    }
    pedometer.isRiding = isRiding || isGesture
    return (activity, outputs)
  }

  private mutating func listen(to activity: MotionActivity, at time: Double) {
    let rate = Double(sampleCount) / (time - activityTime)
    (sampleCount, activityTime) = (0, time)
    guard !countsInRides else { return }
    let probability = activity.probabilities.cycling + activity.probabilities.automotive
    isRiding = probability >= Self.ridingProbability && rate >= Self.leastRate
  }

  /// Steps of a limb that swings, where the pedometer finds none: in the window's first half, when it has had its time.
  private mutating func swing(_ evidence: ActivityEvidence) -> [PedometerOutput] {
    let before = lastSwing
    lastSwing = evidence.swing.map { (evidence.end, $0) }
    guard let period = evidence.swing, let before, classifier.activity?.flags.contains(.walking) ?? false,
      abs(before.period - period) < 0.2 * period
    else { return [] }
    // The turning is looked at over 5.12 s.
    return pedometer.addSwing(period: period, from: evidence.end - 6.4, to: evidence.end - 2.56)
  }

  /// Takes a speed over ground, m/s, where there is one: it tells vehicles from walks.
  public mutating func update(speed: Double, at time: Double) { classifier.update(speed: speed, at: time) }

  /// Takes an air pressure, kPa: see `ActivityClassifier`.
  package mutating func update(pressure: Double, at time: Double) { classifier.update(pressure: pressure, at: time) }

  /// Says that the device is moved in another way than any activity does: see `ActivityClassifier`.
  package mutating func noteOtherMotion(at time: Double) { classifier.noteOtherMotion(at: time) }

  /// No more samples: see `Pedometer`.
  public mutating func finish() -> [PedometerOutput] { pedometer.finish() }

  /// Floors that were walked, from an altimeter: see `Pedometer`.
  public mutating func addFloors(ascended: Int, descended: Int) {
    pedometer.addFloors(ascended: ascended, descended: descended)
  }
}

extension ActivityFlags {
  /// Whether somebody is carried by wheels.
  package var isRide: Bool { contains(.cycling) || contains(.automotive) }
}
