#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A model laid out for speed: the classes side by side in the lanes of a vector.
struct PreparedActivityModel: Sendable {
  private let temperature: Float
  private let limit: Float
  private let width: Int
  private let means: [Float]
  private let reciprocals: [Float]
  private let constant: SIMD4<Float>
  private let featureWeights: [SIMD4<Float>]
  private let unitWeights: [SIMD4<Float>]
  private let inputs: [Int]
  private let factors: [Float]
  private let offsets: [Float]

  init(_ model: ActivityModel) {
    (temperature, limit, width) = (model.temperature, model.limit, model.inputsOfUnit)
    (means, reciprocals) = (model.means, model.scales.map { 1 / $0 })
    (inputs, factors, offsets) = (model.inputs, model.factors, model.offsets)
    // Lanes in the order of the states: stationary, walking, running.
    let rows = [ActivityClass.stationary, .walking, .running].map { model.weights[model.classes.firstIndex(of: $0)!] }
    func lanes(_ column: Int) -> SIMD4<Float> { SIMD4(rows[0][column], rows[1][column], rows[2][column], 0) }
    constant = lanes(0)
    let count = model.means.count
    featureWeights = (0..<count).map { lanes(1 + $0) }
    unitWeights = model.offsets.indices.map { lanes(1 + count + $0) }
  }

  /// Standardised and limited features.
  static func standardised(_ features: [Float], means: [Float], reciprocals: [Float], limit: Float) -> [Float] {
    features.indices.map { min(max((features[$0] - means[$0]) * reciprocals[$0], -limit), limit) }
  }

  /// Probabilities of stationary, walking and running in the first three lanes.
  func probabilities(_ features: [Float]) -> SIMD4<Float> {
    let score = score(features) / temperature
    let highest = max(score.x, score.y, score.z)
    let parts = SIMD4(exp(score.x - highest), exp(score.y - highest), exp(score.z - highest), 0)
    return parts / parts.sum()
  }

  /// The scores of ridge regression: 1 for the class, 0 for the others where all goes well.
  func score(_ features: [Float]) -> SIMD4<Float> {
    let z = Self.standardised(features, means: means, reciprocals: reciprocals, limit: limit)
    var score = constant
    for (value, weight) in zip(z, featureWeights) { score += weight * value }
    return score + unitScore(z)
  }

  private func unitScore(_ z: [Float]) -> SIMD4<Float> {
    var score = SIMD4<Float>.zero
    z.withUnsafeBufferPointer { z in
      inputs.withUnsafeBufferPointer { inputs in
        factors.withUnsafeBufferPointer { factors in
          unitWeights.withUnsafeBufferPointer { weights in
            var place = 0
            for unit in offsets.indices {
              var sum = offsets[unit]
              for _ in 0..<width {
                sum += factors[place] * z[inputs[place]]
                place += 1
              }
              score += weights[unit] * max(0, sum)
            }
          }
        }
      }
    }
    return score
  }
}
