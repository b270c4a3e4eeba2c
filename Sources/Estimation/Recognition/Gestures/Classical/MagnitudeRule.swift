internal import InertialNumerics
package import InertialSensors

/// A shake is a magnitude of the raw acceleration above a threshold; every sample above it is a detection.
///
/// The original comes in three forms, which differ in their numbers: `MagnitudeForm`.
package struct MagnitudeRule<Form: MagnitudeForm>: ShakeRule {
  package static var name: String { Form.name }
  package let parameters: Parameters

  /// The numbers of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = Form.updateInterval
    /// g; detected above it. Rest reads 1.
    package var threshold = Form.threshold

    package init() {}

    package static var isOneShot: Bool { Form.isOneShot }

    package static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init(
          "threshold", \.threshold, unit: "g", range: 0...100, band: Form.band,
          "Magnitude that is a shake; rest reads 1."),
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

/// The numbers of a form of the magnitude rule.
package protocol MagnitudeForm: Sendable {
  /// The rule's name in the registry.
  static var name: String { get }
  /// Seconds between the samples that the rule was written for; 0: all.
  static var updateInterval: Double { get }
  /// g; detected above it.
  static var threshold: Double { get }
  /// Whether it detects once and then never again.
  static var isOneShot: Bool { get }
  /// Thresholds that are suggested for it, g; nil where none are.
  static var band: ClosedRange<Double>? { get }
}

extension MagnitudeForm {
  package static var band: ClosedRange<Double>? { nil }
}

/// 2 g at 0.2 s, stops itself.
package enum SlowMagnitude: MagnitudeForm {
  package static let name = "magnitude"
  /// Seconds between the samples that the rule is given; 0: all.
  package static let updateInterval = 0.2
  package static let threshold = 2.0
  package static let isOneShot = true
}

/// 2.3 g at 0.1 s, stops itself.
package enum FastMagnitude: MagnitudeForm {
  package static let name = "magnitude-fast"
  /// Seconds between the samples that the rule is given; 0: all.
  package static let updateInterval = 0.1
  package static let threshold = 2.3
  package static let isOneShot = true
}

/// The counting form, 1.6 g; up to 2 or 3 is suggested.
package enum CountingMagnitude: MagnitudeForm {
  package static let name = "magnitude-count"
  /// Seconds between the samples that the rule is given; 0: all.
  package static let updateInterval = 0.2
  package static let threshold = 1.6
  package static let band: ClosedRange<Double>? = 1.6...3
  package static let isOneShot = false
}
