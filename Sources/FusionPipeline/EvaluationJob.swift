internal import AttitudeFilters
public import DeviceMotionEstimation
public import Evaluation
public import MotionLogs
public import Rotations
internal import Sensors

/// Filters, or somebody else's estimate, judged against a reference.
public struct EvaluationJob: Sendable {
  public struct Options: Sendable {
    /// Names of the filters to judge.
    public var filters = FilterKind.all.map(\.name)
    public var settings: [String: Double] = [:]
    /// Frame and field; the default uses the magnetometer.
    public var motion: DeviceMotionEstimator.Configuration = {
      var configuration = DeviceMotionEstimator.Configuration()
      configuration.frame = .xMagneticNorthZVertical
      return configuration
    }()
    public var comparison = OrientationComparison.Options()
    /// A file with the reference, where the log has none or another is wanted.
    public var referencePath: String?
    /// The reference's earth frame; nil = the log's own statement.
    public var referenceFrame: EarthFrame?
    /// A file with an estimate to judge in place of filters.
    public var estimatePath: String?
    /// The estimate's earth frame; nil = the reference's, or NWU for a dataset of ours.
    public var estimateFrame: EarthFrame?
    /// Whether filters are timed.
    public var measuresCost = true
    public var log = LogOptions()

    public init() {}
  }

  /// The figures of one filter, or of the estimate, on one recording.
  public struct Score: Sendable, Codable {
    public var recording: String
    /// The filter's name, or the estimate's file.
    public var filter: String
    public var errors: ErrorSummary
    /// Time of the filter alone, per gyroscope sample, nanoseconds; nil for an estimate.
    public var nanosecondsPerSample: Double?
    /// Reference samples for which there was no estimate.
    public var missingCount: Int
    /// Seconds added to the estimate's times, where a clock offset was searched and found.
    public var clockShift: Double?
  }

  public var options: Options

  public init(options: Options = Options()) { self.options = options }

  /// Judges on one log.
  ///
  /// - Returns: a score per filter, or the one of the estimate; and what was found in the log.
  public func run(on path: String) throws(FusionError) -> (scores: [Score], log: LogSummary) {
    let kinds = try options.filters.map(FilterKind.known)
    let log = try load(path, needing: options.estimatePath == nil ? [.accelerometer, .gyroscope] : [])
    let reference = try self.reference(for: path, log)
    if let estimatePath = options.estimatePath {
      let estimate = try self.estimate(estimatePath, referenceFrame: reference.track.frame)
      return ([try score(estimatePath, path, estimate, reference, cost: nil)], log.summary)
    }
    try options.motion.frame.checkField(in: log.summary, path: path)
    var scores: [Score] = []
    for kind in kinds {
      let estimate = try fuse(log.samples, kind)
      let cost = options.measuresCost ? try self.cost(log.samples, kind) : nil
      scores.append(try score(kind.name, path, estimate, reference, cost: cost))
    }
    return (scores, log.summary)
  }

  // MARK: Steps

  private struct LoadedLog {
    var samples: [SensorSample] = []
    var summary: LogSummary
  }

  private struct Reference {
    var track: OrientationTrack
    var movement: [Bool]?
  }

  private func load(_ path: String, needing channels: [SensorChannel]) throws(FusionError) -> LoadedLog {
    var feed = LogFeed(path: path, options: options.log)
    feed.neededChannels = channels
    let (samples, summary) = try feed.load()
    return LoadedLog(samples: samples, summary: summary)
  }

  private func reference(for path: String, _ log: LoadedLog) throws(FusionError) -> Reference {
    let source: LoadedLog
    if let referencePath = options.referencePath {
      source = try load(referencePath, needing: [])
    } else {
      source = log
    }
    let recording = Recording(source.samples)
    guard let stream = recording[.referenceAttitude] ?? orientationStream(recording, options.referencePath)
    else {
      throw .badData(
        "\(options.referencePath ?? path): there is no reference attitude; "
          + "give one with --reference FILE (columns time, quaternionX, quaternionY, quaternionZ, quaternionW)"
      )
    }
    let stated = source.summary.description.referenceFrame.flatMap(EarthFrame.init(rawValue:))
    guard let frame = options.referenceFrame ?? stated else {
      throw .usage(
        "\(options.referencePath ?? path) does not say its reference's earth frame; give --reference-frame enu, nwu or ned"
      )
    }
    let movement = recording[.movement].map { OrientationComparison.movement($0, at: stream.times) }
    return Reference(track: try track(stream, frame), movement: movement)
  }

