import InertialLogs
import Testing

@testable import InertialJobs

@Suite("Recipe of a dataset") struct FusionRecipeTests {
  /// A change of each property of the options, by the property's name.
  private static let changes: [(name: String, change: @Sendable (inout FusionOptions) -> Void)] = [
    ("filter", { $0.filter = "mahony" }), ("settings", { $0.settings = ["accelerationTimeConstant": 2.5] }),
    ("smooths", { ($0.filter, $0.smooths) = ("vqf", true) }),
    ("isCausal", { ($0.recognitions, $0.isCausal) = ([.steps], true) }),
    ("frameNeedsField", { $0.frameNeedsField = false }),
    ("location", { $0.location = Place(latitude: 47, longitude: 8) }), ("date", { $0.date = 2025.5 }),
    ("rate", { $0.rate = 40 }), ("gaps", { $0.gaps = .split }),
    ("columns", { $0.columns = Array(FusedColumn.standard.prefix(5)) }), ("channels", { $0.channels = .all }),
    ("relativeTo", { $0.relativeTo = .time(0.5) }),
    ("recognitions", { $0.recognitions = [.steps] }), ("sound", { $0.sound = SoundSource(path: "sound.wav") }),
    ("formats", { $0.formats = [.csv] }), ("bids", { $0.bids.subject = "03" }),
    ("about", { $0.about = try? DatasetAbout(json: Array("{\"license\": \"CC0\"}".utf8), name: "about") }),
    ("writesMetadata", { $0.writesMetadata = true }), ("digits", { $0.digits = 6 }),
    ("startsAtZero", { $0.startsAtZero = true }), ("writesUnits", { $0.writesUnits = true }),
    ("writesLists", { $0.writesLists = true }), ("strict", { $0.strict = true }), ("aligns", { $0.aligns = true }),
    ("motion.frame", { $0.motion.frame = .xMagneticNorthZVertical }), ("motion.field", { $0.motion.field = .raw }),
    ("motion.start", { $0.motion.start = .immediate }),
    ("motion.pointingAxis", { $0.motion.pointingAxis = .negativeZ }),
    ("motion.declination", { $0.motion.declination = 0.1 }),
    ("motion.leastFieldAccuracy", { $0.motion.minimumFieldAccuracy = .high }),
    ("motion.usesPlausibleRawField", { $0.motion.usesPlausibleRawField = false }),
    ("motion.longestInterpolation", { $0.gap = 1 }), ("motion.limits", { $0.motion.limits.acceleration = 30 }),
    ("log.accelerationUnit", { $0.log.accelerationUnit = .g }),
    ("log.accelerationSign", { $0.log.accelerationSign = .gravity }),
    ("log.rotationUnit", { $0.log.rotationUnit = .radiansPerSecond }),
    ("log.fieldUnit", { $0.log.fieldUnit = .microtesla }), ("log.timeUnit", { $0.log.timeUnit = .seconds }),
    ("log.columns", { $0.log.columns = ["time", "-"] }), ("log.sampleRate", { $0.log.sampleRate = 100 }),
    (
      "log.calibration",
      { $0.log.calibration = with(SensorCalibration()) { $0.gyroscope = LinearModel(bias: Vector3(0.01, 0, 0)) } }
    ),
    ("placement", { $0.placement = .thigh }), ("track", { $0.track.carrying = .foot }),
    ("log.conditions", { $0.log.conditions = [RowCondition("device=left")!] }),
    ("log.axes", { $0.log.axes = [SensorAxes("magnetometer=y,x,-z")!] }),
  ]

  /// The changes that the CSV log and the CSV dataset of the tests do not support.
  private static let unsupported: Set = [
    "sound", "bids", "writesLists", "log.accelerationUnit", "log.accelerationSign", "log.rotationUnit", "log.fieldUnit",
    "log.timeUnit", "log.columns", "log.sampleRate", "log.conditions",
  ]

  /// The keys of properties that a recipe saves by another name.
  private static let keys = [
    "minimumFieldAccuracy": "leastFieldAccuracy", "maximumInterpolationInterval": "longestInterpolation",
  ]

  private static func options(_ change: (inout FusionOptions) -> Void = { _ in }) -> FusionOptions {
    var options = FusionOptions()
    (options.filter, options.force) = ("complementary", true)
    change(&options)
    return options
  }

