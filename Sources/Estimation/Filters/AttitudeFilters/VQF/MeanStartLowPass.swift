internal import InertialNumerics

/// A signal for a low-pass: values that are added and scaled component by component.
protocol LinearSignal: Sendable, Codable, Equatable {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, s: Double) -> Self
}

extension Vector3: LinearSignal {}

/// A second-order Butterworth low-pass that returns the mean of all samples during its first time constant.
///
/// Laidig and Seel 2023: the start then does not depend on one sample. Afterwards, the filter is in the steady state of
/// that mean. The samples have a constant rate; `retune` adapts the filter to another rate.
struct MeanStartLowPass<Signal: LinearSignal>: Sendable, Codable, Equatable {
  private(set) var isRunning = false
  /// The number of samples in the mean, until the filter runs.
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

  /// Sets the steady state of a constant signal: y = x in the difference equation.
  mutating func settle(at value: Signal, _ design: LowPassDesign) {
    let c = design.butterworth
    isRunning = true
    first = value * (1 - c.b0)
    second = value * (c.b2 - c.a2)
  }

  /// Continues with other coefficients, without a jump of the value.
  mutating func retune(from old: LowPassDesign, to new: LowPassDesign) {
    guard isRunning else { return }
    let (p, q) = (old.butterworth, new.butterworth)
    // A filter that passes everything has no memory.
    guard p.b0 < 1 else { return self = MeanStartLowPass() }
    // The steady-state value of the state; its steady state changes, and the remainder is kept.
    let value = first * (1 / (1 - p.b0))
    first = value * (1 - q.b0)
    second = second + value * ((q.b2 - q.a2) - (p.b2 - p.a2))
  }
}

/// A low-pass with a time constant, for samples at a constant interval.
struct LowPassDesign: Sendable {
  let timeConstant: Double
  /// The interval between samples, in seconds; 0 while it is unknown, which keeps a low-pass averaging.
  let interval: Double
  let butterworth: ButterworthCoefficients

  init(timeConstant: Double, interval: Double) {
    self.timeConstant = timeConstant
    self.interval = interval
    // With a cutoff above 90 % of half the sample rate, the low-pass would have no effect.
    let passesAll = interval <= 0 || timeConstant < interval / 2
    butterworth =
      passesAll
      ? ButterworthCoefficients(cutoff: 1, sampleRate: 1)
      : ButterworthCoefficients(timeConstant: timeConstant, sampleRate: 1 / interval)
  }
}
