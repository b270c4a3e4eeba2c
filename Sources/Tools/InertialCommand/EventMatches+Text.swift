import Inertial

extension EventMatches {
  private static let titles = [
    ("labelled", 9), ("events", 6), ("matched", 8), ("precision", 10), ("recall", 8), ("F1", 8), ("mean s", 8),
    ("|error| s", 10), ("90 %", 7),
  ]

  /// The headings of the columns.
  static var head: String { titles.map { right($0.0, $0.1) }.joined(separator: " ") }

  /// The cells of the columns.
  var row: String {
    let fraction = { (value: Double?) in fixed(value, 4) }
    let seconds = { (value: Double?) in fixed(value, 3) }
    let cells = [
      "\(labelled)", "\(detected)", "\(matched)", fraction(precision), fraction(recall), fraction(f1),
      seconds(meanError), seconds(meanAbsoluteError), seconds(lateError),
    ]
    return zip(cells, Self.titles).map { right($0, $1.1) }.joined(separator: " ")
  }
}
