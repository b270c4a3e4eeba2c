public import InertialSensors

/// The channels of a dataset in addition to the motion sensors.
public enum ChannelSelection: Sendable, Equatable {
  /// All channels that the log declares at its beginning, except for copies of motion sensors.
  case all
  /// The given channels; the columns of channels that the log does not have are empty.
  case only(Set<AuxiliaryChannel>)

  /// An empty selection.
  public static let none = ChannelSelection.only([])

  /// Creates a selection from "all" or from names of channels.
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

  /// The selection as text: "all" or names, or `nil` for no channel.
  var text: String? {
    switch self {
    case .all: "all"
    case .only(let channels): channels.isEmpty ? nil : channels.sorted().map(\.name).joined(separator: ",")
    }
  }

  /// The channels that a reader has to read.
  package var wanted: Set<AuxiliaryChannel> {
    switch self {
    case .all: AuxiliaryChannel.ofLogs
    case .only(let channels): channels
    }
  }

  /// Returns the channels of a dataset for a log with the given channels.
  func channels(of log: Set<AuxiliaryChannel>) -> [AuxiliaryChannel] {
    switch self {
    case .all: log.sorted()
    case .only(let channels): channels.sorted()
    }
  }
}

extension ChannelSelection: Encodable {
  /// Encodes the selection as text, or as `nil` for no channel.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
