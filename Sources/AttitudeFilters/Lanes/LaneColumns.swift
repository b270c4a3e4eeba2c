internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// A stretch of rows of each lane's recording, and the room for what comes of them.
///
/// In each recording all sensors share one clock there: row i of a stretch is the same moment in each of its columns,
/// and all lanes read and write their rows at once. Row 0 is where the lane stands. After the last row each column goes
/// on for at least one more: what lies there is read with it, and written over.
final class LaneColumns {
  /// What belongs to one lane.
  struct Lane {
    var times: UnsafePointer<Double>
    var rates: UnsafePointer<Vector3>
    var accelerations: UnsafePointer<Vector3>
    /// Nil where the recording has no field any more.
    var fields: UnsafePointer<Vector3>?
    var quaternions: UnsafeMutablePointer<Quaternion>
    var gyroscopeBiases: UnsafeMutablePointer<Vector3>
    var flags: UnsafeMutablePointer<AttitudeFlags>
  }

  /// Whether every lane has a field, or else none has.
  var hasField = false
  /// Whether all lanes read the same rows.
  private(set) var isShared = false

  // Column by column, lane stands beside lane.
  private let inputs: UnsafeMutablePointer<UnsafePointer<Double>?>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>
  private let wholeOutputs: UnsafeMutablePointer<UnsafeMutablePointer<UInt16>?>

  private static var inputCount: Int { 4 }
  private static var outputCount: Int { 2 }
  init() {
    func allocate<Column>(_ count: Int) -> UnsafeMutablePointer<Column?> {
      let columns = UnsafeMutablePointer<Column?>.allocate(capacity: count * Lanes.laneCount)
      columns.initialize(repeating: nil, count: count * Lanes.laneCount)
      return columns
    }
    inputs = allocate(Self.inputCount)
    outputs = allocate(Self.outputCount)
    wholeOutputs = allocate(1)
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
    wholeOutputs.deallocate()
  }

  /// - Parameter lanes: one for each lane.
  func set(_ lanes: [Lane]) {
    func numbers(_ vectors: UnsafePointer<Vector3>?) -> UnsafePointer<Double>? {
      UnsafeRawPointer(vectors)?.assumingMemoryBound(to: Double.self)
    }
    let n = Lanes.laneCount
    isShared = true
    for (index, lane) in lanes.enumerated() {
      inputs[index] = lane.times
      inputs[n + index] = numbers(lane.rates)
      inputs[2 * n + index] = numbers(lane.accelerations)
      inputs[3 * n + index] = numbers(lane.fields)
      outputs[index] = UnsafeMutableRawPointer(lane.quaternions).assumingMemoryBound(to: Double.self)
      outputs[n + index] = UnsafeMutableRawPointer(lane.gyroscopeBiases).assumingMemoryBound(to: Double.self)
      wholeOutputs[index] = UnsafeMutableRawPointer(lane.flags).assumingMemoryBound(to: UInt16.self)
      isShared = isShared && lane.times == lanes[0].times && lane.rates == lanes[0].rates
      isShared = isShared && lane.accelerations == lanes[0].accelerations && lane.fields == lanes[0].fields
    }
  }

  // MARK: Reading

  @inline(__always)
  func time(_ row: Int) -> Lanes { number(0, row) }
  @inline(__always)
  func rate(_ row: Int) -> LaneVector3<Lanes> { vector(1, row) }
  @inline(__always)
  func acceleration(_ row: Int) -> LaneVector3<Lanes> { vector(2, row) }
  /// Only where there is a field.
  @inline(__always)
  func field(_ row: Int) -> LaneVector3<Lanes> { vector(3, row) }

  func tick(_ row: Int) -> LaneTick {
    let (time, all) = (time(row), Lanes.Mask(repeating: true))
    let field =
      hasField
      ? LaneSample(time: time, value: field(row), exists: all)
      : LaneSample(time: Lanes(repeating: .nan), value: LaneVector3(.zero), exists: .!all)
    return LaneTick(
      gyroscope: LaneSample(time: time, value: rate(row), exists: all),
      accelerometer: LaneSample(time: time, value: acceleration(row), exists: all), magneticField: field)
  }

  @inline(__always)
  private func number(_ column: Int, _ index: Int) -> Lanes {
    let columns = inputs + column * Lanes.laneCount
    return isShared ? Lanes(repeating: columns[0].unsafelyUnwrapped[index]) : .gathered(columns, index)
  }

  @inline(__always)
  private func vector(_ column: Int, _ row: Int) -> LaneVector3<Lanes> {
    guard isShared else { return Lanes.gatheredVectors(inputs + column * Lanes.laneCount, 3 * row) }
    return LaneVector3(number(column, 3 * row), number(column, 3 * row + 1), number(column, 3 * row + 2))
  }

  // MARK: Writing

  @inline(__always)
  func put(_ estimate: LaneEstimate, row: Int) {
    let (q, bias) = (estimate.earthFromDevice, estimate.gyroscopeBias)
    Lanes.put(q.x, q.y, q.z, q.w, to: outputs, at: 4 * row)
    // The fourth is of the next row, which comes later.
    Lanes.put(bias.x, bias.y, bias.z, Lanes(repeating: 0), to: outputs + Lanes.laneCount, at: 3 * row)
    Lanes.put(estimate.flags, to: wholeOutputs, at: row)
  }
}
