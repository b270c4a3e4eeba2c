package import LinearAlgebra

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
  /// In µT.
  package var magnetometer: LinearModel?
  /// Strength of the field where the magnetometer was calibrated, µT; 0 where that is not known.
  package var fieldStrength = 0.0

  /// Of nothing.
  package init() {}

  /// Calibrates samples on their way; the last acceleration goes from one call to the next.
  package struct Pass: Sendable {
    package let calibration: SensorCalibration
    private var acceleration = Vector3.zero

    package init(_ calibration: SensorCalibration) { self.calibration = calibration }

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
          samples[index].set(model.calibrated(raw - own))
        case .magnetometer:
          if let model = calibration.magnetometer { samples[index].set(model.calibrated(raw)) }
        default: continue
        }
      }
    }
  }
}

extension SensorSample {
  fileprivate mutating func set(_ vector: Vector3) { (x, y, z) = (vector.x, vector.y, vector.z) }
}
