/// An object of a document, encoded from its names and values. Members without a value are omitted.
///
/// It encodes results that have derived values, other names than in Swift, or both.
package struct EncodedObject: Encodable {
  private let members: KeyValuePairs<String, (any Encodable)?>

  /// Creates an object from its members.
  package init(_ members: KeyValuePairs<String, (any Encodable)?>) { self.members = members }

  /// Encodes the members that have a value.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DocumentKey.self)
    for (name, value) in members {
      if let value { try container.encode(value, forKey: DocumentKey(name)) }
    }
  }
}
