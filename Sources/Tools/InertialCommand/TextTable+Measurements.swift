import Inertial
import InertialSystem

extension TextTable {
  private static let reasons = MeasurementVerdict.allCases.filter { $0 != .accepted }

  /// Creates a table of the measurement outcomes of filters, with one row per filter and kind.
  init(measurements tallies: [(filter: String, tallies: [MeasurementStatistics])]) {
    let width = (tallies.map { $0.filter.lastPathPart.count } + [6]).max()! + 2
    let names: [MeasurementVerdict: String] = [.beyondGate: "gate", .disturbedField: "disturbed"]
    self.init(
      [
        .init("filter", width, isLeft: true), .init("kind", 17, isLeft: true), .init("count", 8), .init("accepted", 8),
      ] + Self.reasons.map { .init(names[$0] ?? $0.name, 10) }
        + [.init("NIS", 7), .init("band", 11), .init("in 95", 6), .init("parts", 13)])
    for (filter, tallies) in tallies {
      for tally in tallies { add([filter.lastPathPart] + Self.cells(tally)) }
    }
  }

  private static func cells(_ tally: MeasurementStatistics) -> [String] {
    func fraction(_ count: Int) -> String { count == 0 ? "-" : fixed(100 * Double(count) / Double(tally.count), 1) }
    let consistency = tally.consistency
    let parts = tally.parts.compactMap(\.consistency.meanNIS)
    return [tally.kind.rawValue, "\(tally.count)", fraction(tally.count(.accepted))]
      + reasons.map { fraction(tally.count($0)) }
      + [
        fixed(consistency.meanNIS, 2),
        consistency.band.map { "\(fixed($0.lowerBound, 2))...\(fixed($0.upperBound, 2))" } ?? "-",
        consistency.fractionWithin.map { fixed(100 * $0, 1) } ?? "-",
        parts.count > 1 ? "\(fixed(parts.min()!, 2))...\(fixed(parts.max()!, 2))" : "-",
      ]
  }
}
