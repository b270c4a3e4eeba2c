internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialRotations
internal import InertialSensors

extension FusionOptions: Decodable {
  /// Decodes options; missing members have the command's defaults.
  ///
  /// - Throws: ``FusionError`` if a member is unknown or has an invalid value.
  public init(from decoder: any Decoder) throws { try self.init(RequestObject(JSONValue(from: decoder))) }

  /// Creates the options that an object of a request contains.
  ///
  /// In addition to the encoded members, `settings` are the parameters of the filter, `noise` is the path of a file of
  /// `inertial allan`, `force` overwrites an output, and `about` may be the path of a file.
  ///
  /// - Throws: ``FusionError`` if a member is unknown, has an invalid value or has no effect.
  init(_ request: RequestObject?) throws(FusionError) {
    self.init()
    (motion.frame, frameNeedsField) = (.commandDefault, false)
    guard var request else { return }
    filter = try request.text("filter") ?? filter
    smooths = try request.flag("smooths") ?? smooths
    isCausal = try request.flag("isCausal") ?? isCausal
    let motion = try request.object("motion")
    frameNeedsField = try request.flag("frameNeedsField") ?? motion?.has("frame") ?? frameNeedsField
    self.motion = try motion?.decoded(over: self.motion) ?? self.motion
    (location, date) = (try request.place("location"), try request.year("date"))
    rate = try request.number("rate")
    gaps = try request.choice("gaps")
    if let names = try request.names("channels") { channels = try ChannelSelection(names: names) }
    if let names = try request.names("recognitions"), !names.isEmpty { recognitions = try Recognition.list(names) }
    placement = try request.choice("placement")
    track = try request.object("track")?.decoded(over: track) ?? track
    try TrackOptions.checkHeight(track.height)
    try checkUse()
    if let names = try request.names("columns") {
      columns = try FusedColumn.named(names, ofFilter: filterRegistry.requested(filter), smooths: smooths)
    }
    relativeTo = try request.relativeReference("relativeTo")
    sound = try request.sound("sound")
    if sound != nil, case .only(let channels) = channels { self.channels = .only(channels.union([.microphone])) }
    let parameters = try ParameterSettings(&request)
    if let path = parameters.noisePath { readFiles.append(path) }
    settings = try parameters.resolved(for: [filterRegistry.requested(filter)], of: filterRegistry)[0]
    let log = try request.object("log")
    if case .text(let path)? = log?.members["calibration"] { readFiles.append(path) }
    self.log = try LogOptions(log)
    switch request.take("about") {
    case nil: break
    case .text(let path)?:
      about = try DatasetAbout(json: [UInt8](try contents(of: path)), name: path)
      readFiles.append(path)
    case let value?: about = try DatasetAbout(json: Array(value.text.utf8), name: "about")
    }
    if var names = try request.object("bids") {
      bids = try BIDSEntities(
        subject: names.text("subject"), task: names.text("task"), trackingSystem: names.text("trackingSystem"))
      try names.finish()
    }
    writesMetadata = try request.flag("writesMetadata") ?? false
    startsAtZero = try request.flag("startsAtZero") ?? false
    strict = try request.flag("strict") ?? false
    aligns = try request.flag("aligns") ?? false
    try setFiles(&request)
    try request.finish()
  }

  /// Sets the options of files that a request's object contains, and checks all numbers.
  mutating func setFiles(_ request: inout RequestObject) throws(FusionError) {
    if let names = try request.names("formats"), !names.isEmpty {
      formats = try DatasetFormat.list(names.joined(separator: ","))
    }
    digits = try request.integer("digits") ?? digits
    writesUnits = try request.flag("writesUnits") ?? false
    writesLists = try request.flag("writesLists") ?? false
    force = try request.flag("force") ?? false
    try checkNumbers()
  }

  /// - Throws: ``FusionError`` if an option applies only to files.
  func checkNoFiles() throws(FusionError) {
    let given: KeyValuePairs = [
      "formats": !formats.isEmpty, "digits": digits != FusionOptions.defaultDigits, "force": force,
      "writesLists": writesLists, "writesMetadata": writesMetadata, "writesUnits": writesUnits,
    ]
    guard let name = given.first(where: \.value)?.key else { return }
    throw .usage("'\(name)' applies to a file, but these rows stay in memory; pass it when the rows are written")
  }
}

extension RequestObject {
  /// Returns the reference of the relative attitude: "first", or a number of seconds.
  mutating func relativeReference(_ name: String) throws(FusionError) -> RelativeReference? {
    switch take(name) {
    case nil: return nil
    case .number(let time)? where time.isFinite: return .time(time)
    case .text(let text)?:
      if let reference = RelativeReference(text) { return reference }
      fallthrough
    default: throw invalid(name, takes: "first or a number of seconds")
    }
  }

  /// Returns the sound file of an object with `path`, and optionally `start`, `frequencyWeighting` and `timeWeighting`.
  mutating func sound(_ name: String) throws(FusionError) -> SoundSource? {
    guard var object = try object(name) else { return nil }
    guard let path = try object.text("path") else { throw invalid(name, takes: "the path of a sound file") }
    var sound = SoundSource(path: path, start: try object.number("start"))
    if let start = sound.start, !start.isFinite { throw object.invalid("start", takes: "a finite number of seconds") }
    sound.frequencyWeighting = try object.choice("frequencyWeighting") ?? sound.frequencyWeighting
    sound.timeWeighting = try object.choice("timeWeighting") ?? sound.timeWeighting
    try object.finish()
    return sound
  }
}
