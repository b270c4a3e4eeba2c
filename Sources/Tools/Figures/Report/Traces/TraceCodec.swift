internal import InertialEssentials
internal import InertialSystem

/// Numbers as the page reads them: whole multiples of a step, the differences from one to the next, their bytes apart by
/// weight, deflated, as text in base 64. `codec.js` is the way back.
enum TraceCodec {
  /// Stands for no value.
  static let missing = Int16.min
  private static let largest = 32_767.0

  /// How numbers of a column became whole ones: number = offset + step · whole.
  struct Scale: Encodable, Equatable {
    var step: Double
    var offset: Double

    /// Fits the finite numbers between two ends into 16 bits. Whole numbers that fit stay as they are.
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

  /// Whole numbers as two planes of bytes: of the zigzag of each difference the low bytes, then the high ones.
  static func planes(_ values: [Int16]) -> [UInt8] {
    let count = values.count
    var bytes = [UInt8](repeating: 0, count: 2 * count)
    bytes.withUnsafeMutableBufferPointer { bytes in
      var last: Int16 = 0
      for (place, value) in values.enumerated() {
        let difference = value &- last
        last = value
        let zigzag = UInt16(bitPattern: (difference << 1) ^ (difference >> 15))
        bytes[place] = UInt8(truncatingIfNeeded: zigzag)
        bytes[count + place] = UInt8(zigzag >> 8)
      }
    }
    return bytes
  }

  /// Never decreasing times as four planes: of the zigzag of each second difference in ticks the lowest bytes, and so on.
  ///
  /// - Returns: the bytes, and the tick in seconds: a microsecond, or as many tens of them as the longest step needs.
  static func planes(times: [Double]) -> (bytes: [UInt8], tick: Double) {
    let first = times.first ?? 0
    var longest = 0.0
    for index in times.indices.dropFirst() { longest = max(longest, times[index] - times[index - 1]) }
    var tick = 1e-6
    while longest / tick > 5e8 { tick *= 10 }
    let count = times.count
    var bytes = [UInt8](repeating: 0, count: 4 * count)
    var (last, step): (Int64, Int64) = (0, 0)
    for (place, time) in times.enumerated() {
      let now = Int64(((time - first) / tick).rounded())
      let second = Int32(now - last - step)
      (step, last) = (now - last, now)
      let zigzag = UInt32(bitPattern: (second << 1) ^ (second >> 31))
      for plane in 0..<4 { bytes[plane * count + place] = UInt8(truncatingIfNeeded: zigzag >> (8 * UInt32(plane))) }
    }
    return (bytes, tick)
  }

  static func text(plain bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  static func text(_ bytes: [UInt8]) -> String { Data(Deflater.packed(bytes)).base64EncodedString() }
}
