internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// Encodes numbers for the page: multiples of a step, differenced, split into planes of low and high bytes, deflated,
/// as Base64. `codec.js` decodes them.
enum TraceCodec {
  /// The code for a missing value.
  static let missing = Int16.min
  private static let largest = 32_767.0

  /// The conversion of a column's values to integers: value = offset + step · integer.
  struct Scale: Encodable, Equatable {
    var step: Double
    var offset: Double

    /// Fits the finite values between two limits into 16 bits. Integers that fit are unchanged.
    init(smallest: Double, largest: Double, areWhole: Bool) {
      guard smallest <= largest else {
        (step, offset) = (1, 0)
        return
      }
      if areWhole, largest - smallest <= 2 * TraceCodec.largest {
        (step, offset) = (1, (smallest + TraceCodec.largest).rounded())
        if smallest >= -TraceCodec.largest, largest <= TraceCodec.largest { offset = 0 }
        return
      }
      offset = smallest + (largest - smallest) / 2
      let half = (largest - smallest) / 2
      step = half > 0 ? half / TraceCodec.largest : 1
    }

    func whole(_ value: Double) -> Int16 {
      guard value.isFinite else { return TraceCodec.missing }
      return Int16(max(-TraceCodec.largest, min(TraceCodec.largest, ((value - offset) / step).rounded())))
    }
  }

  /// Returns integers as two planes of bytes: the low bytes of the zigzag-encoded differences, then the high bytes.
  static func planes(_ values: [Int16]) -> [UInt8] {
    let count = values.count
    var bytes = [UInt8](repeating: 0, count: 2 * count)
    bytes.withUnsafeMutableBufferPointer { bytes in
      var last: Int16 = 0
      for (position, value) in values.enumerated() {
        let difference = value &- last
        last = value
        let zigzag = UInt16(bitPattern: (difference << 1) ^ (difference >> 15))
        bytes[position] = UInt8(truncatingIfNeeded: zigzag)
        bytes[count + position] = UInt8(zigzag >> 8)
      }
    }
    return bytes
  }

  /// Returns non-decreasing times as four planes: the lowest bytes of the zigzag-encoded second differences in ticks,
  /// and so on.
  ///
  /// - Returns: The bytes, and the tick in seconds: a microsecond, or a multiple by a power of ten as required by the
  ///   longest step.
  static func planes(times: [Double]) -> (bytes: [UInt8], tick: Double) {
    let first = times.first ?? 0
    var maximum = 0.0
    for index in times.indices.dropFirst() { maximum = max(maximum, times[index] - times[index - 1]) }
    var tick = 1e-6
    while maximum / tick > 5e8 { tick *= 10 }
    let count = times.count
    var bytes = [UInt8](repeating: 0, count: 4 * count)
    var (last, step): (Int64, Int64) = (0, 0)
    for (position, time) in times.enumerated() {
      let now = Int64(((time - first) / tick).rounded())
      let second = Int32(now - last - step)
      (step, last) = (now - last, now)
      let zigzag = UInt32(bitPattern: (second << 1) ^ (second >> 31))
      for plane in 0..<4 { bytes[plane * count + position] = UInt8(truncatingIfNeeded: zigzag >> (8 * UInt32(plane))) }
    }
    return (bytes, tick)
  }

  static func text(plain bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  static func text(_ bytes: [UInt8]) -> String { Data(ZlibStream.deflated(bytes, .raw)).base64EncodedString() }
}
