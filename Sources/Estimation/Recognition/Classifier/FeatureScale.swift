/// Which features are logarithms: a window's amounts become them all at once.
struct FeatureScale: Sendable {
  static let count = 32
  static let shared = FeatureScale()

  /// What the logarithm to base two is multiplied by: log10 of a root, ln, log10; 0 where the amount stays as it is.
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

  /// Amounts in the order of `ActivityFeature.allCases` become features; those of logarithms count as a millionth at the
  /// least.
  func apply(_ amounts: UnsafeMutablePointer<Float>) {
    factors.withUnsafeBufferPointer { factors in
      for place in 0..<Self.count {
        let amount = amounts[place]
        let scaled = Self.log2(amount > 1e-6 ? amount : 1e-6) * factors[place]
        amounts[place] = factors[place] > 0 ? scaled : amount
      }
    }
  }

  /// Logarithm to base two of a positive number, to 1e-6: the exponent, and a series of the rest. Without a branch, so
  /// that many run side by side.
  @inline(__always)
  static func log2(_ value: Float) -> Float {
    let bits = Int32(bitPattern: value.bitPattern)
    // The rest is between the roots of a half and of two.
    let exponent = (bits &- 0x3f35_04f3) &>> 23
    let rest = Float(bitPattern: UInt32(bitPattern: bits &- (exponent &<< 23)))
    let t = (rest - 1) / (rest + 1)
    let squares = t * t
    // ln m = 2 artanh((m − 1) / (m + 1))
    let series = ((squares * (1 / 7) + 0.2) * squares + 1 / 3) * squares + 1
    return Float(exponent) + t * series * 2.885_390_082
  }
}
