/// The logarithmic scales of the features, applied to all values of a window at once.
struct FeatureScale: Sendable {
  static let count = 32
  static let shared = FeatureScale()

  /// The factors of the base-2 logarithm: log10 of a square root, ln, log10; 0 if the value is unchanged.
  private let factors: [Float]

  private init() {
    let (ten, e) = (Float(0.301_029_995_7), Float(0.693_147_180_6))
    factors = ActivityFeature.allCases.map { feature in
      switch feature {
      case .verticalLevel, .verticalBand1, .verticalBand2, .verticalBand3, .verticalBand4, .verticalBand5,
        .verticalBand6, .horizontalLevel, .horizontalBand1, .horizontalBand2, .horizontalBand3, .horizontalBand4,
        .horizontalBand5, .horizontalBand6:
        ten / 2
      case .verticalSpread, .horizontalSpread: e
      case .normDeviation, .normChange, .horizontalMean, .tilt: ten
      default: 0
      }
    }
  }

  /// Converts values in the order of `ActivityFeature.allCases` to features. Logarithms are limited to values of at
  /// least one millionth.
  func apply(_ amounts: UnsafeMutablePointer<Float>) {
    factors.withUnsafeBufferPointer { factors in
      for index in 0..<Self.count {
        let amount = amounts[index]
        let scaled = Self.log2(amount > 1e-6 ? amount : 1e-6) * factors[index]
        amounts[index] = factors[index] > 0 ? scaled : amount
      }
    }
  }

  /// Returns the base-2 logarithm of a positive number, to 1e-6: the exponent, and a series for the mantissa. It has
  /// no branches, so that it can be vectorised.
  @inline(__always)
  static func log2(_ value: Float) -> Float {
    let bits = Int32(bitPattern: value.bitPattern)
    // The mantissa is between the square roots of 0.5 and 2.
    let exponent = (bits &- 0x3f35_04f3) &>> 23
    let rest = Float(bitPattern: UInt32(bitPattern: bits &- (exponent &<< 23)))
    let t = (rest - 1) / (rest + 1)
    let squares = t * t
    // ln m = 2 artanh((m − 1) / (m + 1))
    let series = ((squares * (1 / 7) + 0.2) * squares + 1 / 3) * squares + 1
    return Float(exponent) + t * series * 2.885_390_082
  }
}
