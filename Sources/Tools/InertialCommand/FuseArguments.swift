import ArgumentParser
import Inertial

// The options of `fuse` in the sections of its help. What is rarely needed is hidden; --help-hidden shows it.

/// The options of output files and their formats.
struct FileArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Output file; - is standard output, which has the rows when all are known. With several logs: a folder. With several formats: the first's name, or what all names begin with. Default: INPUT.fused.csv, .h5 and so on.",
      valueName: "path"), transform: OutputStreams.plainName)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "\(DatasetFormat.allCases.map(\.rawValue).joined(separator: ", ")), or several with commas: all in one pass. Default: by the output's name.",
      valueName: "a,b"))
  var format: String?

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Flag(
    help: ArgumentHelp(
      "For parquet: one column of lists for each vector and quaternion (quaternion, gravity), not one for each number.",
      visibility: .hidden))
  var lists = false

  @OptionGroup var header: HeaderArguments

  @Option(
    help: ArgumentHelp(
      "Significant digits (1 to 17). Default: as many as it takes to read the same number back.",
      valueName: "n", visibility: .hidden))
  var digits: Int?

  func validate() throws {
    var options = FusionOptions()
    options.digits = digits
    try validated { () throws(FusionError) in try options.checkNumbers() }
  }

  /// The formats that are named; none where the output's name says.
  func formats() throws(FusionError) -> [DatasetFormat] { try format.map(DatasetFormat.list) ?? [] }

  func apply(to options: inout FusionOptions) throws(FusionError) {
    options.formats = try formats()
    (options.force, options.digits) = (force, digits)
    (options.writesLists, options.writesUnits) = (lists, header.headerUnits)
  }
}

/// The options of a dataset's rows.
struct OutputArguments: ParsableArguments {
  @OptionGroup var file: FileArguments

  @Option(help: ArgumentHelp("Rate of the rows. Default: one row for each gyroscope sample.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Columns to write, in this order; see 'inertial help columns'. Default: all of the standard ones. 'innovations' stands for what the filter made of its measurements. Those of --with come after them, unless some of a recogniser's are named here.",
      valueName: "a,b,c", visibility: .hidden))
  var columnsOut: String?

  @Flag(
    help: ArgumentHelp(
      "For csv and tum: write the facts about the dataset to OUTPUT.json. The other formats have them inside.",
      visibility: .hidden))
  var metadata = false

  @OptionGroup var time: TimeArguments

  func validate() throws {
    var options = FusionOptions()
    options.rate = rate
    try validated { () throws(FusionError) in try options.checkNumbers() }
    if json, file.output == "-" { throw ValidationError("--json and -o - both want standard output") }
  }

  func apply(to options: inout FusionOptions) throws(FusionError) {
    try file.apply(to: &options)
    options.rate = rate
    if let columnsOut {
      options.columns = try FusedColumn.named(
        commaSeparated(columnsOut), ofFilter: FilterKind.named(options.filter), smooths: options.smooths)
    }
    (options.writesMetadata, options.startsAtZero) = (metadata, time.relativeTime)
  }
}

/// The options of a batch of logs.
struct BatchArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Lay the datasets out as Hive partitions, which Spark, DuckDB and polars read as one table: keys of the folders that the logs lie in, outermost first. With person, ann/walk1.csv becomes person=ann/recording=walk1/data.parquet. Needs -o FOLDER.",
      valueName: "a,b", visibility: .hidden))
  var partition: String?

  @Flag(
    help: ArgumentHelp(
      "Continue an interrupted run, or one that failed for some logs: datasets that it made by the same options from the same files are kept. Needs -o FOLDER. With --follow: append to the file -o after its last whole row."
    ))
  var resume = false

  @Option(
    help: ArgumentHelp(
      "Cores to use: for several logs at a time, or for reading, fusing and writing of one at a time. 1: one after the other. Default: all.",
      valueName: "n"))
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number of cores, 1 or more, not \(jobs)") }
  }
}

/// Turns the errors of a job's checks into errors of the parser.
func validated(_ check: () throws(FusionError) -> Void) throws {
  do throws(FusionError) {
    try check()
  } catch {
    throw ValidationError(error.description)
  }
}

/// The filter and the reference frame.
struct AttitudeArguments: ParsableArguments {
  @Option(help: ArgumentHelp("\(FilterKind.all.map(\.name).joined(separator: ", ")).", valueName: "name"))
  var filter = FilterKind.standard

  @Flag(
    help:
      "Use the filter's offline form: every attitude, and what --with recognises, from the whole log, before and after."
  )
  var smooth = false

  @Option(
    help: ArgumentHelp("Reference frame of the attitude. Default: \(DefaultFrame.frame.name).", valueName: "frame"))
  var frame: AttitudeReferenceFrame?

  @Option(
    help: "Device axis whose bearing is the heading, in degrees; automatic: as on an iPhone.")
  var pointing = PointingAxis.automatic
}

/// What the dataset has besides the motion.
struct ColumnArguments: ParsableArguments {
  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "What to recognise, as further columns: \(Recognition.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "a,b,c"))
  var recognitions: String?

