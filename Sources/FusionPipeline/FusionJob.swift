internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import MotionLogs
internal import Rotations
public import Sensors

/// One log to one fused dataset.
public struct FusionJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// File, or "-" for standard output.
  public var output: String
  public var options: FusionOptions

  public init(input: String, output: String? = nil, options: FusionOptions = FusionOptions()) {
    self.input = input
    self.output = output ?? Self.defaultOutput(for: input, format: options.format ?? .csv)
    self.options = options
  }

  /// The dataset's name where none is given: beside the input, with `.fused.csv` added, or `.fused.h5`.
  public static func defaultOutput(for input: String, format: DatasetFormat = .csv) -> String {
    var path = input
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".fused." + format.fileExtension
  }

  /// What was made of a log.
  public struct Report: Sendable {
    public var output: String
    public var log: LogSummary
    public var rowCount = 0
    public var firstRows: [DeviceMotion] = []
    public var lastRow: DeviceMotion?
    /// Times of the asked rate that fell into gaps.
    public var rowsLeftOut = 0
  }

  /// Reads, fuses and writes; the output appears under its name when it is whole, or not at all.
  ///
  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    _ = try FilterKind.known(options.filter)
    try checkOutputIsNotInput()
    var feed = LogFeed(path: input, options: options.log)
    feed.isStrict = options.strict
    var sink: RowSink?
    var stage: FusionStage?
    let summary = try feed.run(
      start: { (description) throws(FusionError) in
        // A second start means that the samples come again in better order: the rows so far are void.
        sink = nil
        stage = FusionStage(
          estimator: try options.estimator(epoch: description.epoch), rate: options.rate,
          longestGap: options.motion.longestInterpolation)
        sink = try RowSink(output: output, input: input, log: description, options: options)
      },
      progress: progress,
      consume: { (sample) throws(FusionError) in
        stage!.append(sample)
        while let motion = stage!.next() { try sink!.append(motion) }
      })
    try options.motion.frame.checkField(in: summary, path: input)
    stage!.finish()
    while let motion = stage!.next() { try sink!.append(motion) }
    var log = summary
    if options.motion.frame.isNorthReferenced, !stage!.knewNorth {
      log.warnings.append(
        "north was never known: the field never reached a usable accuracy, so yaw is arbitrary and heading is -1; "
          + "turn the device through all attitudes while recording, or give --field calibrated if the log's field "
          + "is free of the device's own"
      )
    }
    let rows = try sink!.close()
    return Report(
      output: output, log: log, rowCount: rows.count, firstRows: rows.first, lastRow: rows.last,
      rowsLeftOut: stage!.skippedCount)
  }
}

extension FusionJob {
  /// A log is never replaced by what is made of it, not even by force: a recording cannot be made again.
  private func checkOutputIsNotInput() throws(FusionError) {
    guard input != "-", output != "-", isSameFile(input, output) else { return }
    throw .usage("\(output): the output would replace the input; give another path")
  }
}

/// Samples in, device motions at the asked times out.
struct FusionStage {
  private var estimator: DeviceMotionEstimator
  private var resampler: DeviceMotionResampler?
  /// Whether any motion had a heading.
  private(set) var knewNorth = false

  init(estimator: DeviceMotionEstimator, rate: Double?, longestGap: Double) {
    self.estimator = estimator
    resampler = rate.map { DeviceMotionResampler(rate: $0, longestGap: longestGap) }
  }

  mutating func append(_ sample: SensorSample) { estimator.append(sample) }

  mutating func finish() { estimator.finish() }

  mutating func next() -> DeviceMotion? {
    guard resampler != nil else { return nextEstimate() }
    while true {
      if let motion = resampler!.next() { return motion }
      guard let motion = nextEstimate() else { return nil }
      resampler!.append(motion)
    }
  }

  private mutating func nextEstimate() -> DeviceMotion? {
    let motion = estimator.next()
    if let motion, motion.heading >= 0 { knewNorth = true }
    return motion
  }

  var skippedCount: Int { resampler?.skippedCount ?? 0 }
}

extension AttitudeReferenceFrame {
  /// - Throws: where the frame needs a magnetic field and the log has none.
  func checkField(in log: LogSummary, path: String) throws(FusionError) {
    guard usesMagnetometer else { return }
    let hasField = [SensorChannel.magnetometer, .calibratedMagneticField].contains { channel in
      (log.reports[channel]?.used ?? 0) > 0
    }
    guard hasField else {
      throw .badData(
        "\(path): the log has no magnetic field, and \(name) needs one; use --frame xArbitraryZVertical")
    }
  }
}
