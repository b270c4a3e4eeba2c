internal import InertialSystem

/// A model in a layout for fast evaluation: eight random units in the lanes of a vector.
struct PreparedActivityModel: Sendable {
  private typealias Lanes = SIMD8<Float>

  /// Eight units: their offsets, and their weights for stationary, walking, running and other motion.
  private struct Block {
    var offsets = Lanes.zero
    var stationary = Lanes.zero
    var walking = Lanes.zero
    var running = Lanes.zero
    var other = Lanes.zero
  }

  private let reciprocalTemperature: Float
  private let limit: Float
  private let width: Int
  private let means: [Float]
  private let reciprocals: [Float]
  private let constant: SIMD4<Float>
  /// The weights of each feature for stationary, walking, running and other motion.
  private let featureWeights: [SIMD4<Float>]
  private let blocks: [Block]
  /// The features of the eight units of each block and their factors, input by input.
  private let inputs: [UInt8]
  private let factors: [SIMD8<Float>]

  init(_ model: ActivityModel) {
    (reciprocalTemperature, limit, width) = (1 / model.temperature, model.limit, model.inputsOfUnit)
    (means, reciprocals) = (model.means, model.scales.map { 1 / $0 })
    // The order of the states.
    let rows = ActivityTrainer.classes.map { model.weights[model.classes.firstIndex(of: $0)!] }
    constant = SIMD4(rows[0][0], rows[1][0], rows[2][0], rows[3][0])
    let featureCount = model.means.count
    featureWeights = (1...featureCount).map { SIMD4(rows[0][$0], rows[1][$0], rows[2][$0], rows[3][$0]) }
    let unitCount = model.offsets.count
    // The last block is padded with units of weight 0.
    let blockCount = (unitCount + 7) / 8
    var blocks = Array(repeating: Block(), count: blockCount)
    var inputs = [UInt8](repeating: 0, count: blockCount * width * 8)
    var factors = Array(repeating: Lanes.zero, count: blockCount * width)
    for unit in 0..<unitCount {
      let (block, lane) = (unit / 8, unit % 8)
      blocks[block].offsets[lane] = model.offsets[unit]
      blocks[block].stationary[lane] = rows[0][1 + featureCount + unit]
      blocks[block].walking[lane] = rows[1][1 + featureCount + unit]
      blocks[block].running[lane] = rows[2][1 + featureCount + unit]
      blocks[block].other[lane] = rows[3][1 + featureCount + unit]
      for slot in 0..<width {
        inputs[(block * width + slot) * 8 + lane] = UInt8(model.inputs[unit * width + slot])
        factors[block * width + slot][lane] = model.factors[unit * width + slot]
      }
    }
    (self.blocks, self.inputs, self.factors) = (blocks, inputs, factors)
  }

  /// Returns standardised and limited features.
  static func standardised(_ features: [Float], means: [Float], reciprocals: [Float], limit: Float) -> [Float] {
    features.indices.map { standardised(features[$0], means[$0], reciprocals[$0], limit) }
  }

  @inline(__always)
  private static func standardised(_ feature: Float, _ mean: Float, _ reciprocal: Float, _ limit: Float) -> Float {
    let z = feature == ActivityFeature.missing ? 0 : (feature - mean) * reciprocal
    return z > limit ? limit : z < -limit ? -limit : z
  }

  /// Returns the probabilities of stationary, walking, running and other motion.
  func probabilities(_ features: [Float]) -> SIMD4<Float> {
    let score = score(features) * reciprocalTemperature
    let highest = score.max()
    let parts = SIMD4(
      exp(score.x - highest), exp(score.y - highest), exp(score.z - highest), exp(score.w - highest))
    return parts / parts.sum()
  }

  /// Returns the scores of ridge regression: ideally 1 for the class and 0 for the others.
  func score(_ features: [Float]) -> SIMD4<Float> {
    let count = means.count
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { buffer in
      let z = buffer.baseAddress!
      features.withUnsafeBufferPointer { features in
        means.withUnsafeBufferPointer { means in
          reciprocals.withUnsafeBufferPointer { reciprocals in
            for position in 0..<count {
              z[position] = Self.standardised(features[position], means[position], reciprocals[position], limit)
            }
          }
        }
      }
      var score = constant
      for position in 0..<count { score += featureWeights[position] * z[position] }
      return score + unitScore(z)
    }
  }

  private func unitScore(_ z: UnsafePointer<Float>) -> SIMD4<Float> {
    var (stationary, walking, running, other) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    inputs.withUnsafeBufferPointer { inputs in
      factors.withUnsafeBufferPointer { factors in
        var position = 0
        for block in blocks {
          var sum = block.offsets
          for _ in 0..<width {
            sum += factors[position] * Self.gathered(z, inputs.baseAddress! + 8 * position)
            position += 1
          }
          // Twice the positive part.
          let units = sum + absolute(sum)
          stationary += block.stationary * units
          walking += block.walking * units
          running += block.running * units
          other += block.other * units
        }
      }
    }
    return SIMD4(stationary.sum(), walking.sum(), running.sum(), other.sum()) * 0.5
  }

  @inline(__always)
  private static func gathered(_ z: UnsafePointer<Float>, _ places: UnsafePointer<UInt8>) -> Lanes {
    Lanes(
      z[Int(places[0])], z[Int(places[1])], z[Int(places[2])], z[Int(places[3])], z[Int(places[4])],
      z[Int(places[5])], z[Int(places[6])], z[Int(places[7])])
  }
}

/// Returns the absolute values.
@inline(__always)
func absolute(_ values: SIMD4<Float>) -> SIMD4<Float> {
  unsafeBitCast(unsafeBitCast(values, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x7fff_ffff), to: SIMD4<Float>.self)
}

@inline(__always)
private func absolute(_ values: SIMD8<Float>) -> SIMD8<Float> {
  unsafeBitCast(unsafeBitCast(values, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7fff_ffff), to: SIMD8<Float>.self)
}
