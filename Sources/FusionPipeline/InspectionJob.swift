public import LinearAlgebra
public import MotionLogs
public import Sensors

/// Looks into a log without fusing it: what it has, how well it was recorded, and what looks wrong.
public struct InspectionJob: Sendable {
  public var path: String
  public var options: LogOptions
  /// A sound file recorded beside the log.
  public var sound: SoundSource?

  public init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

  /// What was found.
  public struct Report: Sendable {
    public var log: LogSummary
    /// Per channel, what its values tell.
    public var values: [SensorChannel: ValueReport]
    public var rest: RestReport
    /// Constant time offsets between the gyroscope and the other sensors, as far as they can be told.
    public var alignment: LogAlignment
    /// What looks wrong, and what to do, a sentence each. Empty: nothing does.
    public var findings: [String]
  }

  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var feed = LogFeed(path: path, options: options)
    feed.neededChannels = []
    feed.options.auxiliary = AuxiliaryChannel.ofLogs
    feed.sound = sound
    feed.isTolerant = true
    var values: [SensorChannel: ValueReport] = [:]
    var rest = RestFinder()
    var consistency = GyroscopeConsistency()
    var offsets = StreamOffsetEstimator()
    let summary = try feed.run(
      start: { (_) throws(FusionError) in
        values = [:]
        rest = RestFinder()
        consistency = GyroscopeConsistency()
        offsets = StreamOffsetEstimator()
      },
      progress: progress,
      consume: { (sample) throws(FusionError) in
        values[sample.channel, default: ValueReport()].add(sample)
        rest.add(sample)
        consistency.add(sample)
        offsets.add(sample)
      })
    rest.finish()
    let doctor = Doctor(summary: summary, values: values, rest: rest.report, consistency: consistency)
    // Offsets are to the gyroscope: without one there is nothing to tell.
    let findings = summary.reports[.gyroscope] == nil ? [:] : offsets.findings(for: summary.reports.keys)
    return Report(
      log: summary, values: values, rest: rest.report, alignment: LogAlignment(findings: findings),
      findings: doctor.findings())
  }
}

/// The size of a channel's values.
public struct ValueReport: Sendable, Equatable, Codable {
  public private(set) var count = 0
  /// Mean norm of the vectors, in the channel's unit.
  public private(set) var meanNorm = 0.0
  /// Largest absolute component, and how many samples reach it: many mean a clipped sensor.
  public private(set) var largestComponent = 0.0
  public private(set) var atLargest = 0
  /// Longest run of samples with exactly the same values: a sensor that sleeps or is held.
  public private(set) var longestConstantRun = 0
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
public struct RestReport: Sendable, Equatable, Codable {
  /// Start and end of each rest of two seconds or more, seconds.
  public internal(set) var phases: [Phase] = []
  /// Mean rate at rest, which is the gyroscope's bias, rad/s; nil without rest.
  public internal(set) var gyroscopeBias: Vector3?
  /// Mean norm of the acceleration at rest, g; 1 for a calibrated sensor.
  public internal(set) var accelerationNorm: Double?

  public struct Phase: Sendable, Equatable, Codable {
    public var start: Double
    public var end: Double
  }
}
