internal import InertialFilters
public import InertialFusion
public import InertialLogs
public import InertialNumerics
public import InertialRecognition
internal import InertialRotations
internal import InertialSensors

/// What to make of a log.
public struct FusionOptions: Sendable, Encodable {
  /// A place on earth, for true north.
  public typealias Location = Place

  /// The filter's name; `FilterKind.all` lists them.
  public var filter = FilterKind.standard
  /// Filter parameters by name; the others keep their defaults.
  public var settings: [String: Double] = [:]
  /// The filter's offline form: every attitude from the whole recording.
  public var smooths = false
  /// Reference frame, choice of the field, start and limits.
  public var motion = DeviceMotionEstimator.Configuration()
  /// Whether a log without a magnetic field is refused where the frame uses one; false where nobody asked for the frame.
  package var frameNeedsField = true
  /// Where it was recorded, for true north; nil = the log's own first place.
  public var location: Location?
  /// Decimal year of the recording, for true north; nil = the log's own date, else the epoch of the newest magnetic model.
  public var date: Double?
  /// Rate of the output in Hz; nil = the gyroscope's own stamps.
  public var rate: Double?
  /// What to do where the gyroscope pauses; nil = no row is made up, and the attitude is held across.
  public var gaps: GapPolicy?
  /// The columns of the motion, in their order.
  public var columns = FusedColumn.standard
  /// Channels beside the motion sensors, whose columns come after `columns`; those of events get a file of their own.
  public var channels = ChannelSelection.none
  /// What is recognised beside the fusion, whose columns come after `columns`, and before those of channels.
  public var recognitions: [Recognition] = []
  /// Where the device is worn; `recognitions` with the posture need it.
  public var placement: PosturePlacement?
  /// How the path is found, where `recognitions` has it.
  public var track = TrackOptions()
  /// A sound file whose level is the channel `microphone`.
  package var sound: SoundSource?
  /// What the dataset is written as, all in one pass; empty = as the output's name says.
  public var formats: [DatasetFormat] = []
  /// Names in a dataset of BIDS.
  public var bids = BIDSEntities()
  /// What only the owner of the dataset knows, for formats that have a place for it.
  package var about: DatasetAbout?
  /// Whether a format without a place for them gets a file with the facts about the dataset, `OUTPUT.json`.
  public var writesMetadata = false
  /// Significant digits of the numbers written; nil = as many as it takes to read back the same number.
  public var digits: Int?
  /// Whether time begins at 0 in the dataset and its events: the first row's is taken off, and kept in the metadata.
  public var startsAtZero = false
  /// Whether the header of a CSV has the unit behind each name, `roll [rad]`; names alone are of numbers without one.
  public var writesUnits = false
  /// Whether a Parquet table has one column of lists for each vector, attitude and triple of angles; else one for each
  /// number.
  public var writesLists = false
  /// Overwrite an existing output.
  public var force = false
  /// Refuse a log with any bad or disordered sample.
  public var strict = false
  /// Estimate constant time offsets of the sensors against the gyroscope, by a pass of its own, and take them off.
  public var aligns = false
  /// What only the user can know about the log.
  public var log = LogOptions()

  /// Files beside the log that these options were read from, such as a calibration: no output replaces one.
  package var readFiles: [String] = []

  /// The defaults: the standard filter and columns, rows at the gyroscope's own times.
  public init() {}

  /// What decides a dataset: all but whether one that is there is overwritten, and the filter's settings, which
  /// `FusionRecipe` has with the parameters that keep their defaults.
  enum CodingKeys: CodingKey, CaseIterable {
    case filter, smooths, motion, frameNeedsField, location, date, rate, gaps, columns, channels, recognitions,
      placement,
      track,
      sound
    case formats, bids, about, writesMetadata, digits, startsAtZero, writesUnits, writesLists, strict, aligns, log
  }

  /// The longest time between two gyroscope samples that is no gap, seconds; default 0.5. Nothing is interpolated over
  /// more, and a filter that has a parameter `gapThreshold` gets it, unless `settings` says otherwise.
  public var gap: Double {
    get { motion.longestInterpolation }
    set { motion.longestInterpolation = newValue }
  }

