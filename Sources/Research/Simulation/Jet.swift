internal import InertialSystem

/// A function of time with its first two derivatives at one instant (a 2-jet).
///
/// The sum, product and chain rules propagate the derivatives, so the rates and accelerations of a trajectory are the
/// exact derivatives of its angles and positions.
struct Jet {
  var value: Double
  var first: Double
  var second: Double

  static let zero = Jet(value: 0, first: 0, second: 0)

  /// Returns a constant.
  static func constant(_ value: Double) -> Jet { Jet(value: value, first: 0, second: 0) }

  /// Returns rate · t.
  static func linear(rate: Double, at t: Double) -> Jet { Jet(value: rate * t, first: rate, second: 0) }

  /// Returns amplitude · sin(2π · frequency · t + phase), with the frequency in Hz.
  static func sine(_ amplitude: Double, frequency: Double, phase: Double = 0, at t: Double) -> Jet {
    let omega = 2 * .pi * frequency
    let (s, c) = (sin(omega * t + phase), cos(omega * t + phase))
    return Jet(value: amplitude * s, first: amplitude * omega * c, second: -amplitude * omega * omega * s)
  }

  /// Returns amplitude · cos(2π · frequency · t + phase), with the frequency in Hz.
  static func cosine(_ amplitude: Double, frequency: Double, phase: Double = 0, at t: Double) -> Jet {
    sine(amplitude, frequency: frequency, phase: phase + .pi / 2, at: t)
  }

  /// Returns a smooth step from 0 (until `start`) to 1 (`duration` later), with three continuous derivatives: 35 u⁴ −
  /// 84 u⁵ + 70 u⁶ − 20 u⁷.
  static func smoothStep(start: Double, duration: Double, at t: Double) -> Jet {
    let u = (t - start) / duration
    guard u > 0 else { return .zero }
    guard u < 1 else { return .constant(1) }
    let v = 1 - u
    return Jet(
      value: u * u * u * u * (35 - u * (84 - u * (70 - 20 * u))),
      first: 140 * u * u * u * v * v * v / duration,
      second: 420 * u * u * v * v * (v - u) / (duration * duration))
  }

  /// Returns the integral of a smooth step: 0 until `start`, and, from `duration` later, the time since the step's
  /// middle.
  static func smoothStepIntegral(start: Double, duration: Double, at t: Double) -> Jet {
    let step = smoothStep(start: start, duration: duration, at: t)
    let u = (t - start) / duration
    guard u > 0 else { return .zero }
    let value = u < 1 ? duration * u * u * u * u * u * (7 - u * (14 - u * (10 - 2.5 * u))) : t - start - 0.5 * duration
    return Jet(value: value, first: step.value, second: step.first)
  }

  /// Returns a function of this jet's value, from the function's value and derivatives there: the chain rule.
  func mapped(to value: Double, first: Double, second: Double) -> Jet {
    Jet(value: value, first: first * self.first, second: second * self.first * self.first + first * self.second)
  }

  /// The sine of an angle in radians.
  var sine: Jet {
    let (s, c) = (sin(value), cos(value))
    return mapped(to: s, first: c, second: -s)
  }

  /// The cosine of an angle in radians.
  var cosine: Jet {
    let (s, c) = (sin(value), cos(value))
    return mapped(to: c, first: -s, second: -c)
  }

  static func + (a: Jet, b: Jet) -> Jet {
    Jet(value: a.value + b.value, first: a.first + b.first, second: a.second + b.second)
  }

  static func - (a: Jet, b: Jet) -> Jet { a + -1 * b }

  static func * (a: Jet, b: Jet) -> Jet {
    Jet(
      value: a.value * b.value,
      first: a.first * b.value + a.value * b.first,
      second: a.second * b.value + 2 * a.first * b.first + a.value * b.second)
  }

  static func * (s: Double, a: Jet) -> Jet {
    Jet(value: s * a.value, first: s * a.first, second: s * a.second)
  }
}
