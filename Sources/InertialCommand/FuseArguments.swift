import ArgumentParser
import Inertial

// The options of `fuse` in the sections of its help. What is rarely needed is hidden; --help-hidden shows it.

/// Where the datasets go and how they are written.
struct OutputArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Output file; - is standard output. With several logs: a folder. With several formats: the first's name, or what all names begin with. Default: INPUT.fused.csv, .h5 and so on.",
      valueName: "path"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "\(DatasetFormat.allCases.map(\.rawValue).joined(separator: ", ")), or several with commas: all in one pass. Default: by the output's name.",
      valueName: "a,b"))
  var format: String?

  @Option(help: ArgumentHelp("Rate of the rows. Default: one row for each gyroscope sample.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Overwrite an existing output.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Lay the datasets out as Hive partitions, which Spark, DuckDB and polars read as one table: keys of the folders that the logs lie in, outermost first. With person, ann/walk1.csv becomes person=ann/recording=walk1/data.parquet. Needs -o FOLDER.",
      valueName: "a,b", visibility: .hidden))
  var partition: String?

  @Flag(
    help: ArgumentHelp(
      "For parquet: one column of lists for each vector and quaternion (quaternion, gravity), not one for each number.",
      visibility: .hidden))
  var lists = false

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

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Columns to write, in this order; see 'inertial help columns'. Default: all of the standard ones. 'innovations' stands for what the filter made of its measurements. Those of --with come after them, unless some of a recogniser's are named here.",
      valueName: "a,b,c", visibility: .hidden))
  var columnsOut: String?

  @Option(
    help: ArgumentHelp(
      "Significant digits (1 to 17). Default: as many as it takes to read the same number back.",
      valueName: "n", visibility: .hidden))
  var digits: Int?

  @Flag(
    help: ArgumentHelp(
      "For csv and tum: write the facts about the dataset to OUTPUT.json. The other formats have them inside.",
      visibility: .hidden))
  var metadata = false
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
    help: ArgumentHelp(
      "Device axis whose bearing is the heading, in degrees; automatic: as on an iPhone.", visibility: .hidden))
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
      "What the device is on, for its path: \(Carrying.allCases.map(\.rawValue).joined(separator: ", ")). auto decides by the motion and says why; a stream has to be told.",
      valueName: "what"))
  var on = Carrying.auto
}

/// How the device was carried, for its path.
struct TrackArguments: ParsableArguments {
  @OptionGroup var carrying: CarryingArguments

  @Option(help: ArgumentHelp("The person's, for the length of steps.", valueName: "m"))
  var height = TrackOptions().height

  func validate() throws {
    if !(0.5...2.6).contains(height) {
      throw ValidationError("--height takes a person's height in metres, 0.5 to 2.6, not \(height)")
    }
  }

  var options: TrackOptions {
    var options = TrackOptions()
    (options.carrying, options.height) = (carrying.on, height)
    return options
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
    if !(0.001...60).contains(gap) { throw ValidationError("--gap takes 0.001 to 60 seconds, not \(gap)") }
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

extension AttitudeArguments {
  func apply(
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
  func apply(to options: inout FusionOptions) {
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
