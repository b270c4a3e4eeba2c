package import InertialEvaluation
package import InertialLogs
package import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Trains an activity model on labelled logs and cross-validates it over participants.
package struct ActivityTrainingJob: Sendable {
  package var inputs: [String]
  package var labels: EventLabels
  package var log = LogOptions()
  package var trainer = ActivityTrainer()
  /// The name of the model.
  package var name = "activity"

  package init(inputs: [String], labels: EventLabels) { (self.inputs, self.labels) = (inputs, labels) }

  /// The minimum fraction of a window that one label covers.
  private static let minimumFraction = 0.8
  /// The rate in Hz to which logs are thinned, if theirs is at least 1.5 times as high, for examples of low-rate logs.
  private static let thinnedRate = 25.0

  /// A trained model and its cross-validation.
  package struct Report: Sendable {
    package var model: ActivityModel
    package var validation: ActivityValidation
    /// The cross-validation of plain ridge regression on the features, for comparison.
    package var plain: ActivityValidation
    package var examples: [ActivityExample]
    /// The file to which the caller has written the model, or `nil`.
    package var output: String?

    private var evaluated: [ActivityExample] { examples.filter { !$0.isThinned } }
    /// The number of windows by activity, without those of thinned logs.
    package var windows: [String: Int] { Dictionary(evaluated.map { ($0.label.rawValue, 1) }, uniquingKeysWith: +) }
    /// The number of participants.
    package var persons: Int { Set(evaluated.map(\.person)).count }
    /// The cross-validations with the names of their models.
    package var models: [(name: String, validation: ActivityValidation)] {
      [("random units", validation), ("plain ridge", plain)]
    }
  }

  /// - Parameter progress: Called with the completed fraction, 0...1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try labels.check(inputs)
    var examples: [ActivityExample] = []
    for (position, input) in inputs.enumerated() {
      progress(0.5 * Double(position) / Double(inputs.count))
      examples += try self.examples(of: input)
    }
    do {
      let validation = try trainer.crossValidated(examples) { progress(0.5 + 0.4 * $0) }
      var parameters = trainer.parameters
      parameters.unitCount = 0
      let plain = try ActivityTrainer(parameters: parameters).crossValidated(examples) { progress(0.9 + 0.1 * $0) }
      let model = try trainer.train(examples, name: name, calibratedBy: validation)
      return Report(model: model, validation: validation, plain: plain, examples: examples)
    } catch {
      throw .badData("the labels: \(error)")
    }
  }

  /// Returns the labelled windows of a log, and those of the log at a lower rate.
  func examples(of input: String) throws(FusionError) -> [ActivityExample] {
    let stretches = labels.stretches(of: input)
    guard !stretches.isEmpty else { return [] }
    var job = ActivityJob(input: input)
    job.log = log
    return Self.examples(of: try job.samples(), labels: stretches, person: labels.person(of: input) ?? input)
  }

  /// Returns the labelled windows of samples, and at a high rate also those of every n-th sample.
  static func examples(
    of samples: [MotionSample], labels: [LabelledSegment], person: String
  ) -> [ActivityExample] {
    let duration = samples.last!.time - samples[0].time
    let rate = Double(samples.count - 1) / max(duration, 1e-3)
    let step = Int(rate / thinnedRate + 0.5)
    var examples: [ActivityExample] = []
    for every in step >= 2 ? [1, step] : [1] {
      var windows = ActivityWindows()
      for index in stride(from: 0, to: samples.count, by: every) {
        guard let window = windows.update(samples[index]) else { continue }
        guard let label = label(of: window, in: labels) else { continue }
        examples.append(ActivityExample(features: window.features, label: label, person: person, isThinned: every > 1))
      }
    }
    return examples
  }

  private static func label(of window: ActivityWindow, in labels: [LabelledSegment]) -> ActivityClass? {
    var seconds: [ActivityClass: Double] = [:]
    for stretch in labels {
      let shared = min(stretch.end, window.end) - max(stretch.start, window.start)
      guard shared > 0, let activity = ActivityClass(label: stretch.label) else { continue }
      seconds[activity, default: 0] += shared
    }
    guard let (label, shared) = seconds.max(by: { $0.value < $1.value }),
      shared >= minimumFraction * (window.end - window.start)
    else { return nil }
    return [.stationary, .walking, .running].contains(label) ? label : nil
  }
}

extension ActivityTrainingJob.Report: Encodable {
  /// Encodes the document of `inertial activity train --json`.
  package func encode(to encoder: any Encoder) throws {
    let models = models.map { name, validation in
      let matrix = validation.confusion
      return EncodedObject([
        "model": name, "macroF1": matrix.macroF1, "f1": matrix.f1Scores, "temperature": validation.temperature,
        "surprise": validation.surprise, "confusion": matrix.counts,
      ])
    }
    try EncodedObject([
      "output": output, "windows": windows, "persons": persons, "activities": validation.confusion.labels,
      "models": models,
    ]).encode(to: encoder)
  }
}

extension ActivityValidation {
  /// The mean negative log-likelihood of the correct activity.
  package var surprise: Double { surprise(temperature: temperature) }

  /// The evaluated windows, each with its highest-scoring class.
  package var confusion: ConfusionMatrix {
    var matrix = ConfusionMatrix(labels: [ActivityClass.stationary, .walking, .running].map(\.rawValue))
    for judgement in judgements { matrix.add(label: judgement.label.rawValue, answer: judgement.best.rawValue) }
    return matrix
  }
}
