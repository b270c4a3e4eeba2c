package import InertialFilters
internal import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// A column of the fused dataset, by its name in the header.
public struct FusedColumn: Sendable, Equatable {
  /// The name in the header.
  public let name: String
  /// The unit of its numbers.
  public let unit: String
  /// What its numbers are, in a sentence.
  public let meaning: String
  /// Place of its number in `FusedRow`: that among `all`, then among `recognised`, then among `innovations`.
  let index: Int
  /// Whose column it is, of those of recognisers.
  var recognition: Recognition?
  /// What it tells of, of those of measurements.
  package var measurement: MeasurementKind?

  /// Every column in order: first those written by default (`standard`), then those written where asked for.
  public static let all: [FusedColumn] = facts.enumerated().map { index, facts in
    FusedColumn(name: facts.name, unit: facts.unit, meaning: facts.meaning, index: index)
  }

  /// The columns written by default, in their order: the command's contract.
  public static let standard = Array(all[..<22])

  /// The columns of all recognisers, which are written where those are asked for.
  package static let recognised: [FusedColumn] = Recognition.allCases
    .flatMap { recognition in recognition.annotator.columns.map { (recognition, $0) } }
    .enumerated().map { offset, column in
      let (recognition, facts) = column
      return FusedColumn(
        name: facts.name, unit: facts.unit, meaning: facts.meaning, index: all.count + offset, recognition: recognition)
    }

  /// The columns of what the filter made of its measurements, a group for each kind. They are written where asked for, and
  /// empty in rows without a measurement of the kind.
  package static let innovations: [FusedColumn] = MeasurementColumns.all(from: all.count + recognised.count)

  /// The word that stands for all of `innovations` that a filter has.
  package static let innovationsWord = "innovations"

  /// The columns whose numbers are whole.
  static let wholeNames: Set<String> = Set(
    ["magneticFieldAccuracy", "status", "segment"] + MeasurementKind.ofAttitude.map { "\($0.rawValue)Verdict" })

  /// Which stretch between gaps a row is of.
  static let segment = all[29]

  /// The columns of the given names, in the given order: the motion's own, and those of recognisers and measurements.
  public static func named(_ names: [String]) throws(FusionError) -> [FusedColumn] {
    try named(names, ofFilter: nil)
  }

  /// - Parameter kind: the filter, whose measurements `innovations` stands for; nil for those of all filters.
  /// - Throws: also where `innovations` are asked for of a filter that tells none.
  package static func named(
    _ names: [String], ofFilter kind: FilterKind?, smooths: Bool = false
  ) throws(FusionError) -> [FusedColumn] {
    let told = kind?.measurementKinds(smoothing: smooths)
    var columns: [FusedColumn] = []
    for name in names {
      if name == innovationsWord {
        if let kind, told?.isEmpty == true { throw kind.noMeasurements(smooths: smooths) }
        columns += innovations.filter { column in
          !columns.contains(column) && (told?.contains { $0 == column.measurement } ?? true)
        }
        continue
      }
      if name == "flags" {
        throw .usage(
          "the column 'flags' is called 'status', as a DataFrame of pandas has flags of its own; ask for that")
      }
      guard let column = (all + recognised + innovations).first(where: { $0.name == name }) else {
        let known = ((all + recognised).map(\.name) + [innovationsWord]).joined(separator: ", ")
        throw .usage("there is no column '\(name)'; there are \(known)")
      }
      guard !columns.contains(column) else { throw .usage("column '\(name)' is asked for twice") }
      columns.append(column)
    }
    guard !columns.isEmpty else { throw .usage("no column is asked for") }
    return columns
  }

