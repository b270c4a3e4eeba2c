public import ArgumentParser
public import Inertial
internal import InertialCalibration
public import InertialFigures
internal import InertialSystem

/// What only the user can know about a log.
struct LogArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Rate in Hz of a log without a clock.", valueName: "hz"))
  var sampleRate: Double?

  // A name may be '-'.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Names of the columns, comma separated, for a CSV without a usable header; '-' skips one.",
      valueName: "a,b,c"))
  var columns: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only the rows of a table that have this value in a column, to choose one device among several; may be given again.",
      valueName: "column=value"))
  var conditions: [RowCondition] = []

  @Option(
    help: "Unit of the acceleration: g, m/s2, mg, or counts of a register, such as 16384/g.")
  var accelerationUnit: LogOptions.AccelerationUnit?

  @Option(
    help:
      "Sign of the acceleration: gravity (as on Apple: down at rest) or specific-force (all others: up at rest)."
  )
  var accelerationSign: LogOptions.AccelerationSign?

  @Option(help: "Unit of the rotation rate: rad/s, deg/s, or counts of a register, such as 131/dps.")
  var rotationUnit: LogOptions.RotationUnit?

  @Option(
    help:
      "Unit of the magnetic field: \(LogOptions.FieldUnit.allCases.map(\.rawValue).joined(separator: ", ")).")
  var fieldUnit: LogOptions.FieldUnit?

  @Option(help: "Unit of the time: s, ms, us, ns, min, h or d.")
  var timeUnit: LogOptions.TimeUnit?

  @Option(
    help: ArgumentHelp(
      "Axes of the vehicle or robot that the log has: frd (forward, right, down: aerospace), flu (forward, left, up: ROS) or rfu (right, forward, up: Core Motion's). They become rfu, so that roll, pitch and, with --pointing +y, the heading are the vehicle's. Done before --axes.",
      valueName: "frame"))
  var body: BodyFrame?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The device's x, y and z as axes of the log, for sensors that are mounted otherwise: '--axes -y,x,z' for all, '--axes gyroscope=x,y,-z' for one; may be given again. What the device computed itself is left as it is.",
      valueName: "[sensor=]x,y,z"))
  var axes: [SensorAxes] = []

  @Option(
    help: ArgumentHelp(
      "The device's calibration, as 'inertial calibrate' writes it; done to its samples before anything else. Filters that have an initialBiasSigma start from 0.5 deg/s, unless --set says otherwise.",
      valueName: "calibration.json"))
  var calibration: String?

  func validate() throws {
    if let sampleRate, !(sampleRate >= 1e-6 && sampleRate <= 1e6) {
      throw ValidationError("--sample-rate takes a number of Hz above 0 and up to 1000000, not \(sampleRate)")
    }
  }

  /// The first of these options that was given; nil if none was.
  var given: String? {
    let options: [(String, Bool)] = [
      ("--sample-rate", sampleRate != nil), ("--columns", columns != nil),
      ("--acceleration-unit", accelerationUnit != nil), ("--acceleration-sign", accelerationSign != nil),
      ("--rotation-unit", rotationUnit != nil), ("--field-unit", fieldUnit != nil), ("--time-unit", timeUnit != nil),
      ("--body", body != nil), ("--axes", !axes.isEmpty), ("--calibration", calibration != nil),
    ]
    return options.first(where: \.1)?.0
  }

  var options: LogOptions {
    get throws(FusionError) { try withCalibration() }
  }

  private func withCalibration() throws(FusionError) -> LogOptions {
    var options = LogOptions()
    if let calibration { options.calibration = try SettingsFile.calibration(calibration).applied }
    options.sampleRate = sampleRate
    options.columns = columns.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    options.conditions = conditions.isEmpty ? nil : conditions
    options.accelerationUnit = accelerationUnit
    options.accelerationSign = accelerationSign
    options.rotationUnit = rotationUnit
    options.timeUnit = timeUnit
    options.fieldUnit = fieldUnit
    options.axes = (body.map { [.body($0)] } ?? []) + axes
    return options
  }
}

/// The options of a dataset's time.
struct TimeArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Time from 0 on: that of the first row, which the metadata keep as timeOrigin, is taken off. Default: time as in the log."
    ))
  var relativeTime = false
}

/// The header of a CSV.
struct HeaderArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp("For csv: the unit behind each name in the header, such as 'roll [rad]'; read back as without."))
  var headerUnits = false
}

