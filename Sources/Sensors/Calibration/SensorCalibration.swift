internal import DequeModule
package import InertialNumerics

/// The calibration of a device's raw samples.
///
/// It applies to the axes after `SensorAxes`. Results computed by the device, including its calibrated field, are
/// unchanged. The raw field remains a raw field: a device's hard iron changes from day to day, so the remaining hard
/// iron is estimated during use.
package struct SensorCalibration: Sendable, Codable, Equatable {
  /// The owner's name for the device, or empty if unspecified.
  package var device = ""
  /// The accelerometer's model, in g.
  package var accelerometer: LinearModel?
  /// The gyroscope's model, in rad/s.
  package var gyroscope: LinearModel?
  /// The change of the rate with the calibrated acceleration, in rad/s per g, subtracted before the gyroscope's matrix.
  package var accelerationSensitivity: Matrix3?
  /// The effect of the temperature on the gyroscope's bias, or `nil` if it has not been measured.
  package var gyroscopeTemperature: TemperatureModel?
  /// The magnetometer's model, in µT.
  package var magnetometer: LinearModel?
  /// The field strength at the location of the magnetometer's calibration, in µT, or 0 if unknown.
  package var fieldStrength = 0.0
  /// The standard deviation of the remaining gyroscope bias on another day, in rad/s, or `nil` without a gyroscope.
  package var gyroscopeBiasSigma: Double?

  /// Creates an empty calibration.
  package init() {}

  /// The filter parameters for calibrated samples, by name.
  package var filterSettings: [String: Double] { gyroscopeBiasSigma.map { ["initialBiasSigma": $0] } ?? [:] }

  /// The channels that the calibration needs in addition to the motion sensors.
  package var neededChannels: Set<AuxiliaryChannel> { gyroscopeTemperature == nil ? [] : [.temperature] }

  /// A calibration of successive samples. The last acceleration and temperature are kept between calls.
  package struct Pass: Sendable, Codable {
    /// A time in seconds, and the temperature in °C.
    private struct Temperature: Sendable, Codable {
      var time: Double
      var value: Double
    }

    package let calibration: SensorCalibration
    private var acceleration = Vector3.zero
    /// The last temperature that is not later than the samples, in °C, or `nil` before the first.
    private var temperature: Double?
    /// The later temperatures, in the order of the log.
    private var temperatures: Deque<Temperature> = []
    /// The range of the measured temperatures, in °C, or `nil` before the first.
    package private(set) var temperatureRange: ClosedRange<Double>?

    package init(_ calibration: SensorCalibration) { self.calibration = calibration }

    /// Adds temperature samples and ignores other channels. Call it before `apply` with samples of later times: until a
    /// new temperature is added, the previous one applies.
    package mutating func add(_ samples: [AuxiliarySample]) {
      guard calibration.gyroscopeTemperature != nil else { return }
      for sample in samples where sample.channel == .temperature && sample.time.isFinite {
        let value = sample["temperature"]
        guard value.isFinite else { continue }
        temperatures.append(Temperature(time: sample.time, value: value))
        let (low, high) = (temperatureRange?.lowerBound ?? value, temperatureRange?.upperBound ?? value)
        temperatureRange = min(low, value)...max(high, value)
      }
    }

    /// Returns the gyroscope bias due to the temperature, in rad/s.
    private mutating func warmth(at time: Double) -> Vector3 {
      guard let model = calibration.gyroscopeTemperature else { return .zero }
      while let next = temperatures.first, temperature == nil || next.time <= time {
        temperature = next.value
        temperatures.removeFirst()
      }
      return temperature.map { ($0 - model.reference) * model.slope } ?? .zero
    }

    package mutating func apply(to samples: inout [SensorSample]) {
      for index in samples.indices {
        let raw = samples[index].vector
        switch samples[index].channel {
        case .accelerometer:
          acceleration = calibration.accelerometer?.calibrated(raw) ?? raw
          samples[index].set(acceleration)
        case .gyroscope:
          guard let model = calibration.gyroscope else { continue }
          let own = calibration.accelerationSensitivity.map { $0 * acceleration } ?? .zero
          samples[index].set(model.calibrated(raw - own - warmth(at: samples[index].time)))
        case .magnetometer:
          if let model = calibration.magnetometer { samples[index].set(model.calibrated(raw)) }
        default: continue
        }
      }
    }
  }
}

/// A bias that depends linearly on the temperature.
package struct TemperatureModel: Sendable, Codable, Equatable {
  /// The change of the bias, in the sensor's unit per kelvin.
  package var slope: Vector3
  /// The temperature at which the bias is the calibration's, in °C.
  package var reference: Double
  /// The temperature range in which the slope was measured, in °C.
  package var range: ClosedRange<Double>

  package init(slope: Vector3, reference: Double, range: ClosedRange<Double>) {
    (self.slope, self.reference, self.range) = (slope, reference, range)
  }
}

extension SensorSample {
  fileprivate mutating func set(_ vector: Vector3) { (x, y, z) = (vector.x, vector.y, vector.z) }
}
