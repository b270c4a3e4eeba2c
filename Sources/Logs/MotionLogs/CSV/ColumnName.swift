/// The content of a CSV column, inferred from its name.
struct ColumnMeaning: Equatable {
  enum Quantity: Equatable {
    case time
    /// The acceleration including gravity.
    case acceleration
    /// The acceleration without gravity, by the name that only Core Motion uses.
    case userAcceleration
    /// The acceleration without gravity, by the name that other programs use.
    case linearAcceleration
    case gravity
    case rotationRate
    case deviceRotationRate
    case field
    case calibratedField
    case fieldAccuracy
    case quaternion
    case referenceQuaternion
    /// The angle about axis 0 (roll), 1 (pitch) or 2 (yaw), by Core Motion's convention.
    case eulerAngle
    case heading
    case movement
    /// The angle about axis 0 (roll), 1 (pitch) or 2 (yaw), by the aerospace convention: R = Rz(yaw) Ry(pitch)
    /// Rx(roll).
    case aerospaceAngle
    /// A value of −1 if the row has no orientation (axis 0), rotation rate (1) or acceleration (2).
    case absence
  }

  enum Unit: Equatable {
    /// Fixed by the name, such as `accelerationX` of the canonical CSV.
    case fixed(UnitConversion)
    /// Specified in the header.
    case written(String)
    case absent
  }

  var quantity: Quantity
  /// The index of the component, 0 to 3 for x, y, z and w.
  var axis = 0
  var unit: Unit = .absent
  /// Whether the name is one of Inertial's, with Core Motion's sign.
  var isCanonical = false

  var dimension: Dimension {
    switch quantity {
    case .time: .time
    case .acceleration, .userAcceleration, .linearAcceleration, .gravity: .acceleration
    case .rotationRate, .deviceRotationRate: .rotation
    case .field, .calibratedField: .field
    case .eulerAngle, .aerospaceAngle: .angle
    case .fieldAccuracy, .quaternion, .referenceQuaternion, .heading, .movement, .absence: .none
    }
  }
}

/// A column's name with its meaning.
struct ColumnName {
  /// The name as in the file, without quotes.
  let text: String
  /// The meaning, or `nil` if it is unknown.
  let meaning: ColumnMeaning?

  /// Whether the name belongs to an auxiliary channel.
  var isAuxiliary: Bool { meaning == nil && text.utf8.count <= 200 && AuxiliaryCell.match(text)?.cell != nil }

  /// - Parameter dialect: The dialect that specifies the meaning, or `nil` if the name describes it.
  init(_ text: String, dialect: CSVDialect? = nil) {
    self.text = text
    if let dialect {
      meaning = text.utf8.count <= 200 ? dialect.meaning(text) : nil
      return
    }
    let name = text.drop { $0 == "#" || $0 == "%" || $0 == "/" || $0.isWhitespace }
    guard name.utf8.count <= 200, Self.hasLetters(name) else {
      meaning = nil
      return
    }
    meaning = Self.canonical[String(name)] ?? Self.ownWithUnit(name) ?? Self.described(name)
  }

  /// Whether the text contains a letter or a character outside ASCII, as every name and unit does. The check is fast for
  /// numbers, the most frequent texts in a search for column names.
  private static func hasLetters(_ text: Substring) -> Bool {
    text.utf8.contains { (0x61...0x7A).contains($0 | 0x20) || $0 >= 0x80 }
  }

  /// Creates a name with an unknown meaning.
  init(unknown text: String) {
    self.text = text
    meaning = nil
  }

  // MARK: The project's own names

  private static let canonical: [String: ColumnMeaning] = {
    var names: [String: ColumnMeaning] = [:]
    func add(_ name: String, _ quantity: ColumnMeaning.Quantity, _ axis: Int = 0) {
      names[name] = ColumnMeaning(quantity: quantity, axis: axis, unit: .fixed(.identity), isCanonical: true)
    }
    let vectors: [(String, ColumnMeaning.Quantity)] = [
      ("acceleration", .acceleration), ("rotationRate", .rotationRate), ("magneticField", .field),
      ("gravity", .gravity), ("userAcceleration", .userAcceleration), ("quaternion", .quaternion),
    ]
    for (name, quantity) in vectors {
      for (axis, letter) in ["X", "Y", "Z", "W"].enumerated() where axis < 3 || quantity == .quaternion {
        add(name + letter, quantity, axis)
        // Core Motion's property paths, as datasets write them. `acceleration.x` is not specific to Core Motion.
        if quantity != .acceleration { add("\(name).\(letter.lowercased())", quantity, axis) }
      }
    }
    for (axis, angle) in ["roll", "pitch", "yaw"].enumerated() {
      add(angle, .eulerAngle, axis)
      add("attitude." + angle, .eulerAngle, axis)
    }
    add("magneticFieldAccuracy", .fieldAccuracy)
    add("heading", .heading)
    add("movement", .movement)
    names["time"] = ColumnMeaning(quantity: .time, isCanonical: true)
    return names
  }()

