internal import InertialSensors

/// What to do with the fields of each row of a CSV: which to read, in which unit, and what samples they make.
struct CSVLayout {
  enum Action {
    case skip
    case time
    /// A part of the row's time; the time is the sum of all parts.
    case stampPart(StampPart)
    /// A number: its place among the row's values, and its conversion.
    case value(slot: Int, UnitConversion)
    /// A value of an auxiliary channel, by the channel's place among `auxiliary`.
    case auxiliary(channel: Int, AuxiliaryCell)
    /// The name of the channel that a row of an events' table is of.
    case channelName
    /// A text that parts the rows: its index in `tags`.
    case tag(Int)
    /// A count of a 16-bit register, of which the sign may be lost.
    case count(slot: Int, UnitConversion)
    /// A number that is −1 where the values of some slots, read before, are none.
    case absence(slot: Int, count: Int)
  }

  /// How a row's values become a sample of a channel.
  enum Emitter {
    /// Values of consecutive slots, as many as the channel has components.
    case plain(SensorChannel, slot: Int)
    /// A calibrated field and, where `accuracy` is a slot, its accuracy.
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

  /// Where the times come from.
  enum Clock {
    case column(ColumnClock)
    /// Row i is at i / rate, in Hz.
    case rate(Double)
  }

  /// The unit of the column of times.
  enum ColumnClock {
    case known(Dimension.TimeUnit)
    /// Seconds, unless the stamps are so large that they are nanoseconds since 1970.
    case secondsOrUNIXNanoseconds
    /// Nanoseconds since 1970, or an error that asks for the unit.
    case unknown(line: Int?, column: Int, name: String)
    case ticks(Ticks)
    /// The sum of the columns that are `stampPart`s.
    case parts(Parts)
  }

  /// The meaning of a field that is a part of a row's time.
  enum StampPart: Equatable {
    /// A date, a time of day, or both, as text.
    case text
    /// A number in a unit of `nanoseconds`; `zero` is 1970-01-01.
    case number(nanoseconds: Double, zero: Double = 0)
    /// Seconds with a fraction whose leading zeros are missing: of three digits, 1.5 is 1.005 s.
    case unpadded(digits: Int)
  }

  /// A clock whose times are whole nanoseconds, the sum of the parts of a row.
  struct Parts {
    var kind: LogClock
    /// The first row's nanoseconds, subtracted from all; nil if nothing is subtracted.
    var origin: Int64?
    /// UNIX time in seconds of time 0; nil if unknown.
    var epoch: Double?
    /// Whether the parts are times of day, which restart at midnight.
    var isTimeOfDay = false
    /// Whether the month stands before the day, and whether the log has shown that.
    var isMonthFirst = true
    var isOrderCertain = true
    /// Digits of fractions whose leading zeros are missing.
    var unpadded: Int?
    /// The offset from UTC, in seconds, of times without a zone.
    var zone: Int64 = 0
    /// Rows a second and rows with the first stamp, if stamps are whole seconds.
    var wholeSeconds: (rate: Double, first: Int)?
  }

  /// A counter of a device, which begins anew at 0 after its largest value.
  struct Ticks: Equatable {
    /// The column's name.
    var column: String
    var perSecond: Double
    /// How many values the counter has: 2¹⁶ or 2³².
    var modulus: Int64
    /// How the unit was found.
    var note: String
  }

  var actions: [Action] = []
  var emitters: [Emitter] = []
  /// The wanted auxiliary channels that the columns have.
  var auxiliary: [AuxiliaryChannel] = []
  /// Whether each row is one event, of the channel that it names, as `EventTableWriter` writes them.
  var isEventTable = false
  /// The columns whose texts part the rows.
  var tags: [RowTag] = []
  var longForm: LongForm?
  var slotCount = 0
  var clock: Clock
  /// Whether the actions have parts of times.
  var hasStampParts: Bool { if case .column(.parts) = clock { true } else { false } }
  var format: CSVFormat
  var notes: [String] = []

  /// Where a channel's list of names is among its texts, for the channels that have a column with one.
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
  /// Units of time.
  typealias TimeUnit = LogOptions.TimeUnit
}

extension LogOptions.TimeUnit {
  /// The step from this unit to seconds.
  var conversion: UnitConversion { Dimension.time.conversion(from: rawValue)! }

  init?(_ conversion: UnitConversion) {
    guard let unit = Self.allCases.first(where: { $0.conversion == conversion }) else { return nil }
    self = unit
  }
}

/// The kinds of CSV.
enum CSVFormat: String, CaseIterable {
  case canonical = "canonical-csv"
  case deviceMotion = "device-motion-csv"
  case reference = "reference-csv"
  case described = "header-csv"

  var summary: String {
    switch self {
    case .canonical: "canonical raw CSV (s, g with Core Motion's sign, rad/s, µT)"
    case .deviceMotion: "device-motion CSV (fused columns; raw acceleration = gravity + userAcceleration)"
    case .reference: "reference orientation CSV (time and quaternion)"
    case .described: "CSV whose header names quantities and units"
    }
  }
}
