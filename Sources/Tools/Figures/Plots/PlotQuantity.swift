package import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// What a figure of a log can show, by the name that a user types.
package struct PlotQuantity: Sendable, Equatable {
  enum Content: Equatable {
    /// Columns of the fused dataset, which share a unit.
    case columns([FusedColumn])
    /// Fields of a channel of the log, at the channel's own times.
    case channel(AuxiliaryChannel, [AuxiliaryField])
    /// The path from above.
    case path
    /// The path's height over time.
    case pathHeight
    case error(ErrorPart)
    /// The share of the samples whose error is at most so large.
    case errorDistribution
    /// The error of each filter against its time for a sample.
    case accuracy
  }

  /// Which angle of an error.
  enum ErrorPart: String, CaseIterable {
    case total, heading, inclination

    var quantity: String { self == .total ? "error" : rawValue + "Error" }
  }

  package let name: String
  let content: Content

  /// Columns that are shown together: what fuse writes as `gravityX`, `gravityY`, `gravityZ` is `gravity`.
  private static let groups: [(name: String, columns: [String])] = [
    ("attitude", ["roll", "pitch", "yaw"]), ("quaternion", vector("quaternion") + ["quaternionW"]),
    ("gravity", vector("gravity")), ("userAcceleration", vector("userAcceleration")),
    ("rotationRate", vector("rotationRate")), ("magneticField", vector("magneticField")),
    ("attitudeSigma", vector("attitudeSigma")), ("gyroscopeBias", vector("gyroscopeBias")),
  ]

  /// The sensors by the names that they have in reports, beside those of their channels.
  private static let sensors: [String: AuxiliaryChannel] = [
    "accelerometer": .rawAcceleration, "gyroscope": .rawRotationRate, "magnetometer": .rawMagneticField,
  ]

  private static func vector(_ name: String) -> [String] { ["X", "Y", "Z"].map { name + $0 } }

  /// Every name in order: groups and columns of a dataset, what recognisers tell, channels of the log, errors.
  package static var names: [String] {
    let columns = (FusedColumn.all + FusedColumn.recognised).map(\.name).filter { $0 != "time" }
    let channels = AuxiliaryChannel.allCases.filter { !$0.isEvent }.map(\.name)
    return groups.map(\.name) + paths + columns + sensors.keys.sorted() + channels + judged
  }

  private static let paths = ["path", "pathHeight"]
  private static let judged = ErrorPart.allCases.map(\.quantity) + ["errorDistribution", "accuracy"]

  /// The quantity of a name.
  ///
  /// - Throws: where there is none, with those that there are.
  package init(_ name: String) throws(FusionError) {
    self.name = name
    let columns = FusedColumn.all + FusedColumn.recognised
    if let group = Self.groups.first(where: { $0.name == name }) {
      content = .columns(try FusedColumn.named(group.columns))
    } else if let place = Self.paths.firstIndex(of: name) {
      content = [.path, .pathHeight][place]
    } else if let column = columns.first(where: { $0.name == name }), name != "time" {
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

  /// Whether it is seen over the log's time.
  var isOverTime: Bool {
    switch content {
    case .columns, .channel, .pathHeight, .error: true
    case .path, .errorDistribution, .accuracy: false
    }
  }

  /// Whether it needs a reference.
  var isJudged: Bool {
    switch content {
    case .columns, .channel, .path, .pathHeight: false
    case .error, .errorDistribution, .accuracy: true
    }
  }

  /// Whether it is made of a path.
  var isOfPath: Bool { content == .path || content == .pathHeight }

  var columns: [FusedColumn] { if case .columns(let columns) = content { columns } else { [] } }

  var channel: AuxiliaryChannel? { if case .channel(let channel, _) = content { channel } else { nil } }
}

/// What is marked in a figure over time.
package enum PlotMark: String, Sendable, CaseIterable {
  /// Where the filter holds the device for resting.
  case rest
  /// Where the magnetic field is not the earth's.
  case disturbance
  case shake
  case activity
  case steps
  case falls

  /// The marks of `rest,shake`.
  package static func list(_ words: [String]) throws(FusionError) -> [PlotMark] {
    try words.map { (word) throws(FusionError) in
      guard let mark = PlotMark(rawValue: word) else {
        throw .usage("nothing marks '\(word)'; there are \(allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return mark
    }
  }

  /// The filter's flag that tells it; nil where a recogniser does.
  var flag: AttitudeFlags? {
    switch self {
    case .rest: .resting
    case .disturbance: .magneticDisturbance
    case .shake, .activity, .steps, .falls: nil
    }
  }
}
