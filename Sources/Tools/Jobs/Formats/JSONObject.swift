/// An object in the JSON of a result, as a literal of its members. Members that are `nil` are omitted.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let members: [(String, (any Encodable)?)]

  /// Creates an object from the names and values of its members.
  package init(dictionaryLiteral members: (String, (any Encodable)?)...) { self.members = members }

  /// Encodes the members that are not `nil`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value { try container.encode(value, forKey: Name(stringValue: name)) }
    }
  }
}
