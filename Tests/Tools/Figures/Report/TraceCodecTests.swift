import Testing

@testable import InertialFigures

@Suite("Numbers as a page has them") struct TraceCodecTests {
  /// The times, as `codec.js` decodes them.
  private func times(_ bytes: [UInt8], first: Double, tick: Double) -> [Double] {
    let count = bytes.count / 4
    var (now, step): (Int64, Int64) = (0, 0)
    return (0..<count).map { index in
      let zigzag = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[$1 * count + index]) << UInt32(8 * $1) }
      step += Int64(Int32(bitPattern: zigzag >> 1) ^ -Int32(zigzag & 1))
      now += step
      return first + Double(now) * tick
    }
  }

  @Test("whole numbers of 16 bits come back, with any jumps between them")
  func planes() {
    let numbers: [Int16] = [0, 1, -1, .max, .min, .max, 0, .min, -300, 299, 300]
    #expect(GeneratedPage.values(TraceCodec.planes(numbers)) == numbers)
  }

  @Test("times come back to half a microsecond, over gaps of days too")
  func stamps() {
    let stamps: [Double] = [5, 5.01, 5.020_000_4, 5.03, 5.03, 400, 86_400 * 3, 86_400 * 3 + 0.01]
    for count in [6, 8] {
      let part = Array(stamps.prefix(count))
      let (bytes, tick) = TraceCodec.planes(times: part)
      #expect(abs(tick / (count == 6 ? 1e-6 : 1e-3) - 1) < 1e-9)
      for (found, stamp) in zip(times(bytes, first: 5, tick: tick), part) { #expect(abs(found - stamp) <= 0.51 * tick) }
    }
  }

  @Test("an encoded value differs by at most half a step, 1/65,534 of the range")
  func scale() {
    let scale = TraceCodec.Scale(smallest: -2, largest: 6, areWhole: false)
    for value in [-2, 6, 0, 1.234_567, -1.999_9] {
      #expect(abs(scale.offset + scale.step * Double(scale.whole(value)) - value) <= scale.step * 0.500_01)
    }
    #expect(abs(scale.step - 8.0 / 65_534) < 1e-12)
    #expect(scale.whole(.nan) == TraceCodec.missing && scale.whole(.infinity) == TraceCodec.missing)
  }

  @Test("counts stay what they are; a constant does; nothing at all is no trouble")
  func whole() {
    let counts = TraceCodec.Scale(smallest: 0, largest: 6000, areWhole: true)
    #expect(counts == TraceCodec.Scale(smallest: 0, largest: 0, areWhole: true))
    #expect(counts.step == 1 && counts.offset == 0 && counts.whole(6000) == 6000)
    let large = TraceCodec.Scale(smallest: 1e6, largest: 1_000_002, areWhole: true)
    #expect(large.offset + Double(large.whole(1_000_001)) == 1_000_001)
    let constant = TraceCodec.Scale(smallest: 0.3, largest: 0.3, areWhole: false)
    #expect(constant.offset + constant.step * Double(constant.whole(0.3)) == 0.3)
    let none = TraceCodec.Scale(smallest: .infinity, largest: -.infinity, areWhole: true)
    #expect(none.whole(.nan) == TraceCodec.missing)
  }

  @Test("a table that is too large for its place gets fewer samples, and one that fits keeps all")
  func fitting() {
    var table = TraceTable(columns: (0..<6).map { .init(name: "c\($0)", unit: "1") })
    var seed: UInt64 = 1
    func number() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 40)
    }
    for row in 0..<30_000 { table.append(time: Double(row) * 0.01, (0..<6).map { _ in number() }) }
    let all = EncodedTable.fitting(table, name: "t", bytes: 10_000_000)
    #expect(all.description.samples == 30_000 && all.description.rowsPerPair == 2 && all.description.overview > 0)
    let some = EncodedTable.fitting(table, name: "t", bytes: 100_000)
    #expect(some.size <= 100_000 && some.size > 60_000 && some.description.rows == 30_000)
    #expect(EncodedTable(table, name: "t").blocks == all.blocks)
  }
}
