internal import InertialNumerics
internal import InertialSystem

/// The results of models on windows of data sets that were not used for their training.
package struct ActivityValidation: Sendable {
  /// An evaluated window: its label, and the scores in the order of `ActivityTrainer.classes`.
  package struct Judgement: Sendable {
    package var set: String
    package var label: ActivityClass
    package var scores: [Double]

    package var best: ActivityClass {
      let position = scores.indices.max { scores[$0] < scores[$1] } ?? 0
      return ActivityTrainer.classes[position]
    }
  }

  package private(set) var judgements: [Judgement] = []
  /// The temperature of the softmax at which the labels of the evaluated windows are most probable.
  package private(set) var temperature = 0.1

  init(_ judgements: [Judgement]) {
    self.judgements = judgements
    temperature = fittedTemperature()
  }

  /// Returns the mean negative logarithm of the probability of a window's label, at a temperature.
  package func surprise(temperature: Double) -> Double {
    var sum = 0.0
    for judgement in judgements {
      let scores = judgement.scores.map { $0 / temperature }
      let highest = scores.max() ?? 0
      let logarithm = highest + log(scores.reduce(0) { $0 + exp($1 - highest) })
      sum += logarithm - scores[ActivityTrainer.classes.firstIndex(of: judgement.label) ?? 0]
    }
    return sum / Double(max(1, judgements.count))
  }

  /// Returns the temperature with the lowest surprise, by golden-section search over its logarithm. The surprise has
  /// a single minimum.
  private func fittedTemperature() -> Double {
    exp(goldenSectionMinimum(in: log(0.02)...log(2), tolerance: 3e-6) { surprise(temperature: exp($0)) })
  }
}
