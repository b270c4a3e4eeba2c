internal import InertialFilters

/// A detector of any kind with its complete state. After encoding and decoding, possibly elsewhere, it continues with
/// the same events.
package struct SavedShakeDetector: Sendable, Codable {
  package var detector: any GestureDetector

  private enum CodingKeys: CodingKey { case name, detector }

  package init(_ detector: any GestureDetector) { self.detector = detector }

  /// - Throws: `DecodingError` if no detector has the name, or the state does not match the kind.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    let kind: ShakeDetectorKind
    do { kind = try ShakeDetectorKind.all.known(name) } catch {
      throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: error.description)
    }
    detector = try kind.decode(from: container.superDecoder(forKey: .detector))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(detector.name, forKey: .name)
    try detector.encode(to: container.superEncoder(forKey: .detector))
  }
}
