import InertialSystem
import Testing

@Suite("Data spilled to disk") struct SpillingTests {
  @Test("an array returns its elements from either end, for any memory limit", arguments: [0, 1 << 17, Int.max])
  func array(memory: Int) throws {
    var array = SpilledArray<Double>(memory: memory)
    let count = 30_001
    for index in 0..<count { array.append(Double(index)) }
    #expect(array.count == count && (array.spilledBytes > 0) == (memory < Int.max))
    var reader = SpilledArray<Double>.Reader()
    for index in 0..<count { try #require(try reader.at(index, of: array) == Double(index)) }
    for index in (0..<count).reversed() { try #require(try reader.at(index, of: array) == Double(index)) }
    for index in stride(from: 0, to: count, by: 7919) { #expect(try reader.at(index, of: array) == Double(index)) }
  }

  @Test("blocks of any length are added and copied like single elements", arguments: [0, Int.max])
  func blocks(memory: Int) throws {
    var array = SpilledArray<Double>(memory: memory)
    let numbers = (0..<30_001).map(Double.init)
    var start = 0
    for length in [0, 1, 4095, 4096, 4097, 9000, 1, 8711] {
      numbers[start..<(start + length)].withUnsafeBufferPointer { array.append(contentsOf: $0) }
      start += length
    }
    #expect(start == numbers.count && array.count == start && (array.spilledBytes > 0) == (memory == 0))
    var reader = SpilledArray<Double>.Reader()
    var copy = [-1.0]
    for (start, count) in [(0, 30_001), (4096, 1), (4000, 200), (30_000, 1), (12_288, 8192), (5, 0)] {
      try reader.copy(from: start, count: count, of: array, to: &copy)
      #expect(copy == Array(numbers[start..<(start + count)]))
    }
  }

  @Test("two copies continue independently in one file")
  func copies() throws {
    var one = SpilledArray<Int>(memory: 0)
    for index in 0..<10_000 { one.append(index) }
    var other = one
    for index in 10_000..<20_000 {
      one.append(index)
      other.append(-index)
    }
    var (a, b) = (SpilledArray<Int>.Reader(), SpilledArray<Int>.Reader())
    for index in 0..<20_000 {
      try #require(try a.at(index, of: one) == index)
      try #require(try b.at(index, of: other) == (index < 10_000 ? index : -index))
    }
  }

  @Test("a queue returns elements in order, and removed elements make room for new ones")
  func queue() throws {
    var queue = SpilledQueue<Int>()
    var (added, taken) = (0, 0)
    // Longer than the memory, and then shorter again, repeatedly.
    for round in 0..<12 {
      for _ in 0..<200_000 {
        queue.append(added)
        added += 1
      }
      let target = round.isMultiple(of: 3) ? added : added - 150_000
      while taken < target {
        try #require(try queue.first() == taken)
        queue.removeFirst()
        taken += 1
      }
    }
    #expect(queue.isEmpty == (taken == added))
    while let first = try queue.first() {
      try #require(first == taken)
      queue.removeFirst()
      taken += 1
    }
    #expect(taken == added && queue.isEmpty)
  }
}