  /// Returns the meaning of one of Inertial's names followed by its unit, such as `roll [rad]`, as datasets contain on
  /// request.
  private static func ownWithUnit(_ name: Substring) -> ColumnMeaning? {
    guard let (body, unit) = splitOwnUnit(name), var meaning = canonical[body] else { return nil }
    if meaning.quantity == .heading { return unit == "deg" ? meaning : nil }
    let units: [Dimension: String] = [.time: "s", .acceleration: "g", .rotation: "rad/s", .field: "µT", .angle: "rad"]
    guard units[meaning.dimension] == unit else { return nil }
    if meaning.quantity == .time { meaning.unit = .written(unit) }
    return meaning
  }

  /// Splits `pressure [kPa]` into name and unit, or returns `nil` if the text has another form.
  static func splitOwnUnit(_ name: Substring) -> (name: String, unit: String)? {
    guard name.last == "]", let bracket = name.lastIndex(of: "["), bracket > name.startIndex else { return nil }
    let before = name.index(before: bracket)
    guard name[before] == " " else { return nil }
    return (String(name[..<before]), String(name[name.index(after: bracket)...].dropLast()))
  }

  // MARK: Names that describe

  private static func described(_ name: Substring) -> ColumnMeaning? {
    var (body, unit) = splitUnit(name)
    var words = words(body)
    guard !words.isEmpty else { return nil }
    // ROS's sensor_msgs/Imu fixes the units of its fields.
    let isROS = isROSField(body, words)
    if words.first == "field", isROS { words.removeFirst() }

    if words.count == 1, unit == nil, ["ms", "us", "µs", "ns"].contains(words[0]) {
      return ColumnMeaning(quantity: .time, unit: .written(words[0]))
    }
    // The abscissa of a channel.
    if words == ["x"], let unit, Dimension.time.conversion(from: unit) != nil {
      return ColumnMeaning(quantity: .time, unit: .written(unit))
    }
    // The time since the start of a camera's recording, in milliseconds.
    if words == ["cts"], unit == nil { return ColumnMeaning(quantity: .time, unit: .written("ms")) }
    if let time = timeMeaning(words, unit) { return time }
    // The mark of a reference may be a suffix, as in `qw_ref`.
    if words.count > 1, let last = words.last, isReference(last) { words = [last] + words.dropLast() }
    if let angle = ["roll", "pitch", "yaw"].firstIndex(of: words.last ?? "") {
      // Other programs define these angles differently. Core Motion's names contain attitude or motion.
      guard words.contains("attitude") || words.contains("motion") else { return nil }
      return ColumnMeaning(quantity: .eulerAngle, axis: angle, unit: unit.map { .written($0) } ?? .absent)
    }
    if words.contains("accuracy") {
      guard words.contains(where: { $0.hasPrefix("magn") }) else { return nil }
      return ColumnMeaning(quantity: .fieldAccuracy, unit: .fixed(.identity))
    }
    if words.last == "heading" { return ColumnMeaning(quantity: .heading, unit: .fixed(.identity)) }
    if words == ["movement"] || words == ["moving"] {
      return ColumnMeaning(quantity: .movement, unit: .fixed(.identity))
    }

    guard let axis = takeAxis(&words, unit: &unit) else { return nil }
    guard let quantity = vectorQuantity(words, unit: unit, axis: axis, isROS: isROS) else { return nil }
    if axis == 3, quantity != .quaternion, quantity != .referenceQuaternion { return nil }
    var meaning = ColumnMeaning(quantity: quantity, axis: axis, unit: unit.map { .written($0) } ?? .absent)
    if isROS, unit == nil {
      meaning.unit =
        switch quantity {
        case .acceleration: .written("m/s^2")
        case .rotationRate: .written("rad/s")
        case .field: .written("T")
        default: .absent
        }
    }
    if meaning.dimension == .none { meaning.unit = .fixed(.identity) }
    return meaning
  }

