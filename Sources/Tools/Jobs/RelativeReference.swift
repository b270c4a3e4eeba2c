internal import InertialLogs
internal import InertialNumerics
internal import InertialRotations

/// The row whose attitude is the reference of the relative attitude: `q_reference⁻¹ ⊗ q`, as by
/// `CMAttitude.multiply(byInverseOf:)`.
public enum RelativeReference: Sendable, Equatable {
  /// The first row with an attitude.
  case first
  /// The first row with an attitude at or after a time of the log, in seconds. Earlier rows have no relative attitude.
  case time(Double)

  /// The word for the first row, in options and requests.
  package static let firstWord = "first"

  /// Creates a reference from the word `first` or a number of seconds, or returns `nil` for any other text.
  package init?(_ text: String) {
    if text == Self.firstWord {
      self = .first
    } else if let time = Double(text), time.isFinite {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// Whether the row at a time can be the reference.
  func allows(_ time: Double) -> Bool { if case .time(let start) = self { time >= start } else { true } }
}

extension RelativeReference {
  /// The reference as a fact of a dataset's metadata.
  var datasetFact: HDF5Attribute.Value {
    switch self {
    case .first: .text(Self.firstWord)
    case .time(let time): .number(time)
    }
  }
}

extension RelativeReference: Encodable {
  /// Encodes the reference as `"first"` or as a number of seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .first: try container.encode(Self.firstWord)
    case .time(let time): try container.encode(time)
    }
  }
}

/// Computes the relative attitude of rows.
struct RelativeAttitudes: Sendable {
  let start: RelativeReference
  /// The attitude of the reference row, or `nil` before it.
  var reference: Attitude?

  init(_ start: RelativeReference) { self.start = start }

  /// Sets the values of `FusedColumn.relative` in a row of all columns. They are NaN without an attitude.
  mutating func fill(_ values: inout [Double], _ attitude: Attitude?, at time: Double) {
    let place = FusedColumn.relative[0].index
    if reference == nil, let attitude, start.allows(time) { reference = attitude }
    guard let attitude, let reference else {
      for index in place..<place + FusedColumn.relative.count { values[index] = .nan }
      return
    }
    let relative = attitude.multiplied(byInverseOf: reference)
    let (q, angles) = (relative.quaternion, relative.eulerAngles)
    for (offset, value) in [q.x, q.y, q.z, q.w, angles.roll, angles.pitch, angles.yaw].enumerated() {
      values[place + offset] = value
    }
  }
}
