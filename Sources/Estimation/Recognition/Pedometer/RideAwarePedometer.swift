public import InertialSensors

/// A pedometer and an activity classifier that use each other's results.
///
/// The classifier uses the pedometer's evidence of gait: there is no walking without steps. The pedometer uses the
/// classifier's measure of the rotation, with which it distinguishes strides from steps, and its rides: like
/// `CMPedometer`, it counts no steps during cycling or in a vehicle. Pedals turn as regularly as feet step; see
/// `VehicleRules` for the distinction. The classifier needs some seconds, in which the first turns of the pedals may be
/// counted. Reported steps are not withdrawn.
public struct RideAwarePedometer: Sendable, Codable {
  /// The minimum probability of cycling and vehicle together at which no steps are counted live. A walk that is
  /// classified as a ride would lose all steps, whereas a missed ride gains some steps.
  private static let ridingProbability = 0.95
  /// The minimum sample rate for the live detection of a ride, in Hz.
  private static let minimumRate = 20.0

  /// The pedometer, with the steps counted so far.
  public private(set) var pedometer: Pedometer
  package private(set) var classifier: ActivityClassifier
  /// Whether steps are also found in rides, to be removed once all rides are known; see
  /// `PedometerHistory.leavingOut`.
  private let countsInRides: Bool
  private var revision = 0
  private var isRiding = false
  /// The number of samples since the last activity, and its time in seconds.
  private var sampleCount = 0
  private var activityTime = -Double.infinity

  /// Creates a pedometer without any steps.
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

  /// Adds a sample and returns the new outputs, usually none. See `Pedometer` and `ActivityClassifier` for the
  /// required content.
  public mutating func update(_ sample: MotionSample) -> [PedometerOutput] { take(sample).steps }

  /// Adds a sample and returns the activity if it has changed, every 2.56 s, and the outputs of the pedometer.
  package mutating func take(_ sample: MotionSample) -> (activity: MotionActivity?, steps: [PedometerOutput]) {
    let outputs = pedometer.update(sample)
    if pedometer.revision != revision {
      revision = pedometer.revision
      classifier.note(pedometer.gait)
    }
    sampleCount += 1
    let activity = classifier.update(sample)
    if let activity { listen(to: activity, at: sample.time) }
    if classifier.hasEvidence, let evidence = classifier.evidence { pedometer.note(evidence.rotation) }
    pedometer.isRiding = isRiding
    return (activity, outputs)
  }

  private mutating func listen(to activity: MotionActivity, at time: Double) {
    let rate = Double(sampleCount) / (time - activityTime)
    (sampleCount, activityTime) = (0, time)
    guard !countsInRides else { return }
    let probability = activity.probabilities.cycling + activity.probabilities.automotive
    isRiding = probability >= Self.ridingProbability && rate >= Self.minimumRate
  }

  /// Adds a horizontal speed, in m/s, which distinguishes vehicles from walking.
  public mutating func update(speed: Double, at time: Double) { classifier.update(speed: speed, at: time) }

  /// Adds an air pressure, in kPa; see `ActivityClassifier`.
  package mutating func update(pressure: Double, at time: Double) { classifier.update(pressure: pressure, at: time) }

  /// Declares a motion of the device that does not belong to any activity; see `ActivityClassifier`.
  package mutating func noteOtherMotion(at time: Double) { classifier.noteOtherMotion(at: time) }

  /// Ends the input; see `Pedometer`.
  public mutating func finish() -> [PedometerOutput] { pedometer.finish() }

  /// Adds walked floors, detected by an altimeter; see `Pedometer`.
  public mutating func addFloors(ascended: Int, descended: Int) {
    pedometer.addFloors(ascended: ascended, descended: descended)
  }
}

extension ActivityFlags {
  /// Whether the person is carried on wheels.
  package var isRide: Bool { contains(.cycling) || contains(.automotive) }
}
