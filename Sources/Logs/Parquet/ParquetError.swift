/// Why a Parquet file cannot be read.
package enum ParquetError: Error, Equatable {
  /// The bytes are not what the format says; with what is wrong.
  case damaged(String)
  /// The file is good, but holds something that is not read here; with what it is.
  case unsupported(String)
}
