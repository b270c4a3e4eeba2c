package import InertialNumerics
package import InertialSensors

/// Looks into a log without fusing it: what it has, how well it was recorded, and what looks wrong.
package struct InspectionJob: Sendable {
  package var path: String
  package var options: LogOptions
  /// A sound file recorded beside the log.
  package var sound: SoundSource?

  package init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

  /// What was found.
  package struct Report: Sendable {
    /// What was read, and what was wrong with it.
    package var log: LogSummary
    /// Per channel, what its values tell.
    package var values: [SensorChannel: ValueReport]
    package var rest: RestReport
    package var consistency: ConsistencyReport
    /// Constant time offsets between the gyroscope and the other sensors, as far as they can be told.
    package var alignment: LogAlignment
    /// Faults with their remedies, the worst first.
    package var findings: [Finding]
    /// The tests without a result and the reasons; empty if every test passed or failed.
    package var untested: [String]
    /// What is no fault and good to know, a sentence each.
    package var remarks: [String]
  }

  package func run(progress: (Double) -> Void = { _ in }) throws(LogError) -> Report {
    var feed = LogFeed(path: path, options: options)
    feed.neededChannels = []
    feed.options.auxiliary = AuxiliaryChannel.ofLogs
    feed.sound = sound
    feed.isTolerant = true
    feed.isInspected = true
    let summary = try feed.run(progress: progress, consume: { (_) throws(LogError) in })
    return Self.report(of: summary)
  }

  /// What there is to tell of a log that was read by somebody who let it be inspected (`LogFeed.isInspected`).
  package static func report(of summary: LogSummary) -> Report { summary.inspection.report(summary) }
}

/// What the sensors say about one another.
package struct ConsistencyReport: Sendable, Equatable, Codable {
  /// Whether the gyroscope's axes and signs explain how a direction turns: gravity, or the magnetic field.
  package struct Rates: Sendable, Equatable, Codable {
    /// "agrees", "contradicts" (other axes explain much more) or "silent" (the motion does not tell).
    package var verdict: String
    /// What the rates are to be multiplied by to fit; nil where silent.
    package var scale: Double?
    /// How much of what the direction does the best axes explain, 0 to 1: of the field, the share of its squared changes
    /// over half seconds; of gravity, by how much they lessen its unlikeliness (`TurnTest`) against no turning at all.
    package var share: Double
    /// The axes of the log's gyroscope that fit, as `--axes gyroscope=` takes them; several where the motion cannot
    /// tell them apart; empty where silent.
    package var axes: [String]
  }

  /// The rates against gravity.
  package var gravity: Rates
  /// The rates against the magnetic field, the calibrated one where there is one; nil without a field.
  package var field: Rates?
  /// The device's own constant field, µT; nil where the motion does not tell.
  package var hardIron: Vector3?
  /// Strength of the field without the device's own, µT, and its dip below the horizon, degrees.
  package var fieldStrength: Double?
  package var dip: Double?
}

/// The size of a channel's values.
package struct ValueReport: Sendable, Equatable, Codable {
  package private(set) var count = 0
  /// Mean norm of the vectors, in the channel's unit.
  package private(set) var meanNorm = 0.0
  /// Largest absolute component, and how many samples reach it: many mean a clipped sensor.
  package private(set) var largestComponent = 0.0
  package private(set) var atLargest = 0
  /// Longest run of samples with exactly the same values: a sensor that sleeps or is held.
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

/// When the device lay still, and what that tells about its sensors.
package struct RestReport: Sendable, Equatable, Codable {
  /// Start and end of each rest of two seconds or more, seconds.
  package internal(set) var phases: [Phase] = []
  /// Mean rate at rest, which is the gyroscope's bias, rad/s; nil without rest.
  package internal(set) var gyroscopeBias: Vector3?
  /// Mean norm of the acceleration at rest, g; 1 for a calibrated sensor.
  package internal(set) var accelerationNorm: Double?
  /// How much the mean rate of the last rest differs from that of the first, rad/s; nil with fewer than two rests.
  package internal(set) var biasChange: Vector3?

  /// A time at rest.
  package struct Phase: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
  }
}
