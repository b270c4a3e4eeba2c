public import InertialFilters
public import InertialFusion
public import InertialLogs
public import InertialNumerics
public import InertialRecognition
internal import InertialRotations
internal import InertialSensors

/// The options of the fusion of a log.
public struct FusionOptions: Sendable, Encodable {
  /// A place on earth, for true north.
  public typealias Location = Place

  /// The name of the filter in `filterRegistry`.
  public var filter = FilterKind.standard.name
  /// The filters that can be named: the built-in ones, and those that a program adds.
  public var filterRegistry = FilterKind.all
  /// The filter parameters by name; other parameters keep their defaults.
  public var settings: [String: Double] = [:]
  /// Whether the filter's offline form is used, which estimates every attitude from the whole recording.
  public var smooths = false
  /// Whether recognised values and the path use earlier samples only, as in a stream, instead of the whole log.
  public var isCausal = false
  /// The reference frame, the choice of the field, the initial state and the limits.
  public var motion = DeviceMotionEstimator.Configuration()
  /// Whether a log without a magnetic field is rejected if the frame uses the field; `false` for a default frame.
  package var frameNeedsField = true
  /// The location of the recording, for true north, or `nil` for the first place in the log.
  public var location: Location?
  /// The decimal year of the recording, for true north, or `nil` for the log's date. A log without a date uses the
  /// epoch of the newest magnetic model.
  public var date: Double?
  /// The output rate in Hz, or `nil` for the gyroscope's own timestamps.
  public var rate: Double?
  /// The policy for gaps of the gyroscope, or `nil` to add no rows and to hold the attitude across gaps.
  public var gaps: GapPolicy?
  /// The columns of the motion, in order.
  public var columns = FusedColumn.standard
  /// The row whose attitude is the reference of the columns of the relative attitude, which follow `columns`; `nil` for
  /// no such columns. If `columns` contains one of them, the default is the first row.
  public var relativeTo: RelativeReference?
  /// The channels other than motion sensors, whose columns follow all others. Event channels are written to a separate
  /// file.
  public var channels = ChannelSelection.none
  /// The recognisers to run in addition to the fusion. Their columns follow `columns` and precede those of channels.
  public var recognitions: [Recognition] = []
  /// The body part on which the device is worn, required to recognise the posture.
  public var placement: PosturePlacement?
  /// The options of the path, used if `recognitions` contains it.
  public var track = TrackOptions()
  /// The sound file whose level is the channel `microphone`.
  package var sound: SoundSource?
  /// The output formats, all written in one pass; empty for the format of the output's extension.
  public var formats: [DatasetFormat] = []
  /// The names in a BIDS dataset.
  public var bids = BIDSEntities()
  /// Facts that only the owner of the dataset knows, for formats that store them.
  package var about: DatasetAbout?
  /// Whether formats that cannot contain metadata get a separate metadata file, `OUTPUT.json`.
  public var writesMetadata = false
  /// The number of significant digits of text, 1 to 17. Default: 9, which is more than a sensor resolves. 17 stands for
  /// as many as needed to read back the same number. Times, latitudes and longitudes always have those.
  public var digits = Self.defaultDigits
  package static let defaultDigits = 9
  /// Whether time begins at 0 in the dataset and its events. The metadata contains the subtracted time of the first
  /// row.
  public var startsAtZero = false
  /// Whether a CSV header contains the unit after each name, as in `roll [rad]`; dimensionless columns have only a
  /// name.
  public var writesUnits = false
  /// Whether a Parquet table has one list column for each vector, attitude and triple of angles instead of one column
  /// for each number.
  public var writesLists = false
  /// Whether an existing output is overwritten.
  public var force = false
  /// Whether a log with any bad or disordered sample is rejected.
  public var strict = false
  /// Whether constant time offsets of the sensors to the gyroscope are estimated, in a separate pass, and compensated.
  public var aligns = false
  /// Properties of the log that only the user knows.
  public var log = LogOptions()

  /// Additional files that these options were read from, such as a calibration. No output replaces them.
  package var readFiles: [String] = []

  /// Creates the default options: the standard filter and columns, with rows at the gyroscope's own times.
  public init() {}

  /// The properties that determine a dataset. `force` is omitted, and so are the filter's settings: the recipe
  /// contains them together with the default parameters.
  enum CodingKeys: CodingKey, CaseIterable {
    case filter, smooths, isCausal, motion, frameNeedsField, location, date, rate, gaps, columns, relativeTo, channels,
      recognitions, placement, track, sound
    case formats, bids, about, writesMetadata, digits, startsAtZero, writesUnits, writesLists, strict, aligns, log
  }

  /// The maximum time between two gyroscope samples without a gap, in seconds. Default: 0.5. Gaps are not interpolated.
  /// A filter with a parameter `gapThreshold` uses this value, unless `settings` contains the parameter.
  public var gap: Double {
    get { motion.maximumInterpolationInterval }
    set { motion.maximumInterpolationInterval = newValue }
  }

  /// The filter's settings, completed by those from `gap` and from the device's calibration.
  package var filterSettings: [String: Double] {
    var derived = log.calibration?.filterSettings ?? [:]
    if gap != DeviceMotionEstimator.Configuration().maximumInterpolationInterval { derived["gapThreshold"] = gap }
    guard !derived.isEmpty, let kind = filterRegistry[filter] else { return settings }
    let known = Set(kind.parameters.map(\.name))
    return settings.merging(derived.filter { known.contains($0.key) }) { explicit, _ in explicit }
  }

  /// All parameters of the filter by name, including defaults; empty for a filter or settings that the job rejects.
  var parameters: [String: Double] { (try? filterRegistry[filter]?.values(filterSettings)) ?? [:] }

