/// The powers of a window in frequency bands: parallel and perpendicular to gravity.
struct SpectrumSums {
  typealias Power = WindowSpectrum.Power

  /// The bands from 0.3 to 1.0 Hz, to 1.7, 2.5, 3.5, 5.0 and 7.5 Hz.
  let bands: (Power, Power, Power, Power, Power, Power)
  /// The power from 0.3 to 3.5 Hz, from 5 to 18 Hz, and of everything except the mean.
  let slow: Power
  let fast: Power
  let total: Power
  /// The sum of the powers up to 18.5 Hz, and the sum of their squares.
  let spread: Power
  let spreadSquares: Power

  /// - Parameter powers: 65 values, one per bin.
  init(_ powers: UnsafePointer<Power>) {
    @inline(__always)
    func sum(_ bins: ClosedRange<Int>) -> Power {
      var sum = Power.zero
      for bin in bins { sum += powers[bin] }
      return sum
    }
    bands = (sum(1...2), sum(3...4), sum(5...6), sum(7...8), sum(9...12), sum(13...19))
    slow = bands.0 + bands.1 + bands.2 + bands.3
    fast = bands.5 + sum(20...46)
    spread = slow + bands.4 + fast + powers[47]
    total = spread + sum(48...WindowSpectrum.half)
    var (even, odd) = (Power.zero, Power.zero)
    for bin in stride(from: 1, to: 47, by: 2) {
      even += powers[bin] * powers[bin]
      odd += powers[bin + 1] * powers[bin + 1]
    }
    spreadSquares = even + odd + powers[47] * powers[47]
  }
}

/// The bins in which a gait has most power, between 0.7 and 5 Hz.
struct SpectrumPeaks {
  private static let gait = 2...12

  /// The bins, parallel and perpendicular to gravity, and the power in them and the adjacent bins.
  private(set) var bins: SIMD2<Int>
  private(set) var powers: WindowSpectrum.Power

  init(_ powers: UnsafePointer<WindowSpectrum.Power>) {
    var (vertical, horizontal) = (Self.gait.lowerBound, Self.gait.lowerBound)
    for bin in Self.gait {
      if powers[bin].x > powers[vertical].x { vertical = bin }
      if powers[bin].y > powers[horizontal].y { horizontal = bin }
    }
    bins = SIMD2(vertical, horizontal)
    self.powers = .init(
      powers[vertical - 1].x + powers[vertical].x + powers[vertical + 1].x,
      powers[horizontal - 1].y + powers[horizontal].y + powers[horizontal + 1].y)
  }
}

/// The strongest lines, each a bin with its adjacent bins, which contain most of a Hann window's line.
struct SpectrumLines {
  /// The fraction of the total power in the strongest line below 5 Hz, and its bin.
  let slowFraction: Float
  let slowBin: Int
  /// The fraction of the power from 5 to 18 Hz in the strongest line of this band.
  let fastFraction: Float

  init(_ powers: UnsafePointer<WindowSpectrum.Power>, _ sums: SpectrumSums) {
    func strongest(_ bins: ClosedRange<Int>) -> (bin: Int, power: Float) {
      func power(_ bin: Int) -> Float { bins.contains(bin) ? powers[bin].sum() : 0 }
      let bin = bins.max { power($0) < power($1) }!
      return (bin, power(bin - 1) + power(bin) + power(bin + 1))
    }
    let (slow, fast) = (strongest(1...12), strongest(13...46))
    slowBin = slow.bin
    slowFraction = slow.power / max(sums.total.sum(), 1e-12)
    fastFraction = fast.power / max(sums.fast.sum(), 1e-12)
  }
}
