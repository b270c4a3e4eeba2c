public import InertialNumerics

/// The errors of a three-axis sensor and of its clock.
///
/// A measurement of the true value x is `misalignment · (scale ∘ x) + bias + walk + noise`, with what acceleration and
/// warmth add to the bias, rounded to the quantum and clipped at the range. Everything is in the unit of the sensor's channel: rad/s, g with
/// Core Motion's sign, µT. A default-made model is perfect.
public struct SensorModel: Sendable, Hashable, Codable {
  // MARK: Values

  /// Constant offset.
  public var bias = Vector3.zero
  /// Bias random walk, in unit/√s: the bias has moved by a deviation of `biasWalk` · √t per axis after t seconds.
  /// IEEE Std 952's rate random walk K.
  public var biasWalk = 0.0
  /// Gain per axis; 1 = exact.
  public var scale = Vector3(1, 1, 1)
  /// What cross-coupling and a turned mounting make of the scaled axes; identity = exact.
  public var misalignment = Matrix3.identity
  /// What the acceleration that the device feels adds, in unit per g: a gyroscope's g-sensitivity. Core Motion's sign.
  public var accelerationSensitivity = Matrix3.zero
  /// What each kelvin of warmth adds to the bias, in unit/K.
  public var temperatureSlope = Vector3.zero
  /// By how much the device warms up in the end, K, and with which time constant, s; more than 0.
  public var warming = 0.0
  /// Time constant of the warming, seconds; more than 0.
  public var warmingTime = 300.0
  /// White noise, in unit/√Hz (= unit·√s): a sample's deviation is `noiseDensity` · √rate.
  ///
  /// The random walk coefficient N of IEEE Std 952: the integral over t seconds deviates by N √t. The
  /// one-sided noise density that data sheets state is √2 N.
  public var noiseDensity = 0.0
  /// The step between neighbouring values; 0 = continuous.
  public var quantum = 0.0
  /// The largest absolute value per axis; nil = no limit.
  public var range: Double?

  // MARK: Clock

  /// Samples per second, in Hz; more than 0.
  public var rate: Double
  /// Time of the first sample, in seconds: less than 1/rate gives sensors that do not tick together.
  public var startOffset = 0.0
  /// How old a value is at its time stamp, in seconds.
  public var delay = 0.0
  /// Standard deviation of the intervals between measurements, in seconds; the stamps tell them truly.
  /// Cut off at a fifth of the sample period.
  public var intervalJitter = 0.0
  /// Standard deviation of the error of the stamps, in seconds. Cut off at a fifth of the sample period.
  public var clockJitter = 0.0
  /// By which share the sensor's clock is too fast: 20e-6 is that of a plain quartz.
  public var clockDrift = 0.0
  /// Time spans in seconds, bounds included, with no samples.
  public var gaps: [ClosedRange<Double>] = []
  /// The probability of each sample to be lost.
  public var lossProbability = 0.0

  /// A sensor without errors at a rate in Hz.
  public init(rate: Double = 100) {
    precondition(rate > 0, "a sensor with \(rate) samples per second")
    self.rate = rate
  }
}

/// The errors of a magnetometer: those of its model, and what the device around it does to the field.
///
/// The raw field is that of `sensor` applied to `softIron · b + hardIron`, b the true field in device axes.
public struct MagnetometerModel: Sendable, Hashable, Codable {
  /// Which fields a device's log holds.
  public enum Output: String, Sendable, Codable, CaseIterable {
    /// The raw field, on the channel `magnetometer`.
    case raw
    /// The field after the device's own calibration, free of iron and bias, on `calibratedMagneticField`.
    case calibrated
    /// The raw field and the calibrated one.
    case both
  }

  /// Rate, noise, bias and range.
  public var sensor: SensorModel
  /// The offset that magnets in the device make, in µT, device axes; some 100 µT in a phone.
  public var hardIron = Vector3.zero
  /// What unmagnetised iron in the device makes of the field; identity = none.
  public var softIron = Matrix3.identity
  /// Which fields the log holds.
  public var output = Output.raw

  /// A magnetometer without iron around it.
  public init(sensor: SensorModel = SensorModel()) { self.sensor = sensor }
}