  /// Selects a filter with its settings.
  package mutating func use(_ filter: ConfiguredFilter) {
    filterRegistry = filterRegistry.adding(filter.kind)
    (self.filter, settings) = (filter.kind.name, filter.settings)
  }

  /// The requested columns of the motion, the segment if gaps split the dataset, and the relative attitude.
  var motionColumns: [FusedColumn] {
    let addsRelative = relativeTo != nil && !columns.contains(where: FusedColumn.relative.contains)
    return columns + (gaps == .split && !columns.contains(.segment) ? [.segment] : [])
      + (addsRelative ? FusedColumn.relative : [])
  }

  /// The relative attitude to compute, or `nil` if no column needs it.
  var relativeAttitudes: RelativeAttitudes? {
    relativeTo.map(RelativeAttitudes.init)
      ?? (columns.contains(where: FusedColumn.relative.contains) ? RelativeAttitudes(.first) : nil)
  }

  /// The columns of recognisers that follow the motion's; without recognisers for which `columns` contains a column.
  var recognisedColumns: [FusedColumn] {
    recognitions.flatMap { $0.columns.contains(where: columns.contains) ? [] : $0.columns }
  }

  /// Returns the values of the requested recognisers, by column.
  func requestedValues(_ values: [Double]) -> [(column: String, unit: String, value: Double?)] {
    zip(FusedColumn.recognised, values).filter { recognitions.contains($0.0.recognition!) }.map {
      ($0.name, $0.unit, $1.isNaN ? nil : $1)
    }
  }

  /// Whether a column of the filter's measurement outcomes is requested.
  var wantsMeasurements: Bool { columns.contains { $0.measurement != nil } }

  /// Whether the filter reports its measurement outcomes: for their columns, and for trust if it can.
  private var reportsMeasurements: Bool {
    wantsMeasurements || columns.contains(where: FusedColumn.trust.contains)
  }

  /// - Throws: ``FusionError`` if a column needs a recogniser or a measurement that is not available.
  func checkColumns() throws(FusionError) {
    try filterRegistry.requested(filter).checkMeasurements(columns, smooths: smooths)
    for column in columns {
      guard let recognition = column.recognition, !recognitions.contains(recognition) else { continue }
      throw .usage(
        "the column '\(column.name)' needs --with \(recognition.rawValue); add the option, or omit the column")
    }
  }

  /// - Throws: ``FusionError`` if an option has no effect because a recogniser is not requested.
  package func checkUse() throws(FusionError) {
    if track != TrackOptions(), !hasTrack {
      let option = track.carrying != .auto ? "--on" : track.without.isEmpty ? "--height" : "--without"
      throw .usage("\(option) applies to the path; add --with track, or leave it out")
    }
    if isCausal, recognitions.isEmpty {
      throw .usage("--online applies to recognisers and paths; add --with, or leave it out")
    }
    if placement != nil, !recognitions.contains(.posture) {
      throw .usage("--placement applies to the posture; add --with posture, or leave it out")
    }
  }

  /// - Throws: ``FusionError`` if a number is outside its range.
  package func checkNumbers() throws(FusionError) {
    if let rate, !(1e-6...1e6).contains(rate) {
      throw .usage("--rate takes a number of Hz from 0.000001 to 1000000, not \(rate)")
    }
    if !(1...17).contains(digits) { throw .usage("--digits takes 1 to 17, not \(digits)") }
    try TrackOptions.checkHeight(track.height, "--person-height")
    if !(0.001...60).contains(gap) { throw .usage("--gap takes 0.001 to 60 seconds, not \(gap)") }
  }

  /// The channels to read in addition to the motion: those of the dataset and those that recognisers need.
  var wantedChannels: Set<AuxiliaryChannel> { recognitions.reduce(into: channels.wanted) { $0.formUnion($1.channels) } }

  /// Whether the dataset has a path.
  var hasTrack: Bool { recognitions.contains(.track) }

  /// The local frame at the path's start, if a location is specified.
  package var start: LocalFrame? {
    location.map { LocalFrame(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude) }
  }

  /// Returns the channels of a log's dataset.
  func channels(of log: LogDescription) -> [AuxiliaryChannel] { channels.channels(of: log.auxiliaryChannels) }

  /// Returns the columns of a log's dataset, in order.
  func columns(of log: LogDescription) -> [FusedColumn] {
    motionColumns + recognisedColumns + FusedColumn.carried(channels(of: log))
  }

  /// Returns the estimator, with a declination if the frame needs one.
  func estimator(_ declination: MagneticDeclination?) throws(FusionError) -> DeviceMotionEstimator {
    var configuration = motion
    if let declination { configuration.declination = declination.angle }
    var estimator = try filterRegistry.requested(filter).estimator(filterSettings, configuration, smooths: smooths)
    if reportsMeasurements { estimator.reportMeasurements() }
    return estimator
  }

  /// Whether the frame uses true north.
  var needsDeclination: Bool { motion.frame == .xTrueNorthZVertical }

  /// Returns the declination, or `nil` if the frame needs none. The options take precedence over the log.
  ///
  /// - Parameters: See `MagneticDeclination.ofRecording`.
  /// - Throws: ``FusionError`` if the frame needs a declination that cannot be determined.
  func declination(
    log: PlaceAndDate, path: String, reason: String = MagneticDeclination.unknownPlace
  ) throws(FusionError) -> MagneticDeclination? {
    guard needsDeclination else { return nil }
    return try .ofRecording(given: PlaceAndDate(place: location, year: date), log: log, path: path, reason: reason)
  }
}
