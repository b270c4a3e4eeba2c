internal import InertialLogs
internal import InertialRecognition

// The jobs that a request's object contains. Each initializer throws FusionError if a member is unknown, has an invalid
// value or has no effect.

extension ShakeJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    if let names = try request.names("detectors") { detectors = ShakeDetectorKind.names(names) }
    settings = try ParameterSettings(&request)
    try set(sensitivity: request.number("sensitivity"))
    gestures.maximumDuration = try request.number("maximumDuration")
    try Self.checkDuration(gestures.maximumDuration)
    if try request.flag("isContinuous") == true { gestures.isOneShot = false }
    try request.finish()
  }
}

extension ActivityJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    isLive = try request.flag("isLive") ?? isLive
    placement = try request.choice("placement")
    if let path = try request.text("model") { model = try ActivityModel(path: path) }
    try request.finish()
  }
}

extension StepsJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    pedometer.height = try request.number("height") ?? pedometer.height
    try TrackOptions.checkHeight(pedometer.height)
    try request.finish()
  }
}

extension AltitudeJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    rows = try Rows(rate: request.number("rate"), isAll: request.flag("all") ?? false)
    isCausal = try request.flag("isCausal") ?? isCausal
    vertical.barometerLag = try request.number("barometerLag")
    floors.floorHeight = try request.number("floorHeight") ?? floors.floorHeight
    try request.finish()
    try check()
  }
}
