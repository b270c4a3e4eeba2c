/// The constants of the Parquet format (`parquet.thrift` of format 2.11).
enum ParquetFormat {
  static let magic = Array("PAR1".utf8)

  enum Physical: Int32 {
    case boolean = 0
    case int32 = 1
    case int64 = 2
    case int96 = 3
    case float = 4
    case double = 5
    case bytes = 6
    case fixedBytes = 7
  }

  enum Repetition: Int32 {
    case required = 0
    case optional = 1
    case repeated = 2
  }

  enum Encoding: Int32 {
    case plain = 0
    case plainDictionary = 2
    case runLength = 3
    case deltaBinaryPacked = 5
    case dictionary = 8
    case byteStreamSplit = 9
  }

  enum Codec: Int32 {
    case none = 0
    case snappy = 1
    case zstandard = 6
  }

  enum Page: Int32 {
    case data = 0
    case dictionary = 2
    case dataV2 = 3
  }

  /// The legacy converted type of a list group.
  static let convertedList: Int32 = 3
}
