internal import InertialSystem

/// The power spectra of a window: parallel to gravity, and perpendicular to it over all directions.
///
/// The four signals of a cell are in the lanes of a vector. Each is real, so its even and odd values form one complex
/// signal of half the length. That signal is transformed (Cooley and Tukey 1965, radix 4, decimation in frequency)
/// and separated again.
struct WindowSpectrum: Sendable {
  static let size = 128
  static let half = size / 2
  /// The frequency interval between bins, in Hz.
  static let resolution = 1 / (Double(size) * ActivityBins.period)

  /// The power of a bin, in g²: parallel and perpendicular to gravity.
  typealias Power = SIMD2<Float>
  private typealias Lanes = SIMD4<Float>

  /// The Hann window.
  private let window: [Float]
  /// The cosines and negative sines of all angles of the half-length transform, and of those that separate the bins.
  private let turns: [SIMD2<Float>]
  private let halfTurns: [SIMD2<Float>]
  /// The index at which the transform stores a bin: its base-4 digits in reverse order.
  private let places: [Int]
  /// The scale at which the sum of a spectrum is the variance of the signal.
  private let scale: Float

  init() {
    let n = Self.size
    func turn(_ step: Int, of count: Int) -> SIMD2<Float> {
      let angle = 2 * .pi * Double(step) / Double(count)
      return SIMD2(Float(cos(angle)), Float(-sin(angle)))
    }
    window = (0..<n).map { position in
      let angle: Double = 2 * .pi * (Double(position) + 0.5) / Double(n)
      return Float(0.5 - 0.5 * cos(angle))
    }
    turns = (0..<Self.half).map { turn($0, of: Self.half) }
    halfTurns = (0...Self.half / 2).map { turn($0, of: n) }
    places = (0..<Self.half).map { ($0 & 3) << 4 | ($0 & 12) | $0 >> 4 }
    scale = 1 / (window.reduce(0) { $0 + $1 * $1 } * Float(n) / 2)
  }

  static let shared = WindowSpectrum()

  /// - Parameters:
  ///   - cells: 128 cells.
  ///   - mean: The mean of the cells, which is subtracted first.
  ///   - powers: A buffer for 65 values, one per bin; the sum over bins is the variance.
  func evaluate(
    _ cells: UnsafePointer<ActivityBin>, mean: SIMD8<Float>, powers: UnsafeMutablePointer<Power>
  ) {
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: Self.size) { buffer in
      let real = buffer.baseAddress!
      let imaginary = real + Self.half
      let mean = mean.lowHalf
      window.withUnsafeBufferPointer { window in
        for index in 0..<Self.half {
          real[index] = (cells[2 * index].values.lowHalf - mean) * window[2 * index]
          imaginary[index] = (cells[2 * index + 1].values.lowHalf - mean) * window[2 * index + 1]
        }
      }
      turns.withUnsafeBufferPointer { turns in
        Self.transform(real, imaginary, length: 64, turns.baseAddress!)
        Self.transform(real, imaginary, length: 16, turns.baseAddress!)
        Self.finish(real, imaginary)
      }
      takeApart(real, imaginary, powers)
    }
  }

  /// Performs one stage of the transform, for all blocks of a length.
  @inline(__always)
  private static func transform(
    _ real: UnsafeMutablePointer<Lanes>, _ imaginary: UnsafeMutablePointer<Lanes>, length: Int,
    _ turns: UnsafePointer<SIMD2<Float>>
  ) {
    let (quarter, step) = (length / 4, half / length)
    for offset in 0..<quarter {
      let (w1, w2, w3) = (turns[offset * step], turns[2 * offset * step], turns[3 * offset * step])
      var position = offset
      while position < half {
        let (y0, y1, y2, y3) = butterfly(real + position, imaginary + position, quarter)
        (real[position], imaginary[position]) = y0
        (real[position + quarter], imaginary[position + quarter]) = turned(y1, w1)
        (real[position + 2 * quarter], imaginary[position + 2 * quarter]) = turned(y2, w2)
        (real[position + 3 * quarter], imaginary[position + 3 * quarter]) = turned(y3, w3)
        position += length
      }
    }
  }

  /// Performs the last stage, which has no rotations.
  @inline(__always)
  private static func finish(_ real: UnsafeMutablePointer<Lanes>, _ imaginary: UnsafeMutablePointer<Lanes>) {
    var position = 0
    while position < half {
      let (y0, y1, y2, y3) = butterfly(real + position, imaginary + position, 1)
      (real[position], imaginary[position]) = y0
      (real[position + 1], imaginary[position + 1]) = y1
      (real[position + 2], imaginary[position + 2]) = y2
      (real[position + 3], imaginary[position + 3]) = y3
      position += 4
    }
  }

  private typealias Complex = (real: Lanes, imaginary: Lanes)

  /// Returns the transform of four values.
  @inline(__always)
  private static func butterfly(
    _ real: UnsafeMutablePointer<Lanes>, _ imaginary: UnsafeMutablePointer<Lanes>, _ stride: Int
  ) -> (Complex, Complex, Complex, Complex) {
    let (a, b, c, d) = (real[0], real[stride], real[2 * stride], real[3 * stride])
    let (ai, bi, ci, di) = (imaginary[0], imaginary[stride], imaginary[2 * stride], imaginary[3 * stride])
    let (sum, difference) = (a + c, a - c)
    let (sumImaginary, differenceImaginary) = (ai + ci, ai - ci)
    let (other, otherImaginary) = (b + d, bi + di)
    // −i (b − d)
    let (quarter, quarterImaginary) = (bi - di, d - b)
    return (
      (sum + other, sumImaginary + otherImaginary),
      (difference + quarter, differenceImaginary + quarterImaginary),
      (sum - other, sumImaginary - otherImaginary),
      (difference - quarter, differenceImaginary - quarterImaginary)
    )
  }

  @inline(__always)
  private static func turned(_ z: Complex, _ w: SIMD2<Float>) -> Complex {
    (z.real * w.x - z.imaginary * w.y, z.real * w.y + z.imaginary * w.x)
  }

  /// Computes the bins of the whole signal from those of its even and odd values, two symmetric bins at once.
  private func takeApart(
    _ real: UnsafePointer<Lanes>, _ imaginary: UnsafePointer<Lanes>, _ powers: UnsafeMutablePointer<Power>
  ) {
    let scale = scale
    @inline(__always)
    func power(_ a: Lanes, _ b: Lanes) -> Power {
      let squares = (a * a + b * b) * scale
      return Power(squares.x, squares.y + squares.z + squares.w)
    }
    powers[0] = power(real[0] + imaginary[0], .zero)
    powers[Self.half] = power(real[0] - imaginary[0], .zero)
    places.withUnsafeBufferPointer { places in
      halfTurns.withUnsafeBufferPointer { turns in
        for k in 1...Self.half / 2 {
          let (near, far) = (places[k], places[Self.half - k])
          let (a, ai, b, bi) = (real[near], imaginary[near], real[far], imaginary[far])
          // The bin of the even values, and that of the odd values times 2i, which is rotated.
          let (even, evenImaginary) = ((a + b) * 0.5, (ai - bi) * 0.5)
          let (odd, oddImaginary) = ((ai + bi) * 0.5, (b - a) * 0.5)
          let (turned, turnedImaginary) = Self.turned((odd, oddImaginary), turns[k])
          powers[k] = power(even + turned, evenImaginary + turnedImaginary)
          powers[Self.half - k] = power(even - turned, evenImaginary - turnedImaginary)
        }
      }
    }
  }
}
