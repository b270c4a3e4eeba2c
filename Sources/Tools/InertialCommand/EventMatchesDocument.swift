import Inertial

/// The one-to-one matches of events and labels, as part of a JSON document and as columns of a table.
struct EventMatchesDocument: Encodable {
  /// The maximum time between an event and its label, in seconds.
  var tolerance: Double
  var labelled: Int
  var detected: Int
  var matched: Int
  var precision: Double?
  /// Wilson's interval at 95 %.
  var precisionInterval: [Double]?
  var recall: Double?
  var recallInterval: [Double]?
  var f1: Double?
  /// The errors of the start times, event minus label, in seconds.
  var meanError: Double?
  var meanAbsoluteError: Double?
  var absoluteError90: Double?

  init(_ matches: EventMatches) {
    (tolerance, labelled, detected, matched) = (
      matches.tolerance, matches.labelled, matches.detected, matches.matched
    )
    (precision, recall, f1) = (matches.precision, matches.recall, matches.f1)
    precisionInterval = Self.interval(matches.matched, of: matches.detected)
    recallInterval = Self.interval(matches.matched, of: matches.labelled)
    (meanError, meanAbsoluteError) = (matches.meanError, matches.meanAbsoluteError)
    absoluteError90 = matches.lateError
  }

  private static func interval(_ count: Int, of total: Int) -> [Double]? {
    guard total > 0 else { return nil }
    let interval = EventScore.binomialInterval(count, of: total)
    return [interval.lowerBound, interval.upperBound]
  }

  private static let titles = [
    ("labelled", 9), ("events", 6), ("matched", 8), ("precision", 10), ("recall", 8), ("F1", 8), ("mean s", 8),
    ("|error| s", 10), ("90 %", 7),
  ]

  /// The headings of the columns.
  static var head: String { titles.map { padded($0.0, $0.1, left: true) }.joined(separator: " ") }

  /// The cells of the columns.
  var row: String {
    let fraction = { (value: Double?) in value.map { fixed($0, 4) } ?? "-" }
    let seconds = { (value: Double?) in value.map { fixed($0, 3) } ?? "-" }
    let cells = [
      "\(labelled)", "\(detected)", "\(matched)", fraction(precision), fraction(recall), fraction(f1),
      seconds(meanError),
      seconds(meanAbsoluteError), seconds(absoluteError90),
    ]
    return zip(cells, Self.titles).map { padded($0, $1.1, left: true) }.joined(separator: " ")
  }
}
