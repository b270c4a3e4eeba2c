internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import Geomagnetism
internal import MotionLogs
internal import Rotations
internal import Sensors

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
  /// nil = no row is made up in a gap.
  public var gaps: String?
  /// The longest time between gyroscope samples that is no gap, seconds; nil = as by default.
  public var gap: Double?
  /// Their names, comma separated; nil = as the outputs' names say.
  public var format: String?
  /// Names in a dataset of BIDS, where any is given.
  public var bids: String?
  public var columns: [String]
  /// Channels beside the motion sensors: "all", or their names; nil where none are wanted.
  public var channels: String?
  /// What is recognised beside the fusion, comma separated; nil = nothing.
  public var recognitions: String?
  /// The sound file and how its level is measured; nil where there is none.
  public var sound: String?
  /// Significant digits; nil = exact.
  public var digits: Int?
  public var isStrict: Bool
  /// Whether the sensors' time offsets were taken off; nil = no, as manifests from before that was possible say it.
  public var isAligned: Bool?
  /// Whether time begins at 0 in the dataset; nil = no.
  public var startsAtZero: Bool?
  /// Whether headers say the units; nil = no.
  public var writesUnits: Bool?
  /// What was said of the logs, by option.
  public var log: [String: String]

  public init(_ options: FusionOptions) {
    tool = "inertial \(ToolVersion.current)"
    filter = options.filter
    form = options.smooths ? "offline" : "online"
    parameters = FilterKind.named(options.filter)?.values(options.filterSettings, smoothing: options.smooths) ?? [:]
    frame = options.motion.frame.name
    magneticField = options.motion.field.rawValue
    headingOf = options.motion.pointingAxis.rawValue
    location = options.location.map { [$0.latitude, $0.longitude, $0.altitude] }
    decimalYear = options.date
    outputRate = options.rate
    gaps = options.gaps?.rawValue
    gap = options.gap == FusionOptions().gap ? nil : options.gap
    format = options.formats.isEmpty ? nil : options.formats.map(\.rawValue).joined(separator: ",")
    bids = options.bids.given
    columns = options.motionColumns.map(\.name)
    channels = options.channels.text
    recognitions =
      options.recognitions.isEmpty ? nil : options.recognitions.map(\.rawValue).joined(separator: ",")
    sound = options.sound.map { sound in
      let start = sound.start.map { " from \($0) s" } ?? ""
      return "\(sound.path)\(start), \(sound.frequencyWeighting.rawValue), \(sound.timeWeighting.rawValue)"
    }
    digits = options.digits
    isStrict = options.strict
    isAligned = options.aligns ? true : nil
    startsAtZero = options.startsAtZero ? true : nil
    writesUnits = options.writesUnits ? true : nil
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
    log["axes"] = options.axes.isEmpty ? nil : options.axes.map(\.text).joined(separator: " ")
    log["columns"] = options.columns?.joined(separator: ",")
    log["sampleRate"] = options.sampleRate.map { "\($0)" }
    return log
  }

  /// A fact that two recipes do not have in common.
  struct Difference: Sendable, Equatable, CustomStringConvertible {
    var name: String
    /// nil where the recipe does not say.
    var old: String?
    var new: String?

    var description: String {
      if let old, let new, old.contains(","), new.contains(",") {
        return "\(name) (\(Self.change(from: old, to: new)))"
      }
      return "\(name) (then \(old ?? "not given"), now \(new ?? "not given"))"
    }

    /// Of two lists, what only one of them has.
    private static func change(from old: String, to new: String) -> String {
      let (before, after) = (old.split(separator: ","), new.split(separator: ","))
      let parts = [
        ("no longer", before.filter { !after.contains($0) }), ("now also", after.filter { !before.contains($0) }),
      ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
      return parts.isEmpty ? "in another order" : parts.joined(separator: ", ")
    }
  }

  /// What a later recipe has otherwise; empty where they are the same.
  ///
  /// Another filter, another form of it or another version has other parameters: then those are not named.
  func differences(from later: FusionRecipe) -> [Difference] {
    let (old, new) = (facts, later.facts)
    let all = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    let isOtherFilter = !Set(all).isDisjoint(with: ["filter", "form", "tool"])
    return all.filter { !(isOtherFilter && $0.hasPrefix(Self.parameterPrefix)) }
      .map { Difference(name: $0, old: old[$0], new: new[$0]) }
  }

  private static let parameterPrefix = "parameter "

  /// By text, in which a value that is no number equals itself.
  private var facts: [String: String] {
    var facts = Dictionary(uniqueKeysWithValues: parameters.map { (Self.parameterPrefix + $0, "\($1)") })
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
    facts["gaps"] = gaps
    facts["gap"] = gap.map { "\($0)" }
    facts["format"] = format
    facts["bids"] = bids
    facts["columns"] = columns.joined(separator: ",")
    facts["channels"] = channels
    facts["recognitions"] = recognitions
    facts["sound"] = sound
    facts["digits"] = digits.map { "\($0)" }
    facts["isStrict"] = "\(isStrict)"
    facts["isAligned"] = isAligned.map { "\($0)" }
    facts["startsAtZero"] = startsAtZero.map { "\($0)" }
    facts["writesUnits"] = writesUnits.map { "\($0)" }
    return facts
  }
}
