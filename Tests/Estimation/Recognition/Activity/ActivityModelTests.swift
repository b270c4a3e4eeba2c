import InertialNumerics
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Activity model")
struct ActivityModelTests {
  /// Returns windows of three participants, whose activities differ in two features.
  private func examples(_ count: Int = 60) -> [ActivityExample] {
    var generator = SeededGenerator(seed: 11)
    var examples: [ActivityExample] = []
    for person in ["a", "b", "c"] {
      for (position, label) in ActivityTrainer.classes.enumerated() {
        for _ in 0..<count {
          var features = ActivityFeature.allCases.map { _ in Float(generator.normal()) }
          features[3] = Float(0.6 * generator.normal() + (position == 1 ? 3 : 0))
          features[5] = Float(0.6 * generator.normal() + (position == 2 ? 3 : 0))
          examples.append(ActivityExample(features: features, label: label, person: person))
        }
      }
    }
    return examples
  }

  @Test("the built-in model can be read and is small")
  func builtIn() throws {
    let model = ActivityModel.builtIn
    #expect(model.features.count == 32 && model.classes.count == 3 && model.json().count < 200_000)
    #expect(try ActivityModel(json: model.json()) == model)
  }

  @Test("a file with an invalid or foreign model is rejected")
  func malformed() throws {
    #expect(throws: ActivityModelError.unreadable) { try ActivityModel(json: Array("{}".utf8)) }
    func refused(_ change: (inout ActivityModel) -> Void) -> ActivityModelError? {
      var model = ActivityModel.builtIn
      change(&model)
      do throws(ActivityModelError) {
        _ = try ActivityModel(json: model.json())
        return nil
      } catch { return error }
    }
    #expect(refused { _ in } == nil && refused { $0.format = 2 } == .wrongFormat(2))
    #expect(refused { $0.features[0] = "colour" } == .otherFeatures)
    let changes: [(inout ActivityModel) -> Void] = [
      { $0.classes[0] = .cycling }, { $0.means.removeLast() }, { $0.scales[4] = 0 }, { $0.inputs[0] = 99 },
      { $0.weights[1].append(1) }, { $0.temperature = 0 },
    ]
    for (index, change) in changes.enumerated() { #expect(refused(change) == .inconsistent, "change \(index)") }
    for error in [ActivityModelError.unreadable, .wrongFormat(3), .otherFeatures, .inconsistent] {
      #expect(error.description.contains("train"))
    }
  }

  @Test("a model trained on some participants is valid for others, with random units and with plain ridge regression")
  func learns() throws {
    for units in [0, 100] {
      let trainer = ActivityTrainer(parameters: with(.init()) { $0.unitCount = units })
      let validation = try trainer.crossValidated(examples())
      let right = validation.judgements.count { $0.best == $0.label }
      #expect(validation.judgements.count == 540 && Double(right) > 0.93 * 540)
      // The temperature maximises the probability of the labels.
      let best = validation.surprise(temperature: validation.temperature)
      #expect(best < validation.surprise(temperature: validation.temperature * 1.5))
      #expect(best < validation.surprise(temperature: validation.temperature / 1.5))
      let model = try trainer.train(examples(), name: "test", calibratedBy: validation)
      #expect(model.name == "test" && model.temperature == Float(validation.temperature))
      #expect(try ActivityModel(json: model.json()) == model)
      #expect(try trainer.train(examples(), name: "test", calibratedBy: validation) == model)
    }
  }

  @Test("the weights satisfy the normal equations of ridge regression")
  func normalEquations() throws {
    let parameters = with(ActivityTrainer.Parameters()) { $0.unitCount = 0 }
    // All windows have the same weight, with equal numbers per participant and activity.
    let examples = examples(20)
    let model = try ActivityTrainer(parameters: parameters).train(examples, name: "x")
    let prepared = PreparedActivityModel(model)
    for position in 0..<32 {
      // The gradient with respect to a weight: Σ z (score − target) + λ β = 0.
      var gradient = 0.0
      for example in examples {
        let z = PreparedActivityModel.standardised(
          example.features, means: model.means, reciprocals: model.scales.map { 1 / $0 }, limit: model.limit)
        let target: Float = example.label == .walking ? 1 : 0
        gradient += Double(z[position] * (prepared.score(example.features).y - target))
      }
      gradient += 0.18 * Double(model.weights[1][1 + position])
      #expect(abs(gradient) < 1e-3, "\(ActivityFeature.allCases[position]): \(gradient)")
    }
  }

  @Test("thinned copies train but are not evaluated; too few participants or classes and invalid features are errors")
  func errors() throws {
    let trainer = ActivityTrainer(parameters: .init())
    var examples = examples(20)
    for index in examples.indices where index % 2 == 0 { examples[index].isThinned = true }
    #expect(try trainer.crossValidated(examples).judgements.count == 90)
    #expect(throws: ActivityTrainingError.self) { try trainer.crossValidated(examples.filter { $0.person == "a" }) }
    #expect(throws: ActivityTrainingError.self) { try trainer.crossValidated([]) }
    #expect(throws: ActivityTrainingError.self) {
      try trainer.train(examples.filter { $0.label != .running }, name: "x")
    }
    examples[3].features[2] = .nan
    #expect(throws: ActivityTrainingError.self) { try trainer.train(examples, name: "x") }
  }
}
