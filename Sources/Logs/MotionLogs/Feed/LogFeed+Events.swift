internal import InertialSystem

// The event file next to a log or a dataset, as written by `EventTableWriter`: `walk.events.csv` for `walk.csv`.
extension LogFeed {
  static let eventsEnding = ".events.csv"

  /// Returns the path of a log's event file, or `nil` if it does not exist or the log is itself an event file.
  package static func events(beside log: String) -> String? {
    guard log != "-", !log.hasSuffix(eventsEnding) else { return nil }
    // First appends the suffix to the full name, for a name without a format's extension.
    return [log.withoutSlashesAtEnd + eventsEnding, eventsName(beside: log)].first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// Returns the path of a log's event file, whether or not it exists.
  static func eventsName(beside log: String) -> String {
    var base = log.withoutSlashesAtEnd[...]
    if let dot = base.lastIndex(of: "."), !base[dot...].contains("/"), dot > base.startIndex { base = base[..<dot] }
    return String(base) + eventsEnding
  }
}
