internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// A property that a log does not specify, and that an option or the log's own data determine.
package enum LogQuestion: Sendable, Equatable {
  /// The units of columns.
  case units([UnspecifiedUnit])
  /// The meaning of the columns of a table without a header.
  case columns
  /// The rate of rows without a clock.
  case sampleRate
}

/// An option with its value.
package enum LogAnswer: Sendable, Equatable {
  case columns([String])
  case condition(RowCondition)
  case sampleRate(Double)
  case timeUnit(LogOptions.TimeUnit)
  case accelerationUnit(LogOptions.AccelerationUnit)
  case accelerationSign(LogOptions.AccelerationSign)
  case rotationUnit(LogOptions.RotationUnit)
  case fieldUnit(LogOptions.FieldUnit)
  case axes(SensorAxes)
  /// The subtraction of the constant offsets of the sensors' clocks.
  case alignment

  /// The option's name, and its value if it takes one.
  private var words: (name: String, value: String?) {
    switch self {
    case .columns(let names): ("--columns", names.joined(separator: ","))
    case .condition(let condition): ("--where", "\(condition.column)=\(condition.value)")
    case .sampleRate(let rate): ("--sample-rate", Self.short(rate))
    case .timeUnit(let unit): ("--time-unit", unit.rawValue)
    case .accelerationUnit(let unit): ("--acceleration-unit", unit.text)
    case .accelerationSign(let sign): ("--acceleration-sign", sign.rawValue)
    case .rotationUnit(let unit): ("--rotation-unit", unit.text)
    case .fieldUnit(let unit): ("--field-unit", unit.rawValue)
    case .axes(let axes): axes.body.map { ("--body", $0.letters) } ?? ("--axes", axes.text)
    case .alignment: ("--align", nil)
    }
  }

  /// The option, quoted for a shell.
  package var text: String {
    let (name, value) = words
    return value.map { "\(name) \($0.quotedForShell)" } ?? name
  }

  /// Whether another answer is to the same question, so that only one of the two applies.
  func replaces(_ other: LogAnswer) -> Bool {
    if case .axes(let one) = self, case .axes(let two) = other {
      return one.sensor == two.sensor && one.body == two.body
    }
    return words.name == other.words.name
  }

  func apply(to options: inout LogOptions) {
    switch self {
    case .columns(let names): options.columns = names
    case .condition(let condition): options.conditions = (options.conditions ?? []) + [condition]
    case .sampleRate(let rate): options.sampleRate = rate
    case .timeUnit(let unit): options.timeUnit = unit
    case .accelerationUnit(let unit): options.accelerationUnit = unit
    case .accelerationSign(let sign): options.accelerationSign = sign
    case .rotationUnit(let unit): options.rotationUnit = unit
    case .fieldUnit(let unit): options.fieldUnit = unit
    case .axes(let axes): options.axes.append(axes)
    case .alignment: break
    }
  }

  /// Returns a command with a log and answers, quoted for a shell.
  static func command(_ path: String, _ answers: [LogAnswer]) -> String {
    // A name that begins with a dash looks like an option.
    (["inertial fuse", (path.hasPrefix("-") ? "./" + path : path).quotedForShell] + answers.map(\.text)).joined(
      separator: " ")
  }

  private static func short(_ rate: Double) -> String {
    Int(exactly: rate).map { "\($0)" } ?? "\(rate)"
  }
}

extension LogOptions {
  /// The given options, except the calibration, whose file is not kept.
  package var answers: [LogAnswer] {
    var answers: [LogAnswer] = []
    if let columns { answers.append(.columns(columns)) }
    answers += (conditions ?? []).map(LogAnswer.condition)
    if let sampleRate { answers.append(.sampleRate(sampleRate)) }
    if let timeUnit { answers.append(.timeUnit(timeUnit)) }
    if let accelerationUnit { answers.append(.accelerationUnit(accelerationUnit)) }
    if let accelerationSign { answers.append(.accelerationSign(accelerationSign)) }
    if let rotationUnit { answers.append(.rotationUnit(rotationUnit)) }
    if let fieldUnit { answers.append(.fieldUnit(fieldUnit)) }
    return answers + axes.map(LogAnswer.axes)
  }
}
