internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import MotionLogs
internal import Rotations

/// All that decides a dataset's numbers beside the log: two datasets of one log and one recipe are the same.
public struct FusionRecipe: Sendable, Codable {
  public var tool: String
  public var filter: String
  /// "online" or "offline".
  public var form: String
  /// Every parameter of the filter, defaults included.
  public var parameters: [String: Double]
  public var frame: String
  public var magneticField: String
  public var headingOf: String
  /// Degrees north, degrees east, metres; where they were given.
  public var location: [Double]?
  public var decimalYear: Double?
  /// Hz; nil = the gyroscope's own stamps.
  public var outputRate: Double?
  /// Their names, comma separated; nil = as the outputs' names say.
  public var format: String?
  /// Names in a dataset of BIDS, where any is given.
  public var bids: String?
  public var columns: [String]
  /// Significant digits; nil = exact.
  public var digits: Int?
  public var isStrict: Bool
  /// What was said of the logs, by option.
  public var log: [String: String]

  public init(_ options: FusionOptions) {
    tool = "inertial \(ToolVersion.current)"
    filter = options.filter
    form = options.smooths ? "offline" : "online"
    parameters = FilterKind.named(options.filter)?.values(options.settings, smoothing: options.smooths) ?? [:]
    frame = options.motion.frame.name
    magneticField = options.motion.field.rawValue
    headingOf = options.motion.pointingAxis.rawValue
    location = options.location.map { [$0.latitude, $0.longitude, $0.altitude] }
    decimalYear = options.date
    outputRate = options.rate
    format = options.formats.isEmpty ? nil : options.formats.map(\.rawValue).joined(separator: ",")
    bids = options.bids.given
    columns = options.columns.map(\.name)
    digits = options.digits
    isStrict = options.strict
    log = Self.said(of: options.log)
  }

  /// What was said of a log, by option.
  static func said(of options: LogOptions) -> [String: String] {
    var log: [String: String] = [:]
    log["accelerationUnit"] = options.accelerationUnit?.rawValue
    log["accelerationSign"] = options.accelerationSign?.rawValue
    log["rotationUnit"] = options.rotationUnit?.rawValue
    log["fieldUnit"] = options.fieldUnit?.rawValue
    log["timeUnit"] = options.timeUnit?.rawValue
    log["columns"] = options.columns?.joined(separator: ",")
    log["sampleRate"] = options.sampleRate.map { "\($0)" }
    return log
  }

  /// The names of what two recipes differ in; empty where they are the same.
  func differences(from other: FusionRecipe) -> [String] {
    let (mine, theirs) = (facts, other.facts)
    return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
  }

  /// By text, in which a value that is no number equals itself.
  private var facts: [String: String] {
    var facts = Dictionary(uniqueKeysWithValues: parameters.map { ("parameter \($0)", "\($1)") })
    for (name, value) in log { facts[name] = value }
    facts["tool"] = tool
    facts["filter"] = filter
    facts["form"] = form
    facts["frame"] = frame
    facts["magneticField"] = magneticField
    facts["headingOf"] = headingOf
    facts["location"] = location.map { "\($0)" }
    facts["decimalYear"] = decimalYear.map { "\($0)" }
    facts["outputRate"] = outputRate.map { "\($0)" }
    facts["format"] = format
    facts["bids"] = bids
    facts["columns"] = columns.joined(separator: ",")
    facts["digits"] = digits.map { "\($0)" }
    facts["isStrict"] = "\(isStrict)"
    return facts
  }
}
