import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct FuseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuse",
    abstract:
      "Fuse raw logs into datasets: attitude, gravity, user acceleration, rotation rate, field, heading.",
    discussion: """
      One row per gyroscope sample (or at --rate), in Core Motion's units and frames. The output appears under its \
      name when it is complete.

      Examples:
        inertial fuse walk.csv
        inertial fuse LOGFOLDER -o out.csv --frame xMagneticNorthZVertical
        inertial fuse LOGFOLDER --frame xTrueNorthZVertical --date 2024-05-17
        inertial fuse imu.csv --rotation-unit deg/s --sample-rate 100
        inertial fuse a.csv b.csv -o FOLDER --filter complementary --rate 50
        inertial fuse RECORDINGS -o DATASETS --jobs 4
        inertial fuse walk.csv -o walk.h5
        inertial fuse walk.csv --format csv,npz
        inertial fuse RECORDINGS -o DATASETS --format parquet --partition person
        inertial fuse walk.csv --relative-time --header-units
        inertial fuse walk.csv -o dataset --format bids --bids-subject 03 --bids-task walking
        inertial fuse LOGFOLDER --with-channels barometer,location,annotation
        inertial fuse walk.csv --sound walk.wav --sound-weighting a
        inertial fuse LOGFOLDER --with shake
        sensor | inertial fuse - --follow
        inertial fuse udp://:9000 --follow -o live.csv

      Formats:
      \(formats)

      Columns and recognisers: inertial help columns. Other channels: inertial help channels. Rarely needed options: \
      inertial fuse --help-hidden.
      """)

  private static var formats: String {
    """
      csv     a header and one line per row; --metadata writes the metadata to a separate file
      hdf5    a group for the recording, one dataset per column, the metadata as attributes
      npz     a NumPy archive: time, quaternion (x, y, z, w), euler (roll, pitch, yaw), gravity and so on, metadata
      parquet an Apache Parquet table with units and metadata; --lists writes each vector as one column
      mcap    a ROS 2 recording: sensor_msgs/msg/Imu, MagneticField, geometry_msgs/msg/PoseStamped; SI units, east is X
      bids    a BIDS-Motion dataset (folder); the times become the LATENCY channel, seconds since the first row
      tum     timestamp tx ty tz qx qy qz qw; the position is 0 without --with track
      euroc   a folder, mav0/state_groundtruth_estimate0: attitude and gyroscope bias, position and velocity with --with track
    """
  }

  @Argument(
    help: ArgumentHelp(
      "Logs: files, folders, folders of logs, or patterns such as 'walk*.csv'; - is standard input.",
      valueName: "input"))
  var inputs: [String]

  @OptionGroup(title: "Output") var writing: OutputArguments
  @OptionGroup(title: "Output") var batch: BatchArguments
  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Additional columns") var extra: ColumnArguments
  @OptionGroup(title: "Additional columns") var track: TrackArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "Gaps and bad samples") var alignment: SensorAlignmentArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments
  @OptionGroup(title: "Streams") var following: FollowArguments
  @OptionGroup(title: "BIDS", visibility: .hidden) var bids: BIDSArguments

  func validate() throws {
    let (output, json, resume) = (writing.file.output, writing.json, batch.resume)
    if extra.sound.sound != nil, inputs.count > 1 { throw ValidationError("--sound is for one log") }
    if inputs.count > 1, output == "-" { throw ValidationError("several inputs need a folder for -o") }
    try checkUse()
    try following.check(inputs: inputs, output: output, json: json, resume: resume)
    if inputs.contains("-"), output == nil, !following.follow {
      throw ValidationError("standard input needs -o PATH or -o -")
    }
    if inputs.contains("-"), alignment.align {
      throw ValidationError(
        "--align reads the log twice, which is not possible for standard input; save the log to a file and use that file"
      )
    }
    if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read once") }
    if batch.partition != nil, output == nil || output == "-" || following.follow {
      throw ValidationError("--partition needs -o FOLDER, in which it creates the folders of the partitions")
    }
    if resume, !following.follow, output == nil || output == "-" {
      throw ValidationError("--resume needs -o FOLDER, which contains the manifest of the earlier run")
    }
  }

  /// Checks the combination of the options.
  ///
  /// - Throws: `ValidationError` if an option has no effect in the request.
  private func checkUse() throws {
    var options = FusionOptions()
    options.recognitions = extra.recognitions.map(commaSeparated)?.compactMap(Recognition.init) ?? []
    (options.track, options.placement, options.isCausal) = (track.options, extra.placement, attitude.online)
    try validated { try options.checkUse() }
  }

  func run() throws {
    let options = try fusionOptions()
    let (output, resume) = (writing.file.output, batch.resume)
    guard !following.follow else {
      return try following.run(inputs[0], output: output ?? "-", options: options, resume: resume, json: writing.json)
    }
    let partitions = try batch.partition.map { (text) throws(FusionError) in try PartitionedFolder(text) }
    var (jobs, isBatch) = try jobs(options, partitions)
    let cores = batch.cores ?? ProcessInfo.processInfo.activeProcessorCount
    // Several logs use the cores best in parallel; a single log is read, fused and written concurrently.
    for index in jobs.indices { jobs[index].isOverlapped = jobs.count < cores }
    if isBatch {
      var fusions = FusionBatch(jobs: jobs, workerCount: cores)
      if let output {
        try fusions.keepManifest(in: output, isResuming: resume, isPartitioned: partitions != nil)
        if options.formats.contains(.parquet) { try partitions?.describe(output, options: options) }
      }
      try fuse(fusions)
    } else {
      guard !resume else { throw FusionError.usage("--resume is for several logs, or a folder of them") }
      try fuse(jobs[0])
    }
  }

  private func fuse(_ job: FusionJob) throws {
    let report = try ProgressBar.during(job.input) { try job.run(progress: $0) }
    printReport(report)
    if attitude.frame == nil, let note = report.defaultFrameNote {
      Console.note("\(job.input): \(note)")
    }
    if writing.json { try printJSON(report) }
  }

  private func fuse(_ batch: FusionBatch) throws {
    var bar = ProgressBar(counted(batch.jobs.count, "log"))
    var fatal: FusionError?
    // The number of logs per note: each note is printed once, and not for each log.
    var notes: [String: Int] = [:]
    let result = try batch.run(progress: { bar.show($0) }) { _, outcome in
      bar.end()
      switch outcome {
      case .success(let report?):
        printReport(report, isBrief: true)
        if let note = report.defaultFrameNote { notes[note, default: 0] += 1 }
      case .success(nil): break
      case .failure(let error) where error.isOfOneLog:
        // A bad log among many is reported, and the others are still processed.
        Console.error(error.description)
      case .failure(let error): fatal = fatal ?? error
      }
    }
    bar.end()
    if attitude.frame == nil {
      for (note, count) in notes.sorted(by: { $0.key < $1.key }) { Console.note("\(counted(count, "log")): \(note)") }
    }
    if let fatal { throw fatal }
    if writing.json {
      try printJSON(result)
    } else if !result.kept.isEmpty {
      Page.standard.line(
        "kept    \(counted(result.kept.count, "dataset")) of an earlier run, made with the same options from the same files"
      )
    }
    if !result.failures.isEmpty { throw ExitCode(1) }
  }

  /// Prints warnings and, if requested, the human-readable summary.
  private func printReport(_ report: FusionJob.Report, isBrief: Bool = false) {
    for warning in report.log.warnings { Console.warning("\(report.job.input): \(warning)") }
    for hint in report.log.hints { Console.note("\(report.job.input): \(hint)") }
    if !writing.json { report.print(isBrief: isBrief) }
  }

  func fusionOptions() throws -> FusionOptions {
    var options = try FusionOptions(
      attitude, quality, log, columns: extra, track: track.options, bids: bids, writing: writing)
    options.aligns = alignment.align
    return options
  }
}
