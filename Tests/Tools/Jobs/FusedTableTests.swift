import InertialLogs
import Testing

@testable import InertialJobs

struct FusedTableTests {
  private func rows(_ start: Int, _ count: Int) -> [Double] {
    (start..<start + count).flatMap { [Double($0), Double(-$0)] }
  }

  @Test("a growing block keeps its rows, for any number of rows per call", arguments: [1, 7, 512, 40_000])
  func growth(of count: Int) throws {
    let block = FusedTable(columns: Array(FusedColumn.all[..<2]))
    var total = 0
    while total < 50_000 {
      try block.append(rows(total, count))
      total += count
    }
    #expect(block.rowCount == total && block.capacity >= total)
    #expect((0..<total).allSatisfy { block[0]![$0] == Double($0) && block[1]![$0] == Double(-$0) })
  }

  @Test("a block with a known fraction of its rows allocates memory for all rows at once")
  func fraction() throws {
    let block = FusedTable(columns: Array(FusedColumn.all[..<2]))
    try block.append(rows(0, 4096))
    block.fraction = 0.004097
    try block.append(rows(4096, 1))
    let capacity = block.capacity
    #expect((1_000_000...1_200_000).contains(capacity))
    for start in stride(from: 4097, to: 1_000_000, by: 4097) { try block.append(rows(start, 4097)) }
    #expect(block.capacity == capacity)
    // An implausible fraction does not allocate excessive memory.
    let mistaken = FusedTable(columns: Array(FusedColumn.all[..<2]))
    try mistaken.append(rows(0, 4096))
    mistaken.fraction = 1e-300
    try mistaken.append(rows(4096, 1))
    #expect(mistaken.capacity == 8192)
  }
}
