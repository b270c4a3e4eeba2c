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
  private(set) var roles: [Role] = []
  private(set) var streams: [Stream] = []
  private(set) var tables: [Table] = []
  private(set) var numberCount = 0
  private(set) var notes: [String] = []
  /// The first column of each channel, counted from 1.
  private(set) var firstColumns: [SensorChannel: Int] = [:]
  /// The indices of the timestamps that count from the device's start.
  private(set) var bootStamps: [Int] = []

  private static let axes = ["X", "Y", "Z"]

  /// Parses a header line, or returns `nil` if it is not SensorLog's: no timestamps of its kind, or no sensor with
  /// them.
  init?(header: UnsafeRawBufferPointer, wanted: Set<AuxiliaryChannel>) {
    guard header.count < 1 << 16 else { return nil }
    var best: (FieldSeparator, [String])?
    for separator in [FieldSeparator.comma, .semicolon, .tab] {
      var scanner = FieldScanner(header, separator: separator)
      var names: [String] = []
      while let name = scanner.nextText() { names.append(String(ColumnName.splitUnit(name[...]).0)) }
      // The header ends with a comma.
      if names.last?.isEmpty == true { names.removeLast() }
      if names.count > best?.1.count ?? 1 { best = (separator, names) }
    }
    guard let (separator, names) = best else { return nil }
    self.separator = separator
    roles = Array(repeating: .skipped, count: names.count)
    var builder = Builder(names: names)
    builder.addMotion()
    guard !builder.streams.isEmpty else { return nil }
    if let column = builder.column("loggingTime") { builder.roles[column] = .loggingTime }
    if let column = builder.column("motionAttitudeReferenceFrame") { builder.roles[column] = .frame }
    builder.addAuxiliary(wanted)
    roles = builder.roles
    streams = builder.streams
    tables = builder.tables
    numberCount = builder.numberCount
    notes = builder.notes
    firstColumns = builder.firstColumns
    bootStamps = builder.bootStamps
  }

  private struct Builder {
    let names: [String]
    var roles: [Role]
    var streams: [Stream] = []
    var tables: [Table] = []
    var numberCount = 0
    var notes: [String] = []
    var firstColumns: [SensorChannel: Int] = [:]
    var bootStamps: [Int] = []

    init(names: [String]) {
      self.names = names
      roles = Array(repeating: .skipped, count: names.count)
    }

    func column(_ name: String) -> Int? { names.firstIndex(of: name) }

    /// Returns the index of a column among the row's numbers, or `nil` if the column is missing.
    mutating func place(_ name: String) -> Int? {
      guard let column = column(name) else { return nil }
      if case .number(let place) = roles[column] { return place }
      roles[column] = .number(numberCount)
      numberCount += 1
      return numberCount - 1
    }

    mutating func places(_ wanted: [String]) -> [Int]? {
      guard wanted.allSatisfy({ column($0) != nil }) else { return nil }
      return wanted.compactMap { place($0) }
    }

    mutating func stamp(_ sensor: String) -> Int? {
      guard let place = place(sensor + "Timestamp_sinceReboot") else { return nil }
      if !bootStamps.contains(place) { bootStamps.append(place) }
      return place
    }

    mutating func add(_ channel: SensorChannel, sensor: String, _ wanted: [String], added: [String] = []) -> Bool {
      guard column(sensor + "Timestamp_sinceReboot") != nil, let values = places(wanted),
        let more = added.isEmpty ? [] : places(added), let stamp = stamp(sensor)
      else { return false }
      streams.append(Stream(channel: channel, stamp: stamp, values: values, added: more))
      firstColumns[channel] = column(wanted[0]).map { $0 + 1 }
      return true
    }

    mutating func addMotion() {
      func names(_ stem: String) -> [String] { SensorLogColumns.axes.map { stem + $0 } }
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

    mutating func addAuxiliary(_ wanted: Set<AuxiliaryChannel>) {
      for file in SensorLogColumns.auxiliary where wanted.contains(file.channel) {
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
  }

  private struct AuxiliaryBlock {
    var channel: AuxiliaryChannel
    var stamp: String?
    var columns: [AuxiliaryColumn]
  }

  /// The column blocks of other sensors. The app repeats their last values in every row.
  private static let auxiliary: [AuxiliaryBlock] = [
    AuxiliaryBlock(
      channel: .barometer, stamp: "altimeterTimestamp_sinceReboot",
      columns: [
        .number("altimeterRelativeAltitude", "relativeAltitude"), .number("altimeterPressure", "pressure"),
      ]),
    AuxiliaryBlock(
      channel: .pedometer, stamp: nil,
      columns: [
        .number("pedometerNumberofSteps", "numberOfSteps"), .number("pedometerNumberOfSteps", "numberOfSteps"),
        .number("pedometerDistance", "pedometerDistance"),
        .number("pedometerAverageActivePace", "averageActivePace"), .number("pedometerCurrentPace", "currentPace"),
        .number("pedometerCurrentCadence", "currentCadence"),
        .number("pedometerFloorAscended", "floorsAscended"), .number("pedometerFloorsAscended", "floorsAscended"),
        .number("pedometerFloorDescended", "floorsDescended"),
        .number("pedometerFloorsDescended", "floorsDescended"),
      ]),
    AuxiliaryBlock(
      channel: .activity, stamp: "activityTimestamp_sinceReboot",
      columns: [
        .activity("activity"),
        .word("activityActivityConfidence", "activityConfidence", AuxiliaryCell.confidences),
      ]),
    AuxiliaryBlock(
      channel: .location, stamp: "locationTimestamp_since1970",
      columns: [
        .number("locationLatitude", "latitude"), .number("locationLongitude", "longitude"),
        .number("locationAltitude", "locationAltitude"), .number("locationSpeed", "speed"),
        .number("locationSpeedAccuracy", "speedAccuracy"), .number("locationCourse", "course"),
        .number("locationCourseAccuracy", "courseAccuracy"),
        .number("locationVerticalAccuracy", "verticalAccuracy"),
        .number("locationHorizontalAccuracy", "horizontalAccuracy"), .number("locationFloor", "floorLevel"),
      ]),
    AuxiliaryBlock(
      channel: .compass, stamp: "locationHeadingTimestamp_since1970",
      columns: [
        .number("locationTrueHeading", "trueHeading"), .number("locationMagneticHeading", "magneticHeading"),
        .number("locationHeadingAccuracy", "headingAccuracy"),
      ]),
    AuxiliaryBlock(
      channel: .microphone, stamp: nil,
      columns: [
        .number("avAudioRecorderAveragePower", "soundLevel"), .number("avAudioRecorderPeakPower", "soundPeak"),
      ]),
    AuxiliaryBlock(
      channel: .battery, stamp: nil,
      columns: [
        .number("batteryLevel", "batteryLevel"),
        .word("batteryState", "batteryState", AuxiliaryCell.batteryStates),
      ]),
    AuxiliaryBlock(channel: .annotation, stamp: nil, columns: [.text("label", "annotation")]),
  ]
}