  private static let facts: [(name: String, unit: String, meaning: String)] = [
    ("time", "s", "time as in the input"),
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
    ("magneticFieldX", "µT", "without the device's own field, device axes"),
    ("magneticFieldY", "µT", "without the device's own field, device axes"),
    ("magneticFieldZ", "µT", "without the device's own field, device axes"),
    ("magneticFieldAccuracy", "1", "-1 uncalibrated, 0 low, 1 medium, 2 high"),
    ("heading", "deg", "from the frame's north, clockwise, in degrees, unlike roll, pitch and yaw; -1 = none"),
    ("attitudeSigmaX", "rad", "standard deviation about the frame's X; empty where the filter has none"),
    ("attitudeSigmaY", "rad", "standard deviation about the frame's Y; empty where the filter has none"),
    ("attitudeSigmaZ", "rad", "standard deviation of the heading; empty where the filter has none"),
    ("gyroscopeBiasX", "rad/s", "the bias taken off"),
    ("gyroscopeBiasY", "rad/s", "the bias taken off"),
    ("gyroscopeBiasZ", "rad/s", "the bias taken off"),
    (
      "status", "1",
      "sum of " + AttitudeFlags.names.map { "\($0.flag.rawValue) \($0.name)" }.joined(separator: ", ")
    ),
    ("segment", "1", "stretch between gaps, counted from 1 with --gaps split; else 1"),
  ]
}

/// The numbers of one device motion in the order of `FusedColumn.all`, then of what is recognised, then of measurements; NaN
/// is an empty field.
struct FusedRow {
  /// Of the rows that follow.
  var segment = 1.0
  private(set) var values = [Double](
    repeating: .nan, count: FusedColumn.all.count + FusedColumn.recognised.count + FusedColumn.innovations.count)
  /// Angles cost as much as all the rest, and are not always asked for.
  private let hasAngles: Bool
  private let hasInnovations: Bool

  /// - Parameter columns: those that will be asked for; others may be left empty.
  init(columns: [FusedColumn] = FusedColumn.all) {
    hasAngles = columns.contains { (5...7).contains($0.index) }
    hasInnovations = columns.contains { $0.measurement != nil }
  }

  mutating func set(_ motion: DeviceMotion) {
    guard !motion.isUnknown else {
      setUnknown(motion)
      return
    }
    let (hasAngles, segment) = (hasAngles, segment)
    values.withUnsafeMutableBufferPointer { values in
      values[0] = motion.time
      let q = motion.attitude.quaternion
      (values[1], values[2], values[3], values[4]) = (q.x, q.y, q.z, q.w)
      if hasAngles {
        let angles = motion.attitude.eulerAngles
        (values[5], values[6], values[7]) = (angles.roll, angles.pitch, angles.yaw)
      }
      values.set(8, motion.gravity)
      values.set(11, motion.userAcceleration)
      values.set(14, motion.rotationRate)
      values.set(17, motion.magneticField)
      values[20] = Double(motion.magneticFieldAccuracy.rawValue)
      values[21] = motion.heading
      values.set(22, motion.attitudeSigma)
      values.set(25, motion.gyroscopeBias)
      values[28] = Double(motion.flags.rawValue)
      values[29] = segment
    }
    if hasInnovations {
      let start = FusedColumn.all.count + FusedColumn.recognised.count
      for index in start..<values.count { values[index] = .nan }
      // Of several of one kind, the last one.
      for outcome in motion.measurements ?? [] { MeasurementColumns.set(outcome, in: &values, from: start) }
    }
  }

  /// To be called after `set`, by the places of `FusedColumn.recognised`.
  mutating func set(recognised: [Double]) {
    for (offset, value) in recognised.enumerated() { values[FusedColumn.all.count + offset] = value }
  }

  /// A time of which nothing is known: all other fields are empty, but for what says so.
  private mutating func setUnknown(_ motion: DeviceMotion) {
    for index in values.indices { values[index] = .nan }
    values[0] = motion.time
    values[28] = Double(motion.flags.rawValue)
    values[29] = segment
  }
}

extension UnsafeMutableBufferPointer<Double> {
  @inline(__always)
  fileprivate func set(_ index: Int, _ vector: Vector3?) {
    self[index] = vector?.x ?? .nan
    self[index + 1] = vector?.y ?? .nan
    self[index + 2] = vector?.z ?? .nan
  }
}

extension FusedColumn: Encodable {
  /// By its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
