package import InertialCalibration
package import InertialEssentials
package import InertialRecognition
internal import InertialSystem

/// Returns the content of a file that a user has named.
///
/// - Parameter remedy: The remedy if the file cannot be read.
package func contents(of path: String, _ remedy: String = "check the path") throws(FusionError) -> Data {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw .badData("\(path): the file cannot be read; \(remedy)")
  }
  return data
}

extension DeviceCalibration {
  /// Reads the output of `inertial calibrate -o`.
  package init(path: String) throws(FusionError) {
    self = try document(path, of: "inertial calibrate LOG -o FILE.json")
  }
}

extension NoiseProfile {
  /// Reads the output of `inertial allan -o`.
  package init(path: String) throws(FusionError) { self = try document(path, of: "inertial allan LOG -o FILE.json") }
}

extension ActivityModel {
  /// Reads a model from a file that the user has specified.
  package init(path: String) throws(FusionError) {
    let data = try contents(of: path, "use a model written by 'inertial activity train'")
    do throws(ActivityModelError) { try self.init(json: data) } catch { throw .badData("\(path): \(error)") }
  }
}

/// Reads a document that another command has written.
private func document<Document: Decodable>(_ path: String, of command: String) throws(FusionError) -> Document {
  let data = try contents(of: path, "check the path, or create it with '\(command)'")
  do {
    return try JSONDecoder().decode(Document.self, from: data)
  } catch {
    let isJSON = (try? JSONDecoder().decode(AnyDocument.self, from: data)) != nil
    throw .badData("\(path): \(isJSON ? reason(error) : "is not JSON"); use a file written by '\(command)'")
  }
}

private func reason(_ error: any Error) -> String {
  switch error as? DecodingError {
  case .dataCorrupted(let context): context.debugDescription
  case .keyNotFound(let key, _): "lacks '\(key.stringValue)'"
  case .typeMismatch(_, let context), .valueNotFound(_, let context):
    "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has an invalid value"
  default: "cannot be read"
  }
}

/// Any JSON document.
private struct AnyDocument: Decodable {
  init(from decoder: any Decoder) {}
}

/// Returns a result as a JSON document, with keys in a fixed order.
package func jsonText(_ value: some Encodable) throws -> String {
  let encoder = FusionManifest.encoder
  encoder.outputFormatting.insert(.prettyPrinted)
  // The encoder escapes some control characters; the others can also occur in strings, and are escaped here.
  return String(decoding: try encoder.encode(value), as: UTF8.self).withoutControls {
    String(cFormat: "\\u%04x", $0.value)
  }
}

/// Returns a result as the content of a JSON file.
func fileText(_ value: some Encodable) throws(FusionError) -> String {
  do { return try jsonText(value) + "\n" } catch { throw .badData("\(error)") }
}
