internal import DeviceMotionEstimation
public import Evaluation
internal import MotionLogs
internal import Rotations
public import Sensors

/// A log in memory with the reference that it is judged against.
public struct JudgedRecording: Sendable {
  public var path: String
  /// Good samples in order of time.
  public var samples: [SensorSample]
  public var log: LogSummary
  public var reference: OrientationTrack
  /// One flag for each sample of the reference; nil = all count.
  public var movement: [Bool]?
}

extension EvaluationJob {
  /// Reads a log and its reference.
  public func load(_ path: String) throws(FusionError) -> JudgedRecording {
    let (samples, summary) = try read(path, options.estimatePath == nil ? [.accelerometer, .gyroscope] : [])
    let referencePath = options.referencePath ?? options.referenceName.map { Self.beside(path, $0) }
    let source = if let referencePath { try read(referencePath, []) } else { (samples: samples, summary: summary) }
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
    if options.estimatePath == nil { try options.motion.frame.checkField(in: summary, path: path) }
    return JudgedRecording(
      path: path, samples: samples, log: summary, reference: try track(stream, frame),
      movement: recording[.movement].map { OrientationComparison.movement($0, at: stream.times) })
  }

  /// The orientations of a file to be judged in place of a filter's.
  func estimate(_ path: String, referenceFrame: EarthFrame) throws(FusionError) -> OrientationTrack {
    let recording = Recording(try read(path, []).samples)
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

  private func read(_ path: String, _ channels: [SensorChannel]) throws(FusionError)
    -> (samples: [SensorSample], summary: LogSummary)
  {
    var feed = LogFeed(path: path, options: options.log)
    feed.neededChannels = channels
    return try feed.load()
  }

  private func track(_ stream: SensorStream, _ frame: EarthFrame) throws(FusionError) -> OrientationTrack {
    do throws(EvaluationError) {
      return try OrientationTrack(stream, frame: frame)
    } catch {
      throw .badData(error.description)
    }
  }

  /// A file in the same folder as a log.
  private static func beside(_ path: String, _ name: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }
}
