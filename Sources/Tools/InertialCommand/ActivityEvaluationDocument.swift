import Inertial

/// What `inertial evaluate-events --task activity` prints.
struct ActivityEvaluationDocument: Encodable {
  struct Answers: Encodable {
    var macroF1: Double?
    var accuracy: Double?
    /// By activity.
    var f1: [String: Double]
    /// Rows: labels; columns: answers; in the order of `activities`.
    var confusion: [[Int]]

    init(_ matrix: ConfusionMatrix) {
      (macroF1, accuracy, confusion) = (matrix.macroF1, matrix.accuracy, matrix.counts)
      f1 = Dictionary(uniqueKeysWithValues: matrix.labels.compactMap { label in matrix.f1(label).map { (label, $0) } })
    }
  }

  struct Pure: Encodable {
    var windows: Int
    var live: Answers
    var smoothed: Answers
  }

  var task = "activity"
  var logs: Int
  /// Seconds.
  var window: Double
  var activities: [String]
  var live: Answers
  var smoothed: Answers
  /// The same of windows that one label fills for four fifths or more.
  var pure: Pure
  /// By what came before alone and by all of the log: stretches and time of each activity by the kind of error.
  var categories: [String: [String: ActivityCategoriesDocument]]
  /// Windows whose label means no activity, or that have none.
  var unjudged: Int
  var nanosecondsPerSample: Double
  private let matrices: [(String, ConfusionMatrix)]

  private enum CodingKeys: CodingKey {
    case task, logs, window, activities, live, smoothed, pure, categories, unjudged, nanosecondsPerSample
  }

  init(_ report: ActivityEvaluationJob.Report, logs: Int, window: Double) {
    (self.logs, self.window, activities) = (logs, window, report.live.labels)
    (live, smoothed) = (Answers(report.live), Answers(report.smoothed))
    pure = Pure(
      windows: report.pureLive.total, live: Answers(report.pureLive), smoothed: Answers(report.pureSmoothed))
    categories = [
      "live": report.liveCategories.mapValues { ActivityCategoriesDocument($0) },
      "smoothed": report.smoothedCategories.mapValues { ActivityCategoriesDocument($0) },
    ]
    (unjudged, nanosecondsPerSample) = (report.unjudged, report.nanosecondsPerSample)
    matrices = [("live", report.live), ("by all of the log", report.smoothed)]
  }

  func print() {
    Page.standard.line(
      "\(counted(logs, "log")), \(counted(matrices[0].1.total, "window")) of \(window) s, \(unjudged) without a label, "
        + "\(fixed(nanosecondsPerSample, 0)) ns a sample")
    Page.standard.line(
      "windows that one label fills to 80 % (\(pure.windows)): macro F1 live \(Self.macro(pure.live)), "
        + "by all of the log \(Self.macro(pure.smoothed))")
    for (title, matrix) in matrices {
      let macro = matrix.macroF1.map { fixed($0, 4) } ?? "-"
      Page.standard.line("\n\(title): macro F1 \(macro)")
      Page.standard.line(
        padded("label \\ answer", 15), matrix.labels.map { padded($0, 11, left: true) }.joined(separator: " "),
        padded("F1", 8, left: true))
      for (row, label) in matrix.labels.enumerated() where matrix.count(of: label) > 0 {
        Page.standard.line(
          padded(label, 15), matrix.counts[row].map { padded("\($0)", 11, left: true) }.joined(separator: " "),
          padded(matrix.f1(label).map { fixed($0, 4) } ?? "-", 8, left: true))
      }
    }
    for (title, key) in [("live", "live"), ("by all of the log", "smoothed")] {
      ActivityCategoriesDocument.print(
        title, activities.compactMap { word in categories[key]?[word].map { (word, $0) } })
    }
  }

  private static func macro(_ answers: Answers) -> String { answers.macroF1.map { fixed($0, 4) } ?? "-" }
}
