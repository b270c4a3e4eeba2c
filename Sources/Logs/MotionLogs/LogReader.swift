public import InertialSensors

// How a reader delivers a channel beside the motion sensors (pressure, steps, place, sound, scans, annotations ...):
// 1. `LogOptions.auxiliary` says which channels are wanted; none by default, and then nothing of this is done.
// 2. On opening, set `description.auxiliaryChannels` to those of them that the log has.
// 3. While `read` goes through the log, make `AuxiliarySample`s in the units of the channel's fields
//    (`sample["pressure"] = hectopascals / 10`), keep them, and hand them over in `takeAuxiliary`.
// A folder of tables needs no code for that: list `AuxiliaryFile`s (file, channel, columns), open them with
// `AuxiliaryTable`, and give these to `MergedLogReader`, which does the rest. A channel that does not exist yet is a
// case and an entry in `AuxiliaryChannel`.

/// What a reader found a log to be, and how it understood it. Everything inferred is said here.
public struct LogDescription: Sendable, Equatable {
  /// A short identifier, such as "canonical-csv" or "sensor-logger".
  public var format: String
  /// A sentence for people, such as "Sensor Logger folder (iOS, not standardised)".
  public var summary: String
  /// The input file or folder.
  public var path: String
  /// What was inferred or converted, one sentence each, such as "acceleration: m/s² of specific force to g, sign turned".
  public var notes: [String] = []
  /// UNIX time in seconds of time 0 of the samples, where the log says.
  public var epoch: Double?
  /// What the log's own stamps count; nil where the reader does not tell.
  package var clock: LogClock?
  /// The frame of the log's reference attitude ("enu", "nwu", ...), where the format fixes it.
  public var referenceFrame: String?
  /// The first column of each channel, counted from 1, in a log of rows; for messages about the channel's values.
  public var columns: [SensorChannel: Int] = [:]
  /// Sensor rate in Hz declared by the log itself (not measured).
  public var declaredRate: Double?
  /// Of the wanted auxiliary channels those that the log has, as far as its beginning tells.
  public var auxiliaryChannels: Set<AuxiliaryChannel> = []
  /// Cells of the wanted auxiliary channels that hold something else than their column does, read so far.
  package internal(set) var unreadable: [AuxiliaryChannel: UnreadableCells] = [:]

  /// Lines of a table that are none of its rows, and were left out.
  package internal(set) var lineWarnings: [String] = []
  /// The rows that an option left out.
  package internal(set) var selectionNote: String?

  /// A description of a log of a format; `summary` is what was found in it, in a line.
  public init(format: String, summary: String, path: String) {
    self.format = format
    self.summary = summary
    self.path = path
  }

  /// The note of a log with aerospace axes.
  static func aerospaceAxes(of owner: String) -> String {
    "axes: the \(owner)'s own, x forward, y right, z down (FRD); --body frd for the vehicle's roll, pitch and heading"
  }

  /// The parts of the log that cannot be read: lines, and cells of auxiliary channels; a line for each.
  package var unreadableWarnings: [String] {
    lineWarnings
      + unreadable.sorted { $0.key < $1.key }.map { channel, cells in
        let first = cells.first
        let more = cells.count == 1 ? "" : "; \(cells.count) cells of the channel are like that, and left out"
        return
          "\(first.path):\(first.line):\(first.column): \"\(first.text)\" is no value of \(channel.name), which takes "
          + "\(first.expectation)\(more)"
      }
  }
}

/// What is wrong with a log, in one line: where, what, and what to do.
public struct LogError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file that is wrong.
  public var path: String
  /// Counted from 1; nil where no line is to blame.
  public var line: Int?
  /// Field of the line counted from 1; nil where no column is to blame.
  public var column: Int?
  /// What is wrong.
  public var problem: String
  /// What the user can do.
  public var remedy: String
  /// The property that the log does not state; nil for another error.
  package var question: LogQuestion?

  /// An error from its parts; line and column are counted from 1.
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
    // The names of files may have line ends, too.
    return text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? "?" : $0 }) : text
  }
}

