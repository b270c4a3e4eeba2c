public import InertialSensors

/// Which channels beside the motion sensors a dataset is to have.
public enum ChannelSelection: Sendable, Equatable {
  /// Those of the log, as far as it says at its beginning what it has, without those that repeat motion sensors.
  case all
  /// These; one that a log does not have is empty.
  case only(Set<AuxiliaryChannel>)

  /// No channel.
  public static let none = ChannelSelection.only([])

  /// "all", or names of channels.
  public init(names: [String]) throws(FusionError) {
    guard names != ["all"] else {
      self = .all
      return
    }
    var channels: Set<AuxiliaryChannel> = []
    for name in names {
      guard let channel = AuxiliaryChannel(name: name) else {
        let known = AuxiliaryChannel.allCases.map(\.name).joined(separator: ", ")
        throw .usage("there is no channel '\(name)'; there are all, \(known)")
      }
      channels.insert(channel)
    }
    self = .only(channels)
  }

  /// As it was given: "all", or names; nil for none.
  var text: String? {
    switch self {
    case .all: "all"
    case .only(let channels): channels.isEmpty ? nil : channels.sorted().map(\.name).joined(separator: ",")
    }
  }

  /// What a reader is asked for.
  package var wanted: Set<AuxiliaryChannel> {
    switch self {
    case .all: AuxiliaryChannel.ofLogs
    case .only(let channels): channels
    }
  }

  /// The channels of the dataset of a log that has these.
  func channels(of log: Set<AuxiliaryChannel>) -> [AuxiliaryChannel] {
    switch self {
    case .all: log.sorted()
    case .only(let channels): channels.sorted()
    }
  }
}

extension ChannelSelection: Encodable {
  /// As it was given, `nil` for none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
