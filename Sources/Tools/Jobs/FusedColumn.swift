package import InertialFilters
package import InertialSensors

/// A column of the fused dataset, identified by its name in the header.
public struct FusedColumn: Sendable, Equatable {
  /// The name in the header.
  public let name: String
  /// The unit of the values.
  public let unit: String
  /// A description of the values, in one sentence.
  public let meaning: String
  /// The index of the column's value in a row of all columns: `all`, then `recognised`, then `innovations`.
  let index: Int
  /// The recogniser that fills the column, or `nil` for other columns.
  var recognition: Recognition?
  /// The measurement that the column describes, or `nil` for other columns.
  package var measurement: MeasurementKind?

  /// Every column in order: first the default columns (`standard`), then the columns that are written on request.
  public static let all: [FusedColumn] = facts.enumerated().map { index, facts in
    FusedColumn(name: facts.name, unit: facts.unit, meaning: facts.meaning, index: index)
  }

  /// The columns written by default, in order. The command guarantees them.
  public static let standard = Array(all[..<22])

  /// The columns of all recognisers, written if the recogniser is requested.
  package static let recognised: [FusedColumn] = Recognition.allCases
    .flatMap { recognition in recognition.annotator.columns.map { (recognition, $0) } }
    .enumerated().map { offset, column in
      let (recognition, facts) = column
      return FusedColumn(
        name: facts.name, unit: facts.unit, meaning: facts.meaning, index: all.count + offset, recognition: recognition)
    }

  /// The columns of the filter's measurement outcomes, grouped by kind of measurement. They are written on request, and
  /// are empty in rows without a measurement of the kind.
  package static let innovations: [FusedColumn] = MeasurementKind.ofAttitude.reduce(into: []) { columns, kind in
    for (name, unit, meaning) in kind.columnFacts {
      columns.append(
        FusedColumn(
          name: name, unit: unit, meaning: meaning, index: firstInnovation + columns.count, measurement: kind))
    }
  }

  /// Every column that a dataset can have: `all`, those of the recognisers, and those of the measurement outcomes.
  package static let known = all + recognised + innovations

  /// The index of the first value of `innovations`.
  static let firstInnovation = all.count + recognised.count

  /// The name that selects all of the filter's `innovations`.
  package static let innovationsWord = "innovations"

  /// The name that selects all `standard` columns.
  static let standardWord = "standard"

  /// The names of the columns with integer values.
  static let wholeNames: Set<String> = Set(
    ["magneticFieldAccuracy", "status", "segment", "line", "trust", "trustReason"]
      + MeasurementKind.ofAttitude.map { "\($0.rawValue)Verdict" })

  /// The column with the number of the row's segment between gaps.
  static let segment = all[29]

  /// The column with the line of the gyroscope's sample.
  static let line = all[30]

  /// The columns of the attitude relative to that of another row: a quaternion and Euler angles.
  static let relative = Array(all[31..<38])

  /// The columns with the reliability of the attitude and the reasons that limit it.
  static let trust = Array(all[38..<40])

  /// Returns the columns with the given names, in the given order. Recogniser and measurement columns are allowed.
  public static func named(_ names: [String]) throws(FusionError) -> [FusedColumn] {
    try named(names, ofFilter: nil)
  }

  /// Returns the columns with the given names, in the given order.
  ///
  /// - Parameter kind: The filter whose measurements `innovations` selects, or `nil` for the measurements of all
  ///   filters.
  /// - Throws: ``FusionError`` if a name is unknown or repeated, or if the filter reports no `innovations`.
  package static func named(
    _ names: [String], ofFilter kind: FilterKind?, smooths: Bool = false
  ) throws(FusionError) -> [FusedColumn] {
    let reported = kind?.measurementKinds(smoothing: smooths)
    var columns: [FusedColumn] = []
    for name in names {
      if name == innovationsWord {
        if let kind, reported?.isEmpty == true { throw kind.noMeasurements(smooths: smooths) }
        columns += innovations.filter { column in
          !columns.contains(column) && (reported?.contains { $0 == column.measurement } ?? true)
        }
        continue
      }
      if name == standardWord {
        columns += standard.filter { !columns.contains($0) }
        continue
      }
      if name == "flags" {
        throw .usage(
          "the column 'flags' is now 'status', as a pandas DataFrame has its own flags; use 'status'")
      }
      guard let column = known.first(where: { $0.name == name }) else {
        let names = ((all + recognised).map(\.name) + [standardWord, innovationsWord]).joined(separator: ", ")
        throw .usage("there is no column '\(name)'; there are \(names)")
      }
      guard !columns.contains(column) else { throw .usage("the column '\(name)' is listed twice") }
      columns.append(column)
    }
    guard !columns.isEmpty else { throw .usage("no column is listed") }
    return columns
  }

