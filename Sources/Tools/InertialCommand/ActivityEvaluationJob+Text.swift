import Inertial

extension ActivityEvaluationJob.Report {
  func print() {
    Page.standard.line(
      "\(counted(logs, "log")), \(counted(live.total, "window")) of \(window) s, \(unjudged) without a label, "
        + "\(fixed(nanosecondsPerSample, 0)) ns per sample")
    Page.standard.line(
      "windows in which one label covers at least 80 % (\(pureLive.total)): macro F1 live \(Self.macro(pureLive)), "
        + "smoothed \(Self.macro(pureSmoothed))")
    for (title, matrix) in [("live", live), ("smoothed", smoothed)] {
      Page.standard.line("\n\(title): macro F1 \(Self.macro(matrix))")
      Page.standard.line(
        padded("label \\ output", 15), matrix.labels.map { right($0, 11) }.joined(separator: " "), right("F1", 8))
      for (row, label) in matrix.labels.enumerated() where matrix.count(of: label) > 0 {
        Page.standard.line(
          padded(label, 15), matrix.counts[row].map { right("\($0)", 11) }.joined(separator: " "),
          right(fixed(matrix.f1(label), 4), 8))
      }
    }
    for (title, categories) in [("live", liveCategories), ("smoothed", smoothedCategories)] {
      ActivityCategories.print(title, live.labels.compactMap { word in categories[word].map { (word, $0) } })
    }
  }

  private static func macro(_ matrix: ConfusionMatrix) -> String { fixed(matrix.macroF1, 4) }
}
