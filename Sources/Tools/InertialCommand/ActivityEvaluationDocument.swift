import Inertial

/// The output of `inertial evaluate-events --task activity`.
struct ActivityEvaluationDocument: Encodable {
  struct Predictions: Encodable {
    var macroF1: Double?
    var accuracy: Double?
    /// The F1 scores by activity.
    var f1: [String: Double]
    /// The confusion matrix, with labels as rows and predictions as columns, in the order of `activities`.
    var confusion: [[Int]]

    init(_ matrix: ConfusionMatrix) {
      (macroF1, accuracy, confusion) = (matrix.macroF1, matrix.accuracy, matrix.counts)
      f1 = Dictionary(uniqueKeysWithValues: matrix.labels.compactMap { label in matrix.f1(label).map { (label, $0) } })
    }
  }

  struct SingleLabelWindows: Encodable {
    var windows: Int
    var live: Predictions
    var smoothed: Predictions
  }

  var task = "activity"
  var logs: Int
  /// The duration of a window, in seconds.
  var window: Double
  var activities: [String]
  var live: Predictions
  var smoothed: Predictions
  /// The scores of windows of which one label covers at least four fifths.
  var pure: SingleLabelWindows
  /// The live and the smoothed results: segments and durations of each activity by kind of error.
  var categories: [String: [String: ActivityCategoriesDocument]]
  /// The number of windows without a label, or with a label that is not an activity.
  var unjudged: Int
  var nanosecondsPerSample: Double
  private let matrices: [(String, ConfusionMatrix)]

  private enum CodingKeys: CodingKey {
    case task, logs, window, activities, live, smoothed, pure, categories, unjudged, nanosecondsPerSample
  }

  init(_ report: ActivityEvaluationJob.Report, logs: Int, window: Double) {
    (self.logs, self.window, activities) = (logs, window, report.live.labels)
    (live, smoothed) = (Predictions(report.live), Predictions(report.smoothed))
    pure = SingleLabelWindows(
      windows: report.pureLive.total, live: Predictions(report.pureLive), smoothed: Predictions(report.pureSmoothed))
    categories = [
      "live": report.liveCategories.mapValues { ActivityCategoriesDocument($0) },
      "smoothed": report.smoothedCategories.mapValues { ActivityCategoriesDocument($0) },
    ]
    (unjudged, nanosecondsPerSample) = (report.unjudged, report.nanosecondsPerSample)
    matrices = [("live", report.live), ("smoothed", report.smoothed)]
  }

  func print() {
    Page.standard.line(
      "\(counted(logs, "log")), \(counted(matrices[0].1.total, "window")) of \(window) s, \(unjudged) without a label, "
        + "\(fixed(nanosecondsPerSample, 0)) ns per sample")
    Page.standard.line(
      "windows in which one label covers at least 80 % (\(pure.windows)): macro F1 live \(Self.macro(pure.live)), "
        + "smoothed \(Self.macro(pure.smoothed))")
    for (title, matrix) in matrices {
      let macro = matrix.macroF1.map { fixed($0, 4) } ?? "-"
      Page.standard.line("\n\(title): macro F1 \(macro)")
      Page.standard.line(
        padded("label \\ output", 15), matrix.labels.map { padded($0, 11, left: true) }.joined(separator: " "),
        padded("F1", 8, left: true))
      for (row, label) in matrix.labels.enumerated() where matrix.count(of: label) > 0 {
        Page.standard.line(
          padded(label, 15), matrix.counts[row].map { padded("\($0)", 11, left: true) }.joined(separator: " "),
          padded(matrix.f1(label).map { fixed($0, 4) } ?? "-", 8, left: true))
      }
    }
    for (title, key) in [("live", "live"), ("smoothed", "smoothed")] {
      ActivityCategoriesDocument.print(
        title, activities.compactMap { word in categories[key]?[word].map { (word, $0) } })
    }
  }

  private static func macro(_ answers: Predictions) -> String { answers.macroF1.map { fixed($0, 4) } ?? "-" }
}
