/// The units and signs that Metadata.csv of a Sensor Logger folder specifies.
struct SensorLoggerMetadata {
  /// The platform: ios, android, or watchos for a recording that the watch made without the phone.
  let platform: String
  /// The app's switch "Standardise Units & Frames": m/s² and Android's signs also on iOS.
  let isStandardised: Bool

  /// Reads the two lines of names and values.
  ///
  /// - Throws: ``LogError`` if the platform or the standardisation is unknown.
  init(text: String, path: String) throws(LogError) {
    let lines = text.split(omittingEmptySubsequences: true) { $0.isNewline }.map(Self.fields)
    func value(_ name: String) -> String? {
      guard lines.count >= 2, let column = lines[0].firstIndex(of: name), column < lines[1].count else {
        return nil
      }
      return lines[1][column]
    }
    let remedy =
      "repair Metadata.csv, or remove it and give --acceleration-unit and --acceleration-sign"
    guard let platform = value("platform")?.lowercased(), ["ios", "android", "watchos"].contains(platform) else {
      throw LogError(
        path: path, line: min(lines.count, 2),
        problem: "the platform is neither ios, watchos nor android", remedy: remedy)
    }
    // App versions without the switch did not standardise.
    switch value("standardisation")?.lowercased() {
    case "true": isStandardised = true
    case "false", nil: isStandardised = false
    default:
      throw LogError(
        path: path, line: 2, problem: "standardisation is neither true nor false", remedy: remedy)
    }
    self.platform = platform
  }

  /// Returns the fields of a CSV line, quoted or unquoted (RFC 4180): a device's name may contain a comma.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}
