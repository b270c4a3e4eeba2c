internal import InertialSensors

/// A filter of any kind that can be saved and resumed. It is encoded as its name, parameters and state.
public struct AnyAttitudeFilter: Sendable, Codable {
  /// The filter itself, with its state.
  public var base: any AttitudeFilter

  /// Wraps a filter of any type, so that it can be saved.
  public init(_ base: any AttitudeFilter) { self.base = base }

  private enum CodingKeys: CodingKey { case name, parameters, state, measurements }

  public func encode(to encoder: any Encoder) throws {
    func write<Filter: AttitudeFilter>(_ filter: Filter) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Filter.name, forKey: .name)
      try container.encode(filter.parameters, forKey: .parameters)
      try container.encode(filter.state, forKey: .state)
      try container.encodeIfPresent((filter as? any MeasurementReporting)?.measurements, forKey: .measurements)
    }
    try write(base)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    let filters = decoder.userInfo[.filterRegistry] as? Registry<FilterKind> ?? FilterKind.all
    let kind: FilterKind
    do { kind = try filters.known(name) } catch {
      throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: error.description)
    }
    base = try kind.decode(from: decoder)
  }

  static func decode<Filter: AttitudeFilter>(_ type: Filter.Type, from decoder: any Decoder) throws
    -> any AttitudeFilter
  {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let filter = Filter(
      parameters: try container.decode(Filter.Parameters.self, forKey: .parameters),
      state: try container.decode(Filter.State.self, forKey: .state))
    guard let log = try container.decodeIfPresent(MeasurementLog.self, forKey: .measurements) else { return filter }
    return filter.reporting(log) ?? filter
  }
}

extension CodingUserInfoKey {
  /// The key for a decoder's `Registry<FilterKind>`, if saved filters are not all built-in.
  public static let filterRegistry = CodingUserInfoKey(rawValue: "filterRegistry")!
}
