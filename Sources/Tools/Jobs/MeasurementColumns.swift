internal import InertialNumerics
internal import InertialSensors

/// The columns of a measurement's outcome in a dataset: nine for three components, five for one.
enum MeasurementColumns {
  private static let kinds = MeasurementKind.ofAttitude

  private static func width(_ kind: MeasurementKind) -> Int { 2 * kind.largestCount + 3 }

  /// Returns the columns of all kinds, with indices from `start`.
  static func all(from start: Int) -> [FusedColumn] {
    var columns: [FusedColumn] = []
    for kind in kinds {
      for (name, unit, meaning) in facts(of: kind) {
        columns.append(
          FusedColumn(
            name: name, unit: unit, meaning: meaning, index: start + columns.count, measurement: kind))
      }
    }
    return columns
  }

  private static func facts(of kind: MeasurementKind) -> [(String, String, String)] {
    let stem = kind.rawValue
    let axes = kind.largestCount == 1 ? [""] : ["X", "Y", "Z"]
    let square = kind.unit.split(separator: "/").map { "\($0)²" }.joined(separator: "/")
    return axes.map { ("\(stem)Innovation\($0)", kind.unit, "the measured value minus the predicted value") }
      + axes.map {
        ("\(stem)InnovationVariance\($0)", square, "the variance that the filter predicts for the innovation")
      }
      + [
        ("\(stem)TestRatio", "1", "the normalised innovation squared, divided by its gate"),
        ("\(stem)Weight", "1", "the fraction of the measurement's weight that was used; 0 = not used"),
        (
          "\(stem)Verdict", "1",
          MeasurementVerdict.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")
        ),
      ]
  }

  /// - Parameter start: The index of the first kind's first value.
  static func set(_ outcome: MeasurementOutcome, in values: inout [Double], from start: Int) {
    guard let position = kinds.firstIndex(of: outcome.kind) else { return }
    let count = outcome.kind.largestCount
    let first = start + kinds[..<position].reduce(0) { $0 + width($1) }
    for index in 0..<count {
      let isThere = index < outcome.count
      values[first + index] = isThere ? outcome.innovation[index] : .nan
      values[first + count + index] = isThere ? outcome.variance?[index] ?? .nan : .nan
    }
    values[first + 2 * count] = outcome.testRatio ?? .nan
    values[first + 2 * count + 1] = outcome.weight
    values[first + 2 * count + 2] = Double(outcome.verdict.rawValue)
  }
}
