public import Sensors

/// The pedometer beside the activity classifier: counts no steps while somebody cycles or is in a vehicle, as CMPedometer
/// does.
///
/// Pedals turn as regularly as feet step. The classifier needs some seconds to tell them apart, so that the first turns may
/// be counted; what has been told stays.
public struct RideAwarePedometer: Sendable {
  /// Of cycling and being in a vehicle together, from which nothing is counted: the classifier's medium confidence.
  private static let ridingProbability = 0.75

  public private(set) var pedometer: Pedometer
  private var classifier = ActivityClassifier()

  public init(parameters: Pedometer.Parameters = Pedometer.Parameters()) {
    pedometer = Pedometer(parameters: parameters)
  }

  /// Takes a sample; what it leads to, mostly nothing. See `Pedometer` and `ActivityClassifier` for what they need of it.
  public mutating func update(_ sample: MotionSample) -> [PedometerOutput] {
    if let activity = classifier.update(sample) {
      let probabilities = activity.probabilities
      pedometer.isRiding = probabilities.cycling + probabilities.automotive >= Self.ridingProbability
    }
    return pedometer.update(sample)
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
