internal import InertialCalibration
public import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

extension LogOptions: Decodable {
  /// Decodes options; missing members leave the property to the log.
  ///
  /// - Throws: ``FusionError`` if a member is unknown or has an invalid value.
  public init(from decoder: any Decoder) throws { try self.init(RequestObject(JSONValue(from: decoder))) }

  /// Creates the options that an object of a request contains.
  ///
  /// In addition to the encoded members, `body` is the frame of a vehicle's axes, applied before `axes`, and
  /// `calibration` may be the path of a file of `inertial calibrate`.
  ///
  /// - Throws: ``FusionError`` if a member is unknown or has an invalid value.
  init(_ request: RequestObject?) throws(FusionError) {
    self.init()
    guard var request else { return }
    accelerationUnit = try request.value(
      "accelerationUnit", { AccelerationUnit($0) }, takes: "g, m/s2, mg, or counts such as 16384/g")
    accelerationSign = try request.choice("accelerationSign")
    rotationUnit = try request.value(
      "rotationUnit", { RotationUnit($0) }, takes: "rad/s, deg/s, or counts such as 131/dps")
    (fieldUnit, timeUnit) = (try request.choice("fieldUnit"), try request.choice("timeUnit"))
    columns = try request.names("columns")
    sampleRate = try request.number("sampleRate")
    if let body = try request.value(
      "body", { letters in BodyFrame.allCases.first { $0.letters == letters } },
      takes: BodyFrame.allCases.map(\.letters).joined(separator: ", "))
    {
      axes = [.body(body)]
    }
    for text in try request.texts("axes") ?? [] {
      guard let mounting = SensorAxes(text) else {
        throw request.invalid("axes", takes: "mappings such as -y,x,z or gyroscope=x,y,-z", not: text)
      }
      axes.append(mounting)
    }
    conditions = try request.conditions("conditions")
    switch request.take("calibration") {
    case nil: break
    case .text(let path): calibration = try DeviceCalibration(path: path).applied
    case let value?: calibration = try value.decoded(at: request.path(of: "calibration"))
    }
    try request.finish()
    try checkNumbers()
  }

  /// - Throws: ``FusionError`` if a number is outside its range.
  package func checkNumbers() throws(FusionError) {
    if let sampleRate, !(sampleRate >= 1e-6 && sampleRate <= 1e6) {
      throw .usage("--sample-rate takes a number of Hz above 0 and up to 1000000, not \(sampleRate)")
    }
  }
}

extension RequestObject {
  /// Returns the conditions of a list, whose elements are strings such as "device=left" or objects with `column` and
  /// `value`; a single string is a list of one.
  fileprivate mutating func conditions(_ name: String) throws(FusionError) -> [RowCondition]? {
    guard let value = take(name) else { return nil }
    let values = if case .list(let values) = value { values } else { [value] }
    return try values.map { (value) throws(FusionError) in
      if case .text(let text) = value, let condition = RowCondition(text) { return condition }
      return try value.decoded(at: path(of: name))
    }
  }

  /// Returns the place of an object with `latitude`, `longitude` and `altitude` (0 if missing).
  mutating func place(_ name: String) throws(FusionError) -> Place? {
    guard var object = try object(name) else { return nil }
    let (latitude, longitude) = (try object.number("latitude"), try object.number("longitude"))
    guard let latitude, let longitude else { throw invalid(name, takes: "latitude and longitude together") }
    let altitude = try object.number("altitude") ?? 0
    try object.finish()
    return Place(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  /// Returns the decimal year of a number, or of a string such as "2024-05-17".
  mutating func year(_ name: String) throws(FusionError) -> Double? {
    guard case .text? = members[name] else { return try number(name) }
    return try value(
      name, { DecimalYear.parse($0) }, takes: "a day such as 2024-05-17 or a decimal year such as 2024.37")
  }
}
