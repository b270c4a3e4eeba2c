public import Sensors

/// The pedometer beside the activity classifier: counts no steps while somebody cycles or is in a vehicle, as CMPedometer
/// does.
///
/// Pedals turn as regularly as feet step; what tells them apart is that feet jolt upwards when they meet the ground, and
/// that wheels shake faster than a person moves. A slow sensor shows neither, so that below 40 Hz everything is counted
/// that the pedometer finds. The classifier needs some seconds, in which the first turns may be counted; what has been told
/// stays.
public struct RideAwarePedometer: Sendable {
  /// Of cycling and being in a vehicle together, from which nothing is counted: the classifier's high confidence. A walk
  /// that is taken for a ride would lose everything, a ride that is not seen gains some steps.
  private static let ridingProbability = 0.95
  /// Hz, from which a ride can be seen.
  private static let leastRate = 40.0

  /// The pedometer inside, with what it has counted.
  public private(set) var pedometer: Pedometer
  private var classifier = ActivityClassifier()
  /// Samples since the last activity, and its time in seconds.
  private var sampleCount = 0
  private var activityTime = -Double.infinity

  /// A pedometer that has counted nothing yet.
  public init(parameters: Pedometer.Parameters = Pedometer.Parameters()) {
    pedometer = Pedometer(parameters: parameters)
  }

  /// Takes a sample; what it leads to, mostly nothing. See `Pedometer` and `ActivityClassifier` for what they need of it.
  public mutating func update(_ sample: MotionSample) -> [PedometerOutput] {
    sampleCount += 1
    if let activity = classifier.update(sample) { listen(to: activity, at: sample.time) }
    return pedometer.update(sample)
  }

  private mutating func listen(to activity: MotionActivity, at time: Double) {
    let rate = Double(sampleCount) / (time - activityTime)
    (sampleCount, activityTime) = (0, time)
    let probability = activity.probabilities.cycling + activity.probabilities.automotive
    pedometer.isRiding = probability >= Self.ridingProbability && rate >= Self.leastRate
  }

  /// Takes a speed over ground, m/s, where there is one: it tells vehicles from walks.
  public mutating func update(speed: Double, at time: Double) { classifier.update(speed: speed, at: time) }

  /// No more samples: see `Pedometer`.
  public mutating func finish() -> [PedometerOutput] { pedometer.finish() }

  /// Floors that were walked, from an altimeter: see `Pedometer`.
  public mutating func addFloors(ascended: Int, descended: Int) {
    pedometer.addFloors(ascended: ascended, descended: descended)
  }
}
