import ArgumentParser
import Inertial

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a log to another format, without fusion: raw streams in Core Motion's units.",
    discussion: """
      Samples are checked and sorted as in fuse, and written unchanged, each stream at its own times. The output appears \
      under its name when it is complete.

      Formats:
        csv     the canonical raw CSV, which every subcommand reads without options
        euroc   a folder for visual-inertial odometry: mav0/imu0 (data.csv, sensor.yaml) and Kalibr's imu.yaml; the \
      acceleration is interpolated to the gyroscope's times if they differ
        bids    a BIDS-Motion dataset (folder); the times become the LATENCY channel, seconds since the first sample
        npz     a NumPy archive: acceleration, accelerationTime, rotationRate, rotationRateTime and so on, metadata
        parquet an Apache Parquet table with one column per number; null if a stream has no sample
        mcap    a ROS 2 recording: sensor_msgs/msg/Imu, whose covariance marks missing fields, and MagneticField
        hdf5    a group with one dataset per column; NaN if a stream has no sample

      Examples:
        inertial convert LOGFOLDER -o walk.csv
        inertial convert LOGFOLDER -o walk.npz
        inertial convert walk.csv -o walk --format euroc --noise imu.yaml
        inertial convert walk.csv -o dataset --format bids --bids-subject 03 --bids-task walking
      """)

  @Argument(help: ArgumentHelp("The log: a file or folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The output file or folder, or - for standard output (csv only).", valueName: "path"),
    transform: AtomicFile.plainName)
  var output: String

  @Option(
    help:
      "The output format: \(DatasetFormat.ofSamples.map(\.rawValue).joined(separator: ", ")). Default: by the output's name."
  )
  var format: DatasetFormat?

  @Option(
    help: ArgumentHelp(
      "The sensor noise for euroc: a file like Kalibr's imu.yaml. Default: a phone's.", valueName: "file"))
  var noise: String?

  @Flag(help: "For csv: write the metadata to OUTPUT.json. The other formats contain them.")
  var metadata = false

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(help: "Reject a log with any invalid or unsorted sample.")
  var strict = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Flag(help: relativeTimeHelp)
  var relativeTime = false

  @Flag(help: headerUnitsHelp)
  var headerUnits = false

  @OptionGroup(title: "BIDS") var bids: BIDSArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if json, output == "-" { throw ValidationError("--json and -o - both use standard output; leave one out") }
  }

  func run() throws {
    var job = ConversionJob(input: input, output: output, format: format)
    job.log = try log.options
    job.bids = try bids.entities()
    job.about = try bids.facts()
    job.readFiles = [noise, bids.about, log.calibration].compactMap(\.self)
    if noise != nil, job.format != .euroc {
      throw FusionError.usage("--noise is for euroc, not \(job.format.rawValue); leave it out")
    }
    if job.bids != BIDSEntities(), job.format != .bids {
      throw FusionError.usage("--bids-subject, --bids-task and --bids-tracksys are for bids; leave them out")
    }
    if let noise {
      do { job.noise = try InertialNoise(path: noise) } catch { throw FusionError(error) }
    }
    job.writesMetadata = metadata
    (job.startsAtZero, job.writesUnits) = (relativeTime, headerUnits)
    job.force = force
    job.strict = strict
    let report = try ProgressBar.during(input) { try job.run(progress: $0) }
    for warning in report.log.warnings + report.remarks { Console.warning("\(input): \(warning)") }
    if json { return try printJSON(report) }
    report.print()
  }
}

extension ConversionJob.Report {
  /// Prints the human-readable summary, on standard error if the samples are on standard output.
  func print() {
    var lines = ["read    \(job.input): \(log.description.summary)"]
    lines += channels.map(\.line)
    lines += log.description.notes.map { "        \($0)" }
    lines.append("wrote   \(job.output): \(job.format.rawValue)")
    printLines(lines, besides: job.output)
  }
}
