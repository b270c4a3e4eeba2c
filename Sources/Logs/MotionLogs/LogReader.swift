public import InertialSensors

// How a reader delivers an auxiliary channel (pressure, steps, position, sound, scans, annotations ...):
// 1. `LogOptions.auxiliary` contains the requested channels. By default it is empty, and the reader skips the rest.
// 2. When opening, set `description.auxiliaryChannels` to the requested channels that the log has.
// 3. While `read` goes through the log, make `AuxiliarySample`s in the units of the channel's fields
//    (`sample["pressure"] = hectopascals / 10`), store them, and return them from `takeAuxiliary`.
// A folder of tables needs no such code: list `AuxiliaryFile`s (file, channel, columns), open them with
// `AuxiliaryTable`, and pass these to `MergedLogReader`. A new channel is a case and an entry in `AuxiliaryChannel`.

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

/// An error in a log, in one line: the location, the problem and the remedy.
public struct LogError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file with the error.
  public var path: String
  /// The line, counted from 1, or `nil` if the error does not belong to a line.
  public var line: Int?
  /// The field of the line, counted from 1, or `nil` if the error does not belong to a field.
  public var column: Int?
  /// The problem.
  public var problem: String
  /// The action that the user can take.
  public var remedy: String
  /// The property that the log does not specify, or `nil` for any other error.
  package var question: LogQuestion?

  /// Creates an error; line and column are counted from 1.
  public init(path: String, line: Int? = nil, column: Int? = nil, problem: String, remedy: String) {
    self.path = path
    self.line = line
    self.column = column
    self.problem = problem
    self.remedy = remedy
  }

  package init(path: String, line: Int? = nil, problem: String, remedy: String, question: LogQuestion) {
    self.init(path: path, line: line, problem: problem, remedy: remedy)
    self.question = question
  }

  public var description: String {
    var text = path
    if let line { text += ":\(line)" }
    if let column { text += ":\(column)" }
    text += ": \(problem); \(remedy)"
    // File names may contain line breaks, too.
    return text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? "?" : $0 }) : text
  }
}

/// A single pass over a log, in batches and in bounded memory.
///
/// Samples of a channel have the order of the file. Different channels are roughly sorted by time (a reader of several
/// files merges them). Invalid values (NaN, infinity) are passed on unchanged; `SampleConditioner` handles them. Empty
/// cells yield no sample and are counted in `emptyCounts`.
public protocol LogReader {
  /// The log's format and the inferred properties.
  var description: LogDescription { get }
  /// The number of empty fields per channel; an empty field yields no sample.
  var emptyCounts: [SensorChannel: Int] { get }
  /// The fraction of the log read so far, 0 to 1.
  var progress: Double { get }
  /// Appends the next batch of samples, or returns `false` at the end of the log without appending any.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// Appends the samples of the requested auxiliary channels that were read since the last call.
  ///
  /// Call this method after every `read`, including the last one. Samples of a channel have the order of the file. No
  /// sample is delivered after the motion samples of its time, as far as the log's order allows.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
}

extension LogReader {
  /// Appends no samples: most logs contain motion only.
  public mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {}
}

/// The properties of a log that only the user can specify.
public struct LogOptions: Sendable, Encodable, Equatable {
  /// The unit of the acceleration.
  public enum AccelerationUnit: Sendable, Hashable, Encodable {
    /// Standard gravities, 9.80665 m/s².
    case g
    /// m/s².
    case metersPerSecondSquared
    /// Another unit by its name, such as "mg", or the counts of a register, such as "16384/g".
    case named(String)

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  /// The sign of the acceleration.
  public enum AccelerationSign: String, Sendable, CaseIterable, Codable {
    /// Core Motion's sign: at rest the value points down, (0, 0, −1) for a device lying face up.
    case gravity
    /// The sign of all other platforms: at rest the value points up.
    case specificForce = "specific-force"
  }
  /// The unit of the rotation rate.
  public enum RotationUnit: Sendable, Hashable, Encodable {
    /// Radians per second.
    case radiansPerSecond
    /// °/s.
    case degreesPerSecond
    /// Another unit by its name, such as "mdps", or the counts of a register, such as "131/dps".
    case named(String)

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  /// The unit of the magnetic field.
  public enum FieldUnit: String, Sendable, CaseIterable, Codable {
    /// µT.
    case microtesla = "uT"
    /// Nanotesla.
    case nanotesla = "nT"
    /// Millitesla.
    case millitesla = "mT"
    /// Gauss, 100 µT.
    case gauss = "gauss"
  }
  /// The unit of the time.
  public enum TimeUnit: String, Sendable, CaseIterable, Codable {
    /// s.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// µs.
    case microseconds = "us"
    /// Nanoseconds.
    case nanoseconds = "ns"
    /// Minutes.
    case minutes = "min"
    /// Hours.
    case hours = "h"
    /// Days of 86,400 s.
    case days = "d"
  }

  /// The accelerometer's unit; `nil`: as specified by the log.
  public var accelerationUnit: AccelerationUnit?
  /// The accelerometer's sign; `nil`: as specified by the log.
  public var accelerationSign: AccelerationSign?
  /// The gyroscope's unit; `nil`: as specified by the log.
  public var rotationUnit: RotationUnit?
  /// The magnetometer's unit; `nil`: as specified by the log.
  public var fieldUnit: FieldUnit?
  /// The unit of the times; `nil`: as specified by the log.
  public var timeUnit: TimeUnit?
  /// The names of the columns, for a CSV without a header or with an unknown one; "-" skips a column.
  public var columns: [String]?
  /// The rows of a table to read; `nil`: all.
  package var conditions: [RowCondition]?
  /// The rate in Hz of a log without a clock: row i is at i / sampleRate.
  public var sampleRate: Double?
  /// The mounting of the sensors, in the order of application.
  public var axes: [SensorAxes] = []
  /// The device's own calibration, applied after the axes and before any other processing.
  package var calibration: SensorCalibration?
  /// The requested auxiliary channels.
  public var auxiliary: Set<AuxiliaryChannel> = []
  /// A copy that also requests the channels that the calibration needs.
  package var withCalibrationChannels: LogOptions {
    var options = self
    options.auxiliary.formUnion(calibration?.neededChannels ?? [])
    return options
  }
  /// The log itself, if the caller holds it in memory; the path is then only its name in messages.
  package var held: InMemoryTable?
  /// A flag that ends the reading early, with an error, once it is set.
  package var stop: StopFlag?

  /// Creates options that leave every property to the log.
  public init() {}

  /// The specified properties of a log; the requested channels are not encoded.
  private enum CodingKeys: CodingKey {
    case accelerationUnit, accelerationSign, rotationUnit, fieldUnit, timeUnit, columns, sampleRate, axes
    case calibration, conditions
  }
}
