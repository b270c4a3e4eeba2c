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

  /// Returns the same filter with the reporting of measurement outcomes, or `nil` if it does not support reporting.
  package func reporting(_ log: MeasurementLog = MeasurementLog()) -> (any AttitudeFilter)? {
    guard var reporting = self as? any AttitudeFilter & MeasurementReporting else { return nil }
    reporting.measurements = log
    return reporting
  }
}

/// The parameters of a filter: values with defaults, and a description of each by name.
public protocol FilterParameters: Sendable, Codable, Equatable {
  /// The defaults.
  init()
  /// All numbers that users can set, with units, ranges and meanings.
  static var descriptions: [ParameterDescription<Self>] { get }
  /// The gains by their names in the literature, each a function of the numbers above; set after them, in this order.
  static var classicalNames: [ParameterDescription<Self>] { get }
  /// The reference of the earth frame's X axis.
  var headingReference: HeadingReference { get set }
}

extension FilterParameters {
  public static var classicalNames: [ParameterDescription<Self>] { publishedNames }

  /// The names in the literature that are in the descriptions.
  static var publishedNames: [ParameterDescription<Self>] { descriptions.compactMap(\.published) }
}

/// The reference of the X axis of a filter with a magnetic field.
public enum HeadingReference: String, Sendable, Codable, CaseIterable {
  /// X points to magnetic north.
  case magneticNorth
  /// X keeps the heading it had when the field was first used: the field only prevents drift.
  case initialHeading
}

/// A parameter by name, for `--set`, tables and searches.
public struct ParameterDescription<Parameters>: Sendable {
  /// The name for `--set`.
  public let name: String
  /// The unit of the values, or "word" for a choice.
  public let unit: String
  /// The range of valid values, in `unit`.
  public let range: ClosedRange<Double>
  /// The meaning of the parameter and the effect of a larger value, in one or two sentences.
  public let meaning: String
  /// The words for the values 0, 1, ... of a choice; empty for a number.
  package let words: [String]
  /// The name in the literature, and the literature's unit as a multiple of the parameter's unit.
  private var alias: (name: String, unit: String, scale: Double)?
  private let get: @Sendable (Parameters) -> Double
  private let put: @Sendable (inout Parameters, Double) -> Void

  /// Creates a description of a number from its name, key path, unit, range and meaning.
  public init(
    _ name: String, _ path: any WritableKeyPath<Parameters, Double> & Sendable, unit: String,
    range: ClosedRange<Double>, _ meaning: String
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    self.meaning = meaning
    words = []
    get = { $0[keyPath: path] }
    put = { $0[keyPath: path] = $1 }
  }

  /// Returns the same parameter with its name in the literature.
  ///
  /// - Parameters:
  ///   - unit: The literature's unit, or `nil` for the parameter's unit.
  ///   - scale: The size of the literature's unit in the parameter's unit.
  package func published(_ name: String, unit: String? = nil, scale: Double = 1) -> Self {
    var description = self
    description.alias = (name, unit ?? self.unit, scale)
    return description
  }

  /// The parameter by its name in the literature, or `nil` without such a name.
  var published: Self? {
    guard let alias else { return nil }
    return Self(
      name: alias.name, unit: alias.unit,
      range: range.lowerBound / alias.scale...range.upperBound / alias.scale,
      meaning: "\(name) by its published name\(alias.unit == unit ? "" : " and unit").", words: [],
      get: { [get] in get($0) / alias.scale }, put: { [put] in put(&$0, $1 * alias.scale) })
  }

  private init(
    name: String, unit: String, range: ClosedRange<Double>, meaning: String, words: [String],
    get: @escaping @Sendable (Parameters) -> Double, put: @escaping @Sendable (inout Parameters, Double) -> Void
  ) {
    (self.name, self.unit, self.range, self.meaning, self.words) = (name, unit, range, meaning, words)
    (self.get, self.put) = (get, put)
  }

  /// Creates a description of a choice: its values are 0, 1, ... in the order of its cases, and its words are their raw
  /// values.
  public init<Choice: CaseIterable & RawRepresentable<String> & Equatable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Parameters, Choice> & Sendable, _ meaning: String
  ) where Choice.AllCases == [Choice] {
    self.name = name
    unit = "word"
    range = 0...Double(Choice.allCases.count - 1)
    self.meaning = meaning
    words = Choice.allCases.map(\.rawValue)
    get = { Double(Choice.allCases.firstIndex(of: $0[keyPath: path]) ?? 0) }
    put = { $0[keyPath: path] = Choice.allCases[Int($1.rounded())] }
  }

  /// Creates a description of a number in a group of parameters that several filters share.
  public init<Group>(
    _ member: ParameterDescription<Group>, of group: any WritableKeyPath<Parameters, Group> & Sendable
  ) {
    name = member.name
    unit = member.unit
    range = member.range
    meaning = member.meaning
    words = member.words
    alias = member.alias
    get = { member.value(in: $0[keyPath: group]) }
    put = { member.set($1, in: &$0[keyPath: group]) }
  }

  /// Returns the parameter's value, in `unit`; for a choice, the index of its word.
  public func value(in parameters: Parameters) -> Double { get(parameters) }
  /// Sets the parameter. The value must be in `range`, which is not checked.
  public func set(_ value: Double, in parameters: inout Parameters) { put(&parameters, value) }
}
