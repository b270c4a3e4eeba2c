/// Columns of a CSV of fused motion as they are written, for those who look at a dataset and do not fuse it anew.
package struct DatasetColumns: Sendable {
  package let path: String
  /// The header's names, without units.
  package let names: [String]

  /// Reads the header.
  ///
  /// - Returns: nil where the file is no CSV of fused motion with a column `time`.
  /// - Throws: where it cannot be read.
  package init?(path: String) throws(LogError) {
    guard path != "-", !LogFinder.isStream(path) else { return nil }
    let candidate = try LogCandidate(path: path)
    // One with a few columns is known by its name alone.
    let isNamed = LogFinder.isDataset(path) && path.hasSuffix(".csv")
    guard candidate.folder == nil, isNamed || LogFormat.of(candidate)?.id == CSVFormat.deviceMotion.rawValue else {
      return nil
    }
    let scanner = try LineScanner(path: path)
    guard let header = try scanner.next() else { return nil }
    self.path = path
    names = Self.names(header)
    guard names.contains("time") else { return nil }
  }

  /// The numbers of columns, each in the order of the rows; a field without a number is NaN.
  ///
  /// - Precondition: `names` has them.
  /// - Throws: where a row has more or fewer fields than the header, a word where a number belongs, no time, or a time
  ///   before that of the row above it.
  package func read(_ wanted: [String]) throws(LogError) -> [[Double]] {
    let places = wanted.map { names.firstIndex(of: $0)! }
    var slots = [Int?](repeating: nil, count: names.count)
    for (slot, place) in places.enumerated() { slots[place] = slot }
    var columns = [[Double]](repeating: [], count: wanted.count)
    let time = wanted.firstIndex(of: "time")
    let scanner = try LineScanner(path: path)
    _ = try scanner.next()
    while let line = try scanner.next() {
      if line.isEmpty { continue }
      var fields = FieldScanner(line, separator: .comma)
      for (place, slot) in slots.enumerated() {
        guard let slot else {
          guard fields.skip() else { throw error(scanner, "has \(place) fields, and the header \(names.count)") }
          continue
        }
        switch fields.nextNumber() {
        case .value(let value): columns[slot].append(value)
        case .empty: columns[slot].append(.nan)
        case .text: throw error(scanner, "\(names[place]) is no number", column: place + 1)
        case .end: throw error(scanner, "has \(place) fields, and the header \(names.count)")
        }
      }
      guard !fields.skip() else { throw error(scanner, "has more fields than the header's \(names.count)") }
      if let time {
        let times = columns[time]
        guard times[times.count - 1].isFinite else { throw error(scanner, "has no time") }
        if times.count > 1, times[times.count - 1] < times[times.count - 2] {
          throw error(scanner, "is earlier than the line before it")
        }
      }
    }
    return columns
  }

  private func error(_ scanner: LineScanner, _ problem: String, column: Int? = nil) -> LogError {
    LogError(
      path: path, line: scanner.lineNumber, column: column, problem: problem,
      remedy: "mend the line, or make the dataset anew with inertial fuse")
  }

  private static func names(_ header: UnsafeRawBufferPointer) -> [String] {
    var fields = FieldScanner(header, separator: .comma)
    var names: [String] = []
    while let name = fields.nextText() {
      // `roll [rad]`, as --header-units writes it
      names.append(name.hasSuffix("]") ? String(name.prefix { $0 != " " }) : name)
    }
    return names
  }
}
