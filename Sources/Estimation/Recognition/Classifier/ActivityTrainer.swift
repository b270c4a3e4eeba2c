package import InertialNumerics
internal import InertialSystem

/// A labelled window.
package struct ActivityExample: Sendable, Hashable {
  /// The features in the order of `ActivityFeature.allCases`.
  package var features: [Float]
  /// The class to train: stationary, walking or running.
  package var label: ActivityClass
  /// The participant who performed the motion. A model is never evaluated on a participant of its training set.
  package var person: String
  /// Whether this is a copy at a lower sample rate, which is used for training but not for evaluation.
  package var isThinned: Bool

  package init(features: [Float], label: ActivityClass, person: String, isThinned: Bool = false) {
    (self.features, self.label, self.person, self.isThinned) = (features, label, person, isThinned)
  }
}

/// Trains an `ActivityModel`: ridge regression on features and random units, solved by Cholesky decomposition.
package struct ActivityTrainer: Sendable {
  /// The size of the model, its regularisation, and the seed.
  package struct Parameters: Sendable, Hashable, Codable {
    /// The number of random units; 0 results in plain ridge regression on the features.
    package var unitCount = 384
    /// The number of features per unit.
    package var inputsOfUnit = 3
    /// The standard deviation of the units' offsets; that of the features is 1.
    package var offsetScale = 0.7
    /// The limit of the absolute value of standardised features.
    package var limit = 3.0
    /// The penalties on the squared weights of features and of units, per thousand examples.
    package var featurePenalty = 1.0
    package var unitPenalty = 10.0
    package var seed: UInt64 = 1

    package init() {}
  }

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  static let classes: [ActivityClass] = [.stationary, .walking, .running]

  /// Returns a model of all examples with a provisional temperature; see `train(_:name:calibratedBy:)`.
  ///
  /// - Throws: `ActivityTrainingError` if a class has no examples.
  package func train(_ examples: [ActivityExample], name: String) throws(ActivityTrainingError) -> ActivityModel {
    try check(examples)
    let (means, scales) = Self.standard(examples)
    let units = randomUnits(featureCount: means.count)
    let inputs = examples.map {
      Self.inputs($0.features, means: means, scales: scales, limit: Float(parameters.limit), units: units)
    }
    let weights: Matrix
    do {
      weights = try solve(inputs, examples, featureCount: means.count)
    } catch {
      throw .unsolvable(error)
    }
    return ActivityModel(
      name: name, features: ActivityFeature.allCases.map(\.rawValue), classes: Self.classes, means: means,
      scales: scales, limit: Float(parameters.limit), units: units,
      weights: (0..<Self.classes.count).map { row in weights.column(row).map { Float($0) } }, temperature: 0.1)
  }

  private func check(_ examples: [ActivityExample]) throws(ActivityTrainingError) {
    let count = ActivityFeature.allCases.count
    guard examples.allSatisfy({ $0.features.count == count && $0.features.allSatisfy(\.isFinite) }) else {
      throw .badFeatures
    }
    for kind in Self.classes where !examples.contains(where: { $0.label == kind }) { throw .noExamples(kind) }
  }

  private static func standard(_ examples: [ActivityExample]) -> (means: [Float], scales: [Float]) {
    let count = examples[0].features.count
    var sums = [Double](repeating: 0, count: count)
    var squares = sums
    for example in examples {
      for (position, value) in example.features.enumerated() {
        sums[position] += Double(value)
        squares[position] += Double(value) * Double(value)
      }
    }
    let n = Double(examples.count)
    let means = sums.map { $0 / n }
    let scales = zip(squares, means).map { max(0, $0 / n - $1 * $1).squareRoot() + 1e-3 }
    return (means.map { Float($0) }, scales.map { Float($0) })
  }

  private func randomUnits(featureCount: Int) -> RandomUnits {
    var generator = SeededGenerator(seed: parameters.seed)
    let width = min(parameters.inputsOfUnit, featureCount)
    var units = RandomUnits(inputsOfUnit: width)
    for _ in 0..<parameters.unitCount {
      units.inputs += (0..<featureCount).shuffled(using: &generator).prefix(width)
      for _ in 0..<width { units.factors.append(Float(generator.normal() / Double(width).squareRoot())) }
      units.offsets.append(Float(generator.normal() * parameters.offsetScale))
    }
    return units
  }

  /// Returns 1, the standardised features and the units of a window.
  private static func inputs(
    _ features: [Float], means: [Float], scales: [Float], limit: Float, units: RandomUnits
  ) -> [Double] {
    let z = PreparedActivityModel.standardised(
      features, means: means, reciprocals: scales.map { 1 / $0 }, limit: limit)
    var row = [1.0] + z.map { Double($0) }
    for unit in units.offsets.indices {
      var sum = units.offsets[unit]
      for position in (unit * units.inputsOfUnit)..<((unit + 1) * units.inputsOfUnit) {
        sum += units.factors[position] * z[units.inputs[position]]
      }
      row.append(Double(max(0, sum)))
    }
    return row
  }

  /// Returns the weights that minimise Σ w ‖x β − y‖² + Σ λ β², one column per class.
  private func solve(
    _ inputs: [[Double]], _ examples: [ActivityExample], featureCount: Int
  ) throws(LinearAlgebraError) -> Matrix {
    let weights = Self.weights(examples)
    let width = inputs[0].count
    // Columns are examples, so the normal equations are products of rows.
    var scaled: [Double] = []
    scaled.reserveCapacity(width * inputs.count)
    var targets = Matrix(rowCount: inputs.count, columnCount: Self.classes.count)
    for (index, row) in inputs.enumerated() {
      let root = weights[index].squareRoot()
      for value in row { scaled.append(value * root) }
      for (position, kind) in Self.classes.enumerated() where kind == examples[index].label {
        targets[index, position] = root
      }
    }
    let design = Matrix(rowCount: width, columnCount: inputs.count, columnMajor: scaled)
    var normal = design.timesOwnTranspose
    let thousands = Double(examples.count) / 1000
    for position in 1..<width {
      normal[position, position] +=
        thousands * (position <= featureCount ? parameters.featurePenalty : parameters.unitPenalty)
    }
    normal[0, 0] += 1e-9 * thousands
    return try Cholesky(normal).solve(design * targets)
  }

  /// Returns the weights of the examples, which limit the influence of long recordings. A weight is divided by the
  /// square root of the total of its participant and class, then by the square root of the total of its class.
  private static func weights(_ examples: [ActivityExample]) -> [Double] {
    func shared(_ weights: [Double], by key: (ActivityExample) -> String) -> [Double] {
      var sums: [String: Double] = [:]
      for (example, weight) in zip(examples, weights) { sums[key(example), default: 0] += weight }
      return zip(examples, weights).map { $1 / sums[key($0)]!.squareRoot() }
    }
    var weights = Array(repeating: 1.0, count: examples.count)
    weights = shared(weights) { $0.label.rawValue + " " + $0.person }
    weights = shared(weights) { $0.label.rawValue }
    let mean = weights.reduce(0, +) / Double(weights.count)
    return weights.map { $0 / mean }
  }
}

/// The reason why a model cannot be trained.
package enum ActivityTrainingError: Error, Sendable, CustomStringConvertible {
  case noExamples(ActivityClass)
  case tooFewPersons(Int)
  case badFeatures
  case unsolvable(LinearAlgebraError)

  package var description: String {
    switch self {
    case .noExamples(let kind):
      "no window of 2.56 s is labelled \(kind.rawValue); stationary, walking and running are needed"
    case .tooFewPersons(let count):
      "cross-validation over participants needs at least 2 of them, and there \(count == 1 ? "is 1" : "are \(count)")"
    case .badFeatures: "a window's features are not finite, or not as many as this program computes"
    case .unsolvable(let error): "the normal equations cannot be solved: \(error)"
    }
  }
}
