internal import DequeModule
package import InertialNumerics

/// What a device's calibration makes of its raw samples.
///
/// In the axes that samples have after `SensorAxes`. What the device computed itself, its own calibrated field among it, is
/// left as it is. The raw field stays a raw field: a device's hard iron changes from day to day, so what is left of it is
/// learned while the device is used.
package struct SensorCalibration: Sendable, Codable, Equatable {
  /// Of which device, in its owner's words; empty where nobody said.
  package var device = ""
  /// In g.
  package var accelerometer: LinearModel?
  /// In rad/s.
  package var gyroscope: LinearModel?
  /// Change of the rate with the calibrated acceleration, rad/s per g, taken off before the gyroscope's matrix.
  package var accelerationSensitivity: Matrix3?
  /// What the temperature does to the gyroscope's bias; nil where nobody has measured it.
  package var gyroscopeTemperature: TemperatureModel?
  /// In µT.
  package var magnetometer: LinearModel?
  /// Strength of the field where the magnetometer was calibrated, µT; 0 where that is not known.
  package var fieldStrength = 0.0
  /// Standard deviation of what is left of the gyroscope's bias on another day, rad/s; nil without a gyroscope.
  package var gyroscopeBiasSigma: Double?

  /// Of nothing.
  package init() {}

  /// What filters are to expect of calibrated samples, by the names of their parameters.
  package var filterSettings: [String: Double] { gyroscopeBiasSigma.map { ["initialBiasSigma": $0] } ?? [:] }

  /// The channels beside the motion sensors that it needs.
  package var neededChannels: Set<AuxiliaryChannel> { gyroscopeTemperature == nil ? [] : [.temperature] }

  /// Calibrates samples on their way; the last acceleration and temperature go from one call to the next.
  package struct Pass: Sendable {
    package let calibration: SensorCalibration
    private var acceleration = Vector3.zero
    /// °C, of the last time that is not later than the samples'; nil before the log has told any.
    private var temperature: Double?
    /// Those of later times, in the order of the log.
    private var temperatures: Deque<(time: Double, value: Double)> = []
    /// The lowest and the highest that was told, °C; nil before the first.
    package private(set) var temperatureRange: ClosedRange<Double>?

    package init(_ calibration: SensorCalibration) { self.calibration = calibration }

    /// Takes what the log tells of the temperature; of other channels nothing. To be called before `apply` with samples of
    /// later times: what is not told yet, is what it was before.
    package mutating func add(_ samples: [AuxiliarySample]) {
      guard calibration.gyroscopeTemperature != nil else { return }
      for sample in samples where sample.channel == .temperature && sample.time.isFinite {
        let value = sample["temperature"]
        guard value.isFinite else { continue }
        temperatures.append((sample.time, value))
        let (low, high) = (temperatureRange?.lowerBound ?? value, temperatureRange?.upperBound ?? value)
        temperatureRange = min(low, value)...max(high, value)
      }
    }

    /// What the temperature has added to the gyroscope's bias, rad/s.
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

/// A bias that follows the temperature on a line.
package struct TemperatureModel: Sendable, Codable, Equatable {
  /// Change of the bias, in the sensor's unit for each kelvin.
  package var slope: Vector3
  /// °C, at which the bias is the calibration's.
  package var reference: Double
  /// °C between which the slope was measured.
  package var range: ClosedRange<Double>

  package init(slope: Vector3, reference: Double, range: ClosedRange<Double>) {
    (self.slope, self.reference, self.range) = (slope, reference, range)
  }
}

extension SensorSample {
  fileprivate mutating func set(_ vector: Vector3) { (x, y, z) = (vector.x, vector.y, vector.z) }
}
