internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// Room for some ticks of all lanes, samples in and estimates out, where lane stands beside lane.
///
/// Each lane is written and read on its own, and the ticks are computed with all lanes at once. It is small enough to
/// stay in the nearest cache.
final class LaneBlock {
  static var tickCount: Int { 32 }

  /// Numbers of a tick: time and vector of three sensors.
  private static var inputCount: Int { 12 }
  /// Numbers of an estimate: quaternion, bias, flags.
  private static var outputCount: Int { 8 }
  private static var stride: Int { MemoryLayout<Lanes>.stride }

  private let inputs: UnsafeMutableRawPointer
  private let outputs: UnsafeMutableRawPointer
  private let inputNumbers: UnsafeMutablePointer<Double>
  private let outputNumbers: UnsafeMutablePointer<Double>

  init() {
    func allocate(_ count: Int) -> UnsafeMutableRawPointer {
      UnsafeMutableRawPointer.allocate(byteCount: count * Self.stride, alignment: MemoryLayout<Lanes>.alignment)
    }
    inputs = allocate(Self.tickCount * Self.inputCount)
    outputs = allocate(Self.tickCount * Self.outputCount)
    inputNumbers = inputs.bindMemory(to: Double.self, capacity: Self.tickCount * Self.inputCount * Lanes.laneCount)
    outputNumbers = outputs.bindMemory(to: Double.self, capacity: Self.tickCount * Self.outputCount * Lanes.laneCount)
    for index in 0..<Self.tickCount * Self.inputCount * Lanes.laneCount { inputNumbers[index] = .nan }
    for index in 0..<Self.tickCount * Self.outputCount * Lanes.laneCount { outputNumbers[index] = .nan }
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
  }

  // MARK: One lane

  enum Sensor: Int { case gyroscope, accelerometer, magneticField }

  @inline(__always)
  func put(_ value: Vector3, at time: Double, _ sensor: Sensor, tick: Int, lane: Int) {
    let numbers = inputNumbers + ((tick * Self.inputCount + 4 * sensor.rawValue) * Lanes.laneCount + lane)
    numbers[0] = time
    numbers[Lanes.laneCount] = value.x
    numbers[2 * Lanes.laneCount] = value.y
    numbers[3 * Lanes.laneCount] = value.z
  }

  /// Puts samples into the first ticks, one each.
  @inline(__always)
  func put(_ values: Span<Vector3>, at times: Span<Double>, _ sensor: Sensor, lane: Int) {
    var numbers = inputNumbers + (4 * sensor.rawValue * Lanes.laneCount + lane)
    for index in values.indices {
      let value = values[index]
      numbers[0] = times[index]
      numbers[Lanes.laneCount] = value.x
      numbers[2 * Lanes.laneCount] = value.y
      numbers[3 * Lanes.laneCount] = value.z
      numbers += Self.inputCount * Lanes.laneCount
    }
  }

  /// A lane without a sample of a sensor.
  @inline(__always)
  func putNone(_ sensor: Sensor, tick: Int, lane: Int) {
    inputNumbers[(tick * Self.inputCount + 4 * sensor.rawValue) * Lanes.laneCount + lane] = .nan
  }

  @inline(__always)
  func quaternion(tick: Int, lane: Int) -> Quaternion {
    let numbers = outputNumbers + (tick * Self.outputCount * Lanes.laneCount + lane)
    let n = Lanes.laneCount
    return Quaternion(x: numbers[0], y: numbers[n], z: numbers[2 * n], w: numbers[3 * n])
  }

  @inline(__always)
  func bias(tick: Int, lane: Int) -> Vector3 {
    let numbers = outputNumbers + ((tick * Self.outputCount + 4) * Lanes.laneCount + lane)
    return Vector3(numbers[0], numbers[Lanes.laneCount], numbers[2 * Lanes.laneCount])
  }

  @inline(__always)
  func flags(tick: Int, lane: Int) -> AttitudeFlags {
    AttitudeFlags(rawValue: UInt16(outputNumbers[(tick * Self.outputCount + 7) * Lanes.laneCount + lane]))
  }

  // MARK: All lanes

  /// A tick's samples, those of `active` lanes only.
  @inline(__always)
  func tick(_ tick: Int, where active: Lanes.Mask) -> LaneTick {
    LaneTick(
      gyroscope: sample(.gyroscope, tick, active), accelerometer: sample(.accelerometer, tick, active),
      magneticField: sample(.magneticField, tick, active))
  }

  @inline(__always)
  private func sample(_ sensor: Sensor, _ tick: Int, _ active: Lanes.Mask) -> LaneSample {
    let first = tick * Self.inputCount + 4 * sensor.rawValue
    let time = input(first)
    return LaneSample(
      time: time, value: LaneVector3(input(first + 1), input(first + 2), input(first + 3)),
      exists: active .& (time .== time))
  }

  @inline(__always)
  private func input(_ index: Int) -> Lanes { inputs.load(fromByteOffset: index * Self.stride, as: Lanes.self) }

  @inline(__always)
  func put(_ estimate: LaneEstimate, tick: Int) {
    let numbers = (
      estimate.earthFromDevice, estimate.gyroscopeBias, estimate.flags
    )
    let first = tick * Self.outputCount
    output(numbers.0.x, first)
    output(numbers.0.y, first + 1)
    output(numbers.0.z, first + 2)
    output(numbers.0.w, first + 3)
    output(numbers.1.x, first + 4)
    output(numbers.1.y, first + 5)
    output(numbers.1.z, first + 6)
    output(numbers.2, first + 7)
  }

  @inline(__always)
  private func output(_ value: Lanes, _ index: Int) {
    outputs.storeBytes(of: value, toByteOffset: index * Self.stride, as: Lanes.self)
  }
}
