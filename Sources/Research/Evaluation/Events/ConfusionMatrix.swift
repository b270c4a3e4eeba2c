internal import InertialSystem

/// The number of windows by label and classification.
package struct ConfusionMatrix: Sendable, Equatable {
  /// The labels and classes, in the order in which they are shown.
  package let labels: [String]
  /// The counts; rows are labels, columns are classifications.
  package private(set) var counts: [[Int]]

  package init(labels: [String]) {
    self.labels = labels
    counts = Array(repeating: Array(repeating: 0, count: labels.count), count: labels.count)
  }

  /// Adds a window; passing a word that is not among the labels is a programming error.
  package mutating func add(label: String, answer: String) {
    guard let row = labels.firstIndex(of: label), let column = labels.firstIndex(of: answer) else {
      preconditionFailure("'\(label)' or '\(answer)' is not one of the labels \(labels)")
    }
    counts[row][column] += 1
  }

  package var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// Returns the number of windows with a label.
  package func count(of label: String) -> Int {
    labels.firstIndex(of: label).map { counts[$0].reduce(0, +) } ?? 0
  }

  /// Returns the fraction of a label's windows that were classified correctly, or `nil` without windows.
  package func recall(_ label: String) -> Double? {
    guard let index = labels.firstIndex(of: label), count(of: label) > 0 else { return nil }
    return Double(counts[index][index]) / Double(count(of: label))
  }

  /// Returns the fraction of a class's classifications that were correct, or `nil` without classifications.
  package func precision(_ label: String) -> Double? {
    guard let index = labels.firstIndex(of: label) else { return nil }
    let answered = counts.reduce(0) { $0 + $1[index] }
    return answered > 0 ? Double(counts[index][index]) / Double(answered) : nil
  }

  /// Returns the harmonic mean of precision and recall, 0 if nothing was correct, or `nil` if the label has no windows.
  package func f1(_ label: String) -> Double? {
    guard let recall = recall(label) else { return nil }
    guard let precision = precision(label), precision + recall > 0 else { return 0 }
    return 2 * precision * recall / (precision + recall)
  }

  /// F1 of each label that has windows.
  package var f1Scores: [String: Double] {
    Dictionary(uniqueKeysWithValues: labels.compactMap { label in f1(label).map { (label, $0) } })
  }

  /// The mean of F1 over the labels that have windows, or `nil` without windows.
  package var macroF1: Double? {
    let values = labels.compactMap { f1($0) }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The fraction of all windows that were classified correctly, or `nil` without windows.
  package var accuracy: Double? {
    total > 0 ? Double(labels.indices.reduce(0) { $0 + counts[$1][$1] }) / Double(total) : nil
  }
}

extension ConfusionMatrix: Encodable {
  /// Encodes the counts in the order of the labels, and the derived figures.
  package func encode(to encoder: any Encoder) throws {
    try EncodedObject(["macroF1": macroF1, "accuracy": accuracy, "f1": f1Scores, "confusion": counts])
      .encode(to: encoder)
  }
}