/// One pass over a log, in batches, in bounded memory.
///
/// Within a channel the samples come in the order of the file; between channels roughly in order of time
/// (a reader of several files merges them). Bad values are passed on as they are (NaN, infinity): judging
/// them is `SampleConditioner`'s business. Empty cells give no sample and are counted in `emptyCount`.
public protocol LogReader {
  /// What the log is, and what was inferred about it.
  var description: LogDescription { get }
  /// Empty fields per channel: no sample at that time.
  var emptyCounts: [SensorChannel: Int] { get }
  /// The share of the log read so far, 0 to 1, for progress.
  var progress: Double { get }
  /// Appends the next batch of samples; false when the log has ended and nothing was appended.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// Appends the samples of the wanted auxiliary channels that came with what was read since the last call.
  ///
  /// To be called after every `read`, the last one included. Within a channel they come in the order of the file; none
  /// comes later than motion samples of its time, as far as the log's order allows.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
}

extension LogReader {
  /// Nothing: most logs have motion only.
  public mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {}
}

/// What only the user can know about a log.
public struct LogOptions: Sendable, Encodable, Equatable {
  /// Unit of the acceleration.
  public enum AccelerationUnit: Sendable, Hashable, Encodable {
    /// Standard gravities, 9.80665 m/s².
    case g
    /// m/s².
    case metersPerSecondSquared
    /// Another unit by its name, as "mg", or counts of a register, as "16384/g".
    case named(String)

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  /// Sign of the acceleration.
  public enum AccelerationSign: String, Sendable, CaseIterable, Codable {
    /// Core Motion's: at rest the value points down, (0, 0, −1) face up.
    case gravity
    /// Everybody else's: at rest the value points up.
    case specificForce = "specific-force"
  }
  /// Unit of the rotation rate.
  public enum RotationUnit: Sendable, Hashable, Encodable {
    /// rad/s.
    case radiansPerSecond
    /// °/s.
    case degreesPerSecond
    /// Another unit by its name, as "mdps", or counts of a register, as "131/dps".
    case named(String)

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  /// Unit of the magnetic field.
  public enum FieldUnit: String, Sendable, CaseIterable, Codable {
    /// µT.
    case microtesla = "uT"
    /// nT.
    case nanotesla = "nT"
    /// mT.
    case millitesla = "mT"
    /// Gauss, 100 µT.
    case gauss = "gauss"
  }
  /// Unit of the time.
  public enum TimeUnit: String, Sendable, CaseIterable, Codable {
    /// s.
    case seconds = "s"
    /// ms.
    case milliseconds = "ms"
    /// µs.
    case microseconds = "us"
    /// ns.
    case nanoseconds = "ns"
    /// Minutes.
    case minutes = "min"
    /// Hours.
    case hours = "h"
    /// Days of 86,400 s.
    case days = "d"
  }

  /// Of the accelerometer; nil = as the log says.
  public var accelerationUnit: AccelerationUnit?
  /// Of the accelerometer; nil = as the log says.
  public var accelerationSign: AccelerationSign?
  /// Of the gyroscope; nil = as the log says.
  public var rotationUnit: RotationUnit?
  /// Of the magnetometer.
  public var fieldUnit: FieldUnit?
  /// Of the times; nil = as the log says.
  public var timeUnit: TimeUnit?
  /// The columns' names, for a CSV without a header or with an unknown one; "-" skips a column.
  public var columns: [String]?
  /// The rows of a table that are read; nil for all.
  package var conditions: [RowCondition]?
  /// Rate in Hz of a log without a clock: row i is at i / sampleRate.
  public var sampleRate: Double?
  /// How sensors are mounted, in the order in which it is applied.
  public var axes: [SensorAxes] = []
  /// What the device's own calibration makes of its samples, after the axes and before anything else.
  package var calibration: SensorCalibration?
  /// The channels beside the motion sensors that are wanted.
  public var auxiliary: Set<AuxiliaryChannel> = []
  /// These with those that the calibration needs for itself.
  package var withCalibrationChannels: LogOptions {
    var options = self
    options.auxiliary.formUnion(calibration?.neededChannels ?? [])
    return options
  }
  /// The log itself, where the caller's program holds it in memory: then the path is only its name in messages.
  package var held: HeldTable?
  /// Ends the reading early, with an error, once it is raised.
  package var stop: StopFlag?

  /// Nothing is known but what the log says.
  public init() {}

  /// What is said of a log; which channels are wanted is not.
  private enum CodingKeys: CodingKey {
    case accelerationUnit, accelerationSign, rotationUnit, fieldUnit, timeUnit, columns, sampleRate, axes
    case calibration, conditions
  }
}