  @Option(
    help: ArgumentHelp(
      "Where the device is worn, \(PosturePlacement.allCases.map(\.rawValue).joined(separator: " or ")): for the posture. A trouser pocket is thigh.",
      valueName: "place"))
  var placement: PosturePlacement?

  @Option(
    help: ArgumentHelp(
      "What else the phone recorded, as further columns: all that the log has, or names; see 'inertial help channels'.",
      valueName: "all|a,b,c"))
  var withChannels: String?
}

/// What the device was on, for its path.
struct CarryingArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the device is on, for its path: \(Carrying.allCases.map(\.rawValue).joined(separator: ", ")). auto, the default, decides by the motion and says why; a stream has to be told.",
      valueName: "what"))
  var on: Carrying?
}

/// The person whose steps a path is made of.
struct PersonArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The person's height, for the length of steps.", valueName: "m"))
  var personHeight: Double?

  func validate() throws { try checkHeight(personHeight, "--person-height") }
}

/// How the device was carried, for its path.
struct TrackArguments: ParsableArguments {
  @OptionGroup var carrying: CarryingArguments

  @Option(
    help: ArgumentHelp(
      "The person's, for the length of steps. Default: \(TrackOptions().height).", valueName: "m"))
  var height: Double?

  func validate() throws { try checkHeight(height, "--height") }

  /// The first of these options that was given; nil if none was.
  var given: String? { carrying.on != nil ? "--on" : height != nil ? "--height" : nil }

  var options: TrackOptions { TrackOptions(carrying, height: height) }
}

/// - Throws: if a person's height is out of its range.
func checkHeight(_ height: Double?, _ option: String) throws {
  if let height, !(0.5...2.6).contains(height) {
    throw ValidationError("\(option) takes a person's height in metres, 0.5 to 2.6, not \(height)")
  }
}

extension TrackOptions {
  /// - Parameter height: the person's, m; nil for the usual one.
  init(_ carrying: CarryingArguments, height: Double?) {
    self.init()
    self.carrying = carrying.on ?? .auto
    if let height { self.height = height }
  }
}

/// What is done where samples are missing or wrong.
struct QualityArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the gyroscope pauses: split (reset the filter after the gap; a column 'segment' counts from 1), hold (extrapolate at the last rate, for 10 s at most; rows at --rate are flagged), nan (rows at --rate have a time and are otherwise empty). Default: the attitude is held across the gap, and --rate has no rows there. Rows without --rate are always the gyroscope's own.",
      valueName: "split|hold|nan"))
  var gaps: GapPolicy?

  @Option(
    help: ArgumentHelp(
      "A pause of the gyroscope is a gap above this time; nothing is interpolated over more.",
      valueName: "s", visibility: .hidden))
  var gap = 0.5

  @Flag(help: "Refuse a log with any bad or disordered sample, or whose sensors certainly contradict one another.")
  var strict = false

  func validate() throws {
    var options = FusionOptions()
    apply(to: &options)
    try validated { () throws(FusionError) in try options.checkNumbers() }
  }
}

/// Whether the sensors' clocks are put together.
struct SensorAlignmentArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Estimate constant time offsets of the other sensors against the gyroscope, and remove those that are significant. Reads the log twice; 'inertial inspect' only reports them."
    ))
  var align = false
}

// What the options say of a fusion, for every command that fuses.

extension FusionOptions {
  /// - Parameter settles: whether the filter's parameters are settled here; false for a command that compares filters.
  init(
    _ attitude: AttitudeArguments, _ place: PlaceArguments, _ filter: FilterArguments, _ quality: QualityArguments,
    _ log: LogArguments, settles: Bool = true
  ) throws(FusionError) {
    self.init()
    try attitude.apply(to: &self, place: place, field: filter.field)
    if settles {
      let settings = try filter.parameterSettings()
      // The job refuses an unknown filter.
      self.settings =
        try FilterKind.named(attitude.filter).map { (kind) throws(FusionError) in try settings.resolved(for: [kind])[0]
        }
        ?? settings.common
    }
    quality.apply(to: &self)
    self.log = try log.options
    readFiles = [filter.noise, log.calibration].compactMap(\.self)
  }
}

extension AttitudeArguments {
  fileprivate func apply(
    to options: inout FusionOptions, place: PlaceArguments, field: DeviceMotionEstimator.Configuration.Field
  ) throws(FusionError) {
    options.filter = filter
    options.smooths = smooth
    options.motion.frame = frame ?? DefaultFrame.frame
    options.frameNeedsField = frame != nil
    options.motion.field = field
    options.motion.pointingAxis = pointing
    let given = try place.given()
    (options.location, options.date) = (given.place, given.year)
  }
}

extension QualityArguments {
  fileprivate func apply(to options: inout FusionOptions) {
    (options.gaps, options.gap, options.strict) = (gaps, gap, strict)
  }
}

extension ColumnArguments {
  func apply(to options: inout FusionOptions, sound: SoundSource?) throws(FusionError) {
    if let withChannels { options.channels = try ChannelSelection(names: commaSeparated(withChannels)) }
    if let recognitions { options.recognitions = try Recognition.list(commaSeparated(recognitions)) }
    options.placement = placement
    options.sound = sound
    if sound != nil, case .only(let channels) = options.channels {
      options.channels = .only(channels.union([.microphone]))
    }
  }
}
