import InertialNumerics
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Activity model")
struct ActivityModelTests {
  /// Returns windows of three participants, one of each of three data sets, whose activities differ in three features.
  private func examples(_ count: Int = 60) -> [ActivityExample] {
    var generator = SeededGenerator(seed: 11)
    var examples: [ActivityExample] = []
    for person in ["a-1", "b-1", "c-1"] {
      for (position, label) in ActivityTrainer.classes.enumerated() {
        for _ in 0..<count {
          var features = ActivityFeature.allCases.map { _ in Float(generator.normal()) }
          features[3] = Float(0.6 * generator.normal() + (position == 1 ? 3 : 0))
          features[5] = Float(0.6 * generator.normal() + (position == 2 ? 3 : 0))
          features[7] = Float(0.6 * generator.normal() + (position == 3 ? 3 : 0))
          examples.append(ActivityExample(features: features, label: label, person: person))
        }
      }
    }
    return examples
  }

  @Test("the built-in model can be read and is small")
  func builtIn() throws {
    let model = ActivityModel.builtIn
    #expect(model.features.count == 45 && model.classes.count == 4 && model.json().count < 100_000)
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
    #expect(refused { _ in } == nil && refused { $0.format = 1 } == .wrongFormat(1))
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

  @Test("a model trained on some data sets is valid for others, with random units and with plain ridge regression")
  func learns() throws {
    for units in [0, 100] {
      let trainer = ActivityTrainer(parameters: with(.init()) { $0.unitCount = units })
      let (model, validation) = try trainer.train(examples(), name: "test")
      let right = validation.judgements.count { $0.best == $0.label }
      #expect(validation.judgements.count == 720 && Double(right) > 0.93 * 720)
      // The temperature maximises the probability of the labels.
      let best = validation.surprise(temperature: validation.temperature)
      #expect(best < validation.surprise(temperature: validation.temperature * 1.5))
      #expect(best < validation.surprise(temperature: validation.temperature / 1.5))
      #expect(model.name == "test" && model.temperature == Float(validation.temperature))
      #expect(try ActivityModel(json: model.json()) == model)
      #expect(try trainer.train(examples(), name: "test").model == model)
    }
  }

  @Test("a data set is evaluated by a model without it: labels of one set that are exchanged do not help it")
  func leftOut() throws {
    var examples = examples(40)
    for index in examples.indices where examples[index].set == "c" {
      examples[index].label = [.walking: .running, .running: .walking][examples[index].label] ?? examples[index].label
    }
    let judged = try ActivityTrainer().train(examples, name: "x").validation.judgements.filter { $0.set == "c" }
    let gaits = judged.filter { $0.label == .walking || $0.label == .running }
    #expect(gaits.count == 80 && gaits.count { $0.best == $0.label } < 8)
  }

  @Test("the weights satisfy the normal equations of ridge regression")
  func normalEquations() throws {
    let parameters = with(ActivityTrainer.Parameters()) { $0.unitCount = 0 }
    // All windows have the same weight, with equal numbers per participant and activity.
    let examples = examples(20)
    let model = try ActivityTrainer(parameters: parameters).train(examples, name: "x").model
    let prepared = PreparedActivityModel(model)
    for position in model.features.indices {
      // The gradient with respect to a weight: Σ z (score − target) + λ β = 0.
      var gradient = 0.0
      for example in examples {
        let z = PreparedActivityModel.standardised(
          example.features, means: model.means, reciprocals: model.scales.map { 1 / $0 }, limit: model.limit)
        let target: Float = example.label == .walking ? 1 : 0
        gradient += Double(z[position] * (prepared.score(example.features).y - target))
      }
      gradient += 0.24 * Double(model.weights[1][1 + position])
      #expect(abs(gradient) < 3e-3, "\(ActivityFeature.allCases[position]): \(gradient)")
    }
  }

  @Test("a missing feature counts as its mean, and does not change the mean")
  func missing() throws {
    var examples = examples(20)
    for index in examples.indices where index % 3 == 0 { examples[index].features[40] = ActivityFeature.missing }
    let model = try ActivityTrainer().train(examples, name: "x").model
    #expect(abs(model.means[40]) < 0.3 && model.scales[40] < 1.3)
    let prepared = PreparedActivityModel(model)
    var (missing, mean) = (examples[1].features, examples[1].features)
    (missing[40], mean[40]) = (ActivityFeature.missing, model.means[40])
    #expect(prepared.score(missing) == prepared.score(mean))
  }

  @Test("altered copies train but are not evaluated; too few data sets or classes and invalid features are errors")
  func errors() throws {
    let trainer = ActivityTrainer(parameters: .init())
    var examples = examples(20)
    for index in examples.indices where index % 2 == 0 { examples[index].isAltered = true }
    #expect(try trainer.train(examples, name: "x").validation.judgements.count == 120)
    #expect(throws: ActivityTrainingError.self) { try trainer.train(examples.filter { $0.set == "a" }, name: "x") }
    #expect(throws: ActivityTrainingError.self) { try trainer.train([], name: "x") }
    #expect(throws: ActivityTrainingError.self) {
      try trainer.train(examples.filter { $0.label != .running }, name: "x")
    }
    examples[3].features[2] = .nan
    #expect(throws: ActivityTrainingError.self) { try trainer.train(examples, name: "x") }
  }
}
