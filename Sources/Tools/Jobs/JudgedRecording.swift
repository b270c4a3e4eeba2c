internal import InertialEssentials
public import InertialEvaluation
package import InertialFusion
public import InertialLogs
public import InertialNumerics
internal import InertialRotations
public import InertialSensors
internal import InertialSystem

/// A log in memory with the reference that it is judged against.
public struct JudgedRecording: Sendable {
  /// The log's path.
  public var path: String
  /// Good samples in order of time.
  public var samples: [SensorSample]
  /// What was read, and what was wrong with it.
  public var log: LogSummary
  /// The true attitude, in the frame that it states.
  public var reference: OrientationTrack
  /// One flag for each sample of the reference; nil = all count.
  public var movement: [Bool]?
  /// In the frame of true north; nil in the others.
  public var declination: MagneticDeclination?
}

extension EvaluationJob {
  /// Reads a log and its reference.
  public func load(_ path: String) throws(FusionError) -> JudgedRecording {
    let log = try read(path, options.estimatePath == nil ? [.accelerometer, .gyroscope] : [])
    let referencePath = options.referencePath(of: path)
    let source =
      if let referencePath { try read(referencePath, [], isLog: false) } else { log }
    let recording = Recording(source.samples)
    // A file given as reference may hold its orientations as a device's own.
    let stream = recording[.referenceAttitude] ?? (referencePath == nil ? nil : recording[.deviceAttitude])
    guard let stream else {
      throw .badData(
        "\(referencePath ?? path): there is no reference attitude; "
          + "give one with --reference FILE (columns time, quaternionX, quaternionY, quaternionZ, quaternionW)"
      )
    }
    let stated = source.summary.description.referenceFrame.flatMap(EarthFrame.init(rawValue:))
    guard let frame = options.referenceFrame ?? stated else {
      throw .usage(
        "\(referencePath ?? path) does not say its reference's earth frame; give --reference-frame enu, nwu or ned"
      )
    }
    if options.estimatePath == nil { try options.motion.frame.checkField(in: log.summary, path: path) }
    var judged = JudgedRecording(
      path: path, samples: log.samples, log: log.summary, reference: try track(stream, frame),
      movement: recording[.movement].map { OrientationComparison.movement($0, at: stream.times) })
    if needsDeclination {
      judged.declination = try .ofRecording(given: options.given, log: PlaceAndDate(of: log), path: path)
      judged.log.warnings += judged.declination.warnings
    }
    return judged
  }

  /// Whether filters are run in the frame of true north.
  private var needsDeclination: Bool {
    options.estimatePath == nil && options.motion.frame == .xTrueNorthZVertical
  }

  /// What is estimated of a recording, with its own declination where the frame needs one.
  package func configuration(of recording: JudgedRecording) -> DeviceMotionEstimator.Configuration {
    var configuration = options.motion
    if let declination = recording.declination { configuration.declination = declination.angle }
    return configuration
  }

  /// The orientations that the device recorded of itself.
  func deviceAttitude(of recording: JudgedRecording) throws(FusionError) -> OrientationTrack {
    guard let stream = Recording(recording.samples)[.deviceAttitude] else {
      throw .badData("\(recording.path): the log has no attitude of the device's own; leave --device out")
    }
    return try track(stream, .nwu)
  }

  /// The constant offset between the clocks of a log and of its reference, as `evaluate` finds it for a filter.
  ///
  /// What is compared is the angle turned within a tenth of a second, which hardly depends on the filter.
  /// - Returns: seconds to add to the log's times, with those already given; nil where the motion does not tell.
  public func clockShift(
    of recording: JudgedRecording, by filter: ConfiguredFilter
  ) throws(FusionError) -> Double? {
    let given = options.comparison.clockShift
    let estimate = try fuse(recording, filter).converted(to: .nwu).shifted(by: given)
    let search = options.comparison.clockAlignment ?? ClockAlignment()
    return search.shift(of: estimate, to: recording.reference.converted(to: .nwu)).map { given + $0 }
  }

  /// The orientations of a file to be judged in place of a filter's.
  func estimate(_ path: String, referenceFrame: EarthFrame) throws(FusionError) -> OrientationTrack {
    let recording = Recording(try read(path, [], isLog: false).samples)
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

  /// - Parameter isLog: whether it is a log that filters are run over, and what was said of logs is said of it: the names of
  ///   their columns and their axes are not those of a reference or an estimate.
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
    do throws(LogError) {
      return try feed.load()
    } catch {
      throw FusionError(error)
    }
  }

  private func track(_ stream: SensorStream, _ frame: EarthFrame) throws(FusionError) -> OrientationTrack {
    do throws(EvaluationError) {
      return try OrientationTrack(stream, frame: frame)
    } catch {
      throw .badData(error.description)
    }
  }

  /// A file that goes with a log: in its folder where the log is one, else in the same folder.
  ///
  /// - Parameter name: the file's; `*` stands for the log's, without its ending.
  static func beside(_ path: String, _ name: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let own = path.lastPathPart
    let stem = own.lastIndex(of: ".").map { String(own[..<$0]) } ?? own
    let name = name.replacing("*", with: stem)
    if FileManager.default.fileExists(atPath: path + "/" + name) { return path + "/" + name }
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }
}