  /// The filter's settings with what `gap` and the device's calibration ask for, where they say nothing else.
  package var filterSettings: [String: Double] {
    var asked = log.calibration?.filterSettings ?? [:]
    if gap != DeviceMotionEstimator.Configuration().longestInterpolation { asked["gapThreshold"] = gap }
    guard !asked.isEmpty, let kind = FilterKind.named(filter) else { return settings }
    let known = kind.values(settings, smoothing: smooths)
    return settings.merging(asked.filter { known[$0.key] != nil }) { said, _ in said }
  }

  /// Every parameter of the filter by name, defaults included; none of a filter that is not known.
  var parameters: [String: Double] { FilterKind.named(filter)?.values(filterSettings, smoothing: smooths) ?? [:] }

  /// The columns of the motion: those asked for, and the segment where gaps split the dataset.
  var motionColumns: [FusedColumn] {
    gaps == .split && !columns.contains(.segment) ? columns + [.segment] : columns
  }

  /// The columns of recognisers that come after the motion's; of one of which `columns` names some, those are enough.
  var recognisedColumns: [FusedColumn] {
    recognitions.flatMap { $0.columns.contains(where: columns.contains) ? [] : $0.columns }
  }

  /// What recognisers that are asked for have told, by their columns.
  func told(_ values: [Double]) -> [RecognisedValue] {
    zip(FusedColumn.recognised, values).filter { recognitions.contains($0.0.recognition!) }.map {
      RecognisedValue(column: $0.name, unit: $0.unit, value: $1.isNaN ? nil : $1)
    }
  }

  /// Whether a column is asked for that the filter fills with what it makes of its measurements.
  var wantsMeasurements: Bool { columns.contains { $0.measurement != nil } }

  /// - Throws: where a column is asked for that only a recogniser fills which is not, or of which the filter does not tell.
  func checkColumns() throws(FusionError) {
    if let kind = FilterKind.named(filter) { try kind.checkMeasurements(columns, smooths: smooths) }
    for column in columns {
      guard let recognition = column.recognition, !recognitions.contains(recognition) else { continue }
      throw .usage(
        "the column '\(column.name)' is of what --with \(recognition.rawValue) recognises; add that, or leave it out")
    }
  }

  /// - Throws: if a number is outside of its range.
  package func checkNumbers() throws(FusionError) {
    if let rate, !(1e-6...1e6).contains(rate) {
      throw .usage("--rate takes a number of Hz from 0.000001 to 1000000, not \(rate)")
    }
    if let digits, !(1...17).contains(digits) { throw .usage("--digits takes 1 to 17, not \(digits)") }
    if !(0.001...60).contains(gap) { throw .usage("--gap takes 0.001 to 60 seconds, not \(gap)") }
  }

  /// What a reader is asked for beside the motion: channels for the dataset, and what recognisers need.
  var wantedChannels: Set<AuxiliaryChannel> {
    recognitions.reduce(into: channels.wanted) { $0.formUnion($1.channels) }
  }

  /// Whether the dataset has a path.
  var hasTrack: Bool { recognitions.contains(.track) }

  /// The channels of a log's dataset.
  func channels(of log: LogDescription) -> [AuxiliaryChannel] { channels.channels(of: log.auxiliaryChannels) }

  /// The columns of a log's dataset, in their order.
  func columns(of log: LogDescription) -> [FusedColumn] {
    motionColumns + recognisedColumns + FusedColumn.carried(channels(of: log))
  }

  /// The estimator, with a declination where the frame needs one.
  func estimator(_ declination: MagneticDeclination?) throws(FusionError) -> DeviceMotionEstimator {
    var configuration = motion
    if let declination { configuration.declination = declination.angle }
    var estimator = try FilterKind.known(filter).estimator(filterSettings, configuration, smooths: smooths)
    if wantsMeasurements { estimator.reportMeasurements() }
    return estimator
  }

  /// Whether true north is asked for.
  var needsDeclination: Bool { motion.frame == .xTrueNorthZVertical }

  /// What is given goes before what the log says; nil where the frame needs none.
  ///
  /// - Parameters: as those of `MagneticDeclination.ofRecording`.
  /// - Throws: where the frame needs a declination and there is none.
  func declination(
    log: PlaceAndDate, path: String, reason: String = MagneticDeclination.unknownPlace
  ) throws(FusionError) -> MagneticDeclination? {
    guard needsDeclination else { return nil }
    return try .ofRecording(given: PlaceAndDate(place: location, year: date), log: log, path: path, reason: reason)
  }
}
