internal import InertialNumerics
public import InertialRotations
public import InertialSensors

/// The estimates of a filter for a whole recording, as columns with one row per gyroscope sample.
public struct AttitudeColumns: Sendable, Equatable {
  /// The gyroscope's timestamps, in seconds.
  public private(set) var times: [Double] = []
  /// Unit quaternions, device to earth (Z up). NaN in the rows before `firstKnownRow`.
  public private(set) var quaternions: [Quaternion] = []
  /// The gyroscope bias, in rad/s, in device axes.
  public private(set) var gyroscopeBiases: [Vector3] = []
  /// The standard deviation of the attitude error about the earth's X, Y and Z, in radians; empty for filters without
  /// it.
  public private(set) var attitudeSigmas: [Vector3] = []
  /// The flags of each row's estimate.
  public private(set) var flags: [AttitudeFlags] = []
  /// The first row with an attitude. Before the first valid acceleration, the attitude is unknown.
  public private(set) var firstKnownRow = 0

  /// Creates columns without rows.
  public init() {}

  /// The number of rows.
  public var count: Int { times.count }

  /// The estimate in a row, or `nil` before `firstKnownRow`.
  public subscript(row: Int) -> AttitudeEstimate? {
    guard row >= firstKnownRow else { return nil }
    return AttitudeEstimate(
      earthFromDevice: quaternions[row], gyroscopeBias: gyroscopeBiases[row],
      attitudeSigma: attitudeSigmas.isEmpty ? nil : attitudeSigmas[row], flags: flags[row])
  }

  mutating func reserveCapacity(_ count: Int) {
    quaternions.reserveCapacity(count)
    gyroscopeBiases.reserveCapacity(count)
    flags.reserveCapacity(count)
  }

  /// Appends a row without its time: `setTimes` completes the columns.
  @inline(__always)
  mutating func append(_ estimate: AttitudeEstimate?) {
    guard let estimate else {
      firstKnownRow += 1
      quaternions.append(Quaternion(x: .nan, y: .nan, z: .nan, w: .nan))
      gyroscopeBiases.append(.zero)
      flags.append(.converging)
      return
    }
    if let sigma = estimate.attitudeSigma {
      let unknown = Vector3(repeating: .nan)
      while attitudeSigmas.count < firstKnownRow { attitudeSigmas.append(unknown) }
      attitudeSigmas.append(sigma)
    }
    quaternions.append(estimate.earthFromDevice)
    gyroscopeBiases.append(estimate.gyroscopeBias)
    flags.append(estimate.flags)
  }

  /// Sets the times of rows that were appended without them.
  mutating func setTimes(_ times: [Double]) { self.times = times }
}
