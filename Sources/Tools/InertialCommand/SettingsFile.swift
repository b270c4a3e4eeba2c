import Inertial
import InertialCalibration
import InertialEssentials
import InertialSystem

/// The documents of other commands that are options of this command.
enum SettingsFile {
  /// Reads the output of `inertial calibrate -o`.
  static func calibration(_ path: String) throws(FusionError) -> DeviceCalibration {
    try read(DeviceCalibration.self, path, "inertial calibrate LOG -o FILE.json")
  }

  /// Reads the output of `inertial allan -o`.
  static func noise(_ path: String) throws(FusionError) -> NoiseProfile {
    try read(NoiseProfile.self, path, "inertial allan LOG -o FILE.json")
  }

  /// Returns the bytes of a file that a user has written.
  static func bytes(_ path: String) throws(FusionError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; check the path")
    }
    return [UInt8](data)
  }

  private static func read<Document: Decodable>(
    _ type: Document.Type, _ path: String, _ command: String
  ) throws(FusionError) -> Document {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; check the path, or create it with '\(command)'")
    }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      let isJSON = (try? JSONDecoder().decode(AnyDocument.self, from: data)) != nil
      throw .badData("\(path): \(isJSON ? reason(error) : "is not JSON"); use a file written by '\(command)'")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context): context.debugDescription
    case .keyNotFound(let key, _): "lacks '\(key.stringValue)'"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has an invalid value"
    default: "cannot be read"
    }
  }
}

/// Any JSON document.
private struct AnyDocument: Decodable {
  init(from decoder: any Decoder) {}
}
