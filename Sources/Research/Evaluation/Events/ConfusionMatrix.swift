/// How often each label was answered by each class.
package struct ConfusionMatrix: Sendable, Equatable {
  /// Labels and answers that were met, in the order in which they are shown.
  package let labels: [String]
  /// Rows: the label; columns: the answer.
  package private(set) var counts: [[Int]]

  package init(labels: [String]) {
    self.labels = labels
    counts = Array(repeating: Array(repeating: 0, count: labels.count), count: labels.count)
  }

  /// Counts a window; words that are not among the labels are an error of the caller.
  package mutating func add(label: String, answer: String) {
    guard let row = labels.firstIndex(of: label), let column = labels.firstIndex(of: answer) else {
      preconditionFailure("'\(label)' or '\(answer)' is none of the labels \(labels)")
    }
    counts[row][column] += 1
  }

  package var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// Windows of a label.
  package func count(of label: String) -> Int {
    labels.firstIndex(of: label).map { counts[$0].reduce(0, +) } ?? 0
  }

  /// Share of a label's windows that were answered by it; nil where there are none.
  package func recall(_ label: String) -> Double? {
    guard let place = labels.firstIndex(of: label), count(of: label) > 0 else { return nil }
    return Double(counts[place][place]) / Double(count(of: label))
  }

  /// Share of the answers of a class that were right; nil where there are none.
  package func precision(_ label: String) -> Double? {
    guard let place = labels.firstIndex(of: label) else { return nil }
    let answered = counts.reduce(0) { $0 + $1[place] }
    return answered > 0 ? Double(counts[place][place]) / Double(answered) : nil
  }

  /// The harmonic mean of precision and recall, 0 where nothing was right; nil where the label has no windows.
  package func f1(_ label: String) -> Double? {
    guard let recall = recall(label) else { return nil }
    guard let precision = precision(label), precision + recall > 0 else { return 0 }
    return 2 * precision * recall / (precision + recall)
  }

  /// The mean of F1 over the labels that have windows; nil where none has.
  package var macroF1: Double? {
    let values = labels.compactMap { f1($0) }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Share of all windows that were answered right; nil where there are none.
  package var accuracy: Double? {
    total > 0 ? Double(labels.indices.reduce(0) { $0 + counts[$1][$1] }) / Double(total) : nil
  }
}
