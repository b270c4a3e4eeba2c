package import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// A quantity of a log that a figure can show, identified by the name that a user types.
package struct PlotQuantity: Sendable, Equatable {
  enum Content: Equatable {
    /// The columns of the fused dataset, which share a unit.
    case columns([FusedColumn])
    /// The fields of a channel of the log, at the channel's own times.
    case channel(AuxiliaryChannel, [AuxiliaryField])
    /// The path in plan view.
    case path
    /// The height of the path over time.
    case pathHeight
    case error(ErrorPart)
    /// The cumulative distribution of the error over the samples.
    case errorDistribution
    /// The error of each filter against its processing time per sample.
    case accuracy
  }

  /// The angle of an error.
  enum ErrorPart: String, CaseIterable {
    case total, heading, inclination

    var quantity: String { self == .total ? "error" : rawValue + "Error" }
  }

  package let name: String
  let content: Content

  /// The columns that are shown together: the group `gravity` contains `gravityX`, `gravityY` and `gravityZ`.
  private static let groups: [(name: String, columns: [String])] = [
    ("attitude", ["roll", "pitch", "yaw"]), ("quaternion", vector("quaternion") + ["quaternionW"]),
    ("gravity", vector("gravity")), ("userAcceleration", vector("userAcceleration")),
    ("rotationRate", vector("rotationRate")), ("magneticField", vector("magneticField")),
    ("attitudeSigma", vector("attitudeSigma")), ("gyroscopeBias", vector("gyroscopeBias")),
  ]

  /// The channels of the sensors, by their names in reports. The channels' own names are valid, too.
  private static let sensors: [String: AuxiliaryChannel] = [
    "accelerometer": .rawAcceleration, "gyroscope": .rawRotationRate, "magnetometer": .rawMagneticField,
  ]

  private static func vector(_ name: String) -> [String] { ["X", "Y", "Z"].map { name + $0 } }

  /// All names in order: groups and columns of a dataset, channels of the log, errors.
  package static var names: [String] {
    let columns = FusedColumn.known.map(\.name).filter { $0 != "time" }
    let channels = AuxiliaryChannel.allCases.filter { !$0.isEvent }.map(\.name)
    return groups.map(\.name) + paths + columns + sensors.keys.sorted() + channels + judged
  }

  private static let paths = ["path", "pathHeight"]
  private static let judged = ErrorPart.allCases.map(\.quantity) + ["errorDistribution", "accuracy"]

  /// Creates the quantity with a name.
  ///
  /// - Throws: ``FusionError`` with the valid names if the name is unknown.
  package init(_ name: String) throws(FusionError) {
    self.name = name
    if let group = Self.groups.first(where: { $0.name == name }) {
      content = .columns(try FusedColumn.named(group.columns))
    } else if let index = Self.paths.firstIndex(of: name) {
      content = [.path, .pathHeight][index]
    } else if let column = FusedColumn.known.first(where: { $0.name == name }), name != "time" {
      content = .columns([column])
    } else if let channel = Self.sensors[name] ?? AuxiliaryChannel(name: name), !channel.isEvent {
      content = .channel(channel, channel.fields)
    } else if let (channel, field) = Self.field(name) {
      content = .channel(channel, [field])
    } else if let part = ErrorPart.allCases.first(where: { $0.quantity == name }) {
      content = .error(part)
    } else if name == "errorDistribution" {
      content = .errorDistribution
    } else if name == "accuracy" {
      content = .accuracy
    } else {
      throw .usage(
        "there is no quantity '\(name)'; there are \((Self.groups.map(\.name) + Self.paths).joined(separator: ", ")), columns "
          + "('inertial help columns'), channels ('inertial help channels'), \(Self.judged.joined(separator: ", ")); "
          + "for example: inertial plot LOG --quantity attitude,userAcceleration")
    }
  }

  private static func field(_ name: String) -> (AuxiliaryChannel, AuxiliaryField)? {
    for channel in AuxiliaryChannel.allCases where !channel.isEvent {
      if let field = channel.fields.first(where: { $0.name == name }) { return (channel, field) }
    }
    return nil
  }

  /// Whether the quantity needs a reference.
  var isJudged: Bool {
    switch content {
    case .columns, .channel, .path, .pathHeight: false
    case .error, .errorDistribution, .accuracy: true
    }
  }

  /// Whether the quantity needs a path.
  var isOfPath: Bool { content == .path || content == .pathHeight }

  var columns: [FusedColumn] { if case .columns(let columns) = content { columns } else { [] } }

  var channel: AuxiliaryChannel? { if case .channel(let channel, _) = content { channel } else { nil } }
}

/// A kind of mark in a figure over time.
package enum PlotMark: String, Sendable, CaseIterable {
  /// The intervals that the filter detects as rest.
  case rest
  /// The intervals in which the magnetic field is disturbed.
  case disturbance
  case shake
  case activity
  case steps
  case falls

  /// Returns the marks with the given names, such as `rest` and `shake`.
  package static func list(_ words: [String]) throws(FusionError) -> [PlotMark] {
    try words.map { (word) throws(FusionError) in
      guard let mark = PlotMark(rawValue: word) else {
        throw .usage("'\(word)' cannot be marked; use \(allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return mark
    }
  }

  /// The filter's flag that determines the mark, or `nil` if a recogniser does.
  var flag: AttitudeFlags? {
    switch self {
    case .rest: .resting
    case .disturbance: .magneticDisturbance
    case .shake, .activity, .steps, .falls: nil
    }
  }
}
