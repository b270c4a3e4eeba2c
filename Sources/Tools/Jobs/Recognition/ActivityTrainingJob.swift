package import InertialEvaluation
internal import InertialFilters
package import InertialLogs
internal import InertialNumerics
package import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Trains an activity model on labelled logs, and evaluates each data set by a model that was trained without it.
///
/// Each log also trains in altered copies, so that a model does not learn the devices and participants of a data set; see
/// `MotionAlteration`.
package struct ActivityTrainingJob: Sendable {
  package var inputs: [String]
  package var labels: EventLabels
  package var log = LogOptions()
  package var trainer = ActivityTrainer()
  /// The number of altered copies of each log.
  package var copies = 3
  /// The name of the model.
  package var name = "activity"

  package init(inputs: [String], labels: EventLabels) { (self.inputs, self.labels) = (inputs, labels) }

  /// The minimum fraction of a window that one label covers.
  private static let minimumFraction = 0.8

  /// A trained model and its evaluation.
  package struct Report: Sendable {
    package var model: ActivityModel
    package var validation: ActivityValidation
    package var examples: [ActivityExample]
    /// The file to which the caller has written the model, or `nil`.
    package var output: String?

    private var evaluated: [ActivityExample] {
      examples.filter { !$0.isAltered && $0.set != ActivityTrainer.simulatedSet }
    }
    /// The number of windows by activity, without altered copies and simulated motions.
    package var windows: [String: Int] { Dictionary(evaluated.map { ($0.label.rawValue, 1) }, uniquingKeysWith: +) }
    /// The number of participants.
    package var persons: Int { Set(evaluated.map(\.person)).count }
    /// The evaluated data sets.
    package var sets: [String] { Set(evaluated.map(\.set)).sorted() }
  }

  /// - Parameter progress: Called with the completed fraction, 0...1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try labels.check(inputs)
    var examples: [ActivityExample] = []
    for (position, input) in inputs.enumerated() {
      progress(0.5 * Double(position) / Double(inputs.count))
      examples += try self.examples(of: input, seed: UInt64(position))
    }
    do {
      let (model, validation) = try trainer.train(examples, name: name) { progress(0.5 + 0.5 * $0) }
      return Report(model: model, validation: validation, examples: examples)
    } catch {
      throw .badData("the labels: \(error)")
    }
  }

  /// Returns the labelled windows of a log and of its altered copies.
  func examples(of input: String, seed: UInt64) throws(FusionError) -> [ActivityExample] {
    let stretches = labels.stretches(of: input)
    guard !stretches.isEmpty else { return [] }
    // Not through an `ActivityJob`, which has a model.
    let samples = try LogFeed(motionOf: input, options: log, auxiliary: []).motionSamples(
      filter: .standard, orThrow: .badData("\(input): the log has no acceleration"))
    return Self.examples(
      of: samples, labels: stretches, person: labels.person(of: input) ?? input, copies: copies, seed: seed)
  }

  /// Returns the labelled windows of samples, and of altered copies.
  static func examples(
    of samples: [MotionSample], labels: [LabelledSegment], person: String, copies: Int, seed: UInt64
  ) -> [ActivityExample] {
    var generator = SeededGenerator(seed: seed)
    var examples: [ActivityExample] = []
    for copy in 0...copies {
      let alteration = copy == 0 ? nil : MotionAlteration(&generator)
      var windows = ActivityWindows()
      for sample in alteration?.apply(to: samples, &generator) ?? samples {
        guard let window = windows.update(sample) else { continue }
        let times = alteration.map { $0.original(window.start, samples)...$0.original(window.end, samples) }
        guard let label = label(of: window, from: times ?? window.start...window.end, in: labels) else { continue }
        examples.append(
          ActivityExample(features: window.features, label: label, person: person, isAltered: copy > 0))
      }
    }
    return examples
  }

  /// Returns the label of a window, or `nil` if none covers it or its motion contradicts the label: a person who is
  /// said to sit and moves, or to walk and is at rest.
  private static func label(
    of window: ActivityWindow, from times: ClosedRange<Double>, in labels: [LabelledSegment]
  ) -> ActivityClass? {
    let segment = labels.first {
      min($0.end, times.upperBound) - max($0.start, times.lowerBound)
        >= minimumFraction * (times.upperBound - times.lowerBound)
    }
    guard let segment, let label = ActivityClass(label: segment.label) else { return nil }
    let limits = PhysicalLimits()
    switch label {
    case .stationary: return limits.excluded(by: window).contains(.stationary) ? nil : label
    case .walking, .running: return window.level < limits.minimumGait ? nil : label
    case .other: return limits.isAtRest(window) ? nil : label
    case .cycling, .automotive: return nil
    }
  }
}

extension ActivityTrainingJob.Report: Encodable {
  /// Encodes the document of `inertial activity train --json`.
  package func encode(to encoder: any Encoder) throws {
    let confusion = validation.confusion()
    try EncodedObject([
      "output": output, "windows": windows, "persons": persons, "activities": confusion.labels,
      "macroF1": confusion.macroF1, "f1": confusion.f1Scores, "confusion": confusion.counts,
      "temperature": validation.temperature, "surprise": validation.surprise,
      "sets": sets.map { EncodedObject(["set": $0, "confusion": validation.confusion(of: $0).counts]) },
    ]).encode(to: encoder)
  }
}

extension ActivityValidation {
  /// The mean negative log-likelihood of the correct activity.
  package var surprise: Double { surprise(temperature: temperature) }

  /// Returns the evaluated windows of a data set, or of all, each with its highest-scoring class.
  package func confusion(of set: String? = nil) -> ConfusionMatrix {
    var matrix = ConfusionMatrix(labels: ActivityTrainer.classes.map(\.rawValue))
    for judgement in judgements where set == nil || judgement.set == set {
      matrix.add(label: judgement.label.rawValue, answer: judgement.best.rawValue)
    }
    return matrix
  }
}
