internal import InertialNumerics
internal import InertialSystem

/// Sums over cells from which a `GaitMeasure` is computed.
struct GaitSums: Sendable, Codable, Equatable {
  /// The sums of the acceleration and its magnitude, in g, and of its square, in g².
  private(set) var vector = Vector3.zero
  private(set) var magnitude = 0.0
  private(set) var square = 0.0
  /// The sum of the squared filtered magnitude, in g².
  private(set) var filteredSquare = 0.0
  /// The sums of the powers of the smoothed magnitude.
  private var first = 0.0
  private var second = 0.0
  private var third = 0.0

  /// Adds the acceleration of a cell.
  @inline(__always)
  mutating func add(_ cell: Vector3) { vector += cell }

  /// Adds a cell's magnitude, its value filtered around the step frequency, and the mean of three cells.
  @inline(__always)
  mutating func add(_ magnitude: Double, filtered: Double, smoothed: Double) {
    self.magnitude += magnitude
    square += magnitude * magnitude
    filteredSquare += filtered * filtered
    let power = smoothed * smoothed
    first += smoothed
    second += power
    third += power * smoothed
  }

  static func += (a: inout GaitSums, b: GaitSums) {
    a.vector += b.vector
    a.magnitude += b.magnitude
    a.square += b.square
    a.filteredSquare += b.filteredSquare
    a.first += b.first
    a.second += b.second
    a.third += b.third
  }

  /// Returns the skewness of the smoothed magnitude of n cells.
  func skewness(_ n: Double) -> Double {
    let (m1, m2, m3) = (first / n, second / n, third / n)
    let variance = max(m2 - m1 * m1, 1e-9)
    return (m3 - 3 * m1 * m2 + 2 * m1 * m1 * m1) / (variance * variance.squareRoot())
  }
}

/// A first-order Butterworth high-pass with a constant sample rate (bilinear transform, cutoff prewarped). Its output
/// for the first sample is 0.
struct FirstOrderHighPass: Sendable, Codable, Equatable {
  private let gain: Double
  private let feedback: Double
  private var input: Double?
  private var output = 0.0

  /// Creates a filter with a cutoff and a sample rate in Hz.
  init(cutoff: Double, sampleRate: Double) {
    let c = tan(.pi * cutoff / sampleRate)
    gain = 1 / (1 + c)
    feedback = (1 - c) / (1 + c)
  }

  mutating func update(_ sample: Double) -> Double {
    output = feedback * output + gain * (sample - (input ?? sample))
    input = sample
    return output
  }
}
