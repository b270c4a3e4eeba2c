import ArgumentParser
import Inertial

// The options of `fuse` in the sections of its help. Rarely used options are hidden; --help-hidden shows them.

/// The options of output files and their formats.
struct FileArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The output file; - is standard output, which gets all rows at the end. With several logs: a folder. With several formats: the first file's name, or the common prefix of all names. Default: INPUT.fused.csv (of 'track': INPUT.track.csv), .h5 and so on.",
      valueName: "path"), transform: AtomicFile.plainName)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The output format: \(DatasetFormat.allCases.map(\.rawValue).joined(separator: ", ")), or several separated by commas, written in one pass. Default: by the output's name.",
      valueName: "a,b"))
  var format: String?

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(
    help: ArgumentHelp(
      "For parquet: write each vector and quaternion (quaternion, gravity) as one column of lists, instead of one column per number.",
      visibility: .hidden))
  var lists = false

  @Flag(help: headerUnitsHelp)
  var headerUnits = false

  @Option(
    help: ArgumentHelp(
      "The number of significant digits of text, 1 to 17, except for time, latitude and longitude, which are exact. 17 writes as many as needed to read the same number back.",
      valueName: "n", visibility: .hidden))
  var digits = FusionOptions.defaultDigits

  func validate() throws { try checkNumbers { $0.digits = digits } }

  /// Returns the formats that are given; empty if the output's name determines the format.
  func formats() throws(FusionError) -> [DatasetFormat] { try format.map(DatasetFormat.list) ?? [] }

  func apply(to options: inout FusionOptions) throws(FusionError) {
    options.formats = try formats()
    (options.force, options.digits) = (force, digits)
    (options.writesLists, options.writesUnits) = (lists, headerUnits)
  }
}

/// The options of a dataset's rows.
struct OutputArguments: ParsableArguments {
  @OptionGroup var file: FileArguments

  @Option(help: ArgumentHelp("The rate of the rows, in Hz. Default: one row per gyroscope sample.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "The columns to write, in this order; see 'inertial help columns'. Default: 'standard', all standard columns. 'innovations' stands for the measurement outcomes. The columns of --with follow, unless columns of a recogniser are named here.",
      valueName: "a,b,c", visibility: .hidden))
  var columnsOut: String?

  @Flag(
    help: ArgumentHelp(
      "For csv and tum: write the metadata to OUTPUT.json. The other formats contain them.",
      visibility: .hidden))
  var metadata = false

  @Flag(help: relativeTimeHelp)
  var relativeTime = false

  @Option(
    help: ArgumentHelp(
      "Add the attitude relative to that of the first row (first), or of the first row at or after a time of the log in seconds, as quaternion and Euler angles: the columns relativeQuaternionX to relativeYaw, as by multiply(byInverseOf:) of Core Motion. Earlier rows are empty there.",
      valueName: "first|s"))
  var relativeTo: RelativeReference?

  func validate() throws {
    try checkNumbers { $0.rate = rate }
    if json, file.output == "-" { throw ValidationError("--json and -o - both use standard output; leave one out") }
  }

  func apply(to options: inout FusionOptions) throws(FusionError) {
    try file.apply(to: &options)
    options.rate = rate
    if let columnsOut {
      options.columns = try FusedColumn.named(
        commaSeparated(columnsOut), ofFilter: FilterKind.all[options.filter], smooths: options.smooths)
    }
    (options.writesMetadata, options.startsAtZero) = (metadata, relativeTime)
    options.relativeTo = relativeTo
  }
}

/// The options of a batch of logs.
struct BatchArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The keys of the folders that contain the logs, outermost first, for an output in Hive partitions, which Spark, DuckDB and polars read as one table. With person, ann/walk1.csv becomes person=ann/recording=walk1/data.parquet. Needs -o FOLDER.",
      valueName: "a,b", visibility: .hidden))
  var partition: String?

  @Flag(
    help: ArgumentHelp(
      "Continue an interrupted run, or a run that failed for some logs: datasets made with the same options from the same files are kept. Needs -o FOLDER. With --follow: append to the file -o after its last complete row."
    ))
  var resume = false

  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "The number of cores: for several logs at a time, or for reading, fusing and writing one log in parallel. 1: one after the other. Default: all.",
      valueName: "n"))
  var cores: Int?

  func validate() throws {
    if let cores, cores < 1 { throw ValidationError("--jobs takes a number of cores, 1 or more, not \(cores)") }
  }
}

/// Checks the numbers that a closure sets.
///
/// - Throws: `ValidationError` if a number is out of range.
func checkNumbers(_ set: (inout FusionOptions) -> Void) throws {
  var options = FusionOptions()
  set(&options)
  try validated { try options.checkNumbers() }
}

/// Runs a check of a request while the arguments are parsed, so that the usage is printed after the message.
func validated(_ check: () throws -> Void) throws {
  do { try check() } catch let error as FusionError { throw ValidationError(error.description) }
}

