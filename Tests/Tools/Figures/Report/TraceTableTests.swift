import Testing

@testable import InertialFigures

@Suite("Columns over time in bounded memory") struct TraceTableTests {
  private func table(limit: Int) -> TraceTable {
    var table = TraceTable(
      columns: [.init(name: "a", unit: "1"), .init(name: "b", unit: "1", thinning: .sampled)], limit: limit)
    for row in 0..<1000 { table.append(time: Double(row), [row == 501 ? 99 : Double(row % 7), Double(row)]) }
    table.finish()
    return table
  }

  private func table(of values: [Double]) -> TraceTable {
    var table = TraceTable(columns: [.init(name: "a", unit: "1")])
    for (row, value) in values.enumerated() { table.append(time: Double(row), [value]) }
    table.finish()
    return table
  }

  @Test("up to the limit no sample changes")
  func all() {
    let table = table(limit: 1004)
    #expect(table.rowCount == 1000 && table.times.count == 1000 && table.rowsPerPair == 2)
    #expect(table[0, 501] == 99 && table[1, 999] == 999)
  }

  @Test(
    "beyond it no more than the limit are, no peak is lost, and a sampled column keeps values of its own times",
    arguments: [16, 64, 100])
  func limit(limit: Int) {
    let table = table(limit: limit)
    #expect(table.rowCount == 1000 && table.times.count <= limit && table.times.count > limit / 4)
    #expect(table.ranges[0] == 0...99)
    #expect(table.times == table.times.sorted() && table.times[0] == 0 && table.column(1) == table.times)
  }

  @Test("intervals longer than the gap are pauses, for any number of kept rows")
  func pauses() {
    for limit in [16, Int.max] {
      var table = TraceTable(columns: [.init(name: "a", unit: "1")], limit: limit, gap: 2)
      for row in 0..<100 where !(40..<50).contains(row) { table.append(time: Double(row), [0]) }
      #expect(table.pauses == [.init(start: 39, end: 50)])
    }
    #expect(table(of: [1, 2, 3]).pauses.isEmpty)
  }

  @Test("the extremes of a group stand in the order in which they came")
  func order() {
    let table = table(of: [1, 9, 2, 3, 8, 0, 4, 5])
    #expect(table.thinned(group: 4).column(0) == [1, 9, 8, 0] && table.thinned(group: 2).column(0) == table.column(0))
  }

  @Test("what is missing is no extreme, and a group of nothing stays nothing")
  func missing() {
    let thinned = table(of: [.nan, 3, .nan, 1, .nan, .nan, .nan, .infinity]).thinned(group: 4).column(0)
    #expect(thinned[0] == 3 && thinned[1] == 1 && thinned[2].isNaN && thinned[3].isNaN)
  }

  @Test("a column far from 0 keeps its changes")
  func offset() {
    let table = table(of: (0..<10).map { 52.123_456_7 + Double($0) * 1e-7 })
    #expect(abs(table[0, 9] - table[0, 0] - 9e-7) < 1e-12)
  }
}

@Suite("Stretches of time") struct SpanCollectorTests {
  @Test("a span lasts from the first to the last time at which its flag is set")
  func spans() {
    var collector = SpanCollector()
    for time in 0..<10 { collector.add([2, 3, 4, 8].contains(time), at: Double(time)) }
    #expect(collector.spans == [.init(start: 2, end: 4), .init(start: 8, end: 8)])
  }

  @Test("thousands of short spans become fewer that cover the same times")
  func many() {
    var collector = SpanCollector()
    for row in 0..<100_000 { collector.add(row % 2 == 0, at: Double(row) * 0.01) }
    #expect(collector.spans.count <= 4000)
    #expect(collector.spans.first?.start == 0 && abs((collector.spans.last?.end ?? 0) - 999.98) < 1e-6)
  }
}
