public import InertialNumerics
public import InertialSensors
package import InertialSystem

/// The offline form of a filter: it takes samples in recorded order and returns delayed estimates, each from the
/// samples before and after its time.
///
/// The conventions match `AttitudeFilter`. There is one estimate for every gyroscope sample that is not skipped,
/// in chronological order.
public protocol AttitudeSmoother: Sendable {
  /// Takes the angular rate over the time since the previous gyroscope sample, in rad/s in device axes, bias included.
  mutating func update(gyroscope: Vector3, at time: Double)
  /// Takes the raw acceleration in g, device axes, with Core Motion's sign.
  mutating func update(accelerometer: Vector3, at time: Double)
  /// Takes the magnetic field in µT, device axes, hard iron removed.
  mutating func update(magneticField: Vector3, at time: Double)
  /// Finishes the input: all estimates are then final.
  mutating func finish()
  /// Removes and returns the next final estimate, or `nil` if more samples are needed.
  mutating func next() -> TimedAttitudeEstimate?
}

extension AttitudeSmoother {
  /// Returns the same smoother with the reporting of measurement outcomes in its forward pass, or `nil` if it does not
  /// support reporting.
  package func reporting() -> (any AttitudeSmoother)? {
    guard var reporting = self as? any AttitudeSmoother & MeasurementReporting else { return nil }
    reporting.measurements = MeasurementLog()
    return reporting
  }
}

/// An offline form that stores data on disk until it is needed.
package protocol SpillingSmoother: AttitudeSmoother {
  /// The error that prevents further estimates, or `nil` without an error.
  var failure: SpillError? { get }
}

/// An estimate with the time of its gyroscope sample.
public struct TimedAttitudeEstimate: Sendable, Equatable {
  /// The gyroscope sample's timestamp, in seconds.
  public var time: Double
  /// The filter's estimate at that time.
  public var estimate: AttitudeEstimate
  /// The measurement outcomes of the forward pass up to that time, each once, or `nil` if they were not requested
  /// (`MeasurementReporting`) or the filter does not report them.
  public var outcomes: [MeasurementOutcome]?

  /// Creates an estimate at a time of the samples' clock, in seconds.
  public init(time: Double, estimate: AttitudeEstimate, outcomes: [MeasurementOutcome]? = nil) {
    (self.time, self.estimate, self.outcomes) = (time, estimate, outcomes)
  }
}

/// A filter with an offline form that has the same parameters.
public protocol SmoothableFilter: AttitudeFilter {
  /// The offline form.
  associatedtype Smoother: AttitudeSmoother

  /// Returns the offline form at its start.
  static func smoother(parameters: Parameters) -> Smoother
}
