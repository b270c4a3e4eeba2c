internal import CInertialResources
internal import InertialEssentials
internal import InertialSystem

/// A trained classifier of windows: stationary, walking, running, and other motion.
///
/// Features are standardised and limited. They are combined linearly, together with random units (each a rectified
/// random sum of a few features; Rahimi and Recht, "Weighted sums of random kitchen sinks", 2008). The weights are
/// fitted to the classes by ridge regression. A softmax at the model's temperature converts scores to probabilities;
/// the temperature was fitted on data sets that were not used to train the weights (Guo et al., "On calibration of
/// modern neural networks", 2017). A missing feature has its mean in training.
package struct ActivityModel: Sendable, Hashable, Codable {
  /// The format version of model files that this program reads.
  package static let formatVersion = 2

  package var format = formatVersion
  /// The name of the model, with its version.
  package var name: String
  /// The names of the features in the order of the columns. They must match the features that this program computes.
  package var features: [String]
  /// The classes, in the order of the rows of `weights`.
  package var classes: [ActivityClass]
  /// The means and scales of the features in training.
  package var means: [Float]
  package var scales: [Float]
  /// The limit of the absolute value of standardised features.
  package var limit: Float
  /// The features of each random unit (`inputsOfUnit` consecutive indices per unit), their factors, and the offsets
  /// of the units.
  package var inputsOfUnit: Int
  package var inputs: [Int]
  package var factors: [Float]
  package var offsets: [Float]
  /// The weights, one row per class: the constant, the features, the units.
  package var weights: [[Float]]
  /// The temperature of the softmax; a smaller value yields more certain probabilities.
  package var temperature: Float
  /// The human-readable provenance of the model: data sets, participants, licences, figures.
  package var card: [String: String]

  /// Reads a model file.
  package init(json: some Sequence<UInt8>) throws(ActivityModelError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch {
      throw .unreadable
    }
    try check()
  }

  /// Returns the model as a file.
  package func json() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding cannot fail: the values are numbers, strings and arrays, and `check` has rejected invalid numbers.
    return Array((try? encoder.encode(self)) ?? Data())
  }

  init(
    name: String, features: [String], classes: [ActivityClass], means: [Float], scales: [Float], limit: Float,
    units: RandomUnits, weights: [[Float]], temperature: Float
  ) {
    (self.name, self.features, self.classes, self.means, self.scales) = (name, features, classes, means, scales)
    (self.limit, self.weights, self.temperature) = (limit, weights, temperature)
    (inputsOfUnit, inputs, factors, offsets) = (units.inputsOfUnit, units.inputs, units.factors, units.offsets)
    card = [:]
  }

  private func check() throws(ActivityModelError) {
    guard format == Self.formatVersion else { throw .wrongFormat(format) }
    let known = ActivityFeature.allCases.map(\.rawValue)
    guard features == known else { throw .otherFeatures }
    let n = features.count
    guard Set(classes) == Set(ActivityTrainer.classes), classes.count == ActivityTrainer.classes.count,
      means.count == n, scales.count == n, inputsOfUnit > 0,
      inputs.count == factors.count, inputs.count == offsets.count * inputsOfUnit,
      inputs.allSatisfy({ (0..<n).contains($0) }), weights.count == classes.count,
      weights.allSatisfy({ $0.count == 1 + n + offsets.count }), scales.allSatisfy({ $0 > 0 }), limit > 0,
      temperature > 0, (means + scales + factors + offsets + weights.joined()).allSatisfy(\.isFinite)
    else { throw .inconsistent }
  }

  /// The built-in model.
  package static let builtIn: ActivityModel = {
    let file = embedded_activity_model()
    // The file is part of the program, and a test reads it.
    return try! ActivityModel(json: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
  }()
}

/// The reason why a file is not a valid model.
package enum ActivityModelError: Error, Sendable, Equatable, CustomStringConvertible {
  case unreadable
  case wrongFormat(Int)
  /// The model was trained on other features than this program computes.
  case otherFeatures
  case inconsistent

  package var description: String {
    switch self {
    case .unreadable: "not a model of activities; make one with 'inertial activity train'"
    case .wrongFormat(let format):
      "a model of format \(format), and this program reads \(ActivityModel.formatVersion); train it again"
    case .otherFeatures: "trained on other features than this program computes; train it again"
    case .inconsistent: "the model's tables do not match each other; train it again"
    }
  }
}

/// Random units, each a rectified random sum of a few features.
struct RandomUnits: Sendable {
  var inputsOfUnit: Int
  var inputs: [Int] = []
  var factors: [Float] = []
  var offsets: [Float] = []
}
