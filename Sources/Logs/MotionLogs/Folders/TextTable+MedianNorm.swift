extension TextTable {
  /// Returns the median norm of three columns in the first thousand rows of a file, or `nil` without rows.
  static func medianNorm(of path: String, columns names: [String]) throws(LogError) -> Double? {
    var table = try TextTable(path: path, separator: .comma)
    table.plan(stamp: nil, values: try table.columns(names))
    var row = TextTable.Row(values: [0, 0, 0])
    var norms: [Double] = []
    while norms.count < 1000, try table.read(into: &row) {
      let norm = (row.values.reduce(0) { $0 + $1 * $1 }).squareRoot()
      if row.isComplete, norm.isFinite { norms.append(norm) }
    }
    norms.sort()
    return norms.isEmpty ? nil : norms[norms.count / 2]
  }
}
