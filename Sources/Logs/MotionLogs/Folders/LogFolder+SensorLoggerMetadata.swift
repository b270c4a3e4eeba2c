extension LogFolder {
  /// Returns the units and signs that Metadata.csv of a Sensor Logger folder specifies, or `nil` without the file: the
  /// platform, which is ios, android, or watchos for a recording that the watch made without the phone, and the app's
  /// switch "Standardise Units & Frames": m/s² and Android's signs also on iOS.
  ///
  /// - Throws: ``LogError`` if the platform or the standardisation is unknown.
  func sensorLoggerMetadata() throws(LogError) -> (platform: String, isStandardised: Bool)? {
    let file = "Metadata.csv"
    guard has(file) else { return nil }
    // A line of names and a line of values.
    let lines = try smallText(file).split(omittingEmptySubsequences: true) { $0.isNewline }.map(Self.fields)
    func value(_ name: String) -> String? {
      guard lines.count >= 2, let column = lines[0].firstIndex(of: name), column < lines[1].count else { return nil }
      return lines[1][column].lowercased()
    }
    let remedy = "repair Metadata.csv, or remove it and give --acceleration-unit and --acceleration-sign"
    guard let platform = value("platform"), ["ios", "android", "watchos"].contains(platform) else {
      throw LogError(
        path: path(of: file), line: min(lines.count, 2),
        problem: "the platform is neither ios, watchos nor android", remedy: remedy)
    }
    // App versions without the switch did not standardise.
    let switched = value("standardisation") ?? "false"
    guard switched == "true" || switched == "false" else {
      throw LogError(
        path: path(of: file), line: 2, problem: "standardisation is neither true nor false", remedy: remedy)
    }
    return (platform, switched == "true")
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