  private static let facts: [(name: String, unit: String, meaning: String)] = [
    ("time", "s", "timestamp of the input"),
    ("quaternionX", "1", "attitude, device to reference frame"),
    ("quaternionY", "1", "attitude, device to reference frame"),
    ("quaternionZ", "1", "attitude, device to reference frame"),
    ("quaternionW", "1", "attitude, device to reference frame"),
    ("roll", "rad", "rotation about Y"),
    ("pitch", "rad", "rotation about X"),
    ("yaw", "rad", "rotation about Z"),
    ("gravityX", "g", "unit vector, device axes"),
    ("gravityY", "g", "unit vector, device axes"),
    ("gravityZ", "g", "unit vector, device axes"),
    ("userAccelerationX", "g", "raw acceleration minus gravity, device axes"),
    ("userAccelerationY", "g", "raw acceleration minus gravity, device axes"),
    ("userAccelerationZ", "g", "raw acceleration minus gravity, device axes"),
    ("rotationRateX", "rad/s", "without bias, device axes"),
    ("rotationRateY", "rad/s", "without bias, device axes"),
    ("rotationRateZ", "rad/s", "without bias, device axes"),
    ("magneticFieldX", "µT", "without the hard-iron bias, device axes"),
    ("magneticFieldY", "µT", "without the hard-iron bias, device axes"),
    ("magneticFieldZ", "µT", "without the hard-iron bias, device axes"),
    ("magneticFieldAccuracy", "1", "-1 uncalibrated, 0 low, 1 medium, 2 high"),
    ("heading", "deg", "from the frame's north, clockwise, in degrees, unlike roll, pitch and yaw; -1 = none"),
    ("attitudeSigmaX", "rad", "standard deviation about the frame's X; empty if the filter has no covariance"),
    ("attitudeSigmaY", "rad", "standard deviation about the frame's Y; empty if the filter has no covariance"),
    (
      "attitudeSigmaZ", "rad",
      "standard deviation of the heading, 1.81 while a frame's north is unknown; empty if the filter has no covariance"
    ),
    ("gyroscopeBiasX", "rad/s", "the subtracted bias"),
    ("gyroscopeBiasY", "rad/s", "the subtracted bias"),
    ("gyroscopeBiasZ", "rad/s", "the subtracted bias"),
    (
      "status", "1",
      "sum of " + AttitudeFlags.names.map { "\($0.flag.rawValue) \($0.name)" }.joined(separator: ", ")
    ),
    ("segment", "1", "segment between gaps, counted from 1 with --gaps split; otherwise 1"),
    (
      "line", "1",
      "line of the gyroscope's sample in its file, or row of its array, from 1; empty for folders and at a fixed rate"
    ),
    ("relativeQuaternionX", "1", "attitude relative to the row of --relative-to, device to that pose"),
    ("relativeQuaternionY", "1", "attitude relative to the row of --relative-to, device to that pose"),
    ("relativeQuaternionZ", "1", "attitude relative to the row of --relative-to, device to that pose"),
    ("relativeQuaternionW", "1", "attitude relative to the row of --relative-to, device to that pose"),
    ("relativeRoll", "rad", "rotation about Y of the relative attitude"),
    ("relativePitch", "rad", "rotation about X of the relative attitude"),
    ("relativeYaw", "rad", "rotation about Z of the relative attitude"),
    ("trust", "1", AttitudeTrust.Level.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")),
    (
      "trustReason", "1",
      "sum of " + AttitudeTrust.Cause.ofRows.map { "\(1 << $0.rawValue) \($0.text)" }.joined(separator: ", ")
    ),
  ]
}

extension FusedColumn: Encodable {
  /// Encodes the column as its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
