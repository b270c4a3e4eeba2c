/// The columns of a CSV of fused motion as written, for callers that display a dataset without fusing it.
package struct DatasetColumns: Sendable {
  package let path: String
  /// The header's names, without units.
  package let names: [String]

  /// Reads the header.
  ///
  /// - Returns: `nil` if the file is not a CSV of fused motion with a column `time`.
  /// - Throws: ``LogError`` if the file cannot be read.
  package init?(path: String) throws(LogError) {
    guard path != "-", !LogFeed.isStream(path) else { return nil }
    let candidate = try LogCandidate(path: path)
    // A dataset with few columns is recognised only by its name.
    let isNamed = LogFeed.isDataset(path) && path.hasSuffix(".csv")
    guard candidate.folder == nil, isNamed || LogFormat.of(candidate)?.id == CSVFormat.deviceMotion.rawValue else {
      return nil
    }
    let scanner = try LineScanner(path: path)
    guard let header = try scanner.next() else { return nil }
    self.path = path
    names = Self.names(header)
    guard names.contains("time") else { return nil }
  }

  /// Returns the numbers of columns in the order of the rows. A field without a number is NaN.
  ///
  /// - Precondition: `names` contains the wanted columns.
  /// - Throws: ``LogError`` if a row's number of fields differs from the header's, a field is not a number, or a time
  ///   is missing or less than the previous row's.
  package func read(_ wanted: [String]) throws(LogError) -> [[Double]] {
    let places = wanted.map { names.firstIndex(of: $0)! }
    var slots = [Int?](repeating: nil, count: names.count)
    for (slot, index) in places.enumerated() { slots[index] = slot }
    var columns = [[Double]](repeating: [], count: wanted.count)
    let time = wanted.firstIndex(of: "time")
    let scanner = try LineScanner(path: path)
    _ = try scanner.next()
    while let line = try scanner.next() {
      if line.isEmpty { continue }
      var fields = FieldScanner(line, separator: .comma)
      for (index, slot) in slots.enumerated() {
        guard let slot else {
          guard fields.skip() else { throw error(scanner, "has \(index) fields, but the header has \(names.count)") }
          continue
        }
        switch fields.nextNumber() {
        case .value(let value): columns[slot].append(value)
        case .empty: columns[slot].append(.nan)
        case .text: throw error(scanner, "\(names[index]) is not a number", column: index + 1)
        case .end: throw error(scanner, "has \(index) fields, but the header has \(names.count)")
        }
      }
      guard !fields.skip() else { throw error(scanner, "has more fields than the header's \(names.count)") }
      if let time {
        let times = columns[time]
        guard times[times.count - 1].isFinite else { throw error(scanner, "has no time") }
        if times.count > 1, times[times.count - 1] < times[times.count - 2] {
          throw error(scanner, "is earlier than the previous line")
        }
      }
    }
    return columns
  }

  private func error(_ scanner: LineScanner, _ problem: String, column: Int? = nil) -> LogError {
    LogError(
      path: path, line: scanner.lineNumber, column: column, problem: problem,
      remedy: "fix the line, or recreate the dataset with inertial fuse")
  }

  private static func names(_ header: UnsafeRawBufferPointer) -> [String] {
    var fields = FieldScanner(header, separator: .comma)
    var names: [String] = []
    while let name = fields.nextText() {
      // `roll [rad]`, as written by --header-units.
      names.append(name.hasSuffix("]") ? String(name.prefix { $0 != " " }) : name)
    }
    return names
  }
}
