internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import MotionLogs
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
    self.output = output ?? Self.defaultOutput(for: input)
    self.options = options
  }

  /// The dataset's name where none is given: beside the input, with `.fused.csv` added.
  public static func defaultOutput(for input: String) -> String {
    var path = input
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".fused.csv"
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
    _ = try options.filterKind()
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
        sink = try RowSink(output: output, options: options)
      },
      progress: progress,
      consume: { (sample) throws(FusionError) in
        stage!.append(sample)
        while let motion = stage!.next() { try sink!.append(motion) }
      })
    stage!.finish()
    while let motion = stage!.next() { try sink!.append(motion) }
    let rows = try sink!.close()
    return Report(
      output: output, log: summary, rowCount: rows.count, firstRows: rows.first, lastRow: rows.last,
      rowsLeftOut: stage!.skippedCount)
  }
}

/// Samples in, device motions at the asked times out.
struct FusionStage {
  private var estimator: DeviceMotionEstimator
  private var resampler: DeviceMotionResampler?

  init(estimator: DeviceMotionEstimator, rate: Double?, longestGap: Double) {
    self.estimator = estimator
    resampler = rate.map { DeviceMotionResampler(rate: $0, longestGap: longestGap) }
  }

  mutating func append(_ sample: SensorSample) { estimator.append(sample) }

  mutating func finish() { estimator.finish() }

  mutating func next() -> DeviceMotion? {
    guard resampler != nil else { return estimator.next() }
    while true {
      if let motion = resampler!.next() { return motion }
      guard let motion = estimator.next() else { return nil }
      resampler!.append(motion)
    }
  }

  var skippedCount: Int { resampler?.skippedCount ?? 0 }
}
