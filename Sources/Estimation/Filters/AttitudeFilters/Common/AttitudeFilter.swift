public import InertialNumerics
package import InertialSensors

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
  /// What it is, in a sentence, for tables; empty unless it is given.
  static var summary: String { get }
  /// Where its mathematics is from; empty unless it is given.
  static var source: String { get }
  /// What kinds of input it uses and of output it gives.
  static var traits: FilterTraits { get }

  /// A filter at its start.
  init(parameters: Parameters)
  /// Resumes from a saved state: from there on the results are those of the uninterrupted run, bit for bit.
  init(parameters: Parameters, state: State)

  /// The parameters that it runs with.
  var parameters: Parameters { get }
  /// Everything that changes; with the parameters it resumes the filter.
  var state: State { get }

  /// Angular rate over the time since the previous gyroscope sample, rad/s in device axes, bias included.
  mutating func update(gyroscope: Vector3, at time: Double)
  /// Raw acceleration in g, device axes, Core Motion's sign.
  mutating func update(accelerometer: Vector3, at time: Double)
  /// Magnetic field in µT, device axes, hard iron removed.
  mutating func update(magneticField: Vector3, at time: Double)
  /// The samples of one moment, where a log has them in one row.
  ///
  /// It comes to the three updates in this order and `closeMoment`, bit for bit, and may take less time.
  ///
  /// - `magneticField`: nil where the row has none.
  mutating func update(gyroscope: Vector3, accelerometer: Vector3, magneticField: Vector3?, at time: Double)
  /// Says that no sample of the last update's time comes any more: a filter that waits for all samples of a moment has
  /// waited enough. A later sample says so too, and an estimate is right without; but it is then computed twice.
  mutating func closeMoment()

  /// What is known after the last update; nil until the first valid accelerometer sample.
  var estimate: AttitudeEstimate? { get }
}

extension AttitudeFilter {
  public static var summary: String { "" }
  public static var source: String { "" }

  public mutating func update(gyroscope: Vector3, accelerometer: Vector3, magneticField: Vector3?, at time: Double) {
    update(gyroscope: gyroscope, at: time)
    update(accelerometer: accelerometer, at: time)
    if let magneticField { update(magneticField: magneticField, at: time) }
    closeMoment()
  }

  public mutating func closeMoment() {}

  /// The same filter, which tells from now on what it makes of each measurement; nil where it does not tell.
  package func reporting(_ log: MeasurementLog = MeasurementLog()) -> (any AttitudeFilter)? {
    guard var reporting = self as? any AttitudeFilter & MeasurementReporting else { return nil }
    reporting.measurements = log
    return reporting
  }
}

/// The parameters of a filter: a value with a default and a description of each number by name.
public protocol FilterParameters: Sendable, Codable, Equatable {
  /// The defaults.
  init()
  /// Every number a user can set, with its unit, range and meaning.
  static var descriptions: [ParameterDescription<Self>] { get }
  /// The gains under the names of the literature, each a function of the numbers above; set after them, in this order.
  static var classicalNames: [ParameterDescription<Self>] { get }
  /// What the earth frame's X axis is tied to.
  var headingReference: HeadingReference { get set }
}

extension FilterParameters {
  public static var classicalNames: [ParameterDescription<Self>] { publishedNames }

  /// The names of the literature that are in the descriptions.
  static var publishedNames: [ParameterDescription<Self>] { descriptions.compactMap(\.published) }
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
  /// The word for `--set`.
  public let name: String
  /// The unit of the values; "word" for a choice.
  public let unit: String
  /// The values that are taken, in `unit`.
  public let range: ClosedRange<Double>
  /// What it is and what a bigger value does, in a sentence or two.
  public let meaning: String
  /// The words for the values 0, 1, ... of a choice; empty for a number.
  package let words: [String]
  /// Its name in the literature, and the literature's unit as a multiple of its own.
  private var alias: (name: String, unit: String, scale: Double)?
  private let get: @Sendable (Parameters) -> Double
  private let put: @Sendable (inout Parameters, Double) -> Void

  /// A number: its name, where it is kept, its unit, the values that are taken, and what it means.
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

  /// The same parameter with its name in the literature.
  ///
  /// - Parameters:
  ///   - unit: the literature's; nil for the parameter's own.
  ///   - scale: of the literature's unit in the parameter's own.
  package func published(_ name: String, unit: String? = nil, scale: Double = 1) -> Self {
    var description = self
    description.alias = (name, unit ?? self.unit, scale)
    return description
  }

  /// The parameter by its name in the literature; nil where it has none.
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

  /// A choice: its values are 0, 1, ... in the order of its cases, and their raw values are the words for them.
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

  /// A number of a group of parameters that several filters share.
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

  /// The parameter's value, in `unit`; for a choice, its place among the words.
  public func value(in parameters: Parameters) -> Double { get(parameters) }
  /// Sets the parameter; the value is one of `range`, which is not checked here.
  public func set(_ value: Double, in parameters: inout Parameters) { put(&parameters, value) }
}