  /// Whether a name is a field of ROS's sensor_msgs/Imu or MagneticField: `field.linear_acceleration.x`,
  /// `linear_acceleration.x`, `/imu/linear_acceleration/x`.
  private static func isROSField(_ body: Substring, _ words: [String]) -> Bool {
    if words.first == "field", words.count > 1, body.contains(".") { return true }
    let path = body.split(whereSeparator: { $0 == "." || $0 == "/" })
    guard let field = path.dropLast().last else { return false }
    return ["linear_acceleration", "angular_velocity", "magnetic_field"].contains(field)
  }

  /// Splits a name into the part before a unit in parentheses or brackets and the unit, which is `nil` if missing or
  /// blank.
  static func splitUnit(_ name: Substring) -> (Substring, String?) {
    for (open, close) in [("(", ")"), ("[", "]")] as [(Character, Character)] {
      guard let end = name.lastIndex(of: close), let start = opening(of: end, in: name, open, close) else { continue }
      let unit = name[name.index(after: start)..<end]
      // `Accelerometer (z) [m/s2]`
      if ["x", "y", "z"].contains(unit) { continue }
      return (name[..<start], unit.allSatisfy(\.isWhitespace) ? nil : String(unit))
    }
    return (name, nil)
  }

  /// Returns the opening bracket that matches a closing bracket, as units may contain brackets: `(m/(s^2))`.
  private static func opening(
    of end: Substring.Index, in name: Substring, _ open: Character, _ close: Character
  ) -> Substring.Index? {
    var depth = 0
    for position in name[...end].indices.reversed() {
      if name[position] == close { depth += 1 }
      if name[position] == open { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }

  /// Returns lower-case words, split at punctuation, blanks and capitals ("UncalAccelXMps2" is uncal, accel, x, mps2).
  static func words(_ name: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character.isUppercase, !word.isEmpty {
        let follows = index + 1 < characters.count && characters[index + 1].isLowercase
        let before = characters[index - 1]
        if before.isLowercase || before.isNumber || follows && before.isUppercase {
          words.append(word)
          word = ""
        }
      }
      word += character.lowercased()
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Removes the axis from the words and returns its index. Words after the axis are the unit, as in `acc_x_mps2`.
  private static func takeAxis(_ words: inout [String], unit: inout String?) -> Int? {
    let letters = ["x", "y", "z", "w"]
    // The w of EuRoC's `w_RS_S_x` is omega: the last letter is the axis.
    if let position = words.lastIndex(where: letters.contains) {
      let axis = letters.firstIndex(of: words[position])
      if position == 0, words.count > 1, !isUnit(words[1...].joined(separator: "/")) {
        // The axis comes first, as in `x_acc`.
        words.removeFirst()
        return axis
      }
      if position + 1 < words.count {
        if unit == nil { unit = words[(position + 1)...].joined(separator: "/") }
        words.removeSubrange((position + 1)...)
      }
      words.removeLast()
      return axis
    }
    let stems: Set = ["a", "acc", "accel", "g", "gyr", "gyro", "m", "mag", "q", "quat", "omega"]
    // A unit after the axis, as in `mx_gauss`.
    if unit == nil, words.count > 1, stems.contains(String(words[0].dropLast())) {
      let rest = words[1...].joined(separator: "/")
      if isUnit(rest) { (unit, words) = (rest, [words[0]]) }
    }
    // ax, gyrox, qw.
    guard let last = words.last, let letter = last.last, let axis = letters.firstIndex(of: String(letter))
    else {
      return nil
    }
    let stem = String(last.dropLast())
    // If a name has only one or two letters, the unit determines the quantity, as in `hx (uT)`.
    let isShort = (1...2).contains(stem.count) && unit.map { sensorQuantity(ofUnit: $0) != nil } ?? (stem == "w")
    guard
      stems.contains(stem) || isShort || words == ["g", "f" + String(letter)]
    else {
      return nil
    }
    // The acceleration in g, as `gFx`.
    if words.count == 2, words[0] == "g", stem == "f" {
      words = ["a"]
      if unit == nil { unit = "g" }
      return axis
    }
    words[words.count - 1] = stem
    return axis
  }

  static func isUnit(_ text: String) -> Bool {
    hasLetters(text[...])
      && [Dimension.acceleration, .rotation, .field, .angle, .time].contains { $0.conversion(from: text) != nil }
  }

  /// Whether a word marks a column as ground truth.
  private static func isReference(_ word: String) -> Bool {
    ["gt", "true", "omc", "qtm"].contains(word)
      || ["ref", "opt", "truth", "mocap", "vicon", "ground", "motive", "qualisys"].contains(where: word.hasPrefix)
  }

  private static func timeMeaning(_ words: [String], _ unit: String?) -> ColumnMeaning? {
    let marks = [
      "time", "timestamp", "seconds", "elapsed", "t", "secs", "nanoseconds", "milliseconds", "stamp", "epoch", "epoc",
      "ts",
      "datetime", "date", "utc", "sec", "nsec", "nsecs", "nanosec", "nanosecs", "usec", "usecs", "msec", "msecs",
      "millis",
      "micros", "microseconds", "datenum", "clock", "zeit", "uhrzeit", "zeitstempel", "datum", "temps", "tiempo",
      "fecha",
    ]
    guard let first = words.first,
      marks.contains(first)
        || words.contains(where: { $0.hasSuffix("timestamp") || $0 == "time" || $0 == "stamp" })
        || first == "sample" && words.contains("time")
    else { return nil }
    if let unit {
      // `loggingTime(txt)` is a date; `timestamp(unix)` is UNIX time in seconds.
      if unit.lowercased() == "unix" { return ColumnMeaning(quantity: .time, unit: .written("s")) }
      if Dimension.time.conversion(from: unit) != nil { return ColumnMeaning(quantity: .time, unit: .written(unit)) }
      // A time zone, or a date format.
      let isOfDates = DateText.zone(unit) != nil || ["local", "date", "txt", "text", "iso"].contains(unit.lowercased())
      return isOfDates || unit.lowercased().contains("hh") ? ColumnMeaning(quantity: .time) : nil
    }
    // The time of day has no unit.
    for word in words.reversed() where word != "t" && !words.contains("of") {
      if Dimension.time.conversion(from: word) != nil {
        return ColumnMeaning(quantity: .time, unit: .written(word))
      }
    }
    return ColumnMeaning(quantity: .time)
  }

  private static func vectorQuantity(
    _ words: [String], unit: String?, axis: Int, isROS: Bool
  ) -> ColumnMeaning.Quantity? {
    let has = { (prefix: String) in words.contains { $0.hasPrefix(prefix) } }
    let joined = words.joined()
    let derived = ["bias", "covariance", "sigma", "std", "innov", "free", "earth", "magnitude", "euler", "delta"]
    if derived.contains(where: has) { return nil }
    let isDevice = words.first == "motion" || words.first == "device"
    let isOfReference = words.contains(where: isReference)
    let isPose = words.contains { ["orientation", "rotation", "pose", "ori", "rot"].contains($0) }
    if has("quat") || words.contains("q") || has("attitude") || joined == "orientation" || isOfReference && isPose {
      return isOfReference ? .referenceQuaternion : .quaternion
    }
    if has("gyr") || joined.contains("angularvelocity") || joined.contains("angularrate")
      || joined.contains("rotationrate") || joined.contains("rotrate") || joined == "omega" || joined == "g"
      || joined == "w"
    {
      return isDevice ? .deviceRotationRate : .rotationRate
    }
    let isAcceleration = words.contains { $0.hasPrefix("acc") && !$0.hasPrefix("accu") } || joined == "a"
    if has("grav") || isAcceleration && words.contains("g") {
      guard isAcceleration else { return .gravity }
      let isWithout =
        ["without", "excl", "minus", "less", "remov", "compensat"].contains(where: has)
        || words.contains { ["no", "wo", "o", "free"].contains($0) }
      let isWith = ["with", "incl", "plus", "raw"].contains(where: has)
      if isWithout { return .linearAcceleration }
      return isWith || !has("grav") ? .acceleration : .gravity
    }
    if has("user") { return .userAcceleration }
    if isAcceleration {
      return has("lin") && !isROS ? .linearAcceleration : .acceleration
    }
    if words.contains(where: { $0 == "mag" || $0.hasPrefix("magn") }) || joined == "m" || joined == "field" {
      let isCalibrated = isDevice || words.contains { $0.hasPrefix("calib") || $0 == "cal" }
      return isCalibrated ? .calibratedField : .field
    }
    // For x, y and z alone, and for EuRoC's w_RS_S_x and a_RS_S_x, the unit determines the quantity.
    let isShort = words.count == 1 && words[0].count <= 2
    guard words.isEmpty || isShort || words == ["w", "rs", "s"] || words == ["a", "rs", "s"] else { return nil }
    guard let unit else { return words.isEmpty ? .quaternion : nil }
    return sensorQuantity(ofUnit: unit)
  }

  private static func sensorQuantity(ofUnit unit: String) -> ColumnMeaning.Quantity? {
    if Dimension.rotation.conversion(from: unit) != nil { return .rotationRate }
    if Dimension.acceleration.conversion(from: unit) != nil { return .acceleration }
    if Dimension.field.conversion(from: unit) != nil { return .field }
    return nil
  }
}
