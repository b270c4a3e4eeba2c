internal import CInertialResources
internal import InertialEssentials
internal import InertialSystem

/// A trained classifier of windows: stationary, walking, running.
///
/// Features are standardised and limited, handed on as they are and through random units (each a rectified random sum
/// of a few features; Rahimi and Recht, "Weighted sums of random kitchen sinks", 2008), and weighed by ridge regression
/// against the classes. A softmax at the model's temperature makes probabilities of the scores; the temperature was
/// fitted on persons that the weights had not seen (Guo et al., "On calibration of modern neural networks", 2017).
package struct ActivityModel: Sendable, Hashable, Codable {
  /// The format of the file; this program reads 1.
  package static let formatVersion = 1

  package var format = formatVersion
  /// What the model is called, with its version.
  package var name: String
  /// By name, in the order of the columns; must be those this program computes.
  package var features: [String]
  /// The classes, in the order of the rows of `weights`.
  package var classes: [ActivityClass]
  /// Means and scales of the features in training.
  package var means: [Float]
  package var scales: [Float]
  /// Standardised features are limited to so much on either side.
  package var limit: Float
  /// Each random unit's features (`inputsOfUnit` places a unit, one after the other), their factors, and its offset.
  package var inputsOfUnit: Int
  package var inputs: [Int]
  package var factors: [Float]
  package var offsets: [Float]
  /// A row a class: the constant, the features, the units.
  package var weights: [[Float]]
  /// Of the softmax; smaller is surer.
  package var temperature: Float
  /// Where the model comes from: sets, persons, licences, figures; for the reader.
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

  /// The model as a file.
  package func json() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers, words and arrays of them; `check` has refused what cannot be written.
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
    let trained: Set<ActivityClass> = [.stationary, .walking, .running]
    guard Set(classes) == trained, classes.count == 3, means.count == n, scales.count == n, inputsOfUnit > 0,
      inputs.count == factors.count, inputs.count == offsets.count * inputsOfUnit,
      inputs.allSatisfy({ (0..<n).contains($0) }), weights.count == classes.count,
      weights.allSatisfy({ $0.count == 1 + n + offsets.count }), scales.allSatisfy({ $0 > 0 }), limit > 0,
      temperature > 0, (means + scales + factors + offsets + weights.joined()).allSatisfy(\.isFinite)
    else { throw .inconsistent }
  }

  /// The built-in model.
  package static let builtIn: ActivityModel = {
    let file = embedded_activity_model()
    // The file is part of the program: a test reads it.
    return try! ActivityModel(json: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
  }()
}

/// Why a file is not a model.
package enum ActivityModelError: Error, Sendable, Equatable, CustomStringConvertible {
  case unreadable
  case wrongFormat(Int)
  /// Trained on other features than this program computes.
  case otherFeatures
  case inconsistent

  package var description: String {
    switch self {
    case .unreadable: "not a model of activities; make one with 'inertial activity train'"
    case .wrongFormat(let format):
      "a model of format \(format), and this program reads \(ActivityModel.formatVersion); train it anew"
    case .otherFeatures: "trained on other features than this program computes; train it anew"
    case .inconsistent: "the model's tables do not fit each other; train it anew"
    }
  }
}

/// Random units: each a rectified random sum of a few features.
struct RandomUnits: Sendable {
  var inputsOfUnit: Int
  var inputs: [Int] = []
  var factors: [Float] = []
  var offsets: [Float] = []
}