/// The filter and the reference frame, with the place and the parameters that they use.
struct AttitudeArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The filter: \(FilterKind.all.map(\.name).joined(separator: ", ")).", valueName: "name"))
  var filter = FilterKind.standard.name

  @Flag(
    help:
      "Use the filter's offline (smoothed) form: every attitude uses the whole log."
  )
  var smooth = false

  @Flag(
    help:
      "Compute the results of --with, and paths, from earlier samples only, as in a stream. Default for a file: from the whole log."
  )
  var online = false

  @Option(
    help: ArgumentHelp(
      "The reference frame of the attitude. Default: \(AttitudeReferenceFrame.commandDefault.name).",
      valueName: "frame"))
  var frame: AttitudeReferenceFrame?

  @Option(
    help: "The device axis whose bearing is the heading; automatic: as on an iPhone.")
  var pointing = PointingAxis.automatic

  @OptionGroup var place: PlaceArguments
  @OptionGroup var parameters: FilterArguments
}

/// The options for the columns of a dataset in addition to the motion.
struct ColumnArguments: ParsableArguments {
  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "The recognisers whose results are added as columns: \(Recognition.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "a,b,c"))
  var recognitions: String?

  @Option(
    help: ArgumentHelp(
      "The body part that the device is attached to, \(PosturePlacement.allCases.map(\.rawValue).joined(separator: " or ")) (also a trouser pocket), for the posture.",
      valueName: "place"))
  var placement: PosturePlacement?

  @Option(
    help: ArgumentHelp(
      "The other channels of the log to add as columns: all, or names; see 'inertial help channels'.",
      valueName: "all|a,b,c"))
  var withChannels: String?

  @OptionGroup var sound: SoundArguments

  func apply(to options: inout FusionOptions) throws(FusionError) {
    if let withChannels { options.channels = try ChannelSelection(names: commaSeparated(withChannels)) }
    if let recognitions { options.recognitions = try Recognition.list(commaSeparated(recognitions)) }
    options.placement = placement
    options.sound = sound.source
    if sound.sound != nil, case .only(let channels) = options.channels {
      options.channels = .only(channels.union([.microphone]))
    }
  }
}

extension CarryMode {
  fileprivate static let help = ArgumentHelp(
    "The placement of the device, for its path: \(allCases.map(\.rawValue).joined(separator: ", ")). auto detects it from the motion and prints the reason; a stream needs an explicit placement. Default: auto.",
    valueName: "what")
}

extension PathConstraint: ExpressibleByArgument {
  fileprivate static let help = ArgumentHelp(
    "A constraint that the path does not use: \(allCases.map(\.rawValue).joined(separator: ", ")). Can be given several times. Default: all are used unless the sensors contradict them.",
    valueName: "constraint")
}

/// The options for the path in a figure, whose own height is `--height`.
struct PathArguments: ParsableArguments {
  @Option(help: CarryMode.help)
  var on: CarryMode?

  @Option(help: ArgumentHelp("The height of the person, for the step length, in metres.", valueName: "m"))
  var personHeight: Double?

  func validate() throws { try validated { try TrackOptions.checkHeight(personHeight, "--person-height") } }

  var options: TrackOptions { TrackOptions(on: on, height: personHeight) }
}

/// The options for the path of a device.
struct TrackArguments: ParsableArguments {
  @Option(help: CarryMode.help)
  var on: CarryMode?

  @Option(
    help: ArgumentHelp(
      "The height of the person, for the step length, in metres. Default: \(TrackOptions().height).", valueName: "m"))
  var height: Double?

  @Option(help: PathConstraint.help)
  var without: [PathConstraint] = []

  func validate() throws { try validated { try TrackOptions.checkHeight(height) } }

  var options: TrackOptions { TrackOptions(on: on, height: height, without: without) }
}

/// The options for missing or invalid samples.
struct QualityArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The treatment of gyroscope gaps: split (reset the filter after the gap; a column 'segment' counts from 1), hold (rows at --rate continue the attitude at the last rate, for 10 s at most, and are flagged), nan (rows at --rate have a time and are otherwise empty). Default: the attitude is held across the gap, and no rows are written in it, with or without --rate.",
      valueName: "split|hold|nan"))
  var gaps: GapPolicy?

  @Option(
    help: ArgumentHelp(
      "The minimum duration of a gyroscope gap, in seconds; no channel is interpolated over longer gaps.",
      valueName: "s", visibility: .hidden))
  var gap = 0.5

  @Flag(help: "Reject a log with any invalid or unsorted sample, or with sensors that clearly contradict each other.")
  var strict = false

  func validate() throws { try checkNumbers { $0.gap = gap } }
}

/// The options for aligning the sensors' clocks.
struct SensorAlignmentArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Estimate constant time offsets of the other sensors relative to the gyroscope, and correct the significant ones. Reads the log twice; 'inertial inspect' only reports the offsets."
    ))
  var align = false
}
