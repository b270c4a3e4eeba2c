public import LinearAlgebra

/// A recursive attitude filter: timestamped samples of mixed rates in, an orientation with bias and flags out.
///
/// Conventions: time in seconds on one clock, rising; angular rate in rad/s with bias; acceleration in g with
/// Core Motion's sign (at rest it points down); field in µT without the device's own field. The earth frame has
/// Z up; X points to magnetic north where a field is used, else where the device's heading was at the start.
///
/// A filter is a copyable value: a copy is a snapshot, and `init(parameters:state:)` resumes from a saved state.
/// It never throws: a sample that is not finite or physically impossible is skipped and flagged.
public protocol AttitudeFilter: Sendable {
  /// What a user sets: physical units, independent of the sample rate.
  associatedtype Parameters: FilterParameters
  /// Everything that changes from sample to sample.
  associatedtype State: Sendable, Codable, Equatable

  /// The filter's name in commands, tables and saved states.
  static var name: String { get }

  init(parameters: Parameters)
  /// Resumes from a saved state: from there on the results are those of the uninterrupted run, bit for bit.
  init(parameters: Parameters, state: State)

  var parameters: Parameters { get }
  var state: State { get }

  /// Angular rate over the time since the previous gyroscope sample, rad/s in device axes, bias included.
  mutating func update(gyroscope: Vector3, at time: Double)
  /// Raw acceleration in g, device axes, Core Motion's sign.
  mutating func update(accelerometer: Vector3, at time: Double)
  /// Magnetic field in µT, device axes, hard iron removed.
  mutating func update(magneticField: Vector3, at time: Double)

  /// What is known after the last update; nil until the first valid accelerometer sample.
  var estimate: AttitudeEstimate? { get }
}

/// The parameters of a filter: a value with a default and a description of each number by name.
public protocol FilterParameters: Sendable, Codable, Equatable {
  init()
  /// Every number a user can set, with its unit, range and meaning.
  static var descriptions: [ParameterDescription<Self>] { get }
  /// What the earth frame's X axis is tied to.
  var headingReference: HeadingReference { get set }
}

/// What a filter with a magnetic field holds its X axis to.
public enum HeadingReference: String, Sendable, Codable, CaseIterable {
  /// X points to magnetic north.
  case magneticNorth
  /// X stays where it was when the field was first used: the field only stops the drift.
  case initialHeading
}

/// A parameter by name, for `--set`, tables and searches.
public struct ParameterDescription<Parameters>: Sendable {
  public let name: String
  public let unit: String
  public let range: ClosedRange<Double>
  /// What it is and what a bigger value does, in a sentence or two.
  public let meaning: String
  private let path: any WritableKeyPath<Parameters, Double> & Sendable

  public init(
    _ name: String, _ path: any WritableKeyPath<Parameters, Double> & Sendable, unit: String,
    range: ClosedRange<Double>, _ meaning: String
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    self.meaning = meaning
    self.path = path
  }

  public func value(in parameters: Parameters) -> Double { parameters[keyPath: path] }
  public func set(_ value: Double, in parameters: inout Parameters) { parameters[keyPath: path] = value }
}