  /// A file given as reference or estimate may hold its orientations as a device's own.
  private func orientationStream(_ recording: Recording, _ path: String?) -> SensorStream? {
    path == nil ? nil : recording[.deviceAttitude]
  }

  private func estimate(_ path: String, referenceFrame: EarthFrame) throws(FusionError) -> OrientationTrack {
    let log = try load(path, needing: [])
    let recording = Recording(log.samples)
    if let stream = recording[.referenceAttitude] {
      return try track(stream, options.estimateFrame ?? referenceFrame)
    }
    guard let stream = recording[.deviceAttitude] else {
      throw .badData(
        "\(path): there are no orientations; an estimate has the columns time, quaternionX, quaternionY, quaternionZ, quaternionW"
      )
    }
    return try track(stream, options.estimateFrame ?? .nwu)
  }

  private func track(_ stream: SensorStream, _ frame: EarthFrame) throws(FusionError) -> OrientationTrack {
    do throws(EvaluationError) {
      return try OrientationTrack(stream, frame: frame)
    } catch {
      throw .badData(error.description)
    }
  }

  private func fuse(_ samples: [SensorSample], _ kind: FilterKind) throws(FusionError) -> OrientationTrack {
    var estimator: DeviceMotionEstimator
    do throws(FilterSettingError) {
      estimator = try DeviceMotionEstimator(
        filter: kind, settings: options.settings, configuration: options.motion)
    } catch {
      throw FusionError(error)
    }
    let motions = estimator.motions(of: samples)
    do throws(EvaluationError) {
      return try OrientationTrack(
        times: motions.map(\.time), quaternions: motions.map(\.attitude.quaternion), frame: .nwu)
    } catch {
      throw .badData(error.description)
    }
  }

  private func score(
    _ filter: String, _ path: String, _ estimate: OrientationTrack, _ reference: Reference, cost: Double?
  ) throws(FusionError) -> Score {
    do throws(EvaluationError) {
      let comparison = try OrientationComparison(
        estimate: estimate, reference: reference.track, movement: reference.movement,
        options: options.comparison)
      return Score(
        recording: path, filter: filter, errors: comparison.summary, nanosecondsPerSample: cost,
        missingCount: comparison.missingCount, clockShift: comparison.clockShift)
    } catch {
      throw .badData("\(path): \(error.description)")
    }
  }

  /// The filter alone, without reading and without the estimator: the best of three runs over the recording.
  private func cost(_ samples: [SensorSample], _ kind: FilterKind) throws(FusionError) -> Double? {
    let usesField = options.motion.frame.usesMagnetometer
    let hasCalibrated = samples.contains { $0.channel == .calibratedMagneticField }
    let fieldChannel: SensorChannel = hasCalibrated ? .calibratedMagneticField : .magnetometer
    let relevant = samples.filter {
      $0.channel == .gyroscope || $0.channel == .accelerometer || (usesField && $0.channel == fieldChannel)
    }
    let rateCount = relevant.count { $0.channel == .gyroscope }
    guard rateCount > 0 else { return nil }
    var best = Double.infinity
    for _ in 0..<3 {
      let filter: any AttitudeFilter
      do throws(FilterSettingError) {
        filter = try kind.make(options.settings)
      } catch {
        throw FusionError(error)
      }
      best = min(best, seconds(filter, over: relevant))
    }
    return best / Double(rateCount) * 1e9
  }

  private func seconds<Filter: AttitudeFilter>(_ filter: Filter, over samples: [SensorSample]) -> Double {
    var filter = filter
    let duration = ContinuousClock().measure {
      for sample in samples {
        switch sample.channel {
        case .gyroscope: filter.update(gyroscope: sample.vector, at: sample.time)
        case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
        default: filter.update(magneticField: sample.vector, at: sample.time)
        }
      }
    }
    // Using the result keeps the optimiser from dropping the work.
    precondition(filter.estimate != nil || samples.allSatisfy { $0.channel != .accelerometer })
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
