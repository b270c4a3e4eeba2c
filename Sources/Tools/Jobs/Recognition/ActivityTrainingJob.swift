package import InertialEvaluation
package import InertialLogs
package import InertialRecognition
internal import InertialSensors

/// Trains a model of activities on labelled logs, and says by cross-validation over persons what it is worth.
package struct ActivityTrainingJob: Sendable {
  package var inputs: [String]
  package var labels: EventLabels
  package var log = LogOptions()
  package var trainer = ActivityTrainer()
  /// What the model is called.
  package var name = "activity"

  package init(inputs: [String], labels: EventLabels) {
    (self.inputs, self.labels) = (inputs, labels)
  }

  /// Share of a window that must carry one label.
  private static let leastShare = 0.8
  /// Hz: logs of more than twice that are learned a second time at it, so that coarse logs are known too.
  private static let thinnedRate = 25.0

  /// A trained model and its cross-validation.
  package struct Report: Sendable {
    package var model: ActivityModel
    package var validation: ActivityValidation
    /// The same by plain ridge regression on the features, for comparison.
    package var plain: ActivityValidation
    package var examples: [ActivityExample]
  }

  /// - Parameter progress: called with the share that is done, 0 to 1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    guard labels.namesRecordings || inputs.count == 1 else {
      throw .usage("labels of several recordings need the column recording, with the name of each one's file or folder")
    }
    var examples: [ActivityExample] = []
    for (place, input) in inputs.enumerated() {
      progress(0.5 * Double(place) / Double(inputs.count))
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

  /// The labelled windows of a log, and those of the same at a lower rate.
  func examples(of input: String) throws(FusionError) -> [ActivityExample] {
    let stretches = labels.stretches(of: input)
    guard !stretches.isEmpty else { return [] }
    var job = ActivityJob(input: input)
    job.log = log
    return Self.examples(of: try job.samples(), labels: stretches, person: labels.person(of: input) ?? input)
  }

  /// The labelled windows of samples, and those of every so manieth of them where there are many.
  static func examples(
    of samples: [MotionSample], labels: [LabelledStretch], person: String
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
        examples.append(
          ActivityExample(features: window.features, label: label, person: person, isThinned: every > 1))
      }
    }
    return examples
  }

  private static func label(of window: ActivityWindow, in labels: [LabelledStretch]) -> ActivityClass? {
    var seconds: [ActivityClass: Double] = [:]
    for stretch in labels {
      let shared = min(stretch.end, window.end) - max(stretch.start, window.start)
      guard shared > 0, let activity = ActivityWords.activity(stretch.label) else { continue }
      seconds[activity, default: 0] += shared
    }
    guard let (label, shared) = seconds.max(by: { $0.value < $1.value }),
      shared >= leastShare * (window.end - window.start)
    else { return nil }
    return [.stationary, .walking, .running].contains(label) ? label : nil
  }
}

extension ActivityValidation {
  /// The judged windows, each by its highest score.
  package var confusion: ConfusionMatrix {
    var matrix = ConfusionMatrix(
      labels: [ActivityClass.stationary, .walking, .running].map(\.rawValue))
    for judgement in judgements { matrix.add(label: judgement.label.rawValue, answer: judgement.best.rawValue) }
    return matrix
  }
}
