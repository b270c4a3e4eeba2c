internal import InertialEssentials
public import InertialEvaluation
package import InertialFusion
public import InertialLogs
public import InertialNumerics
internal import InertialRotations
public import InertialSensors
internal import InertialSystem

/// A log in memory with the reference for its evaluation.
public struct ReferenceRecording: Sendable {
  /// The path of the log.
  public var path: String
  /// The valid samples, sorted by time.
  public var samples: [SensorSample]
  /// The summary of the log and its problems.
  public var log: LogSummary
  /// The reference attitude, in its own frame.
  public var reference: OrientationTrack
  /// Whether each sample of the reference is evaluated, or `nil` to evaluate all samples.
  public var movement: [Bool]?
  /// The declination in the frame of true north, or `nil` in other frames.
  public var declination: MagneticDeclination?
}

extension EvaluationJob {
  /// Reads a log and its reference.
  public func load(_ path: String) throws(FusionError) -> ReferenceRecording {
    let log = try read(path, options.estimatePath == nil ? [.accelerometer, .gyroscope] : [])
    let referencePath = options.referencePath(of: path)
    let source =
      if let referencePath { try read(referencePath, [], isLog: false) } else { log }
    let recording = Recording(source.samples)
    // A reference file may contain its orientations as a device's own attitude.
    let column = recording[.referenceAttitude] ?? (referencePath == nil ? nil : recording[.deviceAttitude])
    guard let column else {
      throw .badData(
        "\(referencePath ?? path): there is no reference attitude; "
          + "add one with --reference FILE (columns time, quaternionX, quaternionY, quaternionZ, quaternionW)"
      )
    }
    let stated = source.summary.description.referenceFrame.flatMap(EarthFrame.init(rawValue:))
    guard let frame = options.referenceFrame ?? stated else {
      throw .usage(
        "\(referencePath ?? path) does not specify the earth frame of the reference; add --reference-frame enu, nwu or ned"
      )
    }
    if options.estimatePath == nil { try options.motion.frame.checkField(in: log.summary, path: path) }
    var judged = ReferenceRecording(
      path: path, samples: log.samples, log: log.summary,
      reference: try track(column, frame).shifted(by: Self.offset(source.summary, to: log.summary)),
      movement: recording[.movement].map { OrientationComparison.movement($0, at: column.times) })
    if needsDeclination {
      judged.declination = try .ofRecording(given: options.given, log: PlaceAndDate(of: log), path: path)
      judged.log.warnings += judged.declination.warnings
    }
    return judged
  }

  /// Whether filters use the frame of true north.
  private var needsDeclination: Bool { options.estimatePath == nil && options.motion.frame == .xTrueNorthZVertical }

  /// Returns the estimator's configuration for a recording, with the recording's declination if the frame needs one.
  package func configuration(of recording: ReferenceRecording) -> DeviceMotionEstimator.Configuration {
    var configuration = options.motion
    if let declination = recording.declination { configuration.declination = declination.angle }
    return configuration
  }

  /// Returns the orientations recorded by the device itself.
  func deviceAttitude(of recording: ReferenceRecording) throws(FusionError) -> OrientationTrack {
    guard let column = Recording(recording.samples)[.deviceAttitude] else {
      throw .badData("\(recording.path): the log has no attitude of the device; omit --device")
    }
    return try track(column, .nwu)
  }

  /// Returns the constant clock offset between a log and its reference, as `evaluate` determines it for a filter.
  ///
  /// The compared quantity is the rotation angle within a tenth of a second, which hardly depends on the filter.
  /// - Returns: The seconds to add to the log's times, including given ones, or `nil` if the motion does not determine
  ///   them.
  package func clockShift(
    of recording: ReferenceRecording, by filter: ConfiguredFilter
  ) throws(FusionError) -> Double? {
    let given = options.comparison.clockShift
    let estimate = try fuse(recording, filter).converted(to: .nwu).shifted(by: given)
    let search = options.comparison.clockAlignment ?? ClockAlignment()
    return search.shift(of: estimate, to: recording.reference.converted(to: .nwu)).map { given + $0 }
  }

  /// Returns the orientations of a file that is evaluated instead of a filter, at the times of a recording.
  func estimate(_ path: String, on reference: ReferenceRecording) throws(FusionError) -> OrientationTrack {
    let file = try read(path, [], isLog: false)
    let recording = Recording(file.samples)
    guard let column = recording[.referenceAttitude] ?? recording[.deviceAttitude] else {
      throw .badData(
        "\(path): there are no orientations; an estimate has the columns time, quaternionX, quaternionY, quaternionZ, quaternionW"
      )
    }
    let frame = recording[.referenceAttitude] == nil ? .nwu : reference.reference.frame
    return try track(column, options.estimateFrame ?? frame)
      .shifted(by: Self.offset(file.summary, to: reference.log))
  }

  /// Returns the seconds to add to a file's times, so that they count from the log's time 0: 0 unless both have UNIX
  /// times.
  private static func offset(_ other: LogSummary, to log: LogSummary) -> Double {
    guard let epoch = other.description.epoch, let origin = log.description.epoch else { return 0 }
    return epoch - origin
  }

  /// - Parameter isLog: Whether the file is a log for filters. The log options for column names, axes and calibration
  ///   do not apply to a reference or an estimate.
  private func read(
    _ path: String, _ channels: [SensorChannel], isLog: Bool = true
  ) throws(FusionError) -> LoadedLog {
    var feed = LogFeed(path: path, options: options.log)
    if !isLog {
      feed.options.columns = nil
      feed.options.axes = []
      feed.options.calibration = nil
      feed.options.held = nil
    }
    feed.neededChannels = channels
    if isLog, needsDeclination { feed.options.auxiliary = [.location] }
    do throws(LogError) { return try feed.load() } catch { throw FusionError(error) }
  }

  private func track(_ column: SensorColumn, _ frame: EarthFrame) throws(FusionError) -> OrientationTrack {
    do throws(EvaluationError) {
      return try OrientationTrack(column, frame: frame)
    } catch {
      throw .badData(error.description)
    }
  }

  /// Returns the path of a file that belongs to a log: inside the log if it is a folder with that file, otherwise next
  /// to it.
  ///
  /// - Parameter name: The name of the file; `*` stands for the log's name without its extension.
  static func beside(_ path: String, _ name: String) -> String {
    let path = path.withoutSlashesAtEnd
    let own = path.lastPathPart
    let stem = own.lastIndex(of: ".").map { String(own[..<$0]) } ?? own
    let name = name.replacing("*", with: stem)
    if FileManager.default.fileExists(atPath: path + "/" + name) { return path + "/" + name }
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }
}
