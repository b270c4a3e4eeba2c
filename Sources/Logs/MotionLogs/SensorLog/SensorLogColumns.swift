internal import InertialSensors

/// The meanings of the columns of a SensorLog file, by name; the app's names include fixed units.
struct SensorLogColumns {
  /// The use of a field.
  enum Role {
    case skipped
    /// The time of the row, as text.
    case loggingTime
    /// The name of the frame of the device's attitude.
    case frame
    /// A number of the row, by its index.
    case number(Int)
    /// A value of an auxiliary channel, by the index of its table.
    case auxiliary(Int, AuxiliaryCell)
  }

  /// A sensor's samples: the indices of the timestamp and of the values among the row's numbers.
  struct Stream {
    var channel: SensorChannel
    var stamp: Int
    var values: [Int]
    /// A second vector to add: user acceleration to gravity.
    var added: [Int] = []
  }

  /// An auxiliary channel, and the source of its times.
  struct Table {
    var channel: AuxiliaryChannel
    /// The index of the timestamp among the row's numbers, or `nil` for the row's time.
    var stamp: Int?
    /// Whether the timestamp is UNIX time.
    var isUNIX = false
  }

  let separator: FieldSeparator
  private let names: [String]
  private(set) var roles: [Role] = []
  private(set) var streams: [Stream] = []
  private(set) var tables: [Table] = []
  private(set) var numberCount = 0
  private(set) var notes: [String] = []
  /// The first column of each channel, counted from 1.
  private(set) var firstColumns: [SensorChannel: Int] = [:]
  /// The indices of the timestamps that count from the device's start.
  private(set) var bootStamps: [Int] = []

  /// Parses a header line, or returns `nil` if it is not SensorLog's: no timestamps of its kind, or no sensor with
  /// them.
  init?(header: UnsafeRawBufferPointer, wanted: Set<AuxiliaryChannel>) {
    guard header.count < 1 << 16 else { return nil }
    var best: (FieldSeparator, [String])?
    for separator in [FieldSeparator.comma, .semicolon, .tab] {
      var names = FieldScanner.texts(header, separator).map { String(ColumnName.splitUnit($0[...]).0) }
      // The header ends with a comma.
      if names.last?.isEmpty == true { names.removeLast() }
      if names.count > best?.1.count ?? 1 { best = (separator, names) }
    }
    guard let (separator, names) = best else { return nil }
    (self.separator, self.names) = (separator, names)
    roles = Array(repeating: .skipped, count: names.count)
    addMotion()
    guard !streams.isEmpty else { return nil }
    if let column = column("loggingTime") { roles[column] = .loggingTime }
    if let column = column("motionAttitudeReferenceFrame") { roles[column] = .frame }
    addAuxiliary(wanted)
  }

  private func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  /// Returns the index of a column among the row's numbers, or `nil` if the column is missing.
  private mutating func place(_ name: String) -> Int? {
    guard let column = column(name) else { return nil }
    if case .number(let place) = roles[column] { return place }
    roles[column] = .number(numberCount)
    numberCount += 1
    return numberCount - 1
  }

  private mutating func places(_ wanted: [String]) -> [Int]? {
    guard wanted.allSatisfy({ column($0) != nil }) else { return nil }
    return wanted.compactMap { place($0) }
  }

  private mutating func stamp(_ sensor: String) -> Int? {
    guard let place = place(sensor + "Timestamp_sinceReboot") else { return nil }
    if !bootStamps.contains(place) { bootStamps.append(place) }
    return place
  }

  private mutating func add(_ channel: SensorChannel, sensor: String, _ wanted: [String], added: [String] = []) -> Bool
  {
    guard column(sensor + "Timestamp_sinceReboot") != nil, let values = places(wanted),
      let more = added.isEmpty ? [] : places(added), let stamp = stamp(sensor)
    else { return false }
    streams.append(Stream(channel: channel, stamp: stamp, values: values, added: more))
    firstColumns[channel] = column(wanted[0]).map { $0 + 1 }
    return true
  }

