public import LinearAlgebra

/// What a device's calibration makes of its raw samples.
///
/// In the axes that samples have after `SensorAxes`. What the device computed itself is left as it is, but for its calibrated
/// field: where the magnetometer is calibrated, that of this calibration takes its place.
public struct SensorCalibration: Sendable, Codable, Equatable {
  /// Of which device, in its owner's words; empty where nobody said.
  public var device = ""
  /// In g.
  public var accelerometer: LinearModel?
  /// In rad/s.
  public var gyroscope: LinearModel?
  /// Change of the rate with the calibrated acceleration, rad/s per g, taken off before the gyroscope's matrix.
  public var accelerationSensitivity: Matrix3?
  /// In µT.
  public var magnetometer: LinearModel?
  /// Strength of the field where the magnetometer was calibrated, µT; 0 where that is not known.
  public var fieldStrength = 0.0

  public init() {}

  public var isEmpty: Bool { accelerometer == nil && gyroscope == nil && magnetometer == nil }

  /// Calibrates samples on their way; the last acceleration goes from one call to the next.
  public struct Pass: Sendable {
    public let calibration: SensorCalibration
    private var acceleration = Vector3.zero

    public init(_ calibration: SensorCalibration) { self.calibration = calibration }

    /// The raw field is also given as the device's calibrated one, of high accuracy, whose own samples are left out.
    public mutating func apply(to samples: inout [SensorSample]) {
      var fields: [(after: Int, SensorSample)] = []
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
          guard let model = calibration.magnetometer else { continue }
          samples[index].set(model.calibrated(raw))
          let sample = samples[index]
          fields.append(
            (index, SensorSample(time: sample.time, channel: .calibratedMagneticField, sample.vector, w: 2)))
        default: continue
        }
      }
      guard calibration.magnetometer != nil else { return }
      var result: [SensorSample] = []
      result.reserveCapacity(samples.count + fields.count)
      var next = fields.startIndex
      for index in samples.indices {
        if samples[index].channel != .calibratedMagneticField { result.append(samples[index]) }
        if next < fields.endIndex, fields[next].after == index {
          result.append(fields[next].1)
          next += 1
        }
      }
      samples = result
    }
  }
}

extension SensorSample {
  fileprivate mutating func set(_ vector: Vector3) { (x, y, z) = (vector.x, vector.y, vector.z) }
}
