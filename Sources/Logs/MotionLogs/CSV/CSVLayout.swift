internal import InertialSensors

/// The instructions for the rows of a CSV: the fields to read, their units, and the samples that they form.
struct CSVLayout {
  enum Action {
    case skip
    case time
    /// A part of the row's time, which is the sum of all parts.
    case stampPart(StampPart)
    /// A number, with its slot among the row's values and its conversion.
    case value(slot: Int, UnitConversion)
    /// A value of the auxiliary channel with this index in `auxiliary`.
    case auxiliary(channel: Int, AuxiliaryCell)
    /// The name of the row's channel, in an event table.
    case channelName
    /// The text that distinguishes rows, with its index in `tags`.
    case tag(Int)
    /// A count of a 16-bit register, whose sign may be lost.
    case count(slot: Int, UnitConversion)
    /// A number that is −1 if the values of the given slots are missing. The slots precede it in the row.
    case absence(slot: Int, count: Int)
  }

  /// The conversion of a row's values to a sample of a channel.
  enum Emitter {
    /// The values of consecutive slots, as many as the channel has components.
    case plain(SensorChannel, slot: Int)
    /// A calibrated field, with its accuracy if `accuracy` is a slot.
    case calibratedField(slot: Int, accuracy: Int?)
    /// Raw acceleration as the sum of gravity and user acceleration.
    case accelerationSum(gravity: Int, user: Int)
    /// Raw acceleration from the attitude (a quaternion, or roll, pitch and yaw) and the user acceleration.
    case accelerationFromAttitude(slot: Int, isEuler: Bool, user: Int)
    /// The device's attitude from roll, pitch and yaw.
    case attitudeFromEuler(slot: Int)
    /// The device's attitude from aerospace roll, pitch and yaw.
    case attitudeFromAerospace(slot: Int)

    var firstSlot: Int {
      switch self {
      case .plain(_, let slot), .calibratedField(let slot, _), .accelerationSum(let slot, _),
        .accelerationFromAttitude(let slot, _, _), .attitudeFromEuler(let slot), .attitudeFromAerospace(let slot):
        slot
      }
    }

    var channel: SensorChannel {
      switch self {
      case .plain(let channel, _): channel
      case .calibratedField: .calibratedMagneticField
      case .accelerationSum, .accelerationFromAttitude: .accelerometer
      case .attitudeFromEuler, .attitudeFromAerospace: .deviceAttitude
      }
    }
  }

  /// The source of the times: a column, several columns, or the row's number.
  enum Clock {
    /// Row i has the time i / rate, with the rate in Hz.
    case rate(Double)
    /// A column in a unit.
    case known(Dimension.TimeUnit)
    /// Seconds, or nanoseconds since 1970 if the timestamps are too large for seconds.
    case secondsOrUNIXNanoseconds
    /// Nanoseconds since 1970, or an error that requests the unit.
    case unknown(line: Int?, column: Int, name: String)
    case ticks(Ticks)
    /// The sum of the columns with the action `stampPart`.
    case parts(Parts)
  }

  /// The meaning of a field that is a part of a row's time.
  enum StampPart: Equatable {
    /// A date, a time of day, or both, as text.
    case text
    /// A number in units of `nanoseconds` ns. The value `zero` stands for 1970-01-01.
    case number(nanoseconds: Double, zero: Double = 0)
    /// Seconds with a fraction without leading zeros: with three digits, 1.5 is 1.005 s.
    case unpadded(digits: Int)
  }

  /// A clock with times in whole nanoseconds, each the sum of a row's parts.
  struct Parts {
    var kind: LogClock
    /// The first row's time, in nanoseconds, which is subtracted from all times, or `nil` if nothing is subtracted.
    var origin: Int64?
    /// The UNIX time of time 0, in seconds, or `nil` if unknown.
    var epoch: Double?
    /// Whether the parts are times of day, which restart at midnight.
    var isTimeOfDay = false
    /// Whether the month precedes the day, and whether the log confirms it.
    var isMonthFirst = true
    var isOrderCertain = true
    /// The number of digits of fractions without leading zeros.
    var unpadded: Int?
    /// The offset from UTC of times without a time zone, in seconds.
    var zone: Int64 = 0
    /// The rate, in rows per second, and the number of rows with the first timestamp, if timestamps are whole seconds.
    var wholeSeconds: (rate: Double, first: Int)?
  }

  /// A device's counter, which restarts at 0 after its largest value.
  struct Ticks: Equatable {
    /// The column's name.
    var column: String
    var perSecond: Double
    /// The number of values of the counter: 2¹⁶ or 2³².
    var modulus: Int64
    /// The source of the unit.
    var note: String
  }

  var actions: [Action] = []
  var emitters: [Emitter] = []
  /// The requested auxiliary channels that have columns.
  var auxiliary: [AuxiliaryChannel] = []
  /// Whether each row is one event of the channel that it names, as written by `EventTableWriter`.
  var isEventTable = false
  /// The columns whose texts distinguish rows.
  var tags: [RowTag] = []
  var longForm: LongForm?
  var slotCount = 0
  var clock: Clock
  /// Whether the actions include parts of times.
  var hasStampParts: Bool { if case .parts = clock { true } else { false } }
  var format: CSVFormat
  var notes: [String] = []

  /// The index of a channel's list of names among its text fields, for the channels with such a column.
  var listPlaces: [AuxiliaryChannel: Int] = [:]

  /// The first column of each channel, counted from 1.
  var columns: [SensorChannel: Int] {
    var result: [SensorChannel: Int] = [:]
    for emitter in emitters {
      let column = actions.firstIndex { action in
        switch action {
        case .value(let slot, _), .count(let slot, _): slot == emitter.firstSlot
        default: false
        }
      }
      if let column { result[emitter.channel] = column + 1 }
    }
    return result
  }
}

extension Dimension {
  /// The units of time.
  typealias TimeUnit = LogOptions.TimeUnit
}

extension LogOptions.TimeUnit {
  /// The conversion from this unit to seconds.
  var conversion: UnitConversion { Dimension.time.conversion(from: rawValue)! }

  init?(_ conversion: UnitConversion) {
    guard let unit = Self.allCases.first(where: { $0.conversion == conversion }) else { return nil }
    self = unit
  }
}
