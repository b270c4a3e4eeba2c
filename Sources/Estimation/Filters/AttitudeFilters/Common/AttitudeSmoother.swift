public import InertialNumerics
internal import InertialSensors
package import InertialSystem

/// The offline form of a filter: samples in as they were recorded, estimates out late, each from what came after its
/// time as well as from what came before.
///
/// Conventions are those of `AttitudeFilter`. There is one estimate for every gyroscope sample that is not skipped, in
/// order of time.
public protocol AttitudeSmoother: Sendable {
  /// Angular rate over the time since the previous gyroscope sample, rad/s in device axes, bias included.
  mutating func update(gyroscope: Vector3, at time: Double)
  /// Raw acceleration in g, device axes, Core Motion's sign.
  mutating func update(accelerometer: Vector3, at time: Double)
  /// Magnetic field in µT, device axes, hard iron removed.
  mutating func update(magneticField: Vector3, at time: Double)
  /// No more samples will come: all estimates are final.
  mutating func finish()
  /// The next estimate that is final, or nil until more is known.
  mutating func next() -> TimedAttitudeEstimate?
}

extension AttitudeSmoother {
  /// The same, and it tells what its pass forward makes of each measurement; nil where it does not tell.
  package func reporting() -> (any AttitudeSmoother)? {
    guard var reporting = self as? any AttitudeSmoother & MeasurementReporting else { return nil }
    reporting.measurements = MeasurementLog()
    return reporting
  }
}

/// An offline form that puts on the disk what it does not need yet.
package protocol SpillingSmoother: AttitudeSmoother {
  /// Why there are no estimates any more, though there should be; nil where all is well.
  var failure: SpillError? { get }
}

/// An estimate and the gyroscope sample that it belongs to.
public struct TimedAttitudeEstimate: Sendable, Equatable {
  /// The gyroscope sample's stamp, seconds.
  public var time: Double
  /// What the filter makes of that time.
  public var estimate: AttitudeEstimate

  /// An estimate at a time of the samples' clock, seconds.
  public init(time: Double, estimate: AttitudeEstimate) {
    self.time = time
    self.estimate = estimate
  }
}

/// A filter that has an offline form with the same parameters, if not with the same values.
public protocol SmoothableFilter: AttitudeFilter {
  /// The offline form.
  associatedtype Smoother: AttitudeSmoother

  /// The offline form's own defaults.
  static var smoothingParameters: Parameters { get }

  /// The offline form at its start.
  static func smoother(parameters: Parameters) -> Smoother
}

extension SmoothableFilter {
  public static var smoothingParameters: Parameters { Parameters() }
}
