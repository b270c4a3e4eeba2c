public import InertialNumerics

/// The errors of a three-axis sensor and of its clock.
///
/// A measurement of the true value x is `misalignment · (scale ∘ x) + bias + walk + noise`, plus the effects of
/// acceleration and temperature on the bias, rounded to the quantum and clipped at the range. All quantities have the
/// unit of the sensor's channel: rad/s, g with Core Motion's sign, µT. The default model is perfect.
public struct SensorModel: Sendable, Hashable, Codable {
  // MARK: Values

  /// The constant offset.
  public var bias = Vector3.zero
  /// The bias random walk, in unit/√s: the bias changes by a standard deviation of `biasWalk` · √t per axis in t
  /// seconds. It is IEEE Std 952's rate random walk K.
  public var biasWalk = 0.0
  /// The gain per axis; 1 = exact.
  public var scale = Vector3(1, 1, 1)
  /// The cross-coupling and rotated mounting of the scaled axes; identity = exact.
  public var misalignment = Matrix3.identity
  /// The bias change with the acceleration that acts on the device, in unit per g: a gyroscope's g-sensitivity. Core
  /// Motion's sign.
  public var accelerationSensitivity = Matrix3.zero
  /// The bias change with the temperature, in unit/K.
  public var temperatureSlope = Vector3.zero
  /// The final increase of the device's temperature, in K.
  public var warming = 0.0
  /// The time constant of the warming, in seconds; more than 0.
  public var warmingTime = 300.0
  /// The white noise, in unit/√Hz (= unit·√s): a sample's standard deviation is `noiseDensity` · √rate.
  ///
  /// It is the random walk coefficient N of IEEE Std 952: the integral over t seconds has the standard deviation N √t.
  /// The one-sided noise density in data sheets is √2 N.
  public var noiseDensity = 0.0
  /// The step between adjacent values; 0 = continuous.
  public var quantum = 0.0
  /// The largest absolute value per axis, or `nil` for no limit.
  public var range: Double?

  // MARK: Clock

  /// The sample rate, in Hz; more than 0.
  public var rate: Double
  /// The time of the first sample, in seconds; values below 1/rate make sensors sample at different times.
  public var startOffset = 0.0
  /// The age of a value at its timestamp, in seconds.
  public var delay = 0.0
  /// The standard deviation of the intervals between measurements, in seconds, with correct timestamps. Clipped at a
  /// fifth of the sample period.
  public var intervalJitter = 0.0
  /// The standard deviation of the timestamps' errors, in seconds. Clipped at a fifth of the sample period.
  public var clockJitter = 0.0
  /// The relative rate error of the sensor's clock, positive if it is fast: 20e-6 for a common quartz.
  public var clockDrift = 0.0
  /// The time spans without samples, in seconds, including their bounds.
  public var gaps: [ClosedRange<Double>] = []
  /// The probability that a sample is lost.
  public var lossProbability = 0.0

  /// Creates a sensor without errors at a rate in Hz.
  public init(rate: Double = 100) {
    precondition(rate > 0, "a sensor with \(rate) samples per second")
    self.rate = rate
  }
}

/// The errors of a magnetometer: its sensor model, and the effect of the surrounding device on the field.
///
/// The raw field is the result of `sensor` for `softIron · b + hardIron`, with b the true field in device axes.
public struct MagnetometerModel: Sendable, Hashable, Codable {
  /// The fields in a device's log.
  public enum Output: String, Sendable, Codable, CaseIterable {
    /// The raw field, on the channel `magnetometer`.
    case raw
    /// The field after the device's own calibration, without iron and bias, on `calibratedMagneticField`.
    case calibrated
    /// Both the raw field and the calibrated field.
    case both
  }

  /// The sensor's rate, noise, bias and range.
  public var sensor: SensorModel
  /// The offset due to magnets in the device, in µT, device axes; about 100 µT in a phone.
  public var hardIron = Vector3.zero
  /// The effect of unmagnetised iron in the device on the field; identity = none.
  public var softIron = Matrix3.identity
  /// The fields in the log.
  public var output = Output.raw

  /// Creates a magnetometer without iron around it.
  public init(sensor: SensorModel = SensorModel()) { self.sensor = sensor }
}
