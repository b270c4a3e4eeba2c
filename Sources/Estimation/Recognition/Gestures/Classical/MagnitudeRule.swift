package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// A rule that detects a magnitude of the raw acceleration above a threshold. Every sample above it is a detection.
///
/// The original has three variants with different parameters; see `MagnitudeForm`.
package struct MagnitudeRule<Form: MagnitudeForm>: ShakeRule {
  package static var name: String { Form.name }
  package let parameters: Parameters

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = Form.updateInterval
    /// The magnitude above which a shake is detected, in g. It is 1 at rest.
    package var threshold = Form.threshold

    package init() {}

    package static var isOneShot: Bool { Form.isOneShot }

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "g", 0...100, customary: Form.band, "Magnitude that is a shake; rest reads 1."),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    var reading = ShakeReading(acceleration, magnitude: acceleration.norm, above: parameters.threshold)
    reading.isDetected = reading.isActive
    return reading
  }

  package mutating func forgetSamples() {}
}

/// The parameters of a variant of the magnitude rule.
package protocol MagnitudeForm: Sendable {
  /// The rule's name in the registry.
  static var name: String { get }
  /// The sample interval for which the rule was designed, in seconds; 0 for all samples.
  static var updateInterval: Double { get }
  /// The magnitude above which a shake is detected, in g.
  static var threshold: Double { get }
  /// Whether detection stops after the first shake.
  static var isOneShot: Bool { get }
  /// The range of recommended thresholds, in g, or `nil` if there are no recommendations.
  static var band: ClosedRange<Double>? { get }
}

extension MagnitudeForm {
  package static var band: ClosedRange<Double>? { nil }
}

/// The variant with 2 g at 0.2 s, which stops after a detection.
package enum SlowMagnitude: MagnitudeForm {
  package static let name = "magnitude"
  /// The sample interval of the rule, in seconds; 0 for all samples.
  package static let updateInterval = 0.2
  package static let threshold = 2.0
  package static let isOneShot = true
}

/// The variant with 2.3 g at 0.1 s, which stops after a detection.
package enum FastMagnitude: MagnitudeForm {
  package static let name = "magnitude-fast"
  /// The sample interval of the rule, in seconds; 0 for all samples.
  package static let updateInterval = 0.1
  package static let threshold = 2.3
  package static let isOneShot = true
}

/// The counting variant, 1.6 g; up to 2 or 3 is recommended.
package enum CountingMagnitude: MagnitudeForm {
  package static let name = "magnitude-count"
  /// The sample interval of the rule, in seconds; 0 for all samples.
  package static let updateInterval = 0.2
  package static let threshold = 1.6
  package static let band: ClosedRange<Double>? = 1.6...3
  package static let isOneShot = false
}
