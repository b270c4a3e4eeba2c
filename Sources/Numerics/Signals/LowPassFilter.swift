/// A second-order Butterworth low-pass of a scalar signal with a constant sample rate.
///
/// The filter starts in the steady state of its first sample, and processes the difference from that sample, so the
/// output for a constant input is exact from the first sample on. A sample that is not finite leaves the filter
/// unchanged.
public struct LowPassFilter: Sendable, Hashable, Codable {
  /// The difference equation.
  public let coefficients: ButterworthCoefficients
  /// The last output, or `nil` before the first finite sample.
  public private(set) var value: Double?
  private var origin = 0.0
  // Transposed direct form II: two delays instead of four, and the better conditioned form in floating point.
  private var z1 = 0.0
  private var z2 = 0.0

  /// Creates a filter without samples.
  public init(_ coefficients: ButterworthCoefficients) { self.coefficients = coefficients }

  /// Creates a filter with its −3 dB point at `cutoff` Hz.
  public init(cutoff: Double, sampleRate: Double) {
    self.init(ButterworthCoefficients(cutoff: cutoff, sampleRate: sampleRate))
  }

  /// Creates a filter with time constant `timeConstant` seconds.
  public init(timeConstant: Double, sampleRate: Double) {
    self.init(ButterworthCoefficients(timeConstant: timeConstant, sampleRate: sampleRate))
  }

  /// Adds the next sample and returns the filtered value.
  ///
  /// For a sample that is not finite, the result is the last value, or the sample itself if there is no value.
  @discardableResult
  public mutating func update(_ sample: Double) -> Double {
    guard sample.isFinite else { return value ?? sample }
    guard value != nil else {
      origin = sample
      value = sample
      return sample
    }
    let c = coefficients
    let x = sample - origin
    let y = c.b0 * x + z1
    z1 = c.b1 * x - c.a1 * y + z2
    z2 = c.b2 * x - c.a2 * y
    let filtered = origin + y
    value = filtered
    return filtered
  }

  /// Resets the filter: the next sample starts it again.
  public mutating func reset() { self = LowPassFilter(coefficients) }
}

/// A second-order Butterworth low-pass of a vector signal with a constant sample rate: `LowPassFilter` on
/// each component.
public struct VectorLowPassFilter: Sendable, Hashable, Codable {
  private var x, y, z: LowPassFilter

  /// Creates a filter without samples.
  public init(_ coefficients: ButterworthCoefficients) {
    (x, y, z) = (LowPassFilter(coefficients), LowPassFilter(coefficients), LowPassFilter(coefficients))
  }

  /// Creates a filter with its −3 dB point at `cutoff` Hz.
  public init(cutoff: Double, sampleRate: Double) {
    self.init(ButterworthCoefficients(cutoff: cutoff, sampleRate: sampleRate))
  }

  /// Creates a filter with time constant `timeConstant` seconds.
  public init(timeConstant: Double, sampleRate: Double) {
    self.init(ButterworthCoefficients(timeConstant: timeConstant, sampleRate: sampleRate))
  }

  /// The difference equation, which is the same for each component.
  public var coefficients: ButterworthCoefficients { x.coefficients }

  /// The last output, or `nil` before the first finite sample.
  public var value: Vector3? {
    guard let x = x.value, let y = y.value, let z = z.value else { return nil }
    return Vector3(x, y, z)
  }

  /// Adds the next sample and returns the filtered value.
  ///
  /// A sample with a component that is not finite leaves all three filters unchanged; the result is then the last
  /// value, or the sample itself if there is no value.
  @discardableResult
  public mutating func update(_ sample: Vector3) -> Vector3 {
    guard sample.isFinite else { return value ?? sample }
    return Vector3(x.update(sample.x), y.update(sample.y), z.update(sample.z))
  }

  /// Resets the filter: the next sample starts it again.
  public mutating func reset() { self = VectorLowPassFilter(coefficients) }
}
