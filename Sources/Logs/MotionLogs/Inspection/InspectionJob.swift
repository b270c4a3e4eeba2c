package import InertialNumerics
internal import InertialSensors

/// Examines a log without fusing it: its content, its recording quality and its problems.
package struct InspectionJob: Sendable {
  package var path: String
  package var options: LogOptions
  /// A sound file recorded together with the log.
  package var sound: SoundSource?

  package init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

  package func run(progress: (Double) -> Void = { _ in }) throws(LogError) -> Report {
    var feed = LogFeed(path: path, options: options)
    feed.neededChannels = []
    feed.options.auxiliary = AuxiliaryChannel.ofLogs
    feed.sound = sound
    feed.isTolerant = true
    feed.isInspected = true
    return Report(try feed.run(progress: progress, consume: { (_) throws(LogError) in }))
  }
}

/// The agreement between the sensors.
package struct ConsistencyReport: Sendable, Equatable, Codable {
  /// Whether the gyroscope's axes and signs explain the rotation of a direction: gravity, or the magnetic field.
  package struct Rates: Sendable, Equatable, Codable {
    /// "agrees", "contradicts" (other axes explain much more) or "silent" (the motion is not decisive).
    package var verdict: String
    /// The factor by which the rates must be multiplied, or `nil` if silent.
    package var scale: Double?
    /// The fraction of the direction's rotation that the best axes explain, 0...1. For the field, it is the fraction of
    /// the squared changes over half seconds; for gravity, the decrease of the misfit (`GravityRotationTest`) relative to no
    /// rotation.
    package var fraction: Double
    /// The axes of the log's gyroscope that fit, as arguments of `--axes gyroscope=`: several if the motion cannot
    /// distinguish them, empty if silent.
    package var axes: [String]

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case verdict, scale, fraction = "share", axes
    }
  }

  /// The rates against gravity.
  package var gravity: Rates
  /// The rates against the magnetic field, calibrated if available, or `nil` without a field.
  package var field: Rates?
  /// The constant hard-iron field, in µT, or `nil` if the motion does not determine it.
  package var hardIron: Vector3?
  /// The strength of the field without hard iron, in µT, and its dip below the horizon, in degrees.
  package var fieldStrength: Double?
  package var dip: Double?
}

/// The magnitudes of a channel's values.
package struct ValueReport: Sendable, Equatable, Codable {
  package private(set) var count = 0
  /// The mean norm of the vectors, in the channel's unit.
  package private(set) var meanNorm = 0.0
  /// The largest absolute component, and the number of samples that reach it. A large number indicates clipping.
  package private(set) var largestComponent = 0.0
  package private(set) var atLargest = 0
  /// The longest run of samples with exactly equal values, as from a sensor that sleeps or is held.
  package private(set) var longestConstantRun = 0
  private var run = 0
  private var last = Vector3.zero

  mutating func add(_ sample: SensorSample) {
    let vector = sample.vector
    count += 1
    meanNorm += (vector.norm - meanNorm) / Double(count)
    let largest = vector.maximumMagnitude
    if largest > largestComponent {
      largestComponent = largest
      atLargest = 1
    } else if largest == largestComponent {
      atLargest += 1
    }
    run = count > 1 && vector == last ? run + 1 : 1
    longestConstantRun = max(longestConstantRun, run)
    last = vector
  }

  private enum CodingKeys: CodingKey {
    case count, meanNorm, largestComponent, atLargest, longestConstantRun
  }
}

/// The times at which the device was at rest, and the sensor errors at rest.
package struct RestReport: Sendable, Equatable, Codable {
  /// The start and end of each rest of two seconds or more, in seconds.
  package internal(set) var phases: [Phase] = []
  /// The mean rate at rest, which is the gyroscope's bias, in rad/s, or `nil` without rest.
  package internal(set) var gyroscopeBias: Vector3?
  /// The mean norm of the acceleration at rest, in g: 1 for a calibrated sensor.
  package internal(set) var accelerationNorm: Double?
  /// The difference between the mean rates of the last and the first rest, in rad/s, or `nil` with fewer than two
  /// rests.
  package internal(set) var biasChange: Vector3?

  /// A time at rest.
  package struct Phase: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
  }
}
