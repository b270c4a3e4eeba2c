public import InertialNumerics
package import InertialSensors

/// A recursive attitude filter. It estimates orientation, bias and flags from timestamped samples of mixed rates.
///
/// Conventions: time in seconds on one clock, rising; angular rate in rad/s with bias; acceleration in g with Core
/// Motion's sign (at rest it points down); field in µT without hard iron. The earth frame has Z up; X points to
/// magnetic north if a field is used, otherwise along the device's heading at the start.
///
/// A filter is a copyable value: a copy is a snapshot, and `init(parameters:state:)` resumes from a saved state. It
/// never throws: a sample that is not finite or physically impossible is skipped and flagged.
public protocol AttitudeFilter: Sendable {
  /// The settings for users: in physical units, independent of the sample rate.
  associatedtype Parameters: FilterParameters
  /// The complete state that changes from sample to sample.
  associatedtype State: Sendable, Codable, Equatable

  /// The filter's name in commands, tables and saved states.
  static var name: String { get }
  /// A description in one sentence, for tables; empty by default.
  static var summary: String { get }
  /// The publication of the filter's mathematics; empty by default.
  static var source: String { get }
  /// The kinds of input and output of the filter.
  static var traits: FilterTraits { get }

  /// Creates a filter at its start.
  init(parameters: Parameters)
  /// Creates a filter that resumes from a saved state: its results equal those of an uninterrupted run, bit for bit.
  init(parameters: Parameters, state: State)

  /// The parameters of the filter.
  var parameters: Parameters { get }
  /// The complete state; with the parameters, it resumes the filter.
  var state: State { get }

  /// Takes the angular rate over the time since the previous gyroscope sample, in rad/s in device axes, bias included.
  mutating func update(gyroscope: Vector3, at time: Double)
  /// Takes the raw acceleration in g, device axes, with Core Motion's sign.
  mutating func update(accelerometer: Vector3, at time: Double)
  /// Takes the magnetic field in µT, device axes, hard iron removed.
  mutating func update(magneticField: Vector3, at time: Double)
  /// Takes a change of the field's calibration; by default, it has no effect.
  ///
  /// - Parameter change: The hard iron that was not subtracted from earlier fields and is from now on, in µT, in device
  ///   axes.
  mutating func recalibrateField(by change: Vector3)
  /// Takes the samples of one epoch, for logs that have them in one row.
  ///
  /// The result equals that of the three updates in this order and `endEpoch`, bit for bit, and may take less time.
  ///
  /// - Parameters:
  ///   - gyroscope: The rotation rate, in rad/s, in device axes, bias included.
  ///   - accelerometer: The acceleration, in g, in device axes, with Core Motion's sign.
  ///   - magneticField: The field, in µT, in device axes, or `nil` if the row has no field.
  ///   - time: The time of the epoch, in seconds.
  mutating func update(gyroscope: Vector3, accelerometer: Vector3, magneticField: Vector3?, at time: Double)
  /// Marks the epoch of the last update as complete, so that a filter does not wait for more of its samples. A later
  /// sample has the same effect. Without this call estimates are the same, but the step is computed twice.
  mutating func endEpoch()

  /// The estimate after the last update, or `nil` before the first valid accelerometer sample.
  var estimate: AttitudeEstimate? { get }
  /// Whether the heading uses the magnetic field: `false` while a filter has received fields without having aligned to
  /// them, `true` by default.
  var followsFields: Bool { get }
}

extension AttitudeFilter {
  public static var summary: String { "" }
  public static var source: String { "" }

  public mutating func update(gyroscope: Vector3, accelerometer: Vector3, magneticField: Vector3?, at time: Double) {
    update(gyroscope: gyroscope, at: time)
    update(accelerometer: accelerometer, at: time)
    if let magneticField { update(magneticField: magneticField, at: time) }
    endEpoch()
  }

  public mutating func endEpoch() {}

  public var followsFields: Bool { true }

  public mutating func recalibrateField(by change: Vector3) {}

  /// The measurement outcomes since the second-to-last gyroscope sample, or `nil` if they were not requested
  /// (`MeasurementReporting`) or the filter does not report them.
  package var outcomes: [MeasurementOutcome]? { (self as? any MeasurementReporting)?.measurements?.outcomes }

  /// Returns the same filter with the reporting of measurement outcomes, or `nil` if it does not support reporting.
  package func reporting(_ log: MeasurementLog = MeasurementLog()) -> (any AttitudeFilter)? {
    guard var reporting = self as? any AttitudeFilter & MeasurementReporting else { return nil }
    reporting.measurements = log
    return reporting
  }
}
