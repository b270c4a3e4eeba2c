/// The parameters of a filter: values with defaults, and a description of each by name.
///
/// They are saved by the names of their descriptions. A missing name keeps its default, and an unknown name is an error.
public protocol FilterParameters: Sendable, Codable, Equatable {
  /// The defaults.
  init()
  /// All numbers that users can set, with units, ranges, meanings and names in the literature.
  static var descriptions: [ParameterDescription<Self>] { get }
  /// The reference of the earth frame's X axis.
  var headingReference: HeadingReference { get set }
}

/// The reference of the X axis of a filter with a magnetic field.
public enum HeadingReference: String, Sendable, Codable, CaseIterable {
  /// X points to magnetic north.
  case magneticNorth
  /// X keeps the heading it had when the field was first used: the field only prevents drift.
  case initialHeading
}

extension FilterParameters {
  /// The gains by their names in the literature, each a function of one parameter.
  package static var classicalNames: [ParameterDescription<Self>] { descriptions.flatMap(\.published) }

  /// Sets parameters by name. Names of the literature are set after the others, in the order of the descriptions.
  mutating func set(_ settings: [String: Double]) {
    let descriptions = Self.descriptions
    for description in descriptions + descriptions.flatMap(\.published) {
      if let value = settings[description.name] { description.set(value, in: &self) }
    }
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: ParameterKey.self)
    let descriptions = Dictionary(uniqueKeysWithValues: Self.descriptions.map { ($0.name, $0) })
    for key in container.allKeys where key.stringValue != ParameterKey.headingReference.stringValue {
      guard let description = descriptions[key.stringValue] else {
        let error = SettingError.unknownParameter(key.stringValue, owner: "filter", known: descriptions.keys.sorted())
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: error.description)
      }
      if description.words.isEmpty {
        description.set(try container.decode(Double.self, forKey: key), in: &self)
      } else if let index = description.words.firstIndex(of: try container.decode(String.self, forKey: key)) {
        description.set(Double(index), in: &self)
      } else {
        let words = description.words.joined(separator: " or ")
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "expected \(words)")
      }
    }
    let reference = try container.decodeIfPresent(HeadingReference.self, forKey: .headingReference)
    headingReference = reference ?? headingReference
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ParameterKey.self)
    for description in Self.descriptions {
      let (key, value) = (ParameterKey(stringValue: description.name), description.value(in: self))
      if description.words.isEmpty {
        try container.encode(value, forKey: key)
      } else {
        try container.encode(description.words[Int(value)], forKey: key)
      }
    }
    try container.encode(headingReference, forKey: .headingReference)
  }
}

/// The name of a saved parameter.
private struct ParameterKey: CodingKey {
  static let headingReference = Self(stringValue: "headingReference")

  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Numbers that several filters share: a filter's parameters contain the group and describe its numbers as their own.
public protocol ParameterGroup: Sendable, Equatable {
  /// The descriptions of the numbers.
  static var descriptions: [ParameterDescription<Self>] { get }
}

extension ParameterGroup {
  /// Returns the descriptions for a filter's parameters that store the group at `path`.
  public static func descriptions<Parameters>(
    at path: any WritableKeyPath<Parameters, Self> & Sendable
  ) -> [ParameterDescription<Parameters>] {
    descriptions.map { ParameterDescription($0, of: path) }
  }
}
