public import ArgumentParser
public import Inertial
internal import InertialCalibration
public import InertialFigures
internal import InertialSystem

/// The properties of a log that only the user can know.
struct LogArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The sample rate of a log without timestamps, in Hz.", valueName: "hz"))
  var sampleRate: Double?

  // A name may be '-'.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The names of the columns, separated by commas, for a CSV without a usable header; '-' skips a column.",
      valueName: "a,b,c"))
  var columns: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The value that a column must have, to select the rows of one of several devices; can be repeated.",
      valueName: "column=value"))
  var conditions: [RowCondition] = []

  @Option(
    help: "The unit of the acceleration: g, m/s2, mg, or counts of a register, such as 16384/g.")
  var accelerationUnit: LogOptions.AccelerationUnit?

  @Option(
    help:
      "The sign of the acceleration: gravity (Apple: down at rest) or specific-force (all others: up at rest)."
  )
  var accelerationSign: LogOptions.AccelerationSign?

  @Option(help: "The unit of the rotation rate: rad/s, deg/s, or counts of a register, such as 131/dps.")
  var rotationUnit: LogOptions.RotationUnit?

  @Option(
    help:
      "The unit of the magnetic field: \(LogOptions.FieldUnit.allCases.map(\.rawValue).joined(separator: ", ")).")
  var fieldUnit: LogOptions.FieldUnit?

  @Option(help: "The unit of the timestamps: s, ms, us, ns, min, h or d.")
  var timeUnit: LogOptions.TimeUnit?

  @Option(
    help: ArgumentHelp(
      "The vehicle or robot axes of the log: frd (forward, right, down: aerospace), flu (forward, left, up: ROS) or rfu (right, forward, up: Core Motion). They are converted to rfu, so that roll, pitch and, with --pointing +y, the heading are the vehicle's. Applied before --axes.",
      valueName: "frame"))
  var body: BodyFrame?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The device's x, y and z as axes of the log, for differently mounted sensors: '--axes -y,x,z' for all, '--axes gyroscope=x,y,-z' for one; can be repeated. Values that the device computed stay unchanged.",
      valueName: "[sensor=]x,y,z"))
  var axes: [SensorAxes] = []

  @Option(
    help: ArgumentHelp(
      "The device's calibration, written by 'inertial calibrate', applied to its samples first. The initialBiasSigma of filters is then 0.5 deg/s, unless --set overrides it.",
      valueName: "calibration.json"))
  var calibration: String?

  func validate() throws {
    var options = LogOptions()
    options.sampleRate = sampleRate
    try validated { try options.checkNumbers() }
  }

  /// The first of these options that was given, or `nil` if none was.
  var given: String? {
    firstGiven([
      "--sample-rate": sampleRate != nil, "--columns": columns != nil, "--acceleration-unit": accelerationUnit != nil,
      "--acceleration-sign": accelerationSign != nil, "--rotation-unit": rotationUnit != nil,
      "--field-unit": fieldUnit != nil, "--time-unit": timeUnit != nil, "--body": body != nil, "--axes": !axes.isEmpty,
      "--calibration": calibration != nil,
    ])
  }

  var options: LogOptions {
    get throws(FusionError) {
      var options = LogOptions()
      if let calibration { options.calibration = try DeviceCalibration(path: calibration).applied }
      options.sampleRate = sampleRate
      options.columns = columns.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
      options.conditions = conditions.isEmpty ? nil : conditions
      (options.accelerationUnit, options.accelerationSign) = (accelerationUnit, accelerationSign)
      (options.rotationUnit, options.fieldUnit, options.timeUnit) = (rotationUnit, fieldUnit, timeUnit)
      options.axes = (body.map { [.body($0)] } ?? []) + axes
      return options
    }
  }
}

/// Returns the first option that was given, or `nil` if none was.
///
/// - Parameter options: The options, and whether each was given.
func firstGiven(_ options: KeyValuePairs<String, Bool>) -> String? { options.first(where: \.value)?.key }

/// The help of the flag that makes a dataset begin at time 0.
let relativeTimeHelp = ArgumentHelp(
  "Write times relative to the first row; the metadata contain the first row's time as timeOrigin. Default: times as in the log."
)

/// The help of the flag that adds units to the header of a CSV.
let headerUnitsHelp = ArgumentHelp(
  "For csv: write the unit after each name in the header, such as 'roll [rad]'; inertial reads both forms.")

/// The options for a sound file that belongs to a log.
struct SoundArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The sound file recorded with the log, whose level becomes the channel microphone. WAV; with libsndfile also FLAC, Ogg Vorbis, Opus, MP3, AIFF and CAF.",
      valueName: "file"))
  var sound: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The start of the sound on the log's clock, in seconds. Default: the first motion sample of the log.",
      valueName: "s",
      visibility: .hidden))
  var soundStart: Double?

  @Option(
    help: ArgumentHelp("The frequency weighting of the sound level: z (none) or a (IEC 61672).", visibility: .hidden))
  var soundWeighting: FrequencyWeighting?

  @Option(
    help: ArgumentHelp(
      "The time weighting of the sound level: mean of 0.125 s, or fast (0.125 s) or slow (1 s) by IEC 61672.",
      visibility: .hidden))
  var soundTime: SoundLevelReader.TimeWeighting?

  func validate() throws {
    if let soundStart, !soundStart.isFinite { throw ValidationError("--sound-start takes a number of seconds") }
    let given = firstGiven([
      "--sound-start": soundStart != nil, "--sound-weighting": soundWeighting != nil, "--sound-time": soundTime != nil,
    ])
    if let given, sound == nil {
      throw ValidationError("\(given) applies to a sound file; add --sound FILE, or leave it out")
    }
  }

  var source: SoundSource? {
    sound.map {
      var source = SoundSource(path: $0, start: soundStart)
      source.frequencyWeighting = soundWeighting ?? .flat
      source.timeWeighting = soundTime ?? .mean
      return source
    }
  }
}