  private mutating func addMotion() {
    func names(_ stem: String) -> [String] { ["X", "Y", "Z"].map { stem + $0 } }
    let gravity = names("motionGravity")
    let user = names("motionUserAcceleration")
    let rate = names("motionRotationRate")
    if !add(.gyroscope, sensor: "gyro", names("gyroRotation")), add(.gyroscope, sensor: "motion", rate) {
      notes.append("raw gyroscope: absent, replaced by the device's rotation rate")
    }
    if !add(.accelerometer, sensor: "accelerometer", names("accelerometerAcceleration")),
      add(.accelerometer, sensor: "motion", gravity, added: user)
    {
      notes.append("raw acceleration: gravity + user acceleration")
    }
    _ = add(.magnetometer, sensor: "magnetometer", names("magnetometer"))
    let field = names("motionMagneticField")
    if !add(.calibratedMagneticField, sensor: "motion", field + ["motionMagneticFieldCalibrationAccuracy"]) {
      _ = add(.calibratedMagneticField, sensor: "motion", field)
    }
    _ = add(.deviceAttitude, sensor: "motion", ["X", "Y", "Z", "W"].map { "motionQuaternion" + $0 })
    _ = add(.deviceGravity, sensor: "motion", gravity)
    _ = add(.deviceUserAcceleration, sensor: "motion", user)
    _ = add(.deviceRotationRate, sensor: "motion", rate)
    _ = add(.deviceHeading, sensor: "motion", ["motionHeading"])
  }

  private mutating func addAuxiliary(_ wanted: Set<AuxiliaryChannel>) {
    for file in Self.auxiliary where wanted.contains(file.channel) {
      let found = file.columns.compactMap { column -> (Int, AuxiliaryCell)? in
        guard let place = self.column(column.header), let cell = column.cell(in: file.channel) else { return nil }
        return (place, cell)
      }
      guard !found.isEmpty else { continue }
      var table = Table(channel: file.channel)
      if let name = file.stamp {
        if name.hasSuffix("_since1970") {
          table.stamp = place(name)
          table.isUNIX = true
        } else {
          table.stamp = stamp(String(name.prefix { $0 != "T" }))
        }
      }
      for (column, cell) in found {
        // Each column belongs to one channel.
        if case .skipped = roles[column] { roles[column] = .auxiliary(tables.count, cell) }
      }
      tables.append(table)
    }
  }

  /// The column blocks of other sensors. The app repeats their last values in every row.
  private static let auxiliary: [(channel: AuxiliaryChannel, stamp: String?, columns: [AuxiliaryColumn])] = [
    (
      .barometer, "altimeterTimestamp_sinceReboot",
      [
        .number("altimeterRelativeAltitude", "relativeAltitude"), .number("altimeterPressure", "pressure"),
      ]
    ),
    (
      .pedometer, nil,
      [
        .number("pedometerNumberofSteps", "numberOfSteps"), .number("pedometerNumberOfSteps", "numberOfSteps"),
        .number("pedometerDistance", "pedometerDistance"),
        .number("pedometerAverageActivePace", "averageActivePace"), .number("pedometerCurrentPace", "currentPace"),
        .number("pedometerCurrentCadence", "currentCadence"),
        .number("pedometerFloorAscended", "floorsAscended"), .number("pedometerFloorsAscended", "floorsAscended"),
        .number("pedometerFloorDescended", "floorsDescended"),
        .number("pedometerFloorsDescended", "floorsDescended"),
      ]
    ),
    (
      .activity, "activityTimestamp_sinceReboot",
      [
        .activity("activity"),
        .word("activityActivityConfidence", "activityConfidence", AuxiliaryCell.confidences),
      ]
    ),
    (
      .location, "locationTimestamp_since1970",
      [
        .number("locationLatitude", "latitude"), .number("locationLongitude", "longitude"),
        .number("locationAltitude", "locationAltitude"), .number("locationSpeed", "speed"),
        .number("locationSpeedAccuracy", "speedAccuracy"), .number("locationCourse", "course"),
        .number("locationCourseAccuracy", "courseAccuracy"),
        .number("locationVerticalAccuracy", "verticalAccuracy"),
        .number("locationHorizontalAccuracy", "horizontalAccuracy"), .number("locationFloor", "floorLevel"),
      ]
    ),
    (
      .compass, "locationHeadingTimestamp_since1970",
      [
        .number("locationTrueHeading", "trueHeading"), .number("locationMagneticHeading", "magneticHeading"),
        .number("locationHeadingAccuracy", "headingAccuracy"),
      ]
    ),
    (
      .microphone, nil,
      [
        .number("avAudioRecorderAveragePower", "soundLevel"), .number("avAudioRecorderPeakPower", "soundPeak"),
      ]
    ),
    (
      .battery, nil,
      [
        .number("batteryLevel", "batteryLevel"),
        .word("batteryState", "batteryState", AuxiliaryCell.batteryStates),
      ]
    ),
    (.annotation, nil, [.text("label", "annotation")]),
  ]
}
