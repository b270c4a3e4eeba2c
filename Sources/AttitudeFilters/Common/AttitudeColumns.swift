public import LinearAlgebra
public import Rotations
public import Sensors

/// What a filter found over a whole recording, as columns with one row per gyroscope sample.
public struct AttitudeColumns: Sendable, Equatable {
  /// The gyroscope's times, seconds.
  public private(set) var times: [Double] = []
  /// Unit quaternions, device to earth (Z up). NaN in the rows before `firstKnownRow`.
  public private(set) var quaternions: [Quaternion] = []
  /// Gyroscope bias, rad/s, device axes.
  public private(set) var gyroscopeBiases: [Vector3] = []
  /// Standard deviation of the attitude error about the earth's X, Y and Z, radians; empty for filters without one.
  public private(set) var attitudeSigmas: [Vector3] = []
  /// What to know about each row's estimate.
  public private(set) var flags: [AttitudeFlags] = []
  /// The first row with an attitude: none is known before the first valid acceleration.
  public private(set) var firstKnownRow = 0

  /// No rows.
  public init() {}

  /// How many rows there are.
  public var count: Int { times.count }

  /// The estimate in a row; nil before `firstKnownRow`.
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

  /// Appends the rows that end with a lane's ticks.
  mutating func append(
    contentsOf block: LaneBlock, lane: Int, staged: LaneCursor.Staged, tickCount: Int
  ) {
    let plainCount = min(tickCount, staged.plainCount)
    quaternions.append(addingCapacity: plainCount) { rows in
      for tick in 0..<plainCount { rows.append(block.quaternion(tick: tick, lane: lane)) }
    }
    gyroscopeBiases.append(addingCapacity: plainCount) { rows in
      for tick in 0..<plainCount { rows.append(block.bias(tick: tick, lane: lane)) }
    }
    flags.append(addingCapacity: plainCount) { rows in
      for tick in 0..<plainCount { rows.append(block.flags(tick: tick, lane: lane)) }
    }
    for tick in plainCount..<tickCount {
      let row = staged.cursor(before: tick).row
      guard staged.cursor(before: tick + 1).row > row else { continue }
      quaternions.append(block.quaternion(tick: tick, lane: lane))
      gyroscopeBiases.append(block.bias(tick: tick, lane: lane))
      flags.append(block.flags(tick: tick, lane: lane))
    }
  }

  /// Appends up to `count` rows that are written by `write`, from row 0 of what it is given.
  ///
  /// - Parameter write: gives back how many rows it wrote.
  mutating func append(
    upTo count: Int,
    writtenBy write: (
      UnsafeMutablePointer<Quaternion>, UnsafeMutablePointer<Vector3>, UnsafeMutablePointer<AttitudeFlags>
    ) -> Int
  ) {
    Self.append(upTo: count, to: &quaternions, &gyroscopeBiases, &flags, writtenBy: write)
  }

  // Of three columns: a closure that takes one of them could not use the others of `self`.
  private static func append(
    upTo count: Int, to quaternions: inout [Quaternion], _ biases: inout [Vector3], _ flags: inout [AttitudeFlags],
    writtenBy write: (
      UnsafeMutablePointer<Quaternion>, UnsafeMutablePointer<Vector3>, UnsafeMutablePointer<AttitudeFlags>
    ) -> Int
  ) {
    append(upTo: count, to: &quaternions) { quaternions in
      append(upTo: count, to: &biases) { biases in
        append(upTo: count, to: &flags) { flags in write(quaternions, biases, flags) }
      }
    }
  }

  @discardableResult
  private static func append<Row>(
    upTo count: Int, to column: inout [Row], writtenBy write: (UnsafeMutablePointer<Row>) -> Int
  ) -> Int {
    var written = 0
    column.append(addingCapacity: count) { rows in
      rows.withUnsafeMutableBufferPointer { buffer, initialized in
        guard let first = buffer.baseAddress else { return }
        written = write(first + initialized)
        initialized += written
      }
    }
    return written
  }

  /// Completes columns whose rows were appended without times.
  mutating func setTimes(_ times: [Double]) { self.times = times }
}