  @Test("the options of a recipe are a request for the same options")
  func decoding() throws {
    for (name, change) in Self.changes {
      var options = Self.options(change)
      // Without these, the placement and the path have no effect, and a sound has its own channel.
      if name == "placement" { options.recognitions = [.posture] }
      if name == "track" { options.recognitions = [.track] }
      if name == "sound" { options.channels = .only([.microphone]) }
      let decoded = try JSONDecoder().decode(FusionOptions.self, from: FusionManifest.encoder.encode(options))
      #expect(JSONValue(encoding: decoded).leaves() == JSONValue(encoding: options).leaves(), "\(name)")
    }
  }

  @Test("a recipe contains every option that affects a dataset")
  func completeness() {
    func names(_ value: Any, _ prefix: String = "") -> [String] {
      Mirror(reflecting: value).children.compactMap { $0.label.map { prefix + (Self.keys[$0] ?? $0) } }
    }
    let options = FusionOptions()
    let all =
      names(options).filter { $0 != "motion" && $0 != "log" } + names(options.motion, "motion.")
      + names(options.log, "log.")
    // These options do not affect a dataset: overwriting, the reader's channels (which follow from other options), the
    // paths of option files (only their content counts), and the registry, the memory and the stop flag of a calling
    // program.
    let others: Set = ["force", "readFiles", "filterRegistry", "log.auxiliary", "log.held", "log.stop"]
    #expect(Set(all).subtracting(others) == Set(Self.changes.map(\.name)))
  }

  @Test("a changed option changes the recipe, and the difference has its name and both values")
  func differences() {
    let usual = JSONValue(recipe: Self.options())
    for change in Self.changes {
      let differences = JSONValue(recipe: Self.options(change.change)).differences(from: usual)
      let name = change.name == "settings" ? "parameters.accelerationTimeConstant" : change.name
      #expect(differences.contains { $0.hasPrefix(name) }, "\(change.name): \(differences)")
    }
    #expect(JSONValue(recipe: Self.options()).differences(from: usual).isEmpty)
    let gaps = JSONValue(recipe: Self.options { $0.gaps = .nan })
    #expect(usual.differences(from: gaps) == ["gaps (then not given, now nan)"])
  }

  @Test("a recipe states the number of digits, even if no option sets it")
  func digits() {
    #expect(JSONValue(recipe: FusionOptions()).text.contains(#/"digits" ?: ?9\b/#))
    #expect(JSONValue(recipe: Self.options { $0.digits = 17 }).text.contains(#/"digits" ?: ?17\b/#))
  }

  @Test("a saved recipe is the same after reading, and recipes of other versions can be read")
  func saved() throws {
    var options = Self.options()
    for change in Self.changes where change.name != "filter" && change.name != "smooths" { change.change(&options) }
    options.motion.limits.rotationRate = .infinity
    let recipe = JSONValue(recipe: options)
    let data = try FusionManifest.encoder.encode(recipe)
    let read = try FusionManifest.decoder.decode(JSONValue.self, from: data)
    #expect(read.differences(from: recipe).isEmpty)
    #expect(String(decoding: data, as: UTF8.self).contains("\"frame\":\"xMagneticNorthZVertical\""))
    let old = #"{"tool": "inertial 0.7.0", "filter": "complementary", "log": {}, "isStrict": false, "digits": null}"#
    let former = try FusionManifest.decoder.decode(JSONValue.self, from: Data(old.utf8))
    #expect(former.differences(from: recipe).contains { $0.hasPrefix("tool ") })
  }

  @Test("a resumed batch creates its dataset again after an option change, and keeps it the next time")
  func resume() throws {
    let (folder, output) = (TemporaryFolder(), TemporaryFolder())
    let log = folder.path("log.csv")
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 6, seed: 5), sensors: .phone, duration: 6, seed: 5)
    try RawLogWriter.write(Array(simulation), to: log)
    func isKept(_ options: FusionOptions) throws -> Bool {
      let job = FusionJob(input: log, output: output.path("log.csv"), options: options)
      var batch = FusionBatch(jobs: [job], workerCount: 1)
      try batch.keepManifest(in: output.path, isResuming: true)
      var isKept = false
      try batch.run { _, outcome in
        do throws(FusionError) { isKept = try outcome.get() == nil } catch { Issue.record("\(error)") }
      }
      return isKept
    }
    #expect(try !isKept(Self.options()))
    for change in Self.changes where !Self.unsupported.contains(change.name) {
      let options = Self.options(change.change)
      #expect(try !isKept(options) && isKept(options), "\(change.name)")
    }
  }
}
