package import InertialNumerics
internal import InertialSystem

/// A labelled window.
package struct ActivityExample: Sendable, Hashable {
  /// The features in the order of `ActivityFeature.allCases`.
  package var features: [Float]
  /// The class to train, one of `ActivityTrainer.classes`.
  package var label: ActivityClass
  /// The participant who performed the motion. The part before a hyphen names the data set.
  package var person: String
  /// Whether this is an altered copy, which is used for training but not for evaluation.
  package var isAltered: Bool

  package init(features: [Float], label: ActivityClass, person: String, isAltered: Bool = false) {
    (self.features, self.label, self.person, self.isAltered) = (features, label, person, isAltered)
  }

  /// The data set. A model is never evaluated on a data set of its training.
  package var set: String { String(person.prefix { $0 != "-" }) }
}

/// Trains an `ActivityModel`: ridge regression on features and random units, solved by Cholesky decomposition.
package struct ActivityTrainer: Sendable {
  /// The size of the model, its regularisation, and the seed.
  package struct Parameters: Sendable, Hashable, Codable {
    /// The number of random units; 0 results in plain ridge regression on the features.
    package var unitCount = 768
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

  package static let classes: [ActivityClass] = [.stationary, .walking, .running, .other]
  /// The name of the data set of simulated motions, which train every model and are not evaluated.
  package static let simulatedSet = "simulated"

  /// Returns a model of all examples, and its evaluation: each data set by a model without it.
  ///
  /// The normal equations are sums over examples, so those of a model without a data set are a difference. All models
  /// share the units, the standardisation and the weights of the examples, which do not depend on the model's labels
  /// of an evaluated window.
  ///
  /// - Parameter progress: A closure that receives the completed fraction, 0...1.
  /// - Throws: `ActivityTrainingError` if a class has no examples, or only one data set is evaluated.
  package func train(
    _ examples: [ActivityExample], name: String, progress: (Double) -> Void = { _ in }
  ) throws(ActivityTrainingError) -> (model: ActivityModel, validation: ActivityValidation) {
    try check(examples)
    let (means, scales) = Self.standard(examples)
    let units = randomUnits(featureCount: means.count)
    let row = { (features: [Float]) in
      Self.inputs(features, means: means, scales: scales, limit: Float(parameters.limit), units: units)
    }
    let weights = Self.weights(examples)
    let sets = Dictionary(grouping: examples.indices) { examples[$0].set }.sorted { $0.key < $1.key }
    var sums: [NormalEquations] = []
    for (index, (_, indices)) in sets.enumerated() {
      progress(0.7 * Double(index) / Double(sets.count))
      sums.append(NormalEquations(indices.map { (examples[$0], weights[$0]) }, row))
    }
    var whole = sums[0]
    for sum in sums.dropFirst() { whole.add(sum) }
    var judgements: [ActivityValidation.Judgement] = []
    for (index, (set, indices)) in sets.enumerated() where set != Self.simulatedSet {
      progress(0.7 + 0.3 * Double(index) / Double(sets.count))
      var rest = whole
      rest.add(sums[index], scale: -1)
      let weights = try solve(rest, featureCount: means.count)
      for index in indices where !examples[index].isAltered {
        judgements.append(
          .init(
            set: set, label: examples[index].label, scores: weights.transposeTimes(row(examples[index].features))))
      }
    }
    let validation = ActivityValidation(judgements)
    let solution = try solve(whole, featureCount: means.count)
    let model = ActivityModel(
      name: name, features: ActivityFeature.allCases.map(\.rawValue), classes: Self.classes, means: means,
      scales: scales, limit: Float(parameters.limit), units: units,
      weights: (0..<Self.classes.count).map { class_ in solution.column(class_).map(Self.rounded) },
      temperature: Float(validation.temperature))
    return (model, validation)
  }

  private func check(_ examples: [ActivityExample]) throws(ActivityTrainingError) {
    let count = ActivityFeature.allCases.count
    guard examples.allSatisfy({ $0.features.count == count && $0.features.allSatisfy(\.isFinite) }) else {
      throw .badFeatures
    }
    for kind in Self.classes where !examples.contains(where: { $0.label == kind }) { throw .noExamples(kind) }
    let sets = Set(examples.map(\.set)).subtracting([Self.simulatedSet])
    guard sets.count >= 2 else { throw .tooFewSets(sets.count) }
  }

  /// Returns the means and the standard deviations of the features that are not missing.
  private static func standard(_ examples: [ActivityExample]) -> (means: [Float], scales: [Float]) {
    let count = examples[0].features.count
    var (sums, squares, counts) = (
      [Double](repeating: 0, count: count), [Double](repeating: 0, count: count), [Double](repeating: 0, count: count)
    )
    for example in examples {
      for (position, value) in example.features.enumerated() where value != ActivityFeature.missing {
        sums[position] += Double(value)
        squares[position] += Double(value) * Double(value)
        counts[position] += 1
      }
    }
    let means = zip(sums, counts).map { $0 / max($1, 1) }
    let scales = means.indices.map { position in
      max(0, squares[position] / max(counts[position], 1) - means[position] * means[position]).squareRoot() + 1e-3
    }
    return (means.map { rounded($0) }, scales.map { rounded($0) })
  }

  /// Returns a number with 16 significant bits, which is all that a model needs.
  private static func rounded(_ value: Double) -> Float {
    guard value != 0, value.isFinite else { return Float(value) }
    let unit = scalbn(1, Int(value.exponent) - 16)
    return Float((value / unit).rounded() * unit)
  }

  private func randomUnits(featureCount: Int) -> RandomUnits {
    var generator = SeededGenerator(seed: parameters.seed)
    let width = min(parameters.inputsOfUnit, featureCount)
    var units = RandomUnits(inputsOfUnit: width)
    for _ in 0..<parameters.unitCount {
      units.inputs += (0..<featureCount).shuffled(using: &generator).prefix(width)
      for _ in 0..<width { units.factors.append(Self.rounded(generator.normal() / Double(width).squareRoot())) }
      units.offsets.append(Self.rounded(generator.normal() * parameters.offsetScale))
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
  private func solve(_ sums: NormalEquations, featureCount: Int) throws(ActivityTrainingError) -> Matrix {
    var normal = sums.normal
    let thousands = sums.count / 1000
    for position in 1..<normal.rowCount {
      normal[position, position] +=
        thousands * (position <= featureCount ? parameters.featurePenalty : parameters.unitPenalty)
    }
    normal[0, 0] += 1e-9 * thousands
    do { return try Cholesky(normal).solve(sums.targets) } catch { throw .unsolvable(error) }
  }

  /// Returns the weights of the examples, which limit the influence of long recordings and of large data sets. A weight
  /// is divided by the square root of the total of its participant and class, of its data set and class, and of its
  /// class.
  private static func weights(_ examples: [ActivityExample]) -> [Double] {
    func shared(_ weights: [Double], by key: (ActivityExample) -> String) -> [Double] {
      var sums: [String: Double] = [:]
      let keys = examples.map(key)
      for (key, weight) in zip(keys, weights) { sums[key, default: 0] += weight }
      return zip(keys, weights).map { $1 / sums[$0]!.squareRoot() }
    }
    var weights = Array(repeating: 1.0, count: examples.count)
    weights = shared(weights) { $0.label.rawValue + " " + $0.person }
    weights = shared(weights) { $0.label.rawValue + " " + $0.set }
    weights = shared(weights) { $0.label.rawValue }
    let mean = weights.reduce(0, +) / Double(weights.count)
    return weights.map { $0 / mean }
  }
}

/// The sums over examples that determine the weights: Σ w x xᵀ and Σ w x yᵀ.
private struct NormalEquations {
  var normal: Matrix
  var targets: Matrix
  /// The number of examples.
  var count: Double

  /// The number of examples that are multiplied at a time.
  private static let block = 1024

  init(_ examples: [(example: ActivityExample, weight: Double)], _ row: ([Float]) -> [Double]) {
    let width = row(examples[0].example.features).count
    normal = Matrix(rowCount: width, columnCount: width)
    targets = Matrix(rowCount: width, columnCount: ActivityTrainer.classes.count)
    count = Double(examples.count)
    for first in stride(from: 0, to: examples.count, by: Self.block) {
      let part = examples[first..<min(first + Self.block, examples.count)]
      var columns: [Double] = []
      columns.reserveCapacity(width * part.count)
      var labels = Matrix(rowCount: part.count, columnCount: ActivityTrainer.classes.count)
      for (position, (example, weight)) in part.enumerated() {
        let root = weight.squareRoot()
        for value in row(example.features) { columns.append(value * root) }
        labels[position, ActivityTrainer.classes.firstIndex(of: example.label)!] = root
      }
      let design = Matrix(rowCount: width, columnCount: part.count, columnMajor: columns)
      normal.setProduct(design, design, transposingSecond: true, keeping: 1)
      targets.setProduct(design, labels, keeping: 1)
    }
  }

  mutating func add(_ other: NormalEquations, scale: Double = 1) {
    normal += scale * other.normal
    targets += scale * other.targets
    count += scale * other.count
  }
}

/// The reason why a model cannot be trained.
package enum ActivityTrainingError: Error, Sendable, CustomStringConvertible {
  case noExamples(ActivityClass)
  case tooFewSets(Int)
  case badFeatures
  case unsolvable(LinearAlgebraError)

  package var description: String {
    switch self {
    case .noExamples(let kind):
      "no window of 2.56 s is labelled \(kind.rawValue); stationary, walking, running and other motion are needed"
    case .tooFewSets(let count):
      "an evaluation needs at least 2 data sets, and there \(count == 1 ? "is 1" : "are \(count)"); a person's name "
        + "starts with the data set's and a hyphen"
    case .badFeatures: "a window's features are not finite, or not as many as this program computes"
    case .unsolvable(let error): "the normal equations cannot be solved: \(error)"
    }
  }
}