/// The place and date of the logs, for true north.
struct PlaceArguments: ParsableArguments {
  // Unconditional: the value may begin with a minus sign.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The latitude for true north, in degrees; south is negative. Default: the first position in the log.",
      valueName: "deg"))
  var latitude: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longitude for true north, in degrees; west is negative. Default: the first position in the log.",
      valueName: "deg"))
  var longitude: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The altitude above the ellipsoid for true north, in metres.", valueName: "m", visibility: .hidden))
  var altitude = 0.0

  @Option(
    help: ArgumentHelp(
      "The date of the recording for true north: 2024-05-17 or 2024.37. Default: the log's date, else, with a warning, the epoch of the newest magnetic model.",
      valueName: "date"))
  var date: String?

  func validate() throws {
    if (latitude == nil) != (longitude == nil) { throw ValidationError("--latitude and --longitude go together") }
  }

  func given() throws(FusionError) -> PlaceAndDate {
    var given = PlaceAndDate()
    if let latitude, let longitude { given.place = Place(latitude: latitude, longitude: longitude, altitude: altitude) }
    if let date {
      given.year = DecimalYear.parse(date)
      guard given.year != nil else {
        throw .usage("--date takes a day such as 2024-05-17 or a decimal year such as 2024.37, not '\(date)'")
      }
    }
    return given
  }
}

/// The names in a BIDS dataset, and the properties that only its owner knows.
struct BIDSArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The subject of a BIDS dataset. Default: from the input's name (sub-03), else 01.", valueName: "label"))
  var bidsSubject: String?

  @Option(
    help: ArgumentHelp(
      "The task of a BIDS dataset. Default: from the input's name (task-walk), else its letters and digits.",
      valueName: "label"))
  var bidsTask: String?

  @Option(help: ArgumentHelp("The tracking system of a BIDS dataset. Default: inertial.", valueName: "label"))
  var bidsTracksys: String?

  @Option(
    help: ArgumentHelp(
      "The descriptive metadata of the dataset, for BIDS and Croissant: a JSON object with any of name, authors, license, citation, date, version, url, sources, bids.",
      valueName: "about.json"))
  var about: String?

  func facts() throws(FusionError) -> DatasetAbout? {
    guard let about else { return nil }
    return try DatasetAbout(json: [UInt8](try contents(of: about)), name: about)
  }

  func entities() throws(FusionError) -> BIDSEntities {
    try BIDSEntities(subject: bidsSubject, task: bidsTask, trackingSystem: bidsTracksys)
  }
}

/// The options for filter parameters and the source of the field.
struct FilterArguments: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of all filters that have it, or of one with filter.name=value; can be repeated. 'inertial filters NAME' lists the parameters.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    help:
      "The magnetic field: automatic (calibrated by the device, else raw with online calibration), raw, or calibrated (unchanged)."
  )
  var field = DeviceMotionEstimator.Configuration.Field.automatic

  @Option(
    help: ArgumentHelp(
      "The sensor noise, written by 'inertial allan': sets gyroscopeNoise and accelerationNoise of filters that have them, unless --set overrides them.",
      valueName: "noise.json"))
  var noise: String?

  /// Returns the settings of --set and --noise.
  func parameterSettings() throws(FusionError) -> ParameterSettings {
    try ParameterSettings(words: settings, noise: noise)
  }
}

extension RowCondition: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension RelativeReference: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension LogOptions.AccelerationUnit: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension LogOptions.AccelerationSign: ExpressibleByArgument {}
extension LogOptions.RotationUnit: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension LogOptions.FieldUnit: ExpressibleByArgument {}
extension LogOptions.TimeUnit: ExpressibleByArgument {}
extension DeviceMotionEstimator.Configuration.Field: ExpressibleByArgument {}
extension Figure.Format: ExpressibleByArgument {}
extension PosturePlacement: ExpressibleByArgument {}
extension DatasetFormat: ExpressibleByArgument {
  public init?(argument: String) {
    guard let format = Self.ofSamples.first(where: { $0.rawValue == argument }) else { return nil }
    self = format
  }

  public static var allValueStrings: [String] { ofSamples.map(\.rawValue) }
}
extension BodyFrame: ExpressibleByArgument {
  public init?(argument: String) {
    guard let frame = Self.allCases.first(where: { $0.letters == argument }) else { return nil }
    self = frame
  }

  public static var allValueStrings: [String] { allCases.map(\.letters) }

  /// An empty list, as the help of the option explains the values.
  public static var allValueDescriptions: [String: String] { [:] }

  public var defaultValueDescription: String { letters }
}
extension SensorAxes: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension CarryMode: ExpressibleByArgument {}
extension GapPolicy: ExpressibleByArgument {}
extension FrequencyWeighting: ExpressibleByArgument {}
extension SoundLevelReader.TimeWeighting: ExpressibleByArgument {}
extension PointingAxis: ExpressibleByArgument {}
extension EarthFrame: ExpressibleByArgument {}
extension AlignmentMode: ExpressibleByArgument {}
extension RecordingGroups.Rule: ExpressibleByArgument {}
extension TuningObjective: ExpressibleByArgument {}
extension ParameterSearch.Method: ExpressibleByArgument {}

extension AttitudeReferenceFrame: ExpressibleByArgument {
  public init?(argument: String) { self.init(name: argument) }
  public static var allValueStrings: [String] { frames.map(\.name) }
  public var defaultValueDescription: String { name }
}

extension PathInterval: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
