/// A column whose unit neither the header nor an option specifies.
package struct UnspecifiedUnit: Sendable, Equatable {
  var column: String
  var dimension: Dimension
  /// The file in the folder that has the column, or `nil` if the log is a single file.
  var file: String?

  /// Returns one error for all units, with the command that specifies them. An option applies to all columns of a
  /// dimension, so the first column represents the others.
  ///
  /// - Parameters:
  ///   - path: The path of the log.
  ///   - hasHeader: Whether the log has names to which units could be added.
  static func error(_ units: [UnspecifiedUnit], of path: String, hasHeader: Bool = true) -> LogError {
    var firsts: [UnspecifiedUnit] = []
    for unit in units where !firsts.contains(where: { $0.dimension == unit.dimension }) { firsts.append(unit) }
    let names = firsts.map { unit in "\"\(unit.column)\"" + (unit.file.map { " of \($0)" } ?? "") }
    let listed =
      names.count == 1
      ? "\(hasHeader ? "the column " : "")\(names[0]) does not specify its unit"
      : "\(hasHeader ? "the columns " : "")\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) "
        + "do not specify their units"
    let options = firsts.map { option($0.dimension) }
    let command = options.map { "\($0.name) \($0.values[0])" }.joined(separator: " ")
    let others = options.map { "\($0.name) takes \($0.values.joined(separator: ", "))" }.joined(separator: "; ")
    let example = "\"\(firsts[0].column) \(options[0].example)\""
    var error = LogError(
      path: path, problem: listed,
      remedy:
        "specify them all, as in: inertial fuse \(path) \(command) (\(others))"
        + (hasHeader ? ", or write them into the header, as in \(example)" : ""))
    error.question = .units(firsts)
    return error
  }

  static func option(_ dimension: Dimension) -> (name: String, values: [String], example: String) {
    switch dimension {
    case .acceleration: ("--acceleration-unit", ["m/s2", "g", "mg", "counts such as 16384/g"], "(m/s^2)")
    case .rotation: ("--rotation-unit", ["rad/s", "deg/s", "counts such as 131/dps"], "(rad/s)")
    case .field: ("--field-unit", ["uT", "nT", "mT", "gauss"], "(uT)")
    case .time: ("--time-unit", ["s", "ms", "us", "ns"], "(s)")
    case .angle, .none: ("--columns", ["with - for the columns to skip"], "(rad)")
    }
  }
}
