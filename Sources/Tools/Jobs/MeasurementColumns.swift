internal import InertialNumerics
internal import InertialSensors

/// How a measurement's outcome stands in the columns of a dataset: nine numbers of three components, five of one.
enum MeasurementColumns {
  private static let kinds = MeasurementKind.ofAttitude

  private static func width(_ kind: MeasurementKind) -> Int { 2 * kind.largestCount + 3 }

  /// Every kind's columns, by the places from `start` on.
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
    return axes.map { ("\(stem)Innovation\($0)", kind.unit, "the measured value less the predicted one") }
      + axes.map { ("\(stem)InnovationVariance\($0)", square, "what the filter expects of the innovation's square") }
      + [
        ("\(stem)TestRatio", "1", "the innovation's normalised square over its gate"),
        ("\(stem)Weight", "1", "the share that was left of the measurement's weight; 0 = not used"),
        (
          "\(stem)Verdict", "1",
          MeasurementVerdict.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")
        ),
      ]
  }

  /// - Parameter start: the place of the first kind's first number.
  static func set(_ outcome: MeasurementOutcome, in values: inout [Double], from start: Int) {
    guard let place = kinds.firstIndex(of: outcome.kind) else { return }
    let count = outcome.kind.largestCount
    let first = start + kinds[..<place].reduce(0) { $0 + width($1) }
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
