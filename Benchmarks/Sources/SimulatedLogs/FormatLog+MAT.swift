import Foundation
import Inertial

/// A MAT file of version 5 ("MAT-File Format", The MathWorks, chapter 1): matrices of doubles, not compressed.
struct MATFile {
  private(set) var data: Data

  init() {
    let text = "MATLAB 5.0 MAT-file, simulated"
    data = Data(text.utf8) + Data(repeating: 0x20, count: 124 - text.utf8.count) + Data([0x00, 0x01, 0x49, 0x4D])
  }

  /// Adds a matrix, column by column.
  mutating func add(_ name: String, columns: [[Double]]) {
    let rows = columns[0].count
    var numbers = Data(capacity: 8 * rows * columns.count)
    for value in columns.joined() {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { numbers.append(contentsOf: $0) }
    }
    let flags = Self.word(6) + Self.word(0)
    let body =
      Self.element(6, flags) + Self.element(5, Self.word(rows) + Self.word(columns.count))
      + Self.element(1, Data(name.utf8)) + Self.element(9, numbers)
    data += Self.element(14, body)
  }

  private static func word(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Data($0) }
  }

  private static func element(_ type: Int, _ data: Data) -> Data {
    word(type) + word(data.count) + data + Data(repeating: 0, count: (8 - data.count % 8) % 8)
  }
}
