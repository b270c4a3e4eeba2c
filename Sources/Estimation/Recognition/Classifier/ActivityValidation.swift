internal import InertialNumerics
internal import InertialSystem

/// The results of a model on windows of participants who were not used for its training.
package struct ActivityValidation: Sendable {
  /// An evaluated window: its label, and the scores of stationary, walking and running.
  package struct Judgement: Sendable {
    package var person: String
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

extension ActivityTrainer {
  /// Trains one model per participant, without that participant's windows, and evaluates it on these windows.
  ///
  /// - Parameter progress: A closure that receives the completed fraction, 0...1.
  package func crossValidated(
    _ examples: [ActivityExample], progress: (Double) -> Void = { _ in }
  ) throws(ActivityTrainingError) -> ActivityValidation {
    let persons = Set(examples.map(\.person)).sorted()
    guard persons.count >= 2 else { throw .tooFewPersons(persons.count) }
    var judgements: [ActivityValidation.Judgement] = []
    for (index, person) in persons.enumerated() {
      progress(Double(index) / Double(persons.count))
      let judged = examples.filter { $0.person == person && !$0.isThinned }
      guard !judged.isEmpty else { continue }
      let model = PreparedActivityModel(try train(examples.filter { $0.person != person }, name: person))
      for example in judged {
        let score = model.score(example.features)
        judgements.append(
          .init(person: person, label: example.label, scores: [Double(score.x), Double(score.y), Double(score.z)]))
      }
    }
    return ActivityValidation(judgements)
  }

  /// Returns a model of all examples, with the temperature of a cross-validation.
  package func train(
    _ examples: [ActivityExample], name: String, calibratedBy validation: ActivityValidation
  ) throws(ActivityTrainingError) -> ActivityModel {
    var model = try train(examples, name: name)
    model.temperature = Float(validation.temperature)
    return model
  }
}
