import Inertial
import InertialCalibration
import InertialEssentials
import InertialSystem

/// Returns the content of a file that a user has named.
///
/// - Parameter remedy: The remedy if the file cannot be read.
func contents(of path: String, _ remedy: String = "check the path") throws(FusionError) -> Data {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw .badData("\(path): the file cannot be read; \(remedy)")
  }
  return data
}

extension DeviceCalibration {
  /// Reads the output of `inertial calibrate -o`.
  init(path: String) throws(FusionError) { self = try document(path, of: "inertial calibrate LOG -o FILE.json") }
}

extension NoiseProfile {
  /// Reads the output of `inertial allan -o`.
  init(path: String) throws(FusionError) { self = try document(path, of: "inertial allan LOG -o FILE.json") }
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
