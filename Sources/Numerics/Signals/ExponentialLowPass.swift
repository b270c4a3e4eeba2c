internal import InertialSystem

/// A first-order low-pass of a scalar signal with irregular sample times.
///
/// Every step moves the value towards the sample by the fraction α = 1 − exp(−Δt/τ): the exact response of τ y' + y = x
/// to an input that is constant over Δt, for any Δt. The first sample is treated as one after Δt = ∞, so the filter
/// starts at it.
public struct ExponentialLowPass: Sendable, Hashable, Codable {
  /// The time in which a step response reaches 1 − 1/e, in seconds; 0 leaves the signal unchanged.
  public var timeConstant: Double
  /// The last output, or `nil` before the first finite sample.
  public private(set) var value: Double?

  /// Creates a filter without samples; the time constant is in seconds.
  public init(timeConstant: Double) {
    precondition(timeConstant >= 0, "a time constant of \(timeConstant) s is negative")
    self.timeConstant = timeConstant
  }

  /// Returns the fraction α = 1 − exp(−Δt/τ) of the step to a sample, 0...1; 0 for a Δt that is not positive.
  public static func gain(after interval: Double, timeConstant: Double) -> Double {
    guard interval > 0 else { return 0 }
    // expm1 keeps the full precision if Δt is small relative to τ.
    return timeConstant > 0 ? -expm1(-interval / timeConstant) : 1
  }

  /// Adds a sample `interval` seconds after the previous one, and returns the filtered value.
  ///
  /// A sample that is not finite leaves the filter unchanged, and so does one with a zero or negative interval; the
  /// interval of the first sample does not matter.
  @discardableResult
  public mutating func update(_ sample: Double, after interval: Double) -> Double {
    guard sample.isFinite else { return value ?? sample }
    guard let last = value else {
      value = sample
      return sample
    }
    let filtered = last + Self.gain(after: interval, timeConstant: timeConstant) * (sample - last)
    value = filtered
    return filtered
  }

  /// Resets the filter: the next sample starts it again.
  public mutating func reset() { value = nil }
}

/// A first-order low-pass of a vector signal with irregular sample times; see `ExponentialLowPass`.
public struct VectorExponentialLowPass: Sendable, Hashable, Codable {
  /// The time in which a step response reaches 1 − 1/e, in seconds; 0 leaves the signal unchanged.
  public var timeConstant: Double
  /// The last output, or `nil` before the first finite sample.
  public private(set) var value: Vector3?

  /// Creates a filter without samples; the time constant is in seconds.
  public init(timeConstant: Double) {
    precondition(timeConstant >= 0, "a time constant of \(timeConstant) s is negative")
    self.timeConstant = timeConstant
  }

  /// Adds a sample `interval` seconds after the previous one, and returns the filtered value.
  ///
  /// A sample with a component that is not finite leaves the filter unchanged, and so does one with a zero or negative
  /// interval; the interval of the first sample does not matter.
  @discardableResult
  public mutating func update(_ sample: Vector3, after interval: Double) -> Vector3 {
    guard sample.isFinite else { return value ?? sample }
    guard let last = value else {
      value = sample
      return sample
    }
    let gain = ExponentialLowPass.gain(after: interval, timeConstant: timeConstant)
    let filtered = last + gain * (sample - last)
    value = filtered
    return filtered
  }

  /// Resets the filter: the next sample starts it again.
  public mutating func reset() { value = nil }
}