/// A sound file beside a log.
struct SoundArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A sound file recorded with the log: its level becomes the channel microphone. WAV; with libsndfile also FLAC, Ogg Vorbis, Opus, MP3, AIFF and CAF.",
      valueName: "file"))
  var sound: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time of the sound's beginning on the log's clock. Default: the log's first motion sample.", valueName: "s",
      visibility: .hidden))
  var soundStart: Double?

  @Option(
    help: ArgumentHelp("Frequency weighting of the sound level: z (none) or a (IEC 61672).", visibility: .hidden))
  var soundWeighting: FrequencyWeighting?

  @Option(
    help: ArgumentHelp(
      "Time weighting of the sound level: mean of 0.125 s, or fast (0.125 s) or slow (1 s) by IEC 61672.",
      visibility: .hidden))
  var soundTime: SoundLevelOptions.TimeWeighting?

  func validate() throws {
    if let soundStart, !soundStart.isFinite { throw ValidationError("--sound-start takes a number of seconds") }
    let given =
      soundStart != nil
      ? "--sound-start" : soundWeighting != nil ? "--sound-weighting" : soundTime.map { _ in "--sound-time" }
    if let given, sound == nil {
      throw ValidationError("\(given) is of a sound file; add --sound FILE, or leave it out")
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

/// Where and when logs were recorded, for true north.
struct PlaceArguments: ParsableArguments {
  // Unconditional: the value may begin with a minus sign.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Degrees north, for true north; south is negative. Default: the log's own first place.", valueName: "deg"))
  var latitude: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Degrees east, for true north; west is negative. Default: the log's own first place.", valueName: "deg"))
  var longitude: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Metres above the ellipsoid, for true north.", valueName: "m", visibility: .hidden))
  var altitude = 0.0

  @Option(
    help: ArgumentHelp(
      "Date of the recording, for true north: 2024-05-17 or 2024.37. Default: the log's own, else, with a warning, the epoch of the newest magnetic model.",
      valueName: "date"))
  var date: String?

  func validate() throws {
    if (latitude == nil) != (longitude == nil) {
      throw ValidationError("--latitude and --longitude go together")
    }
  }

  func given() throws(FusionError) -> PlaceAndDate {
    var given = PlaceAndDate()
    if let latitude, let longitude {
      given.place = Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }
    if let date {
      given.year = DecimalYear.parse(date)
      guard given.year != nil else {
        throw .usage("--date takes a day such as 2024-05-17 or a decimal year such as 2024.37, not '\(date)'")
      }
    }
    return given
  }
}

/// Names in a dataset of BIDS, and what only the dataset's owner knows.
struct BIDSArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Subject of a BIDS dataset. Default: as in the input's name (sub-03), else 01.", valueName: "label"))
  var bidsSubject: String?

  @Option(
    help: ArgumentHelp(
      "Task of a BIDS dataset. Default: as in the input's name (task-walk), else its letters and digits.",
      valueName: "label"))
  var bidsTask: String?

  @Option(help: ArgumentHelp("Tracking system of a BIDS dataset. Default: inertial.", valueName: "label"))
  var bidsTracksys: String?

  @Option(
    help: ArgumentHelp(
      "What only the owner of a dataset knows, for BIDS and Croissant: an object of JSON with any of name, authors, license, citation, date, version, url, sources, bids.",
      valueName: "about.json"))
  var about: String?

  func facts() throws(FusionError) -> DatasetAbout? {
    guard let about else { return nil }
    return try DatasetAbout(json: try SettingsFile.bytes(about), name: about)
  }

  func entities() throws(FusionError) -> BIDSEntities {
    try BIDSEntities(subject: bidsSubject, task: bidsTask, trackingSystem: bidsTracksys)
  }
}

/// Filter parameters and the field's source.
struct FilterArguments: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the filter; may be given again. With several filters it is for those that have it, and filter.name=value for one. 'inertial filters NAME' lists them.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    help:
      "Magnetic field: automatic (the device's calibrated one, else raw with online calibration), raw, or calibrated (as it is)."
  )
  var field = DeviceMotionEstimator.Configuration.Field.automatic

  @Option(
    help: ArgumentHelp(
      "The noise of the device's sensors, as 'inertial allan' writes it: gyroscopeNoise and accelerationNoise of filters that have them, unless --set says otherwise.",
      valueName: "noise.json"))
  var noise: String?

  /// What --set and --noise say.
  func parameterSettings() throws(FusionError) -> ParameterSettings {
    var parameters = try ParameterSettings(words: settings)
    if let noise { parameters.expected = try SettingsFile.noise(noise).filterSettings }
    return parameters
  }
}

/// The parts of `a,b, c`, without the blanks around them.
func commaSeparated(_ text: String) -> [String] {
  text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed { $0 == " " || $0 == "\t" } }
}

extension RowCondition: ExpressibleByArgument {
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
extension ConversionFormat: ExpressibleByArgument {}
extension Figure.Format: ExpressibleByArgument {}
extension PosturePlacement: ExpressibleByArgument {}
extension BodyFrame: ExpressibleByArgument {
  public init?(argument: String) {
    guard let frame = Self.allCases.first(where: { $0.letters == argument }) else { return nil }
    self = frame
  }

  public static var allValueStrings: [String] { allCases.map(\.letters) }

  public var defaultValueDescription: String { letters }
}
extension SensorAxes: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension Carrying: ExpressibleByArgument {}
extension GapPolicy: ExpressibleByArgument {}
extension FrequencyWeighting: ExpressibleByArgument {}
extension SoundLevelOptions.TimeWeighting: ExpressibleByArgument {}
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
  public init?(argument: String) {
    guard let unit = argument.last, let value = Double(argument.dropLast()), value > 0, value.isFinite else {
      return nil
    }
    switch unit {
    case "s": self = .time(value)
    case "m": self = .distance(value)
    default: return nil
    }
  }
}
