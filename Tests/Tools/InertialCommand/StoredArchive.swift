/// The arrays of an `.npz` with uncompressed files.
enum StoredArchive {
  /// The numbers of each array, or its text, by name.
  static func arrays(at path: String) throws -> (numbers: [String: [Double]], texts: [String: String]) {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    func number(_ position: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
    var numbers: [String: [Double]] = [:]
    var texts: [String: String] = [:]
    var position = 0
    while number(position, 4) == 0x0403_4B50 {
      let size = number(position + 18, 4)
      let name = String(decoding: bytes[(position + 30)..<(position + 30 + number(position + 26, 2))], as: UTF8.self)
      let file = position + 30 + number(position + 26, 2) + number(position + 28, 2)
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
      position = file + size
    }
    return (numbers, texts)
  }
}
