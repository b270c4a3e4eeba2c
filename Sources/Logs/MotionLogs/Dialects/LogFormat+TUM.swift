extension LogFormat {
  /// Trajectories of the TUM RGB-D benchmark: `timestamp tx ty tz qx qy qz qw` in rows without a header, in seconds,
  /// metres and a quaternion. Lines that begin with # are comments.
  ///
  /// The format is recognised by its rows: eight numbers, increasing times, and a quaternion of norm 1.
  static var tum: LogFormat {
    LogFormat(
      id: "tum", title: "TUM trajectory (timestamp tx ty tz qx qy qz qw)",
      recognition: "rows of eight numbers without a header, of which the first increases and the last four have norm 1",
      units: "s; unit quaternion x, y, z, w, device to reference; the position is for 'evaluate --task track'",
      recognizes: { isTrajectory($0) },
      dialect: { trajectoryDialect($0, &$1) })
  }

  private static let columns = ["time", "-", "-", "-"] + ["X", "Y", "Z", "W"].map { "quaternion" + $0 }
  private static let minimumRowCount = 2
  /// The maximum deviation of the norm from 1. Programs write at least four digits per component.
  private static let tolerance = 2e-3

  private static func isTrajectory(_ candidate: LogCandidate) -> Bool {
    guard beginsWithNumber(candidate) else { return false }
    return [FieldSeparator.blanks, .comma, .tab].contains { separator in
      guard let table = HeadTable(headless: candidate, separator: separator), table.rows.count >= minimumRowCount else {
        return false
      }
      var last = -Double.infinity
      return table.rows.allSatisfy { row in
        let numbers = row.map { Double($0) ?? .nan }
        guard numbers.count == columns.count, numbers.allSatisfy(\.isFinite), numbers[0] >= last else { return false }
        last = numbers[0]
        let squares = numbers[4...].reduce(0) { $0 + $1 * $1 }
        return abs(squares.squareRoot() - 1) < tolerance
      }
    }
  }

  /// Whether the first line, except comments, is a row. Most tables have a header and need no further examination.
  private static func beginsWithNumber(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil else { return false }
    let lines = LineScanner(bytes: candidate.head, name: candidate.path)
    while let line = (try? lines.next()) ?? nil {
      guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }), first != 0x23 else { continue }
      return (0x30...0x39).contains(first)
    }
    return false
  }

  private static func trajectoryDialect(_ candidate: LogCandidate, _ options: inout LogOptions) -> CSVDialect? {
    guard isTrajectory(candidate) else { return nil }
    options.columns = columns
    options.timeUnit = options.timeUnit ?? .seconds
    var dialect = CSVDialect(id: "tum", summary: "TUM trajectory (time, position and quaternion)")
    dialect.notes = [
      "columns: no header; time, position, quaternion x, y, z, w, as the last four numbers of every checked row have norm 1",
      "position: not read here; 'inertial evaluate --task track --reference' reads it",
    ]
    return dialect
  }
}
