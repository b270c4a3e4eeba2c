public import InertialSensors

/// The properties of a log that only the user can specify.
public struct LogOptions: Sendable, Encodable, Equatable {
  /// The unit of the acceleration.
  public enum AccelerationUnit: Sendable, Hashable, Encodable {
    /// Standard gravities, 9.80665 m/s².
    case g
    /// m/s².
    case metersPerSecondSquared
    /// Another unit by its name, such as "mg", or the counts of a register, such as "16384/g".
    case named(String)

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  /// The sign of the acceleration.
  public enum AccelerationSign: String, Sendable, CaseIterable, Codable {
    /// Core Motion's sign: at rest the value points down, (0, 0, −1) for a device lying face up.
    case gravity
    /// The sign of all other platforms: at rest the value points up.
    case specificForce = "specific-force"
  }
  /// The unit of the rotation rate.
  public enum RotationUnit: Sendable, Hashable, Encodable {
    /// Radians per second.
    case radiansPerSecond
    /// °/s.
    case degreesPerSecond
    /// Another unit by its name, such as "mdps", or the counts of a register, such as "131/dps".
    case named(String)

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  /// The unit of the magnetic field.
  public enum FieldUnit: String, Sendable, CaseIterable, Codable {
    /// µT.
    case microtesla = "uT"
    /// Nanotesla.
    case nanotesla = "nT"
    /// Millitesla.
    case millitesla = "mT"
    /// Gauss, 100 µT.
    case gauss = "gauss"
  }
  /// The unit of the time.
  public enum TimeUnit: String, Sendable, CaseIterable, Codable {
    /// s.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// µs.
    case microseconds = "us"
    /// Nanoseconds.
    case nanoseconds = "ns"
    /// Minutes.
    case minutes = "min"
    /// Hours.
    case hours = "h"
    /// Days of 86,400 s.
    case days = "d"
  }

  /// The accelerometer's unit; `nil`: as specified by the log.
  public var accelerationUnit: AccelerationUnit?
  /// The accelerometer's sign; `nil`: as specified by the log.
  public var accelerationSign: AccelerationSign?
  /// The gyroscope's unit; `nil`: as specified by the log.
  public var rotationUnit: RotationUnit?
  /// The magnetometer's unit; `nil`: as specified by the log.
  public var fieldUnit: FieldUnit?
  /// The unit of the times; `nil`: as specified by the log.
  public var timeUnit: TimeUnit?
  /// The names of the columns, for a CSV without a header or with an unknown one; "-" skips a column.
  public var columns: [String]?
  /// The rows of a table to read; `nil`: all.
  package var conditions: [RowCondition]?
  /// The rate in Hz of a log without a clock: row i is at i / sampleRate.
  public var sampleRate: Double?
  /// The mounting of the sensors, in the order of application.
  public var axes: [SensorAxes] = []
  /// The device's own calibration, applied after the axes and before any other processing.
  package var calibration: SensorCalibration?
  /// The requested auxiliary channels.
  public var auxiliary: Set<AuxiliaryChannel> = []
  /// A copy that also requests the channels that the calibration needs.
  package var withCalibrationChannels: LogOptions {
    var options = self
    options.auxiliary.formUnion(calibration?.neededChannels ?? [])
    return options
  }
  /// The log itself, if the caller holds it in memory; the path is then only its name in messages.
  package var held: InMemoryTable?
  /// A flag that ends the reading early, with an error, once it is set.
  package var stop: StopFlag?

  /// Creates options that leave every property to the log.
  public init() {}

  /// The specified properties of a log; the requested channels are not encoded.
  private enum CodingKeys: CodingKey {
    case accelerationUnit, accelerationSign, rotationUnit, fieldUnit, timeUnit, columns, sampleRate, axes
    case calibration, conditions
  }
}
