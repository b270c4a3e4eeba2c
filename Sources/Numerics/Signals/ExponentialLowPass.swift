internal import InertialSystem

/// A first-order low-pass of a scalar signal with irregular sample times.
///
/// Every step moves the value by the share α = 1 − exp(−Δt/τ) towards the sample: the exact response of
/// τ y' + y = x to an input held constant over Δt, whatever Δt is. The first sample counts as one after
/// Δt = ∞, so the filter starts at it.
public struct ExponentialLowPass: Sendable, Hashable, Codable {
  /// Seconds after which a step's response has reached 1 − 1/e; 0 lets the signal pass unchanged.
  public var timeConstant: Double
  /// The last output, or nil before the first finite sample.
  public private(set) var value: Double?

  /// A filter that has seen nothing yet; the time constant in seconds.
  public init(timeConstant: Double) {
    precondition(timeConstant >= 0, "a time constant of \(timeConstant) s is negative")
    self.timeConstant = timeConstant
  }

  /// The share α = 1 − exp(−Δt/τ) of the way to a sample, 0 to 1; 0 for a Δt that is not positive.
  public static func gain(after interval: Double, timeConstant: Double) -> Double {
    guard interval > 0 else { return 0 }
    // expm1 keeps all digits where Δt is small against τ.
    return timeConstant > 0 ? -expm1(-interval / timeConstant) : 1
  }

  /// Takes a sample that comes `interval` seconds after the one before, and returns the filtered value.
  ///
  /// A sample that is not finite leaves the filter as it is, and so does one after no time or a negative
  /// time; the interval of the first sample does not matter.
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

  /// Forgets every sample: the next one starts the filter anew.
  public mutating func reset() { value = nil }
}

/// A first-order low-pass of a vector signal with irregular sample times; see `ExponentialLowPass`.
public struct VectorExponentialLowPass: Sendable, Hashable, Codable {
  /// Seconds after which a step's response has reached 1 − 1/e; 0 lets the signal pass unchanged.
  public var timeConstant: Double
  /// The last output, or nil before the first finite sample.
  public private(set) var value: Vector3?

  /// A filter that has seen nothing yet; the time constant in seconds.
  public init(timeConstant: Double) {
    precondition(timeConstant >= 0, "a time constant of \(timeConstant) s is negative")
    self.timeConstant = timeConstant
  }

  /// Takes a sample that comes `interval` seconds after the one before, and returns the filtered value.
  ///
  /// A sample with a component that is not finite leaves the filter as it is, and so does one after no time
  /// or a negative time; the interval of the first sample does not matter.
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

  /// Forgets every sample: the next one starts the filter anew.
  public mutating func reset() { value = nil }
}
