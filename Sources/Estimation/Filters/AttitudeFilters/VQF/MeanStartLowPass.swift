internal import InertialNumerics
internal import InertialSystem

/// What a low-pass can filter: values that are added and scaled component by component.
protocol LinearSignal: Sendable, Codable, Equatable {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, s: Double) -> Self
}

extension Vector3: LinearSignal {}

/// A second-order Butterworth low-pass that gives the mean of all samples during its first time constant.
///
/// Laidig and Seel 2023: so that the start does not depend on one sample. After it the filter is in the steady
/// state of that mean. The samples come at a constant rate; `retune` carries the filter over to another one.
struct MeanStartLowPass<Signal: LinearSignal>: Sendable, Codable, Equatable {
  private(set) var isRunning = false
  /// Samples in the mean, until the filter runs.
  private var count = 0
  // Transposed direct form II. Until the filter runs, the second is the sum of the samples.
  var first = Signal.zero
  var second = Signal.zero

  @inline(__always)
  mutating func update(_ sample: Signal, _ design: LowPassDesign) -> Signal {
    guard isRunning else { return average(sample, design) }
    let c = design.butterworth
    let value = sample * c.b0 + first
    first = sample * c.b1 - value * c.a1 + second
    second = sample * c.b2 - value * c.a2
    return value
  }

  private mutating func average(_ sample: Signal, _ design: LowPassDesign) -> Signal {
    count += 1
    second = second + sample
    let mean = second * (1 / Double(count))
    if Double(count) * design.interval >= design.timeConstant { settle(at: mean, design) }
    return mean
  }

  /// The steady state of a constant signal: y = x in the difference equation.
  mutating func settle(at value: Signal, _ design: LowPassDesign) {
    let c = design.butterworth
    isRunning = true
    first = value * (1 - c.b0)
    second = value * (c.b2 - c.a2)
  }

  /// Goes on with other coefficients: the value does not jump.
  mutating func retune(from old: LowPassDesign, to new: LowPassDesign) {
    guard isRunning else { return }
    let (p, q) = (old.butterworth, new.butterworth)
    // A filter that lets everything pass remembers nothing.
    guard p.b0 < 1 else { return self = MeanStartLowPass() }
    // The value at rest that the state belongs to; its steady state moves, what is on top of it stays.
    let value = first * (1 / (1 - p.b0))
    first = value * (1 - q.b0)
    second = second + value * ((q.b2 - q.a2) - (p.b2 - p.a2))
  }
}

/// A low-pass by its time constant, for samples at a constant interval.
struct LowPassDesign: Sendable {
  let timeConstant: Double
  /// Seconds between samples; 0 while it is not known, which keeps a low-pass averaging.
  let interval: Double
  let butterworth: ButterworthCoefficients

  init(timeConstant: Double, interval: Double) {
    self.timeConstant = timeConstant
    self.interval = interval
    // With a cutoff above 90 % of half the sample rate nothing is left to filter.
    let passesAll = interval <= 0 || timeConstant < interval / 2
    butterworth =
      passesAll
      ? ButterworthCoefficients(cutoff: 1, sampleRate: 1)
      : ButterworthCoefficients(timeConstant: timeConstant, sampleRate: 1 / interval)
  }
}

/// The share of a new sample in a first-order low-pass: 1 − exp(−T/τ).
func firstOrderGain(timeConstant: Double, interval: Double) -> Double { -expm1(-interval / timeConstant) }
