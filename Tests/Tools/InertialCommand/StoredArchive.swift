import Foundation
import Testing

/// The arrays of an `.npz` whose files are stored as they are.
enum StoredArchive {
  /// Numbers of each array, or the text, by its name.
  static func arrays(at path: String) throws -> (numbers: [String: [Double]], texts: [String: String]) {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    func number(_ place: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    var numbers: [String: [Double]] = [:]
    var texts: [String: String] = [:]
    var place = 0
    while number(place, 4) == 0x0403_4B50 {
      let size = number(place + 18, 4)
      let name = String(decoding: bytes[(place + 30)..<(place + 30 + number(place + 26, 2))], as: UTF8.self)
      let file = place + 30 + number(place + 26, 2) + number(place + 28, 2)
      let body = (file + 10 + number(file + 8, 2))..<(file + size)
      let key = String(name.dropLast(4))
      if String(decoding: bytes[file..<body.lowerBound], as: UTF8.self).contains("<f8") {
        numbers[key] = stride(from: body.lowerBound, to: body.upperBound, by: 8).map {
          Double(bitPattern: UInt64(number($0, 4)) | UInt64(number($0 + 4, 4)) << 32)
        }
      } else {
        let scalars = stride(from: body.lowerBound, to: body.upperBound, by: 4).map {
          Unicode.Scalar(UInt32(number($0, 4)))!
        }
        texts[key] = String(String.UnicodeScalarView(scalars))
      }
      place = file + size
    }
    return (numbers, texts)
  }
}

extension CommandRunner {
  /// The path of a file in the runner's folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func json(_ name: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(read(name).utf8)) as? [String: Any])
  }

  /// A table's lines, apart at a mark.
  func table(_ name: String, _ separator: Character = "\t") throws -> [[String]] {
    try read(name).split(separator: "\n").map {
      $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
  }
}
