internal import InertialNumerics
internal import InertialSensors

/// The columns of a measurement's outcome in a dataset: nine for three components, five for one.
extension MeasurementKind {
  private var columnCount: Int { 2 * largestCount + 3 }

  /// The names, units and meanings of the columns.
  var columnFacts: [(name: String, unit: String, meaning: String)] {
    let axes = largestCount == 1 ? [""] : ["X", "Y", "Z"]
    let square = unit.split(separator: "/").map { "\($0)²" }.joined(separator: "/")
    return axes.map { ("\(rawValue)Innovation\($0)", unit, "the measured value minus the predicted value") }
      + axes.map {
        ("\(rawValue)InnovationVariance\($0)", square, "the variance that the filter predicts for the innovation")
      }
      + [
        ("\(rawValue)TestRatio", "1", "the normalised innovation squared, divided by its gate"),
        ("\(rawValue)Weight", "1", "the fraction of the measurement's weight that was used; 0 = not used"),
        (
          "\(rawValue)Verdict", "1",
          MeasurementVerdict.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")
        ),
      ]
  }

  /// The names of the columns with the innovation of each component, and the names of their standard deviations in a
  /// report.
  package var innovationNames: [(innovation: String, sigma: String)] {
    (largestCount == 1 ? [""] : ["X", "Y", "Z"]).map {
      ("\(rawValue)Innovation\($0)", "\(rawValue)InnovationSigma\($0)")
    }
  }

  /// Returns the names of the columns of a report.
  ///
  /// - Parameter innovations: Whether the report draws innovations.
  package func reportColumns(innovations: Bool) -> [String] {
    columnFacts.map(\.name).filter {
      $0.hasSuffix("TestRatio") || (innovations && $0.contains("Innovation"))
    }
  }

  /// The index of the first column's value in a row of all columns, or `nil` for a kind without columns.
  fileprivate var firstColumn: Int? {
    Self.ofAttitude.firstIndex(of: self).map { position in
      Self.ofAttitude[..<position].reduce(FusedColumn.firstInnovation) { $0 + $1.columnCount }
    }
  }
}

extension MeasurementOutcome {
  /// Sets the outcome's values in a row of all columns.
  func fill(_ values: inout [Double]) {
    guard let first = kind.firstColumn else { return }
    let count = kind.largestCount
    for index in 0..<count {
      let isThere = index < self.count
      values[first + index] = isThere ? innovation[index] : .nan
      values[first + count + index] = isThere ? variance?[index] ?? .nan : .nan
    }
    values[first + 2 * count] = testRatio ?? .nan
    values[first + 2 * count + 1] = weight
    values[first + 2 * count + 2] = Double(verdict.rawValue)
  }
}
