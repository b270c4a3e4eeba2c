public import InertialSensors

/// The format of a log, and the properties that its reader inferred.
public struct LogDescription: Sendable, Equatable {
  /// A short identifier, such as "canonical-csv" or "sensor-logger".
  public var format: String
  /// A human-readable sentence, such as "Sensor Logger folder (iOS, not standardised)".
  public var summary: String
  /// The input file or folder.
  public var path: String
  /// The inferences and conversions, one sentence each, such as "acceleration: m/s² of specific force to g, sign
  /// inverted".
  public var notes: [String] = []
  /// The UNIX time of sample time 0, in seconds, if the log specifies it.
  public var epoch: Double?
  /// The origin and unit of the log's own timestamps, or `nil` if the reader does not report them.
  package var clock: LogClock?
  /// The frame of the log's reference attitude ("enu", "nwu", ...), if the format defines it.
  public var referenceFrame: String?
  /// The first column of each channel, counted from 1, in a log of rows; used in messages about the channel's values.
  public var columns: [SensorChannel: Int] = [:]
  /// The channels of a log of rows, or `nil` if they are unknown before it is read.
  package var sensors: Set<SensorChannel>? { columns.isEmpty ? nil : Set(columns.keys) }
  /// The sensor rate declared by the log (not measured), in Hz.
  public var declaredRate: Double?
  /// The requested auxiliary channels that the log has, as far as its beginning shows.
  public var auxiliaryChannels: Set<AuxiliaryChannel> = []
  /// The cells of the requested auxiliary channels that are not valid for their columns, read so far.
  package internal(set) var unreadable: [AuxiliaryChannel: UnreadableCells] = [:]

  /// The warnings about lines of a table that are not rows and were left out.
  package internal(set) var lineWarnings: [String] = []
  /// The note on the rows that an option left out.
  package internal(set) var selectionNote: String?

  /// Creates the description of a log; `summary` describes its contents in one line.
  public init(format: String, summary: String, path: String) {
    self.format = format
    self.summary = summary
    self.path = path
  }

  /// Returns the note for a log with aerospace axes.
  static func aerospaceAxes(of owner: String) -> String {
    "axes: the \(owner)'s own, x forward, y right, z down (FRD); --body frd for the vehicle's roll, pitch and heading"
  }

  /// The warnings about unreadable lines and about unreadable cells of auxiliary channels.
  package var unreadableWarnings: [String] {
    lineWarnings
      + unreadable.sorted { $0.key < $1.key }.map { channel, cells in
        let more = cells.count == 1 ? "" : "; \(cells.count) such cells of the channel are left out"
        return
          "\(cells.path):\(cells.line):\(cells.column): \"\(cells.text)\" is not a value of \(channel.name), which takes "
          + "\(cells.expectation)\(more)"
      }
  }
}
