internal import Foundation

/// The power spectra of a window: along gravity, and across it over both directions.
///
/// Two complex Fourier transforms of 128 points side by side in the lanes of one vector give the four real ones
/// (Cooley and Tukey 1965, radix 2, decimation in time).
struct WindowSpectrum: Sendable {
  static let size = 128
  static let half = size / 2
  /// Hz from one bin to the next.
  static let resolution = 1 / (Double(size) * ActivityCells.period)

  private let window: [Float]
  private let twiddleReal: [Float]
  private let twiddleImaginary: [Float]
  private let reversed: [Int]
  /// Makes the sum of a spectrum the variance of the signal.
  private let scale: Float

  init() {
    let n = Self.size
    window = (0..<n).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(n))) }
    twiddleReal = (0..<n / 2).map { Float(cos(2 * .pi * Double($0) / Double(n))) }
    twiddleImaginary = (0..<n / 2).map { Float(-sin(2 * .pi * Double($0) / Double(n))) }
    let bits = n.trailingZeroBitCount
    reversed = (0..<n).map { index in
      (0..<bits).reduce(0) { $0 | ((index >> $1) & 1) << (bits - 1 - $1) }
    }
    scale = 1 / (window.reduce(0) { $0 + $1 * $1 } * Float(n) / 2)
  }

  static let shared = WindowSpectrum()

  /// - Parameters:
  ///   - cells: 128 of them.
  ///   - mean: of the cells, taken off before.
  ///   - vertical, horizontal: 65 places each for g² of each bin; the sum over bins is the variance.
  func evaluate(
    _ cells: UnsafePointer<ActivityCell>, mean: SIMD8<Float>, vertical: UnsafeMutablePointer<Float>,
    horizontal: UnsafeMutablePointer<Float>
  ) {
    let n = Self.size
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: n) { buffer in
      let z = buffer.baseAddress!
      window.withUnsafeBufferPointer { window in
        reversed.withUnsafeBufferPointer { reversed in
          for index in 0..<n {
            let v = (cells[index].values - mean) * window[index]
            // Real parts: along, y; imaginary parts: x, z.
            z[reversed[index]] = SIMD4(v[0], v[2], v[1], v[3])
          }
        }
      }
      transform(z)
      for k in 0...Self.half {
        let (a, b) = (z[k], z[(n - k) % n])
        let even = a.lowHalf + b.lowHalf
        let evenImaginary = a.highHalf - b.highHalf
        let odd = a.highHalf + b.highHalf
        let oddImaginary = b.lowHalf - a.lowHalf
        let first = even * even + evenImaginary * evenImaginary
        let second = odd * odd + oddImaginary * oddImaginary
        vertical[k] = first.x * scale / 4
        horizontal[k] = (first.y + second.x + second.y) * scale / 4
      }
    }
  }

  /// In place; low halves are real parts, high halves imaginary ones, input in bit-reversed order.
  private func transform(_ z: UnsafeMutablePointer<SIMD4<Float>>) {
    let n = Self.size
    twiddleReal.withUnsafeBufferPointer { real in
      twiddleImaginary.withUnsafeBufferPointer { imaginary in
        var length = 2
        while length <= n {
          let (step, middle) = (n / length, length / 2)
          var start = 0
          while start < n {
            for k in 0..<middle {
              let (wr, wi) = (real[k * step], imaginary[k * step])
              let (top, low) = (z[start + k], z[start + k + middle])
              let turned = SIMD4(
                lowHalf: low.lowHalf * wr - low.highHalf * wi, highHalf: low.lowHalf * wi + low.highHalf * wr)
              z[start + k] = top + turned
              z[start + k + middle] = top - turned
            }
            start += length
          }
          length *= 2
        }
      }
    }
  }
}
